package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
)

// notScalarRule keeps the engine from making an anti join of WHERE NOT (a = (SELECT …)), or a <> (SELECT …): it would keep
// all rows where the subquery has none, for which the condition is NULL. The engine looks for subqueries
// on the right of what NOT stands before, so that they are put on the left, or something before NOT: then they are evaluated once, as values.
func notScalarRule(_ *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if !flags.SubqueryIsSet() {
		return n, transform.SameTree, nil
	}
	return transform.NodeWithOpaque(n, func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		f, ok := n.(*plan.Filter)
		if !ok {
			return n, transform.SameTree, nil
		}
		conjuncts, any := expression.SplitConjunction(f.Expression), false
		for i, c := range conjuncts {
			not, ok := c.(*expression.Not)
			if !ok {
				continue
			}
			if value := asValue(not); value != nil {
				conjuncts[i], any = value, true
			}
		}
		if !any {
			return n, transform.SameTree, nil
		}
		return plan.NewFilter(expression.JoinAnd(conjuncts...), f.Child), transform.NewTree, nil
	})
}

// asValue is a condition that the engine does not make an anti join of; nil where it makes none of this one.
func asValue(not *expression.Not) sql.Expression {
	c, ok := not.Child.(expression.Comparer)
	if !ok {
		return nil
	}
	left, right := c.Left(), c.Right()
	if _, ok := right.(*plan.Subquery); !ok {
		return nil
	}
	if _, both := left.(*plan.Subquery); both {
		return expression.NewIsTrue(not)
	}
	switch c.(type) {
	case *expression.Equals:
		return expression.NewNot(expression.NewEquals(right, left))
	case *expression.NullSafeEquals:
		return expression.NewNot(expression.NewNullSafeEquals(right, left))
	}
	return expression.NewIsTrue(not)
}
