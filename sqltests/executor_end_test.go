package sqltests

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// batchTable is a table of 40,000 rows, each with another m, and a connection that runs in batches.
func batchTable(t *testing.T) (pool *sql.DB, c *sql.Conn) {
	t.Helper()
	s := harness.Start(t)
	harness.MustExec(t, harness.Connect(t, s.Addr(), "", ""), "CREATE DATABASE d")
	pool = harness.Connect(t, s.Addr(), "d", "")
	c, err := pool.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	harness.MustExec(t, c, "CREATE TABLE big (id INT PRIMARY KEY, m INT, k DECIMAL(10,2), t VARCHAR(20))",
		"SET sqlfdb_executor = batch")
	for part := range 20 { // a transaction of a cluster takes some 7,000 rows
		harness.MustExec(t, c, fmt.Sprint("INSERT INTO big WITH RECURSIVE i AS (SELECT 0 AS n UNION ALL SELECT n + 1 ",
			"FROM i WHERE n < 199) SELECT a.n * 200 + b.n, a.n * 200 + b.n, a.n + 1.25, CONCAT('text ', b.n) ",
			"FROM i AS a, i AS b WHERE a.n % 20 = ", part))
	}
	return pool, c
}

// inBatches fails unless EXPLAIN says that a statement runs in batches.
func inBatches(t *testing.T, c *sql.Conn, stmt string) {
	t.Helper()
	if plan := harness.Query(c, "EXPLAIN FORMAT=TREE "+stmt); !strings.Contains(plan, "executor: batch") {
		t.Fatalf("%s:\n%s", stmt, plan)
	}
}

// TestBatchesEnd: what runs in batches ends when its time is over, and when it is killed, with the errors of both.
func TestBatchesEnd(t *testing.T) {
	pool, c := batchTable(t)
	documents := "SELECT SUM(m * 2), MAX(k), COUNT(t) FROM big WHERE m % 7 <> 8"
	entries := "SELECT COUNT(*) FROM big WHERE m % 997 = 5"
	joined := "SELECT SUM(a.m + b.m) FROM big AS a JOIN big AS b ON a.m <> b.m"
	filtered := "SELECT id, t FROM big WHERE m % 7 = 8"
	derived := "SELECT SUM(n * 2) FROM (SELECT a.m AS n FROM big AS a, big AS b LIMIT 1000000000) AS x"
	for stmt, milliseconds := range map[string]int{documents: 5, entries: 1, filtered: 5, joined: 300, derived: 300} {
		inBatches(t, c, stmt)
		harness.MustExec(t, c, fmt.Sprint("SET max_execution_time = ", milliseconds))
		soon, out := harness.EndsSoon(), ""
		for range 50 { // a fast machine may be done before the timer is looked at
			if out = harness.Query(c, stmt); strings.Contains(out, "3024") {
				break
			}
		}
		if !strings.Contains(out, "3024") {
			t.Errorf("%s: %s", stmt, out)
		}
		soon.Check(t, stmt)
	}
	harness.MustExec(t, c, "SET max_execution_time = 0")
	var id int64
	if err := c.QueryRowContext(context.Background(), "SELECT CONNECTION_ID()").Scan(&id); err != nil {
		t.Fatal(err)
	}
	for _, stmt := range []string{joined, derived} {
		ended := make(chan string, 1)
		go func() { ended <- harness.Query(c, stmt) }()
		select {
		case out := <-ended:
			t.Fatalf("%s ended by itself: %s", stmt, out)
		case <-time.After(300 * time.Millisecond):
		}
		killed := harness.EndsSoon()
		harness.MustExec(t, pool, fmt.Sprint("KILL QUERY ", id))
		if out := <-ended; !strings.Contains(out, "1317") {
			t.Errorf("%s gave %s", stmt, out)
		}
		killed.Check(t, stmt)
	}
	if out := harness.Query(c, "SELECT COUNT(*), SUM(m + k) FROM big"); !strings.Contains(out, "40000 | 804010000.00") {
		t.Errorf("afterwards: %s", out)
	}
	harness.CheckAll(t, pool)
}

