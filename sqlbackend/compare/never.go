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

// never is a condition on rows, FALSE if a part of it is NULL whatever the row: the engine reads nothing where a
// condition is FALSE, but asks of every row one that is NULL. With the index off it stays as it is.
func (c Comparer) never(condition sql.Expression) sql.Expression {
	for _, part := range expression.SplitConjunction(condition) {
		if c.isAlwaysNull(part) && setting.UsesIndex(c.Ctx) {
			return expression.NewLiteral(false, types.Boolean)
		}
	}
	return condition
}

// isAlwaysNull reports whether what is made of a NULL that is written there, and no column, is NULL.
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

// IsRepeatable reports whether an expression has the same value wherever in a query it is computed of the same row; a
// column by its place in rows has another one.
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
