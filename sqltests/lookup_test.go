package sqltests

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var (
	lookupSeed = flag.Uint64(
		"lookup-seed", 0, "seed of the random statements of law 2; 0 takes the one of all random tests")
	lookupStatements = flag.Int("lookup-statements", 300, "how many random statements of law 2 to run")
)

// changing is what makes a SELECT's rows differ from run to run.
var changing = regexp.MustCompile(
	`(?i)@|\b(rand|uuid|now|sleep|last_insert_id|connection_id|nextval|sqlfdb_wait_changes)\b`)

// aggregating is what may be run in batches.
var aggregating = regexp.MustCompile(`(?i)GROUP BY|\b(COUNT|SUM|AVG|MIN|MAX)\(`)

// comparable reports whether a statement gives the same rows every time, in
// some order.
func comparable(stmt string) bool {
	upper := strings.ToUpper(strings.TrimSpace(stmt))
	limited := strings.Contains(upper, "LIMIT") && !strings.Contains(upper, "ORDER BY")
	return strings.HasPrefix(upper, "SELECT") && strings.Contains(upper, "FROM") && !limited && !changing.MatchString(stmt)
}

// bothWays runs a SELECT with the index on and off, and in batches and without, and reports whether the
// rows are the same, in any order. It is law 2: how a statement is run never changes
// the answer.
func bothWays(c *sql.Conn, stmt string) (on, off []string, same bool) {
	var before string
	if err := c.QueryRowContext(context.Background(), "SELECT @@sqlfdb_use_index").Scan(&before); err != nil {
		return nil, []string{err.Error()}, false
	}
	defer func() {
		_, _ = c.ExecContext(context.Background(), "SET sqlfdb_executor = DEFAULT, sqlfdb_use_index = "+before)
	}()
	run := func(index, executor string) []string {
		_, _ = c.ExecContext(context.Background(), "SET sqlfdb_use_index = "+index+", sqlfdb_executor = "+executor)
		rows := strings.Split(harness.Query(c, stmt), "\n")
		slices.Sort(rows)
		return rows
	}
	off, on = run("OFF", "interpreted"), run("ON", "batch")
	if aggregating.MatchString(stmt) && slices.Equal(on, off) {
		on = run("OFF", "batch")
	}
	return on, off, slices.Equal(on, off)
}

// values are what a random document has at a keypath. They are near each other,
// so that predicates often hold.
var (
	randomNumbers = []string{"0", "1", "-1", "2", "5", "5.5", "10", "100", "9007199254740993", "1e2", "1.0", "-0"}
	randomStrings = []string{`""`, `"a"`, `"ab"`, `"abc"`, `"b"`, `"A"`, `"á"`, `"5"`, `"10"`, `"true"`, `"null"`, `"é"`,
		`"z_"`, `"` + strings.Repeat("long", 100) + `"`, `"` + strings.Repeat("long", 100) + `x"`}
	randomOthers = []string{"null", "true", "false", "{}", `{"b":1}`, "[]", "[5]", `["a"]`}
)

func pick(r *rand.Rand, from []string) string { return from[r.IntN(len(from))] }

// randomDocument has integers at i, numbers at n, strings at s, booleans at f,
// anything at m, and objects at o, each not always.
func randomDocument(r *rand.Rand, id int) string {
	fields := []string{fmt.Sprintf(`"_id":"k%04d"`, id)}
	add := func(key, value string) {
		if r.IntN(6) > 0 {
			fields = append(fields, fmt.Sprintf("%q:%s", key, value))
		}
	}
	maybeNull := func(v string) string {
		if r.IntN(10) == 0 {
			return "null"
		}
		return v
	}
	add("i", maybeNull(fmt.Sprint(r.IntN(40)-10)))
	add("n", maybeNull(pick(r, []string{"0", "1", "-1", "2", "5.5", "0.1", "10", "1e2", "2.50"})))
	add("s", maybeNull(pick(r, randomStrings)))
	add("f", maybeNull(pick(r, []string{"true", "false"})))
	add("m", pick(r, slices.Concat(randomNumbers, randomStrings, randomOthers)))
	add("o", fmt.Sprintf(`{"p":%s,"q":{"x":%d}}`, pick(r, randomStrings), r.IntN(5)))
	fields = append(fields, fmt.Sprintf(`"all":%d`, r.IntN(50)))
	return "{" + strings.Join(fields, ",") + "}"
}

