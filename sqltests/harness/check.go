package harness

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"
)

// CheckTables runs CHECK TABLE of the tables named, and reports what it finds.
func CheckTables(t *testing.T, conn *sql.Conn, names ...string) {
	t.Helper()
	for _, name := range names {
		if have := TextOf(t, conn, "CHECK TABLE "+name); !strings.Contains(have, "status|OK|") {
			t.Errorf("CHECK TABLE: %s", have)
		}
	}
}

// WaitForJobs waits until no background work is left.
func WaitForJobs(t *testing.T, db *sql.DB) {
	t.Helper()
	const left = "SELECT COUNT(*) FROM sqlfdb.jobs WHERE kind <> 'statement' AND state NOT IN ('done', 'failed')"
	Eventually(t, func() string { return fmt.Sprintf("jobs don't end: %v", Texts(t, db, "SELECT * FROM sqlfdb.jobs")) },
		func() bool { return Number(t, db, left) == 0 })
}

// CheckAll proves every table of the server.
func CheckAll(t testing.TB, db *sql.DB) {
	t.Helper()
	rows, err := db.Query("SELECT `database`, `table` FROM sqlfdb.tables")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var database, table string
		if err := rows.Scan(&database, &table); err != nil {
			t.Fatal(err)
		}
		quoted := strings.NewReplacer("`", "``").Replace
		Check(t, db, "`"+quoted(database)+"`.`"+quoted(table)+"`")
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}

// Check runs CHECK TABLE and reports what it finds.
func Check(t testing.TB, db *sql.DB, table string) {
	t.Helper()
	rows, err := db.Query("CHECK TABLE " + table)
	if err != nil {
		t.Errorf("CHECK TABLE %s: %v", table, err)
		return
	}
	defer rows.Close()
	for rows.Next() {
		var name, op, kind, text string
		if err := rows.Scan(&name, &op, &kind, &text); err != nil {
			t.Fatal(err)
		}
		if kind == "note" {
			continue // an index is being rebuilt
		}
		if kind != "status" || text != "OK" {
			t.Errorf("CHECK TABLE %s: %s %s", table, kind, text)
		}
	}
	if err := rows.Err(); err != nil {
		t.Error(err)
	}
}
