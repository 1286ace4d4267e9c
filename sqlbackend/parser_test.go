package sqlbackend

import (
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
)

func TestParserTranslates(t *testing.T) {
	m := newMemoryEngine(t)
	m.exec("CREATE TABLE t (id INT PRIMARY KEY, j JSON, `$ref` INT, `a$b` INT)")
	m.exec(`INSERT INTO t VALUES (1, '{"a":[1,"x",[3]],"n":2}', 7, 8), (2, '{"a":5}', 9, 10)`)
	for _, c := range []struct{ query, rows string }{
		{"SELECT id FROM t WHERE 1 MEMBER OF (j->'$.a')", "1"},
		{"SELECT id FROM t WHERE NOT 'x' member of(j->'$.a')", "2"},
		{"SELECT id FROM t WHERE id > 0 AND j->'$.n' - 1 = 1 AND CAST('[3]' AS JSON) MEMBER OF (j->'$.a')", "1"},
		{"SELECT 3 MEMBER OF (j->'$.a'), 5 MEMBER OF (t.j->'$.a'), NULL MEMBER OF ('[1]') FROM t WHERE id = 2", "0 1 NULL"},
		{"SELECT -1 MEMBER OF ('[-1.0]'), (1+1) MEMBER OF ('[2]'), 17 MEMBER OF ('[23,\"17\"]')", "1 1 0"},
		{"SELECT 1 + 1 MEMBER OF ('[2]'), 2 * 3 - 1 MEMBER OF ('[5]'), 7 DIV 2 MEMBER OF ('[3]'), 1 << 2 MEMBER OF " +
			"('[4]'), 6 & 3 MEMBER OF ('[2]'), +1 MEMBER OF ('[1]'), 2 - -1 MEMBER OF ('[3]')", "1 1 1 1 1 1 1"},
		{"SELECT 2 = 1 MEMBER OF ('[1]'), 1 = 1 MEMBER OF ('[1]'), 1 < 2 MEMBER OF ('[1]'), 1 || 2 MEMBER OF ('[1]'), " +
			"NOT 1 MEMBER OF ('[1]'), 0 OR 1 MEMBER OF ('[1]')", "0 1 0 1 0 1"},
		{"SELECT 'x' COLLATE utf8mb4_bin MEMBER OF ('[\"x\"]'), _utf8mb4'x' MEMBER OF ('[\"x\"]'), LOWER('X') MEMBER " +
			"OF ('[\"x\"]')", "1 1 1"},
		{"SELECT id + 1 MEMBER OF (j->'$.a[2]'), j->'$.n' + 1 MEMBER OF (j->'$.a[2]') FROM t WHERE id = 1", "0 1"},
		{"SELECT $ref, t.a$b FROM t ORDER BY $ref DESC", "9 10|7 8"},
		{"SELECT JSON_VALUE(j, '$.n' RETURNING SIGNED) + 1 FROM t WHERE id = 1", "3"},
		{"SELECT JSON_VALUE(j, '$.n' RETURNING UNSIGNED NULL ON EMPTY) FROM t", "2|NULL"},
		{"SELECT JSON_VALUE('{\"p\":\"49.95\"}', '$.p' RETURNING DECIMAL(4,2)), JSON_VALUE('{\"p\":49.956}', '$.p' " +
			"RETURNING DECIMAL(5, 2) NULL ON EMPTY NULL ON ERROR), JSON_VALUE('{\"p\":\"x\"}', '$.p' RETURNING DECIMAL(4," +
			"2) NULL ON ERROR)", "49.95 49.96 NULL"},
		{"SELECT JSON_VALUE('{\"p\":123456}', '$.p' RETURNING DECIMAL(4,2)), JSON_VALUE('{\"p\":\"abc\"}', '$.p' " +
			"RETURNING CHAR(10))", "NULL abc"},
		{"OPTIMIZE TABLE t", "d.t optimize status OK"},
		{"optimize /* now */ local table `t`, d.`x` ;", "d.t optimize status OK|d.x optimize status OK"},
		{"ANALYZE TABLE t", "d.t analyze status OK"},
		{"REPAIR TABLE t QUICK", "d.t repair note The storage engine for the table doesn't support repair"},
		{"CHECKSUM TABLE t EXTENDED", "d.t NULL"},
	} {
		m.want(c.query, c.rows)
	}
	m.wantError("SELECT 1 MEMBER OF j", "syntax error")
	m.wantError("SELECT JSON_VALUE(j, '$.zz' RETURNING SIGNED DEFAULT 5 ON EMPTY) FROM t", "syntax error")
	m.wantError("SELECT JSON_VALUE(j, '$.zz' RETURNING SIGNED ERROR ON ERROR) FROM t", "syntax error")
	m.wantError("SELECT id FRM t WHERE 1 MEMBER OF (j)", "syntax error")
	m.exec("CREATE VIEW v AS SELECT id FROM t WHERE 1 MEMBER OF (j->'$.a')")
	m.want("SELECT * FROM v", "1")
	m.exec("PREPARE p FROM 'SELECT id FROM t WHERE ? MEMBER OF (j->''$.a'')'")
	m.exec("SET @one = 1")
	m.want("EXECUTE p USING @one", "1")
}

