//go:build unix

package sqlbackend

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/internal/processor"
	"github.com/sqlfdb/sqlfdb/kv/ahead"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

// BenchmarkReadAhead tells what keeping what is read again ("again", as on the embedded engine), and starting reads
// before they are asked for beside that ("starts", as over a network), costs statements on the embedded engine: the
// ratio of the medians of rounds by turns, with it and without both, by the clock and in processor time. The engine
// runs in the process, without a client and a wire.
func BenchmarkReadAhead(b *testing.B) {
	p := newInProcess(b, b.TempDir(), pebblekv.Options{})
	run, backend := p.run, p.backend
	run("CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	const documents = 10_000
	for from := 0; from < documents; from += 500 {
		rows := make([]string, 500)
		for i := range rows {
			var d strings.Builder
			fmt.Fprintf(&d, `('{"_id":"%06d","hundredth":%d,"n":0`, from+i, (from+i)%100)
			for f := range 17 {
				fmt.Fprintf(&d, `,"f%d":%d`, f, (from+i)*(f+3)%7919)
			}
			d.WriteString("}')")
			rows[i] = d.String()
		}
		run("INSERT INTO t (_doc) VALUES " + strings.Join(rows, ","))
	}
	for _, s := range []struct {
		name  string
		query func(i int) string
		times int // in a round
	}{
		{"key", func(i int) string { return fmt.Sprintf("SELECT _id, f3 FROM t WHERE _id = '%06d'", i*7919%documents) }, 300},
		{"equality-100", func(i int) string { return fmt.Sprintf("SELECT _id, f3 FROM t WHERE hundredth = %d", i%100) }, 30},
		{"update-100", func(i int) string { return fmt.Sprintf("UPDATE t SET n = n + 1 WHERE hundredth = %d", i%100) }, 5},
	} {
		b.Run(s.name, func(b *testing.B) {
			modes := [...]*ahead.Options{nil, {}, {OnlyAgain: true}}
			var clock, cpu [3][]float64
			at := 0
			for round := 0; round < len(modes)*max(b.N, 3); round++ {
				mode := round % len(modes)
				backend.Ahead.Store(modes[mode])
				began, used := time.Now(), processor.Time()
				for range s.times {
					run(s.query(at))
					at++
				}
				clock[mode] = append(clock[mode], float64(time.Since(began)))
				cpu[mode] = append(cpu[mode], float64(processor.Time()-used))
			}
			backend.Ahead.Store(modes[2])
			median := func(x []float64) float64 {
				slices.Sort(x)
				return x[len(x)/2]
			}
			for i, name := range []string{"", "starts", "again"} {
				if i > 0 {
					b.ReportMetric(median(clock[i])/median(clock[0]), name+"-times-clock")
					b.ReportMetric(median(cpu[i])/median(cpu[0]), name+"-times-cpu")
				}
			}
			b.ReportMetric(median(cpu[0])/float64(s.times)/1000, "cpu-µs")
		})
	}
}
