package bulk

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/kv/faultkv"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
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
	conn, _ := harness.StartShort(t, 0)
	fillBatches(t, conn, "t", 50)
	fillBatches(t, conn, "o", 50)
	harness.MustRun(t, conn, "SET sqlfdb_bulk_writes = 'batched'", "SET sqlfdb_batch_rows = 7",
		"CREATE TABLE u (_id VARCHAR(255) PRIMARY KEY, _doc JSON)", "CREATE TABLE w (id INT PRIMARY KEY, n INT)",
		"CREATE TABLE serial (id INT AUTO_INCREMENT PRIMARY KEY, n INT)")
	for _, s := range []struct {
		statement string
		rows      int64
		batches   int
		query     string
		want      string
	}{
		{"INSERT INTO u (_id, n) VALUES " + tuples("('u%02d', %d)", 0, 25), 25, 4, "SELECT COUNT(*), SUM(n) FROM u",
			"25|300|"},
		{"INSERT IGNORE INTO u (_id, n) VALUES " + tuples("('u%02d', %d)", 15, 20), 10, 2, "SELECT COUNT(*), SUM(n) FROM u",
			"35|595|"},
		{"REPLACE INTO u (_id, n) VALUES " + tuples("('u%02d', %d + 100)", 0, 10), 20, 3, "SELECT COUNT(*), SUM(n) FROM u",
			"35|1595|"},
		{"INSERT INTO u (_id, n) VALUES " + tuples("('u%02d', %d)", 0, 20) + " ON DUPLICATE KEY UPDATE n = n + VALUES(n) + 1",
			40, 5, "SELECT COUNT(*), SUM(n) FROM u", "35|1805|"},
		{"INSERT INTO w VALUES " + tuples("(%d, %d)", 0, 8), 8, 2, "SELECT COUNT(*), SUM(n) FROM w", "8|28|"},
		{"INSERT INTO serial (id, n) VALUES (NULL, 1), (NULL, 2), " + tuples("(NULL, %[1]d + 0 * %[2]d)", 3, 18), 20, 3,
			"SELECT COUNT(*), SUM(n), LAST_INSERT_ID() = MIN(id) FROM serial", "20|210|1|"},
		{"UPDATE t SET v = v + 1 LIMIT 20", 20, 3, "SELECT COUNT(*), SUM(v) FROM t", "50|70|"},
		{"UPDATE t SET v = v + 1 WHERE v = 1 LIMIT 15", 15, 3, "SELECT COUNT(*), MIN(n), MAX(n) FROM t WHERE v = 2",
			"35|0|34|"},
		{"UPDATE t SET v = 3 ORDER BY n DESC", 50, 8, "SELECT MIN(v), MAX(v) FROM t", "3|3|"},
		{"UPDATE t SET v = (SELECT MAX(n) FROM o) WHERE EXISTS (SELECT 1 FROM o WHERE o.n = t.n AND o.n >= 30)", 20, 3,
			"SELECT COUNT(*), MIN(n) FROM t WHERE v = 49", "20|30|"},
		{"UPDATE t SET v = 5 WHERE n IN (SELECT n FROM o WHERE n < 10)", 10, 2, "SELECT COUNT(*), MAX(n) FROM t WHERE v = 5",
			"10|9|"},
		{"INSERT INTO w SELECT n + 100, n FROM t ORDER BY n DESC", 50, 8, "SELECT COUNT(*), SUM(n) FROM w WHERE id >= 100",
			"50|1225|"},
		{"INSERT INTO w SELECT n + 200, n FROM t WHERE n >= 5 LIMIT 16", 16, 3,
			"SELECT COUNT(*), MIN(n), MAX(n) FROM w WHERE id >= 200", "16|5|20|"},
		{"DELETE FROM o ORDER BY n DESC LIMIT 20", 20, 3, "SELECT COUNT(*), MAX(n) FROM o", "30|29|"},
		{"DELETE FROM o WHERE n > 3 ORDER BY n LIMIT 15", 15, 3, "SELECT COUNT(*), SUM(n < 4), MIN(IF(n < 4, 99, n)) FROM o",
			"15|4|19|"},
		{"DELETE FROM t LIMIT 21", 21, 3, "SELECT COUNT(*), MIN(n) FROM t", "29|21|"},
		{"DELETE FROM t WHERE _id IN (SELECT CONCAT('k00', n) FROM o)", 9, 2, "SELECT COUNT(*) FROM t", "20|"},
		{"DELETE FROM w WHERE NOT EXISTS (SELECT 1 FROM t WHERE t.n = w.n)", 54, 8, "SELECT COUNT(*), MIN(n) FROM w",
			"20|30|"},
	} {
		if rows := affected(t, conn, s.statement); rows != s.rows {
			t.Errorf("%s: %d rows, want %d", s.statement, rows, s.rows)
		}
		warnings := harness.TextOf(t, conn, "SHOW WARNINGS")
		if !strings.Contains(warnings, fmt.Sprintf("committed in %d batches: it was not atomic", s.batches)) {
			t.Errorf("%s: the warnings are %s, want %d batches", s.statement, warnings, s.batches)
		}
		harness.WantText(t, conn, s.query, s.want)
		harness.WantText(t, conn, "SELECT COUNT(*) FROM sqlfdb.jobs WHERE kind = 'statement'", "0|")
	}
	harness.CheckTables(t, conn, "t", "u", "w", "o", "serial")
	// What is to be said of the statement itself is said once.
	if rows := affected(t, conn, "UPDATE t SET v = v + 1 WHERE nowhere IS NULL"); rows != 20 {
		t.Errorf("%d rows", rows)
	}
	if warnings := harness.TextOf(t, conn, "SHOW WARNINGS"); strings.Count(warnings, "nowhere") != 1 ||
		!strings.Contains(warnings, "3 batches") {
		t.Errorf("the warnings are %s", warnings)
	}
	// IGNORE makes a note of each row, of which not all are kept.
	harness.MustRun(t, conn, "SET sqlfdb_batch_rows = 600", "INSERT INTO w VALUES "+tuples("(%d + 1000, %d)", 0, 1500))
	for _, setting := range []string{"SET sqlfdb_bulk_writes = 'batched'", "SET sqlfdb_bulk_writes = 'atomic'"} {
		harness.MustRun(t, conn, setting)
		if rows := affected(t, conn, "INSERT IGNORE INTO w VALUES "+tuples("(%d + 1000, %d)", 0, 2200)); rows != 700 {
			t.Errorf("%s: %d rows", setting, rows)
		}
		harness.WantText(t, conn, "SELECT @@warning_count BETWEEN 1024 AND 1025", "1|")
		harness.MustRun(t, conn, "DELETE FROM w WHERE id >= 2500")
	}
}

