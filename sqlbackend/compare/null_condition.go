package compare

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// foldNull returns FALSE for a condition on rows with a conjunct that is NULL for every row. The engine reads nothing
// where a condition is FALSE, but evaluates NULL for every row. With the index off the condition is unchanged.
func (c Comparer) foldNull(condition sql.Expression) sql.Expression {
	for _, part := range expression.SplitConjunction(condition) {
		if c.isAlwaysNull(part) && setting.UsesIndex(c.Ctx) {
			return expression.NewLiteral(false, types.Boolean)
		}
	}
	return condition
}

// isAlwaysNull reports whether an expression with a literal NULL, and without columns, is NULL.
func (c Comparer) isAlwaysNull(e sql.Expression) bool {
	null := false
	fixed := !transform.InspectExpr(e, func(e sql.Expression) bool {
		switch e := e.(type) {
		case *expression.Literal:
			null = null || e.Val == nil
		case *expression.GetField:
			return true
		}
		return !e.Resolved()
	})
	if !null || !fixed || !IsRepeatable(e) {
		return false
	}
	v, err := e.Eval(c.Ctx, nil)
	return err == nil && v == nil
}

// IsRepeatable reports whether an expression has the same value at each evaluation over the same row, anywhere in a
// query. Columns by their index in rows are not repeatable.
func IsRepeatable(e sql.Expression) bool {
	return !transform.InspectExpr(e, func(e sql.Expression) bool {
		switch e.(type) {
		case *plan.Subquery, tree.Placed, *expression.UserVar, sql.Aggregation, sql.WindowAdaptableExpression:
			return true
		}
		other, ok := e.(sql.NonDeterministicExpression)
		return functions.IsVolatile(e) || ok && other.IsNonDeterministic()
	})
}
