package limits

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestLongConstants: constants of a megabyte beside columns of some documents. Each of these took minutes when
// something read the constant again for each of its characters, or for each document.
func TestLongConstants(t *testing.T) {
	b := newBadInput(t)
	b.exec(openTable[:len(openTable)-1] + ", s TEXT, n DOUBLE, d DATETIME)")
	const documents, n = 300, 1_000_000
	var rows []string
	for i := range documents {
		rows = append(rows, fmt.Sprintf(
			`('%d', 'abc', %[1]d, '2020-02-02', '{"o": {"a": %[1]d}, "l": [1, "abc"], "j": "abc"}')`, i))
	}
	b.exec("INSERT INTO t (_id, s, n, d, _doc) VALUES " + strings.Join(rows, ", "))
	long := func(s string) string { return strings.Repeat(s, n/len(s)) }
	members := make([]string, n/20)
	for i := range members {
		members[i] = fmt.Sprintf(`"member%06d": 1`, i)
	}
	object := "{" + strings.Join(members, ", ") + "}"
	for where, want := range map[string]int64{
		"s = '" + long("a") + "'":                                        0,
		"s < '" + long("b") + "'":                                        documents,
		"UPPER(s) = '" + long("A") + "'":                                 0,
		"UPPER(s) = 'ABC' OR UPPER(s) = 'I" + long("A") + "'":            documents,
		"LOWER(s) <> '" + long("a") + "'":                                documents,
		"s REGEXP '^" + long("a") + "'":                                  0,
		"_doc->>'$.j' REGEXP '^ab[" + strings.Repeat("c", 10_000) + "]'": documents,
		"DATE_FORMAT(d, '%Y') < '2020" + long("-") + "'":                 documents,
		"s LIKE '" + long("%a") + "'":                                    0,
		"s LIKE 'a" + long("%") + "'":                                    documents,
		"JSON_SEARCH(_doc, 'one', '" + long("%a") + "') IS NULL":         documents,
		"_doc->'$.\"" + long("a") + "\"' IS NULL":                        documents,
		"_doc->'$.o' < CAST('" + object + "' AS JSON)":                   documents,
		"_doc->'$.o' = CAST('" + object + "' AS JSON)":                   0,
		"JSON_CONTAINS(_doc, '" + object + "')":                          0,
		"JSON_OVERLAPS(l, '[\"abc\", \"" + long("a") + "\"]')":           documents,
		"n = '0." + long("3") + "'":                                      0,
	} {
		if got := b.number("SELECT COUNT(*) FROM t WHERE " + where); got != want {
			t.Errorf("%.60s…: %d documents, want %d", where, got, want)
		}
	}
	b.refuse("HY000", []uint16{1436}, "SELECT COUNT(*) FROM t WHERE n = 0."+long("3"))
	b.exec("SET @shown = CAST(REPEAT('a', 100000) AS SIGNED)")
	if texts := harness.Texts(t, b.conn, "SHOW WARNINGS"); len(texts) == 0 || len(strings.Join(texts, "")) > 1000 {
		t.Errorf("%d warnings of %d bytes", len(texts), len(strings.Join(texts, "")))
	}
	b.refuse("HY000", []uint16{1436}, "CREATE USER a"+strings.Repeat(", a", 1000))
	b.refuse("HY000", []uint16{1436}, "DROP ROLE a"+strings.Repeat(", a", 1000))
	b.refuse("HY000", []uint16{1436}, "GRANT SELECT ON *.* TO a"+strings.Repeat(", a", 1000))
	b.refuse("42000", []uint16{3057}, "SELECT GET_LOCK(REPEAT('a', 65), 0)")
	b.refuse("HY000", []uint16{1436}, "SELECT "+strings.Repeat("NULLIF(", 100)+"s"+strings.Repeat(", 'abc')", 100)+
		" FROM t")
}

// TestExtremeNumbers: numbers of a few characters that would take hours, and more memory than there is, if their digits
// were written out.
func TestExtremeNumbers(t *testing.T) {
	t.Run("near", func(t *testing.T) { extremeNumbers(t, newBadInput(t)) })
	t.Run("ahead", func(t *testing.T) { extremeNumbers(t, newBadInputOver(t, harness.StartWaiting(t))) })
}