// TestBulkWritesRanked: ORDER BY with LIMIT says which rows a statement in batches changes, also where it changes what
// they are sorted by, and where many are equal in it.
func TestBulkWritesRanked(t *testing.T) {
	conn, _ := harness.StartShort(t, 0)
	harness.MustRun(t, conn, "SET sqlfdb_bulk_writes = 'batched'", "SET sqlfdb_batch_rows = 7",
		"CREATE TABLE w (id INT AUTO_INCREMENT PRIMARY KEY, n INT)")
	for _, s := range []struct{ statement, rows, condition string }{
		{"SET v = v + 1000 ORDER BY v DESC LIMIT 20", "20", "v >= 1000"},
		{"SET v = v - 1000 ORDER BY v, _id LIMIT 20", "20", "v < 0"},
		{"SET v = -v - 1 WHERE n >= 10 ORDER BY n DIV 4 DESC, n LIMIT 22", "22", "v < 0"},
		{"SET word = 'zzz' ORDER BY word, n LIMIT 23", "23", "word = 'zzz'"},
		{"SET hit = 1 ORDER BY word DESC, day, n DESC LIMIT 24", "24", "hit = 1"},
		{"SET hit = 1 ORDER BY day DESC, n LIMIT 25", "25", "hit = 1"},
		{"SET hit = 1 ORDER BY price LIMIT 26", "26", "hit = 1"},
		{"SET hit = 1 ORDER BY mixed DESC, n LIMIT 27", "27", "hit = 1"},
		{"SET hit = 1 ORDER BY half, n DESC LIMIT 28", "28", "hit = 1"},
		{"SET hit = 1 ORDER BY half IS NULL, double_ DESC, n LIMIT 29", "29", "hit = 1"},
		{"SET hit = 1 ORDER BY at, n LIMIT 30", "30", "hit = 1"},
		{"SET hit = 1 ORDER BY raw LIMIT 31", "31", "hit = 1"},
		{"SET hit = 1 ORDER BY same LIMIT 32", "32", "hit = 1"},
		{"SET hit = 1 ORDER BY n LIMIT 600", "50", "hit = 1"},
		{"SET hit = 1 WHERE _id BETWEEN 'k0010' AND 'k0030' ORDER BY n DESC LIMIT 15", "15", "hit = 1"},
	} {
		var tables [2]string // in batches, and as a whole
		for i, setting := range []string{"batched", "atomic"} {
			harness.MustRun(t, conn, "SET sqlfdb_bulk_writes = 'atomic'", "DROP TABLE IF EXISTS r",
				"CREATE TABLE r (_id VARCHAR(255) PRIMARY KEY, at TIME, raw VARBINARY(9), day DATETIME(6), price DECIMAL(20,"+
					"5), double_ DOUBLE, _doc JSON)")
			for k := range 50 {
				half := "NULL"
				if k%2 == 0 {
					half = fmt.Sprint(k / 4)
				}
				mixed := fmt.Sprintf(`'"text%d"'`, k%9)
				if k%3 == 0 {
					mixed = fmt.Sprint(k % 8)
				}
				at := (k * 37) % 50 // another order than that of the key
				harness.MustRun(t, conn,
					fmt.Sprintf(`INSERT INTO r (_id, n, v, word, at, raw, day, price, double_, half, mixed, same,
						hit) VALUES ('k%04d', %d, %d, 'wörd%d', '%02d:00:%02d',
					x'%02xff', '2020-01-%02d 10:00:00.123456', %d.00001, %d * 1e-300, %s, CAST(%s AS JSON), 1, 0)`, k, k, at, at%13,
						at%20, at, at, at%28+1, at, at%11, half, mixed))
			}
			harness.MustRun(t, conn, "SET sqlfdb_bulk_writes = '"+setting+"'")
			if rows := fmt.Sprint(affected(t, conn, "UPDATE r "+s.statement)); rows != s.rows {
				t.Errorf("%s, %s: %s rows", setting, s.statement, rows)
			}
			if batched := strings.Contains(harness.TextOf(t, conn, "SHOW WARNINGS"), "it was not atomic"); batched != (i == 0) {
				t.Errorf("%s, %s: in batches: %v", setting, s.statement, batched)
			}
			tables[i] = harness.TextOf(t, conn, "SELECT COUNT(*), GROUP_CONCAT(n ORDER BY n) FROM r WHERE "+s.condition)
			harness.CheckTables(t, conn, "r")
		}
		if tables[0] != tables[1] {
			t.Errorf("%s:\n%s in batches\n%s as a whole", s.statement, tables[0], tables[1])
		}
	}
	harness.MustRun(t, conn, "SET sqlfdb_bulk_writes = 'batched'", "CREATE TABLE s (id INT PRIMARY KEY, n INT)")
	if rows := affected(t, conn, "INSERT INTO s SELECT 1000 - n, n FROM r ORDER BY v DESC LIMIT 20"); rows != 20 {
		t.Errorf("%d rows", rows)
	}
	harness.WantText(t, conn,
		"SELECT (SELECT GROUP_CONCAT(n ORDER BY n) FROM s) = (SELECT GROUP_CONCAT(n ORDER BY n) FROM (SELECT n FROM r "+
			"ORDER BY v DESC LIMIT 20) d)", "1|")
	for _, whole := range []string{"INSERT INTO w (n) SELECT n FROM r ORDER BY v LIMIT 20",
		"INSERT INTO s SELECT n + 5000, n FROM r ORDER BY n LIMIT 20 OFFSET 5",
		"UPDATE r SET v = v + 1 ORDER BY RAND(3) LIMIT 20",
		"UPDATE r SET v = v + 1 ORDER BY TIMESTAMPDIFF(MICROSECOND, day, NOW(6)) LIMIT 20",
		"INSERT INTO s SELECT n + 6000, RAND() * 1000 AS x FROM r ORDER BY x LIMIT 20",
		"INSERT INTO s SELECT n + 7000, RAND() * 1000 FROM r ORDER BY 2 LIMIT 20"} {
		if rows := affected(t, conn, whole); rows != 20 {
			t.Errorf("%s: %d rows", whole, rows)
		}
		if warnings := harness.TextOf(t, conn, "SHOW WARNINGS"); strings.Contains(warnings, "batches") {
			t.Errorf("%s: the warnings are %s", whole, warnings)
		}
	}
	harness.CheckTables(t, conn, "r", "s", "w")
}

