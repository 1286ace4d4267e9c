package sqlbackend

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// nestings are the operators that TestNested nests: what stands before and behind an operand.
var nestings = [][2]string{
	{"-", ""}, {"~", ""}, {"!", ""}, {"NOT ", ""}, {"+", ""}, {"BINARY ", ""}, {"", " + 1"}, {"1 + ", ""}, {"", " - 1"},
	{"1 - ", ""}, {"", " * 1"}, {"1 * ", ""}, {"", " / 1"}, {"1 / ", ""}, {"", " DIV 1"}, {"1 DIV ", ""}, {"", " % 7"},
	{"7 % ", ""}, {"", " & 1"}, {"1 & ", ""}, {"", " | 1"}, {"1 | ", ""}, {"", " ^ 1"}, {"1 ^ ", ""}, {"", " << 1"},
	{"1 << ", ""}, {"", " = 1"}, {"1 = ", ""}, {"", " <=> 1"}, {"1 <=> ", ""}, {"", " < 1"}, {"1 < ", ""}, {"", " <> 1"},
	{"1 <> ", ""}, {"", " AND 1"}, {"1 AND ", ""}, {"", " OR 1"}, {"1 OR ", ""}, {"", " XOR 1"}, {"1 XOR ", ""},
	{"", " IS NULL"}, {"", " IS NOT TRUE"}, {"", " BETWEEN 0 AND 1"}, {"1 BETWEEN ", " AND 1"}, {"1 BETWEEN 0 AND ", ""},
	{"", " BETWEEN 0 AND 'a'"}, {"", " BETWEEN '0' AND s"}, {"", " IN (1, 2)"}, {"1 IN (", ", 2)"}, {"", " NOT IN (1, 2)"},
	{"", " IN ('1', 2)"}, {"", " LIKE 'a'"}, {"'a' LIKE ", ""}, {"", " REGEXP 'a'"}, {"'a' REGEXP ", ""},
	{"", " COLLATE utf8mb4_bin"}, {"CAST(", " AS SIGNED)"}, {"CAST(", " AS CHAR)"}, {"CAST(", " AS DECIMAL(9,2))"},
	{"CAST(", " AS JSON)"}, {"CAST(", " AS DATE)"}, {"CONVERT(", " USING utf8mb4)"}, {"CASE WHEN ", " THEN 1 END"},
	{"CASE WHEN 0 THEN 1 ELSE ", " END"}, {"CASE WHEN 0 THEN ", " ELSE 2 END"}, {"CASE WHEN 0 THEN ", " ELSE 'a' END"},
	{"CASE ", " WHEN 1 THEN 2 ELSE 3 END"}, {"CASE ", " WHEN 1 THEN 2.5 WHEN 3 THEN 1 END"},
	{"CASE 1 WHEN ", " THEN 2.5 END"}, {"", "->'$'"}, {"", "->>'$'"},
	{"", " MEMBER OF ('[1]')"}, {"", " + INTERVAL 1 DAY"}, {"'2020-01-01' + INTERVAL ", " DAY"}, {"(", ", 1) = (1, 2)"},
	{"EXTRACT(YEAR FROM ", ")"}, {"TRIM('a' FROM ", ")"}, {"SUBSTRING(", " FROM 2)"}, {"POSITION('a' IN ", ")"},
	{"TIMESTAMPDIFF(DAY, ", ", '2020-01-01')"}, {"TIMESTAMPADD(DAY, 1, ", ")"}, {"GET_FORMAT(DATE, ", ")"},
	{"(SELECT ", ")"}, {"(SELECT ", " FROM t LIMIT 1)"}, {"EXISTS (SELECT 1 FROM t WHERE ", ")"}, {"1 IN (SELECT ", ")"},
	{"", " IN (SELECT n FROM t)"}, {"(SELECT MAX(", ") FROM t)"},
}

// lengthening are functions whose results grow with a power of their depth, or that make a matcher for each operand.
var lengthening = regexp.MustCompile("^(hex|quote|json_quote|to_base64|weight_string|regexp_.*|benchmark|sleep)$")

