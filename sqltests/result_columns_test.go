package sqltests

import (
	"fmt"
	"strings"
	"testing"
)

// TestResultColumns: the columns of a result have the same names and types whether what they are computed of is a table,
// a derived table that is merged into the query, or one that is computed by itself.
func TestResultColumns(t *testing.T) {
	db := serve(t)
	mustExec(t, db, "CREATE TABLE t (id INT PRIMARY KEY, n INT, h TIME(6), d DATE, m DATETIME(6), y YEAR, s VARCHAR(40), j JSON)",
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
			columns := func(statement string) string {
				t.Helper()
				rows, err := db.Query(statement)
				if err != nil {
					t.Fatalf("%s: %v", statement, err)
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
			for _, again := range []string{"SELECT x.c, COALESCE(x.c), UPPER(x.c) FROM (SELECT %s AS c FROM %s) AS x", "SELECT x.c, COALESCE(x.c), UPPER(x.c) FROM (SELECT %s AS c FROM %s LIMIT 5) AS x"} {
				statement := fmt.Sprintf(again, test.expression, from)
				if got, want := columns(statement), fmt.Sprintf("c %s, COALESCE(x.c) %[1]s, UPPER(x.c) TEXT", test.typ); got != want {
					t.Errorf("%s: %s; want %s", statement, got, want)
				}
			}
			if statement := fmt.Sprintf("SELECT %s AS c, -n FROM %s", test.expression, from); columns(statement) != "c "+test.typ+", -n INT" {
				t.Errorf("%s: %s", statement, columns(statement))
			}
		}
	}
}