// randomPredicate is a condition over randomDocument's keypaths in the tables
// of those aliases, each with a dot behind it; or empty.
func randomPredicate(r *rand.Rand, depth int, aliases ...string) string {
	if depth > 0 {
		switch r.IntN(6) {
		case 0:
			return "(" + randomPredicate(r, depth-1, aliases...) + " AND " + randomPredicate(r, depth-1, aliases...) + ")"
		case 1:
			return "(" + randomPredicate(r, depth-1, aliases...) + " OR " + randomPredicate(r, depth-1, aliases...) + ")"
		case 2:
			return "NOT (" + randomPredicate(r, depth-1, aliases...) + ")"
		case 3:
			return "(" + randomPredicate(r, depth-1, aliases...) + ") IS " + pick(r,
				[]string{"TRUE", "FALSE", "NOT TRUE", "NOT FALSE"})
		}
	}
	numbers := []string{"0", "1", "-1", "2", "5", "5.5", "5.50", "10", "100", "1e2", "9007199254740993",
		"9007199254740992", "0.1", "TRUE", "FALSE", "CAST('null' AS JSON)", "CAST('[5]' AS JSON)", "-0"}
	var stringLiterals []string
	for _, s := range randomStrings {
		stringLiterals = append(stringLiterals, "'"+s[1:len(s)-1]+"'")
	}
	operand := pick(r, []string{"i", "n", "s", "f", "m", "all", "`o.p`", "`o.q.x`", "_id", "_doc->'$.i'", "_doc->'$.n'",
		"_doc->'$.s'", "_doc->'$.m'", "_doc->'$.o.q.x'", "_doc->>'$.s'", "_doc->>'$.i'", "_doc->>'$.m'", "nosuch",
		"_doc->'$.nosuch'", "o"})
	literal := func() string {
		text := strings.Contains(operand, "s") && operand != "nosuch" || operand == "`o.p`" || operand == "_id"
		if operand == "m" || strings.Contains(operand, "$.m") {
			text = r.IntN(2) == 0
		}
		if r.IntN(8) == 0 {
			text = !text
		}
		switch {
		case r.IntN(25) == 0:
			return "NULL"
		case operand == "_id":
			return fmt.Sprintf("'k%04d'", r.IntN(300))
		case text:
			return pick(r, stringLiterals)
		}
		return pick(r, numbers)
	}
	name := operand
	operand = pick(r, aliases) + operand
	switch r.IntN(9) {
	case 0:
		return operand + pick(r, []string{" IS NULL", " IS NOT NULL"})
	case 1:
		return fmt.Sprintf("%s %s %s AND %s", operand, pick(r, []string{"BETWEEN", "NOT BETWEEN"}), literal(), literal())
	case 2:
		return fmt.Sprintf("%s %s (%s, %s, %s)", operand, pick(r, []string{"IN", "NOT IN"}), literal(), literal(), literal())
	case 3:
		if strings.Contains(name, ">>") || name == "s" || name == "`o.p`" || name == "_id" {
			return fmt.Sprintf("%s %s '%s'", operand, pick(r, []string{"LIKE", "NOT LIKE"}),
				pick(r, []string{"a%", "ab%", "abc", "%", "k00%", "1%", "long%", "t%", "a_c", "é%", "z\\_%", ""}))
		}
	case 4:
		if name == "i" || name == "n" || name == "f" || name == "all" {
			return operand
		}
	}
	op := pick(r, []string{"=", "=", "=", "<", "<=", ">", ">=", "<>", "<=>"})
	if r.IntN(4) == 0 {
		return literal() + " " + op + " " + operand
	}
	return operand + " " + op + " " + literal()
}

// refused reports whether a statement failed over a value that it could not
// convert. Whether it meets the value depends on the order of its filters.
func refused(rows []string) bool {
	return slices.ContainsFunc(rows, func(row string) bool { return strings.HasPrefix(row, "ERROR 1366") })
}

// onConditions stand in ON, where the engine compares values of different
// types in one way or another with the plan that it chooses.
var onConditions = []string{"b.i > 3", "b.f", "b.s = 'a'", "b.m = 5", "b._doc->'$.m' = 'a'", "b.n IN (1, 2, 5.5)",
	"b.s IS NULL", "NOT b.n BETWEEN 0 AND 2"}

