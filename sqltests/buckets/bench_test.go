package buckets

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/bucket/store"
)

var (
	benchDocuments = flag.Int("bucket-documents", 100, "BenchmarkStatements has collections of 100, 10,000 and "+
		"100,000 documents, but none larger than this")
	benchAddress = flag.String("bucket-address", "", "where BenchmarkStatements has its collections, such as "+
		"mem://x or file:///tmp/x, which must be empty; a bucket behind HTTP if there is none")
	benchDelay = flag.Duration("bucket-delay", 0, "how far the bucket behind HTTP is")
)

// BenchmarkStatements asks what Sengo's description asks: requests, and time.
func BenchmarkStatements(b *testing.B) {
	for _, n := range []int{100, 10_000, 100_000} {
		if n <= *benchDocuments {
			b.Run(fmt.Sprintf("documents=%d", n), func(b *testing.B) { benchmarkStatements(b, n) })
		}
	}
}

func benchmarkStatements(b *testing.B, n int) {
	d := &distant{}
	shelf := start(b, func(s store.Store) store.Store {
		d.Store = s
		return d
	})
	shelf.tasks(b, n)
	d.delay.Store(int64(*benchDelay))
	for _, c := range []struct{ name, statement string }{
		{"id", "SELECT name FROM tasks WHERE _id = 't000007'"},
		{"name", "SELECT _id, priority FROM tasks WHERE name = 'n7'"},
		{"count", "SELECT COUNT(*) FROM tasks WHERE name = 'n7'"},
		{"first", "SELECT name FROM tasks WHERE category = 'c7' ORDER BY priority LIMIT 5"},
		{"last", "SELECT name FROM tasks WHERE category = 'c7' ORDER BY priority DESC LIMIT 5"},
		{"status", "SELECT name FROM tasks WHERE category = 'c7' AND status = 'open' ORDER BY priority LIMIT 5"},
		{"range", fmt.Sprintf("SELECT name FROM tasks WHERE category = 'c7' AND priority BETWEEN %d AND %d", n/2, n/2+n/100)},
		{"prefix", "SELECT name FROM tasks WHERE _id LIKE 't00000%'"},
		{"all", "SELECT SUM(priority) FROM tasks"},
		{"insert", "INSERT INTO tasks (name, category, status, priority) VALUES ('n7', 'c7', 'open', 50)"},
		{"update", "UPDATE tasks SET done = CONCAT(IFNULL(done, ''), 'x') WHERE _id = 't000007'"},
		{"move", "UPDATE tasks SET name = IF(name = 'm1', 'm2', 'm1') WHERE _id = 't000008'"},
	} {
		b.Run(c.name, func(b *testing.B) {
			// The mark of the writer before may go meanwhile.
			time.Sleep(100 * time.Millisecond)
			b.ResetTimer()
			for range b.N {
				consume(b, shelf.conn, c.statement)
			}
			b.StopTimer()
			for _, what := range []string{"gets", "lists", "puts", "deletes"} {
				b.ReportMetric(shelf.asked(what), what+"/op")
			}
		})
	}
}

// tasks makes the collection, half of its documents before its indexes and half behind them.
func (b *bucket) tasks(t *testing.B, n int) {
	if *benchAddress != "" {
		b.run(fmt.Sprintf("CREATE TABLE tasks (_id VARCHAR(255) PRIMARY KEY, _doc JSON) ENGINE=BUCKET "+
			"CONNECTION='%s?collection=tasks%d'", *benchAddress, n))
	} else {
		b.create("tasks", "")
	}
	insert := func(from, to int) {
		began := time.Now()
		b.run(fmt.Sprintf("INSERT INTO tasks (_id, name, category, status, priority) WITH RECURSIVE s (i) AS "+
			"(SELECT %d UNION ALL SELECT i + 1 FROM s WHERE i < %d) SELECT CONCAT('t', LPAD(i, 6, '0')), "+
			"CONCAT('n', i %% 100), CONCAT('c', i %% 10), IF(i %% 3, 'open', 'done'), i FROM s", from, to))
		t.Logf("documents %d to %d: %s", from, to, time.Since(began))
	}
	b.run("SET sqlfdb_bulk_writes = batched", fmt.Sprintf("SET cte_max_recursion_depth = %d", n+1))
	insert(1, n/2)
	began := time.Now()
	b.run("CREATE INDEX name_1 ON tasks (name)", "CREATE INDEX category_1_priority_1 ON tasks (category, priority)",
		"CREATE INDEX category_1_status_1_priority_1 ON tasks (category, status, priority)")
	t.Logf("three indexes of %d documents: %s", n/2, time.Since(began))
	insert(n/2+1, n)
}

// asked is how many requests of a kind the last statement has made.
func (b *bucket) asked(what string) float64 {
	b.t.Helper()
	var name string
	var n float64
	row := b.conn.QueryRowContext(context.Background(), "SHOW STATUS LIKE 'sqlfdb_last_bucket_"+what+"'")
	if err := row.Scan(&name, &n); err != nil {
		b.t.Fatal(err)
	}
	return n
}

// consume runs a statement and reads its rows.
func consume(b *testing.B, conn *sql.Conn, statement string) {
	b.Helper()
	rows, err := conn.QueryContext(context.Background(), statement)
	if err != nil {
		b.Fatalf("%s: %v", statement, err)
	}
	for rows.Next() {
		continue
	}
	if err := rows.Err(); err != nil {
		b.Fatal(err)
	}
	rows.Close()
}