func extremeNumbers(t *testing.T, b *badInput) {
	b.exec("CREATE TABLE t (_id INT PRIMARY KEY, n DECIMAL(20,5))")
	b.exec("INSERT INTO t VALUES (1, 1.5), (2, '1e-2000000000')")
	for query, want := range map[string]string{
		"SELECT HOUR(CAST('1e2000000000' AS JSON))": "NULL",
		// a number inside JSON is no time
		"SELECT SECOND(CAST('1e-2000000000' AS JSON))":   "NULL",
		"SELECT CAST('1e-2000000000' AS DECIMAL(10, 2))": "0.00",
		"SELECT CAST('1e2000000000' AS DECIMAL(10, 2)) = CAST('1e300' AS DECIMAL(10, 2))": b.text(
			"SELECT CAST('1e301' AS DECIMAL(10, 2)) = CAST('1e300' AS DECIMAL(10, 2))"),
		"SELECT CAST(CAST('1e-2000000000' AS JSON) AS DECIMAL(10, 2))":                              "0.00",
		"SELECT CAST('" + strings.Repeat("1", 1_000_000) + "e-999999' AS DECIMAL(10, 2))":           "1.11",
		"SELECT CAST('0." + strings.Repeat("2", 1_000_000) + "' AS DECIMAL(10, 2))":                 "0.22",
		"SELECT COUNT(*) FROM t WHERE n < '1e2000000000' AND n > '-1e2000000000'":                   "2",
		"SELECT COUNT(*) FROM t WHERE n < CAST('1e2000000000' AS JSON)":                             "2",
		"SELECT n + 0 FROM t WHERE _id = 2":                                                         "0.00000",
		"SELECT CAST('" + strings.Repeat("3", 1_000_000) + "' AS JSON) > CAST(1 AS JSON)":           "1",
		"SELECT CAST('0." + strings.Repeat("3", 1_000_000) + "' AS JSON) + 1 > 1.3":                 "1",
		"SELECT COUNT(*) FROM t WHERE n > CAST('0." + strings.Repeat("3", 1_000_000) + "' AS JSON)": "1",
	} {

		if got := b.text(query); got != want {
			t.Errorf("%.60s…: %.40s, want %s", query, got, want)
		}
	}
	b.refuse("", []uint16{1264, 1105}, "INSERT INTO t VALUES (3, '1e2000000000')")
	b.refuse("", []uint16{1264, 1105}, "UPDATE t SET n = '"+strings.Repeat("9", 1_000_000)+"'")
}

// TestExtremeKeys: the same as values of keys and of columns with unique indexes, of all types, whose reads are started
// before the rows are written.
func TestExtremeKeys(t *testing.T) {
	for name, start := range map[string]func(testing.TB) *server.Server{
		"near": harness.Start, "ahead": harness.StartWaiting,
	} {
		t.Run(name, func(t *testing.T) { extremeKeys(t, newBadInputOver(t, start(t))) })
	}
}

func extremeKeys(t *testing.T, b *badInput) {
	for i, typ := range []string{"DECIMAL(20,5)", "INT", "BIGINT UNSIGNED", "DOUBLE", "BIT(8)", "YEAR", "DATE",
		"DATETIME(6)", "TIME", "VARCHAR(40)", "VARBINARY(40)", "ENUM('1', '2')"} {
		name := fmt.Sprint("k", i)
		b.exec(fmt.Sprintf("CREATE TABLE %s (k %s PRIMARY KEY, u %s UNIQUE, v INT)", name, typ, typ))
		for _, extreme := range []string{"1e2147483640", "-1e2147483640", "1e-2147483640", "1e999999999999999999",
			"1e-999999999999999999", "." + strings.Repeat("0", 100_000) + "1e100000", strings.Repeat("9", 100_000)} {
			for _, stmt := range []string{
				"INSERT INTO %s VALUES ('%s', NULL, 1), ('1', NULL, 2)",
				"INSERT IGNORE INTO %s VALUES ('%s', NULL, 1), ('1', NULL, 2)",
				"REPLACE INTO %s VALUES ('2', '%s', 1), ('1', NULL, 2)",
				"UPDATE %s SET u = '%s'",
				"SELECT COUNT(*) FROM %s WHERE k = '%[2]s' OR u < '%[2]s'",
				"DELETE FROM %s WHERE k = '%s'",
			} {
				stmt = fmt.Sprintf(stmt, name, extreme)
				ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
				err := b.attemptIn(ctx, stmt)
				cancel()
				var refused *mysql.MySQLError
				if err != nil && !errors.As(err, &refused) {
					t.Fatalf("%s: %.100s: %v", typ, stmt, err)
				}
				b.alive(stmt)
			}
			b.exec("DELETE FROM " + name + " WHERE v > 0")
		}
	}
}

// TestNestedStars: each derived table of all columns of another one multiplied the time by their number.
func TestNestedStars(t *testing.T) {
	b := newBadInput(t)
	b.exec("CREATE TABLE t (_id INT PRIMARY KEY, a INT, b INT, c INT, d INT, e INT, f INT, g INT, h INT, i INT, j INT)")
	b.exec("INSERT INTO t (_id, a) VALUES (1, 2), (2, 3)")
	query := "SELECT * FROM t"
	for i := range 30 {
		query = fmt.Sprintf("SELECT * FROM (%s) d%d WHERE a > %d", query, i, i/20)
	}
	if got := b.number("SELECT COUNT(*) FROM (" + query + ") d WHERE _id = 2"); got != 1 {
		t.Errorf("%d rows, want 1", got)
	}
	b.refuse("", []uint16{1060}, "SELECT COUNT(*) FROM (SELECT * FROM (SELECT a, b AS a FROM t) d) e")
	b.refuse("HY000", []uint16{1436}, "SELECT COUNT(*) FROM t WHERE "+strings.Repeat("(", 40)+"a"+
		strings.Repeat(" BETWEEN 0 AND 1)", 40))
}
