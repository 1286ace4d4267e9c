package rewrite

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// AsksMembers reports whether a function compares its first two arguments by the elements of arrays.
func AsksMembers(f sql.FunctionExpression) bool {
	switch strings.ToLower(f.FunctionName()) {
	case "member_of", "json_contains", "json_overlaps":
		return len(f.Children()) >= 2
	}
	return false
}

// CrossJoinRule turns the cross joins below a WHERE that compares their sides into inner joins. The engine's own rule
// for this also moves conditions that read a third table, and moves them below outer joins.
func CrossJoinRule(_ *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if tree.IsPlain(n, flags) || !n.Resolved() {
		return n, transform.SameTree, nil
	}
	return transform.Node(n, func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		f, ok := n.(*plan.Filter)
		if !ok {
			return n, transform.SameTree, nil
		}
		c := crossJoiner{predicates: expression.SplitConjunction(f.Expression)}
		given := len(c.predicates)
		child := c.joined(f.Child)
		if len(c.predicates) == given {
			return n, transform.SameTree, nil
		}
		return filtered(c.predicates, child), transform.NewTree, nil
	})
}

// crossJoiner moves predicates to the cross joins whose sides they compare.
type crossJoiner struct {
	predicates []sql.Expression // not moved yet
}

func (c *crossJoiner) joined(n sql.Node) sql.Node {
	switch n := n.(type) {
	case *plan.Filter:
		if child := c.joined(n.Child); child != n.Child {
			return plan.NewFilter(n.Expression, child)
		}
	case *plan.JoinNode:
		left, right := n.Left(), n.Right()
		inner := n.Op == plan.JoinTypeInner || n.Op == plan.JoinTypeCross
		if inner || n.Op.IsLeftOuter() {
			left = c.joined(left)
		}
		if inner || n.Op.IsRightOuter() {
			right = c.joined(right)
		}
		join := n
		if left != n.Left() || right != n.Right() {
			join = plan.NewJoin(left, right, n.Op, n.Filter).WithComment(n.Comment()).(*plan.JoinNode)
		}
		if n.Op == plan.JoinTypeCross {
			if on := c.take(join); len(on) > 0 {
				return plan.NewInnerJoin(left, right, expression.JoinAnd(on...)).WithComment(n.Comment())
			}
		}
		return join
	}
	return n
}

// take removes and returns the predicates that a cross join can have as its condition.
func (c *crossJoiner) take(join *plan.JoinNode) []sql.Expression {
	filled, left, right := filledTables(join), tree.TablesOf(join.Left()), tree.TablesOf(join.Right())
	var on, rest []sql.Expression
	for _, p := range c.predicates {
		if !tree.ReadsSubquery(p) && comparesSides(p, left, right) && !losable(p, filled, left, right) {
			on = append(on, p)
		} else {
			rest = append(rest, p)
		}
	}
	if len(on) > 0 {
		c.predicates = rest
	}
	return on
}

// comparesSides reports whether an expression compares a value of one side with one of the other side, or looks for
// it among the elements of the other's arrays.
func comparesSides(e sql.Expression, left, right sql.FastIntSet) bool {
	found := false
	sql.Inspect(e, func(e sql.Expression) bool {
		var l, r sql.Expression
		switch c := e.(type) {
		case expression.Comparer:
			l, r = c.Left(), c.Right()
		case sql.FunctionExpression:
			if !AsksMembers(c) {
				return !found
			}
			l, r = c.Children()[0], c.Children()[1]
		default:
			return !found
		}
		found = found || Reads(l, left) && Reads(r, right) || Reads(l, right) && Reads(r, left)
		return !found
	})
	return found
}
