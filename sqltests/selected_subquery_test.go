package sqltests

import (
	"context"
	"testing"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestSelectedSubqueries reads many rows with subqueries in the select list. The engine sends rows beside reading the
// next ones: the subqueries are not to be run beside that, since both use the session. The race detector sees it.
func TestSelectedSubqueries(t *testing.T) {
	s := harness.Start(t)
	db := harness.Connect(t, s.Addr(), "", "")
	harness.MustExec(t, db, "CREATE DATABASE d")
	db = harness.Connect(t, s.Addr(), "d", "")
	harness.MustExec(t, db, "CREATE TABLE o (_id INT PRIMARY KEY, k INT, few INT)")
	harness.MustExec(t, db,
		"INSERT INTO o WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 150) SELECT i, i % "+
			"50, i % 3 FROM n")
	c, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, index := range []string{"ON", "OFF"} {
		if _, err := c.ExecContext(context.Background(), "SET sqlfdb_use_index = "+index); err != nil {
			t.Fatal(err)
		}
		rows, err := c.QueryContext(context.Background(), `SELECT _id, (SELECT MIN(p._id) FROM o p WHERE p.k = o.k),
			EXISTS (SELECT 1 FROM o p WHERE p.k = o.k AND p._id > o._id),
			o.k IN (SELECT p._id FROM o p WHERE p.few = o.few) FROM o`)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		n := 0
		for rows.Next() {
			var id, first int
			var later, in bool
			if err := rows.Scan(&id, &first, &later, &in); err != nil {
				t.Fatal(err)
			}
			k := id % 50
			wantFirst := k
			if k == 0 {
				wantFirst = 50
			}
			if first != wantFirst || later != (id <= 100) || in != (k > 0 && k%3 == id%3) {
				t.Errorf("index %s: row %d has %d, %v, %v", index, id, first, later, in)
			}
			n++
		}
		if err := rows.Err(); err != nil || n != 150 {
			t.Errorf("index %s: %d rows, %v", index, n, err)
		}
	}
}
