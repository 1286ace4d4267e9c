package rewrite

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// keptExists is EXISTS of which a set operation, a derived table, what aggregates without GROUP BY, or the condition of
// an outer join reads columns of the outer query. It is evaluated for each row: the engine would make a join of it, in
// which those columns are not to be had, or take conditions on them out of what aggregates, or may be missing in an
// outer join. Its child is the engine's EXISTS, of which alone the engine's validation knows that it may hold rows.
type keptExists struct {
	expression.UnaryExpression
}

var _ sql.Expression = (*keptExists)(nil)

// keepsExists reports whether EXISTS is to stay where it is.
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

// readsAny reports whether what is below a node reads one of columns.
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