// TestBulkWritesJoined: UPDATE and DELETE of one table of a join in batches mean what they mean as a whole.
func TestBulkWritesJoined(t *testing.T) {
	conn, _ := harness.StartShort(t, 0)
	for _, s := range []struct {
		statement string
		batches   int // 0: as a whole
	}{
		{"UPDATE t JOIN o ON o.k = t._id SET t.v = o.n * 10", 7},
		{"UPDATE t JOIN o ON o.k = t._id SET t.v = t.v + o.n WHERE o.n % 2 = 0", 7},
		{"UPDATE o, t SET t.v = t.v + 5 WHERE o.k = t._id AND t._id > 'k0012'", 2},
		{"UPDATE t AS x LEFT JOIN o ON o.k = x._id SET x.v = COALESCE(o.n, -1)", 7},
		{"UPDATE o RIGHT JOIN t ON o.k = t._id SET t.v = COALESCE(o.n, -2)", 7},
		{"UPDATE o LEFT JOIN t ON o.k = t._id SET t.v = o.n", 7},
		{"UPDATE t JOIN many m ON m.t = t._id SET t.v = t.v + 1", 7},
		{"UPDATE t JOIN many m ON m.t < t._id JOIN o ON o.n = m.n SET t.v = o.n + 50 WHERE m.n < 3", 7},
		{"UPDATE t JOIN o ON o.k = t._id SET t.v = (SELECT MAX(n) FROM many) WHERE EXISTS (SELECT 1 FROM many WHERE " +
			"many.t = t._id)", 7},
		{"UPDATE t JOIN o ON o.k = t._id SET t.v = 5 WHERE t.n > 1000", 0},
		{"UPDATE f.t JOIN f.o ON o.k = t._id SET f.t.v = 5", 7},
		{"DELETE t FROM t JOIN o ON o.k = t._id WHERE o.n < 15", 6},
		{"DELETE FROM t USING t JOIN many ON many.t = t._id", 7},
		{"DELETE x FROM t x LEFT JOIN o ON o.k = x._id WHERE o.k IS NULL", 7},
		{"DELETE t FROM o, t WHERE t.n = o.n + 3", 7},
		{"UPDATE c JOIN o ON o.n = c.a SET c.v = o.n + 1", 7},
		{"UPDATE c JOIN o ON o.n = a SET v = n + 1", 7},
		{"DELETE c FROM c JOIN o ON o.n = c.b", 6},
		{"UPDATE t JOIN t u ON u.n = t.n SET t.v = u.v + 1", 0},
		{"UPDATE t JOIN o ON o.k = t._id SET t.v = 1, o.n = 2", 0},
		{"UPDATE t JOIN (SELECT k FROM o) q ON q.k = t._id SET t.v = 3", 0},
		{"DELETE t, o FROM t JOIN o ON o.k = t._id", 0},
		{"DELETE t FROM t JOIN o ON o.k = t._id WHERE t.n IN (SELECT n FROM t u WHERE u.n < 5)", 0},
	} {
		var after [2]string
		for i, setting := range []string{"batched", "atomic"} {
			harness.MustRun(t, conn, "SET sqlfdb_bulk_writes = 'atomic'", "DROP TABLE IF EXISTS t, o, many, c",
				"CREATE TABLE o (k VARCHAR(9) PRIMARY KEY, n INT)",
				"CREATE TABLE many (id INT PRIMARY KEY, t VARCHAR(9), n INT)",
				"CREATE TABLE c (a INT, b INT, v INT, PRIMARY KEY (a, b))")
			fillBatches(t, conn, "t", 20)
			harness.MustRun(t, conn, "INSERT INTO o SELECT _id, n FROM t WHERE n % 3 <> 1",
				"INSERT INTO c SELECT n, n + 5, 0 FROM t",
				"INSERT INTO many SELECT n * 2, CONCAT('k00', LPAD(n DIV 4, 2, '0')), n FROM t",
				"INSERT INTO many SELECT n * 2 + 1, _id, 100 FROM t WHERE n > 12")
			harness.MustRun(t, conn, "SET sqlfdb_bulk_writes = '"+setting+"'", "SET sqlfdb_batch_rows = 3")
			rows := affected(t, conn, s.statement)
			warnings := harness.TextOf(t, conn, "SHOW WARNINGS")
			told := strings.Contains(warnings, "it was not atomic")
			if i == 0 && told != (s.batches > 0) || told &&
				!strings.Contains(warnings, fmt.Sprintf("committed in %d batches", s.batches)) || i == 1 && told {
				t.Errorf("%s: %s: %s, want %d batches", s.statement, setting, warnings, s.batches)
			}
			after[i] = fmt.Sprintf("%d rows %v: %s\n%s\n%s", rows, told,
				harness.TextOf(t, conn, "SELECT _id, n, v FROM t ORDER BY _id"),
				harness.TextOf(t, conn, "SELECT * FROM o"), harness.TextOf(t, conn, "SELECT * FROM c"))
			harness.CheckTables(t, conn, "t", "o", "many", "c")
			harness.WantText(t, conn, "SELECT COUNT(*) FROM sqlfdb.jobs WHERE kind = 'statement'", "0|")
		}
		batched, whole := strings.Replace(after[0], "true", "false", 1), after[1]
		if batched != whole {
			t.Errorf("%s: in batches\n%s\nas a whole\n%s", s.statement, after[0], after[1])
		}
	}
}

