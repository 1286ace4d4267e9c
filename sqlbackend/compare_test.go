package sqlbackend

import (
	"fmt"
	"strings"
	"testing"

	sqle "github.com/dolthub/go-mysql-server"
	"github.com/dolthub/go-mysql-server/memory"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// memoryEngine is the SQL engine with our rules over its own in-memory tables:
// what is tested here needs no store.
type memoryEngine struct {
	t        testing.TB
	engine   *sqle.Engine
	provider *memory.DbProvider
	db       *memory.Database
	session  sql.Session
}

// functionProvider adds our functions to the in-memory databases.
type functionProvider struct {
	*memory.DbProvider
}

func (p functionProvider) Function(_ *sql.Context, name string) (sql.Function, bool) {
	f, ok := sqlFunctions[strings.ToLower(name)]
	return f, ok
}

func newMemoryEngine(t testing.TB) *memoryEngine {
	db := memory.NewDatabase("d")
	db.EnablePrimaryKeyIndexes()
	provider := memory.NewDBProvider(db)
	rules, err := installRules(functionProvider{provider})
	if err != nil {
		t.Fatal(err)
	}
	a := rules.Build()
	a.ExecBuilder = newExecutor()
	e := sqle.New(a, nil)
	e.Parser = parserOf(e.Parser)
	session := memory.NewSession(sql.NewBaseSession(), provider)
	session.SetCurrentDatabase("d")
	return &memoryEngine{t: t, engine: e, provider: provider, db: db, session: session}
}

func (m *memoryEngine) context() *sql.Context {
	return sql.NewContext(m.t.Context(), sql.WithSession(m.session))
}

// query returns the rows as text: columns by a space, rows by "|".
func (m *memoryEngine) query(q string) (string, error) {
	ctx := m.context()
	schema, iter, _, err := m.engine.Query(ctx, q)
	if err != nil {
		return "", err
	}
	rows, err := sql.RowIterToRows(ctx, iter)
	if err != nil {
		return "", err
	}
	var out []string
	for _, r := range rows {
		var cells []string
		for i, v := range r {
			if v == nil {
				cells = append(cells, "NULL")
				continue
			}
			if types.IsOkResult(r) {
				cells = append(cells, fmt.Sprint(v))
				continue
			}
			if b, ok := v.(bool); ok {
				cells = append(cells, map[bool]string{true: "1", false: "0"}[b])
				continue
			}
			cell, err := schema[i].Type.SQL(ctx, nil, v)
			if err != nil {
				return "", err
			}
			cells = append(cells, cell.ToString())
		}
		out = append(out, strings.Join(cells, " "))
	}
	return strings.Join(out, "|"), nil
}

func (m *memoryEngine) exec(q string) {
	m.t.Helper()
	if _, err := m.query(q); err != nil {
		m.t.Fatalf("%s: %v", q, err)
	}
}

func (m *memoryEngine) want(q, expected string) {
	m.t.Helper()
	got, err := m.query(q)
	if err != nil {
		got = "error: " + err.Error()
	}
	if got != expected {
		m.t.Errorf("%s\n got %s\nwant %s", q, got, expected)
	}
}

// wantError checks that a statement fails with a message that holds the parts.
func (m *memoryEngine) wantError(q string, parts ...string) {
	m.t.Helper()
	_, err := m.query(q)
	if err == nil {
		m.t.Errorf("%s: no error", q)
		return
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			m.t.Errorf("%s\n got error %v\nwant %s", q, err, p)
		}
	}
}

// table makes a table with types of ours.
func (m *memoryEngine) table(name string, columns ...*sql.Column) {
	for _, c := range columns {
		c.Source = name
		c.DatabaseSource = "d"
	}
	t := memory.NewTable(m.db, name, sql.NewPrimaryKeySchema(sql.Schema(columns)), nil)
	m.db.AddTable(name, t)
}

func mustCollation(t testing.TB, name string) *collation.Collation {
	c, ok := collation.Lookup(name)
	if !ok {
		t.Fatalf("no collation %s", name)
	}
	return c
}

