package sqltests

import (
	"context"
	"testing"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestProgramOfSpelledDates: a program that reads along a column of dates does so no longer once a document has one
// that is spelled otherwise than the index encodes it.
func TestProgramOfSpelledDates(t *testing.T) {
	_, db := harness.Database(t)
	harness.MustExec(t, db, "CREATE TABLE d.t (_id VARCHAR(10) PRIMARY KEY, v DATETIME, _doc JSON)",
		"INSERT INTO d.t (_id, v) WITH RECURSIVE n AS (SELECT 0 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 499) "+
			"SELECT CONCAT('z', i), '2026-01-01' + INTERVAL i HOUR FROM n")
	stmt, err := db.PrepareContext(context.Background(),
		"SELECT _id FROM d.t WHERE v >= ? ORDER BY v LIMIT 2")
	if err != nil {
		t.Fatal(err)
	}
	defer stmt.Close()
	check := func(from string, want ...string) {
		t.Helper()
		rows, err := stmt.Query(from)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		var got []string
		for rows.Next() {
			var id string
			if err := rows.Scan(&id); err != nil {
				t.Fatal(err)
			}
			got = append(got, id)
		}
		if err := rows.Err(); err != nil || len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
			t.Errorf("from %s: %q, want %q (%v)", from, got, want, err)
		}
	}
	check("2026-01-05", "z96", "z97")
	check("2026-01-06", "z120", "z121")
	check("2026-01-07", "z144", "z145")
	harness.MustExec(t, db, `INSERT INTO d.t (_doc) VALUES ('{"_id":"a","v":"2026-01-06T00:30:00Z"}')`)
	check("2026-01-06", "z120", "a")
	check("2026-01-06 00:10:00", "a", "z121")
	harness.MustExec(t, db, "DELETE FROM d.t WHERE _id = 'a'")
	check("2026-01-06", "z120", "z121")
	harness.CheckAll(t, db)
}