// TestBulkInsertJoined: INSERT of what a join selects means in batches what it means as a whole, also from joins of a
// table with itself and into the table that the join goes along.
func TestBulkInsertJoined(t *testing.T) {
	conn, _ := harness.StartShort(t, 0)
	for _, s := range []struct {
		statement string
		batches   int // 0: as a whole
	}{
		{"INSERT INTO w SELECT t.n, o.n FROM t JOIN o ON o.k = t._id", 7},
		{"INSERT INTO w (id, n) SELECT q.id, o.n FROM o JOIN many q JOIN t ON o.k = t._id AND q.t = t._id", 5},
		{"INSERT INTO w SELECT t.n, o.n FROM t LEFT JOIN o ON o.k = t._id", 7},
		{"INSERT INTO w SELECT t.n, o.n FROM o RIGHT JOIN t ON o.k = t._id", 7},
		{"INSERT INTO w SELECT m.id, t.n FROM o LEFT JOIN t ON o.n = t.n + 15 JOIN many m ON m.n = o.n", 5},
		{"INSERT INTO w SELECT m.id, t.n FROM (o LEFT JOIN t ON o.n = t.n + 15) RIGHT JOIN many m ON m.n = o.n", 9},
		{"INSERT INTO w SELECT t.n * 100 + m.id, m.n FROM t, many m WHERE m.t < t._id", 7},
		{"INSERT INTO w SELECT t.n * 100 + m.id, m.n FROM t CROSS JOIN many m ORDER BY m.id", 0},
		{"INSERT INTO w SELECT t.n, o.n FROM t JOIN o ON o.k = t._id LIMIT 5", 0},
		{"INSERT INTO w SELECT DISTINCT t.n, o.n FROM t JOIN o ON o.k = t._id", 0},
		{"INSERT INTO w SELECT t.n, COUNT(*) FROM t JOIN many m ON m.t = t._id GROUP BY t.n", 0},
		{"INSERT INTO w SELECT t.n, ROW_NUMBER() OVER (ORDER BY t.n) FROM t JOIN o ON o.k = t._id", 0},
		{"INSERT INTO w SELECT t.n, d.n FROM t JOIN (SELECT k, n FROM o) d ON d.k = t._id", 0},
		{"INSERT INTO w SELECT a.n * 100 + b.n, b.n FROM t a JOIN t b ON b.n < a.n", 7},
		{"INSERT INTO w SELECT b.n * 100 + A.n, B.n FROM T A JOIN f.t AS `B` ON b.n < a.n", 7},
		{"INSERT INTO w SELECT t.n * 100 + b.n, b.n FROM t JOIN t b ON b.n = t.n + 1 OR b.n = t.n", 7},
		{"INSERT INTO w SELECT a.n, b.n FROM t a LEFT JOIN t b ON b._id = CONCAT('k00', LPAD(a.n + 3, 2, '0'))", 7},
		{"INSERT INTO w SELECT a.n * 10000 + b.n * 100 + c.n, 1 FROM t c JOIN t a JOIN t b ON a.n = b.n + 1 AND c.n = " +
			"a.n + 1", 7},
		{"INSERT INTO w SELECT t.n, o.n FROM f.t JOIN f.o ON f.o.k = f.t._id WHERE f.t._id > 'k0005'", 5},
		{"INSERT INTO w SELECT t.n, o.n FROM t JOIN o ON o.k = t._id WHERE EXISTS (SELECT 1 FROM many WHERE many.n = t.n)",
			7},
		{"INSERT INTO w SELECT t.n, o.n FROM t JOIN o ON o.k = t._id WHERE t.n NOT IN (SELECT id FROM w)", 0},
		{"INSERT IGNORE INTO w SELECT t.n DIV 2, o.n FROM t JOIN o ON o.n >= 18", 7},
		{"REPLACE INTO w SELECT t.n, o.n FROM t JOIN o ON o.k = t._id", 7},
		{"INSERT INTO w SELECT t.n DIV 4, 1 FROM t JOIN o ON o.k = t._id ON DUPLICATE KEY UPDATE n = w.n + 1", 7},
		// behind each window of 3, two of the 6 rows that its last document has inserted
		{"INSERT INTO t (_id, n) SELECT CONCAT(t._id, '-', o.n), t.n FROM t JOIN o ON o.n < 9", 19},
		{"INSERT INTO t (_id, n) SELECT CONCAT('a', t._id), t.n FROM t LEFT JOIN o ON o.k = t._id", 7},
		{"INSERT INTO t (_id, n) SELECT CONCAT('z', o.k), o.n FROM o JOIN t ON o.k = t._id", 0},
		{"INSERT INTO t (_id, n) SELECT CONCAT(a._id, b._id), a.n FROM t a JOIN t b ON a.n = b.n + 1", 0},
		{"REPLACE INTO t (_id, n) SELECT t._id, o.n + 1 FROM t JOIN o ON o.k = t._id", 0},
		{"INSERT INTO t (_id, n, v) SELECT CONCAT(_id, 'x'), n, 7 FROM t", 7},
		// 20 documents and the 13 that are inserted behind them; the last window changes nothing
		{"INSERT INTO c SELECT c.a + 100, c.b, o.n FROM c JOIN o ON o.n = c.a", 10},
		{"INSERT INTO serial (n) SELECT t.n FROM t JOIN o ON o.k = t._id", 7},
	} {
		var after [2]string
		for i, setting := range []string{"batched", "atomic"} {
			harness.MustRun(t, conn, "SET sqlfdb_bulk_writes = 'atomic'", "DROP TABLE IF EXISTS t, o, many, c, w, serial",
				"CREATE TABLE o (k VARCHAR(9) PRIMARY KEY, n INT)",
				"CREATE TABLE many (id INT PRIMARY KEY, t VARCHAR(9), n INT)",
				"CREATE TABLE c (a INT, b INT, v INT, PRIMARY KEY (a, b))", "CREATE TABLE w (id INT PRIMARY KEY, n INT)",
				"CREATE TABLE serial (id INT AUTO_INCREMENT PRIMARY KEY, n INT)")
			fillBatches(t, conn, "t", 20)
			harness.MustRun(t, conn, "INSERT INTO o SELECT _id, n FROM t WHERE n % 3 <> 1",
				"INSERT INTO c SELECT n, n + 5, 0 FROM t",
				"INSERT INTO w VALUES (1000000, 0)",
				"INSERT INTO many SELECT n * 2, CONCAT('k00', LPAD(n DIV 4, 2, '0')), n FROM t",
				"INSERT INTO many SELECT n * 2 + 1, _id, 100 FROM t WHERE n > 12")
			harness.MustRun(t, conn, "SET sqlfdb_bulk_writes = '"+setting+"'", "SET sqlfdb_batch_rows = 3")
			rows := affected(t, conn, s.statement)
			warnings := harness.TextOf(t, conn, "SHOW WARNINGS")
			told := strings.Contains(warnings, "it was not atomic")
			if i == 0 && told != (s.batches > 0) || told &&
				!strings.Contains(warnings, fmt.Sprintf("committed in %d batches", s.batches)) || i == 1 && told {
				t.Errorf("%s: %s: %s, want %d batches", s.statement, setting, warnings, s.batches)
			}
			after[i] = fmt.Sprintf("%d rows: %s\n%s\n%s\n%s", rows,
				harness.TextOf(t, conn, "SELECT _id, n, v FROM t ORDER BY _id"),
				harness.TextOf(t, conn, "SELECT * FROM w ORDER BY id"),
				harness.TextOf(t, conn, "SELECT * FROM c ORDER BY a, b"),
				harness.TextOf(t, conn, "SELECT n FROM serial ORDER BY n"))
			harness.CheckTables(t, conn, "t", "o", "many", "c", "w", "serial")
			harness.WantText(t, conn, "SELECT COUNT(*) FROM sqlfdb.jobs WHERE kind = 'statement'", "0|")
		}
		if after[0] != after[1] {
			t.Errorf("%s: in batches\n%s\nas a whole\n%s", s.statement, after[0], after[1])
		}
	}
}

