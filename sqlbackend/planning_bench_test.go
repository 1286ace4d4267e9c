//go:build unix

package sqlbackend

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	sqle "github.com/dolthub/go-mysql-server"
	"github.com/dolthub/go-mysql-server/memory"
	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/internal/processor"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

var (
	planningDocuments = flag.Int("planning-documents", 10_000, "how many documents BenchmarkPlanning's table holds")
	planningStore     = flag.String("planning-store", "",
		"a directory that keeps BenchmarkPlanning's table for the next run with as many documents")
)

const planningSchema = "CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, one BIGINT, ten BIGINT, thousand BIGINT, " +
	"name VARCHAR(50))"

// BenchmarkPlanning tells what this package adds to the planning of a statement, over what go-mysql-server's tables in
// memory cost with the same schema (µs-base), in two ways. µs-added is by the whole: what it takes to plan and run a
// statement, less what it takes to plan it there and then to run a plan of ours that was made before. What planning
// reads that the statement then need not read again is no addition. µs-planned is parsing, binding and analyzing alone,
// less µs-base, with all that is read for it. The statements' ranges hold as many documents as their names say,
// whatever the size of the table, and the store has their entries in its cache. A statement of a thousand documents
// runs so much longer than it is planned that nothing is told by the whole; its planning reads nothing. Processor time
// of short rounds by turns; a tenth of the rounds took less than what is told, the least disturbed ones.
func BenchmarkPlanning(b *testing.B) {
	ctx := context.Background()
	dir := *planningStore
	if dir == "" {
		dir = b.TempDir()
	}
	p := newInProcess(b, dir, pebblekv.Options{BlockCacheBytes: 1 << 30})
	session, backend := p.session, p.backend
	run := func(query string) (given int) {
		b.Helper()
		given, _ = p.run(query)
		return given
	}
	n, stored := *planningDocuments, 0
	if rows := run("SHOW TABLES"); rows == 0 {
		run(planningSchema)
	} else if stored = run("SELECT _id FROM t"); stored != n {
		b.Fatalf("%s holds %d documents, not %d", dir, stored, n)
	}
	for from := stored; from < n; from += 500 {
		var q strings.Builder
		q.WriteString("INSERT INTO t VALUES ")
		for i := from; i < min(n, from+500); i++ {
			if i > from {
				q.WriteByte(',')
			}
			fmt.Fprintf(&q, "('k%08d',%d,%d,%d,'name %d')", i, i, i/10, i/1000, i)
		}
		run(q.String())
	}
	for _, column := range []string{"one", "ten", "thousand"} {
		run(fmt.Sprintf("SELECT SUM(%s) FROM t", column)) // reads the entries, which are in the cache then
	}
	db := memory.NewDatabase("d")
	provider := memory.NewDBProvider(db)
	base := sqle.NewDefault(provider)
	baseSession := memory.NewSession(sql.NewBaseSession(), provider)
	baseSession.SetCurrentDatabase("d")
	if _, _, _, err := base.Query(sql.NewContext(ctx, sql.WithSession(baseSession)), planningSchema); err != nil {
		b.Fatal(err)
	}
	began := func(run func(c *sql.Context)) {
		if err := session.CommandBegin(); err != nil {
			b.Fatal(err)
		}
		c := sql.NewContext(ctx, sql.WithSession(session))
		tx, err := session.StartTransaction(c, sql.ReadWrite)
		if err != nil {
			b.Fatal(err)
		}
		c.SetTransaction(tx)
		run(c)
		session.CommandEnd()
	}
	ours := func(query string) (analyzed sql.Node) {
		began(func(c *sql.Context) {
			var err error
			if analyzed, err = backend.Engine.AnalyzeQuery(c, query); err != nil {
				b.Fatal(err)
			}
		})
		return analyzed
	}
	theirs := func(query string) {
		c := sql.NewContext(ctx, sql.WithSession(baseSession))
		tx, err := baseSession.StartTransaction(c, sql.ReadWrite)
		if err != nil {
			b.Fatal(err)
		}
		c.SetTransaction(tx)
		if _, err := base.AnalyzeQuery(c, query); err != nil {
			b.Fatal(err)
		}
	}
	execute := func(c *sql.Context, analyzed sql.Node) {
		_, rows, _, err := backend.Engine.PrepQueryPlanForExecution(c, "", analyzed, nil)
		if err != nil {
			b.Fatal(err)
		}
		for {
			if _, err := rows.Next(c); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				b.Fatal(err)
			}
		}
		if err := rows.Close(c); err != nil {
			b.Fatal(err)
		}
	}
	whole := func(query string) {
		began(func(c *sql.Context) {
			analyzed, err := backend.Engine.AnalyzeQuery(c, query)
			if err != nil {
				b.Fatal(err)
			}
			execute(c, analyzed)
		})
	}
	alone := func(analyzed sql.Node) { began(func(c *sql.Context) { execute(c, analyzed) }) }
	for _, s := range []struct {
		name  string
		query func(i int) string
	}{
		{"key", func(i int) string { return fmt.Sprintf("SELECT name FROM t WHERE _id = 'k%08d'", i%n) }},
		{"1", func(i int) string { return fmt.Sprintf("SELECT name FROM t WHERE one = %d", i%n) }},
		{"10", func(i int) string { return fmt.Sprintf("SELECT name FROM t WHERE ten = %d", i%(n/10)) }},
		{"1000", func(i int) string { return fmt.Sprintf("SELECT name FROM t WHERE thousand = %d", i%(n/1000)) }},
		{"10-and-1000", func(i int) string {
			return fmt.Sprintf("SELECT name FROM t WHERE ten = %d AND thousand = %d", i%(n/10), i%(n/1000))
		}},
	} {
		b.Run(fmt.Sprintf("%s/documents=%d", s.name, n), func(b *testing.B) {
			const (
				round = 20
				ahead = 20 // rounds that a plan is made before it is run, so that what it has read isn't in the processor's caches
			)
			queries := 0
			next := func() string {
				queries += 7919
				return s.query(queries)
			}
			var plans []sql.Node
			prepare := func() {
				for range round {
					plans = append(plans, ours(next()))
				}
			}
			rounds, short := max(5, b.N/round), !strings.HasPrefix(s.name, "1000")
			for range ahead {
				prepare()
			}
			var used [4][]float64
			for range rounds {
				prepare()
				for which, run := range [...]func(){
					func() { ours(next()) },
					func() { theirs(next()) },
					func() { whole(next()) },
					func() {
						theirs(next())
						alone(plans[0])
						plans = plans[1:]
					},
				} {
					if which > 1 && !short {
						continue
					}
					began := processor.Time()
					for range round {
						run()
					}
					used[which] = append(used[which], float64(processor.Time()-began)/round)
				}
				if !short {
					plans = plans[round:]
				}
			}
			least := func(of []float64) float64 {
				if len(of) == 0 {
					return 0
				}
				slices.Sort(of)
				return of[len(of)/10] / float64(time.Microsecond)
			}
			planned, theirs, whole, ready := least(used[0]), least(used[1]), least(used[2]), least(used[3])
			b.ReportMetric(planned-theirs, "µs-planned")
			b.ReportMetric(theirs, "µs-base")
			if short {
				b.ReportMetric(whole-ready, "µs-added")
				b.ReportMetric(whole, "µs-whole")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}
