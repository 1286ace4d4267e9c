package sqltests

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestSmallResults: results of few rows reach the client another way than those
// of many. Around the bound between them they are the same, with the number of
// rows that the session remembers, and in a transaction with its own writes.
func TestSmallResults(t *testing.T) {
	_, db := harness.Database(t)
	ctx := context.Background()
	c, err := db.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	harness.MustExec(t, c, "CREATE TABLE t (_id VARCHAR(20) PRIMARY KEY, _doc JSON)")
	sizes := []int{0, 1, 2, 10, 31, 32, 33, 200}
	for _, n := range sizes {
		for i := range n {
			harness.MustExec(t, c,
				fmt.Sprintf(`INSERT INTO t (_doc) VALUES ('{"_id":"%03d-%03d","n":%d,"i":%d,"half":%d.5}')`, n, i, n,
					i, i))
		}
	}
	// Others, so that no scan is cheaper.
	for i := range 2000 / 50 {
		var rows []string
		for j := range 50 {
			rows = append(rows, fmt.Sprintf(`('{"_id":"x%d-%d","n":1000000,"i":0}')`, i, j))
		}
		harness.MustExec(t, c, "INSERT INTO t (_doc) VALUES "+strings.Join(rows, ","))
	}
	read := func(rows *sql.Rows, err error) []string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		var out []string
		for rows.Next() {
			var id string
			var i int
			var half sql.NullFloat64
			if err := rows.Scan(&id, &i, &half); err != nil {
				t.Fatal(err)
			}
			out = append(out, fmt.Sprint(id, " ", i, " ", half.Float64))
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		return out
	}
	check := func(what string, got []string, n int) {
		t.Helper()
		var want []string
		for i := range n {
			want = append(want, fmt.Sprintf("%03d-%03d %d %d.5", n, i, i, i))
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s: %d rows, want %d:\n%s", what, len(got), n, strings.Join(got, "\n"))
		}
	}
	prepared, err := c.PrepareContext(ctx, "SELECT _id, i, half FROM t WHERE n = ?")
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range []string{"autocommit", "paths chosen by what is remembered", "transaction"} {
		if mode == "transaction" {
			harness.MustExec(t, c, "BEGIN",
				`INSERT INTO t (_doc) VALUES ('{"_id":"031-031","n":31,"i":31,"half":31.5}')`,
				"DELETE FROM t WHERE _id = '031-031'")
		}
		for _, n := range sizes {
			what := fmt.Sprintf("%s, %d rows", mode, n)
			rows, err := c.QueryContext(ctx, fmt.Sprintf("SELECT _id, i, half FROM t WHERE n = %d", n))
			check(what, read(rows, err), n)
			var found int
			if err := c.QueryRowContext(ctx, "SELECT FOUND_ROWS()").Scan(&found); err != nil || found != n {
				t.Errorf("%s: FOUND_ROWS() = %d, %v", what, found, err)
			}
			rows, err = prepared.QueryContext(ctx, n)
			check(what+", prepared", read(rows, err), n)
			rows, err = c.QueryContext(
				ctx, fmt.Sprintf("SELECT _id, i, half FROM t a WHERE n = %d AND i IN (SELECT i FROM t WHERE n = %d)", n, n))
			check(what+", with a subquery", read(rows, err), n)
			rows, err = c.QueryContext(
				ctx, fmt.Sprintf("SELECT _id, i, half FROM t WHERE n = %d UNION ALL SELECT _id, i, half FROM t WHERE n = -1", n))
			check(what+", in a union", read(rows, err), n)
		}
	}
	harness.MustExec(t, c, `INSERT INTO t (_doc) VALUES ('{"_id":"002-002","n":2,"i":2,"half":2.5}')`)
	rows, err := c.QueryContext(ctx, "SELECT _id, i, half FROM t WHERE n = 2")
	if got := read(rows, err); len(got) != 3 {
		t.Errorf("the transaction sees %q", got)
	}
	harness.MustExec(t, c, "ROLLBACK")
	rows, err = c.QueryContext(ctx, "SELECT _id, i, half FROM t WHERE n = 2")
	check("after the rollback", read(rows, err), 2)
	// A row that fails after the first one is the statement's error.
	if rows, err := c.QueryContext(
		ctx, "SELECT _id, i, JSON_EXTRACT(_id, CONCAT('$', IF(i = 5, '[', ''))) FROM t WHERE n = 10"); err == nil {
		for rows.Next() {
		}
		if rows.Err() == nil {
			t.Error("the failure of the sixth row was not told")
		}
		rows.Close()
	}
	rows, err = c.QueryContext(ctx, "SELECT _id, i, half FROM t WHERE n = 10")
	check("after a failure", read(rows, err), 10)
}
