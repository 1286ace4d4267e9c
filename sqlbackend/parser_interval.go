package sqlbackend

import ast "github.com/dolthub/vitess/go/vt/sqlparser"

// intervalsAsCalls makes DATE_ADD(d, INTERVAL n unit) of d + INTERVAL n unit, and DATE_SUB of the difference, which mean the same: the plan
// builder's sum drops fractions of seconds and is a DATETIME also of a date and days.
func intervalsAsCalls(stmt ast.SQLNode, query string) {
	if !holds(query, "interval") {
		return
	}
	_ = walkStatement(func(n ast.SQLNode) (bool, error) {
		eachExpression(n, func(place *ast.Expr) {
			// What is inside of a call is the place of an argument, and visited later.
			for _, sum := range intervalSums(*place) {
				*place = ast.ReplaceExpr(*place, sum, intervalCall(sum))
			}
		})
		return true, nil
	}, stmt)
}

// eachExpression visits the places of a node that hold an expression, none of which is part of another.
func eachExpression(n ast.SQLNode, visit func(place *ast.Expr)) {
	list := func(places []ast.Expr) {
		for i := range places {
			visit(&places[i])
		}
	}
	switch n := n.(type) {
	case *ast.AliasedExpr:
		visit(&n.Expr)
	case *ast.Where:
		if n != nil {
			visit(&n.Expr)
		}
	case *ast.Order:
		visit(&n.Expr)
	case *ast.AssignmentExpr:
		visit(&n.Expr)
	case *ast.JoinTableExpr:
		if n.Condition.On != nil {
			visit(&n.Condition.On)
		}
	case *ast.Over:
		if n != nil {
			list(n.PartitionBy)
		}
	case *ast.Select:
		list(n.GroupBy)
		for _, w := range n.Window { // ast.Walk leaves it out
			list(w.PartitionBy)
			for _, o := range w.OrderBy {
				visit(&o.Expr)
			}
		}
	case ast.ValTuple:
		list(n)
	}
}

// intervalSums are the sums with intervals in an expression, but those within others, within the arguments of calls and within subqueries.
func intervalSums(e ast.Expr) []*ast.BinaryExpr {
	var out []*ast.BinaryExpr
	walkOutside(e, func(n ast.SQLNode) bool {
		switch n := n.(type) {
		case *ast.AliasedExpr, ast.ValTuple:
			return false
		case *ast.BinaryExpr:
			if intervalCall(n) != nil {
				out = append(out, n)
				return false
			}
		}
		return true
	})
	return out
}

// intervalCall is the call that stands for a sum with an interval; nil if it is none.
func intervalCall(sum *ast.BinaryExpr) ast.Expr {
	date, interval, name := sum.Left, sum.Right, "date_add"
	switch sum.Operator {
	case ast.PlusStr:
		if _, first := date.(*ast.IntervalExpr); first {
			date, interval = interval, date
		}
	case ast.MinusStr:
		name = "date_sub"
	default:
		return nil
	}
	if _, ok := interval.(*ast.IntervalExpr); !ok {
		return nil
	}
	return &ast.FuncExpr{Name: ast.NewColIdent(name), Exprs: ast.SelectExprs{&ast.AliasedExpr{Expr: date}, &ast.AliasedExpr{Expr: interval}}}
}
