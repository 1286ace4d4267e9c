package pebblekv

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"
	"weak"

	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/kv"
)

// TestWindow compares the window, merged at random, with a plain list of all
// writes.
func TestWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.Custom(func(t *rapid.T) []byte {
			return fmt.Appendf(nil, "%02d", rapid.IntRange(0, 30).Draw(t, "key"))
		})
		ranges := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) kv.Range {
			a, b := key.Draw(t, "a"), key.Draw(t, "b")
			switch c := bytes.Compare(a, b); {
			case c == 0:
				return kv.PointRange(a)
			case c > 0:
				a, b = b, a
			}
			return kv.Range{Start: a, End: b}
		}), 0, 5)
		type written struct {
			r       kv.Range
			version int64
		}
		var all []written
		w := &window{limit: rapid.SampledFrom([]int64{1 << 30, 8_000}).Draw(t, "limit")}
		version := int64(0)
		commit := func(t *rapid.T) {
			version++
			var runs []*run
			for range rapid.IntRange(1, 3).Draw(t, "members") {
				var ops []op
				for _, k := range rapid.SliceOfN(key, 0, 6).Draw(t, "points") {
					ops = append(ops, op{kind: opSet, key: k})
					all = append(all, written{kv.PointRange(k), version})
				}
				conflicts := ranges.Draw(t, "ranges")
				for _, r := range conflicts {
					all = append(all, written{r, version})
				}
				r := writtenBy(ops, conflicts)
				r.at(version)
				runs = append(runs, r)
			}
			w.append(version, runs, 0)
		}
		t.Repeat(map[string]func(*rapid.T){
			"commit":       commit,
			"commit again": commit,
			"merge":        func(*rapid.T) { w.merge() },
			"check": func(t *rapid.T) {
				reads := kv.Coalesce(ranges.Draw(t, "reads"))
				after := rapid.Int64Range(0, version).Draw(t, "after")
				got, known := w.conflicts(reads, after, version)
				if w.limit == 1<<30 && !known {
					t.Fatal("the window forgot without need")
				}
				want := false
				for _, o := range all {
					want = want || o.version > after && overlaps(reads, o.r.Start, o.r.End)
				}
				if known && got != want {
					t.Fatalf("reads %q after %d: conflict %v, want %v", reads, after, got, want)
				}
			},
			"": func(t *rapid.T) {
				runs, _, _ := w.view()
				var sum int64
				for i, r := range runs {
					sum += r.bytes
					if i > 0 && (r.min < runs[i-1].min || r.max < runs[i-1].max) {
						t.Fatal("runs are out of order")
					}
				}
				if sum != w.bytes || sum > w.limit {
					t.Fatalf("%d bytes, counted %d, the limit is %d", sum, w.bytes, w.limit)
				}
			},
		})
	})
}

// TestWindowMerges checks that a check far back leaves few runs behind.
func TestWindowMerges(t *testing.T) {
	w := &window{limit: 1 << 30}
	for v := int64(1); v <= 5000; v++ {
		r := writtenBy([]op{{kind: opSet, key: fmt.Appendf(nil, "%04d", v*7919%5000)}}, nil)
		r.at(v)
		w.append(v, []*run{r}, 0)
	}
	read := []kv.Range{kv.PointRange([]byte("x"))}
	if conflict, ok := w.conflicts(read, 0, 5000); conflict || !ok {
		t.Fatal(conflict, ok)
	}
	if n := len(w.runs); n > 60 {
		t.Errorf("%d runs are left", n)
	}
	for v := int64(1); v <= 5000; v++ {
		key := kv.PointRange(fmt.Appendf(nil, "%04d", v*7919%5000))
		if conflict, _ := w.conflicts([]kv.Range{key}, v-1, 5000); !conflict {
			t.Fatalf("write of version %d is not found after %d", v, v-1)
		}
		if conflict, _ := w.conflicts([]kv.Range{key}, v, 5000); conflict {
			t.Fatalf("write of version %d is found after it", v)
		}
	}
}

// TestWindowLetsGo: what the window has forgotten does not stay in memory,
// however large the transactions were.
func TestWindowLetsGo(t *testing.T) {
	w := &window{limit: 8 << 20}
	const size = 256 << 10
	var all []weak.Pointer[run]
	for version := int64(1); version <= 400; version++ {
		r := writtenBy([]op{{kind: opSet, key: make([]byte, size)}}, nil)
		r.at(version)
		all = append(all, weak.Make(r))
		w.append(version, []*run{r}, 0) // as if a transaction was open since the beginning
		if version%50 != 0 {
			continue
		}
		runtime.GC()
		var held int64
		for _, p := range all {
			if p.Value() != nil {
				held += size
			}
		}
		if held > w.limit*5/4 {
			t.Errorf("at version %d: %d bytes are in memory, the limit is %d", version, held, w.limit)
		}
	}
	runtime.KeepAlive(w)
}
