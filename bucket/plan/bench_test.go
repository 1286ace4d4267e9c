package plan_test

import (
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/bucket/collection"
	"github.com/sqlfdb/sqlfdb/bucket/plan"
	"github.com/sqlfdb/sqlfdb/bucket/store"
	"github.com/sqlfdb/sqlfdb/bucket/store/storetest"
	"github.com/sqlfdb/sqlfdb/document"
)

var (
	benchDocuments = flag.Int("bucket-documents", 1000, "how many documents the benchmark's collection has")
	benchDelay     = flag.Duration("bucket-delay", 30*time.Millisecond, "how long each request takes")
)

// BenchmarkReads tells requests, and dollars for a million runs, of each kind of question.
func BenchmarkReads(b *testing.B) {
	slow := &storetest.Faulty{Store: store.NewMem()}
	count := store.NewCount(slow)
	n := *benchDocuments
	c := tasks(b, count, n, byCategory, byName, byStatus)
	low, high := document.IntValue(int64(n/2)), document.IntValue(int64(n/2+n/100))
	c3 := map[string][]document.Value{"category": values(b, `"c3"`)}
	for _, bench := range []struct {
		name string
		q    plan.Query
	}{
		{"id", plan.Query{IDs: []string{"t00007"}, HasIDs: true}},
		{"name", plan.Query{Equal: map[string][]document.Value{"name": values(b, `"n17"`)}}},
		{"count", plan.Query{Equal: map[string][]document.Value{"name": values(b, `"n17"`)}, OnlyIDs: true}},
		{"first5", plan.Query{Equal: c3, Order: &plan.Order{Path: "priority"}, Limit: 5}},
		{"last5", plan.Query{Equal: c3, Order: &plan.Order{Path: "priority", Desc: true}, Limit: 5}},
		{"range", plan.Query{Equal: c3, Range: map[string]plan.Range{"priority": {Low: &low, High: &high}}}},
		{"prefix", plan.Query{Prefix: "t0001"}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			slow.Delay = *benchDelay
			defer func() { slow.Delay = 0 }()
			before := count.Requests()
			for b.Loop() {
				p, _ := plan.Choose(bench.q, c.Indexes(), plan.DefaultPrices)
				if !p.Covers {
					read(b, c, p)
				} else if err := p.IDs(ctx, c, func(string) (bool, error) { return true, nil }); err != nil {
					b.Fatal(err)
				}
			}
			report(b, count.Requests().Minus(before))
		})
	}
}

// BenchmarkInsert tells what an insert with three indexes asks and costs.
func BenchmarkInsert(b *testing.B) {
	slow := &storetest.Faulty{Store: store.NewMem()}
	count := store.NewCount(slow)
	tasks(b, count, *benchDocuments, byCategory, byName, byStatus)
	c, err := collection.Open(ctx, count, "tasks", collection.Options{Late: -1})
	if err != nil {
		b.Fatal(err)
	}
	slow.Delay = *benchDelay
	before := count.Requests()
	i := 0
	for b.Loop() {
		id := fmt.Sprintf("new%d", i)
		i++
		d, err := document.Parse(fmt.Appendf(nil, `{"_id":%q,"category":"c%d","status":%d,"name":"n%d","priority":%d}`,
			id, i%10, i%2, i%100, i*7919%*benchDocuments), document.Limits{})
		if err != nil {
			b.Fatal(err)
		}
		if err := c.Write(ctx, []collection.Change{{ID: id, New: &d}}); err != nil {
			b.Fatal(err)
		}
	}
	report(b, count.Requests().Minus(before))
	slow.Delay = 0
	if err := c.Flush(ctx); err != nil {
		b.Fatal(err)
	}
}

func report(b *testing.B, r store.Requests) {
	runs := float64(b.N)
	b.ReportMetric(float64(r.Gets)/runs, "gets/op")
	b.ReportMetric(float64(r.Puts)/runs, "puts/op")
	b.ReportMetric(float64(r.Lists)/runs, "lists/op")
	b.ReportMetric(plan.DefaultPrices.Of(r)/runs*1e6, "$/million")
}