func TestParserSplitsStatements(t *testing.T) {
	p := parserOf(sql.NewMysqlParser())
	ctx := sql.NewEmptyContext()
	text := "SELECT ';', 1 MEMBER OF ('[1]'); OPTIMIZE TABLE t; SELECT 2"
	var got []string
	for text != "" {
		stmt, parsed, rest, err := p.Parse(ctx, text, true)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if stmt == nil {
			t.Fatalf("%s: no statement", text)
		}
		got = append(got, parsed)
		text = rest
	}
	want := []string{"SELECT ';', member_of(1 ,'[1]')", "OPTIMIZE TABLE t", "SELECT 2"}
	if len(got) != len(want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("statement %d: got %q, want %q", i, got[i], want[i])
		}
	}
}

// TestParserNeverPanics feeds it pieces of SQL in any order.
func TestParserNeverPanics(t *testing.T) {
	p := parserOf(sql.NewMysqlParser())
	pieces := []string{"SELECT", "1", "MEMBER", "OF", "(", ")", ";", "'", `"`, "`", "$a", "a$", "JSON_VALUE", "RETURNING",
		"SIGNED", ",", ".5", "->'$.a'", "OPTIMIZE", "TABLE", "t", "/*", "*/", "--", "#", "\\", "\n", "é", "@", "?", "-",
		"NULL ON EMPTY"}
	rapid.Check(t, func(t *rapid.T) {
		text := ""
		for _, piece := range rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12).Draw(t, "pieces") {
			text += piece + rapid.SampledFrom([]string{"", " "}).Draw(t, "space")
		}
		_, _, rest, _ := p.ParseWithOptions(t.Context(), text, ';', true, ast.ParserOptions{})
		if len(rest) > len(text) {
			t.Fatalf("%q leaves more than there was: %q", text, rest)
		}
		_, n, err := p.ParseOneWithOptions(t.Context(), text, ast.ParserOptions{})
		if err == nil && (n < 0 || n > len(text)) {
			t.Fatalf("%q ends at %d", text, n)
		}
	})
}

func TestTranslateQuantifiers(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"SELECT a > ANY (SELECT b FROM t)", "SELECT a > `any`( (SELECT b FROM t))"},
		{"SELECT a <> all ( ( SELECT 1 ) )", "SELECT a <> `all`( ( ( SELECT 1 ) ))"},
		{"SELECT a = Some/**/(WITH c AS (SELECT (1)) SELECT * FROM c), (2)",
			"SELECT a = `some`(/**/(WITH c AS (SELECT (1)) SELECT * FROM c)), (2)"},
		{"SELECT 1 UNION ALL (SELECT 2)", ""},
		{"SELECT a > ANY (1)", ""},
		{"SELECT a > ANY (SELECT 1", ""},
		{"SELECT '> ANY (SELECT 1)'", ""},
	} {
		if got, _ := syntax.Translate(c.text); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

func TestTranslateNames(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"SELECT copy FROM d.copy WHERE copy.off = 1", "SELECT `copy` FROM d.`copy` WHERE `copy`.`off` = 1"},
		{"INSERT INTO next (format, now) VALUES (FORMAT(1, 2), NOW())",
			"INSERT INTO `next` (`format`, `now`) VALUES (FORMAT(1, 2), NOW())"},
		{"CREATE TABLE IF NOT EXISTS std (vector VECTOR(3))", "CREATE TABLE IF NOT EXISTS `std` (`vector` VECTOR(3))"},
		{"ALTER TABLE t ADD off INT, ALGORITHM=COPY, LOCK SHARED",
			"ALTER TABLE t ADD `off` INT, ALGORITHM=COPY, LOCK SHARED"},
		{"SET GLOBAL a = OFF", ""},
		{"UPDATE t SET a = off", "UPDATE t SET a = `off`"},
		{"EXPLAIN FORMAT=TREE SELECT 'copy', \"copy\", `copy`",
			"EXPLAIN FORMAT=`sqlfdb_tree` SELECT 'copy', \"copy\", `copy`"},
		{"SELECT a LIKE b ESCAPE '|', a LIKE b ESCAPE ?, escape", "SELECT a LIKE b ESCAPE '|', a LIKE b ESCAPE ?, `escape`"},
		{"SELECT t.intersect, f.g(1), @@global.off, 1.e FROM t", "SELECT t.`intersect`, f.g(1), @@global.off, 1.e FROM t"},
	} {
		if got, _ := syntax.Translate(c.text); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}
