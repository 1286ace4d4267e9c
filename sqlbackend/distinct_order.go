package sqlbackend

import (
	"strconv"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// orderDistinct puts names for the positions in ORDER BY of SELECT DISTINCT. The
// plan builder takes ORDER BY 2 for the second expression over the table's
// rows, yet sorts rows that hold the result: it answered in the order of
// another column, or found none. The query is the text that the statement is from.
func orderDistinct(stmt ast.SQLNode, query string) {
	if !holds(query, "distinct") || !holds(query, "by") {
		return
	}
	_ = walkStatement(func(n ast.SQLNode) (bool, error) {
		s, ok := n.(*ast.Select)
		if !ok || !s.QueryOpts.Distinct {
			return true, nil
		}
		for _, o := range s.OrderBy {
			if e := positionName(s.SelectExprs, o.Expr); e != nil {
				o.Expr = e
			}
		}
		return true, nil
	}, stmt)
}

// positionName is the name of the result at a position, which gets the one that the
// client sees; nil where the position may stay: that of a column or a constant.
func positionName(list ast.SelectExprs, position ast.Expr) ast.Expr {
	v, ok := position.(*ast.SQLVal)
	if !ok || v.Type != ast.IntVal {
		return nil
	}
	at, err := strconv.Atoi(string(v.Val))
	if err != nil || at < 1 || at > len(list) {
		return nil
	}
	for _, e := range list[:at] {
		if _, ok := e.(*ast.AliasedExpr); !ok {
			return nil // a star stands for as many columns as its table has
		}
	}
	e := list[at-1].(*ast.AliasedExpr)
	switch e.Expr.(type) {
	case *ast.ColName, *ast.SQLVal:
		return nil
	}
	name := e.As
	if name.IsEmpty() {
		if e.InputExpression == "" {
			return nil
		}
		name = ast.NewColIdent(e.InputExpression)
	}
	for i, other := range list {
		if o, ok := other.(*ast.AliasedExpr); ok && i != at-1 && (o.As.Equal(name) || o.InputExpression == name.String()) {
			return nil // the name would be another's too
		}
	}
	e.As = name
	return &ast.ColName{Name: name}
}
