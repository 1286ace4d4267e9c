package syntax

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// longNumber is the function around literals that the engine's binder can't hold. It makes a DECIMAL with 30 decimals
// of every long integer that is compared with one, and text of a number with more decimals.
const longNumber = "sqlfdb_number"

// Most digits of a literal that the binder keeps.
const (
	maxBoundDigits   = 35
	maxBoundDecimals = 30
)

// KeepLongNumbers puts longNumber around the long literals of comparisons and of functions' arguments. query is the
// text of the statement.
func KeepLongNumbers(stmt ast.Statement, query string) {
	if !hasLongNumber(query) {
		return
	}
	switch s := stmt.(type) {
	case *ast.Explain:
		KeepLongNumbers(s.Statement, query)
		return
	case *ast.Select, *ast.SetOp, *ast.ParenSelect, *ast.Insert, *ast.Update, *ast.Delete:
	default: // definitions are stored as written
		return
	}
	_ = statement.Walk(func(node ast.SQLNode) (bool, error) {
		switch n := node.(type) {
		case *ast.ComparisonExpr:
			n.Left, n.Right = keptNumber(n.Left), keptNumber(n.Right)
		case *ast.RangeCond:
			n.Left, n.From, n.To = keptNumber(n.Left), keptNumber(n.From), keptNumber(n.To)
		case ast.ValTuple:
			for i, e := range n {
				n[i] = keptNumber(e)
			}
		case *ast.FuncExpr:
			for _, e := range n.Exprs {
				if a, ok := e.(*ast.AliasedExpr); ok {
					a.Expr = keptNumber(a.Expr)
				}
			}
		case *ast.CaseExpr:
			n.Expr = keptNumber(n.Expr)
			for _, w := range n.Whens {
				w.Cond = keptNumber(w.Cond)
			}
		case *ast.UnaryExpr:
			n.Expr = keptNumber(n.Expr)
		}
		return true, nil
	}, stmt)
}

// hasLongNumber reports whether a text may hold a long number.
func hasLongNumber(text string) bool {
	run := 0
	for i := range len(text) {
		if c := text[i]; c < '0' || c > '9' {
			run = 0
		} else if run++; run > min(maxBoundDigits, maxBoundDecimals) {
			return true
		}
	}
	return false
}

func keptNumber(e ast.Expr) ast.Expr {
	v, ok := e.(*ast.SQLVal)
	if !ok || v.Type != ast.IntVal && v.Type != ast.FloatVal {
		return e
	}
	literal := string(v.Val)
	whole, decimals, _ := strings.Cut(literal, ".")
	if strings.ContainsAny(literal, "eE") || len(whole) <= maxBoundDigits && len(decimals) <= maxBoundDecimals {
		return e
	}
	return &ast.FuncExpr{Name: ast.NewColIdent(longNumber),
		Exprs: ast.SelectExprs{&ast.AliasedExpr{Expr: ast.NewStrVal(v.Val)}}}
}

// newLongNumber returns the number in a literal of text.
func newLongNumber(e sql.Expression) sql.Expression {
	if l, ok := e.(*expression.Literal); ok {
		if text, ok := l.Val.(string); ok {
			if d, ok := value.LiteralDecimal(text); ok {
				return withoutFolding(expression.NewLiteral(d, types.InternalDecimalType))
			}
		}
	}
	return e
}

// withoutFolding keeps the binder from taking a literal for one until the
// comparison rule unwraps it.
func withoutFolding(l *expression.Literal) sql.Expression {
	return &tree.Retype{UnaryExpression: expression.UnaryExpression{Child: l}, Target: l.Type()}
}

// The engine's parser does not check for cancellation while it reads a statement. An INSERT may have very many rows:
// they are read in parts, and a killed statement ends between them.

// partOfRows is the approximate size in bytes of the rows that are read at a time.
const partOfRows = 256 << 10

// manyRows are the rows of an INSERT or REPLACE.
type manyRows struct {
	head  int    // where the first row begins
	parts []seam // before each part but the first
}

