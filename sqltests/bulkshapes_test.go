package sqltests

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/kv/faultkv"
)

// tuples are n rows of VALUES, from number on.
func tuples(format string, from, n int) string {
	var rows []string
	for i := from; i < from+n; i++ {
		rows = append(rows, fmt.Sprintf(format, i, i))
	}
	return strings.Join(rows, ", ")
}

// TestBulkWritesShapes: what statements mean in batches that have VALUES, LIMIT, ORDER BY or subqueries.
func TestBulkWritesShapes(t *testing.T) {
	conn, _ := startShort(t, 0)
	fillBatches(t, conn, "t", 50)
	fillBatches(t, conn, "o", 50)
	mustRun(t, conn, "SET sqlfdb_bulk_writes = 'batched'", "SET sqlfdb_batch_rows = 7",
		"CREATE TABLE u (_id VARCHAR(255) PRIMARY KEY, _doc JSON)", "CREATE TABLE w (id INT PRIMARY KEY, n INT)",
		"CREATE TABLE serial (id INT AUTO_INCREMENT PRIMARY KEY, n INT)")
	for _, s := range []struct {
		statement string
		rows      int64
		batches   int
		query     string
		want      string
	}{
		{"INSERT INTO u (_id, n) VALUES " + tuples("('u%02d', %d)", 0, 25), 25, 4, "SELECT COUNT(*), SUM(n) FROM u", "25|300|"},
		{"INSERT IGNORE INTO u (_id, n) VALUES " + tuples("('u%02d', %d)", 15, 20), 10, 2, "SELECT COUNT(*), SUM(n) FROM u", "35|595|"},
		{"REPLACE INTO u (_id, n) VALUES " + tuples("('u%02d', %d + 100)", 0, 10), 20, 3, "SELECT COUNT(*), SUM(n) FROM u", "35|1595|"},
		{"INSERT INTO u (_id, n) VALUES " + tuples("('u%02d', %d)", 0, 20) + " ON DUPLICATE KEY UPDATE n = n + VALUES(n) + 1", 40, 5, "SELECT COUNT(*), SUM(n) FROM u", "35|1805|"},
		{"INSERT INTO w VALUES " + tuples("(%d, %d)", 0, 8), 8, 2, "SELECT COUNT(*), SUM(n) FROM w", "8|28|"},
		{"INSERT INTO serial (id, n) VALUES (NULL, 1), (NULL, 2), " + tuples("(NULL, %[1]d + 0 * %[2]d)", 3, 18), 20, 3, "SELECT COUNT(*), SUM(n), LAST_INSERT_ID() = MIN(id) FROM serial", "20|210|1|"},
		{"UPDATE t SET v = v + 1 LIMIT 20", 20, 3, "SELECT COUNT(*), SUM(v) FROM t", "50|70|"},
		{"UPDATE t SET v = v + 1 WHERE v = 1 LIMIT 15", 15, 3, "SELECT COUNT(*), MIN(n), MAX(n) FROM t WHERE v = 2", "35|0|34|"},
		{"UPDATE t SET v = 3 ORDER BY n DESC", 50, 8, "SELECT MIN(v), MAX(v) FROM t", "3|3|"},
		{"UPDATE t SET v = (SELECT MAX(n) FROM o) WHERE EXISTS (SELECT 1 FROM o WHERE o.n = t.n AND o.n >= 30)", 20, 3, "SELECT COUNT(*), MIN(n) FROM t WHERE v = 49", "20|30|"},
		{"UPDATE t SET v = 5 WHERE n IN (SELECT n FROM o WHERE n < 10)", 10, 2, "SELECT COUNT(*), MAX(n) FROM t WHERE v = 5", "10|9|"},
		{"INSERT INTO w SELECT n + 100, n FROM t ORDER BY n DESC", 50, 8, "SELECT COUNT(*), SUM(n) FROM w WHERE id >= 100", "50|1225|"},
		{"INSERT INTO w SELECT n + 200, n FROM t WHERE n >= 5 LIMIT 16", 16, 3, "SELECT COUNT(*), MIN(n), MAX(n) FROM w WHERE id >= 200", "16|5|20|"},
		{"DELETE FROM o ORDER BY n DESC LIMIT 20", 20, 3, "SELECT COUNT(*), MAX(n) FROM o", "30|29|"},
		{"DELETE FROM o WHERE n > 3 ORDER BY n LIMIT 15", 15, 3, "SELECT COUNT(*), SUM(n < 4), MIN(IF(n < 4, 99, n)) FROM o", "15|4|19|"},
		{"DELETE FROM t LIMIT 21", 21, 3, "SELECT COUNT(*), MIN(n) FROM t", "29|21|"},
		{"DELETE FROM t WHERE _id IN (SELECT CONCAT('k00', n) FROM o)", 9, 2, "SELECT COUNT(*) FROM t", "20|"},
		{"DELETE FROM w WHERE NOT EXISTS (SELECT 1 FROM t WHERE t.n = w.n)", 54, 8, "SELECT COUNT(*), MIN(n) FROM w", "20|30|"},
	} {
		if rows := affected(t, conn, s.statement); rows != s.rows {
			t.Errorf("%s: %d rows, want %d", s.statement, rows, s.rows)
		}
		warnings := textOf(t, conn, "SHOW WARNINGS")
		if !strings.Contains(warnings, fmt.Sprintf("committed in %d batches: it was not atomic", s.batches)) {
			t.Errorf("%s: the warnings are %s, want %d batches", s.statement, warnings, s.batches)
		}
		wantText(t, conn, s.query, s.want)
		wantText(t, conn, "SELECT COUNT(*) FROM sqlfdb.jobs WHERE kind = 'statement'", "0|")
	}
	checkTables(t, conn, "t", "u", "w", "o", "serial")
	// IGNORE makes a note of each row, of which not all are kept.
	mustRun(t, conn, "SET sqlfdb_batch_rows = 600", "INSERT INTO w VALUES "+tuples("(%d + 1000, %d)", 0, 1500))
	for _, setting := range []string{"SET sqlfdb_bulk_writes = 'batched'", "SET sqlfdb_bulk_writes = 'atomic'"} {
		mustRun(t, conn, setting)
		if rows := affected(t, conn, "INSERT IGNORE INTO w VALUES "+tuples("(%d + 1000, %d)", 0, 2200)); rows != 700 {
			t.Errorf("%s: %d rows", setting, rows)
		}
		wantText(t, conn, "SELECT @@warning_count BETWEEN 1024 AND 1025", "1|")
		mustRun(t, conn, "DELETE FROM w WHERE id >= 2500")
	}
}

