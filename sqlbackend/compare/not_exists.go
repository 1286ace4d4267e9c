package compare

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// notExists makes NOT EXISTS true where its condition is NULL at most. The engine turns it into the same join as NOT
// IN, for which one NULL is enough to exclude a row. So each condition that compares with the outer query gets a
// guard by AND that it is not NULL. It is FALSE instead of NULL then, and lookups by it still work. Conditions that
// read neither query get one too. The engine takes them, like conditions on the outer query alone, out of the
// subquery, and joins them with EXISTS by AND.
func notExists(e *expression.Not) (sql.Expression, transform.TreeIdentity, error) {
	return transform.Expr(e, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		exists, ok := e.(*plan.ExistsSubquery)
		if !ok || exists.Query.Correlated().Empty() {
			return e, transform.SameTree, nil
		}
		query, same, err := guarded(exists.Query.Query, exists.Query.Correlated())
		if err != nil || same {
			return e, transform.SameTree, err
		}
		return plan.NewExistsSubquery(exists.Query.WithQuery(query)), transform.NewTree, nil
	})
}

// guarded returns a query whose conditions on the outer query have guards, also those of its joins and those in EXISTS
// within it.
func guarded(query sql.Node, outer sql.ColSet) (sql.Node, transform.TreeIdentity, error) {
	return transform.Node(query, func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		switch n := n.(type) {
		case *plan.Filter:
			known, same, err := guardedCondition(n.Expression, outer)
			if err != nil || bool(same) {
				return n, transform.SameTree, err
			}
			return plan.NewFilter(known, n.Child), transform.NewTree, nil
		case *plan.JoinNode:
			if n.Filter == nil {
				return n, transform.SameTree, nil
			}
			known, same, err := guardedCondition(n.Filter, outer)
			if err != nil || bool(same) {
				return n, transform.SameTree, err
			}
			next, err := n.WithExpressions(known)
			return next, transform.NewTree, err
		}
		return n, transform.SameTree, nil
	})
}

func guardedCondition(e sql.Expression, outer sql.ColSet) (sql.Expression, transform.TreeIdentity, error) {
	within, same, err := transform.Expr(e, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		exists, ok := e.(*plan.ExistsSubquery)
		if !ok || !exists.Query.Correlated().Intersects(outer) {
			return e, transform.SameTree, nil
		}
		query, same, err := guarded(exists.Query.Query, outer)
		if err != nil || bool(same) {
			return e, transform.SameTree, err
		}
		return plan.NewExistsSubquery(exists.Query.WithQuery(query)), transform.NewTree, nil
	})
	if err != nil {
		return e, transform.SameTree, err
	}
	known, changed := knownConditions(within, outer)
	return known, same && transform.TreeIdentity(!changed), nil
}

// knownConditions adds a guard to each condition on the outer query that it is not NULL.
func knownConditions(e sql.Expression, outer sql.ColSet) (sql.Expression, bool) {
	conditions := expression.SplitConjunction(e)
	// Texts are made for the guards alone: those of nested subqueries are long.
	given := map[string]bool{}
	for _, c := range conditions {
		if isGuard(c) {
			given[c.String()] = true
		}
	}
	out := conditions
	for _, c := range conditions {
		// A column that is NOT NULL in its table may be NULL in an outer join.
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

// isKnown reports whether an expression is never NULL: a constant, EXISTS, IS NULL, and what is made of them.
func isKnown(e sql.Expression) bool {
	switch e := e.(type) {
	case *expression.Literal:
		return e.Val != nil
	case *plan.ExistsSubquery, *expression.IsNull:
		return true
	case *expression.Not:
		return isKnown(e.Child)
	}
	return false
}

// isGuard reports whether a condition says that an expression is not NULL.
func isGuard(e sql.Expression) bool {
	not, ok := e.(*expression.Not)
	if !ok {
		return false
	}
	_, ok = not.Child.(*expression.IsNull)
	return ok
}

// notIn keeps NOT IN of a subquery that is evaluated once from becoming a join. One of the engine's joins for it
// takes a NULL on the left for a value outside the list, and may miss a NULL in the list.
func (c Comparer) notIn(e *expression.Not) (sql.Expression, bool) {
	in, ok := e.Child.(*plan.InSubquery)
	if !ok || !in.LeftChild.Resolved() {
		return e, false
	}
	query, ok := in.RightChild.(*plan.Subquery)
	if !ok || !query.Resolved() || !query.Correlated().Empty() {
		return e, false
	}
	if listed := query.Query.Schema(); !in.LeftChild.IsNullable() && len(listed) == 1 && !listed[0].Nullable &&
		!outerJoined(query.Query) && (c.of == nil || !outerJoined(c.of)) {
		return e, false
	}
	own, ok := c.ownInSubquery(in.LeftChild, query)
	if !ok {
		return e, false
	}
	return expression.NewNot(own), true
}

// outerJoined reports whether a query has an outer join, whose columns may be NULL where the engine says otherwise.
func outerJoined(query sql.Node) (found bool) {
	transform.Inspect(query, func(n sql.Node) bool {
		j, ok := n.(*plan.JoinNode)
		found = found || ok && !tree.IsInnerJoin(j)
		return !found
	})
	return found
}
