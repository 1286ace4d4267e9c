package commands

import (
	"fmt"
	"testing"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestAlterIsOver: a transaction on another table, begun behind an ALTER TABLE of a small one, meets nothing of it:
// what a job does of the ALTER is done when its client is answered. Migrations of web frameworks are such transactions.
func TestAlterIsOver(t *testing.T) {
	harness.Embedded(t)
	p := harness.Spawn(t, harness.ServeCall(t, t.TempDir()))
	defer p.Stop()
	harness.ExecAll(t, harness.Connect(t, p.Addr, "", ""), "CREATE DATABASE d")
	db := harness.Connect(t, p.Addr, "d", "")
	harness.ExecAll(t, db, "CREATE TABLE t (id INT PRIMARY KEY, n INT, s VARCHAR(20))",
		"INSERT INTO t VALUES (1, 1, 'a'), (2, 2, 'b')", "CREATE TABLE done (id INT PRIMARY KEY)")
	conn := harness.NewSession(t, db)
	for i := range 30 {
		typ := []string{"BIGINT", "INT"}[i%2]
		harness.MustExec(t, conn, "ALTER TABLE t MODIFY n "+typ, "BEGIN", fmt.Sprintf("INSERT INTO done VALUES (%d)",
			i), "COMMIT")
	}
	harness.CheckAll(t, db)
}