// TestBulkValuesInterrupted: INSERT … VALUES, and DELETE with an order and LIMIT, go on behind what was
// committed when they are given again.
func TestBulkValuesInterrupted(t *testing.T) {
	conn, db := startShort(t, 0)
	fillBatches(t, conn, "t", 30)
	mustRun(t, conn, "CREATE TABLE w (id INT PRIMARY KEY, n INT)", "INSERT INTO w VALUES (17, 0)",
		"SET sqlfdb_bulk_writes = 'batched'", "SET sqlfdb_batch_rows = 5")
	insert := "INSERT INTO w VALUES " + tuples("(%d, %d)", 0, 30)
	wantError(t, conn, insert, 1062, "15 rows were changed in 3 batches", "goes on behind them")
	wantText(t, conn, "SELECT COUNT(*) FROM w", "16|")
	mustRun(t, conn, "DELETE FROM w WHERE id = 17")
	other, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	mustRun(t, other, "SET sqlfdb_bulk_writes = 'batched'", "SET sqlfdb_batch_rows = 5")
	if rows := affected(t, other, insert); rows != 30 {
		t.Errorf("%d rows, want all 30", rows)
	}
	wantText(t, conn, "SELECT COUNT(*), SUM(n) FROM w", "30|435|")
	checkTables(t, conn, "w")
}

// eachFault runs a statement while one operation of the store meets a fault, again with other operations, and
// gives it again where it fails; done looks at what it has made, and undoes it.
func eachFault(t *testing.T, r *faultRun, statement string, done func(what string)) {
	t.Helper()
	for _, fault := range faultkv.Faults() {
		step := int64(*faultEvery) * 3
		if fault.OfCommits() {
			step = 1
		}
		for at := int64(2); ; at += step {
			commits := int64(0)
			r.store.Inject(func(c faultkv.Call) faultkv.Fault {
				if c.Op == faultkv.Commit {
					commits++
				}
				if fault.OfCommits() && c.Op == faultkv.Commit && commits == at-1 || !fault.OfCommits() && c.Number == at {
					return fault
				}
				return faultkv.None
			})
			for attempt := 0; ; attempt++ {
				_, err := r.conn.ExecContext(context.Background(), statement)
				if err == nil {
					break
				}
				if attempt == 3 {
					t.Fatalf("%v at %d: %v", fault, at, err)
				}
			}
			_, met := r.store.Inject(nil)
			done(fmt.Sprintf("%v at %d", fault, at))
			if met == 0 {
				break
			}
		}
	}
}

// TestBulkShapesFaults: whatever an operation of the store meets, no row is lost or doubled.
func TestBulkShapesFaults(t *testing.T) {
	r := startFaulty(t)
	registerText("seven", "0;0\n1;1\n2;2\n3;3\n4;4\n5;5\n6;6\n")
	r.must("CREATE TABLE h (n INT, m INT)", "CREATE TABLE o (id INT PRIMARY KEY, n INT)", "SET GLOBAL local_infile = 1", "SET sqlfdb_bulk_writes = 'batched'", "SET sqlfdb_batch_rows = 2")
	for _, statement := range []string{
		"LOAD DATA LOCAL INFILE 'Reader::seven' INTO TABLE h FIELDS TERMINATED BY ';'",
		"INSERT INTO h VALUES " + tuples("(%d, %d)", 0, 7),
	} {
		eachFault(t, r, statement, func(what string) {
			if have := textOf(t, r.conn, "SELECT COUNT(*), SUM(n), COUNT(DISTINCT m) FROM h"); have != "7|21|7|" {
				t.Fatalf("%s: %s: %s", statement, what, have)
			}
			r.must("TRUNCATE TABLE h")
		})
	}
	fill := "REPLACE INTO o VALUES " + tuples("(%d, %d)", 0, 9)
	r.must(fill)
	eachFault(t, r, "DELETE FROM o ORDER BY n DESC LIMIT 7", func(what string) {
		if have := textOf(t, r.conn, "SELECT COUNT(*), MAX(n) FROM o"); have != "2|1|" {
			t.Fatalf("%s: %s", what, have)
		}
		r.must(fill)
	})
	r.check("at the end", "h")
	r.check("at the end", "o")
}
