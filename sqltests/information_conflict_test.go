package sqltests

import (
	"context"
	"fmt"
	"testing"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestInformationConflicts: a transaction that writes, and has asked how many values and rows a table has, does not
// conflict with writers of that table. It sees its own version, and what it has written itself.
func TestInformationConflicts(t *testing.T) {
	_, db := harness.Database(t)
	harness.MustExec(t, db, "CREATE TABLE d.r (id INT PRIMARY KEY, n INT, KEY (n))",
		"CREATE TABLE d.other (id INT PRIMARY KEY)",
		"INSERT INTO d.r VALUES (1, 1), (2, 2)")
	const keys = "SELECT CARDINALITY FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = 'd' AND TABLE_NAME = 'r' " +
		"AND INDEX_NAME = 'PRIMARY'"
	const rows = "SELECT TABLE_ROWS FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'd' AND TABLE_NAME = 'r'"
	for i, query := range []string{keys, rows, "SHOW KEYS FROM d.r", "SHOW TABLE STATUS FROM d LIKE 'r'"} {
		s := harness.NewSession(t, db)
		harness.MustExec(t, s, "BEGIN")
		before := harness.Texts(t, s, query)
		harness.MustExec(t, db, "REPLACE INTO d.r VALUES (3, 3), (4, 4)", "DELETE FROM d.r WHERE id = 4")
		if after := harness.Texts(t, s, query); len(after) != len(before) || after[0] != before[0] {
			t.Errorf("%s: %v, and later %v", query, before, after)
		}
		harness.MustExec(t, s, fmt.Sprintf("INSERT INTO d.other VALUES (%d)", i))
		if _, err := s.ExecContext(context.Background(), "COMMIT"); err != nil {
			t.Errorf("%s: %v", query, err)
		}
		harness.MustExec(t, db, "DELETE FROM d.r WHERE id = 3")
	}
	s := harness.NewSession(t, db)
	harness.MustExec(t, s, "BEGIN", "INSERT INTO d.r VALUES (5, 5)")
	harness.WantText(t, s.Conn, keys, "3|")
	harness.WantText(t, s.Conn, rows, "3|")
	harness.MustExec(t, s, "ROLLBACK")
	harness.CheckAll(t, db)
}