// seam separates two parts: a comma, spaces and comments.
type seam struct {
	end  int // end of the row before it
	next int // start of the row after it
}

// cutRows finds the rows of a long INSERT … VALUES; false for other statements, and where rows have more than
// constants.
func cutRows(query string) (manyRows, bool) {
	var rows manyRows
	first := statement.NextToken(query, 0)
	if len(query) < 2*partOfRows || !first.Is(query, "INSERT") && !first.Is(query, "REPLACE") ||
		strings.Contains(query, "/*") {
		return rows, false
	}
	depth, from := 0, 0
	end, commas := 0, 1 // end of the last row, and number of commas after it
	for t := statement.NextToken(query, first.End); t.Kind != statement.TokenEnd; t = statement.NextToken(query, t.End) {
		switch {
		case t.Is(query, "("):
			if depth++; depth != 1 || rows.head == 0 {
				continue
			}
			if commas != 1 { // the parser reports the error
				return rows, false
			}
			if t.Start-from >= partOfRows {
				rows.parts = append(rows.parts, seam{end, t.Start})
				from = t.Start
			}
			commas = 0
		case t.Is(query, ")"):
			if depth--; depth == 0 {
				end = t.End
			}
		case depth == 0 && rows.head > 0 && t.Is(query, ","):
			commas++
		case depth == 0 && (t.Is(query, "VALUES") || t.Is(query, "VALUE")) && len(rows.parts) == 0:
			// The word before it is the name of the table.
			rows.head = statement.NextToken(query, t.End).Start
			from, commas = rows.head, 1
		case depth == 0 && rows.head > 0: // after the rows
			return rows, len(rows.parts) > 0
		case t.Is(query, "SELECT"), t.Is(query, "SET"), t.Is(query, "?"), rows.head > 0 && query[t.Start] == ':':
			return rows, false
		}
	}
	return rows, len(rows.parts) > 0
}

// parseRows reads an INSERT part by part, and the text after the rows with the last part.
func (p *statementParser) parseRows(ctx context.Context, query string, rows manyRows, delimiter rune, multi bool,
	options ast.ParserOptions) (ast.Statement, string, string, error) {
	head := query[:rows.head]
	last := rows.parts[len(rows.parts)-1].next
	stmt, _, rest, err := p.ParseWithOptions(ctx, head+query[last:], delimiter, multi, options)
	if err != nil {
		return nil, "", "", shiftPosition(err, rows.head, last)
	}
	whole, ok := stmt.(*ast.Insert)
	if !ok {
		return nil, "", "", errNoInsert
	}
	into, ok := whole.Rows.(*ast.AliasedValues)
	if !ok {
		return nil, "", "", errNoInsert
	}
	var all ast.Values
	from := rows.head
	for _, between := range rows.parts {
		if err := ctx.Err(); err != nil {
			return nil, "", "", err
		}
		part, _, _, err := p.ParseWithOptions(ctx, head+query[from:between.end], delimiter, false, options)
		if err != nil {
			return nil, "", "", shiftPosition(err, rows.head, from)
		}
		insert, ok := part.(*ast.Insert)
		if !ok {
			return nil, "", "", errNoInsert
		}
		values, ok := insert.Rows.(*ast.AliasedValues)
		if !ok {
			return nil, "", "", errNoInsert
		}
		all = append(all, values.Values...)
		from = between.next
	}
	into.Values = append(all, into.Values...)
	return whole, strings.TrimSpace(query[:len(query)-len(rest)]), rest, nil
}

// errNoInsert is plain, like the parser's errors.
var errNoInsert = errors.New("syntax error: the rows of an INSERT are cut within a statement of another kind")

// shiftPosition moves the position of a syntax error to its place in the whole statement.
func shiftPosition(err error, head, from int) error {
	before, rest, ok := strings.Cut(err.Error(), "at position ")
	var place int
	if n, _ := fmt.Sscanf(rest, "%d", &place); !ok || n != 1 || place <= head {
		return err
	}
	_, rest, _ = strings.Cut(rest, " ")
	return fmt.Errorf("%sat position %d %s", before, place-head+from, rest)
}
