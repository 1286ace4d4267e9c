package tables_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/ordered"
	"github.com/sqlfdb/sqlfdb/tables"
)

// counting counts the ranges and keys that are read through it.
type counting struct {
	kv.Reader
	counters            kv.Range // are not counted
	ranges, keys, sizes int
}

func (c *counting) Range(r kv.Range, opts kv.RangeOptions) kv.Iterator {
	if bytes.Compare(c.counters.Start, r.Start) <= 0 && bytes.Compare(r.End, c.counters.End) <= 0 {
		return c.Reader.Range(r, opts)
	}
	c.ranges++
	return countingIterator{c.Reader.Range(r, opts), c}
}

func (c *counting) EstimateSize(r kv.Range) kv.FutureInt64 {
	c.sizes++
	return c.Reader.EstimateSize(r)
}

type countingIterator struct {
	kv.Iterator
	c *counting
}

func (i countingIterator) Next() bool {
	ok := i.Iterator.Next()
	if ok {
		i.c.keys++
	}
	return ok
}

// standing is a clock that stands still.
func standing(at *time.Time) func() time.Time { return func() time.Time { return *at } }

func numberSpan(n int) indexes.Spans {
	v, err := ordered.AppendNumber(nil, fmt.Sprint(n))
	if err != nil {
		panic(err)
	}
	return indexes.Point(v)
}

// TestEstimateSettles: candidates are counted no further than it takes to choose, and
// what is chosen among is documents.
func TestEstimateSettles(t *testing.T) {
	f := open(t, catalog.Options{})
	const documents = 4000
	f.must(func(tx *tables.Tx) error {
		for i := range documents {
			doc := fmt.Sprintf(`{"_id":"%05d","half":%d,"tenth":%d,"few":%d,"tags":[%s]}`, i, i%2, i%10, i%500,
				strings.TrimSuffix(strings.Repeat(fmt.Sprint(i%200)+",", 10), ","))
			if err := f.insert(tx, doc); err != nil {
				return err
			}
		}
		return nil
	})
	part := func(keypath string, values ...int) costing.Part {
		var spans indexes.Spans
		for _, v := range values {
			spans = spans.Union(numberSpan(v))
		}
		return costing.Part{Keypath: keypath, Spans: spans, Repeats: strings.Contains(keypath, "[*]")}
	}
	of := func(parts ...costing.Part) costing.Candidate { return costing.Candidate{Parts: parts} }
	var many []int
	for i := range 400 {
		many = append(many, i)
	}
	for _, c := range []struct {
		name               string
		candidates         []costing.Candidate
		chosen             int
		documents          int64 // of the chosen
		exact              bool
		keys, ranges, size int // at most
	}{
		{"skewed", []costing.Candidate{of(part("half", 1)), of(part("few", 7))}, 1, 8, true, 33 + 8, 2, 0},
		{"alone", []costing.Candidate{of(part("few", 7))}, 0, 8, true, 8, 1, 0},
		{"alone, and much", []costing.Candidate{of(part("tenth", 1))}, 0, 400, false, 32, 1, 2},
		{"elements", []costing.Candidate{of(part("few", 7, 8, 9, 10)), of(part("tags[*]", 7))}, 1, 20, true, 32 + 200, 5, 0},
		{"overlapping parts", []costing.Candidate{of(part("few", 7), part("tags[*]", 7))}, 0, 24, true, 208, 2, 0},
		{"nothing", []costing.Candidate{of(part("half", 1)), {Nothing: true}}, 1, 0, true, 33, 1, 0},
		{"no such keypath", []costing.Candidate{of(part("half", 1)), of(part("nosuch", 1))}, 1, 0, true, 33, 1, 0},
		{"many ranges", []costing.Candidate{of(part("few", many...)), of(part("tenth", 1))}, 1, 400, true, 2000, 500, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			f.read(func(r kv.Reader) {
				read := &counting{Reader: r, counters: f.c.Keys().AllCounters()}
				statistics := f.c.Statistics(r)
				statistics.From = read
				e := costing.Estimator{Statistics: statistics,
					Number: func(p string) (int64, bool, error) { return f.c.Dictionary().Lookup(r, p) }}
				estimates, err := e.EstimateAll(c.candidates, costing.EstimateOptions{})
				if err != nil {
					t.Fatal(err)
				}
				choice := costing.Choose(documents, c.candidates, estimates)
				if choice.Chosen != c.chosen {
					t.Fatalf("chosen %d, want %d: %q", choice.Chosen, c.chosen, choice.Why)
				}
				got := estimates[choice.Chosen]
				if got.Exact != c.exact || c.exact && got.Documents != c.documents {
					t.Errorf("estimated %+v, there are %d documents", got, c.documents)
				}
				if read.keys > c.keys || read.ranges > c.ranges || read.sizes > c.size {
					t.Errorf("read %d keys in %d ranges and asked for %d sizes, may be %d, %d, %d", read.keys, read.ranges, read.sizes,
						c.keys, c.ranges, c.size)
				}
			})
		})
	}
}

