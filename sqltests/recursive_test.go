package sqltests

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestRecursionEnds: WITH RECURSIVE that reads no table ends when its time is over, and when it is killed.
func TestRecursionEnds(t *testing.T) {
	pool := harness.Serve(t)
	ctx := context.Background()
	conn, err := pool.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for _, setting := range []string{"cte_max_recursion_depth = 4294967295", "max_execution_time = 200"} {
		if _, err := conn.ExecContext(ctx, "SET "+setting); err != nil {
			t.Fatal(err)
		}
	}
	const numbers = "WITH RECURSIVE c AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM c WHERE n < 9000) "
	statements := []string{
		"WITH RECURSIVE c AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM c WHERE n < 1000000000) SELECT MAX(n) FROM c",
		"WITH RECURSIVE c AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM c WHERE n < 500000 UNION ALL SELECT n + 2 " +
			"FROM c WHERE n < 5000000) SELECT COUNT(*) FROM c",
		numbers + "SELECT COUNT(*) FROM c a, c b WHERE a.n + b.n > 5",
		numbers + "SELECT a.n, b.n FROM c a LEFT JOIN c b ON a.n + b.n < 0 ORDER BY b.n",
		numbers + "SELECT COUNT(*) FROM c a WHERE n IN (SELECT a.n + b.n FROM c b WHERE a.n + b.n < 0)",
	}
	ends := func(stmt string, number uint16) {
		t.Helper()
		began := time.Now()
		var n int
		err := conn.QueryRowContext(ctx, stmt).Scan(&n)
		var refused *mysql.MySQLError
		if !errors.As(err, &refused) || refused.Number != number {
			t.Errorf("%s: %v", stmt, err)
		}
		if took := time.Since(began); took > time.Minute {
			t.Errorf("%s: it ended after %v", stmt, took)
		}
	}
	for _, stmt := range statements {
		ends(stmt, 3024)
	}
	if _, err := conn.ExecContext(ctx, "SET max_execution_time = 0"); err != nil {
		t.Fatal(err)
	}
	var id int
	if err := conn.QueryRowContext(ctx, "SELECT CONNECTION_ID()").Scan(&id); err != nil {
		t.Fatal(err)
	}
	for _, stmt := range statements {
		killed := time.AfterFunc(200*time.Millisecond, func() { _, _ = pool.Exec(fmt.Sprint("KILL QUERY ", id)) })
		ends(stmt, 1317)
		killed.Stop()
	}
}
