package tree

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
)

// ReadsSubquery reports whether an expression has a subquery in it.
func ReadsSubquery(e sql.Expression) bool {
	found := false
	sql.Inspect(e, func(e sql.Expression) bool {
		if _, ok := e.(*plan.Subquery); ok {
			found = true
		}
		return !found
	})
	return found
}

// InnerWhereRejected turns outer joins in n into inner ones if a condition above rejects all rows that they fill with
// NULLs. rejected are the tables that conditions above reject as all NULL. The engine makes some of them inner joins
// too, but where the filled side is a join it then loses their conditions.
func InnerWhereRejected(n sql.Node, rejected sql.FastIntSet) sql.Node {
	join, ok := n.(*plan.JoinNode)
	if !ok {
		return n
	}
	left, right := rejected, rejected
	op := join.Op
	if join.Filter != nil && ReadsSubquery(join.Filter) {
		rejected = sql.FastIntSet{} // the results of an outer join's subqueries are remembered
	}
	switch {
	case IsInnerJoin(join):
	case op == plan.JoinTypeLeftOuter:
		if TablesOf(join.Right()).Intersects(rejected) {
			op = plan.JoinTypeInner
		}
		right = sql.FastIntSet{}
	case op == plan.JoinTypeRightOuter:
		if TablesOf(join.Left()).Intersects(rejected) {
			op = plan.JoinTypeInner
		}
		left = sql.FastIntSet{}
	default:
		return n
	}
	if op == plan.JoinTypeInner || IsInnerJoin(join) {
		if join.Filter != nil {
			rejected = rejected.Union(NullRejected(expression.SplitConjunction(join.Filter)))
		}
		left, right = rejected, rejected
	}
	l, r := InnerWhereRejected(join.Left(), left), InnerWhereRejected(join.Right(), right)
	if op == join.Op && l == join.Left() && r == join.Right() {
		return n
	}
	if join.Filter == nil {
		return plan.NewCrossJoin(l, r).WithComment(join.Comment())
	}
	return plan.NewJoin(l, r, op, join.Filter).WithComment(join.Comment())
}

// NullRejected are the tables of which the conditions compare a column: no condition is true of a row in which all
// columns of such a table are NULL. A comparison with ANY or ALL does not count, since with no values it is not NULL.
func NullRejected(conditions []sql.Expression) (out sql.FastIntSet) {
	for _, c := range conditions {
		if n, ok := c.(*expression.Not); ok {
			c = n.Child
			if null, ok := c.(*expression.IsNull); ok {
				addTable(&out, null.Child)
				continue
			}
		}
		if ReadsSubquery(c) {
			continue
		}
		switch c := c.(type) {
		case *expression.Equals, *expression.GreaterThan, *expression.GreaterThanOrEqual, *expression.LessThan,
			*expression.LessThanOrEqual:
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

// OuterJoinReads reports whether the condition of an outer join reads one of columns, if its NULLs are not rejected
// above it.
func OuterJoinReads(n sql.Node, columns sql.ColSet) bool {
	children := n.Children()
	switch at := n.(type) {
	case *plan.SubqueryAlias:
		return false
	case *plan.Filter:
		children = []sql.Node{InnerWhereRejected(at.Child, NullRejected(expression.SplitConjunction(at.Expression)))}
	case *plan.JoinNode:
		if !IsInnerJoin(at) && (at.Filter != nil && Mentions(at.Filter, columns) ||
			!at.Op.IsLeftOuter() && asksOf(at.Left(), columns) || !at.Op.IsRightOuter() && asksOf(at.Right(), columns)) {
			return true
		}
	}
	return slices.ContainsFunc(children, func(child sql.Node) bool { return OuterJoinReads(child, columns) })
}

// asksOf reports whether a condition of a join or of WHERE below a node reads one of columns.
func asksOf(n sql.Node, columns sql.ColSet) bool {
	found := false
	transform.Inspect(n, func(n sql.Node) bool {
		switch n := n.(type) {
		case *plan.Filter:
			found = found || Mentions(n.Expression, columns)
		case *plan.JoinNode:
			found = found || n.Filter != nil && Mentions(n.Filter, columns)
		}
		return n != nil && !found
	})
	return found
}

// IsInnerJoin reports whether a join keeps the pairs that fulfil its condition and nothing else.
func IsInnerJoin(join *plan.JoinNode) bool {
	return join.Op == plan.JoinTypeInner || join.Op == plan.JoinTypeCross
}
