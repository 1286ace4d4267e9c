package syntax_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
)

// manyRows is an INSERT that is read in parts.
func manyRows(rows int, behind string) string {
	var b strings.Builder
	b.WriteString("INSERT INTO `values` (a, b) VALUES ")
	for i := range rows {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "(%d, 'it''s, (%d', NULL, CONCAT('a', -1))", i, i)
	}
	return b.String() + behind
}

// TestManyRows: an INSERT of many rows is what it is as a whole, and ends when it is killed.
func TestManyRows(t *testing.T) {
	p := syntax.NewParser(sql.GlobalParser)
	const rows = 16_000
	for _, behind := range []string{"", ";", " ON DUPLICATE KEY UPDATE a = 1",
		" AS new(c, d, e, f) ON DUPLICATE KEY UPDATE a = c", "; SELECT 1"} {
		query := manyRows(rows, behind)
		stmt, text, rest, err := p.ParseWithOptions(context.Background(), query, ';', true, ast.ParserOptions{})
		if err != nil {
			t.Fatalf("%q: %v", behind, err)
		}
		want, _, wantRest, err := sql.GlobalParser.ParseWithOptions(context.Background(), query, ';', true,
			ast.ParserOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got := stmt.(*ast.Insert); ast.String(got) != ast.String(want) || strings.TrimSpace(rest) != strings.TrimSpace(
			wantRest) || !strings.HasPrefix(query, text) {
			t.Errorf("%q: %.100s… and %q, want %q", behind, ast.String(got), rest, wantRest)
		}
		_, length, err := p.ParseOneWithOptions(context.Background(), query, ast.ParserOptions{})
		if err != nil || strings.TrimLeft(query[length:], "; ") != strings.TrimSpace(wantRest) {
			t.Errorf("%q: %d of %d bytes, %v", behind, length, len(query), err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, _, err := p.ParseWithOptions(ctx, manyRows(rows, ""), ';', true, ast.ParserOptions{}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("killed: %v", err)
	}
	broken := strings.Replace(manyRows(rows, ""), "(15000, ", "(15000 5, ", 1)
	_, _, _, err := p.ParseWithOptions(context.Background(), broken, ';', true, ast.ParserOptions{})
	_, _, _, want := sql.GlobalParser.ParseWithOptions(context.Background(), broken, ';', true, ast.ParserOptions{})
	place := func(err error) string {
		_, behind, _ := strings.Cut(fmt.Sprint(err), "at position ")
		return strings.Fields(behind + " ")[0]
	}
	if err == nil || place(err) != place(want) {
		t.Errorf("broken: %v, want %v", err, want)
	}
}

// TestManyRowsCommented: comments may stand wherever an INSERT is cut, and columns and tables may be named VALUE.
func TestManyRowsCommented(t *testing.T) {
	p := syntax.NewParser(sql.GlobalParser)
	for i, head := range []string{"INSERT INTO t VALUES ", "INSERT INTO t VALUES -- (0)\n",
		"INSERT INTO t (id, value) VALUES ", "INSERT INTO value VALUES ", "REPLACE INTO value (value, b) VALUES "} {
		for _, between := range []string{", -- comment\n", " -- (1, 2)\n , ", ", # c\n", "#,\n,#,\n", ",-- (\n", ", /* c */ ",
			"/*,*/,"} {
			if i > 0 && between != ", # c\n" {
				continue
			}
			var b strings.Builder
			b.WriteString(head)
			for i := range 8_000 {
				if i > 0 {
					b.WriteString(between)
				}
				fmt.Fprintf(&b, "(%d, '%s')", i, strings.Repeat("x", 120))
			}
			stmt, _, _, err := p.ParseWithOptions(context.Background(), b.String(), ';', true, ast.ParserOptions{})
			if err != nil {
				t.Errorf("%q with %q: %.200v", head, between, err)
				continue
			}
			values := stmt.(*ast.Insert).Rows.(*ast.AliasedValues).Values
			if len(values) != 8_000 {
				t.Errorf("%q with %q: %d rows", head, between, len(values))
			}
			for i, v := range values {
				if got := ast.String(v); !strings.HasPrefix(got, fmt.Sprintf("(%d, 'x", i)) {
					t.Fatalf("%q with %q: row %d is %s", head, between, i, got)
				}
			}
		}
	}
}

// TestManyRowsCommas: exactly one comma stands between rows, wherever an INSERT is cut.
func TestManyRowsCommas(t *testing.T) {
	p := syntax.NewParser(sql.GlobalParser)
	row := "('" + strings.Repeat("x", 127<<10) + "')"
	for _, between := range []string{",,", " ", ", -- c\n ,"} {
		for at := range 4 {
			query := "INSERT INTO t VALUES " + row
			for i := range 6 {
				if i == at {
					query += between + row
				} else {
					query += "," + row
				}
			}
			_, _, _, err := p.ParseWithOptions(context.Background(), query, ';', true, ast.ParserOptions{})
			_, _, _, want := sql.GlobalParser.ParseWithOptions(context.Background(), query, ';', true, ast.ParserOptions{})
			if err == nil || want == nil || err.Error() != want.Error() {
				t.Errorf("%q behind row %d: %.200v, want %.200v", between, at, err, want)
			}
		}
	}
}

// TestProcedureOnce: CREATE PROCEDURE is refused where it is parsed. The engine parses its text again, ignores the
// error of one that is killed meanwhile, and panics.
func TestProcedureOnce(t *testing.T) {
	p := syntax.NewParser(sql.GlobalParser)
	for _, query := range []string{"CREATE PROCEDURE p() SELECT 1", "create procedure d.p(IN n INT) BEGIN SELECT n; END"} {
		_, _, _, err := p.ParseWithOptions(context.Background(), query, ';', false, ast.ParserOptions{})
		if err == nil || !strings.Contains(err.Error(), "stored procedures are not supported") {
			t.Errorf("%s: %v", query, err)
		}
	}
}
