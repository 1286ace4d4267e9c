package sqltests

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var (
	childSeed = flag.Uint64(
		"child-seed", 0, "seed of the random documents of TestChildTables; 0 takes the one of all random tests")
	childStatements = flag.Int("child-statements", 250, "how many random statements on child tables to run")
)

// jsonNode is a JSON value that the test has made.
type jsonNode struct {
	kind     byte   // n null, b boolean, i integer, f other number, s string, a array, o object
	text     string // of a string its content, otherwise its JSON text
	keys     []string
	children []jsonNode // of arrays and objects
}

func (n jsonNode) json() string {
	switch n.kind {
	case 's':
		return strconv.Quote(n.text)
	case 'a':
		parts := make([]string, len(n.children))
		for i, c := range n.children {
			parts[i] = c.json()
		}
		return "[" + strings.Join(parts, ",") + "]"
	case 'o':
		parts := make([]string, len(n.children))
		for i, c := range n.children {
			parts[i] = strconv.Quote(n.keys[i]) + ":" + c.json()
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	return n.text
}

func (n jsonNode) member(key string) (jsonNode, bool) {
	if i := slices.Index(n.keys, key); n.kind == 'o' && i >= 0 {
		return n.children[i], true
	}
	return jsonNode{}, false
}

// at follows names only.
func (n jsonNode) at(names []string) (jsonNode, bool) {
	for _, name := range names {
		var ok bool
		if n, ok = n.member(name); !ok {
			return jsonNode{}, false
		}
	}
	return n, true
}

var childKeys = []string{"a", "b", "list", "x.y", "p__q", "_idx", "_value", "A"}

// randomNode makes a value of some kind; arrays and objects of further ones.
func randomNode(r *rand.Rand, depth int) jsonNode {
	kinds := "nbiifsss"
	if depth > 0 {
		kinds += "aaaaooo"
	}
	n := jsonNode{kind: kinds[r.IntN(len(kinds))]}
	switch n.kind {
	case 'n':
		n.text = "null"
	case 'b':
		n.text = pick(r, []string{"true", "false"})
	case 'i':
		n.text = fmt.Sprint(r.IntN(12) - 3)
	case 'f':
		n.text = pick(r, []string{"0.5", "2.5", "-1.5", "7.25"})
	case 's':
		n.text = pick(r, []string{"", "a", "ab", "b", "B", "é", "5", "z"})
	case 'a':
		// Often of one kind, so that columns have types.
		for range r.IntN(4) {
			c := randomNode(r, depth-1)
			if len(n.children) > 0 && r.IntN(3) > 0 {
				for c.kind != n.children[0].kind {
					c = randomNode(r, depth-1)
				}
			}
			n.children = append(n.children, c)
		}
	case 'o':
		n = randomObject(r, depth-1, childKeys)
	}
	return n
}

func randomObject(r *rand.Rand, depth int, keys []string) jsonNode {
	n := jsonNode{kind: 'o'}
	for range r.IntN(4) {
		if key := pick(r, keys); !slices.Contains(n.keys, key) {
			n.keys, n.children = append(n.keys, key), append(n.children, randomNode(r, depth))
		}
	}
	return n
}

// randomParent has anything anywhere, and often grades that are alike, so that
// conditions hold of several elements.
func randomParent(r *rand.Rand, keys []string) jsonNode {
	n := randomObject(r, 4, keys)
	if r.IntN(3) == 0 {
		return n
	}
	grades := jsonNode{kind: 'a'}
	for range r.IntN(5) {
		g := jsonNode{kind: 'o'}
		for _, key := range []string{"a", "b", "list"} {
			if r.IntN(5) == 0 {
				continue
			}
			v := jsonNode{kind: 'i', text: fmt.Sprint(r.IntN(6))}
			switch key {
			case "b":
				v = jsonNode{kind: 's', text: pick(r, []string{"a", "ab", "b", "é"})}
			case "list":
				v = jsonNode{kind: 'a', children: []jsonNode{v, v}[:r.IntN(3)]}
			}
			g.keys, g.children = append(g.keys, key), append(g.children, v)
		}
		grades.children = append(grades.children, g)
	}
	n.keys, n.children = append(n.keys, "grades"), append(n.children, grades)
	return n
}

// arrayPlace is the way to an array: for each array the names that lead to it.
type arrayPlace [][]string

// name spells the child table by the rules that the documentation states.
func (p arrayPlace) name(table string) string {
	if len(p) == 1 && len(p[0]) == 1 && p[0][0] == "changes" {
		return table + `__"changes"`
	}
	for _, names := range p {
		table += "__" + spelled(names)
	}
	return table
}

var unquotedKey = regexp.MustCompile(`^[A-Za-z]+$`)

func spelled(names []string) string {
	parts := make([]string, len(names))
	for i, n := range names {
		if parts[i] = n; !unquotedKey.MatchString(n) {
			parts[i] = `"` + n + `"`
		}
	}
	return strings.Join(parts, ".")
}

// row is one element: its document, the positions from the outermost array's on,
// and what it is.
type childRow struct {
	id        string
	positions []int
	element   jsonNode
}

// expansion is every child table of the documents, in order, by name.
type expansion struct {
	rows  map[string][]childRow
	depth map[string]int // how many arrays
}

// expand writes down plainly which rows each child table has.
func expand(documents map[string]jsonNode) *expansion {
	e := &expansion{rows: map[string][]childRow{}, depth: map[string]int{}}
	ids := make([]string, 0, len(documents))
	for id := range documents {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		e.object(id, documents[id], arrayPlace{nil}, nil)
	}
	return e
}

func (e *expansion) object(id string, n jsonNode, at arrayPlace, positions []int) {
	for i, key := range n.keys {
		below := slices.Clone(at)
		below[len(below)-1] = append(slices.Clone(below[len(below)-1]), key)
		switch c := n.children[i]; c.kind {
		case 'o':
			e.object(id, c, below, positions)
		case 'a':
			name := below.name("t")
			e.depth[name] = len(below)
			e.rows[name] = append(e.rows[name], []childRow{}...)
			for k, element := range c.children {
				where := append(slices.Clone(positions), k)
				e.rows[name] = append(e.rows[name], childRow{id, where, element})
				if element.kind == 'o' {
					e.object(id, element, append(slices.Clone(below), nil), where)
				}
			}
		}
	}
}

// shownAs is a value as a column of a type shows it; NULL for a JSON null.
func shownAs(n jsonNode, there bool, columnType string) string {
	switch {
	case !there || n.kind == 'n':
		return "NULL"
	case columnType == "json":
		return n.json()
	case n.kind == 'b':
		return map[string]string{"true": "1", "false": "0"}[n.text]
	}
	return n.text
}

// TestChildTables compares every child table of random documents with a plain
// expansion, and asks random questions with the index on and off.
func TestChildTables(t *testing.T) {
	seed := testseed.Of(t, "child-seed", *childSeed)
	for _, options := range []string{"", ` ENGINE_ATTRIBUTE='{"max_depth":2}'`} {
		t.Run("options"+options, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, uint64(len(options))))
			c, pool := childStore(t)
			must := func(stmt string, args ...any) {
				t.Helper()
				if _, err := c.ExecContext(context.Background(), stmt, args...); err != nil {
					t.Fatalf("%s: %v", stmt, err)
				}
			}
			must("CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)" + options)
			documents := map[string]jsonNode{}
			for i := range 40 {
				id := fmt.Sprintf("k%02d", i)
				documents[id] = randomParent(r, []string{"a", "b", "list", "p__q", "changes"})
				must("INSERT INTO t (_id, _doc) VALUES (?, ?)", id, documents[id].json())
			}
			limited := options != ""
			checkChildren(t, c, expand(documents), limited)
			for i := range 40 {
				id := fmt.Sprintf("k%02d", i)
				switch r.IntN(4) {
				case 0:
					must("DELETE FROM t WHERE _id = ?", id)
					delete(documents, id)
				case 1, 2:
					documents[id] = randomParent(r, []string{"a", "b", "list", "p__q"})
					must("REPLACE INTO t (_id, _doc) VALUES (?, ?)", id, documents[id].json())
				}
			}
			e := expand(documents)
			checkChildren(t, c, e, limited)
			askChildren(t, c, r, e)
			harness.CheckAll(t, pool)
		})
	}
}