// randomStatement is a SELECT over the tables t and w.
func randomStatement(r *rand.Rand) string {
	table := func() string { return pick(r, []string{"t", "w"}) }
	p := func(aliases ...string) string { return randomPredicate(r, 1, aliases...) }
	switch r.IntN(14) {
	case 0:
		return fmt.Sprintf("SELECT a._id, b._id FROM %s a JOIN %s b ON a.i = b.i WHERE %s AND %s", table(), table(), p("a."),
			p("b."))
	case 1:
		return fmt.Sprintf("SELECT a._id, b._id FROM %s a LEFT JOIN %s b ON a.i = b.i AND %s WHERE %s", table(), table(),
			pick(r, onConditions), p("a."))
	case 2:
		return fmt.Sprintf("SELECT a._id, b._id FROM %s a JOIN %s b ON a._id = b._id WHERE %s", table(), table(),
			p("a.", "b."))
	case 3:
		return fmt.Sprintf("SELECT _id FROM %s a WHERE %s AND EXISTS (SELECT 1 FROM %s b WHERE b.i = a.i AND %s)", table(),
			p("a."), table(), p("a.", "b."))
	case 4:
		return fmt.Sprintf("SELECT _id FROM %s a WHERE i IN (SELECT i FROM %s b WHERE %s)", table(), table(), p("b."))
	case 5:
		return fmt.Sprintf("SELECT _id, (SELECT COUNT(*) FROM %s b WHERE (%s)) AS c FROM %s a WHERE `all` = 7", table(),
			p("a.", "b."), table())
	case 6:
		return fmt.Sprintf("SELECT s, COUNT(*) AS c FROM (SELECT * FROM %s WHERE %s) d WHERE %s GROUP BY s HAVING c > 1",
			table(), p(""), p(""))
	case 7:
		return fmt.Sprintf("SELECT _id FROM %s WHERE %s UNION ALL SELECT _id FROM %s WHERE %s", table(), p(""), table(),
			p(""))
	case 8:
		return fmt.Sprintf("SELECT _id FROM %s WHERE %s ORDER BY _id LIMIT 7", table(), p(""))
	case 9:
		return fmt.Sprintf("WITH c AS (SELECT * FROM %s WHERE %s) SELECT c._id, x._id FROM c JOIN c x ON c.i = x.i WHERE %s",
			table(), p(""), p("x."))
	}
	return fmt.Sprintf("SELECT _id FROM %s WHERE %s", table(), randomPredicate(r, 2, ""))
}

// TestLookupsFindWhatScansFind is law 2 over random documents and predicates.
func TestLookupsFindWhatScansFind(t *testing.T) {
	seed := testseed.Of(t, "lookup-seed", *lookupSeed)
	statements := *lookupStatements
	if testing.Short() {
		statements = min(statements, 200)
	}
	r := rand.New(rand.NewPCG(seed, seed))
	s := harness.StartWaiting(t)
	admin := harness.Connect(t, s.Addr(), "", "")
	for _, stmt := range []string{
		"CREATE DATABASE d",
		"CREATE TABLE d.t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"CREATE TABLE d.w (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
	} {
		if _, err := admin.Exec(stmt); err != nil {
			t.Fatal(err)
		}
	}
	db := harness.Connect(t, s.Addr(), "d", "?interpolateParams=true")
	// In w most documents lack the keypaths, so that the widest spans of them
	// are still cheaper than a scan.
	for i := range 300 {
		if _, err := db.Exec("INSERT INTO t (_doc) VALUES (?)", randomDocument(r, i)); err != nil {
			t.Fatal(err)
		}
		doc := fmt.Sprintf(`{"_id":"k%04d"}`, i)
		if i%4 == 0 {
			doc = randomDocument(r, i)
		}
		if _, err := db.Exec("INSERT INTO w (_doc) VALUES (?)", doc); err != nil {
			t.Fatal(err)
		}
	}
	c, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	used, rows := 0, 0
	for n := range statements {
		stmt := randomStatement(r)
		on, off, same := bothWays(c, stmt)
		if refused(on) || refused(off) {
			continue
		}
		if !same {
			t.Errorf("seed %d, statement %d: %s\nwith the index %d rows: %.300s\nwithout %d rows: %.300s\n%s", seed, n, stmt,
				len(on)-2, on, len(off)-2, off,
				harness.Query(c, "EXPLAIN FORMAT=TREE "+stmt))
		}
		rows += len(on) - 2
		if n%10 == 0 && !strings.Contains(harness.Query(c, "EXPLAIN FORMAT=TREE "+stmt), "Table scan on") {
			used++
		}
	}
	t.Logf("%d statements gave %d rows; %d of every tenth read along an index", statements, rows, used)
	if used == 0 {
		t.Error("no statement used an index")
	}
	harness.Check(t, db, "d.t")
	harness.Check(t, db, "d.w")
}
