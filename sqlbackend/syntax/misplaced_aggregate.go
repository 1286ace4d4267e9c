package syntax

import (
	"slices"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// aggregateWords are what the names of aggregates begin with.
var aggregateWords = []string{"count", "sum", "min", "max", "avg", "std", "var", "bit_", "json_arrayagg",
	"json_objectagg", "group_concat"}

// refuseMisplacedAggregate refuses an aggregate in WHERE and in the condition of a join, where there are no groups yet:
// the plan builder computes it of rows that are not there. A subquery may have one there of the columns of the query
// around it.
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

// outermost adds the parts of a statement around which there is no other query.
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

// holdsAggregate reports whether there is an aggregate in a condition, outside of its subqueries; in that of a nested
// query it counts those only that are of no columns.
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

// readsColumn reports whether there is a column in an expression.
func readsColumn(e ast.Expr) bool {
	found := false
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		_, column := n.(*ast.ColName)
		found = found || column
		return !found, nil
	}, e)
	return found
}
