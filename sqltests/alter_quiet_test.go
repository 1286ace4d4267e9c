package sqltests

import (
	"fmt"
	"testing"
)

// TestAlterIsOver: a transaction on another table, begun behind an ALTER TABLE of a small one, meets nothing of it:
// what a job does of the ALTER is done when its client is answered. Migrations of web frameworks are such transactions.
func TestAlterIsOver(t *testing.T) {
	embedded(t)
	p := spawn(t, serveCall(t, t.TempDir()))
	defer p.stop()
	execAll(t, connect(t, p.addr, "", ""), "CREATE DATABASE d")
	db := connect(t, p.addr, "d", "")
	execAll(t, db, "CREATE TABLE t (id INT PRIMARY KEY, n INT, s VARCHAR(20))",
		"INSERT INTO t VALUES (1, 1, 'a'), (2, 2, 'b')", "CREATE TABLE done (id INT PRIMARY KEY)")
	conn := newSession(t, db)
	for i := range 30 {
		typ := []string{"BIGINT", "INT"}[i%2]
		mustExec(t, conn, "ALTER TABLE t MODIFY n "+typ, "BEGIN", fmt.Sprintf("INSERT INTO done VALUES (%d)", i), "COMMIT")
	}
	checkAll(t, db)
}
