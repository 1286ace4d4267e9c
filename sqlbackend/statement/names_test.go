package statement

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// TestCollectNames shows what statements name: columns (those that may be an
// alias with ?), stars and what they do to tables.
func TestCollectNames(t *testing.T) {
	for _, c := range []struct{ query, want string }{
		{"SELECT a, t.b, COUNT(*) FROM t", "columns a t.b"},
		{"SELECT * FROM t", "columns stars ."},
		{"SELECT x.*, y.a FROM t x, u y", "columns y.a stars x"},
		{"SELECT a AS b FROM t GROUP BY c HAVING d > 1 ORDER BY b", "columns a c? d? b? aliases b"},
		{"SELECT a AS a FROM t", "columns a"},
		{"SELECT t.a FROM t JOIN u USING (k) WHERE EXISTS (SELECT 1 FROM v WHERE v.x = t.y)", "columns t.a k v.x t.y"},
		{"WITH c (p) AS (SELECT q FROM t) SELECT p FROM c", "columns p q aliases p"},
		{"SELECT j.n FROM t, JSON_TABLE(t.a, '$[*]' COLUMNS (n INT PATH '$')) j", "columns j.n t.a aliases n"},
		{"SELECT ROW_NUMBER() OVER (PARTITION BY a ORDER BY b), COUNT(*) OVER (PARTITION BY c) FROM t", "columns a b? c"},
		{"INSERT INTO t (a, `b.c`) VALUES (1, 2) ON DUPLICATE KEY UPDATE d = e + VALUES(a)",
			"columns t.a t.b.c d e a inserts t(a b.c)+d"},
		{"INSERT INTO t VALUES (1)", "columns inserts t(*)"},
		{"INSERT INTO t () VALUES ()", "columns inserts t()"},
		{"INSERT INTO t (a) SELECT b FROM u", "columns t.a b inserts t(a)"},
		{"REPLACE INTO t SET a = 1", "columns t.a inserts t(a)"},
		{"UPDATE t SET a = b WHERE c = 1 ORDER BY d", "columns a b c d? changes t(a)"},
		{"UPDATE t JOIN u ON t.i = u.i SET t.a = u.b", "columns t.i u.i t.a u.b changes t(a) changes u(a)"},
		{"DELETE FROM t WHERE a = 1", "columns a changes t()"},
		{"LOAD DATA INFILE 'x' INTO TABLE t (a, @v) SET b = @v", "columns t.a b inserts t(a b)"},
		{"EXPLAIN SELECT a FROM t", "columns a"},
		{"SHOW COLUMNS FROM t", "columns show"},
		{"SHOW CREATE TABLE t", "columns declared"},
		{"ALTER TABLE t ADD INDEX (a, b)", "columns declared indexed a b"},
		{"CREATE VIEW v AS SELECT a FROM t", "columns a declared"},
		{"SELECT a FROM t UNION SELECT b FROM u ORDER BY c", "columns a b"},
	} {
		stmt, err := ast.Parse(c.query)
		if err != nil {
			t.Fatalf("%s: %v", c.query, err)
		}
		want := strings.Replace(c.want, " declared", "", 1)
		got := strings.Replace(describeNames(CollectNames([]ast.Statement{stmt})), " declared", "", 1)
		if strings.HasPrefix(c.query, "SHOW") || strings.HasPrefix(c.query, "ALTER") {
			want, got = c.want, describeNames(CollectNames([]ast.Statement{stmt}))
		}
		sorted := func(s string) string {
			f := strings.Fields(s)
			slices.Sort(f)
			return strings.Join(f, " ")
		}
		if sorted(got) != sorted(want) {
			t.Errorf("%s\n got %s\nwant %s", c.query, got, want)
		}
	}
}

func describeNames(n *Names) string {
	out := "columns"
	for _, c := range n.Columns {
		out += " "
		if c.Qualifier != "" {
			out += c.Qualifier + "."
		}
		out += c.Name
		if c.Weak {
			out += "?"
		}
	}
	list := func(kind string, m map[string]bool) {
		for k := range m {
			if k == "" {
				k = "."
			}
			out += " " + kind + " " + k
		}
	}
	list("aliases", n.Aliases)
	list("stars", n.Stars)
	for table, w := range n.Writes {
		columns := strings.Join(w.Columns, " ")
		if w.Whole {
			columns = "*"
		}
		if w.Inserts {
			out += fmt.Sprintf(" inserts %s(%s)", table, columns)
		}
		if w.Changes {
			out += fmt.Sprintf(" changes %s(%s)", table, columns)
		}
		for _, c := range w.onDuplicate {
			out += "+" + c
		}
	}
	if n.Show {
		out += " show"
	}
	if n.Declared {
		out += " declared"
	}
	for i, c := range n.Indexed {
		if i == 0 {
			out += " indexed"
		}
		out += " " + c
	}
	return out
}

// TestPlainText: `--` begins a comment only where white space, a control character or nothing follows; NUL bytes are
// errors outside of strings and comments, unless they end the text.
func TestPlainText(t *testing.T) {
	for text, want := range map[string]string{
		"SELECT 1--1":                      "SELECT 1 +1",
		"SELECT 2*--3, 1---1, a --b":       "SELECT 2* +3, 1 +-1, a  +b",
		"SELECT 1 -- 2":                    "SELECT 1 -- 2",
		"SELECT 1 --\t2\n--":               "SELECT 1 --\t2\n--",
		"SELECT 1 --\x01 2\n- -3":          "SELECT 1 --\x01 2\n- -3",
		"SELECT '--1', \"--1\", `--1`":     "SELECT '--1', \"--1\", `--1`",
		"SELECT 1 /* --1 */ # --1":         "SELECT 1 /* --1 */ # --1",
		"SELECT a->>'$.b'--1":              "SELECT a->>'$.b' +1",
		"SELECT 'a\x00b' /* \x00 */\x00":   "SELECT 'a\x00b' /* \x00 */\x00",
		"SELECT 1\x00, 2":                  "error",
		"SELECT\x00 1":                     "error",
		"INSERT INTO t VALUES ('--'), (1)": "INSERT INTO t VALUES ('--'), (1)",
	} {
		got, err := PlainText(text)
		if err != nil {
			got = "error"
		}
		if got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}
