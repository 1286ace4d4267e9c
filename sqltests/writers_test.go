package sqltests

import (
	"context"
	"database/sql"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// A kind of write, each of another document.
type otherDocuments struct {
	name string
	// statement is the n-th of a connection.
	statement func(connection, n int) string
}

var writesOfOthers = []otherDocuments{
	{"insert", func(c, n int) string {
		return fmt.Sprintf(`INSERT INTO t (_doc) VALUES ('{"_id": "i-%d-%d", "a": %d, "b": {"c": "x%d", "d": [%d, 1]},`+
			` "e": true}')`, c, n, n, n%10, c)
	}},
	{"update", func(c, n int) string {
		return fmt.Sprintf("UPDATE t SET a = a + 1, `b.c` = 'y%d' WHERE _id = 'u-%d'", n, c)
	}},
	{"given number", func(c, n int) string {
		return fmt.Sprintf("INSERT INTO given (id, c, n) VALUES (%d, %d, %d)", c*1_000_000+n, c, n)
	}},
	{"auto increment", func(c, n int) string {
		return fmt.Sprintf("INSERT INTO numbered (c, n) VALUES (%d, %d)", c, n)
	}},
	{"new keypath", func(c, n int) string {
		return fmt.Sprintf(`INSERT INTO t (_doc) VALUES ('{"_id": "k-%d-%d", "p%d_%d": 1}')`, c, n, c, n%50)
	}},
}

// writers are connections to tables in which each has a document of its own.
func writers(tb testing.TB, addr net.Addr, connections int) []*sql.Conn {
	tb.Helper()
	db := harness.Connect(tb, addr, "", "")
	for _, s := range []string{
		"CREATE DATABASE IF NOT EXISTS w", "DROP TABLE IF EXISTS w.t, w.numbered, w.given",
		"CREATE TABLE w.t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"CREATE TABLE w.given (id BIGINT PRIMARY KEY, c INT, n INT)",
		"CREATE TABLE w.numbered (id BIGINT AUTO_INCREMENT PRIMARY KEY, c INT, n INT)",
	} {
		harness.MustExec(tb, db, s)
	}
	out := make([]*sql.Conn, connections)
	for c := range out {
		harness.MustExec(tb, db,
			fmt.Sprintf(`INSERT INTO w.t (_doc) VALUES ('{"_id": "u-%d", "a": 1, "b": {"c": "x"}}')`, c))
		conn, err := db.Conn(context.Background())
		if err != nil {
			tb.Fatal(err)
		}
		tb.Cleanup(func() { conn.Close() })
		if _, err := conn.ExecContext(context.Background(), "USE w"); err != nil {
			tb.Fatal(err)
		}
		out[c] = conn
	}
	return out
}

// each runs a number of writes on every connection at once, from the given one on, and
// returns how many conflicts they met where they are counted.
func (o otherDocuments) each(tb testing.TB, conns []*sql.Conn, from, times int, counted bool) int64 {
	tb.Helper()
	var conflicts atomic.Int64
	var running sync.WaitGroup
	for c, conn := range conns {
		running.Go(func() {
			ctx := context.Background()
			for n := from; n < from+times; n++ {
				if _, err := conn.ExecContext(ctx, o.statement(c, n)); err != nil {
					tb.Errorf("%s: %v", o.name, err)
					return
				}
				if !counted {
					continue
				}
				var name string
				var met int64
				if err := conn.QueryRowContext(ctx, "SHOW STATUS LIKE 'sqlfdb_last_conflicts'").Scan(&name, &met); err != nil {
					tb.Error(err)
					return
				}
				conflicts.Add(met)
			}
		})
	}
	running.Wait()
	return conflicts.Load()
}

// TestWritersOfOthers: writers of different documents meet no conflict, on counters, on numbers of
// keypaths, on AUTO_INCREMENT or on changes.
func TestWritersOfOthers(t *testing.T) {
	s, db := harness.Database(t)
	conns := writers(t, s.Addr(), 16)
	for _, o := range writesOfOthers {
		if conflicts := o.each(t, conns, 0, 20, true); conflicts > 0 {
			t.Errorf("%s: %d conflicts", o.name, conflicts)
		}
	}
	hot := otherDocuments{"update of one's own and of one that is shared", func(c, _ int) string {
		return fmt.Sprintf("UPDATE t SET a = a + 1 WHERE _id IN ('u-%d', 'u-9')", c) // it queues for the first
	}}
	conns = conns[:4] // on a slow machine an unlucky one of 16 never gets through
	met := int64(0)
	for n := 0; n < 50 && met == 0; n++ { // on one processor they may not meet
		met = hot.each(t, conns, 20*n, 20, true)
	}
	if met == 0 {
		t.Error("writers of one document meet no conflict: the count tells nothing")
	}
	var same int
	if err := db.QueryRow("SELECT COUNT(*) - COUNT(DISTINCT id) FROM w.numbered").Scan(&same); err != nil || same != 0 {
		t.Errorf("%d numbers are there twice (%v)", same, err)
	}
	harness.CheckAll(t, db)
}

// BenchmarkWriters tells what more connections bring that write different documents: statements a second, and
// conflicts for each statement.
func BenchmarkWriters(b *testing.B) {
	for _, o := range writesOfOthers {
		for _, connections := range []int{1, 2, 8, 32} {
			b.Run(fmt.Sprintf("%s/connections=%d", o.name, connections), func(b *testing.B) {
				s := harness.Start(b)
				conns := writers(b, s.Addr(), connections)
				b.ResetTimer()
				began := time.Now()
				times := (b.N + connections - 1) / connections
				o.each(b, conns, 0, times, false)
				b.ReportMetric(float64(times*connections)/time.Since(began).Seconds(), "statements/s")
				b.StopTimer()
				b.ReportMetric(float64(o.each(b, conns, times, 10, true))/float64(10*connections), "conflicts/statement")
			})
		}
	}
}