func TestStringsCompareInUnicodeOrder(t *testing.T) {
	m := newMemoryEngine(t)
	m.table("t",
		&sql.Column{Name: "id", Type: types.Int64, PrimaryKey: true},
		&sql.Column{Name: "s", Type: value.NewTextType(collation.Default), Nullable: true},
		&sql.Column{Name: "v", Type: value.Collated(types.MustCreateStringWithDefaults(6165, 20), collation.Default),
			Nullable: true},
		&sql.Column{Name: "b", Type: value.NewTextType(collation.Binary), Nullable: true},
		&sql.Column{Name: "ci", Type: value.NewTextType(mustCollation(t, "utf8mb4_0900_ai_ci")), Nullable: true},
	)
	for i, s := range []string{"a", "B", "b", "é", "f", "Z", "zz"} {
		m.exec(fmt.Sprintf("INSERT INTO t VALUES (%d, '%s', '%s', '%s', '%s')", i, s, s, s, s))
	}
	m.exec("INSERT INTO t VALUES (99, NULL, NULL, NULL, NULL)")
	for _, c := range []struct{ query, rows string }{
		{"SELECT s FROM t WHERE s IS NOT NULL ORDER BY s", "a|b|B|é|f|Z|zz"},
		{"SELECT s FROM t ORDER BY s DESC LIMIT 3", "zz|Z|f"},
		{"SELECT s FROM t WHERE s < 'C' ORDER BY id", "a|B|b"},
		{"SELECT s FROM t WHERE 'C' > s ORDER BY id", "a|B|b"},
		{"SELECT v FROM t WHERE v < 'C' ORDER BY id", "a|B|b"},
		{"SELECT s FROM t WHERE s BETWEEN 'B' AND 'f' ORDER BY s", "B|é|f"},
		{"SELECT s FROM t WHERE s = 'b'", "b"},
		{"SELECT s FROM t WHERE 'b' = s", "b"},
		{"SELECT s FROM t WHERE s = v ORDER BY id", "a|B|b|é|f|Z|zz"},
		{"SELECT s FROM t WHERE s <> 'b' ORDER BY id", "a|B|é|f|Z|zz"},
		{"SELECT s FROM t WHERE s <=> NULL", "NULL"},
		{"SELECT id FROM t WHERE s IN ('b', 'é', NULL) ORDER BY id", "2|3"},
		{"SELECT id FROM t WHERE s NOT IN ('a', 'B', 'b', 'é') ORDER BY id", "4|5|6"},
		{"SELECT MIN(s), MAX(s), MIN(b), MAX(b) FROM t", "a zz B é"},
		{"SELECT b FROM t WHERE b < 'C' ORDER BY b", "B"},
		{"SELECT b FROM t ORDER BY b LIMIT 8", "NULL|B|Z|a|b|f|zz|é"},
		{"SELECT ci FROM t WHERE ci = 'E'", "é"},
		{"SELECT ci FROM t WHERE ci IN ('E', 'B') ORDER BY id", "B|b|é"},
		{"SELECT COUNT(*) FROM t GROUP BY ci ORDER BY 1", "1|1|1|1|1|1|2"},
		{"SELECT COUNT(DISTINCT ci), COUNT(DISTINCT s) FROM t", "6 7"},
		{"SELECT x.id, y.id FROM t x JOIN t y ON x.ci = y.ci WHERE x.id < y.id", "1 2"},
		{"SELECT /*+ HASH_JOIN(x,y) */ x.id, y.id FROM t x JOIN t y ON x.ci = y.ci WHERE x.id < y.id", "1 2"},
		{"SELECT s FROM t WHERE s COLLATE utf8mb4_0900_ai_ci = 'B' ORDER BY id", "B|b"},
		{"SELECT UPPER(s) u FROM t WHERE s IS NOT NULL ORDER BY u", "A|B|B|É|F|Z|ZZ"},
		{"SELECT CONCAT(s, 'x') FROM t WHERE CONCAT(s, 'x') < 'cx' ORDER BY id", "ax|Bx|bx"},
		{"SELECT * FROM (SELECT LOWER(s) l FROM t) d WHERE l < 'C' ORDER BY l", "a|b|b"},
		{"SELECT s, COUNT(*) FROM t GROUP BY s HAVING s < 'C' ORDER BY s DESC", "B 1|b 1|a 1"},
		{"SELECT s FROM t WHERE s = (SELECT MAX(s) FROM t)", "zz"},
		{"SELECT s FROM t WHERE s IN (SELECT v FROM t WHERE v < 'C') ORDER BY s", "a|b|B"},
		{"SELECT s, ROW_NUMBER() OVER (ORDER BY s) FROM t WHERE s < 'g' ORDER BY id", "a 1|B 3|b 2|é 4|f 5"},
		{"SELECT MAX(UPPER(s)) OVER (PARTITION BY s) FROM t WHERE s < 'C' ORDER BY 1", "A|B|B"},
		{"SELECT GREATEST(s, 'Y'), LEAST(s, 'Y') FROM t WHERE id IN (0, 5)", "Y a|Z Y"},
		{"SELECT GREATEST('a', 'B'), LEAST('a', 'B'), GREATEST('a', NULL)", "B a NULL"},
		{"SELECT CASE s WHEN 'B' THEN 1 WHEN 'b' THEN 2 END FROM t WHERE id IN (1, 2) ORDER BY id", "1|2"},
		{"SELECT CASE ci WHEN 'B' THEN 1 WHEN 'b' THEN 2 END FROM t WHERE id IN (1, 2) ORDER BY id", "1|1"},
		{"SELECT NULLIF(s, 'b'), NULLIF(ci, 'B') FROM t WHERE id = 2", "NULL NULL"},
		{"SELECT STRCMP('a', 'B'), STRCMP('b', 'B'), STRCMP(NULL, 'a'), STRCMP('x', 'x')", "-1 -1 NULL 0"},
		{"SELECT 'a' < 'B', 'B' < 'a', 'a' = 'A', 'é' > 'f', 'é' COLLATE utf8mb4_0900_ai_ci = 'E'", "1 0 0 0 1"},
		{"SELECT (s, id) = ('b', 2) FROM t WHERE id = 2", "1"},
		{"SELECT id FROM t WHERE (ci, id) IN (('B', 2), ('x', 1))", "2"},
		{"SELECT id FROM t WHERE (s, id) IN (('b', 2), ('x', 1))", "2"},
		{"SELECT DISTINCT ci FROM t WHERE id IN (1, 2, 3) ORDER BY ci", "B|é"},
		{"SELECT id FROM t WHERE ci IN (SELECT UPPER(s) FROM t WHERE id = 2) ORDER BY id", "1|2"},
		{"SELECT id FROM t WHERE ci NOT IN (SELECT 'A') AND id < 3 ORDER BY id", "1|2"},
		{"SELECT DISTINCT s FROM t ORDER BY s", "NULL|a|b|B|é|f|Z|zz"},
		{"SELECT s FROM t WHERE s < 'b' UNION SELECT v FROM t WHERE v < 'b' ORDER BY 1", "a"},
		{"SELECT s FROM t WHERE s LIKE 'z%'", "zz"},
		{"SELECT s FROM t WHERE s LIKE 'b'", "b"},
		{"SELECT ci FROM t WHERE ci LIKE 'z%' ORDER BY id", "Z|zz"},
		{"SELECT 'a_b' LIKE 'a\\\\_b', 'axb' LIKE 'a\\\\_b', 'axb' LIKE 'a|_b' ESCAPE '|'", "1 0 0"},
		{"SELECT table_name FROM information_schema.tables WHERE table_schema = 'D' AND table_name = 't'", "t"},
	} {
		m.want(c.query, c.rows)
	}
}