// TestBulkInsertJoinedRefused: what of joins can't be committed in batches says why, and so does a row that is joined
// with too many.
func TestBulkInsertJoinedRefused(t *testing.T) {
	conn, _ := harness.StartShort(t, 0)
	harness.MustRun(t, conn, "CREATE TABLE a (id INT PRIMARY KEY, s LONGTEXT)", "CREATE TABLE b (id INT PRIMARY KEY)",
		"CREATE TABLE w (a INT, b INT, s LONGTEXT, PRIMARY KEY (a, b))",
		"INSERT INTO a VALUES (1, REPEAT('x', 1800000)), (2, REPEAT('y', 1800000))",
		"INSERT INTO b VALUES (0), (1), (2), (3), (4), (5)", "SET sqlfdb_bulk_writes = 'batched'")
	for statement, why := range map[string]string{
		"INSERT INTO w SELECT a.id, b.id, s FROM a, b " +
			"LIMIT 10": "a join with ORDER BY or LIMIT",
		"INSERT INTO w SELECT a.id, b.id, MAX(s) FROM a, b GROUP BY a.id," +
			" b.id": "rows that are made of several",
		"INSERT INTO w SELECT DISTINCT a.id, b.id, s " +
			"FROM a, b": "rows that are made of several",
		"INSERT INTO w SELECT a.id, b.id, s FROM a JOIN (SELECT id " +
			"FROM b) b": "a join with a derived table",
		"INSERT INTO w SELECT a.id, b.id, a.s FROM b JOIN a LEFT JOIN w ON w.a = a.id AND " +
			"w.b = 1": "a join that reads the table that it writes to beside the one that it goes along",
		"INSERT INTO w SELECT a.id, b.id, s " +
			"FROM a, b": "a single row is too large, or joined with too many",
	} {
		harness.WantError(t, conn, statement, 1197, "too large", why)
		harness.WantText(t, conn, "SELECT COUNT(*) FROM w", "0|")
	}
	if rows := affected(t, conn, "INSERT INTO w SELECT a.id, b.id, s FROM b, a"); rows != 12 {
		t.Errorf("%d rows", rows)
	}
	if warnings := harness.TextOf(t, conn, "SHOW WARNINGS"); !strings.Contains(warnings, "it was not atomic") {
		t.Errorf("the warnings are %s", warnings)
	}
	harness.WantText(t, conn, "SELECT COUNT(*), COUNT(DISTINCT b), MIN(LENGTH(s)), COUNT(DISTINCT s) FROM w",
		"12|6|1800000|2|")
	harness.CheckTables(t, conn, "a", "b", "w")
}

// TestBulkRankedInterrupted: UPDATE with ORDER BY and LIMIT, or with a join, goes on behind what was committed when it
// is given again: with the rows that it had begun with, though they have left their places in the order.
func TestBulkRankedInterrupted(t *testing.T) {
	conn, _ := harness.StartShort(t, 0)
	harness.MustRun(t, conn, "CREATE TABLE w (id INT PRIMARY KEY, n INT NOT NULL, k INT)",
		"CREATE TABLE o (id INT PRIMARY KEY)",
		"SET sqlfdb_bulk_writes = 'batched'", "SET sqlfdb_batch_rows = 4")
	const mended = "UPDATE w SET n = 0 WHERE id = 18"
	for _, c := range []struct{ statement, mended, want string }{
		{"UPDATE w SET n = NULLIF(n + 30, 150), k = k - 100 ORDER BY k DESC LIMIT 18", mended,
			"30|18|0,2,4,6,8,10,12,14,16,18,20,22,24,25,26,27,28,29|"},
		{"UPDATE w JOIN o ON o.id = w.id SET w.n = NULLIF(w.n + 30, 150)", mended, "30|10|0,3,6,9,12,15,18,21,24,27|"},
		{"INSERT INTO w (id, n) SELECT w.id + 100, IF(o.id = 18, NULL, 30) FROM w LEFT JOIN o ON o.id = w.id",
			"DELETE FROM o WHERE id = 18",
			"120|30|100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115,116,117,118,119,120,121,122,123,124," +
				"125,126,127,128,129|"},
		{"INSERT INTO w (id, n) SELECT o.id * 100 + p.id + 100, IF(o.id = 18 AND p.id = 3, NULL, 30) FROM o JOIN o p " +
			"ON p.id <= 3", "DELETE FROM o WHERE id = 18",
			"120|18|100,103,400,403,700,703,1000,1003,1300,1303,1600,1603,2200,2203,2500,2503,2800,2803|"},
	} {
		harness.MustRun(t, conn, "DELETE FROM w", "DELETE FROM o",
			"INSERT INTO w SELECT a, 0, IF(a % 2 = 0, 50, 0) + a FROM (WITH RECURSIVE s(a) AS (SELECT 0 UNION ALL SELECT "+
				"a + 1 FROM s WHERE a < 29) SELECT a FROM s) q",
			"INSERT INTO o SELECT id FROM w WHERE id % 3 = 0", "UPDATE w SET n = 120 WHERE id = 18")
		harness.WantError(t, conn, c.statement, 1048,
			"batches before that and stay so, and the same statement, given again within 24 hours, goes on behind them")
		harness.WantText(t, conn, "SELECT COUNT(*) > 3 FROM w WHERE n = 30", "1|")
		harness.MustRun(t, conn, c.mended)
		affected(t, conn, c.statement)
		if warnings := harness.TextOf(t, conn, "SHOW WARNINGS"); !strings.Contains(warnings,
			"went on from where an earlier run was interrupted") {
			t.Errorf("%s: the warnings are %s", c.statement, warnings)
		}
		harness.WantText(t, conn, "SELECT MAX(n), SUM(n = 30), GROUP_CONCAT(IF(n = 30, id, NULL) ORDER BY id) FROM w", c.want)
	}
	harness.CheckTables(t, conn, "w", "o")
}

// TestBulkSameInterrupted: INSERT … SELECT into the table that it reads goes on with what others have changed while it
// did not run, as often as it is interrupted, and without what it has inserted itself.
func TestBulkSameInterrupted(t *testing.T) {
	conn, _ := harness.StartShort(t, 0)
	harness.MustRun(t, conn, "CREATE TABLE w (id INT PRIMARY KEY, n INT NOT NULL)", "CREATE TABLE o (id INT PRIMARY KEY)",
		"INSERT INTO o VALUES "+tuples("(%d + 0*%d)", 0, 60),
		"SET sqlfdb_bulk_writes = 'batched'", "SET sqlfdb_batch_rows = 4")
	for _, statement := range []string{
		"INSERT INTO w SELECT id + 100, NULLIF(n + 30, 150) FROM w",
		"INSERT INTO w SELECT w.id + 100, NULLIF(w.n + 30, 150) FROM w JOIN o ON o.id = w.id",
	} {
		harness.MustRun(t, conn, "DELETE FROM w",
			"INSERT INTO w SELECT id, IF(id IN (10, 18, 26), 120, 0) FROM o WHERE id < 30")
		for _, failing := range []int{10, 18, 26} {
			harness.WantError(t, conn, statement, 1048, "goes on behind them")
			harness.WantText(t, conn, fmt.Sprintf("SELECT COUNT(*) > 3, MAX(id) < 100 + %d FROM w WHERE n = 30", failing),
				"1|1|")
			harness.WantError(t, conn, statement, 1048, "goes on behind them")
			harness.MustRun(t, conn, fmt.Sprintf("REPLACE INTO w VALUES (%d, 0), (%d, 0)", failing, failing+20),
				"UPDATE w SET n = 0 WHERE id = 2")
		}
		affected(t, conn, statement)
		harness.WantText(t, conn,
			"SELECT COUNT(*), COUNT(DISTINCT id), SUM(n), GROUP_CONCAT(IF(id >= 129, id, NULL) ORDER BY id) FROM w",
			"66|66|990|129,130,138,146|")
		harness.CheckTables(t, conn, "w", "o")
	}
}

