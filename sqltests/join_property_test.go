package sqltests

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var (
	joinSeed       = flag.Uint64("join-seed", 0, "seed of the random joins; 0 takes the one of all random tests")
	joinStatements = flag.Int("join-statements", 200, "how many random joins to run")
	joinFailures   = flag.Int("join-failures", 1, "stop after that many joins that differ")
)

// joinTables are two small collections and two that are so large beside them
// that it pays to look their documents up.
const joinTables = `
CREATE TABLE s (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
CREATE TABLE u (_id INT PRIMARY KEY, name VARCHAR(40) COLLATE utf8mb4_0900_ai_ci, i INT, d DECIMAL(8,2), f DOUBLE,
	b TINYINT(1), day DATE, _doc JSON);
CREATE TABLE l (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
CREATE TABLE m (_id INT PRIMARY KEY, name VARCHAR(40) COLLATE utf8mb4_0900_ai_ci, i INT, d DECIMAL(8,2), f DOUBLE,
	b TINYINT(1), day DATE, _doc JSON)`

// joinColumns are what the tables' rows have in common: of one type, of several
// ones, and what is often missing.
var joinColumns = map[string][]string{
	"s": {"_id", "n", "n", "mixed", "text", "ref", "rare", "bool"},
	"l": {"_id", "n", "n", "mixed", "text", "ref", "rare", "bool"},
	"u": {"_id", "name", "i", "d", "f", "b", "day", "mixed", "n"},
	"m": {"_id", "name", "i", "d", "f", "b", "day", "mixed", "n"},
}

// openDocument is a random document of s or l.
func openDocument(r *rand.Rand, id, of int) string {
	fields := []string{fmt.Sprintf(`"_id":"k%d"`, id)}
	add := func(chance int, name, value string) {
		if r.IntN(100) < chance {
			fields = append(fields, fmt.Sprintf("%q:%s", name, value))
		}
	}
	n := r.IntN(of)
	add(90, "n", pick(r, []string{fmt.Sprint(n), fmt.Sprint(n), fmt.Sprintf("%d.5", n), fmt.Sprintf("%d.0", n), "null"}))
	add(90, "mixed", pick(r, []string{fmt.Sprint(n), fmt.Sprintf("%d.0", n), fmt.Sprintf(`"%d"`, n), "true", "null", "[]",
		fmt.Sprintf("[%d]", n), fmt.Sprintf(`{"a":%d}`, n%3), `"a"`, `"A"`, "9007199254740993", "9007199254740992"}))
	add(90, "text", pick(r, []string{fmt.Sprintf(`"t%d"`, n), fmt.Sprintf(`"T%d"`, n), fmt.Sprintf(`"%d"`, n), `"ä"`,
		`"a"`, `""`, "null"}))
	add(80, "ref", fmt.Sprintf(`"k%d"`, r.IntN(of)))
	add(15, "rare", fmt.Sprint(r.IntN(4)))
	add(60, "bool", pick(r, []string{"true", "false", "null"}))
	add(50, "parts", pick(r, []string{"[]", fmt.Sprintf(`[{"p":%d}]`, n),
		fmt.Sprintf(`[{"p":%d,"q":"x"},{"p":%d},{"q":null}]`, n, n+1)}))
	member := func() string {
		return pick(r, []string{fmt.Sprint(r.IntN(of)), fmt.Sprint(r.IntN(of)), fmt.Sprintf("%d.0", n),
			fmt.Sprintf(`"t%d"`, r.IntN(of)), fmt.Sprintf(`"%d"`, n), fmt.Sprintf(`"k%d"`, r.IntN(of)), "true", "null", "[]",
			fmt.Sprintf("[%d]", n), fmt.Sprintf(`{"a":%d}`, n%3)})
	}
	add(80, "tags", pick(r, []string{"[]", "[" + member() + "]", "[" + member() + "," + member() + "]",
		"[" + member() + "," + member() + "," + member() + "]", member()}))
	return "{" + strings.Join(fields, ",") + "}"
}

