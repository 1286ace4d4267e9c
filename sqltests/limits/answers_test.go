package limits

import (
	"context"
	"strconv"
	"testing"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestAnswersOfCounters: a transaction that reads counts and writes conflicts with one that has changed them; two that
// only change them don't.
func TestAnswersOfCounters(t *testing.T) {
	conn, db := harness.StartShort(t, 0)
	harness.MustRun(t, conn, "CREATE TABLE t (_id INT PRIMARY KEY, _doc JSON)",
		"CREATE TABLE other (id INT PRIMARY KEY)",
		"INSERT INTO t (_id, n, l) VALUES (0, 1, CAST('[{\"a\": 1}]' AS JSON))")
	harness.MustRun(t, conn, "SET sqlfdb_show_companions = ON")
	id := 0
	for _, read := range []string{
		"SELECT table_rows FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 't'",
		"SELECT table_rows FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 't__l'",
		"SELECT SUM(documents) FROM sqlfdb.keypaths WHERE `table` = 't'",
		"SELECT documents FROM sqlfdb.tables WHERE `table` = 't'",
	} {
		for _, at := range []string{"other", "t"} {
			id++
			harness.MustRun(t, conn, "BEGIN")
			before := harness.TextOf(t, conn, read)
			harness.MustExec(t, db,
				"INSERT INTO t (_id, n, l) VALUES ("+strconv.Itoa(id)+", 1, CAST('[{\"a\": 1}]' AS JSON))")
			if again := harness.TextOf(t, conn, read); again != before {
				t.Errorf("%s: %s, then %s", read, before, again)
			}
			column := map[string]string{"other": "id", "t": "_id"}[at]
			harness.MustRun(t, conn, "INSERT INTO "+at+" ("+column+") VALUES ("+strconv.Itoa(-id)+")")
			if _, err := conn.ExecContext(context.Background(), "COMMIT"); harness.ErrorNumber(err) != 1213 {
				t.Errorf("%s and a write to %s: %v, want a conflict", read, at, err)
			}
			harness.MustRun(t, conn, "ROLLBACK", "BEGIN", "INSERT INTO t (_id, n) VALUES ("+strconv.Itoa(-id)+", 1)")
			harness.MustExec(t, db, "DELETE FROM t WHERE _id = "+strconv.Itoa(id))
			harness.MustRun(t, conn, "COMMIT")
			harness.MustRun(t, conn, "BEGIN")
			harness.TextOf(t, conn, read)
			harness.MustExec(t, db, "DELETE FROM t WHERE _id = "+strconv.Itoa(-id))
			harness.MustRun(t, conn, "COMMIT")
		}
	}
	harness.CheckTables(t, conn, "t", "other")
}

// TestZeroBytesInNames: no name of anything has one.
func TestZeroBytesInNames(t *testing.T) {
	b := newBadInput(t)
	b.exec("CREATE TABLE t (_id INT PRIMARY KEY, a INT)")
	for _, stmt := range []string{
		"CREATE DATABASE `x\x00y`", "CREATE TABLE `x\x00` (a INT PRIMARY KEY)", "CREATE TABLE u (`x\x00` INT PRIMARY KEY)",
		"CREATE TABLE u (_id INT PRIMARY KEY, a INT, KEY `\x00` (a))", "USE `d\x00`",
		"CREATE TABLE u (_id INT PRIMARY KEY, a INT, CONSTRAINT `\x00` CHECK (a > 0))",
		"ALTER TABLE t ADD COLUMN `x\x00` INT", "ALTER TABLE t RENAME TO `x\x00`", "RENAME TABLE t TO `x\x00`",
		"CREATE INDEX `x\x00` ON t (a)", "ALTER TABLE t RENAME COLUMN a TO `x\x00`", "CREATE VIEW `x\x00` AS SELECT 1",
		"SELECT '\x00', a AS `\x00` FROM t",
		"PREPARE `x\x00` FROM 'SELECT 1'", "SAVEPOINT `x\x00`", "/* ' */ SELECT `\x00`", "OPTIMIZE TABLE `t\x00`",
		"CREATE USER 'u\x00'", "CREATE USER `u\x00`", "CREATE USER u@'h\x00'", "CREATE USER 'u\\0'", "CREATE ROLE 'r\x00'",
		"RENAME USER root TO 'u\x00'", "GRANT SELECT ON `d\x00`.* TO root", "SET @'v\x00' = 1",
	} {
		b.refuse("42000", []uint16{1064}, stmt)
	}
	if got := b.text("SELECT LENGTH('a\x00b') /* `\x00` */"); got != "3" {
		t.Errorf("a text with a zero byte has %s bytes", got)
	}
}