func TestNumbersCompareExactly(t *testing.T) {
	m := newMemoryEngine(t)
	m.exec("CREATE TABLE n (id INT PRIMARY KEY, i BIGINT, u BIGINT UNSIGNED, d DOUBLE, x DECIMAL(30,2), f FLOAT)")
	m.exec("INSERT INTO n VALUES (1, 9007199254740993, 9007199254740993, 9007199254740992, 9007199254740993.00, " +
		"0.5), (2, 5, 5, 5, 5, 5), (3, NULL, NULL, NULL, NULL, NULL)")
	for _, c := range []struct{ query, rows string }{
		{"SELECT 9007199254740993 = 9007199254740992e0", "0"},
		{"SELECT 9007199254740993 > 9007199254740992e0", "1"},
		{"SELECT 9007199254740992 = 9007199254740992e0", "1"},
		{"SELECT 1 = 1.0, 1 = 1e0, 1.0 = 1e0, 0.1 = 1e-1, -0e0 = 0", "1 1 1 1 1"},
		{"SELECT 18446744073709551615 > -1, 18446744073709551615 = -1", "1 0"},
		{"SELECT id FROM n WHERE i = d", "2"},
		{"SELECT id FROM n WHERE i = 9007199254740992e0", ""},
		{"SELECT id FROM n WHERE d = 9007199254740993", ""},
		{"SELECT id FROM n WHERE d = 9007199254740992", "1"},
		{"SELECT id FROM n WHERE i = 200 OR i = 5", "2"},
		{"SELECT id FROM n WHERE i > 4.5 ORDER BY id", "1|2"},
		{"SELECT id FROM n WHERE i = 5.0 OR i = 4.9", "2"},
		{"SELECT id FROM n WHERE u > -1 ORDER BY id", "1|2"},
		{"SELECT id FROM n WHERE i = x ORDER BY id", "1|2"},
		{"SELECT id FROM n WHERE x = 9007199254740992e0", ""},
		{"SELECT id FROM n WHERE x < 5.001 AND x > 4.999", "2"},
		{"SELECT id FROM n WHERE x = 5.001", ""},
		{"SELECT id FROM n WHERE i IN (5e0, 9007199254740992e0) ORDER BY id", "2"},
		{"SELECT id FROM n WHERE d IN (5, 9007199254740993) ORDER BY id", "2"},
		{"SELECT id FROM n WHERE i IN (5, 6.5, NULL)", "2"},
		{"SELECT id FROM n WHERE i BETWEEN 9007199254740992.5 AND 1e17", "1"},
		{"SELECT a.id, b.id FROM n a JOIN n b ON a.i = b.d", "2 2"},
		{"SELECT /*+ HASH_JOIN(a,b) */ a.id, b.id FROM n a JOIN n b ON a.i = b.x ORDER BY 1", "1 1|2 2"},
		{"SELECT /*+ HASH_JOIN(a,b) */ a.id, b.id FROM n a JOIN n b ON a.x = b.x ORDER BY 1", "1 1|2 2"},
		{"SELECT /*+ HASH_JOIN(a,b) */ a.id, b.id FROM n a JOIN n b ON a.x = b.d ORDER BY 1", "2 2"},
		{"SELECT id FROM n WHERE i IN (SELECT d FROM n) ORDER BY id", "2"},
		{"SELECT id FROM n WHERE i IN (SELECT 9007199254740992e0)", ""},
		{"SELECT id FROM n WHERE d NOT IN (SELECT i FROM n WHERE i IS NOT NULL) ORDER BY id", "1"},
		{"SELECT id FROM n WHERE d NOT IN (SELECT i FROM n)", ""},
		{"SELECT GREATEST(9007199254740993, 9007199254740992), LEAST(1, 0.5), GREATEST(2, 1e0)", "9007199254740993 0.5 2"},
		{"SELECT CASE 9007199254740993 WHEN 9007199254740992e0 THEN 'same' ELSE 'other' END", "other"},
		{"SELECT NULLIF(9007199254740993, 9007199254740992e0)", "9007199254740993"},
		{"SELECT id FROM n WHERE f = 0.5", "1"},
		{"SELECT id FROM n WHERE i = true", ""},
		{"SELECT 1e308 > 1e307, 1e-320 > 0", "1 1"},
		{"SELECT '5' = 5", "1"},
	} {
		m.want(c.query, c.rows)
	}
}
