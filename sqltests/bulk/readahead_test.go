package bulk

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestReadAheadConflicts: what a statement reads ahead and uses takes part in conflict detection, so
// that of two transactions which both find a key free, or change the same row, one fails.
func TestReadAheadConflicts(t *testing.T) {
	conn, db := harness.StartShort(t, 0)
	harness.MustRun(t, conn, "USE f",
		"CREATE TABLE k (id INT PRIMARY KEY, e VARCHAR(20), v INT, UNIQUE (e))",
		"CREATE TABLE p (id INT PRIMARY KEY, v INT)")
	for _, c := range []struct{ name, one, other string }{
		{"a primary key", "INSERT INTO p VALUES (10, 1), (11, 1)", "INSERT INTO p VALUES (9, 2), (11, 2)"},
		{"a unique key", "INSERT INTO k VALUES (10, 'x', 1), (11, 'y', 1)",
			"INSERT INTO k VALUES (12, 'z', 2), (13, 'y', 2)"},
		{"left out", "INSERT IGNORE INTO p VALUES (1, 1), (12, 1)", "DELETE FROM p WHERE id = 1"},
		{"updates", "UPDATE p SET v = v + 1", "UPDATE p SET v = v + 1 WHERE id = 2"},
		{"an update and a deletion", "DELETE FROM p", "UPDATE p SET v = 7 WHERE id = 2"},
		{"an update of a unique key", "UPDATE k SET e = CONCAT('n', id)", "INSERT INTO k VALUES (14, 'n2', 2), (15, 'q', 2)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			harness.MustRun(t, conn, "DELETE FROM k", "DELETE FROM p",
				"INSERT INTO k VALUES (1, 'a', 1), (2, 'b', 1), (3, 'c', 1)", "INSERT INTO p VALUES (1, 1), (2, 1), (3, 1)")
			harness.MustRun(t, conn, "BEGIN", c.one)
			if _, err := db.Exec(c.other); err != nil {
				t.Fatal(err)
			}
			harness.WantError(t, conn, "COMMIT", 1213)
		})
	}
	harness.CheckTables(t, conn, "k")
	harness.CheckTables(t, conn, "p")
}

// TestLoadNamesItsLine: rows behind it are read before a row is stored; an error is its row's.
func TestLoadNamesItsLine(t *testing.T) {
	conn, _ := harness.StartShort(t, 0)
	harness.MustRun(t, conn, "SET GLOBAL local_infile = 1",
		"CREATE TABLE p (id INT PRIMARY KEY, e VARCHAR(8), v INT, UNIQUE (e))")
	lines := func(changed map[int]string) string {
		var b strings.Builder
		for i := 1; i <= 700; i++ {
			line, ok := changed[i]
			if !ok {
				line = fmt.Sprintf("%d\te%d\t%d", i, i, i)
			}
			b.WriteString(line + "\n")
		}
		return b.String()
	}
	const load = "LOAD DATA LOCAL INFILE 'Reader::rows' INTO TABLE p"
	// As in MySQL, LOCAL is as good as IGNORE, except where the text is no document.
	harness.MustRun(t, conn, "CREATE TABLE d (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	for _, at := range []int{3, 256, 257, 600, 700} {
		harness.RegisterText("rows", lines(map[int]string{at: fmt.Sprintf("%d\t{\t1", at), min(at+2, 700): "x\t{\t1"}))
		harness.WantError(t, conn, strings.Replace(load, "INTO TABLE p",
			"INTO TABLE d (_id, @e, n) SET _doc = IF(@e = '{', @e, '{}')", 1), 3140, fmt.Sprintf("in line %d of the file", at))
		harness.WantText(t, conn, "SELECT COUNT(*) FROM d", "0|")
	}
	// What fails before the table sees the row.
	harness.RegisterText("rows", lines(nil))
	harness.WantError(t, conn, load+" (id, e, @v) SET v = @v + IF(@v = 300, JSON_EXTRACT('{', '$.a'), 0)", 3141,
		"in line 300 of the file")
	harness.WantText(t, conn, "SELECT COUNT(*) FROM p", "0|")

	harness.RegisterText("rows", lines(map[int]string{300: "2\te300\t1", 301: "301\te2\t1"}))
	if rows := affected(t, conn, load); rows != 698 {
		t.Errorf("%d rows without duplicates, want 698", rows)
	}
	harness.CheckTables(t, conn, "p")
}

// TestUpdateWithoutChange: an UPDATE that has read all its rows while its version could be read, and
// changes none of them, has an answer, however long it takes; one that changes some has none.
func TestUpdateWithoutChange(t *testing.T) {
	conn, _ := harness.StartShort(t, 200*time.Millisecond)
	harness.MustLive(t, conn, "CREATE TABLE p (id INT PRIMARY KEY, v INT)",
		"INSERT INTO p VALUES (1, 1), (2, 2), (3, 3), (4, 4)",
		"UPDATE p SET v = v + SLEEP(0.1)") // again, where the machine stands still before all is read
	harness.WantError(t, conn, "UPDATE p SET v = v + 1 + SLEEP(0.1)", 3024, "200 ms")
	harness.WantText(t, conn, "SELECT SUM(v) FROM p", "10|")
	harness.CheckTables(t, conn, "p")
}
