//go:build unix

package sqlbackend

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	sqle "github.com/dolthub/go-mysql-server"
	"github.com/dolthub/go-mysql-server/memory"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/internal/processor"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

var (
	planningDocuments = flag.Int("planning-documents", 10_000, "how many documents BenchmarkPlanning's table holds")
	planningStore     = flag.String("planning-store", "", "a directory that keeps BenchmarkPlanning's table for the next run with as many documents")
)

const planningSchema = "CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, one BIGINT, ten BIGINT, thousand BIGINT, name VARCHAR(50))"

// BenchmarkPlanning tells what this package adds to the planning of a statement: to
// parsing, binding and analyzing it, over what go-mysql-server's tables in memory
// cost with the same schema. The statements' ranges hold as many documents as their
// names say, whatever the size of the table, and the store has their entries in its cache. Processor time of short rounds by turns;
// a tenth of the rounds took less than what is told, the least disturbed ones. Of what is added, µs-read is what it takes to
// open the range that was counted and to read its keys, as often as one was: the statement, which goes on behind
// them, does not do that again.
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
	plans := [...]func(query string){
		func(query string) {
			if err := session.CommandBegin(); err != nil {
				b.Fatal(err)
			}
			c := sql.NewContext(ctx, sql.WithSession(session))
			tx, err := session.StartTransaction(c, sql.ReadWrite)
			if err != nil {
				b.Fatal(err)
			}
			c.SetTransaction(tx)
			if _, err := backend.Engine.AnalyzeQuery(c, query); err != nil {
				b.Fatal(err)
			}
			session.CommandEnd()
		},
		func(query string) {
			c := sql.NewContext(ctx, sql.WithSession(baseSession))
			tx, err := baseSession.StartTransaction(c, sql.ReadWrite)
			if err != nil {
				b.Fatal(err)
			}
			c.SetTransaction(tx)
			if _, err := base.AnalyzeQuery(c, query); err != nil {
				b.Fatal(err)
			}
		},
	}
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
			const round = 20
			rounds := max(5, b.N/round)
			counted := make([][]kv.Range, rounds) // found long before they are read, so that they aren't in the processor's caches
			for r := range counted {
				for i := range round {
					counted[r] = append(counted[r], countedRanges(b, p, s.query(7919*(r*round+i)+11))...)
				}
			}
			var used [3][]float64
			i := 0
			for r := range rounds {
				used[2] = append(used[2], readRanges(b, p, counted[r])/round)
				for which, plan := range plans {
					began := processor.Time()
					for range round {
						i += 7919
						plan(s.query(i))
					}
					used[which] = append(used[which], float64(processor.Time()-began)/round)
				}
			}
			for _, u := range used {
				slices.Sort(u)
			}
			ours, theirs, read := used[0][len(used[0])/10], used[1][len(used[1])/10], used[2][len(used[2])/10]
			b.ReportMetric((ours-theirs)/float64(time.Microsecond), "µs-added")
			b.ReportMetric(theirs/float64(time.Microsecond), "µs-base")
			b.ReportMetric(read/float64(time.Microsecond), "µs-read")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// countedRanges are those whose keys planning has counted to choose the query's path.
func countedRanges(b *testing.B, p *inProcess, query string) []kv.Range {
	var out []kv.Range
	err := p.command(func(ctx *sql.Context) error {
		n, err := p.backend.Engine.AnalyzeQuery(ctx, query)
		if err != nil {
			return err
		}
		read, err := p.session.planReader()
		if err != nil {
			return err
		}
		transform.Inspect(n, func(n sql.Node) bool {
			access, ok := n.(*plan.IndexedTableAccess)
			if !ok {
				return true
			}
			path := plan.GetIndexLookup(access).Ranges.(*accessPath)
			if path.chosen >= len(path.estimates) || path.estimates[path.chosen].Keys == 0 {
				return false
			}
			e := path.table.def.estimator(read)
			for _, part := range path.candidates[path.chosen].Parts {
				number, _, lookup := e.Number(part.Keypath)
				err = errors.Join(err, lookup)
				for _, v := range part.Versions {
					for _, s := range v.Spans {
						out = append(out, e.Keys.EntrySpan(number, v.Version, s.Start, s.End))
					}
				}
			}
			return false
		})
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return out
}

// readRanges is the processor time of reading the first keys of the ranges, as many as planning counts.
func readRanges(b *testing.B, p *inProcess, ranges []kv.Range) (nanoseconds float64) {
	tx, err := p.backend.store.Begin(context.Background(), kv.TransactionOptions{})
	if err != nil {
		b.Fatal(err)
	}
	defer tx.Cancel()
	began := processor.Time()
	for _, r := range ranges {
		it := tx.Snapshot().Range(r, kv.RangeOptions{})
		for n := 0; n < smallResult && it.Next(); n++ {
		}
		it.Close()
		if err := it.Err(); err != nil {
			b.Fatal(err)
		}
	}
	return float64(processor.Time() - began)
}
