package syntax

import (
	"slices"
	"strconv"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// orderDistinct replaces the positions in ORDER BY of SELECT DISTINCT, and its selected expressions, by names. The
// plan builder takes ORDER BY 2 for the second expression over the table's rows, yet sorts rows of the result. So it
// would sort by another column, or find none. For an expression it would hand up the expression's columns, and
// distinguish results by them. query is the text of the statement.
func orderDistinct(stmt ast.SQLNode, query string) {
	if !statement.Holds(query, "distinct") || !statement.Holds(query, "by") {
		return
	}
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		s, ok := n.(*ast.Select)
		if !ok || !s.QueryOpts.Distinct {
			return true, nil
		}
		for _, o := range s.OrderBy {
			if e := resultName(s.SelectExprs, o.Expr); e != nil {
				o.Expr = e
			}
		}
		return true, nil
	}, stmt)
}

// resultName returns the name of the selected expression that ORDER BY means by position or by text. The expression
// gets the name that the client sees. It returns nil where ORDER BY may stay: for a column or a constant.
func resultName(list ast.SelectExprs, by ast.Expr) ast.Expr {
	at := selectedAt(list, by)
	if at < 0 {
		return nil
	}
	e := list[at].(*ast.AliasedExpr)
	switch e.Expr.(type) {
	case *ast.ColName, *ast.SQLVal:
		return nil
	}
	name := e.As
	if name.IsEmpty() {
		text := e.InputExpression
		if text == "" {
			text = ast.String(e.Expr) // in EXPLAIN, which shows no result
		}
		name = ast.NewColIdent(text)
	}
	for i, other := range list {
		if o, ok := other.(*ast.AliasedExpr); ok && i != at && (o.As.Equal(name) || o.InputExpression == name.String()) {
			return nil // another column would have the same name
		}
	}
	e.As = name
	return &ast.ColName{Name: name}
}

// selectedAt returns the place in a list, from 0, of the expression that ORDER BY sorts by; -1 where that is not
// known.
func selectedAt(list ast.SelectExprs, by ast.Expr) int {
	switch by := by.(type) {
	case *ast.ColName:
		return -1
	case *ast.SQLVal:
		at, err := strconv.Atoi(string(by.Val))
		if by.Type != ast.IntVal || err != nil || at < 1 || at > len(list) {
			return -1
		}
		for _, e := range list[:at] {
			if _, ok := e.(*ast.AliasedExpr); !ok {
				return -1 // a star stands for as many columns as its table has
			}
		}
		return at - 1
	}
	text := ast.String(by)
	return slices.IndexFunc(list, func(e ast.SelectExpr) bool {
		a, ok := e.(*ast.AliasedExpr)
		return ok && ast.String(a.Expr) == text
	})
}
