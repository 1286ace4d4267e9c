package bench

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
	"github.com/sqlfdb/sqlfdb/transfer"
)

// BenchmarkImport stores documents of about 500 bytes with 20 scalars in the
// embedded store, everything indexed, one operation a document.
func BenchmarkImport(b *testing.B) {
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
	sink, err := transfer.NewStoreSink(cat, def, transfer.RefuseDuplicates)
	if err != nil {
		b.Fatal(err)
	}
	var lines strings.Builder
	for i := range b.N {
		d, err := Document(i)
		if err != nil {
			b.Fatal(err)
		}
		lines.WriteString(d.Text())
		lines.WriteByte('\n')
	}
	b.SetBytes(int64(lines.Len() / b.N))
	b.ResetTimer()
	src, err := transfer.NewSource(strings.NewReader(lines.String()), "bench.jsonl", transfer.FormatAuto)
	if err != nil {
		b.Fatal(err)
	}
	var p transfer.Progress
	if err := transfer.Import(ctx, src, sink, &p, transfer.ImportOptions{MaxErrors: 0}); err != nil && err != io.EOF {
		b.Fatal(err)
	}
	b.StopTimer()
	if int(p.Stored.Load()) != b.N {
		b.Fatalf("%d stored of %d", p.Stored.Load(), b.N)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "documents/s")
}
