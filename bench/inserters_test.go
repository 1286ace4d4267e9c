package bench

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// inserters is how many insert at the same time into one collection.
const inserters = 64

// crowd inserts documents into a collection from many goroutines.
type crowd struct {
	store kv.Store
	to    *tables.Collection
	next  int
}

func newCrowd(b *testing.B, store kv.Store, cat *catalog.Catalog, name string) *crowd {
	b.Helper()
	def, err := cat.CreateTable(context.Background(), &catalog.Table{Database: engineDatabase, Name: name, Open: true, DocumentColumn: 1,
		Columns: []catalog.Column{{Name: "_id", Type: "varchar(255)", Length: 255}}, PrimaryKey: []int{0}})
	if err != nil {
		b.Fatal(err)
	}
	c, err := tables.Open(cat, def)
	if err != nil {
		b.Fatal(err)
	}
	return &crowd{store: store, to: c}
}

// round has every inserter commit so many transactions of so many documents, and returns the time it took and
// how many transactions met a conflict.
func (c *crowd) round(transactions, documents int) (took time.Duration, conflicts int, err error) {
	ctx := context.Background()
	work := make([][]document.Document, inserters)
	for i := range work {
		for range transactions * documents {
			d, err := Document(c.next)
			if err != nil {
				return 0, 0, err
			}
			c.next++
			work[i] = append(work[i], d)
		}
	}
	errs, met := make([]error, inserters), make([]int, inserters)
	var all sync.WaitGroup
	began := time.Now()
	for i, mine := range work {
		all.Go(func() {
			for len(mine) > 0 && errs[i] == nil {
				err := c.insert(ctx, mine[:documents])
				if errors.Is(err, kv.ErrConflict) {
					met[i]++
					continue
				}
				errs[i], mine = err, mine[documents:]
			}
		})
	}
	all.Wait()
	for _, n := range met {
		conflicts += n
	}
	return time.Since(began), conflicts, errors.Join(errs...)
}

func (c *crowd) insert(ctx context.Context, documents []document.Document) error {
	tx, err := tables.Begin(ctx, c.store)
	if err != nil {
		return err
	}
	defer tx.Cancel()
	for _, d := range documents {
		pk, d, err := tables.PrimaryKeyOf(c.to.Definition(), d)
		if err != nil {
			return err
		}
		if err := c.to.Insert(ctx, tx, pk, d); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// BenchmarkInserters tells what the counts cost 64 concurrent inserters of one collection, whose adds meet on the same few
// keys: documents a second without counts and with them, and the ratio of the medians of rounds by
// turns as "times".
func BenchmarkInserters(b *testing.B) {
	store, cat := openBench(b, *engineStore)
	for _, documents := range []int{1, 10} {
		b.Run(fmt.Sprintf("documents=%d", documents), func(b *testing.B) {
			counted := newCrowd(b, store, cat, fmt.Sprintf("counted%d-%d", documents, b.N))
			bare := newCrowd(b, store, cat, fmt.Sprintf("bare%d-%d", documents, b.N))
			bare.to = bare.to.Uncounted()
			const transactions = 4 // of each in a round
			for _, c := range []*crowd{counted, bare} {
				if _, _, err := c.round(1, documents); err != nil { // the keypaths get their numbers
					b.Fatal(err)
				}
			}
			var with, without []time.Duration
			conflicts := 0
			for b.Loop() {
				took, met, err := counted.round(transactions, documents)
				if err != nil {
					b.Fatal(err)
				}
				with = append(with, took)
				conflicts += met
				if took, met, err = bare.round(transactions, documents); err != nil {
					b.Fatal(err)
				}
				without = append(without, took)
				conflicts += met
			}
			n := float64(inserters * transactions * documents)
			b.ReportMetric(n/median(with).Seconds(), "documents/s")
			b.ReportMetric(n/median(without).Seconds(), "uncounted/s")
			b.ReportMetric(float64(median(with))/float64(median(without)), "times")
			b.ReportMetric(float64(conflicts), "conflicts")
		})
	}
}
