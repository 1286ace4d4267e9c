package sqltests

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestResultColumns: the columns of a result have the same names and types whether what they are computed of is a
// table, a derived table that is merged into the query, or one that is computed by itself.
func TestResultColumns(t *testing.T) {
	db := harness.Serve(t)
	harness.MustExec(t, db,
		"CREATE TABLE t (id INT PRIMARY KEY, n INT, h TIME(6), d DATE, m DATETIME(6), y YEAR, s VARCHAR(40), j JSON)",
		"INSERT INTO t VALUES (1, 7, '-838:59:59', '2020-01-02', '2020-01-02 03:04:05.678901', 2020, 'a', '[1]')")
	for _, test := range []struct{ expression, typ string }{
		{"GREATEST(h, h)", "TIME"},
		{"COALESCE(NULL, h)", "TIME"},
		{"COALESCE(d, m)", "DATETIME"},
		{"IFNULL(d, m)", "DATETIME"},
		{"COALESCE(h, d)", "DATETIME"},
		{"CASE WHEN n THEN h ELSE h END", "TIME"},
		{"CASE WHEN n THEN h END", "TIME"},
		{"CASE WHEN n THEN h ELSE d END", "DATETIME"},
		{"CASE WHEN n THEN d ELSE m END", "DATETIME"},
		{"CASE n WHEN 1 THEN d WHEN 2 THEN NULL ELSE h END", "DATETIME"},
		{"COALESCE(CASE WHEN n THEN h END, CASE WHEN y THEN h ELSE d END)", "DATETIME"},
		{"CASE WHEN n THEN d ELSE s END", "TEXT"},
		{"CASE WHEN n THEN j ELSE n END", "JSON"},
	} {
		for _, from := range []string{"t", "(SELECT * FROM t) AS t", "(SELECT * FROM t LIMIT 5) AS t"} {
			for _, again := range []string{"SELECT x.c, COALESCE(x.c), UPPER(x.c) FROM (SELECT %s AS c FROM %s) AS x",
				"SELECT x.c, COALESCE(x.c), UPPER(x.c) FROM (SELECT %s AS c FROM %s LIMIT 5) AS x"} {
				statement := fmt.Sprintf(again, test.expression, from)
				if got, want := columnsOf(t, db, statement), fmt.Sprintf("c %s, COALESCE(x.c) %[1]s, UPPER(x.c) TEXT",
					test.typ); got != want {
					t.Errorf("%s: %s; want %s", statement, got, want)
				}
			}
			if statement := fmt.Sprintf("SELECT %s AS c, -n FROM %s", test.expression, from); columnsOf(t, db,
				statement) != "c "+test.typ+", -n BIGINT" {
				t.Errorf("%s: %s", statement, columnsOf(t, db, statement))
			}
		}
	}
}

// columnsOf are the names and types of a query's columns.
func columnsOf(t *testing.T, db *sql.DB, query string) string {
	t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	list, err := rows.ColumnTypes()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, c := range list {
		out = append(out, c.Name()+" "+c.DatabaseTypeName())
	}
	return strings.Join(out, ", ")
}

