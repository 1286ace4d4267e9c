package tables

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

// uncounted counts nothing.
type uncounted struct{}

func (uncounted) Add(kv.Writer, indexes.Delta, int64, int64) {}

// BenchmarkInsertCounts tells what keeping the counts costs an insert of a
// document with 20 scalars: alone in its transaction, and 100 to a transaction.
func BenchmarkInsertCounts(b *testing.B) {
	for _, batch := range []int{1, 100} {
		for _, counted := range []bool{true, false} {
			b.Run(fmt.Sprintf("batch=%d/counts=%t", batch, counted), func(b *testing.B) {
				ctx := context.Background()
				store, err := pebblekv.Open(b.TempDir(), pebblekv.Options{})
				if err != nil {
					b.Fatal(err)
				}
				defer store.Close()
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
					c.counts = uncounted{}
				}
				r := rand.New(rand.NewPCG(1, 2))
				b.ResetTimer()
				for i := 0; i < b.N; {
					tx, err := Begin(ctx, store)
					if err != nil {
						b.Fatal(err)
					}
					for range batch {
						text := fmt.Appendf(nil, `{"_id":"%09d"`, i)
						for f := range 20 {
							text = fmt.Appendf(text, `,"f%d":%d`, f, r.IntN(1_000_000))
						}
						d, err := document.Parse(append(text, '}'), document.Limits{})
						if err != nil {
							b.Fatal(err)
						}
						pk, d, err := PrimaryKeyOf(def, d)
						if err == nil {
							err = c.Insert(ctx, tx, pk, d)
						}
						if err != nil {
							b.Fatal(err)
						}
						i++
					}
					if err := tx.Commit(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