func childStore(t *testing.T) (*sql.Conn, *sql.DB) {
	t.Helper()
	s := harness.StartWaiting(t)
	pool := harness.Connect(t, s.Addr(), "", "")
	if _, err := pool.Exec("CREATE DATABASE d"); err != nil {
		t.Fatal(err)
	}
	pool = harness.Connect(t, s.Addr(), "d", "")
	c, err := pool.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c, pool
}

// lines are the rows of a query, without the heading.
func lines(c *sql.Conn, stmt string) []string {
	all := strings.Split(strings.TrimSuffix(harness.Query(c, stmt), "\n"), "\n")
	return all[1:]
}

// checkChildren compares the child tables with what they must hold.
func checkChildren(t *testing.T, c *sql.Conn, e *expansion, limited bool) {
	t.Helper()
	for name, rows := range e.rows {
		var columns, columnTypes []string
		for _, line := range lines(c, "SHOW COLUMNS FROM "+harness.Quoted(name)) {
			f := strings.Split(line, " | ")
			columns, columnTypes = append(columns, f[0]), append(columnTypes, f[1])
		}
		arrays := e.depth[name]
		if len(columns) < 1+arrays || columns[0] != "_id" || columns[arrays] != "_idx" {
			t.Fatalf("%s has the columns %s", name, columns)
		}
		var want []string
		inColumns := map[string]bool{}
		for _, row := range rows {
			texts := []string{row.id}
			for _, p := range row.positions {
				texts = append(texts, fmt.Sprint(p))
			}
			for i := 1 + arrays; i < len(columns); i++ {
				v, there := row.element, true
				if columns[i] != "_value" {
					v, there = row.element.at(namesOf(columns[i]))
				}
				texts = append(texts, shownAs(v, there, columnTypes[i]))
			}
			want = append(want, strings.TrimRight(strings.Join(texts, " | "), " "))
			leaves(row.element, nil, inColumns)
		}
		var keys []string
		for _, key := range columns[:1+arrays] {
			keys = append(keys, harness.Quoted(key))
		}
		got := lines(c, "SELECT * FROM "+harness.Quoted(name)+" ORDER BY "+strings.Join(keys, ", "))
		if !slices.Equal(got, want) {
			t.Fatalf("%s with columns %s %s\n got %q\nwant %q", name, columns, columnTypes, got, want)
		}
		got = lines(c, "SELECT * FROM "+harness.Quoted(name)) // in whatever order
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%s without an order, with columns %s %s\n got %q\nwant %q", name, columns, columnTypes, got, want)
		}
		if limited {
			continue
		}
		for leaf := range inColumns {
			same := func(c string) bool { return strings.EqualFold(c, leaf) }
			if !slices.ContainsFunc(columns, same) {
				t.Errorf("%s has no column %s: %s", name, leaf, columns)
			}
		}
		if joined := lines(c, "SELECT COUNT(*) FROM t JOIN "+harness.Quoted(name)+
			" USING (_id)"); joined[0] != fmt.Sprint(len(rows)) {
			t.Errorf("%s: %s joined rows, want %d", name, joined[0], len(rows))
		}
	}
	if limited {
		return
	}
	_, _ = c.ExecContext(context.Background(), "SET sqlfdb_show_companions = ON")
	for _, name := range lines(c, "SHOW TABLES LIKE 't\\_\\_%'") {
		if _, there := e.rows[name]; !there && name != "t__changes" {
			same := func(o string) bool { return strings.EqualFold(o, name) }
			if !slices.ContainsFunc(keysOf(e.rows), same) {
				t.Errorf("%s is listed", name)
			}
		}
	}
	_, _ = c.ExecContext(context.Background(), "SET sqlfdb_show_companions = OFF")
}

