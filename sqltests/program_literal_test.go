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

// TestProgramsOfLiterals: texts that differ in their literals alone, of few values, so that several of a text are often
// equal, are answered with programs as without.
func TestProgramsOfLiterals(t *testing.T) {
	random := testseed.Of(t, "", 0)
	rng := rand.New(rand.NewPCG(random, 1))
	s, plain := harness.Database(t)
	harness.MustExec(t, plain, "CREATE TABLE o (_id VARCHAR(20) PRIMARY KEY, _doc JSON)",
		"CREATE TABLE c (id INT PRIMARY KEY, a INT, b INT, s VARCHAR(10), KEY (a), KEY (b, a))")
	for i := range 60 {
		harness.MustExec(t, plain,
			fmt.Sprintf(`INSERT INTO o VALUES ('%d', '{"_id":"%d","a":%d,"b":%d,"s":"%d","g":[%d,%d]}')`,
				i, i, i%4, i%3, i%5, i%4, i%2),
			fmt.Sprintf("INSERT INTO c VALUES (%d, %d, %d, '%d')", i, i%4, i%3, i%5))
	}
	conns := map[string]*sql.Conn{}
	for _, set := range []string{"ON", "OFF"} {
		c, err := harness.Connect(t, s.Addr(), "d", "?interpolateParams=true").Conn(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		harness.MustExec(t, c, "SET sqlfdb_programs = "+set)
		conns[set] = c
	}
	pick := func(from ...string) string { return from[rng.IntN(len(from))] }
	for range 240 {
		table := pick("o", "c")
		condition := func() string {
			kinds := []string{"a = #", "b <> #", "a < #", "b >= #", "a BETWEEN # AND #", "b IN (#, #)", "s = '#'", "s > '#'",
				"a = # OR b = #", "NOT (a = # AND b = #)", "a + # = #", "# = b", "s IN ('#', '#', '#')", "a * # > b - #",
				"a NOT IN (#, #)", "s NOT IN ('#')", "s LIKE '#%'", "s NOT LIKE '#'", "a NOT BETWEEN # AND #", "ABS(a - #) < #",
				"CONCAT(s, '#') = '##'", "IFNULL(a, #) = b", "CASE WHEN a > # THEN b ELSE # END = #", "s = #", "a = '#'",
				"CAST(s AS SIGNED) = #", "LEFT(s, #) = '#'", "a IN (b, #)", "COALESCE(NULLIF(a, #), #) > #",
				"a = -#", "b > -# AND a = 0#", "a BETWEEN # AND # AND # = #", "NOT (a = # OR b = #) AND # = #",
				"# = # AND NOT (a <> # OR b <> #)", "'#' BETWEEN s AND s", "(a = # OR # = #)", "# BETWEEN a AND b",
				"1 = # AND a = #",
				"a > # % 2 AND b <> 1.5 % #.0"}
			if table == "o" {
				kinds = append(kinds, "# MEMBER OF (g)", "_doc->'$.a' = #", "_doc->>'$.s' = '#'",
					"JSON_EXTRACT(_doc, '$.b') = #", "_id = '#'",
					"JSON_CONTAINS(g, '#')", "JSON_OVERLAPS(g, '[#, #]')", "JSON_VALUE(_doc, '$.a') = #", "'#' MEMBER OF (g)",
					"JSON_LENGTH(g) > #", "g->'$[#]' = #")
			} else {
				kinds = append(kinds, "id = #", "id > #", "id IN (#, #, #)")
			}
			return pick(kinds...)
		}
		where := ""
		for i := range rng.IntN(4) {
			where += []string{" WHERE ", pick(" AND ", " OR ", " AND "), " AND "}[min(i, 2)] + condition()
		}
		key := map[string]string{"o": "_id", "c": "id"}[table]
		shape := pick(
			"SELECT "+key+", a, b FROM "+table+where+" ORDER BY "+key+" LIMIT #",
			"SELECT "+key+", s FROM "+table+where+" ORDER BY a, "+key+" LIMIT # OFFSET #",
			"SELECT "+key+" FROM "+table+where+" ORDER BY b DESC, "+key+" DESC LIMIT #, #",
			"SELECT a, COUNT(*), SUM(b) FROM "+table+where+" GROUP BY a ORDER BY a",
			"SELECT b, #, a + # FROM "+table+where+" ORDER BY 1, 3, "+key,
			"SELECT DISTINCT a, b FROM "+table+where+" ORDER BY 1, 2",
			"SELECT COUNT(*), MIN(a), MAX(s), # FROM "+table+where,
			"SELECT a, COUNT(*) AS n FROM "+table+where+" GROUP BY a HAVING n > # ORDER BY n, a",
			"SELECT UPPER(CONCAT(s, '#')), IF(a > #, 'x', \"#\") AS i, ROUND(a / 4, #) FROM "+table+where+" ORDER BY "+key,
			"SELECT SUM(CASE WHEN a = # THEN b ELSE # END), MAX(LENGTH(s) + #) FROM "+table+where,
			"SELECT "+key+" FROM "+table+where+" ORDER BY ABS(a - #), "+key+" LIMIT #",
			"INSERT INTO "+table+" ("+key+", a, s) VALUES (# + 100, ABS(-#), CONCAT('#', \"#\"))",
			"UPDATE "+table+" SET s = UPPER('#'), a = IF(b > #, #, a)"+where,
			"UPDATE "+table+" SET b = #, a = #"+where+" ORDER BY "+key+" LIMIT #",
			"UPDATE "+table+" SET a = a + #, s = '#'"+where,
			"DELETE FROM "+table+where+" ORDER BY "+key+" LIMIT #")
		for range 6 {
			text := shape
			for strings.Contains(text, "#") {
				text = strings.Replace(text, "#", fmt.Sprint(rng.IntN(4)), 1)
			}
			var got [2]string
			for i, set := range []string{"OFF", "ON"} {
				harness.MustExec(t, conns[set], "BEGIN")
				got[i] = harness.Query(conns[set], text)
				if !strings.HasPrefix(text, "SELECT") {
					got[i] += harness.Query(conns[set], "SELECT * FROM "+table+" ORDER BY "+key)
				}
				harness.MustExec(t, conns[set], "ROLLBACK")
			}
			if got[0] != got[1] {
				t.Fatalf("%s:\n%s\nwithout programs:\n%s", text, got[1], got[0])
			}
		}
	}
	harness.CheckAll(t, plain)
}

// TestProgramsOfOffsets: both spellings of an OFFSET have programs, and their literals are not taken for each other.
func TestProgramsOfOffsets(t *testing.T) {
	s, plain := harness.Database(t)
	harness.MustExec(t, plain, "CREATE TABLE o (id INT PRIMARY KEY, a INT)")
	for i := range 30 {
		harness.MustExec(t, plain, fmt.Sprintf("INSERT INTO o VALUES (%d, %d)", i, i%7))
	}
	c, err := harness.Connect(t, s.Addr(), "d", "?interpolateParams=true").Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, spelled := range []string{"LIMIT %[2]d OFFSET %[1]d", "LIMIT %[1]d, %[2]d", "limit %[1]d,%[2]d",
		"LIMIT %[2]d offset  %[1]d"} {
		for _, condition := range []string{"", "WHERE id >= 0 "} {
			before := programRuns(t, plain)
			for _, n := range [][2]int{{2, 2}, {5, 1}, {1, 5}, {0, 3}, {3, 0}, {28, 9}} {
				want := "id\n"
				for i := n[0]; i < min(n[0]+n[1], 30); i++ {
					want += fmt.Sprintln(i)
				}
				text := "SELECT id FROM o " + condition + "ORDER BY id " + fmt.Sprintf(spelled, n[0], n[1])
				if got := harness.Query(c, text); got != want {
					t.Errorf("%s:\n%swant\n%s", text, got, want)
				}
			}
			if ran := programRuns(t, plain) - before; ran < 4 {
				t.Errorf("%s %s: %d programs ran", condition, spelled, ran)
			}
		}
	}
	for _, text := range []string{"SELECT id FROM o ORDER BY id LIMIT 18446744073709551615 OFFSET 28",
		"SELECT id FROM o ORDER BY id LIMIT 28, 18446744073709551615"} {
		for range 3 {
			if got := harness.Query(c, text); got != "id\n28\n29\n" {
				t.Errorf("%s: %s", text, got)
			}
		}
	}
}
