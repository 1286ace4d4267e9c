package sqltests

import (
	"context"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestJoinMeasured: the first join after a start is planned as EXPLAIN says, and knows how many rows a condition finds
// also where nothing is remembered and the store takes few keys for many.
func TestJoinMeasured(t *testing.T) {
	harness.Embedded(t)
	const asked = "SELECT COUNT(*) FROM t JOIN c ON t.c = c._id WHERE c.region = 'few' AND t.n < 900"
	dir := t.TempDir()
	store := harness.OpenIn(t, dir)
	s, err := server.Start(context.Background(), store,
		server.Options{Listen: "127.0.0.1:0", Output: harness.TestLog{T: t}, Log: harness.TestLog{T: t}})
	if err != nil {
		t.Fatal(err)
	}
	db := harness.Connect(t, s.Addr(), "", "")
	harness.MustExec(t, db, "CREATE DATABASE d", "CREATE TABLE d.c (_id INT PRIMARY KEY, region VARCHAR(10))",
		"CREATE TABLE d.t (_id INT PRIMARY KEY, c INT, n INT)",
		"INSERT INTO d.c WITH RECURSIVE r (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM r WHERE i < 4999) SELECT i, "+
			"IF(i % 100 = 7, 'few', 'many') FROM r",
		"INSERT INTO d.t WITH RECURSIVE r (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM r WHERE i < 9999) SELECT i, "+
			"IF(i < 200, i % 2, i % 5000), i % 1000 FROM r")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	db = harness.Connect(t, harness.ServeStore(t, harness.OpenIn(t, dir), server.Options{}).Addr(), "d", "")
	c, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	var rows, documents int64
	var name string
	if err := c.QueryRowContext(context.Background(), asked).Scan(&rows); err != nil || rows != 88 {
		t.Errorf("%d rows, %v", rows, err)
	}
	if err := c.QueryRowContext(context.Background(), "SHOW STATUS LIKE 'sqlfdb_last_documents'").Scan(&name,
		&documents); err != nil {
		t.Fatal(err)
	}
	plan := harness.Query(c, "EXPLAIN FORMAT=TREE "+asked)
	if documents > 200 || !strings.Contains(plan, "Look up in batches: t") {
		t.Errorf("%d documents are read; EXPLAIN says\n%s", documents, plan)
	}
	harness.CheckAll(t, db)
}
