package sqlbackend

import (
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

func TestSumsAreExact(t *testing.T) {
	m := newMemoryEngine(t)
	m.table("g",
		&sql.Column{Name: "id", Type: types.Int32, PrimaryKey: true},
		&sql.Column{Name: "i", Type: types.Int64, Nullable: true},
		&sql.Column{Name: "u", Type: types.Uint64, Nullable: true},
		&sql.Column{Name: "x", Type: types.MustCreateColumnDecimalType(20, 5), Nullable: true},
		&sql.Column{Name: "d", Type: types.Float64, Nullable: true},
		&sql.Column{Name: "j", Type: types.JSON, Nullable: true},
		&sql.Column{Name: "s", Type: value.NewTextType(collation.Default), Nullable: true},
	)
	m.exec(`INSERT INTO g VALUES (1, 9007199254740993, 18446744073709551615, 0.1, 0.5, '1.5', '1'), (2, 1, ` +
		`18446744073709551615, 0.2, 0.25, '"x"', '2.5'), (3, 9223372036854775807, 1, 0.00001, NULL, 'true', 'y'), (4, ` +
		`9223372036854775807, 1, NULL, NULL, NULL, NULL)`)
	for _, c := range []struct{ query, rows string }{
		{"SELECT SUM(i), SUM(u), SUM(x), SUM(d), SUM(j), SUM(s) FROM g",
			"18455751272964292608 36893488147419103232 0.30001 0.75 2.5 3.5"},
		{"SELECT SUM(i) FROM g WHERE id < 3", "9007199254740994"},
		{"SELECT AVG(i) FROM g WHERE id < 3", "4503599627370497.0000"},
		{"SELECT AVG(x), AVG(d) FROM g", "0.100003333 0.375"},
		{"SELECT SUM(DISTINCT i), SUM(DISTINCT u), AVG(DISTINCT id) FROM g",
			"9232379236109516801 18446744073709551616 2.5000"},
		{"SELECT SUM(i), AVG(i), SUM(d) FROM g WHERE id > 9", "NULL NULL NULL"},
		{"SELECT SUM(i) s FROM g GROUP BY id > 2 ORDER BY s", "9007199254740994|18446744073709551614"},
		{"SELECT id FROM g GROUP BY id HAVING SUM(i) = 9007199254740993", "1"},
		{"SELECT id FROM g GROUP BY id HAVING SUM(i) = 9007199254740992", ""},
		{"SELECT id FROM g WHERE i < (SELECT SUM(i) FROM g WHERE id = 1)", "2"},
		{"SELECT a FROM (SELECT SUM(i) a FROM g WHERE id < 3) d WHERE a = 9007199254740994", "9007199254740994"},
		{"WITH c AS (SELECT SUM(i) a FROM g WHERE id < 3) SELECT a + 1 FROM c", "9007199254740995"},
		{"SELECT SUM(i) FROM g WHERE id = 1 UNION ALL SELECT SUM(x) FROM g WHERE id = 1", "9007199254740993.00000|0.10000"},
		{"SELECT SUM(i) + 1, SUM(i) DIV 2, SUM(x) * 2 FROM g WHERE id = 1", "9007199254740994 4503599627370496 0.20000"},
		{"SELECT ROUND(AVG(id), 1), CAST(SUM(x) AS CHAR) FROM g", "2.5 0.30001"},
		{"SELECT SUM(i = 1), AVG(i > 1), SUM(CASE WHEN id > 1 THEN 1 ELSE 0 END) FROM g", "1 0.7500 3"},
		{"SELECT id, SUM(i) OVER (ORDER BY id) FROM g WHERE id < 3 ORDER BY id", "1 9007199254740993|2 9007199254740994"},
		{"SELECT id, SUM(x) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW), AVG(id) OVER () FROM g ORDER BY id",
			"1 0.10000 2.5000|2 0.30000 2.5000|3 0.20001 2.5000|4 0.00001 2.5000"},
		{"SELECT id, SUM(id) OVER (ORDER BY u), SUM(id) OVER (PARTITION BY u ORDER BY id) FROM g ORDER BY id",
			"1 10 1|2 10 3|3 7 3|4 7 7"},
	} {
		m.want(c.query, c.rows)
	}
}

// TestSumOfJSON: the sum of the numbers in JSON is exact while all of it are
// numbers, and a DOUBLE's otherwise.
func TestSumOfJSON(t *testing.T) {
	m := newMemoryEngine(t)
	m.exec("CREATE TABLE t (id INT PRIMARY KEY, g INT, j JSON)")
	m.exec(`INSERT INTO t VALUES (1, 1, '9007199254740993'), (2, 1, '1'), (3, 2, '0.1'), (4, 2, '0.2'), (5, 3, ` +
		`'"2x"'), (6, 3, '1.5'), (7, 3, 'true'), (8, 4, NULL), (9, 5, '18446744073709551615'), (10, 5, '0.5'), (11, 6,` +
		` 'null'), (12, 6, '5')`)
	for _, c := range []struct{ query, rows string }{
		{"SELECT SUM(j) FROM t GROUP BY g ORDER BY g", "9007199254740994|0.3|4.5|NULL|18446744073709551615.5|5"},
		{"SELECT g FROM t GROUP BY g HAVING SUM(j) > 9007199254740993 ORDER BY g", "1|5"},
		{"SELECT g FROM t GROUP BY g ORDER BY SUM(j) DESC, g", "5|1|6|3|2|4"},
		{"SELECT SUM(j) OVER (PARTITION BY g ORDER BY id) FROM t WHERE g = 1 ORDER BY id",
			"9007199254740993|9007199254740994"},
		{"SELECT SUM(DISTINCT j) FROM t WHERE g < 3", "9007199254740994.3"},
	} {
		m.want(c.query, c.rows)
	}
}