// TestEstimateSifted: of many ranges, those that hold few keys don't keep the others from being told by their size.
func TestEstimateSifted(t *testing.T) {
	f := open(t, catalog.Options{})
	const documents = 20_000
	for from := 0; from < documents; from += 1000 {
		f.must(func(tx *tables.Tx) error {
			for i := range 1000 {
				if err := f.insert(tx, fmt.Sprintf(`{"_id":"%05d","n":%d}`, from+i, from+i)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	between := func(from, to int) indexes.Spans {
		return indexes.NewSpans(indexes.Span{Start: numberSpan(from)[0].Start, End: numberSpan(to)[0].Start})
	}
	spans := between(1, 5_000)
	for i := range 20 {
		spans = spans.Union(numberSpan(10_000 + 100*i)).Union(numberSpan(50_000 + i))
	}
	f.read(func(r kv.Reader) {
		read := &counting{Reader: r, counters: f.c.Keys().AllCounters()}
		statistics := f.c.Statistics(r)
		statistics.From = read
		e := costing.Estimator{Statistics: statistics, Number: func(p string) (int64, bool,
			error) {
			return f.c.Dictionary().Lookup(r, p)
		}}
		got, err := e.Estimate(costing.Candidate{Parts: []costing.Part{{Keypath: "n", Spans: spans}}})
		if err != nil {
			t.Fatal(err)
		}
		if got.Keys < 3_000 || got.Keys > 8_000 {
			t.Errorf("estimated %d keys, there are 5,019 of %d", got.Keys, got.Bound)
		}
		if most := 5_000; read.keys > most || read.sizes > 2 {
			t.Errorf("read %d keys and asked for %d sizes", read.keys, read.sizes)
		}
	})
}

// TestKnownSizes: the bytes of all entries at a keypath are asked for once, at later versions too, until
// their number has changed by much.
func TestKnownSizes(t *testing.T) {
	f := open(t, catalog.Options{})
	inserted := 0
	insert := func(n int) {
		f.must(func(tx *tables.Tx) error {
			for range n {
				inserted++
				if err := f.insert(tx, fmt.Sprintf(`{"_id":"%05d","tenth":%d}`, inserted, inserted%10)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	insert(2000)
	known := costing.NewKnownAt(standing(new(time.Time)))
	estimate := func() (keys int64, asked int) {
		f.read(func(r kv.Reader) {
			read := &counting{Reader: r, counters: f.c.Keys().AllCounters()}
			known = known.Next()
			statistics := f.c.Statistics(costing.Remember(read, known))
			e := costing.Estimator{Statistics: statistics, Number: func(p string) (int64, bool,
				error) {
				return f.c.Dictionary().Lookup(r, p)
			}}
			estimates, err := e.EstimateAll([]costing.Candidate{{Parts: []costing.Part{{Keypath: "tenth",
				Spans: numberSpan(3)}}}}, costing.EstimateOptions{Sized: true})
			if err != nil {
				t.Fatal(err)
			}
			keys, asked = estimates[0].Keys, read.sizes
		})
		return keys, asked
	}
	first, asked := estimate()
	if asked != 3 || first < 100 || first > 400 {
		t.Errorf("asked for %d sizes, want those of the keypath, of the range and of what lies before; %d keys, there "+
			"are 200", asked, first)
	}
	insert(100)
	if keys, asked := estimate(); asked != 1 || keys < first/2 || keys > 2*first {
		t.Errorf("asked for %d sizes of a keypath that has hardly changed, want that of the range; %d keys after %d", asked,
			keys, first)
	}
	insert(2000)
	if keys, asked := estimate(); asked != 3 || keys < 200 || keys > 800 {
		t.Errorf("asked for %d sizes of a keypath that has doubled; %d keys, there are 410", asked, keys)
	}
	f.clean()
}

// TestRemembered: what is remembered settles the choice against the full scan, and leaves out candidates that have lost
// before, but neither what competes nor the full scan is chosen by it.
func TestRemembered(t *testing.T) {
	f := open(t, catalog.Options{})
	insert := func(from, n int, half func(i int) int) {
		f.must(func(tx *tables.Tx) error {
			for i := from; i < from+n; i++ {
				if err := f.insert(tx, fmt.Sprintf(`{"_id":"%05d","half":%d,"tenth":%d,"fifth":%d,"few":%d}`, i, half(i), i%10, i%5,
					i%500)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	const documents = 4000
	insert(0, documents, func(i int) int { return max(0, i%3-1) })
	var clock time.Time
	known := costing.NewKnownAt(standing(&clock))
	var read *counting
	choose := func(opts costing.EstimateOptions, spans ...any) (costing.Choice, []costing.Estimate) {
		var choice costing.Choice
		var estimates []costing.Estimate
		f.read(func(r kv.Reader) {
			read = &counting{Reader: r, counters: f.c.Keys().AllCounters()}
			known = known.Next()
			e := costing.Estimator{
				Statistics: f.c.Statistics(costing.Remember(read, known)),
				Number:     func(p string) (int64, bool, error) { return f.c.Dictionary().Lookup(r, p) },
			}
			var candidates []costing.Candidate
			for i := 0; i < len(spans); i += 2 {
				candidates = append(candidates, costing.Candidate{Mergeable: true,
					Parts: []costing.Part{{Keypath: spans[i].(string), Spans: numberSpan(spans[i+1].(int))}}})
			}
			n, _, err := e.Documents()
			if err != nil {
				t.Fatal(err)
			}
			if estimates, err = e.EstimateAll(candidates, opts); err != nil {
				t.Fatal(err)
			}
			choice = costing.Choose(n, candidates, estimates)
		})
		return choice, estimates
	}
	want := func(what string, chosen, keys, sizes int, got costing.Choice) {
		t.Helper()
		if got.Chosen != chosen || read.keys > keys || read.sizes != sizes {
			t.Errorf("%s: chosen %d, read %d keys, asked for %d sizes; want %d, at most %d, and %d: %q", what, got.Chosen,
				read.keys, read.sizes, chosen, keys, sizes, got.Why)
		}
	}
	var plain costing.EstimateOptions

	// A lone candidate: the boundaries are those that the store was asked about.
	c, _ := choose(plain, "tenth", 3)
	want("tenth", 0, 32, 3, c)
	c, _ = choose(plain, "tenth", 3)
	want("tenth again", 0, 32, 0, c)
	c, _ = choose(plain, "tenth", 1)
	want("another tenth, of those before", 0, 32, 0, c)
	c, _ = choose(plain, "tenth", 8)
	want("another tenth, of the six behind", 0, 32, 2, c)
	c, _ = choose(plain, "tenth", 5)
	want("another tenth, between the two", 0, 32, 0, c)
	c, e := choose(costing.EstimateOptions{Refine: true}, "tenth", 5)
	want("tenth, refined", 0, 2048, 0, c)
	if !e[0].Exact || e[0].Keys != documents/10 {
		t.Errorf("refined to %+v", e[0])
	}

	// The full scan is never chosen by what is remembered.
	for range 2 {
		c, _ = choose(plain, "half", 0)
		if c.Chosen != -1 || read.sizes == 0 {
			t.Errorf("two thirds of the documents: chosen %d, asked for %d sizes: %q", c.Chosen, read.sizes, c.Why)
		}
	}

	// A candidate that has lost is not counted again, where another one has few keys.
	c, _ = choose(plain, "half", 1, "few", 7)
	want("half and few", 1, 32+8, 0, c)
	c, e = choose(plain, "half", 1, "few", 7)
	want("half and few again", 1, 8, 0, c)
	if !e[1].Exact || e[1].Keys != 8 || e[0].Exact || !e[0].Least || e[0].Keys != 32 {
		t.Errorf("estimated %+v", e)
	}
	c, _ = choose(costing.EstimateOptions{Refine: true}, "half", 1, "few", 7)
	if c.Chosen != 1 || read.keys < 1000 {
		t.Errorf("refined: chosen %d, %d keys were counted", c.Chosen, read.keys)
	}
	// Those that compete are counted each time, and may be intersected.
	for range 2 {
		choose(plain, "half", 1, "fifth", 2)
		if read.keys < 800 {
			t.Errorf("of candidates that compete %d keys were counted", read.keys)
		}
	}

	// What is remembered lasts as long as the exact counts hardly change.
	c, _ = choose(plain, "tenth", 3)
	want("tenth before the insert", 0, 32, 0, c)
	insert(documents, 1000, func(int) int { return 0 })
	c, _ = choose(plain, "tenth", 3)
	want("tenth after", 0, 32, 3, c)
	c, _ = choose(plain, "half", 1, "few", 7)
	want("half and few after", 1, 32+10, 0, c)
	// And no longer than a few seconds.
	clock = clock.Add(5 * time.Second)
	c, _ = choose(plain, "tenth", 3)
	want("tenth after 5 s", 0, 32, 0, c)
	c, _ = choose(plain, "half", 1, "few", 7)
	want("half and few after 5 s", 1, 10, 0, c)
	clock = clock.Add(time.Second)
	c, _ = choose(plain, "tenth", 3)
	want("tenth after 6 s", 0, 32, 3, c)
	c, _ = choose(plain, "half", 1, "few", 7)
	want("half and few after 6 s", 1, 32+10, 0, c)
	f.clean()
}

// TestRememberedNothing: what was remembered of a range that is empty by now costs no more than the one that was
// counted.
func TestRememberedNothing(t *testing.T) {
	f := open(t, catalog.Options{})
	insert := func(from, n, half int) {
		f.must(func(tx *tables.Tx) error {
			for i := from; i < from+n; i++ {
				if err := f.insert(tx, fmt.Sprintf(`{"_id":"%05d","half":%d,"few":%d}`, i, half, i%500)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	insert(0, 1000, 0)
	insert(1000, 100, 1)
	known := costing.NewKnownAt(standing(new(time.Time)))
	choose := func() (costing.Choice, []costing.Estimate) {
		var choice costing.Choice
		var estimates []costing.Estimate
		f.read(func(r kv.Reader) {
			known = known.Next()
			e := costing.Estimator{
				Statistics: f.c.Statistics(costing.Remember(r, known)),
				Number:     func(p string) (int64, bool, error) { return f.c.Dictionary().Lookup(r, p) },
			}
			candidates := []costing.Candidate{{Parts: []costing.Part{{Keypath: "half", Spans: numberSpan(1)}}},
				{Parts: []costing.Part{{Keypath: "few", Spans: numberSpan(7)}}}}
			var err error
			if estimates, err = e.EstimateAll(candidates, costing.EstimateOptions{}); err != nil {
				t.Fatal(err)
			}
			choice = costing.Choose(1000, candidates, estimates)
		})
		return choice, estimates
	}
	choose()
	f.must(func(tx *tables.Tx) error {
		for i := 1000; i < 1100; i++ {
			if err := f.delete(tx, fmt.Sprintf("%05d", i)); err != nil {
				return err
			}
		}
		return nil
	})
	if c, e := choose(); c.Chosen != 1 || e[1].Keys != 2 || !e[1].Exact {
		t.Errorf("chosen %d of %+v", c.Chosen, e)
	}
	f.clean()
}

// unsampled tells nothing of sizes, as a store does that has no sample of so little.
type unsampled struct{ kv.Reader }

func (unsampled) EstimateSize(kv.Range) kv.FutureInt64 { return noBytes{} }

type noBytes struct{}

func (noBytes) Get() (int64, error) { return 0, nil }

// TestEstimateUnsampled: where the store can't tell sizes, a lone candidate is counted on, and is chosen
// against the full scan for what it has.
func TestEstimateUnsampled(t *testing.T) {
	f := open(t, catalog.Options{})
	const documents = 4000
	f.must(func(tx *tables.Tx) error {
		for i := range documents {
			if err := f.insert(tx, fmt.Sprintf(`{"_id":"%05d","tenth":%d,"tags":[%d,%d]}`, i, i%10, i%20,
				i%20+100)); err != nil {
				return err
			}
		}
		return nil
	})
	f.read(func(r kv.Reader) {
		e := costing.Estimator{
			Statistics: f.c.Statistics(unsampled{r}),
			Number:     func(p string) (int64, bool, error) { return f.c.Dictionary().Lookup(r, p) },
		}
		for _, c := range []costing.Candidate{
			{Parts: []costing.Part{{Keypath: "tenth", Spans: numberSpan(3)}}},
			{Parts: []costing.Part{{Keypath: "tags[*]", Spans: numberSpan(3)}, {Keypath: "tags[*]", Spans: numberSpan(103)}}},
		} {
			estimates, err := e.EstimateAll([]costing.Candidate{c}, costing.EstimateOptions{})
			if err != nil {
				t.Fatal(err)
			}
			want := int64(documents / 10)
			if len(c.Parts) > 1 {
				want = documents / 20
			}
			if got := estimates[0]; !got.Exact || got.Documents != want {
				t.Errorf("%s: estimated %+v, there are %d documents", c.Parts[0].Keypath, got, want)
			}
			if choice := costing.Choose(documents, []costing.Candidate{c}, estimates); choice.Chosen != 0 {
				t.Errorf("%s: chosen %d: %q", c.Parts[0].Keypath, choice.Chosen, choice.Why)
			}
		}
	})
	f.clean()
}
