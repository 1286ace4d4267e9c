package rewrite

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// WithoutOuterOperands wraps the engine's rule that orders joins, and hides outer columns in comparisons from it. The
// engine joins tables by all columns that are equal, and fails with "vertex not found" where one of them belongs to
// no table of the join.
func WithoutOuterOperands(rule analyzer.RuleFunc) analyzer.RuleFunc {
	return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector,
		flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
		if !flags.SubqueryIsSet() || scope.IsEmpty() || scope.Correlated().Empty() {
			return rule(ctx, a, n, scope, sel, flags)
		}
		outer := scope.Correlated()
		hidden, same, err := conditionOperands(n, func(o sql.Expression) (sql.Expression, bool) {
			if f, ok := o.(*expression.GetField); ok && outer.Contains(f.Id()) {
				return &outerOperand{expression.UnaryExpression{Child: f}}, true
			}
			return o, false
		})
		if err != nil || bool(same) {
			return rule(ctx, a, n, scope, sel, flags)
		}
		next, _, err := rule(ctx, a, hidden, scope, sel, flags)
		if err != nil {
			return n, transform.SameTree, err
		}
		next, _, err = conditionOperands(next, func(o sql.Expression) (sql.Expression, bool) {
			if h, ok := o.(*outerOperand); ok {
				return h.Child, true
			}
			return o, false
		})
		return next, transform.NewTree, err
	}
}

// conditionOperands changes the operands of comparisons in the conditions of a plan, except those in derived tables
// and subqueries.
func conditionOperands(n sql.Node, change func(sql.Expression) (sql.Expression, bool)) (sql.Node,
	transform.TreeIdentity, error) {
	return transform.Node(n, func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		switch n.(type) {
		case *plan.JoinNode, *plan.Filter:
		default:
			return n, transform.SameTree, nil
		}
		return tree.NodeExpressions(n, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
			compared, ok := e.(expression.Comparer)
			if !ok {
				return e, transform.SameTree, nil
			}
			left, hidLeft := change(compared.Left())
			right, hidRight := change(compared.Right())
			return functions.Rebuild(e, []sql.Expression{left, right}, hidLeft || hidRight)
		})
	})
}

// outerOperand is a column of an outer query, hidden so that the engine does not recognize a column.
type outerOperand struct {
	expression.UnaryExpression
}

var (
	_ sql.Expression         = (*outerOperand)(nil)
	_ sql.CollationCoercible = (*outerOperand)(nil)
)

// Type implements sql.Expression.
func (o *outerOperand) Type() sql.Type { return o.Child.Type() }

// CollationCoercibility implements sql.CollationCoercible.
func (o *outerOperand) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, o.Child)
}

// Eval implements sql.Expression.
func (o *outerOperand) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	return o.Child.Eval(ctx, row)
}

// WithChildren implements sql.Expression.
func (o *outerOperand) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(o, len(children), 1)
	}
	return &outerOperand{expression.UnaryExpression{Child: children[0]}}, nil
}

// String implements fmt.Stringer.
func (o *outerOperand) String() string { return o.Child.String() }
