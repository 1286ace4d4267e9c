package syntax

import (
	"slices"
	"strconv"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// distinctColumns gives unique names to the columns of a query that becomes a derived table, where two have the same
// name or the order names one by its table. It puts these names into the outer order. It returns the outer query's
// select list; nil for *.
func distinctColumns(inner *ast.Select, order ast.OrderBy, aliases []string) ast.SelectExprs {
	list := make(ast.SelectExprs, len(inner.SelectExprs))
	outer := make(ast.SelectExprs, len(list))
	called, needed := map[string]bool{}, false
	for i, e := range inner.SelectExprs {
		given, ok := e.(*ast.AliasedExpr)
		if !ok {
			return nil
		}
		name := givenName(given)
		needed = needed || called[name.Lowered()]
		called[name.Lowered()] = true
		own := ast.NewColIdent("derived column " + strconv.Itoa(i))
		list[i] = &ast.AliasedExpr{Expr: given.Expr, As: own, InputExpression: given.InputExpression}
		outer[i] = &ast.AliasedExpr{Expr: &ast.ColName{Name: own}, As: name}
	}
	var named []*ast.ColName
	for _, o := range order {
		walkOutside(o.Expr, func(n ast.SQLNode) bool {
			if c, ok := n.(*ast.ColName); ok {
				named = append(named, c)
				needed = needed || !c.Qualifier.IsEmpty()
			}
			return true
		})
	}
	if !needed {
		return nil
	}
	places := make([]int, len(named))
	for i, c := range named {
		if places[i] = selectedColumn(inner.SelectExprs, c, aliases); places[i] < 0 {
			return nil
		}
	}
	for i, c := range named {
		own := &ast.ColName{Name: list[places[i]].(*ast.AliasedExpr).As}
		for _, o := range order {
			o.Expr = ast.ReplaceExpr(o.Expr, c, own)
		}
	}
	inner.SelectExprs = list
	return outer
}

// givenName returns the column name that the client sees.
func givenName(e *ast.AliasedExpr) ast.ColIdent {
	if !e.As.IsEmpty() {
		return e.As
	}
	if c, ok := e.Expr.(*ast.ColName); ok {
		return c.Name
	}
	if e.InputExpression != "" {
		return ast.NewColIdent(e.InputExpression)
	}
	return ast.NewColIdent(ast.String(e.Expr))
}

// selectedColumn returns the place in a list of the column, or else the alias, that ORDER BY names; -1 if it is not
// there.
func selectedColumn(list ast.SelectExprs, name *ast.ColName, aliases []string) int {
	column := slices.IndexFunc(list, func(e ast.SelectExpr) bool {
		c, ok := e.(*ast.AliasedExpr).Expr.(*ast.ColName)
		return ok && c.Name.Equal(name.Name) && (name.Qualifier.IsEmpty() || c.Qualifier == name.Qualifier)
	})
	if column >= 0 && !slices.Contains(aliases, name.Name.Lowered()) || !name.Qualifier.IsEmpty() {
		return column
	}
	return slices.IndexFunc(list, func(e ast.SelectExpr) bool { return e.(*ast.AliasedExpr).As.Equal(name.Name) })
}