// membership is a random condition about an array of an open table, or one of several ones joined by AND or OR.
func membership(r *rand.Rand, a, at, b, bt string) string {
	column := func(alias, table string) string { return alias + "." + pick(r, joinColumns[table]) }
	if at != "s" && at != "l" {
		a, at, b, bt = b, bt, a, at
	}
	if at != "s" && at != "l" {
		return fmt.Sprintf("%s = %s", column(a, at), column(b, bt))
	}
	array, value := pick(r, []string{a + ".tags", a + "._doc->'$.tags'", a + ".tags", a + ".mixed"}), column(b, bt)
	document := pick(r, []string{"JSON_QUOTE(" + b + "._id)", "CAST(" + b + ".n AS JSON)"})
	if bt == "s" || bt == "l" {
		document = pick(r, []string{b + ".tags", b + ".tags", b + ".mixed", b + "._doc->'$.tags'",
			"JSON_QUOTE(" + b + ".text)"})
	}
	one := pick(r, []string{
		fmt.Sprintf("%s MEMBER OF (%s)", value, array), fmt.Sprintf("%s MEMBER OF (%s)", value, array),
		fmt.Sprintf("JSON_CONTAINS(%s, %s)", array, document),
		fmt.Sprintf("JSON_CONTAINS(%s._doc, %s, '$.tags')", a, document),
		fmt.Sprintf("JSON_OVERLAPS(%s, %s)", array, document), fmt.Sprintf("JSON_CONTAINS(%s, %s)", document, array),
	})
	switch r.IntN(6) {
	case 0:
		return one + " AND " + membership(r, a, at, b, bt)
	case 1:
		return "(" + one + " OR " + membership(r, a, at, b, bt) + ")"
	case 2:
		return one + fmt.Sprintf(" AND %s = %s", column(a, at), column(b, bt))
	}
	return one
}

// closedRow is a random row of u or m.
func closedRow(r *rand.Rand, id, of int) string {
	n := r.IntN(of)
	or := func(value string) string {
		if r.IntN(10) == 0 {
			return "NULL"
		}
		return value
	}
	doc := fmt.Sprintf(`{"mixed":%s,"n":%d}`, pick(r, []string{fmt.Sprint(n), fmt.Sprintf(`"%d"`, n), "null", `"a"`}), n)
	return fmt.Sprintf("(%d,%s,%s,%s,%s,%s,%s,'%s')", id,
		or(pick(r, []string{"'A'", "'a'", "'ä'", "'b'", fmt.Sprintf("'t%d'", n), fmt.Sprintf("'%d'", n)})),
		or(fmt.Sprint(n)), or(fmt.Sprintf("%d.%d", n, r.IntN(2)*5)), or(fmt.Sprintf("%d.%d", n, r.IntN(2)*5)),
		or(fmt.Sprint(n%2)), or(fmt.Sprintf("'2020-01-%02d'", 1+n%28)), doc)
}

