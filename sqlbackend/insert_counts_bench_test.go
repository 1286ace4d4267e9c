//go:build unix

package sqlbackend

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/internal/processor"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// BenchmarkInsertCounts tells what keeping the counts costs an INSERT statement of documents with 20 scalars, one or
// 100 to a statement, as the ratio of the medians of rounds by turns, by the clock and in processor time.
// The engine runs in the process: a client and a wire come on top, so that the share of the counts is less for them.
func BenchmarkInsertCounts(b *testing.B) {
	for _, batch := range []int{1, 100} {
		b.Run(fmt.Sprintf("batch=%d", batch), func(b *testing.B) {
			p := newInProcess(b, b.TempDir(), pebblekv.Options{})
			run, backend := p.run, p.backend
			run("CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
			insert := func(n int) {
				var q strings.Builder
				q.WriteString("INSERT INTO t (_doc) VALUES ")
				for i := range batch {
					if i > 0 {
						q.WriteByte(',')
					}
					fmt.Fprintf(&q, `('{"_id":"%09d"`, n+i)
					for f := range 20 {
						fmt.Fprintf(&q, `,"f%d":%d`, f, rand.IntN(1_000_000))
					}
					q.WriteString("}')")
				}
				run(q.String())
			}
			insert(0)
			def := backend.Definitions
			var counted, uncounted *session.Definition
			for _, d := range def.ByID {
				counted = d
			}
			bare := *counted
			bare.Collection = counted.Collection.Uncounted()
			uncounted = &bare
			const documents = 400 // a round's
			n := batch
			var clock, cpu [2][]float64
			for round := 0; round < 2*max(b.N, 3); round++ {
				without := round % 2
				def.Mu.Lock()
				def.ByID[counted.ID] = []*session.Definition{counted, uncounted}[without]
				def.Mu.Unlock()
				began, used := time.Now(), processor.Time()
				for range documents / batch {
					insert(n)
					n += batch
				}
				clock[without] = append(clock[without], float64(time.Since(began)))
				cpu[without] = append(cpu[without], float64(processor.Time()-used))
			}
			ratio := func(x [2][]float64) float64 {
				slices.Sort(x[0])
				slices.Sort(x[1])
				return x[0][len(x[0])/2] / x[1][len(x[1])/2]
			}
			b.ReportMetric(ratio(clock), "times-clock")
			b.ReportMetric(ratio(cpu), "times-cpu")
			b.ReportMetric(clock[0][len(clock[0])/2]/documents, "ns/document")
		})
	}
}
