package sqlbackend

import (
	"strings"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
)

// TestComplexity: what would keep the engine busy for minutes, or end the
// process, is refused at once; what people and tools write is not.
func TestComplexity(t *testing.T) {
	p := parserOf(sql.NewMysqlParser())
	parse := func(query string) error {
		_, _, _, err := p.Parse(sql.NewEmptyContext(), query, false)
		return err
	}
	list := strings.Repeat(",'not not'", 200_000)
	accepted := []string{
		"INSERT INTO t VALUES (-1 * 2)" + strings.Repeat(",(-1 * 2, a.b)", 200_000),
		"SELECT 1" + strings.Repeat("+1", 400),
		"SELECT 1 WHERE a = 1" + strings.Repeat(" OR a = 1", 3_000),
		"SELECT 1 WHERE a IN (1" + list + ")",
		"INSERT INTO t VALUES (1" + list + ")",
		"SELECT '" + strings.Repeat("not ", 100_000) + "'",
		"SELECT 1 WHERE 1 BETWEEN 0 AND 1" + strings.Repeat(" AND a BETWEEN 1 AND 2", 100),
		"SELECT '" + strings.Repeat("''", 100_000) + "', 1" + strings.Repeat(", 'a', `b`", 2_000),
		"SELECT " + strings.Repeat("'a' ", 1_000) + "/* not " + strings.Repeat("' NOT ", 1_000) + " */",
		"SELECT 1" + strings.Repeat(" /*!50000 , 1 */", 1_000) + strings.Repeat(" /* c */", 20_000),
		"SELECT 1" + strings.Repeat(" UNION SELECT 1", 90),
		"SELECT " + strings.Repeat("1", 4_000) + ", 0." + strings.Repeat("1", 4_000) + ", '" + strings.Repeat("1", 40_000) +
			"'",
		"SELECT " + strings.Repeat("IFNULL(", 100) + "n" + strings.Repeat(", 1)", 100) + " FROM t",
		"SELECT CASE NULLIF(n, 1)" + strings.Repeat(" WHEN 1 THEN 2", 1_000) + " END FROM t",
		"SELECT " + strings.Repeat("NULLIF(", 8) + "1" + strings.Repeat(", '"+strings.Repeat("a", 100)+"')", 8),
	}
	for _, query := range accepted {
		if err := parse(query); err != nil {
			t.Errorf("%.40s… is refused: %v", query, err)
		}
	}
	refused := []string{
		"SELECT " + strings.Repeat("NOT ", 3_000_000) + "1",
		"SELECT " + strings.Repeat("not\n", 1_000) + "1",
		"SELECT 1" + strings.Repeat("+1", 20_000),
		"SELECT 1 WHERE a = 1" + strings.Repeat(" OR a = 1", 20_000),
		"SELECT 1" + strings.Repeat(" UNION SELECT 1", 2_000),
		"SELECT " + strings.Repeat("1", 1_600_000),
		"SELECT " + strings.Repeat("nullif(", 13) + "1" + strings.Repeat(",2)", 13),
		"SELECT " + strings.Repeat("(", 20) + "1" + strings.Repeat(" BETWEEN 0 AND 1)", 20),
		strings.Repeat("SELECT EXISTS (SELECT 1 FROM (", 25) + "SELECT 1 AS c" +
			strings.Repeat(") y WHERE c = 1) AS c FROM t", 25),
		strings.Repeat("SELECT (SELECT MAX(c) FROM (", 25) + "SELECT 1 AS c" + strings.Repeat(") y) AS c FROM t", 25),
		"SELECT " + strings.Repeat("-(", 25) + "n" + strings.Repeat(")", 25) + " FROM t",
		"SELECT " + strings.Repeat("(", 13) + "1" + strings.Repeat(" IN (1, '2'))", 13),
		"SELECT " + strings.Repeat("'a' ", 4_000_000),
		"SELECT " + strings.Repeat("'a'\"b\"", 3_000_000),
		"SELECT 1 " + strings.Repeat("FOR ", 4_000_000),
		"SELECT 1 " + strings.Repeat("FOR not ", 2_000_000),
		"SELECT 1 " + strings.Repeat("/*!*/", 3_000_000),
		"SELECT 1 " + strings.Repeat("/*!50000 */ ", 1_000_000),
		"SELECT 1 /* ' */ " + strings.Repeat("NOT ", 3_000_000),
		"SELECT 1 -- '\n" + strings.Repeat("NOT ", 3_000_000),
		"SELECT 1 # \"\n" + strings.Repeat("NOT ", 3_000_000),
		"SELECT 1 /*! " + strings.Repeat("NOT ", 3_000_000) + " */",
		"SELECT 1 FROM t WHERE a < -0." + strings.Repeat("1", 5_000),
		"SELECT 1" + strings.Repeat("+1", 4_000_000),
		"SELECT " + strings.Repeat("- ", 4_000_000) + "1",
		"SELECT " + strings.Repeat("_binary ", 2_000_000) + "'a'",
		"SELECT " + strings.Repeat("CASE WHEN 0 THEN 1 ELSE ", 1_000_000) + "1" + strings.Repeat(" END", 1_000_000),
		"SELECT 1" + strings.Repeat(" IS NULL", 1_000_000),
		"SELECT 1 FROM t" + strings.Repeat(" JOIN t", 1_000_000),
		"CREATE PROCEDURE p() " + strings.Repeat("BEGIN SELECT 1; ", 500_000) + strings.Repeat("END; ", 500_000),
		"SELECT " + strings.Repeat("NULLIF(", 40) + "1" + strings.Repeat(", '"+strings.Repeat("a", 100)+"')", 40),
	}
	for _, query := range refused {
		if err := parse(query); err == nil {
			t.Errorf("%.40s… is accepted", query)
		}
	}
}