// joinCondition is a random condition between two aliases: an equality, and often
// more.
func joinCondition(r *rand.Rand, a, at, b, bt string) string {
	column := func(alias, table string) string { return alias + "." + pick(r, joinColumns[table]) }
	equal := fmt.Sprintf("%s = %s", column(a, at), column(b, bt))
	if same := pick(r, joinColumns[at]); r.IntN(2) == 0 && slices.Contains(joinColumns[bt], same) {
		equal = fmt.Sprintf("%s.%s = %s.%s", b, same, a, same)
	}
	if at == "s" && bt == "l" && r.IntN(4) == 0 {
		equal = a + ".ref = " + b + "._id"
	}
	operators := []string{"<", "<=", ">", ">="}
	switch r.IntN(18) {
	case 14, 15, 16, 17:
		return membership(r, a, at, b, bt)
	case 0:
		return equal + fmt.Sprintf(" AND %s.n < %s.n + 3", a, b)
	case 8:
		return fmt.Sprintf("%s %s %s", column(a, at), pick(r, operators), column(b, bt))
	case 9:
		return fmt.Sprintf("%s BETWEEN %s AND %s + 2", column(b, bt), column(a, at), column(a, at))
	case 10:
		return fmt.Sprintf("%s BETWEEN %s AND %s", column(a, at), column(b, bt), column(b, bt))
	case 11:
		of, with := column(b, bt), column(a, at)
		return fmt.Sprintf("%s > %s AND %s <= %s", of, with, of, column(a, at))
	case 12:
		return fmt.Sprintf("(%s OR %s = %s OR %s %s %s)", equal, column(a, at), column(b, bt), column(a, at),
			pick(r, []string{"=", "<=>"}), column(b, bt))
	case 13:
		return fmt.Sprintf("(%s <=> %s AND %s.n > %s.n OR %s.n BETWEEN %s.n AND %s.n + 1 OR %s.n = 3)", column(a, at),
			column(b, bt), b, a, b, a, a, b)
	case 1:
		return equal + fmt.Sprintf(" AND %s", pick(r, []string{b + ".n IS NOT NULL", b + ".n > 2", a + ".n < 5",
			b + ".mixed IS NULL"}))
	case 2:
		return equal + fmt.Sprintf(" AND %s <> %s", column(a, at), column(b, bt))
	case 3:
		return fmt.Sprintf("%s <=> %s", column(a, at), column(b, bt))
	case 4:
		return fmt.Sprintf("(%s OR %s.n = %s.n)", equal, a, b)
	}
	return equal
}

// randomJoin is a random statement that joins a small collection with large ones.
func randomJoin(r *rand.Rand) string {
	small, large, third := pick(r, []string{"s", "u"}), pick(r, []string{"l", "m", "l"}), pick(r, []string{"s", "l", "m"})
	on := joinCondition(r, "a", small, "b", large)
	where := pick(r, []string{"", "", " WHERE a.n < 6", " WHERE b.n > 1", " WHERE a.n > 1 AND b.n IN (1, 2, 3, 4)",
		" WHERE b.n IS NULL"})
	kind := pick(r, []string{"JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN"})
	switch r.IntN(20) {
	case 17, 18, 19:
		return unnestedJoin(r, small, large, third, kind, where)
	case 15:
		return fmt.Sprintf("SELECT a._id, b._id FROM %s a, %s b WHERE %s%s", small, large, on,
			strings.Replace(where, "WHERE", "AND", 1))
	case 16:
		return fmt.Sprintf("SELECT a._id, b._id, c._id FROM %s a, %s b, %s c WHERE %s AND %s%s", small, large, third, on,
			joinCondition(r, "b", large, "c", third), strings.Replace(where, "WHERE", "AND", 1))
	case 11: // what asks one side of a join, or both
		condition := joinCondition(r, pick(r, []string{"a", "b"}), "s", "c", third)
		if r.IntN(3) == 0 {
			condition += " AND " + joinCondition(r, "b", "s", "c", third)
		}
		return fmt.Sprintf("SELECT a._id, b._id FROM s a %s s b ON %s WHERE %s (SELECT 1 FROM %s c WHERE %s)", kind,
			pick(r, []string{"a.n = b.n", "a.ref = b._id", "a.n = b.n AND a.text = b.text"}),
			pick(r, []string{"EXISTS", "NOT EXISTS"}), third, condition)
	case 10:
		of := pick(r, []string{"a", "b"})
		return fmt.Sprintf("SELECT a._id, b._id FROM %[1]s a %[2]s %[1]s b ON a.n = b.n WHERE %[3]s.%[4]s %[5]s "+
			"(SELECT c.%[6]s FROM %[7]s c)", pick(r, []string{"s", "l"}), kind, of, pick(r, joinColumns["s"]),
			pick(r, []string{"IN", "IN", "NOT IN"}), pick(r, joinColumns[third]), third)
	case 12:
		one, two := pick(r, joinColumns["s"]), pick(r, []string{"n", "mixed", "_id"})
		return fmt.Sprintf("SELECT b._id FROM %s b WHERE (b.%s, b.%s) %s (SELECT a.%s, a.%s FROM s a%s)",
			pick(r, []string{"l", "s"}), one, pick(r, []string{"n", "mixed"}),
			pick(r, []string{"IN", "IN", "NOT IN"}), pick(r, []string{one, "n"}), two,
			pick(r, []string{"", " WHERE a.n < 6", " WHERE a.n > b.n - 2"}))
	case 13, 14:
		return fmt.Sprintf("SELECT b._id FROM %s b WHERE b.%s %s (SELECT a.%s FROM %s a WHERE %s)", large,
			pick(r, joinColumns[large]),
			pick(r, []string{"IN", "IN", "= ANY", "NOT IN", "<> ALL", "> ANY"}), pick(r, joinColumns[small]), small, on)
	case 0, 1:
		return fmt.Sprintf("SELECT a._id FROM %s a WHERE %s (SELECT 1 FROM %s b WHERE %s)", small,
			pick(r, []string{"EXISTS", "NOT EXISTS"}), large, on)
	case 2:
		return fmt.Sprintf("SELECT b._id FROM %s b WHERE %s (SELECT 1 FROM %s a WHERE %s)", large,
			pick(r, []string{"EXISTS", "NOT EXISTS"}), small, on)
	case 3:
		column := pick(r, []string{"n", "mixed"})
		return fmt.Sprintf("SELECT b._id FROM %s b WHERE b.%s %s (SELECT a.%s FROM %s a WHERE a.n < 4)", large, column,
			pick(r, []string{"IN", "NOT IN"}), column, small)
	case 4:
		return "SELECT b._id, b.n FROM l b WHERE b._id IN (SELECT a.ref FROM s a)"
	case 5, 6:
		more := joinCondition(r, "b", large, "c", third)
		return fmt.Sprintf("SELECT a._id, b._id, c._id FROM %s a %s %s b ON %s %s %s c ON %s%s", small, kind, large, on,
			pick(r, []string{"JOIN", "LEFT JOIN"}), third, more, where)
	case 7:
		return fmt.Sprintf("SELECT a._id, d._id FROM %s a %s (SELECT * FROM %s b WHERE b.n > 1) d ON a.n = d.n", small, kind,
			large)
	case 8:
		return fmt.Sprintf("SELECT a._id, (SELECT COUNT(*) FROM s c JOIN l d ON c.n = d.n AND d.n < a.n) FROM %s a", small)
	case 9:
		return fmt.Sprintf("SELECT a._id, p._id, p._idx, p.p FROM s a %s l__parts p ON %s", kind,
			pick(r, []string{"a.ref = p._id", "a.n = p.p", "a._id = p._id AND p._idx > 0"}))
	}
	return fmt.Sprintf("SELECT a._id, b._id FROM %s a %s %s b ON %s%s", small, kind, large, on, where)
}