// nestedIn returns the operators and functions with each of their operands.
func nestedIn() [][2]string {
	all := slices.Clone(nestings)
	for name := range sqlFunctions {
		if lengthening.MatchString(name) {
			continue
		}
		for args := 1; args <= 4; args++ {
			for at := range args {
				before, behind := strings.Repeat("1, ", at), strings.Repeat(", 1", args-at-1)
				all = append(all, [2]string{name + "(" + before, behind + ")"})
			}
		}
	}
	slices.SortFunc(all, func(a, b [2]string) int { return strings.Compare(a[0]+"\x00"+a[1], b[0]+"\x00"+b[1]) })
	return all
}

// TestNested: a function or operator that stands inside itself many times is planned, or refused, in a time that is not
// a power of its depth. No KILL reaches an expression that is asked for its type.
func TestNested(t *testing.T) {
	const depth, most = 40, 20 * time.Second
	m := newMemoryEngine(t)
	m.exec("CREATE TABLE t (id INT PRIMARY KEY, n INT, s TEXT, d DATE, j JSON, x DECIMAL(9,2))")
	m.exec("INSERT INTO t VALUES (1, 2, 'a', '2020-02-02', '[1]', 1.5)")
	operands := []string{"n", "s", "1", "x", "NULL", "j", "d"}
	for i, n := range nestedIn() {
		expr := strings.Repeat("("+n[0], depth) + operands[i%len(operands)] + strings.Repeat(n[1]+")", depth)
		form := "SELECT %s FROM t"
		if i%3 == 0 {
			form = "SELECT id FROM t WHERE %s"
		}
		q := fmt.Sprintf(form, expr)
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer func() { _ = recover() }() // the server recovers from the engine's panics
			_, _ = m.query(q)
		}()
		select {
		case <-done:
		case <-time.After(most):
			t.Fatalf("no end in %v: %q inside itself, %d times: %s", most, n, depth, q)
		}
	}
}

// TestLayered: the same in derived tables and views, each of which is within the bounds, and which are one expression
// once they are merged.
func TestLayered(t *testing.T) {
	p := newInProcess(t, t.TempDir(), inMemory())
	p.run("CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, n INT, s TEXT, _doc JSON)")
	p.run("INSERT INTO t (_id, n, s) VALUES ('1', 2, 'a')")
	for _, unit := range [][2]string{{"IFNULL(NULL, ", ")"}, {"IFNULL(", ", 1)"}, {"NULLIF(", ", 7)"},
		{"", " BETWEEN 0 AND 1"}, {"-", ""}, {"", " IN (1, 2)"}, {"", " IN (1, '2')"}, {"FIELD(", ", 1, 2, 3)"},
		{"CASE ", " WHEN 1 THEN 2.5 WHEN 2 THEN 1 END"}, {"SEC_TO_TIME(", ")"}, {"CONCAT(", ", 'a')"}} {
		for _, size := range [][2]int{{1, 30}, {9, 4}, {30, 6}} {
			layer := func(of string) string {
				return "SELECT " + strings.Repeat("("+unit[0], size[0]) + "c" + strings.Repeat(unit[1]+")", size[0]) +
					" AS c FROM " + of
			}
			derived := "SELECT n AS c FROM t"
			for range size[1] {
				derived = layer("(" + derived + ") x")
			}
			ends(t, p, derived)
			ends(t, p, "SELECT COUNT(*) FROM ("+derived+") y WHERE c > 1")
			made := 0
			ends(t, p, "CREATE OR REPLACE VIEW v0 AS SELECT n AS c FROM t")
			for made < size[1] {
				view := fmt.Sprintf("CREATE OR REPLACE VIEW v%d AS %s", made+1, layer(fmt.Sprint("v", made)))
				if !ends(t, p, view) {
					break
				}
				made++
			}
			ends(t, p, fmt.Sprintf("SELECT COUNT(*) FROM v%d WHERE c > 1", made))
		}
	}
	exists := "1"
	for range 12 {
		exists = "EXISTS (SELECT 1 FROM t WHERE n = 2 AND " + exists + ")"
	}
	ends(t, p, "SELECT COUNT(*) FROM t WHERE "+exists)
	selected := "SELECT n AS c FROM t"
	for i := range 16 {
		if i == 5 && !ends(t, p, selected) {
			t.Errorf("refused: %s", selected)
		}
		selected = fmt.Sprintf("SELECT EXISTS (SELECT 1 FROM (%s) y%d WHERE c = 1) AS c FROM t", selected, i)
	}
	ends(t, p, selected)
}

