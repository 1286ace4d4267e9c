package tables_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// grain is what a sampled key stands for in these tests, in bytes.
const grain = 40_000

// sampled tells sizes by a sample of entries, as FoundationDB does.
type sampled struct {
	kv.Reader
	keys *keyspace.Collection
	has  func(e keyspace.Entry) bool
}

func (s sampled) EstimateSize(r kv.Range) kv.FutureInt64 {
	it := s.Range(r, kv.RangeOptions{})
	defer it.Close()
	bytes := int64(0)
	for it.Next() {
		if e, err := s.keys.SplitEntry(it.Key()); err == nil && s.has(e) {
			bytes += grain
		}
	}
	return told{bytes, it.Err()}
}

type told struct {
	n   int64
	err error
}

func (t told) Get() (int64, error) { return t.n, t.err }

// TestEstimateGrain: where the store's sample is too small to tell how much a range has, keys are counted on, within
// bounds, and the choice against the full scan is the one that the documents ask for. Where it is large enough, it is
// believed.
func TestEstimateGrain(t *testing.T) {
	f := open(t, catalog.Options{})
	const documents = 4000
	f.must(func(tx *tables.Tx) error {
		for i := range documents {
			if err := f.insert(tx, fmt.Sprintf(`{"_id":"%05d","tenth":%d}`, i, i%10)); err != nil {
				return err
			}
		}
		return nil
	})
	value := func(n int) func([]byte) bool {
		spans := numberSpan(n)
		return func(v []byte) bool { return spans.Contains(v) }
	}
	three, nine := value(3), value(9)
	// A sample of one key, of many, and of many of which none is a three.
	first := func(of func([]byte) bool) func(keyspace.Entry) bool {
		met := ""
		return func(e keyspace.Entry) bool {
			if !of(e.Value) || met != "" && met != string(e.PK) {
				return false
			}
			met = string(e.PK)
			return true
		}
	}
	every := func(n int) func(keyspace.Entry) bool {
		return func(e keyspace.Entry) bool {
			h := 0
			for _, b := range e.PK {
				h = (h*31 + int(b)) % 9973
			}
			return h%n == 0
		}
	}
	most := indexes.Spans{{Start: numberSpan(0)[0].Start, End: numberSpan(9)[0].Start}} // nine tenths
	for _, c := range []struct {
		name   string
		spans  indexes.Spans
		has    func(keyspace.Entry) bool
		chosen int
		exact  bool
		keys   [2]int64 // what is estimated: at least, at most
		read   [2]int   // keys that are read at most: at first, and again
		sizes  [2]int   // that are asked for
	}{
		{"no sample", numberSpan(3), func(keyspace.Entry) bool { return false }, 0, true, [2]int64{400, 400},
			[2]int{432, 432}, [2]int{3, 0}},
		{"all of it in the range", numberSpan(3), first(three), 0, true, [2]int64{400, 400}, [2]int{432, 432}, [2]int{3, 0}},
		{"all of it elsewhere", numberSpan(3), first(nine), 0, true, [2]int64{400, 400}, [2]int{432, 432}, [2]int{3, 0}},
		{"all of it in a tenth, the range is the others", most, first(nine), -1, false, [2]int64{2048, 3600},
			[2]int{2080, 2080}, [2]int{3, 2}},
		{"a large one", numberSpan(3), every(8), 0, false, [2]int64{200, 800}, [2]int{32, 32}, [2]int{3, 0}},
		{"a large one, and most of all", most, every(8), -1, false, [2]int64{3200, 4000}, [2]int{32, 32}, [2]int{3, 1}},
		{"a large one with nothing of the range", numberSpan(3), func(e keyspace.Entry) bool { return !three(e.Value) }, 0,
			true, [2]int64{400, 400}, [2]int{432, 32}, [2]int{3, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			known := costing.NewKnownAt(standing(new(time.Time)))
			candidate := []costing.Candidate{{Parts: []costing.Part{{Keypath: "tenth", Spans: c.spans}}}}
			for round := range 2 {
				f.read(func(r kv.Reader) {
					read := &counting{Reader: sampled{r, f.c.Keys(), c.has}, counters: f.c.Keys().AllCounters()}
					known = known.Next()
					e := costing.Estimator{
						Statistics: f.c.Statistics(costing.Remember(read, known)),
						Number:     func(p string) (int64, bool, error) { return f.c.Dictionary().Lookup(r, p) },
						Grain:      grain,
					}
					estimates, err := e.EstimateAll(candidate, costing.EstimateOptions{})
					if err != nil {
						t.Fatal(err)
					}
					choice := costing.Choose(documents, candidate, estimates)
					if choice.Chosen != c.chosen {
						t.Errorf("round %d: chosen %d, want %d: %q", round, choice.Chosen, c.chosen, choice.Why)
					}
					if got := estimates[0]; round == 0 && (got.Exact != c.exact || got.Keys < c.keys[0] || got.Keys > c.keys[1]) {
						t.Errorf("estimated %+v, want %d to %d keys", got, c.keys[0], c.keys[1])
					}
					if read.keys > c.read[round] || read.sizes != c.sizes[round] {
						t.Errorf("round %d: read %d keys and asked for %d sizes, want at most %d, and %d", round, read.keys, read.sizes,
							c.read[round], c.sizes[round])
					}
				})
			}
		})
	}
	f.clean()
}