// TestBulkScalarInterrupted: a scalar subquery that depends on no row has one value in all batches, that of the first,
// also when the statement goes on later.
func TestBulkScalarInterrupted(t *testing.T) {
	conn, _ := harness.StartShort(t, 0)
	harness.MustRun(t, conn, "CREATE TABLE w (id INT PRIMARY KEY, n INT NOT NULL)",
		"CREATE TABLE o (id INT PRIMARY KEY, e ENUM('x', 'y', 'z'), d DATETIME(6), s TEXT)",
		"SET sqlfdb_bulk_writes = 'batched'", "SET sqlfdb_batch_rows = 4",
		"INSERT INTO w VALUES "+tuples("(%d, 0*%d)", 0, 30))
	for _, condition := range []string{
		"id < (SELECT MAX(id) FROM o)",
		"id < (SELECT MAX(id) FROM o WHERE id <= (SELECT MAX(id) FROM o)) AND 'x' = (SELECT e FROM o ORDER BY id DESC " +
			"LIMIT 1)",
		"id < 12 AND (SELECT d FROM o ORDER BY id DESC LIMIT 1) < '2020-01-01'",
		"id < 12 AND (12, 'old') = (SELECT id, s FROM o ORDER BY id DESC LIMIT 1)",
	} {
		harness.MustRun(t, conn, "DELETE FROM o", "INSERT INTO o VALUES (12, 'x', '2019-12-31 23:59:59.999999', 'old')",
			"UPDATE w SET n = IF(id = 10, 120, 0)")
		statement := "UPDATE w SET n = NULLIF(n + 30, 150) WHERE " + condition
		harness.WantError(t, conn, statement, 1048, "8 rows were changed in 2 batches before that and stay so")
		harness.MustRun(t, conn, "INSERT INTO o VALUES (20, 'y', '2020-01-01', 'new')", "UPDATE w SET n = 0 WHERE id = 10")
		if rows := affected(t, conn, statement); rows != 12 {
			t.Errorf("%s: %d rows, want 12", statement, rows)
		}
		harness.WantText(t, conn, "SELECT SUM(n = 30), SUM(n = 30 AND id < 12), SUM(n) FROM w", "12|12|360|")
	}
	harness.CheckTables(t, conn, "w", "o")
}

// TestBulkScalarKept: so it is for INSERT … SELECT, DELETE and joins.
func TestBulkScalarKept(t *testing.T) {
	conn, _ := harness.StartShort(t, 0)
	harness.MustRun(t, conn, "CREATE TABLE w (id INT PRIMARY KEY, n INT NOT NULL)",
		"CREATE TABLE j (id INT PRIMARY KEY, n INT NOT NULL)", "CREATE TABLE u (id INT PRIMARY KEY, n INT NOT NULL)",
		"CREATE TABLE o (id INT PRIMARY KEY)", "INSERT INTO j VALUES "+tuples("(%d, %d)", 0, 30),
		"SET sqlfdb_bulk_writes = 'batched'", "SET sqlfdb_batch_rows = 4")
	for _, c := range []struct {
		statement string
		number    uint16
		query     string
	}{
		{"INSERT INTO u SELECT id, NULLIF(n + 30, 150) FROM w WHERE id < (SELECT MAX(id) FROM o)", 1048,
			"SELECT COUNT(*), MAX(id), SUM(n = 30) FROM u"},
		{"INSERT INTO u SELECT w.id, NULLIF(w.n + 30, 150) FROM w JOIN j ON j.id = w.id WHERE w.id < (SELECT MAX(id) FROM o)",
			1048, "SELECT COUNT(*), MAX(id), SUM(n = 30) FROM u"},
		{"INSERT INTO u SELECT w.id, NULLIF(w.n + 30, 150) FROM w LEFT JOIN j ON j.id = w.id AND j.id < (SELECT " +
			"MAX(id) FROM o) WHERE j.id IS NOT NULL", 1048, "SELECT COUNT(*), MAX(id), SUM(n = 30) FROM u"},
		{"REPLACE INTO u SELECT id, NULLIF(n + 30, 150) FROM w WHERE id < (SELECT MAX(id) FROM o)", 1048,
			"SELECT COUNT(*), MAX(id), SUM(n = 30) FROM u"},
		{"UPDATE w JOIN j ON j.id = w.id SET w.n = NULLIF(w.n + 30, 150) WHERE j.n < (SELECT MAX(id) FROM o)", 1048,
			"SELECT SUM(n = 30), MAX(IF(n = 30, id, 0)), SUM(n) DIV 30 FROM w"},
		{"DELETE FROM w WHERE id < (SELECT MAX(id) FROM o) AND JSON_EXTRACT(IF(n = 120, '{', '1'), '$') = 1", 3141,
			"SELECT 30 - COUNT(*), MIN(id) - 1, SUM(id >= 12) - 6 FROM w"},
		{"DELETE w FROM w JOIN j ON j.id = w.id WHERE j.n < (SELECT MAX(id) FROM o) AND JSON_EXTRACT(IF(w.n + 0 * j.n " +
			"= 120, '{', '1'), '$') = 1", 3141, "SELECT 30 - COUNT(*), MIN(id) - 1, SUM(id >= 12) - 6 FROM w"},
	} {
		harness.MustRun(t, conn, "DELETE FROM o", "DELETE FROM u", "DELETE FROM w", "INSERT INTO o VALUES (12)",
			"INSERT INTO w SELECT id, IF(id = 10, 120, 0) FROM j")
		harness.WantError(t, conn, c.statement, c.number, "8 rows were changed in 2 batches before that and stay so")
		harness.MustRun(t, conn, "INSERT INTO o VALUES (20)", "UPDATE w SET n = 0 WHERE id = 10")
		if rows := affected(t, conn, c.statement); rows != 12 {
			t.Errorf("%s: %d rows, want 12", c.statement, rows)
		}
		harness.WantText(t, conn, c.query, "12|11|12|")
		harness.CheckTables(t, conn, "w", "j", "u", "o")
	}
}

// TestBulkValuesInterrupted: INSERT … VALUES, and DELETE with an order and LIMIT, go on behind what was
// committed when they are given again.
func TestBulkValuesInterrupted(t *testing.T) {
	conn, db := harness.StartShort(t, 0)
	fillBatches(t, conn, "t", 30)
	harness.MustRun(t, conn, "CREATE TABLE w (id INT PRIMARY KEY, n INT)", "INSERT INTO w VALUES (17, 0)",
		"SET sqlfdb_bulk_writes = 'batched'", "SET sqlfdb_batch_rows = 5")
	insert := "INSERT INTO w VALUES " + tuples("(%d, %d)", 0, 30)
	harness.WantError(t, conn, insert, 1062, "15 rows were changed in 3 batches", "goes on behind them")
	harness.WantText(t, conn, "SELECT COUNT(*) FROM w", "16|")
	harness.MustRun(t, conn, "DELETE FROM w WHERE id = 17")
	other, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	harness.MustRun(t, other, "SET sqlfdb_bulk_writes = 'batched'", "SET sqlfdb_batch_rows = 5")
	if rows := affected(t, other, insert); rows != 30 {
		t.Errorf("%d rows, want all 30", rows)
	}
	harness.WantText(t, conn, "SELECT COUNT(*), SUM(n) FROM w", "30|435|")
	harness.CheckTables(t, conn, "w")
}

