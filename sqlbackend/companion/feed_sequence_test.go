package companion

import (
	"encoding/hex"
	"testing"

	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/changes"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// TestSequenceSpans: a sequence is in the spans if and only if its text is, for any strings.
func TestSequenceSpans(t *testing.T) {
	// Texts near each other, of any length, with bytes around the digits.
	text := rapid.Custom(func(t *rapid.T) string {
		s := rapid.StringMatching(`[0f][0-9a-f]{0,27}`).Draw(t, "digits")
		if rapid.Bool().Draw(t, "odd") {
			at := rapid.IntRange(0, len(s)).Draw(t, "at")
			s = s[:at] + rapid.SampledFrom([]string{"", "/", ":", "A", "F", "`", "g", "\x00", "\xff", " "}).Draw(t, "byte") +
				s[at:]
		}
		return s
	})
	bound := rapid.Custom(func(t *rapid.T) []byte {
		switch rapid.IntRange(0, 9).Draw(t, "bound") {
		case 0:
			return nil
		case 1:
			return []byte{ordered.ClassNumber, 0x80}
		case 2:
			return []byte{ordered.ClassObject}
		case 3:
			return []byte{ordered.ClassString}
		}
		b := append([]byte{ordered.ClassString}, text.Draw(t, "text")...)
		if rapid.Bool().Draw(t, "after") {
			b = append(b, 0)
		}
		return b
	})
	rapid.Check(t, func(t *rapid.T) {
		var list []indexes.Span
		for range rapid.IntRange(0, 3).Draw(t, "spans") {
			list = append(list, indexes.Span{Start: bound.Draw(t, "start"), End: bound.Draw(t, "end")})
		}
		spans := indexes.NewSpans(list...)
		found := sequenceSpans(spans)
		check := func(s changes.Sequence) {
			want := spans.Contains(append([]byte{ordered.ClassString}, s.String()...))
			got := 0
			for _, f := range found {
				if string(f.from[:]) <= string(s[:]) && string(s[:]) <= string(f.to[:]) {
					got++
				}
			}
			if want != (got == 1) || got > 1 {
				t.Fatalf("%s: in %d of %v, in the spans %x: %t", s, got, found, spans, want)
			}
		}
		around := func(s changes.Sequence) {
			check(s)
			if before, ok := sequenceBefore(s); ok {
				check(before)
			}
			for i := len(s) - 1; i >= 0; i-- {
				if s[i]++; s[i] != 0 {
					check(s)
					break
				}
			}
		}
		for _, f := range found {
			around(f.from)
			around(f.to)
		}
		for range 5 {
			var s changes.Sequence
			digits := (text.Draw(t, "sequence") + "00000000000000000000000000")[:26]
			if _, err := hex.Decode(s[:], []byte(digits)); err == nil {
				around(s)
			}
		}
		around(changes.Sequence{})
		around(lastSequencePossible)
	})
}
