package syntax

import (
	"errors"
	"fmt"
	"slices"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// aggregateWords are the beginnings of aggregates' names.
var aggregateWords = []string{"count", "sum", "min", "max", "avg", "std", "var", "bit_", "json_arrayagg",
	"json_objectagg", "group_concat"}

// refuseMisplacedAggregate refuses an aggregate in WHERE and in the condition of a join, where there are no groups
// yet: the plan builder computes it from rows that are not there. A subquery's WHERE may have one whose columns
// belong to the outer query.
func refuseMisplacedAggregate(stmt ast.Statement, query string) error {
	if !statement.Holds(query, "where") && !statement.Holds(query, "join") ||
		!slices.ContainsFunc(aggregateWords, func(word string) bool { return statement.Holds(query, word) }) {
		return nil
	}
	outer := map[ast.SQLNode]bool{}
	outermost(stmt, outer)
	return statement.Walk(func(n ast.SQLNode) (bool, error) {
		var where *ast.Where
		var from ast.TableExprs
		switch n := n.(type) {
		case *ast.Select:
			where, from = n.Where, n.From
		case *ast.Update:
			where, from = n.Where, n.TableExprs
		case *ast.Delete:
			where, from = n.Where, n.TableExprs
		default:
			return true, nil
		}
		conditions := conditionsOfJoins(from, nil)
		if where != nil {
			conditions = append(conditions, where.Expr)
		}
		for _, condition := range conditions {
			if holdsAggregate(condition, !outer[n]) {
				return false, mysqlerr.ErrMisplacedAggregate
			}
		}
		return true, nil
	}, stmt)
}

// outermost adds the parts of a statement that are in no other query.
func outermost(stmt ast.SQLNode, out map[ast.SQLNode]bool) {
	switch stmt := stmt.(type) {
	case *ast.Select, *ast.Update, *ast.Delete:
		out[stmt] = true
	case *ast.ParenSelect:
		outermost(stmt.Select, out)
	case *ast.SetOp:
		outermost(stmt.Left, out)
		outermost(stmt.Right, out)
	case *ast.Insert:
		outermost(stmt.Rows, out)
	case *ast.DDL:
		if stmt.OptSelect != nil {
			outermost(stmt.OptSelect.Select, out)
		}
	case *ast.Explain:
		outermost(stmt.Statement, out)
	}
}

// conditionsOfJoins adds the conditions of the joins in FROM.
func conditionsOfJoins(from ast.TableExprs, out []ast.Expr) []ast.Expr {
	for _, t := range from {
		switch t := t.(type) {
		case *ast.ParenTableExpr:
			out = conditionsOfJoins(t.Exprs, out)
		case *ast.JoinTableExpr:
			if t.Condition.On != nil {
				out = append(out, t.Condition.On)
			}
			out = conditionsOfJoins(ast.TableExprs{t.LeftExpr, t.RightExpr}, out)
		}
	}
	return out
}

// holdsAggregate reports whether a condition has an aggregate outside of its subqueries. In a nested query's
// condition only aggregates without columns count.
func holdsAggregate(condition ast.Expr, nested bool) bool {
	found := false
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.Subquery:
			return false, nil
		case *ast.FuncExpr:
			found = found || n.Over == nil && n.IsAggregate() && !(nested && readsColumn(n))
		case *ast.GroupConcatExpr:
			found = found || !nested || !readsColumn(n)
		}
		return !found, nil
	}, condition)
	return found
}

// readsColumn reports whether an expression has a column.
func readsColumn(e ast.Expr) bool {
	found := false
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		_, column := n.(*ast.ColName)
		found = found || column
		return !found, nil
	}, e)
	return found
}

// refuseMisplacedWindow refuses a window function outside of the list and the ORDER BY of a SELECT, or within an
// aggregate or another window function. There is no plan for it, and rewriting such a statement would not end.
func refuseMisplacedWindow(stmt ast.Statement, query string) error {
	if !statement.Holds(query, "over") {
		return nil
	}
	placed := map[*ast.FuncExpr]bool{}
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		if s, ok := n.(*ast.Select); ok {
			for _, e := range s.SelectExprs {
				placeWindows(e, placed)
			}
			for _, o := range s.OrderBy {
				placeWindows(o, placed)
			}
		}
		return true, nil
	}, stmt)
	var check func(n ast.SQLNode) (bool, error)
	check = func(n ast.SQLNode) (bool, error) {
		f, is := isWindow(n)
		if is && f.Name.EqualString("json_objectagg") {
			return false, errors.New("unsupported syntax: JSON_OBJECTAGG over a window")
		}
		if is && !placed[f] {
			return false, fmt.Errorf(mysqlerr.MisplacedWindow+" '%s' in this context.", f.Name.Lowered())
		}
		if s, ok := n.(*ast.Select); ok {
			for _, d := range s.Window { // the parser's walk leaves them out
				for _, e := range windowParts((*ast.Over)(d)) {
					if err := statement.Walk(check, *e); err != nil {
						return false, err
					}
				}
			}
		}
		return true, nil
	}
	return statement.Walk(check, stmt)
}

// placeWindows adds the window functions of a selected expression that are in no aggregate, other window or subquery.
func placeWindows(e ast.SQLNode, placed map[*ast.FuncExpr]bool) {
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.Subquery, *ast.GroupConcatExpr:
			return false, nil
		case *ast.FuncExpr:
			if n.Over != nil {
				placed[n] = true
			}
			return n.Over == nil && !n.IsAggregate(), nil
		}
		return true, nil
	}, e)
}
