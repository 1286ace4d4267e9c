package tables_test

import (
	"fmt"
	"strings"
	"testing"

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
	ranges, keys, sizes int
}

func (c *counting) Range(r kv.Range, opts kv.RangeOptions) kv.Iterator {
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
			doc := fmt.Sprintf(`{"_id":"%05d","half":%d,"tenth":%d,"few":%d,"tags":[%s]}`, i, i%2, i%10, i%500, strings.TrimSuffix(strings.Repeat(fmt.Sprint(i%200)+",", 10), ","))
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
				read := &counting{Reader: r}
				statistics := f.c.Statistics(r)
				statistics.From = read
				e := costing.Estimator{Statistics: statistics, Number: func(p string) (int64, bool, error) { return f.c.Dictionary().Lookup(r, p) }}
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
					t.Errorf("read %d keys in %d ranges and asked for %d sizes, may be %d, %d, %d", read.keys, read.ranges, read.sizes, c.keys, c.ranges, c.size)
				}
			})
		})
	}
}