// unnestedJoin is a random join in which JSON_TABLE reads the arrays of a table before it.
func unnestedJoin(r *rand.Rand, small, large, third, kind, where string) string {
	table, of := pick(r, []string{"s", "l"}), "b"
	unnested := fmt.Sprintf(
		"JSON_TABLE(%s.%s, '$[*]' COLUMNS (o FOR ORDINALITY, v VARCHAR(20) PATH '$', p INT PATH '$.p', q JSON PATH "+
			"'$.q')) jt", of, pick(r, []string{"parts", "tags", "mixed"}))
	condition := pick(r, []string{"jt.o > 1", "jt.p = b.n", "jt.v = b.ref", "1 = 1", "b.n < 6",
		"jt.p < b.n OR b.n IS NULL", "jt.q IS NULL"})
	to := func(alias, at string) string {
		return fmt.Sprintf("%s.%s %s jt.%s", alias, pick(r, joinColumns[at]), pick(r, []string{"=", "=", "=", "<=>", "<="}),
			pick(r, []string{"p", "v", "o", "q"}))
	}
	inner := pick(r, []string{"JOIN", "JOIN", "LEFT JOIN"})
	switch r.IntN(6) {
	case 0:
		return fmt.Sprintf("SELECT a._id, b._id, jt.o FROM %s a %s %s b ON %s JOIN %s ON %s", small, kind, table,
			joinCondition(r, "a", small, "b", table), unnested, condition)
	case 1:
		return fmt.Sprintf("SELECT b._id, jt.o, c._id FROM %s b, %s, %s c WHERE %s", table, unnested, third, to("c", third))
	case 2:
		return fmt.Sprintf("SELECT a._id FROM %s a WHERE %s (SELECT 1 FROM %s b %s %s ON %s WHERE %s%s)", small,
			pick(r, []string{"EXISTS", "NOT EXISTS"}), table, inner, unnested, condition, to("a", small),
			pick(r, []string{"", " AND b.n < a.n", " AND jt.o = 1"}))
	case 3:
		return fmt.Sprintf("SELECT a._id, (SELECT COUNT(*) FROM %s b %s %s ON %s WHERE %s) FROM %s a", table, inner, unnested,
			condition, to("a", small), small)
	case 4:
		return fmt.Sprintf("SELECT a._id, (SELECT MAX(jt.o) FROM %s), c._id FROM %s a JOIN %s c ON %s",
			strings.Replace(unnested, of+".", "a.", 1), table, third, joinCondition(r, "a", table, "c", third))
	}
	return fmt.Sprintf("SELECT b._id, jt.o, jt.v, c._id FROM %s b %s %s ON %s %s %s c ON %s%s", table, inner, unnested,
		condition, kind, third, to("c", third), strings.ReplaceAll(where, "a.n", "c.n"))
}

