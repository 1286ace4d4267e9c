//go:build unix

package tables

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/internal/processor"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

// inserter inserts documents with 20 scalars into a store of its own.
type inserter struct {
	store kv.Store
	to    *Collection
	def   *catalog.Table
	next  atomic.Int64
	spent time.Duration // on the clock
	cpu   time.Duration // of all goroutines
}

func newInserter(b *testing.B, counted bool) *inserter {
	b.Helper()
	ctx := context.Background()
	store, err := pebblekv.Open(b.TempDir(), pebblekv.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = store.Close() })
	cat, err := catalog.Open(ctx, store)
	if err != nil {
		b.Fatal(err)
	}
	if err := cat.CreateDatabase(ctx, "d", ""); err != nil {
		b.Fatal(err)
	}
	def, err := cat.CreateTable(ctx, &catalog.Table{Database: "d", Name: "t", Open: true,
		Columns: []catalog.Column{{Name: "_id", Type: "varchar(255)", Length: 255}}, PrimaryKey: []int{0}})
	if err != nil {
		b.Fatal(err)
	}
	c, err := Open(cat, def)
	if err != nil {
		b.Fatal(err)
	}
	if !counted {
		c = c.Uncounted()
	}
	return &inserter{store: store, to: c, def: def}
}

// insert inserts a number of documents, so many to a transaction, by so many
// writers at a time.
func (i *inserter) insert(b *testing.B, documents, batch, writers int) {
	began, cpu := time.Now(), processor.Time()
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			r := rand.New(rand.NewPCG(uint64(w), 2))
			for n := documents / writers; n > 0; n -= batch {
				if err := i.transaction(r, min(batch, n)); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	i.spent += time.Since(began)
	i.cpu += processor.Time() - cpu
}

func (i *inserter) transaction(r *rand.Rand, documents int) error {
	ctx := context.Background()
	tx, err := Begin(ctx, i.store)
	if err != nil {
		return err
	}
	for range documents {
		text := fmt.Appendf(nil, `{"_id":"%09d"`, i.next.Add(1))
		for f := range 20 {
			text = fmt.Appendf(text, `,"f%d":%d`, f, r.IntN(1_000_000))
		}
		d, err := document.Parse(append(text, '}'), document.Limits{})
		if err != nil {
			return err
		}
		pk, d, err := PrimaryKeyOf(i.def, d)
		if err != nil {
			return err
		}
		if err := i.to.Insert(ctx, tx, pk, d); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// BenchmarkInsertCounts tells what keeping the counts costs an insert: alone in its
// transaction, beside seven other writers, and 100 to a transaction. Inserts with and
// without the counts take turns in one process, so that a busy machine slows both:
// time-ratio compares them by the clock, cpu-ratio by the processors' time.
func BenchmarkInsertCounts(b *testing.B) {
	const turn = 200
	for _, c := range []struct{ batch, writers int }{{1, 1}, {1, 8}, {100, 1}} {
		b.Run(fmt.Sprintf("batch=%d/writers=%d", c.batch, c.writers), func(b *testing.B) {
			with, without := newInserter(b, true), newInserter(b, false)
			for _, i := range []*inserter{with, without} {
				i.insert(b, turn, 100, 1) // the keypaths become known
				i.spent, i.cpu = 0, 0
			}
			b.ResetTimer()
			for n := 0; n < b.N; n += turn {
				with.insert(b, turn, c.batch, c.writers)
				without.insert(b, turn, c.batch, c.writers)
			}
			b.ReportMetric(float64(with.spent)/float64(without.spent), "time-ratio")
			b.ReportMetric(float64(with.cpu)/float64(without.cpu), "cpu-ratio")
		})
	}
}
