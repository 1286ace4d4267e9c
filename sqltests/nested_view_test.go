package sqltests

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestNestedDerivedTables computes a column of itself twice on each of many levels of derived tables, which are merged:
// what takes the place of a column must not double on each.
func TestNestedDerivedTables(t *testing.T) {
	s := harness.Start(t)
	db := harness.Connect(t, s.Addr(), "", "")
	harness.MustExec(t, db, "CREATE DATABASE d")
	db = harness.Connect(t, s.Addr(), "d", "")
	harness.MustExec(t, db, "CREATE TABLE t (_id INT PRIMARY KEY, a INT)")
	harness.MustExec(t, db, "INSERT INTO t VALUES (1, 0), (2, 1)")
	for _, levels := range []int{5, 20, 40} {
		q := "SELECT a FROM t"
		for i := range levels {
			q = fmt.Sprintf("SELECT a + a AS a FROM (%s) d%d", q, i)
		}
		for _, test := range []struct {
			query string
			want  int64
		}{
			{"SELECT MAX(a) FROM (" + q + ") x", 1 << levels},
			{"SELECT COUNT(*) FROM (" + q + ") x WHERE a > 5", 1},
			{"SELECT a FROM (" + q + ") x ORDER BY a DESC, a + a LIMIT 1", 1 << levels},
		} {
			var got int64
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second) // it takes a part of one
			err := db.QueryRowContext(ctx, test.query).Scan(&got)
			cancel()
			if err != nil || got != test.want {
				t.Errorf("%d levels: %.20s gives %d, %v; %d expected", levels, test.query, got, err, test.want)
			}
		}
	}
}
