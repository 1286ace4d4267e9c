package syntax

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// longNumber is the function that stands around literals which the engine's
// binder can't hold: it makes a DECIMAL of 30 decimals of every long integer that
// is compared with one, and text of a number with more decimals.
const longNumber = "sqlfdb_number"

// Digits of a literal that the binder does not harm.
const (
	maxBoundDigits   = 35
	maxBoundDecimals = 30
)

// KeepLongNumbers puts longNumber around the long literals of comparisons and
// of functions' arguments. The query is the text that the statement is from.
func KeepLongNumbers(stmt ast.Statement, query string) {
	if !hasLongNumber(query) {
		return
	}
	switch s := stmt.(type) {
	case *ast.Explain:
		KeepLongNumbers(s.Statement, query)
		return
	case *ast.Select, *ast.SetOp, *ast.ParenSelect, *ast.Insert, *ast.Update, *ast.Delete:
	default: // definitions are stored as they are written
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

// hasLongNumber tells whether a text may hold a number that is long.
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

// newLongNumber is the number in a literal of text.
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