// TestJoinsFindWhatScansFind compares random joins with and without the index.
func TestJoinsFindWhatScansFind(t *testing.T) {
	seed := testseed.Of(t, "join-seed", *joinSeed)
	_, db := harness.Database(t)
	r := rand.New(rand.NewPCG(seed, 1))
	for _, stmt := range strings.Split(joinTables, ";") {
		harness.MustExec(t, db, stmt)
	}
	const few, many, values = 10, 100, 12
	fill := func(table, columns string, n int, value func(i int) string) {
		values := make([]string, n)
		for i := range values {
			values[i] = value(i)
		}
		harness.MustExec(t, db, "INSERT INTO "+table+" "+columns+" VALUES "+strings.Join(values, ","))
	}
	open := func(i int) string { return "('" + openDocument(r, i, values) + "')" }
	closed := func(i int) string { return closedRow(r, i, values) }
	fill("s", "(_doc)", few, open)
	fill("l", "(_doc)", many, open)
	fill("u", "(_id, name, i, d, f, b, day, _doc)", few, closed)
	fill("m", "(_id, name, i, d, f, b, day, _doc)", many, closed)
	c, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	looked, failures := 0, 0
	for n := range *joinStatements {
		if n == *joinStatements/2 { // the rest sees what its own transaction has written
			harness.MustExec(t, c, "BEGIN", "DELETE FROM l WHERE n = 3",
				"UPDATE l SET n = n + 1, text = 'a' WHERE rare = 1",
				"INSERT INTO l (_doc) VALUES ('{\"_id\":\"k500\",\"n\":2,\"mixed\":2,\"text\":\"t2\",\"ref\":\"k1\"}')",
				"INSERT INTO m (_id, name, i) VALUES (1000, 'a', 2)", "UPDATE m SET name = 'A', f = 2 WHERE i = 2")
		}
		stmt := randomJoin(r)
		on, off, _ := bothWays(c, stmt)
		slices.Sort(on)
		slices.Sort(off)
		if !slices.Equal(on, off) && !(refused(on) && refused(off)) {
			t.Errorf("-join-seed %d, statement %d: %s\nwith the index %q\nwithout %q", seed, n, stmt, on, off)
			if failures++; failures >= *joinFailures {
				break
			}
		}
		if strings.Contains(harness.Query(c, "EXPLAIN FORMAT=TREE "+stmt), "Look up in batches") {
			looked++
		}
	}
	harness.MustExec(t, c, "ROLLBACK")
	t.Logf("%d of %d statements looked documents up in batches", looked, *joinStatements)
	if failures == 0 && looked < *joinStatements/4 {
		t.Errorf("only %d of %d statements looked documents up in batches", looked, *joinStatements)
	}
	harness.CheckAll(t, db)
}