// TestBulkWritesQueries: the rows of a query that reads no stored table are made once, and committed in batches.
func TestBulkWritesQueries(t *testing.T) {
	conn, db := harness.StartShort(t, 0)
	harness.MustRun(t, conn, "SET sqlfdb_bulk_writes = 'batched'", "SET sqlfdb_batch_rows = 7",
		"CREATE TABLE w (id INT PRIMARY KEY, n INT)", "CREATE TABLE o (id INT PRIMARY KEY)",
		"CREATE TABLE serial (id INT AUTO_INCREMENT PRIMARY KEY, n INT)")
	const (
		counter = "WITH RECURSIVE s (a) AS (SELECT 0 UNION ALL SELECT a + 1 FROM s WHERE a < 24) "
		digits  = "(SELECT 0 a UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3)"
	)
	for _, s := range []struct {
		statement string
		rows      int64
		batches   int
		query     string
		want      string
	}{
		{"INSERT INTO w " + counter + "SELECT a, a * 2 FROM s", 25, 4, "SELECT COUNT(*), SUM(n) FROM w", "25|600|"},
		{"INSERT IGNORE INTO w " + counter + "SELECT a + 10, 0 FROM s", 10, 2, "SELECT COUNT(*), SUM(n) FROM w", "35|600|"},
		{"REPLACE INTO w " + counter + "SELECT a + 15, 1 FROM s WHERE a < 20", 40, 5, "SELECT COUNT(*), SUM(n) FROM w",
			"35|230|"},
		{"INSERT INTO w " + counter + "SELECT a, 5 FROM s ON DUPLICATE KEY UPDATE n = n + VALUES(n)", 50, 7,
			"SELECT COUNT(*), SUM(n) FROM w", "35|355|"},
		{"INSERT INTO w " + counter + "SELECT a + 100, a FROM s ORDER BY a DESC LIMIT 15 OFFSET 2", 15, 3,
			"SELECT COUNT(*), MIN(n), MAX(n) FROM w WHERE id >= 100", "15|8|22|"},
		{"INSERT INTO w " + counter + "SELECT 200 + a DIV 2, COUNT(*) FROM s GROUP BY a DIV 2", 13, 2,
			"SELECT COUNT(*), MIN(n), MAX(n) FROM w WHERE id >= 200", "13|1|2|"},
		{"INSERT INTO w " + counter + "SELECT a + 300, SUM(a) OVER (ORDER BY a) FROM s", 25, 4,
			"SELECT COUNT(*), MIN(n), MAX(n) FROM w WHERE id >= 300", "25|0|300|"},
		{"INSERT INTO w SELECT 400 + d.a * 4 + e.a, e.a FROM " + digits + " d CROSS JOIN " + digits + " e", 16, 3,
			"SELECT COUNT(*), SUM(n) FROM w WHERE id >= 400", "16|24|"},
		{"INSERT INTO w SELECT 500 + a, a FROM " + digits + " d UNION ALL SELECT 510 + a, a FROM " + digits + " e", 8, 2,
			"SELECT COUNT(*), SUM(n) FROM w WHERE id >= 500", "8|12|"},
		{"INSERT INTO w SELECT 600 + a, 1 FROM JSON_TABLE('[1, 2, 3, 4, 5, 6, 7, 8, 9]', '$[*]' COLUMNS (a INT PATH '$')) j",
			9, 2, "SELECT COUNT(*), MAX(id) FROM w WHERE id >= 600", "9|609|"},
		{"INSERT INTO serial (n) " + counter + "SELECT a FROM s", 25, 4,
			"SELECT COUNT(DISTINCT id), SUM(n), LAST_INSERT_ID() = MIN(id) FROM serial", "25|300|1|"},
	} {
		if rows := affected(t, conn, s.statement); rows != s.rows {
			t.Errorf("%s: %d rows, want %d", s.statement, rows, s.rows)
		}
		warnings := harness.TextOf(t, conn, "SHOW WARNINGS")
		if !strings.Contains(warnings, fmt.Sprintf("committed in %d batches: it was not atomic", s.batches)) {
			t.Errorf("%s: the warnings are %s, want %d batches", s.statement, warnings, s.batches)
		}
		harness.WantText(t, conn, s.query, s.want)
	}
	harness.WantText(t, conn, "SELECT COUNT(*) FROM sqlfdb.jobs WHERE kind = 'statement'", "0|")
	harness.MustRun(t, conn, "INSERT INTO o SELECT id FROM w WHERE id < 20")
	harness.MustRun(t, conn, "CREATE TABLE texts (id INT PRIMARY KEY, s LONGTEXT)")
	for _, refused := range []struct{ query, why string }{
		{"WITH s AS (SELECT id FROM o) SELECT id, REPEAT('x', 1000000) FROM s", "WITH that reads tables"},
		{counter + "SELECT a, REPEAT('x', 1000000) FROM s JOIN o ON o.id = s.a", "WITH that reads tables"},
		{counter + "SELECT a + (SELECT MAX(id) FROM o), REPEAT('x', 1000000) FROM s", "WITH that reads tables"},
		{counter + "SELECT a, REPEAT('x', 1000000 + COALESCE(@a, 0)) FROM s", "WITH that reads tables"},
		{counter + "SELECT a, REPEAT('x', 1000000) FROM s WHERE a <> CONNECTION_ID() + 100", "WITH that reads tables"},
		{counter + "SELECT a, REPEAT('x', 1000000) FROM s ORDER BY RAND()", "RAND(), NOW() or their like"},
		{counter + "SELECT a, REPEAT('x', 1000000) FROM s WHERE RAND() < 2", "RAND(), NOW() or their like"},
		{counter + "SELECT a, REPEAT('x', 1000000 + RAND()) AS r FROM s ORDER BY r", "RAND(), NOW() or their like"},
		{counter + "SELECT DISTINCT a, REPEAT('x', 1000000 + SECOND(NOW())) FROM s", "RAND(), NOW() or their like"},
	} {
		harness.WantError(t, conn, "INSERT INTO texts "+refused.query, 1197, "it has "+refused.why)
	}
	harness.WantText(t, conn, "SELECT COUNT(*) FROM texts", "0|")
	if rows := affected(t, conn, "INSERT INTO w "+counter+"SELECT a + 2000, FLOOR(RAND() * 9) FROM s"); rows != 25 {
		t.Errorf("%d rows of random values", rows)
	}
	harness.MustRun(t, conn, "DELETE FROM w WHERE id >= 2000", "SET sql_mode = ''")
	texts := "INSERT INTO w " + counter + "SELECT a + 2000, CAST(CONCAT(a, 'x') AS SIGNED) FROM s"
	if rows := affected(t, conn, texts); rows != 25 {
		t.Errorf("%d rows of texts", rows)
	}
	if warnings := harness.TextOf(t, conn, "SHOW WARNINGS"); strings.Count(warnings, "Truncated incorrect") != 25 {
		t.Errorf("the warnings are %s", warnings)
	}
	harness.MustRun(t, conn, "DELETE FROM w WHERE id >= 2000", "SET sql_mode = DEFAULT")

	// It goes on where it was interrupted, also in another session.
	harness.MustRun(t, conn, "INSERT INTO w VALUES (1017, 0)")
	insert := "INSERT INTO w " + counter + "SELECT a + 1000, a FROM s"
	harness.WantError(t, conn, insert, 1062, "14 rows were changed in 2 batches", "goes on behind them")
	harness.MustRun(t, conn, "DELETE FROM w WHERE id = 1017")
	other, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	harness.MustRun(t, other, "SET sqlfdb_bulk_writes = 'batched'", "SET sqlfdb_batch_rows = 5")
	if rows := affected(t, other, insert); rows != 25 {
		t.Errorf("%d rows, want all 25", rows)
	}
	harness.WantText(t, conn, "SELECT COUNT(*), SUM(n) FROM w WHERE id >= 1000", "25|300|")

	// What is held counts: twelve rows of a megabyte.
	harness.MustRun(t, other, "SET sqlfdb_statement_bytes = 16777216")
	large := counter + "SELECT a, REPEAT(CHAR(65 + a), 1000000) FROM s WHERE a < "
	harness.WantError(t, other, "INSERT INTO texts "+large+"20", 3170)
	harness.MustRun(t, other, "INSERT INTO texts "+large+"12", "DELETE FROM texts", "INSERT INTO texts "+large+"12")
	harness.CheckTables(t, conn, "w", "o", "serial", "texts")
}

