package compare

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// notExists makes NOT EXISTS true where its condition is never more than NULL.
// The engine makes the same join of it as of NOT IN, for which one NULL is
// enough to leave a row out. So what the subquery compares with the outer query
// is joined by AND with its being known: FALSE instead of NULL, and what can be looked
// up by it still can. So is what it compares with neither query: the engine takes that out of
// the subquery, as it does what names the outer query alone, and joins it with EXISTS by AND.
func notExists(e *expression.Not) (sql.Expression, transform.TreeIdentity, error) {
	return transform.Expr(e, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		exists, ok := e.(*plan.ExistsSubquery)
		if !ok || exists.Query.Correlated().Empty() {
			return e, transform.SameTree, nil
		}
		outer := exists.Query.Correlated()
		query, same, err := transform.Node(exists.Query.Query, func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
			f, ok := n.(*plan.Filter)
			if !ok {
				return n, transform.SameTree, nil
			}
			known, changed := knownConditions(f.Expression, outer)
			if !changed {
				return n, transform.SameTree, nil
			}
			return plan.NewFilter(known, f.Child), transform.NewTree, nil
		})
		if err != nil || same {
			return e, transform.SameTree, err
		}
		return plan.NewExistsSubquery(exists.Query.WithQuery(query)), transform.NewTree, nil
	})
}

// knownConditions adds to each condition on the outer query that it is not NULL.
func knownConditions(e sql.Expression, outer sql.ColSet) (sql.Expression, bool) {
	conditions := expression.SplitConjunction(e)
	// the guards, of which alone the texts are made: those of subqueries inside one another are long
	given := map[string]bool{}
	for _, c := range conditions {
		if isGuard(c) {
			given[c.String()] = true
		}
	}
	out := conditions
	for _, c := range conditions {
		// a column that is never NULL in its table may be so in an outer join
		if !tree.Mentions(c, outer) && functions.ReadsRows(c) || isKnown(c) {
			continue
		}
		if isGuard(c) {
			continue
		}
		if known := expression.NewNot(expression.NewIsNull(c)); !given[known.String()] {
			out = append(out[:len(out):len(out)], known)
		}
	}
	return expression.JoinAnd(out...), len(out) > len(conditions)
}

// isKnown reports whether an expression is a constant other than NULL.
func isKnown(e sql.Expression) bool {
	l, ok := e.(*expression.Literal)
	return ok && l.Val != nil
}

// isGuard reports whether a condition is that something is not NULL.
func isGuard(e sql.Expression) bool {
	not, ok := e.(*expression.Not)
	if !ok {
		return false
	}
	_, ok = not.Child.(*expression.IsNull)
	return ok
}

// notIn keeps NOT IN of a subquery that needs evaluating once from becoming a
// join: among the engine's joins for it is one that takes a NULL on the left for
// a value that is not in the list, and may not see a NULL that is in the list.
func (c Comparer) notIn(e *expression.Not) (sql.Expression, bool) {
	in, ok := e.Child.(*plan.InSubquery)
	if !ok || !in.LeftChild.Resolved() {
		return e, false
	}
	query, ok := in.RightChild.(*plan.Subquery)
	if !ok || !query.Resolved() || !query.Correlated().Empty() {
		return e, false
	}
	if listed := query.Query.Schema(); !in.LeftChild.IsNullable() && len(listed) == 1 && !listed[0].Nullable {
		return e, false
	}
	own, ok := c.ownInSubquery(in.LeftChild, query)
	if !ok {
		return e, false
	}
	return expression.NewNot(own), true
}
