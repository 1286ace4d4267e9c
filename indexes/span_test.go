package indexes

import (
	"bytes"
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// universe is every byte string of up to two bytes over a small alphabet: enough
// for every case of two spans' ends.
func universe() [][]byte {
	out := [][]byte{{}}
	for _, a := range []byte{0, 1, 2, 0xff} {
		out = append(out, []byte{a})
		for _, b := range []byte{0, 1, 0xff} {
			out = append(out, []byte{a, b})
		}
	}
	return out
}

func genSpans(t *rapid.T, label string) Spans {
	value := rapid.SampledFrom(universe())
	var raw []Span
	for range rapid.IntRange(0, 4).Draw(t, label) {
		s := Span{Start: value.Draw(t, "start"), End: value.Draw(t, "end")}
		if rapid.IntRange(0, 5).Draw(t, "open") == 0 {
			s.End = nil
		}
		raw = append(raw, s)
	}
	return NewSpans(raw...)
}

// TestSpanAlgebra: the sets behave as sets, and stay sorted and disjoint.
func TestSpanAlgebra(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := genSpans(t, "a"), genSpans(t, "b")
		union, both, not := a.Union(b), a.Intersect(b), a.Complement()
		for _, s := range []Spans{a, b, union, both, not} {
			for i, sp := range s {
				if sp.End != nil && bytes.Compare(sp.Start, sp.End) >= 0 {
					t.Fatalf("empty span in %v", s)
				}
				if i > 0 && (s[i-1].End == nil || bytes.Compare(s[i-1].End, sp.Start) > 0) {
					t.Fatalf("spans overlap or are out of order: %v", s)
				}
			}
		}
		if a.Meets(b) != (len(both) > 0) {
			t.Fatalf("%v meets %v: %t, both hold %v", a, b, a.Meets(b), both)
		}
		for _, v := range universe() {
			inA, inB := a.Contains(v), b.Contains(v)
			if union.Contains(v) != (inA || inB) || both.Contains(v) != (inA && inB) || not.Contains(v) == inA {
				t.Fatalf("%x: a %t b %t union %t both %t not a %t", v, inA, inB, union.Contains(v), both.Contains(v),
					not.Contains(v))
			}
		}
	})
}

func TestPoint(t *testing.T) {
	for _, v := range universe() {
		p := Point(v)
		if !p.IsPoint() || p.IsEverything() {
			t.Errorf("Point(%x) = %v", v, p)
		}
		for _, w := range universe() {
			if p.Contains(w) != bytes.Equal(v, w) {
				t.Errorf("Point(%x) contains %x: %t", v, w, p.Contains(w))
			}
		}
	}
	if !Everything().IsEverything() || fmt.Sprint(Everything().Complement()) != "[]" {
		t.Error("Everything")
	}
}