// TestComputedColumnTypes: what reads a computed column has its type and value, whether the index is used, and so views
// are merged, or not: of set operations whose sides read views, of subqueries beside merged tables, and of arithmetic
// of a YEAR.
func TestComputedColumnTypes(t *testing.T) {
	db := harness.Serve(t)
	db.SetMaxOpenConns(1)
	harness.MustExec(t, db, "CREATE TABLE w (_id VARCHAR(255) PRIMARY KEY, dn INT, dy YEAR, _doc JSON)",
		`INSERT INTO w (_doc) VALUES ('{"_id":"a","dy":2000,"x":"s","b":[1,"z"]}')`,
		"CREATE TABLE v (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		`INSERT INTO v (_doc) VALUES ('{"_id":"k","q":0,"g":[{"x":7}]}')`,
		"CREATE VIEW nulls AS SELECT `o.p` AS c0, x AS c1 FROM w WHERE CAST(dn AS SIGNED) < -10",
		"CREATE VIEW some AS SELECT x AS c0 FROM w",
		"CREATE VIEW mixed AS SELECT e.c1 AS c0 FROM ((SELECT _value AS c0, _idx AS c1 FROM w__b) EXCEPT (SELECT NULL,"+
			" _id FROM v__g)) AS e WHERE e.c1 >= '1'",
		"CREATE TABLE many (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"INSERT INTO many (_id) WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 50) SELECT "+
			"CONCAT('k', i) FROM n",
		"CREATE VIEW elements AS (SELECT _idx AS c0 FROM w__b) UNION ALL (SELECT q FROM v)")
	for _, test := range []struct{ query, columns, rows string }{
		{"SELECT t.c0 FROM ((SELECT CAST('null' AS JSON), c1 FROM nulls) UNION ALL (SELECT q, g FROM v)) AS t (c0, c1)",
			"c0 JSON", "0"},
		{"SELECT t.c0 FROM ((SELECT c0, c0, c0 FROM some) UNION ALL (SELECT q, _id, q FROM v)) AS t (c0, c1, c2)", "c0 TEXT",
			"s, 0"},
		{"(SELECT (SELECT _id FROM many WHERE 1 = u.k LIMIT 1), u.c FROM (SELECT 5.0 AS k, q AS c FROM v UNION SELECT " +
			"'0', g FROM v) AS u) INTERSECT (SELECT _id, q FROM v) INTERSECT (SELECT " +
			"1, 2)", "(SELECT _id FROM many WHERE 1 = u.k LIMIT 1) TEXT, c JSON", ""},
		{"(SELECT x, x, _id FROM w) UNION ALL (SELECT q, q, q FROM v)", "x TEXT, x TEXT, _id TEXT", "s | s | a, 0 | 0 | 0"},
		{"SELECT c1 FROM ((SELECT x, x, _id FROM w) UNION ALL (SELECT q, q, q FROM v)) AS t (c0, c1, c2)", "c1 TEXT", "s, 0"},
		{"SELECT t.c3 FROM ((SELECT c0, 2e0, c0, DENSE_RANK() OVER (ORDER BY c0) FROM some) UNION ALL (SELECT q, q, q," +
			" MIN(2.5) FROM v GROUP BY q)) AS t (c0, c1, c2, c3)", "c3 DECIMAL", "1.0, 2.5"},
		{"SELECT (SELECT MAX(c0) FROM mixed) AS m FROM nulls", "m TEXT", ""},
		{"SELECT (SELECT MAX(c0) FROM mixed) AS m FROM (SELECT _id FROM w) AS d", "m TEXT", "1"},
		{"SELECT (SELECT MAX(c0) FROM elements) AS m FROM (SELECT _id FROM w) AS d ORDER BY m", "m BIGINT", "1"},
		{"SELECT (SELECT -dy FROM w LIMIT 1) AS c0 FROM (SELECT _id FROM v) AS d", "c0 BIGINT", "-2000"},
		{"SELECT (SELECT dy + 1 FROM w LIMIT 1) AS c0 FROM (SELECT _id FROM v) AS d", "c0 BIGINT", "2001"},
		{"SELECT t.c FROM (SELECT IFNULL(`x.y`, 'n') AS c FROM w) AS t WHERE t.c = CAST('[[]]' AS JSON)", "c TEXT", ""},
		{"SELECT t.c FROM (SELECT IFNULL(`x.y`, 'n') AS c FROM w) AS t WHERE t.c BETWEEN 'n' AND CAST('\"n\"' AS JSON)",
			"c TEXT", "n"},
		{"SELECT MAX(-dy) FROM w", "MAX(-dy) BIGINT", "-2000"},
		{"SELECT c FROM (SELECT MAX(-c) AS c FROM (SELECT dy AS c FROM w) AS d) AS e HAVING c < 0", "c BIGINT", "-2000"},
		{"SELECT FIRST_VALUE(-dy) OVER (ORDER BY -dy) AS q FROM w ORDER BY q", "q BIGINT", "-2000"},
		{"SELECT -dy AS q, (SELECT q) AS r FROM w", "q BIGINT, r BIGINT", "-2000 | -2000"},
	} {
		for _, index := range []string{"ON", "OFF"} {
			harness.MustExec(t, db, "SET sqlfdb_use_index = "+index)
			if got := columnsOf(t, db, test.query); got != test.columns {
				t.Errorf("index %s, %s: %s; want %s", index, test.query, got, test.columns)
			}
			if got := strings.Join(harness.Texts(t, db, test.query), ", "); got != test.rows {
				t.Errorf("index %s, %s: %s; want %s", index, test.query, got, test.rows)
			}
		}
	}
	db.SetMaxOpenConns(0)
	harness.CheckAll(t, db)
}
