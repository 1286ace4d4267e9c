package sqltests

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestPrograms: prepared statements give the same with programs and without, and describe it in the same way, while
// the tables change below them.
func TestPrograms(t *testing.T) {
	seed := testseed.Of(t, "", 0)
	rng := rand.New(rand.NewPCG(seed, 0))
	s, db := harness.Database(t)
	plain := harness.Connect(t, s.Addr(), "d", "")
	ctx := context.Background()
	conn := func(set string) *sql.Conn {
		c, err := plain.Conn(ctx)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		harness.MustExec(t, c, "SET sqlfdb_programs = "+set)
		return c
	}
	with, without := conn("ON"), conn("OFF")
	create := []string{
		"CREATE TABLE docs (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"CREATE TABLE people (id INT PRIMARY KEY, name VARCHAR(20), at TIMESTAMP(3) NULL, price DECIMAL(8,2), " +
			"kind ENUM('a','b'), flags SET('p','q'))",
		"CREATE TABLE big (id BIGINT UNSIGNED PRIMARY KEY, name TEXT)",
		"CREATE TABLE words (w VARCHAR(20) COLLATE utf8mb4_0900_ai_ci PRIMARY KEY, n INT)",
		"CREATE TABLE two (a INT, b INT, c INT, PRIMARY KEY (a, b))",
	}
	fill := []string{
		`INSERT INTO docs (_doc) VALUES ('{"_id":"a","n":1,"s":"x","zero":-0.0}'), ('{"_id":"B","n":2,"s":"y"}')`,
		`INSERT INTO docs (_doc) VALUES ('{"_id":"1","n":3}')`,
		"INSERT INTO people VALUES (1, 'Ann', '2024-01-02 03:04:05.678', 1.50, 'b', 'p,q'), (2, 'Bob', NULL, NULL, NULL, '')",
		"INSERT INTO big VALUES (1, 'x'), (18446744073709551615, 'y')",
		"INSERT INTO words VALUES ('Ärger', 1), ('b', 2)",
		"INSERT INTO two VALUES (1, 1, 1), (1, 2, 2)",
	}
	harness.MustExec(t, db, append(create, fill...)...)
	queries := []string{
		"SELECT _doc FROM docs WHERE _id = ?", "SELECT * FROM docs WHERE _id = ?", "SELECT n, s FROM docs WHERE _id = ?",
		"SELECT _id, n FROM docs WHERE _id = ?",
		"SELECT _id FROM docs WHERE _id = ?", "SELECT id, name FROM people WHERE id = ?",
		"SELECT zero, s FROM docs WHERE _id = ?", "SELECT _id AS `key`, N FROM docs AS x WHERE x._id = ?",
		"SELECT nothing FROM docs WHERE _id = ?",
		"SELECT n FROM d.docs WHERE ? = _id", "SELECT n + 1 FROM docs WHERE _id = ?", "SELECT n FROM docs WHERE n = ?",
		"SELECT * FROM people WHERE id = ?", "SELECT at, price FROM people p WHERE p.id = ?",
		"SELECT name FROM people WHERE id = ? LIMIT 1", "SELECT DISTINCT name FROM people WHERE id = ?",
		"SELECT * FROM big WHERE id = ?", "SELECT * FROM words WHERE w = ?", "SELECT * FROM two WHERE a = ?",
		"SELECT name FROM people WHERE id = ? FOR UPDATE",
		`SELECT "name" FROM people WHERE id = ?`, "SELECT * FROM none WHERE id = ?",
		"SELECT _id FROM docs WHERE n > ? AND s <> 'z'", "SELECT * FROM docs WHERE n BETWEEN ? AND 5 ORDER BY n DESC LIMIT 2",
		"SELECT _id FROM docs WHERE s IN (?, 'y') ORDER BY _id", "SELECT COUNT(*), MAX(n) FROM docs WHERE n < ? + 5",
		"SELECT s, SUM(n) FROM docs WHERE NOT n = ? GROUP BY s ORDER BY s",
		"SELECT DISTINCT s FROM docs WHERE s >= ? ORDER BY s",
		"SELECT _id FROM docs WHERE ? MEMBER OF (extra)", "SELECT _doc FROM docs ORDER BY _id LIMIT ?",
		"SELECT id FROM people WHERE kind = ? OR name = 'Ann'", "SELECT id FROM people WHERE price > ? AND id < 3",
		"SELECT id FROM people WHERE at >= ?", "SELECT b, c + 1 FROM two WHERE a = ? AND b = 2",
		"SELECT n FROM words WHERE w >= ?",
		"SELECT id FROM people WHERE id = ? AND at < NOW()", "SELECT ?, n FROM docs WHERE n = 1",
		"SELECT n FROM docs WHERE n = 1 LIMIT 5 OFFSET ?", "SELECT _id FROM docs WHERE n IS NULL OR n - ? > 1",
		"SELECT UPPER(s), IFNULL(n, 'none') FROM docs WHERE _id = ?", "SELECT _doc->>'$.n' FROM docs WHERE _id = ?",
		"SELECT id, DATE(at), ROUND(price), CONCAT(name, ' ', kind), CAST(price AS CHAR) FROM people WHERE id = ?",
		"SELECT id FROM people WHERE name LIKE ?", "SELECT id FROM people WHERE name NOT LIKE ? OR kind IS NULL",
		"SELECT _id FROM docs WHERE n <> ?", "SELECT _id FROM docs WHERE s NOT IN (?, 'q')",
		"SELECT s, COUNT(*) AS c FROM docs WHERE n < ? GROUP BY s HAVING c > 0 AND s IS NOT NULL",
		"SELECT CASE WHEN n > 1 THEN 'big' WHEN n = 1 THEN s ELSE n END FROM docs WHERE s = ?",
		"SELECT COALESCE(s, n, 'x'), LEFT(s, 1), LENGTH(s) FROM docs WHERE n > ?",
		"SELECT id FROM people WHERE at BETWEEN ? AND NOW() + INTERVAL 1 DAY",
		"SELECT SUM(IF(n > 1, n, 0)), MIN(LOWER(s)) FROM docs WHERE _id > ?",
		"SELECT _id FROM docs WHERE JSON_CONTAINS(extra, ?)", "SELECT _id FROM docs WHERE JSON_OVERLAPS(extra, ?)",
		"SELECT EXTRACT(YEAR FROM at), DATE_FORMAT(at, '%Y'), at + INTERVAL 1 DAY FROM people WHERE id = ?",
		"SELECT id FROM people WHERE at < NOW() AND id >= ?", "SELECT id, NOW() FROM people WHERE id = ?",
		"SELECT id FROM people WHERE DATE(at) = CURDATE() OR id = ?", "SELECT id FROM people WHERE id > ? AND price <> 5 / 0",
		"SELECT id FROM people WHERE id >= ? AND name > CAST('1x' AS SIGNED)",
		"SELECT id FROM people WHERE id > ? ORDER BY id + '1x'",
		"SELECT id FROM people WHERE id > ? AND at > DATE('x')", "SELECT a FROM two WHERE a BETWEEN 1 AND ? AND 5 = 5",
		"SELECT w, GREATEST(w, 'c'), STRCMP(w, 'B'), FIELD(w, 'B', 'ärger') FROM words WHERE n = ?",
	}
	arguments := []any{"a", "A", "B", "1", 1, int64(2), -3, 1.0, 1.5, nil, []byte("a"), true, uint64(1<<64 - 1), "", " a",
		"ä", "arger", "1 ", "\x00", "a\xff", "2024-01-02"}
	for _, literal := range []string{"'a'", "'B'", "1", "'1'", `"a"`, "'A' ", "'a';", "N'a'", "_binary 'a'", "-3", "+1",
		"1.0", "NULL", `'\a'`, "'a' 'b'", "x'61'", "'a' -- 'a'", "18446744073709551615", "01", "TRUE", "id"} {
		arguments = append(arguments, writtenOut(literal))
	}
	likely := []any{"a", "B", "1", writtenOut("'a'"), writtenOut("'B'"), writtenOut("'c'")}
	changes := []string{
		`UPDATE docs SET n = 2.5 WHERE _id = 'B'`, `UPDATE docs SET n = 'text' WHERE _id = 'a'`, `UPDATE docs SET n = 7`,
		`INSERT INTO docs (_doc) VALUES ('{"_id":"c","extra":[1]}')`, `DELETE FROM docs WHERE _id = 'c'`,
		"ALTER TABLE people ADD COLUMN more INT DEFAULT 4", "ALTER TABLE people DROP COLUMN more",
		"DROP TABLE docs; " + create[0] + "; " + fill[0],
		"ALTER TABLE people MODIFY name TEXT", "RENAME TABLE docs TO none", "RENAME TABLE none TO docs",
		"DROP TABLE docs; CREATE VIEW docs AS SELECT 'a' AS _id, 5 AS n", "DROP VIEW docs; " + create[0] + "; " + fill[0],
		"SET sql_select_limit = 0", "SET sql_select_limit = DEFAULT", "SET sqlfdb_use_index = OFF",
		"SET sqlfdb_use_index = ON",
		"SET sql_mode = 'ANSI_QUOTES'", "SET sql_mode = 'NO_BACKSLASH_ESCAPES'",
		"SET timestamp = 1704164644",
		"SET timestamp = DEFAULT", "SET time_zone = '+05:00'", "SET sql_mode = ''", "SET sql_mode = DEFAULT",
		"SET character_set_results = latin1", "SET NAMES utf8mb4",
	}
	const found = "SELECT FOUND_ROWS()"
	before := programRuns(t, db)
	document := func(there bool) {
		t.Helper()
		if got := described(ctx, with, queries[0], "a", found); strings.Contains(got, "{1 true}") != there {
			t.Fatalf("%s in a transaction", got)
		}
	}
	document(true)
	for _, query := range queries[:5] { // columns in the table's order have no projection in their plan
		for _, key := range []any{"a", writtenOut("'a'")} {
			described(ctx, with, query, key, found)
			ran := programRuns(t, db)
			if described(ctx, with, query, key, found); programRuns(t, db) != ran+1 {
				t.Errorf("%s of %v: %d programs ran", query, key, programRuns(t, db)-ran)
			}
		}
	}
	harness.MustExec(t, with, "BEGIN")
	document(true)
	harness.MustExec(t, with, "DELETE FROM docs WHERE _id = 'a'")
	document(false)
	harness.MustExec(t, with, "ROLLBACK")
	document(true)
	harness.MustExec(t, with, "CREATE DATABASE e", "CREATE TABLE e.docs (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"USE e")
	document(false)
	harness.MustExec(t, with, "USE d", "DROP DATABASE e")
	document(true)
	for round := range 600 {
		if round%20 == 0 { // what became of it may have no programs
			for _, c := range []*sql.Conn{with, without} {
				harness.MustExec(t, c, "SET sql_select_limit = DEFAULT, sqlfdb_use_index = ON")
			}
			_, _ = with.ExecContext(ctx, "DROP VIEW IF EXISTS docs")
			harness.MustExec(t, with, "DROP TABLE IF EXISTS docs, none", create[0], fill[0])
		}
		query, argument := queries[rng.IntN(len(queries))], arguments[rng.IntN(len(arguments))]
		if rng.IntN(2) == 0 { // one that may have a program
			query, argument = queries[rng.IntN(5)], likely[rng.IntN(len(likely))]
		}
		if rng.IntN(8) == 0 {
			change := changes[rng.IntN(len(changes))]
			for _, text := range strings.Split(change, "; ") {
				_, _ = with.ExecContext(ctx, text) // or an error, where the table is another one by now
				if strings.HasPrefix(text, "SET ") {
					harness.MustExec(t, without, text)
				}
			}
		}
		for _, last := range []string{found, "SHOW WARNINGS", "SHOW STATUS LIKE 'sqlfdb_last_documents'"} {
			want := described(ctx, without, query, argument, last)
			if got := described(ctx, with, query, argument, last); got != want {
				t.Fatalf("%s of %T %v:\n%s\nwithout programs:\n%s", query, argument, argument, got, want)
			}
		}
	}
	if runs := programRuns(t, db) - before; runs < 60 {
		t.Errorf("programs ran %d times", runs)
	} else {
		t.Logf("programs ran %d times", runs)
	}
}

// writtenOut is an argument that is written into the text of a statement.
type writtenOut string

func programRuns(t *testing.T, db *sql.DB) (n int) {
	t.Helper()
	var name string
	if err := db.QueryRow("SHOW STATUS LIKE 'sqlfdb_programs_runs'").Scan(&name, &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// described is what a statement gives: how its columns are described, its rows or its error, and what is told after it.
func described(ctx context.Context, c *sql.Conn, query string, argument any, last string) string {
	var b strings.Builder
	var rows *sql.Rows
	if literal, is := argument.(writtenOut); is {
		var err error
		if rows, err = c.QueryContext(ctx, strings.Replace(query, "?", string(literal), 1)); err != nil {
			return err.Error()
		}
	} else {
		stmt, err := c.PrepareContext(ctx, query)
		if err != nil {
			return err.Error()
		}
		defer stmt.Close()
		if rows, err = stmt.QueryContext(ctx, argument); err != nil {
			return err.Error()
		}
	}
	defer rows.Close()
	columns, err := rows.ColumnTypes()
	if err != nil {
		return err.Error()
	}
	values := make([]any, len(columns))
	for i, column := range columns {
		nullable, known := column.Nullable()
		precision, scale, decimals := column.DecimalSize()
		fmt.Fprintf(&b, "%s %s %v %v %v %v %v %v\n", column.Name(), column.DatabaseTypeName(), column.ScanType(), nullable,
			known, precision, scale, decimals)
		values[i] = new(sql.RawBytes)
	}
	for rows.Next() {
		if err := rows.Scan(values...); err != nil {
			return err.Error()
		}
		for _, v := range values {
			fmt.Fprintf(&b, "%q ", *v.(*sql.RawBytes))
		}
		b.WriteString("\n")
	}
	if err := rows.Err(); err != nil {
		return b.String() + err.Error()
	}
	_ = rows.Close()
	b.WriteString(after(ctx, c, last))
	return b.String()
}

// after is what a session tells of the statement before: how much it read, or its warnings.
func after(ctx context.Context, c *sql.Conn, show string) string {
	var b strings.Builder
	rows, err := c.QueryContext(ctx, show)
	if err != nil {
		return err.Error()
	}
	defer rows.Close()
	for rows.Next() {
		var values [3]sql.NullString
		into := []any{&values[0], &values[1], &values[2]}
		if columns, _ := rows.Columns(); len(columns) < 3 {
			into = into[:len(columns)]
		}
		if err := rows.Scan(into...); err != nil {
			return err.Error()
		}
		fmt.Fprintln(&b, values)
	}
	return b.String()
}
