package sqlbackend

import (
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// TestGroupsByValue: rows are equal if their values are, whatever Go types and
// spellings they have.
func TestGroupsByValue(t *testing.T) {
	m := newMemoryEngine(t)
	m.table("g",
		&sql.Column{Name: "id", Type: types.Int32, PrimaryKey: true},
		&sql.Column{Name: "j", Type: types.JSON, Nullable: true},
		&sql.Column{Name: "x", Type: types.MustCreateColumnDecimalType(20, 5), Nullable: true},
		&sql.Column{Name: "s", Type: value.NewTextType(mustCollation(t, "utf8mb4_0900_ai_ci")), Nullable: true},
		&sql.Column{Name: "i", Type: types.Int64, Nullable: true},
	)
	m.exec(`INSERT INTO g VALUES (1, '1', 1, 'a', 5), (2, '1.0', 1.00000, 'A', 5), (3, '"1"', 2, 'b', NULL), (4, ` +
		`'{"a":1,"b":2}', 2, 'b', NULL), (5, '{"b":2.0,"a":1e0}', 3, NULL, 6), (6, NULL, NULL, NULL, 7)`)
	for _, c := range []struct{ query, rows string }{
		{"SELECT COUNT(*) FROM g GROUP BY j ORDER BY 1", "1|1|2|2"},
		{"SELECT COUNT(*) FROM (SELECT DISTINCT j FROM g) d", "4"},
		{"SELECT COUNT(DISTINCT j), COUNT(DISTINCT x), COUNT(DISTINCT i) FROM g", "3 3 3"},
		{"SELECT COUNT(*) FROM g GROUP BY x ORDER BY 1", "1|1|2|2"},
		{"SELECT COUNT(*) FROM g GROUP BY i > 5 ORDER BY 1", "2|2|2"},
		{"SELECT i > 5, COUNT(*) FROM g GROUP BY i > 5 ORDER BY 1", "NULL 2|0 2|1 2"},
		{"SELECT i > 5 b, COUNT(*) FROM g GROUP BY b ORDER BY b", "NULL 2|0 2|1 2"},
		{"SELECT i > 5, COUNT(*) FROM g GROUP BY 1 ORDER BY 1", "NULL 2|0 2|1 2"},
		{"SELECT i IS NULL, COUNT(*) FROM g GROUP BY i IS NULL ORDER BY 1", "0 4|1 2"},
		{"SELECT COUNT(*), i = 5 OR x = 2 FROM g GROUP BY i = 5 OR x = 2 ORDER BY 1", "1 0|1 NULL|4 1"},
		{"SELECT SUM(i) FROM g LIMIT 0", ""},
		{"SELECT COUNT(*) FROM g LIMIT 0", ""},
		{"SELECT x, COUNT(*) FROM g GROUP BY x LIMIT 0", ""},
		{"SELECT 1 UNION SELECT 1.0", "1.0"},
		{"SELECT 1 a UNION SELECT 2 UNION SELECT 1 ORDER BY a DESC LIMIT 1 OFFSET 1", "1"},
		{"SELECT 1 UNION SELECT 2 UNION SELECT 1 ORDER BY 1 DESC LIMIT 1 OFFSET 1", "1"},
		{"SELECT i FROM g WHERE id = 1 UNION SELECT 1.5 UNION SELECT -7 ORDER BY i", "-7.0|1.5|5.0"},
		{"SELECT id + 1 n FROM g UNION SELECT 2.5 ORDER BY n DESC LIMIT 2 OFFSET 4", "3.0|2.5"},
		{"SELECT id, (SELECT x.n + g.id FROM (SELECT 1 n UNION SELECT 0.5 ORDER BY n LIMIT 1) x) FROM g WHERE id < 3 " +
			"ORDER BY id", "1 1.5|2 2.5"},
		{"SELECT i FROM g UNION SELECT x FROM g ORDER BY 1", "NULL|1.00000|2.00000|3.00000|5.00000|6.00000|7.00000"},
		{"SELECT 1 UNION SELECT 1e0", "1"},
		{"SELECT id FROM g INTERSECT SELECT x FROM g ORDER BY 1", "1.00000|2.00000|3.00000"},
		{"SELECT x FROM g EXCEPT SELECT id FROM g", "NULL"},
		{"SELECT id FROM g EXCEPT SELECT i FROM g ORDER BY 1", "1|2|3|4"},
		{"SELECT s FROM g UNION SELECT 'B' ORDER BY 1", "NULL|a|b"},
		{"SELECT s FROM g WHERE id < 3 UNION ALL SELECT 'x' ORDER BY 1", "a|A|x"},
		{"SELECT 'a' UNION SELECT 'A'", "a|A"},
		{"SELECT j FROM g WHERE id < 3 UNION SELECT j FROM g WHERE id < 4 ORDER BY 1", `1|"1"`},
	} {
		m.want(c.query, c.rows)
	}
}
