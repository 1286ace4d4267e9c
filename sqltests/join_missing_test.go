package sqltests

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestJoinsOfMissingKeys: what two collections lack is not one value that each of their documents meets each other one
// by. 6,000 times 6,000 comparisons take more than the time that all of these statements have.
func TestJoinsOfMissingKeys(t *testing.T) {
	_, db := harness.Database(t)
	harness.MustExec(t, db, "CREATE TABLE a (_id INT PRIMARY KEY, _doc JSON)",
		"CREATE TABLE b (_id INT PRIMARY KEY, _doc JSON)")
	for _, table := range []string{"a", "b"} {
		harness.MustExec(t, db, "INSERT INTO "+table+
			" (_id, k, j) WITH RECURSIVE r (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM r WHERE i < 59) SELECT 100000 + "+
			"i, i, IF(i < 30, i, CONCAT('t', i)) FROM r",
			"SET cte_max_recursion_depth = 10000", "INSERT INTO "+table+
				" (_id) WITH RECURSIVE r (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM r WHERE i < 5999) SELECT i FROM r")
	}
	for _, index := range []string{"ON", "OFF"} {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		c, err := db.Conn(ctx)
		if err != nil {
			t.Fatal(err)
		}
		harness.MustExec(t, c, "SET sqlfdb_use_index = "+index)
		for _, test := range []struct {
			statement string
			want      int64
		}{
			{"SELECT COUNT(*) FROM a JOIN b ON a.k = b.k", 60},
			{"SELECT COUNT(*) FROM a JOIN b ON a.j = b.j", 60},
			{"SELECT COUNT(*) FROM a LEFT JOIN b ON a.k = b.k AND a.j = b.j", 6060},
			{"SELECT COUNT(*) FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.k = a.k)", 60},
			{"SELECT COUNT(*) FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.k = a.k)", 6000},
			{"SELECT COUNT(*) FROM a WHERE k NOT IN (SELECT b.k FROM b WHERE b.k > 3)", 4},
			{"SELECT COUNT(*) FROM a WHERE k NOT IN (SELECT b.k FROM b)", 0},
		} {
			if index == "OFF" && strings.Contains(test.statement, "NOT") {
				continue // compares each with each
			}
			var n int64
			if err := c.QueryRowContext(ctx, test.statement).Scan(&n); err != nil || n != test.want {
				t.Errorf("index %s, %s: %d, %v; want %d", index, test.statement, n, err, test.want)
			}
		}
		_ = c.Close()
		cancel()
	}
	harness.CheckAll(t, db)
}
