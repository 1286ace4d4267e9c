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

// crowd inserts documents into collections from many goroutines.
type crowd struct {
	store kv.Store
	to    []*tables.Collection // by turns
	next  int
}

func newCrowd(b *testing.B, store kv.Store, cat *catalog.Catalog, names ...string) *crowd {
	b.Helper()
	c := &crowd{store: store}
	for _, name := range names {
		c.to = append(c.to, newInserted(b, cat, name))
	}
	return c
}

// newInserted makes a collection.
func newInserted(b *testing.B, cat *catalog.Catalog, name string) *tables.Collection {
	b.Helper()
	def, err := cat.CreateTable(context.Background(),
		&catalog.Table{Database: engineDatabase, Name: name, Open: true, DocumentColumn: 1,
			Columns: []catalog.Column{{Name: "_id", Type: "varchar(255)", Length: 255}}, PrimaryKey: []int{0}})
	if err != nil {
		b.Fatal(err)
	}
	c, err := tables.Open(cat, def)
	if err != nil {
		b.Fatal(err)
	}
	return c
}

// uncounted has the crowd keep no counts.
func (c *crowd) uncounted() {
	for i := range c.to {
		c.to[i] = c.to[i].Uncounted()
	}
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
				err := c.insert(ctx, c.to[i%len(c.to)], mine[:documents])
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

func (c *crowd) insert(ctx context.Context, to *tables.Collection, documents []document.Document) error {
	tx, err := tables.Begin(ctx, c.store)
	if err != nil {
		return err
	}
	defer tx.Cancel()
	for _, d := range documents {
		pk, d, err := tables.PrimaryKeyOf(to.Definition(), d)
		if err != nil {
			return err
		}
		if err := to.Insert(ctx, tx, pk, d); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// roundTransactions is how many transactions each inserter commits in a round.
const roundTransactions = 4

// byTurns has two crowds run rounds by turns, and returns how long each round took and how many transactions met a
// conflict.
func byTurns(b *testing.B, one, other *crowd, documents int) (took, otherTook []time.Duration, conflicts int) {
	b.Helper()
	crowds := []*crowd{one, other}
	for _, c := range crowds {
		if _, _, err := c.round(1, documents); err != nil { // the keypaths get their numbers
			b.Fatal(err)
		}
	}
	var of [2][]time.Duration
	for b.Loop() {
		for i, c := range crowds {
			t, met, err := c.round(roundTransactions, documents)
			if err != nil {
				b.Fatal(err)
			}
			of[i] = append(of[i], t)
			conflicts += met
		}
	}
	return of[0], of[1], conflicts
}

// BenchmarkFeedTail tells what it costs 64 concurrent inserters that their changes meet at the end of one
// collection's feed, counts left out: documents a second into one collection and into one for each inserter, and the
// ratio of the medians of rounds by turns as "times".
func BenchmarkFeedTail(b *testing.B) {
	store, cat := openBench(b, *engineStore)
	b.Run("documents=1", func(b *testing.B) {
		one := newCrowd(b, store, cat, fmt.Sprintf("tail-%d", b.N))
		var names []string
		for i := range inserters {
			names = append(names, fmt.Sprintf("tail%d-%d", i, b.N))
		}
		apart := newCrowd(b, store, cat, names...)
		one.uncounted()
		apart.uncounted()
		together, alone, conflicts := byTurns(b, one, apart, 1)
		n := float64(inserters * roundTransactions)
		b.ReportMetric(n/median(together).Seconds(), "documents/s")
		b.ReportMetric(n/median(alone).Seconds(), "apart/s")
		b.ReportMetric(float64(median(together))/float64(median(alone)), "times")
		b.ReportMetric(float64(conflicts), "conflicts")
	})
}

// BenchmarkInserters tells what the counts cost 64 concurrent inserters of one collection, whose adds meet on the same
// few keys: documents a second without counts and with them, and the ratio of the medians of rounds by turns as
// "times".
func BenchmarkInserters(b *testing.B) {
	store, cat := openBench(b, *engineStore)
	for _, documents := range []int{1, 10} {
		b.Run(fmt.Sprintf("documents=%d", documents), func(b *testing.B) {
			counted := newCrowd(b, store, cat, fmt.Sprintf("counted%d-%d", documents, b.N))
			bare := newCrowd(b, store, cat, fmt.Sprintf("bare%d-%d", documents, b.N))
			bare.uncounted()
			with, without, conflicts := byTurns(b, counted, bare, documents)
			n := float64(inserters * roundTransactions * documents)
			b.ReportMetric(n/median(with).Seconds(), "documents/s")
			b.ReportMetric(n/median(without).Seconds(), "uncounted/s")
			b.ReportMetric(float64(median(with))/float64(median(without)), "times")
			b.ReportMetric(float64(conflicts), "conflicts")
		})
	}
}