func keysOf(m map[string][]childRow) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// leaves are the keypaths of an element that are no objects.
func leaves(n jsonNode, at []string, into map[string]bool) {
	for i, key := range n.keys {
		path := append(slices.Clone(at), key)
		if n.children[i].kind == 'o' {
			leaves(n.children[i], path, into)
			continue
		}
		parts := make([]string, len(path))
		for j, p := range path {
			if parts[j] = p; strings.Contains(p, ".") || len(path) == 1 && (p == "_idx" || p == "_value") {
				parts[j] = `"` + p + `"`
			}
		}
		into[strings.Join(parts, ".")] = true
	}
}

// namesOf takes a column's name apart.
func namesOf(column string) []string {
	var names []string
	for _, m := range regexp.MustCompile(`"[^"]*"|[^."]+`).FindAllString(column, -1) {
		names = append(names, strings.Trim(m, `"`))
	}
	return names
}

// askChildren asks random questions of child tables.
func askChildren(t *testing.T, c *sql.Conn, r *rand.Rand, e *expansion) {
	t.Helper()
	names := keysOf(e.rows)
	columns := map[string][]string{}
	typed := map[string]bool{} // `_value` is no JSON: JSON functions don't take it
	for _, name := range names {
		for _, line := range lines(c, "SHOW COLUMNS FROM "+harness.Quoted(name)) {
			f := strings.Split(line, " | ")
			columns[name] = append(columns[name], f[0])
			typed[name] = typed[name] || f[0] == "_value" && f[1] != "json"
		}
		columns[name] = append(columns[name], "_value")
	}
	constants := []string{"0", "1", "5", "2.5", "-1.5", "'a'", "'ab'", "'B'", "'é'", "'5'", "''", "NULL", "TRUE",
		"CAST('{}' AS JSON)", "CAST('[5]' AS JSON)"}
	predicate := func(alias, name string) string {
		col := alias + harness.Quoted(pick(r, columns[name]))
		k := func() string { return pick(r, constants) }
		choices := []string{
			col + " " + pick(r, []string{"=", "<", "<=", ">", ">=", "<>", "<=>"}) + " " + k(),
			k() + " < " + col,
			col + " IS NULL", col + " IS NOT NULL",
			col + " BETWEEN " + k() + " AND " + k(),
			col + " IN (" + k() + ", " + k() + ")", col + " NOT IN (" + k() + ", " + k() + ")",
			col + " LIKE 'a%'",
			alias + "_id = 'k0" + fmt.Sprint(r.IntN(10)) + "'", alias + "_id > 'k2'", alias + "_idx = 0",
		}
		if !typed[name] {
			choices = append(choices,
				alias+"_value->'$.a' = "+k(), alias+"_value->>'$.b' = "+k(), alias+"_value->'$.list[0]' > "+k(),
				"JSON_CONTAINS("+alias+"_value, '5', '$.list')")
		}
		return pick(r, choices)
	}
	for range *childStatements {
		name := pick(r, names)
		if r.IntN(3) == 0 {
			name = pick(r, []string{"t__grades", "t__grades__list"})
		}
		where := predicate("", name)
		for range r.IntN(3) {
			where = pick(r, []string{"", "NOT "}) + "(" + where + ") " + pick(r, []string{"AND", "OR"}) + " " + predicate("",
				name)
		}
		stmt := fmt.Sprintf("SELECT _id, _idx, _value FROM %s WHERE %s", harness.Quoted(name), where)
		switch r.IntN(8) {
		case 0:
			stmt = fmt.Sprintf("SELECT COUNT(*) FROM %s WHERE %s", harness.Quoted(name), where)
		case 1:
			stmt = fmt.Sprintf("SELECT t._id, g._idx FROM t JOIN %s g ON g._id = t._id WHERE %s", harness.Quoted(name),
				predicate("g.", name))
		case 2:
			stmt = fmt.Sprintf("SELECT _id FROM t WHERE EXISTS (SELECT 1 FROM %s g WHERE g._id = t._id AND %s)",
				harness.Quoted(name),
				predicate("g.", name))
		}
		if r.IntN(4) == 0 { // a single column, which entries may tell alone
			col := harness.Quoted(pick(r, columns[name]))
			stmt = fmt.Sprintf("SELECT %s, _idx, _id FROM %s WHERE %s %s %s", col, harness.Quoted(name), col,
				pick(r, []string{"=", ">=", "<", "<>", "<=>"}), pick(r, constants))
		}
		if on, off, same := bothWays(c, stmt); !same {
			t.Errorf("%s\nwith the index %q\nwithout %q", stmt, on, off)
		}
	}
}
