package sqlbackend

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// listed joins n texts that are made of their numbers.
func listed(n int, separator string, of func(i int) string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = of(i)
	}
	return strings.Join(parts, separator)
}

// chained are common table expressions each of which is made of the one before it, which first is made of.
func chained(n int, first, next string) string {
	return "WITH c0 AS (" + first + "), " + listed(n, ", ", func(i int) string {
		return fmt.Sprintf("c%d AS (%s)", i+1, strings.ReplaceAll(next, "?", fmt.Sprint("c", i)))
	}) + fmt.Sprintf(" SELECT COUNT(*) FROM c%d", n)
}

// notExistsNested is NOT EXISTS n deep.
func notExistsNested(n int) string {
	return "SELECT COUNT(*) FROM t t0 WHERE " + listed(n, "", func(i int) string {
		return fmt.Sprintf("NOT EXISTS (SELECT 1 FROM t t%d WHERE t%[1]d.a = t%d.b AND ", i+1, i)
	}) + "TRUE" + strings.Repeat(")", n)
}

// TestNestedQueries: a short statement that stands for very much is refused before it is planned, as MySQL does where
// it has a limit; one that does not is not.
func TestNestedQueries(t *testing.T) {
	p := parserOf(sql.NewMysqlParser())
	parse := func(query string) error {
		_, _, _, err := p.Parse(sql.NewEmptyContext(), query, true)
		return err
	}
	derived := func(columns int) string {
		return "SELECT * FROM (SELECT " + listed(columns, ", ",
			func(i int) string { return fmt.Sprintf("a + %d AS x%[1]d", i) }) + " FROM t LIMIT 3) d"
	}
	joined := func(tables int) string {
		return "SELECT 1 FROM (SELECT 1) a, (SELECT 2) b, (SELECT 3) c, " + listed(tables-3, ", ",
			func(i int) string { return fmt.Sprint("t AS t", i) })
	}
	scalar := func(n int) string {
		return "SELECT " + strings.Repeat("1 + (SELECT ", n) + "1" + strings.Repeat(")", n)
	}
	columns := listed(20, ", ", func(i int) string { return fmt.Sprint("x", i) })
	for _, query := range []string{
		notExistsNested(syntax.MaxLevels),
		"SELECT " + strings.Repeat("(SELECT MAX(a) FROM t WHERE a > ", 60) + "1" + strings.Repeat(")", 60),
		chained(8, "SELECT a FROM t", "SELECT a FROM ? UNION ALL SELECT a FROM ?"),
		chained(100, "SELECT a FROM t", "SELECT a FROM ?"),
		chained(50, "SELECT "+columns+" FROM t", "SELECT "+columns+" FROM ?"),
		"SELECT " + listed(1000, ", ", func(i int) string {
			return fmt.Sprintf("COALESCE((SELECT SUM(x) FROM t WHERE y = %d), 0) + 1 AS c%[1]d", i)
		}),
		scalar(4), joined(syntax.MaxJoined), derived(syntax.MaxDerived),
	} {
		if err := parse(query); err != nil {
			t.Errorf("%.80s…: %v", query, err)
		}
	}
	for query, number := range map[string]int{
		notExistsNested(syntax.MaxLevels + 1): 1473,
		"EXPLAIN " + strings.Repeat("SELECT * FROM (", 64) + "SELECT 1" + listed(64, "",
			func(i int) string { return fmt.Sprintf(") d%d", i) }): 1473,
		chained(9, "SELECT a FROM t", "SELECT a FROM ? UNION ALL SELECT a FROM ?"):                                  1436,
		chained(40, "SELECT a FROM t", "SELECT x.a FROM ? x JOIN ? y ON x.a = y.a"):                                 1436,
		chained(4, "SELECT 1 a", "SELECT (SELECT a FROM ?) + (SELECT a FROM ?) a"):                                  1436,
		"CREATE VIEW v AS " + chained(40, "SELECT a FROM t", "SELECT a FROM ? UNION ALL SELECT a FROM ?"):           1436,
		"INSERT INTO t (a) " + chained(40, "SELECT a FROM t", "SELECT a FROM ? UNION ALL SELECT a FROM ?"):          1436,
		"SELECT 1 WHERE 1 IN (" + chained(40, "SELECT a FROM t", "SELECT a FROM ? UNION ALL SELECT a FROM ?") + ")": 1436,
		scalar(6):               1436,
		"EXPLAIN " + scalar(60): 1436,
		"EXPLAIN SELECT 1" + strings.Repeat("+1", 2*statement.MaxDepth): 1436,
		joined(syntax.MaxJoined + 1):                                    1116,
		derived(syntax.MaxDerived + 1):                                  1117,
		chained(1, "SELECT "+listed(syntax.MaxDerived/2+1, ", ",
			func(i int) string { return fmt.Sprintf("a + %d AS x%[1]d", i) })+" FROM t", "SELECT u.*, u.* FROM ? AS u"): 1117,
		"SELECT 1 FROM (SELECT d.*, e.* FROM (" + derived(syntax.MaxDerived) +
			") d, (SELECT 1) e) f": 1117,
		strings.Repeat("SELECT * FROM (", 8) + derived(syntax.MaxDerived) + listed(8, "",
			func(i int) string { return fmt.Sprintf(") u%d", i) }): 1436,
	} {
		var refused *mysql.SQLError
		if err := mysqlerr.FinishError(parse(query)); !errors.As(err, &refused) {
			t.Errorf("%.80s… is accepted: %v", query, err)
		} else if refused.Num != number {
			t.Errorf("%.80s…: %v, not %d", query, refused, number)
		}
	}
}

// TestKilledPlanning: a statement that is killed while it is planned ends, whenever that is.
func TestKilledPlanning(t *testing.T) {
	p := newInProcess(t, t.TempDir(), inMemory())
	p.run("CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	few, err := p.looks("EXPLAIN SELECT a FROM t", math.MaxInt)
	if err != nil {
		t.Fatal(err)
	}
	query := "EXPLAIN " + chained(8, "SELECT a FROM t", "SELECT a FROM ? UNION ALL SELECT a FROM ?")
	all, err := p.looks(query, math.MaxInt)
	if err != nil {
		t.Fatal(err)
	}
	if all < few+8 {
		t.Errorf("looks %d times whether it is killed, a plain one %d times", all, few)
	}
	for after := range all {
		looks, err := p.looks(query, after)
		// The engine hands on a parser's error as text: what counts is what the client is told.
		var killed *mysql.SQLError
		if !errors.As(mysqlerr.FinishError(err), &killed) || killed.Num != mysql.ERQueryInterrupted || looks != after+1 {
			t.Errorf("killed before look %d, it looks %d times: %v", after+1, looks, err)
		}
	}
}

// TestFolded: names are the same folded where they are equal but for their letters' case.
func TestFolded(t *testing.T) {
	names := []string{"", "a", "A", "ab", "aB", "k", "K", "\u212a", "s", "S", "ſ", "ß", "ẞ", "ǅ", "ǆ", "i", "I", "İ", "ı",
		"σ", "ς", "Σ", "µ", "μ"}
	for _, a := range names {
		for _, b := range names {
			if equal, same := strings.EqualFold(a, b), table.Folded(a) == table.Folded(b); equal != same {
				t.Errorf("%q and %q: equal %v, folded alike %v", a, b, equal, same)
			}
		}
	}
}
