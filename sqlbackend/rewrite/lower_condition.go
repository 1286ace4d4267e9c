package rewrite

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// lowered moves conditions of an inner join that read several tables, all of one side, to the inner join that brings
// those tables together. The engine would check them above the joins of that side as they are written. It loses them
// where it joins those tables in another order.
func lowered(join *plan.JoinNode) *plan.JoinNode {
	if !tree.IsInnerJoin(join) || join.Filter == nil {
		return join
	}
	left, right := join.Left(), join.Right()
	var stay []sql.Expression
	for _, c := range expression.SplitConjunction(join.Filter) {
		if l, ok := lower(left, c); ok {
			left = l
		} else if r, ok := lower(right, c); ok {
			right = r
		} else {
			stay = append(stay, c)
		}
	}
	switch {
	case left == join.Left() && right == join.Right():
		return join
	case len(stay) == 0:
		return plan.NewCrossJoin(left, right).WithComment(join.Comment()).(*plan.JoinNode)
	}
	return plan.NewJoin(left, right, join.Op, expression.JoinAnd(stay...)).WithComment(join.Comment()).(*plan.JoinNode)
}

// lower gives a condition to the inner join below n whose sides it compares, if only inner joins lie on the way
// there.
func lower(n sql.Node, condition sql.Expression) (sql.Node, bool) {
	join, ok := n.(*plan.JoinNode)
	if !ok || !tree.IsInnerJoin(join) || !Reads(condition, tree.TablesOf(join)) {
		return n, false
	}
	if left, ok := lower(join.Left(), condition); ok {
		return plan.NewJoin(left, join.Right(), join.Op, join.Filter).WithComment(join.Comment()), true
	}
	if right, ok := lower(join.Right(), condition); ok {
		return plan.NewJoin(join.Left(), right, join.Op, join.Filter).WithComment(join.Comment()), true
	}
	if Reads(condition, tree.TablesOf(join.Left())) || Reads(condition, tree.TablesOf(join.Right())) {
		return n, false // on one table, or on several that only an outer join below brings together
	}
	filter := condition
	if join.Filter != nil {
		filter = expression.JoinAnd(join.Filter, condition)
	}
	return plan.NewJoin(join.Left(), join.Right(), plan.JoinTypeInner, filter).WithComment(join.Comment()), true
}
