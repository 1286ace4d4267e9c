package syntax

import (
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// planAsCalls replaces expressions that the plan builder plans wrongly by equivalent calls. The sum d + INTERVAL n
// unit becomes DATE_ADD(d, INTERVAL n unit): the sum drops fractions of seconds, and is a DATETIME also for a date
// and days. CAST(s AS CHAR(n)), which cuts bytes, and leaves literals whole, becomes LEFT(CAST(s AS CHAR), n).
// EXTRACT(WEEK FROM d), which counts weeks of ISO 8601, becomes WEEK(d).
//
// TIMESTAMPDIFF, TIMESTAMPADD, ~ and casts to a DECIMAL without decimals or a TIME become calls that can be our own.
// NTH_VALUE and CUME_DIST get the names of window functions that the plan builder knows.
func planAsCalls(stmt ast.SQLNode, query string) {
	if !statement.Holds(query, "interval") && !statement.Holds(query, "time") && !statement.Holds(query, "char") &&
		!statement.Holds(query, "week") && !statement.Holds(query, "timestampdiff") &&
		!statement.Holds(query, "timestampadd") &&
		!statement.Holds(query, "~") && !statement.Holds(query, "decimal") && !statement.Holds(query, "dec") &&
		!statement.Holds(query, "numeric") && !statement.Holds(query, "nth_value") && !statement.Holds(query, "cume_dist") {
		return
	}
	// An expression inside a call is an argument, which is visited later.
	replace := func(place *ast.Expr) {
		for _, e := range plannedAsCalls(*place) {
			*place = ast.ReplaceExpr(*place, e, callFor(e))
		}
	}
	walk := func(n ast.SQLNode) (bool, error) {
		if a, ok := n.(*ast.AliasedExpr); ok && a.As.IsEmpty() { // INTERVAL(n, …) name
			if i, ok := a.Expr.(*ast.IntervalExpr); ok {
				if _, several := i.Expr.(ast.ValTuple); several {
					a.As = ast.NewColIdent(i.Unit)
				}
			}
		}
		eachExpression(n, replace)
		return true, nil
	}
	statement.EachDefinition(stmt, func(place *ast.Expr) {
		replace(place)
		_ = statement.Walk(walk, *place)
	})
	_ = statement.Walk(walk, stmt)
}

// eachExpression visits the expressions that a node holds directly; none of them is part of another.
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
	case *ast.SetVarExpr:
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

// plannedAsCalls returns the parts of an expression that are replaced by calls, except parts of such parts, arguments
// of calls and subqueries.
func plannedAsCalls(e ast.Expr) []ast.Expr {
	var out []ast.Expr
	walkOutside(e, func(n ast.SQLNode) bool {
		switch n := n.(type) {
		case *ast.AliasedExpr, ast.ValTuple:
			return false
		case ast.Expr:
			if callFor(n) != nil {
				out = append(out, n)
				return false
			}
		}
		return true
	})
	return out
}

// callFor returns the call that replaces an expression; nil if there is none.
func callFor(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return intervalCall(e)
	case *ast.IntervalExpr:
		if numbers, ok := e.Expr.(ast.ValTuple); ok {
			return callOf("interval_of", numbers...)
		}
	case *ast.ConvertExpr:
		if to := strings.ToLower(e.Type.Type); (to == "char" || to == "nchar") && e.Type.Length != nil {
			length, whole := e.Type.Length, *e.Type
			whole.Length = nil
			return callOf("left", &ast.ConvertExpr{Name: e.Name, Expr: e.Expr, Type: &whole}, length)
		}
		if call := timeCall(e); call != nil {
			return call
		}
		if to := strings.ToLower(e.Type.Type); to == "decimal" && (e.Type.Scale == nil || string(e.Type.Scale.Val) == "0") {
			digits := e.Type.Length
			if digits == nil {
				digits = ast.NewIntVal([]byte("10"))
			}
			return callOf("decimal_of", e.Expr, digits)
		}
	case *ast.UnaryExpr:
		if e.Operator == ast.TildaStr {
			return callOf("bit_not", e.Expr)
		}
	case *ast.FuncExpr:
		return functions.WindowCall(e)
	case *ast.ExtractFuncExpr:
		if strings.EqualFold(e.Unit, "week") {
			return callOf("week", e.Expr)
		}
	case *ast.TimestampFuncExpr:
		if strings.EqualFold(e.Name, "timestampdiff") {
			return callOf("timestampdiff", ast.NewStrVal([]byte(e.Unit)), e.Expr1, e.Expr2)
		}
		return callOf("date_add", e.Expr2, &ast.IntervalExpr{Expr: e.Expr1, Unit: e.Unit})
	}
	return nil
}

func callOf(name string, args ...ast.Expr) ast.Expr {
	f := &ast.FuncExpr{Name: ast.NewColIdent(name)}
	for _, a := range args {
		f.Exprs = append(f.Exprs, &ast.AliasedExpr{Expr: a})
	}
	return f
}

// intervalCall returns the call that replaces a sum with an interval; nil for other sums.
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
	return callOf(name, date, interval)
}
