package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
)

// innerWhereRejected is joins of which those outer ones are inner joins that fill a table with NULLs of which a condition above is never true.
// The engine makes some of them inner joins too, but where the filled side is a join it then loses their conditions.
func innerWhereRejected(n sql.Node, rejected sql.FastIntSet) sql.Node {
	join, ok := n.(*plan.JoinNode)
	if !ok {
		return n
	}
	left, right := rejected, rejected
	op := join.Op
	if join.Filter != nil && readsSubquery(join.Filter) {
		rejected = sql.FastIntSet{} // what a subquery of an outer join has given is remembered
	}
	switch {
	case isInnerJoin(join):
	case op == plan.JoinTypeLeftOuter:
		if tablesOf(join.Right()).Intersects(rejected) {
			op = plan.JoinTypeInner
		}
		right = sql.FastIntSet{}
	case op == plan.JoinTypeRightOuter:
		if tablesOf(join.Left()).Intersects(rejected) {
			op = plan.JoinTypeInner
		}
		left = sql.FastIntSet{}
	default:
		return n
	}
	if op == plan.JoinTypeInner || isInnerJoin(join) {
		if join.Filter != nil {
			rejected = rejected.Union(nullRejected(expression.SplitConjunction(join.Filter)))
		}
		left, right = rejected, rejected
	}
	l, r := innerWhereRejected(join.Left(), left), innerWhereRejected(join.Right(), right)
	if op == join.Op && l == join.Left() && r == join.Right() {
		return n
	}
	if join.Filter == nil {
		return plan.NewCrossJoin(l, r).WithComment(join.Comment())
	}
	return plan.NewJoin(l, r, op, join.Filter).WithComment(join.Comment())
}

// nullRejected are the tables of which conditions compare a column, so that they are true of no row in which all its columns are NULL. What is
// compared with ANY or ALL of no values is not NULL.
func nullRejected(conditions []sql.Expression) (out sql.FastIntSet) {
	for _, c := range conditions {
		if n, ok := c.(*expression.Not); ok {
			c = n.Child
			if null, ok := c.(*expression.IsNull); ok {
				addTable(&out, null.Child)
				continue
			}
		}
		if readsSubquery(c) {
			continue
		}
		switch c := c.(type) {
		case *expression.Equals, *expression.GreaterThan, *expression.GreaterThanOrEqual, *expression.LessThan, *expression.LessThanOrEqual:
			for _, operand := range c.Children() {
				addTable(&out, operand)
			}
		}
	}
	return out
}

func addTable(tables *sql.FastIntSet, e sql.Expression) {
	if f, ok := e.(*expression.GetField); ok && f.TableId() != 0 {
		tables.Add(int(f.TableId()))
	}
}
