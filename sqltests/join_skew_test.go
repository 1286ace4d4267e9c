package sqltests

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// skewedJoin joins two tables by a value that all rows of the one and half of the other
// have, which what the planner reads of the index doesn't show.
const skewedJoin = "SELECT o._id, l._id FROM o JOIN l ON l.k = o.k"

func skewedTables(t *testing.T, outer, large int) (pool *sql.DB, c *sql.Conn) {
	t.Helper()
	_, pool = harness.Database(t)
	harness.MustExec(t, pool, "CREATE TABLE o (_id INT PRIMARY KEY, _doc JSON)",
		"CREATE TABLE l (_id INT PRIMARY KEY, _doc JSON)")
	insert := func(table string, n int, k func(i int) int) {
		rows := make([]string, n)
		for i := range rows {
			rows[i] = fmt.Sprintf(`(%d,'{"k":%d}')`, i, k(i))
		}
		harness.MustExec(t, pool, "INSERT INTO "+table+" (_id, _doc) VALUES "+strings.Join(rows, ","))
	}
	insert("o", outer, func(int) int { return 1 })
	insert("l", large, func(i int) int { return 1 - i%2*(1+i) })
	t.Cleanup(func() { harness.CheckAll(t, pool) })
	c, err := pool.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if plan := harness.Query(c, "EXPLAIN FORMAT=TREE "+skewedJoin); !strings.Contains(plan, "Look up in batches: l") {
		t.Fatal(plan)
	}
	return pool, c
}

// TestSkewedJoinMemory: a join holds rows of its two sides, and not what they give.
func TestSkewedJoinMemory(t *testing.T) {
	const outer, large = 300, 2000
	_, c := skewedTables(t, outer, large)
	// What is allocated between the collection and the reading, while the server goes on, is not held: the least counts.
	held := func() uint64 {
		least := uint64(math.MaxUint64)
		for range 5 {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			least = min(least, m.HeapAlloc)
		}
		return least
	}
	before, most, n := held(), uint64(0), 0
	rows, err := c.QueryContext(context.Background(), skewedJoin)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for ; rows.Next(); n++ {
		if n%20_000 == 0 {
			most = max(most, held())
		}
	}
	if err := rows.Err(); err != nil || n != outer*large/2 {
		t.Fatalf("%d rows, %v", n, err)
	}
	if bytes := int64(most) - int64(before); bytes > 20<<20 {
		t.Errorf("%d bytes are held", bytes)
	}
}

// TestSkewedJoinKilled: a join ends when it is killed, also while no row of it holds.
func TestSkewedJoinKilled(t *testing.T) {
	db, c := skewedTables(t, 300, 2000)
	ctx := context.Background()
	var id int64
	if err := c.QueryRowContext(ctx, "SELECT CONNECTION_ID()").Scan(&id); err != nil {
		t.Fatal(err)
	}
	ended := make(chan string, 1)
	go func() { ended <- harness.Query(c, skewedJoin+" AND SHA2(REPEAT(CONCAT(o.k, l.k), 20000), 256) = ''") }()
	select {
	case out := <-ended:
		t.Fatalf("it ended by itself: %s", out)
	case <-time.After(500 * time.Millisecond):
	}
	killed := harness.EndsSoon()
	harness.MustExec(t, db, fmt.Sprintf("KILL QUERY %d", id))
	if out := <-ended; !strings.Contains(out, "1317") {
		t.Errorf("the statement gave %s", out)
	}
	killed.Check(t, "a join of many rows")
}