// TestFilterBatches: a filter reads its columns in batches, no more documents than a LIMIT needs, and row by row where
// most documents pass.
func TestFilterBatches(t *testing.T) {
	_, c := batchTable(t)
	figure := func(name string) (n int) {
		t.Helper()
		var shown string
		err := c.QueryRowContext(context.Background(), "SHOW STATUS LIKE 'sqlfdb_last_"+name+"'").Scan(&shown, &n)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			t.Fatal(err)
		}
		return n
	}
	for _, f := range []struct {
		stmt          string
		least, most   int // rows in batches
		mostDocuments int
	}{
		{"SELECT id, t FROM big WHERE m % 997 = 5", 40000, 40000, 40000},
		{"SELECT t, k FROM big WHERE m * 2 + id < 30 OR t LIKE '%t 77'", 40000, 40000, 40000},
		{"SELECT id, t FROM big WHERE m < 20000 AND m % 997 <> 5 OR m >= 20000 AND m % 997 = 5", 5000, 10000, 40000},
		{"SELECT COUNT(*), MAX(x.t) FROM (SELECT t FROM big WHERE m % 997 = 5 AND k > 0 LIMIT 90000) AS x", 40000, 40100,
			40000},
		{"SELECT id FROM big WHERE m % 997 <> 5 AND k > 0", 300, 3000, 40000},
		{"SELECT id, t FROM big WHERE m % 3 = 1 LIMIT 5", 15, 64, 64},
		{"SELECT id, t FROM big WHERE m % 3 = 1 LIMIT 5 OFFSET 100", 320, 320, 320},
	} {
		inBatches(t, c, f.stmt)
		answer, batched, documents := harness.Query(c, f.stmt), figure("batch_rows"), figure("documents")
		if batched < f.least || batched > f.most || documents > f.mostDocuments {
			t.Errorf("%s: %d rows in batches, %d documents", f.stmt, batched, documents)
		}
		harness.MustExec(t, c, "SET sqlfdb_executor = interpreted")
		if other := harness.Query(c, f.stmt); other != answer {
			t.Errorf("%s: %.300s\nin batches: %.300s", f.stmt, other, answer)
		}
		if n := figure("batch_rows"); n > 0 {
			t.Errorf("%s: %d rows in batches", f.stmt, n)
		}
		harness.MustExec(t, c, "SET sqlfdb_executor = batch")
	}
	// What writes, and a transaction whose reads are checked, read no further than they must.
	for _, stmts := range [][]string{{"UPDATE big SET k = 0 WHERE m % 997 = 5"}, {"BEGIN",
		"SELECT id, t FROM big WHERE m % 3 = 1 LIMIT 5", "COMMIT"}} {
		for _, stmt := range stmts {
			harness.Query(c, stmt)
			if n := figure("batch_rows"); n > 0 {
				t.Errorf("%s: %d rows in batches", stmt, n)
			}
		}
	}
}

// TestBatchMemory: a statement that may hold too little for batches runs row by row, or fails as it does there; either
// way it lets go of what it held.
func TestBatchMemory(t *testing.T) {
	_, c := batchTable(t)
	for _, stmt := range []string{
		"SELECT m, SUM(k), COUNT(*) FROM big GROUP BY m",
		"SELECT m + 1, SUM(m) FROM big GROUP BY m + 1",
		"SELECT a.m, SUM(b.k) FROM big AS a JOIN big AS b ON a.m = b.m GROUP BY a.m",
	} {
		inBatches(t, c, stmt)
		outcomes := map[string]bool{}
		for _, mib := range []int{1, 8, 16, 24, 256} {
			harness.MustExec(t, c, fmt.Sprint("SET sqlfdb_statement_bytes = ", mib<<20))
			answers := map[string]string{}
			for _, executor := range []string{"interpreted", "batch"} {
				harness.MustExec(t, c, "SET sqlfdb_executor = "+executor)
				answers[executor] = harness.Query(c, stmt)
			}
			batches := harness.Query(c, "SHOW STATUS LIKE 'sqlfdb_last_batch_rows'")
			outcomes[fmt.Sprint(strings.HasPrefix(answers["batch"], "ERROR"), strings.Contains(batches, "batch_rows"))] = true
			if answers["batch"] != answers["interpreted"] {
				t.Errorf("%s in %d MiB: %.200s\nin batches: %.200s", stmt, mib, answers["interpreted"], answers["batch"])
			}
		}
		for _, want := range []string{"true false", "false true"} {
			if !outcomes[want] {
				t.Errorf("%s: no run that failed and ran in batches so: %s", stmt, want)
			}
		}
	}
}

// TestBatchLongRows: the first rows of a join, which tell whether batches pay, are not held where they are long.
func TestBatchLongRows(t *testing.T) {
	pool, c := batchTable(t)
	harness.MustExec(t, c, "CREATE TABLE texts (id INT PRIMARY KEY, g VARCHAR(10), l LONGTEXT)",
		"SET sqlfdb_statement_bytes = 3000000")
	for part := range 4 {
		harness.MustExec(t, c, fmt.Sprint("INSERT INTO texts WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 ",
			"FROM n WHERE i < 280) SELECT i, CONCAT('g', i % 3), REPEAT('x', 20000) FROM n WHERE i % 4 = ", part))
	}
	answers := map[string]string{}
	for _, executor := range []string{"interpreted", "auto", "batch"} {
		harness.MustExec(t, c, "SET sqlfdb_executor = "+executor)
		answers[executor] = harness.Query(c, "SELECT a.g, COUNT(*), SUM(b.id), SUM(LENGTH(a.l)) FROM texts AS a "+
			"JOIN texts AS b ON a.id = b.id GROUP BY a.g ORDER BY a.g")
		if !strings.Contains(answers[executor], "g0 | 93 | 13113 | 1860000") {
			t.Errorf("%s: %s", executor, answers[executor])
		}
	}
	harness.CheckAll(t, pool)
}
