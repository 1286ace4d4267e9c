package rewrite

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// AssignPlacesAgain wraps the engine's rule that assigns fields their places in the rows, so that it can run more
// than once. The rule runs for each part of a set operation, and again for the whole. Each time it puts nodes between
// a join in a subquery and its sides, which cut the outer query's columns off the rows. Two of them would cut off too
// much.
func AssignPlacesAgain(assign analyzer.RuleFunc) analyzer.RuleFunc {
	return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector,
		flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
		if tree.IsPlain(n, flags) {
			return assign(ctx, a, n, scope, sel, flags)
		}
		whole, _, err := transform.NodeWithOpaque(n, uncutJoin)
		if err != nil {
			return n, transform.SameTree, err
		}
		return assign(ctx, a, whole, scope, sel, flags)
	}
}

// uncutJoin returns a join whose sides have all their columns, also in subqueries.
func uncutJoin(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	join, ok := n.(*plan.JoinNode)
	if !ok {
		return inSubqueries(n, uncutJoin)
	}
	left, cutLeft := join.Left().(*plan.StripRowNode)
	right, cutRight := join.Right().(*plan.StripRowNode)
	if !cutLeft || !cutRight {
		return inSubqueries(n, uncutJoin)
	}
	whole, err := join.WithScopeLen(0).WithChildren(left.Child, right.Child)
	if err != nil {
		return n, transform.SameTree, err
	}
	whole, _, err = inSubqueries(whole, uncutJoin)
	return whole, transform.NewTree, err
}
