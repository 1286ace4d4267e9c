package sqlbackend

import (
	"slices"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
)

// lowerDerivedFilters lets the conditions that the engine gives to views and derived tables go below
// their projections, once per process. It gives them no farther, so that a column by another name,
// or one that is computed, would have no range. No builder takes a rule there.
var lowerDerivedFilters = sync.OnceFunc(func() {
	for i, r := range analyzer.DefaultRules {
		if r.Id.String() == "pushdownSubqueryAliasFilters" {
			analyzer.DefaultRules[i].Apply = inTurn(r.Apply, ofSubqueries(belowProjectionRule))
		}
	}
})

// belowProjectionRule moves conditions on what a projection computes below it, in the terms of what it computes them
// from. It is idempotent.
func belowProjectionRule(_ *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if !n.Resolved() {
		return n, transform.SameTree, nil
	}
	return transform.Node(n, func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		f, ok := n.(*plan.Filter)
		if !ok {
			return n, transform.SameTree, nil
		}
		// Of two filters, one on the other, the engine asks the conditions of the lower one twice.
		inner, moved := f.Child.(*plan.Filter)
		if moved {
			f = askingToo(f.Expression, inner)
		}
		var stay []sql.Expression
		child := f.Child
		for _, c := range expression.SplitConjunction(f.Expression) {
			if below, ok := belowProjection(child, c); ok {
				child, moved = below, true
			} else {
				stay = append(stay, c)
			}
		}
		if !moved {
			return n, transform.SameTree, nil
		}
		return asking(stay, child), transform.NewTree, nil
	})
}

// belowProjection is a node whose rows satisfy a condition, asked below a projection that renames or computes what it
// reads; false if there is none.
func belowProjection(n sql.Node, condition sql.Expression) (sql.Node, bool) {
	switch n := n.(type) {
	case *plan.Distinct, *plan.Sort, *plan.Filter:
		below, ok := belowProjection(n.Children()[0], condition)
		if !ok {
			return n, false
		}
		next, err := n.WithChildren(below)
		return next, err == nil
	case *plan.Project:
		inner, ok := sourced(condition, n)
		if !ok {
			return n, false
		}
		below, deeper := belowProjection(n.Child, inner)
		switch {
		case deeper:
		case asksGroups(n.Child, inner):
			below = askingToo(inner, n.Child)
		default:
			return n, false
		}
		return plan.NewProject(n.Projections, below), true
	}
	return n, false
}

// askingToo is a node whose rows satisfy a condition beside those that it has.
func askingToo(condition sql.Expression, n sql.Node) *plan.Filter {
	if f, ok := n.(*plan.Filter); ok {
		return plan.NewFilter(expression.JoinAnd(f.Expression, condition), f.Child)
	}
	return plan.NewFilter(condition, n)
}

// asksGroups reports whether a condition on what a node gives may be asked of the rows that it groups, if it does:
// it reads nothing but what they are grouped by.
func asksGroups(n sql.Node, condition sql.Expression) bool {
	for {
		switch at := n.(type) {
		case *plan.Project, *plan.Filter, *plan.Having, *plan.Distinct, *plan.Sort:
			n = n.Children()[0]
		case *plan.GroupBy:
			return !transform.InspectExpr(condition, func(e sql.Expression) bool {
				f, ok := e.(*expression.GetField)
				return ok && !slices.ContainsFunc(at.GroupByExprs, func(by sql.Expression) bool {
					g, ok := by.(*expression.GetField)
					return ok && g.Id() == f.Id()
				})
			})
		default:
			return true
		}
	}
}

// sourced is a condition on a projection's columns in terms of what they are made from. It is false where it reads
// anything else, none that is renamed or computed, or what is not to be computed again.
func sourced(condition sql.Expression, n *plan.Project) (sql.Expression, bool) {
	computed, known := false, true
	inner, _, err := transform.Expr(condition, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		switch e := e.(type) {
		case *plan.Subquery:
			known = false
		case *expression.GetField:
			source, ok := projected(n, e)
			if known = known && ok && isRepeatable(source); !known {
				break
			}
			same, field := source.(*expression.GetField)
			computed = computed || !field || same.Id() != e.Id()
			return source, transform.NewTree, nil
		default:
			known = known && !isVolatile(e)
		}
		return e, transform.SameTree, nil
	})
	return inner, err == nil && known && computed
}

// isRepeatable reports whether an expression has the same value in a condition below the projection that it is of.
func isRepeatable(e sql.Expression) bool {
	return !transform.InspectExpr(e, func(e sql.Expression) bool {
		switch e.(type) {
		case *plan.Subquery, *expression.UserVar, sql.Aggregation, sql.WindowAdaptableExpression:
			return true
		}
		other, ok := e.(sql.NonDeterministicExpression)
		return isVolatile(e) || ok && other.IsNonDeterministic()
	})
}