// TestChained: chains of common table expressions as people write them are not refused, and planned at once.
func TestChained(t *testing.T) {
	p := newInProcess(t, t.TempDir(), inMemory())
	p.run("CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, n INT, s TEXT, _doc JSON)")
	p.run("INSERT INTO t (_id, n, s) VALUES ('1', 2, 'a'), ('2', 3, NULL)")
	whens := func(n int) string {
		return listed(n, "", func(i int) string { return fmt.Sprintf(" WHEN %d THEN %d", i, i*7%n) })
	}
	for _, c := range []struct {
		levels      int
		first, next string
		behind      string
	}{
		{10, "SELECT n AS m, s FROM t", "SELECT CASE m" + whens(20) + " ELSE 0 END AS m, s FROM ?", "WHERE m = 2"},
		{20, "SELECT n AS m, s FROM t", "SELECT CASE m" + whens(20) + " ELSE 0 END AS m, COUNT(*) AS c FROM ? GROUP BY 1",
			"WHERE m IN (1, '2')"},
		{11, "SELECT n AS m, s FROM t", "SELECT DISTINCT CASE m" + whens(3) + " ELSE 0 END AS m, s FROM ?", "WHERE m = 2"},
		{20, "SELECT n AS m, n AS k FROM t",
			"SELECT m, NULLIF(k, 0) AS k, ROW_NUMBER() OVER (PARTITION BY m ORDER BY k) AS r FROM ?", "WHERE k > 0"},
		{20, "SELECT n AS m, s FROM t", "SELECT m, s FROM ? WHERE m BETWEEN 1 AND 5", "WHERE m = 2"},
		{12, "SELECT n AS m, s FROM t", "SELECT -m AS m, s FROM ?", "WHERE m = 2"},
		{6, "SELECT n AS m, s FROM t", "SELECT m, s FROM ? WHERE m BETWEEN 1 AND 5 UNION ALL SELECT 7, 'a'", "WHERE m = 2"},
		{12, "SELECT n, s FROM t", "SELECT n, s FROM t WHERE n IN (SELECT n FROM ?)", "WHERE n = 2"},
		{30, "SELECT n AS m, n, s, _id, n AS a, s AS b FROM t", "SELECT m + 1 AS m, n, s, _id, a, b FROM ?", "WHERE n = 2"},
		{12, "SELECT n AS m, n, s, _id, n AS a, s AS b FROM t",
			"SELECT q.m + 1 AS m, q.n, q.s, q._id, q.a, q.b FROM ? q LEFT JOIN t ON t._id = q._id", "WHERE n = 2"},
		{16, "SELECT n AS m, n, s, _id, n AS a, s AS b FROM t",
			"SELECT MAX(m) AS m, n, s, _id, a, b FROM ? GROUP BY n, s, _id, a, b", "WHERE n = 2"},
	} {
		query := "WITH c0 AS (" + c.first + "), " + listed(c.levels, ", ", func(i int) string {
			return fmt.Sprintf("c%d AS (%s)", i+1, strings.ReplaceAll(c.next, "?", fmt.Sprint("c", i)))
		}) + fmt.Sprintf(" SELECT * FROM c%d ", c.levels)
		if !ends(t, p, query) || !ends(t, p, query+c.behind) {
			t.Errorf("refused: %.200s", query)
		}
	}
	p.run("CREATE VIEW v0 AS SELECT n AS m, n, s, _id, n AS a, s AS b FROM t")
	for i := range 14 {
		p.run(fmt.Sprintf("CREATE VIEW v%d AS SELECT m + 1 AS m, n, s, _id, a, b FROM v%d", i+1, i))
	}
	if rows, read := p.run("SELECT * FROM v14 WHERE _id = '1'"); rows != 1 || read.Documents > 1 {
		t.Errorf("%d rows of %d documents", rows, read.Documents)
	}
}

// ends runs a statement, which gives its rows or is refused as too complex, before long. It reports whether it has run.
func ends(t *testing.T, p *inProcess, query string) bool {
	t.Helper()
	const most = 20 * time.Second
	done := make(chan error, 1)
	go func() {
		done <- p.command(func(ctx *sql.Context) error { return p.each(ctx, query, func(sql.Row) {}) })
	}()
	select {
	case err := <-done:
		if err != nil && !strings.Contains(err.Error(), mysqlerr.TooComplex) {
			t.Errorf("%.200s: %v", query, err)
		}
		return err == nil
	case <-time.After(most):
		t.Fatalf("no end in %v: %s", most, query)
		return false
	}
}
