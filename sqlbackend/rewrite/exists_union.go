package rewrite

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// keptExists is an EXISTS that the engine must not turn into a join, so it is evaluated for each row. In it, columns
// of the outer query are read by a set operation, a derived table, an aggregation without GROUP BY, or the condition
// of an outer join. A join would not have those columns, or would take conditions on them out of the aggregation. In
// an outer join they may be missing. Its child is the engine's EXISTS: the engine's validation allows rows as an
// operand for that node alone.
type keptExists struct {
	expression.UnaryExpression
}

var _ sql.Expression = (*keptExists)(nil)

// keepsExists reports whether an EXISTS is to stay where it is.
func keepsExists(e *plan.ExistsSubquery) bool {
	outer := e.Query.Correlated()
	if outer.Empty() {
		return false
	}
	found := false
	transform.Inspect(e.Query.Query, func(n sql.Node) bool {
		switch n := n.(type) {
		case *plan.SetOp, *plan.SubqueryAlias:
			found = found || readsAny(n, outer)
		case *plan.GroupBy:
			found = found || len(n.GroupByExprs) == 0 && readsAny(n, outer)
		}
		return n != nil && !found
	})
	return found || tree.OuterJoinReads(e.Query.Query, outer)
}

// readsAny reports whether a node, or one below it, reads one of the columns.
func readsAny(n sql.Node, columns sql.ColSet) bool {
	found := false
	tree.InspectPlan(n, func(sql.Node) {}, func(e sql.Expression) {
		f, ok := e.(*expression.GetField)
		found = found || ok && columns.Contains(f.Id())
	})
	return found
}

// Type implements sql.Expression.
func (k *keptExists) Type() sql.Type { return types.Boolean }

// IsNullable implements sql.Expression.
func (k *keptExists) IsNullable() bool { return false }

// Eval implements sql.Expression.
func (k *keptExists) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	return k.Child.Eval(ctx, row)
}

// WithChildren implements sql.Expression. The rule that makes the node meets its child again.
func (k *keptExists) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(k, len(children), 1)
	}
	if again, ok := children[0].(*keptExists); ok {
		return again, nil
	}
	return &keptExists{expression.UnaryExpression{Child: children[0]}}, nil
}

// String implements fmt.Stringer.
func (k *keptExists) String() string { return k.Child.String() }