// eachFault runs a statement while one operation of the store meets a fault, again with other operations, and
// gives it again where it fails; done looks at what it has made, of how many rows it told at last, and undoes it.
func eachFault(t *testing.T, r *harness.FaultRun, statement string, done func(what string, rows int64)) {
	t.Helper()
	for _, fault := range faultkv.Faults() {
		step := int64(*harness.FaultEvery) * 3
		if fault.OfCommits() {
			step = 1
		}
		for at := int64(2); ; at += step {
			commits := int64(0)
			r.Store.Inject(func(c faultkv.Call) faultkv.Fault {
				if c.Op == faultkv.Commit {
					commits++
				}
				if fault.OfCommits() && c.Op == faultkv.Commit && commits == at-1 || !fault.OfCommits() && c.Number == at {
					return fault
				}
				return faultkv.None
			})
			rows := int64(-1)
			for attempt := 0; rows < 0; attempt++ {
				result, err := r.Conn.ExecContext(context.Background(), statement)
				switch {
				case err == nil:
					rows, _ = result.RowsAffected()
				case attempt == 3:
					t.Fatalf("%s: %v at %d: %v", statement, fault, at, err)
				}
			}
			_, met := r.Store.Inject(nil)
			done(fmt.Sprintf("%v at %d", fault, at), rows)
			if met == 0 {
				break
			}
		}
	}
}

// TestBulkShapesFaults: whatever an operation of the store meets, no row is lost or doubled.
func TestBulkShapesFaults(t *testing.T) {
	r := harness.StartFaulty(t)
	harness.RegisterText("seven", "0;0\n1;1\n2;2\n3;3\n4;4\n5;5\n6;6\n")
	r.Must("CREATE TABLE h (n INT, m INT)", "CREATE TABLE o (id INT PRIMARY KEY, n INT)", "SET GLOBAL local_infile = 1",
		"SET sqlfdb_bulk_writes = 'batched'", "SET sqlfdb_batch_rows = 2")
	for _, statement := range []string{
		"LOAD DATA LOCAL INFILE 'Reader::seven' INTO TABLE h FIELDS TERMINATED BY ';'",
		"INSERT INTO h VALUES " + tuples("(%d, %d)", 0, 7),
		"INSERT INTO h WITH RECURSIVE s AS (SELECT 0 a UNION ALL SELECT a + 1 FROM s WHERE a < 6) SELECT a, a FROM s",
	} {
		eachFault(t, r, statement, func(what string, _ int64) {
			if have := harness.TextOf(t, r.Conn, "SELECT COUNT(*), SUM(n), COUNT(DISTINCT m) FROM h"); have != "7|21|7|" {
				t.Fatalf("%s: %s: %s", statement, what, have)
			}
			r.Must("TRUNCATE TABLE h")
		})
	}
	fill := "REPLACE INTO o VALUES " + tuples("(%d, %d)", 0, 9)
	r.Must(fill)
	eachFault(t, r, "DELETE FROM o ORDER BY n DESC LIMIT 7", func(what string, _ int64) {
		if have := harness.TextOf(t, r.Conn, "SELECT COUNT(*), MAX(n) FROM o"); have != "2|1|" {
			t.Fatalf("%s: %s", what, have)
		}
		r.Must(fill)
	})
	r.Must("CREATE TABLE p (id INT PRIMARY KEY, add_ INT)", "INSERT INTO p VALUES "+tuples("(%d, %d)", 0, 9))
	for _, c := range []struct{ statement, want string }{
		{"UPDATE o SET n = 100 - n ORDER BY n DESC LIMIT 5", "0,1,2,3,96,95,94,93,92|"},
		{"UPDATE o JOIN p ON p.id = o.id SET o.n = o.n + 10 * p.add_ WHERE p.add_ <> 3", "0,11,22,3,44,55,66,77,88|"},
		{"DELETE o FROM o JOIN p ON p.add_ = o.n WHERE p.id > 3", "0,1,2,3|"},
		{"INSERT INTO o SELECT o.id + 20 + 10 * p.id, 50 FROM o LEFT JOIN p ON p.id = 1 WHERE o.id < 5",
			"0,1,2,3,4,5,6,7,8,50,50,50,50,50|"},
	} {
		eachFault(t, r, c.statement, func(what string, _ int64) {
			if have := harness.TextOf(t, r.Conn, "SELECT GROUP_CONCAT(n ORDER BY id) FROM o"); have != c.want {
				t.Fatalf("%s: %s: %s", c.statement, what, have)
			}
			r.Must("DELETE FROM o WHERE id > 8", fill)
		})
	}
	r.Check("at the end", "h")
	r.Check("at the end", "o")
}
