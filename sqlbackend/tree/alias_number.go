package tree

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
)

// The engine's Alias loses its number where it gets another child. Columns above it are found by that number, and by a
// name where there is none, which another one may have too.

// NodeExpressions is transform.OneNodeExpressions, where aliases keep their numbers.
func NodeExpressions(n sql.Node, f transform.ExprFunc) (sql.Node, transform.TreeIdentity, error) {
	x, ok := n.(sql.Expressioner)
	if !ok {
		return n, transform.SameTree, nil
	}
	given := x.Expressions()
	var exprs []sql.Expression // nil while all are the same
	for i, e := range given {
		next, same, err := TransformExpression(e, f)
		if err != nil {
			return n, transform.SameTree, err
		}
		if same {
			continue
		}
		if exprs == nil {
			exprs = slices.Clone(given)
		}
		exprs[i] = next
	}
	if exprs == nil {
		return n, transform.SameTree, nil
	}
	next, err := x.WithExpressions(exprs...)
	return next, transform.NewTree, err
}

// EveryExpression is transform.NodeExprsWithOpaque, where aliases keep their numbers.
func EveryExpression(n sql.Node, f transform.ExprFunc) (sql.Node, transform.TreeIdentity, error) {
	return transform.NodeWithOpaque(n, func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		return NodeExpressions(n, f)
	})
}

// TransformExpression is transform.Expr for one of a node's own expressions: an alias keeps its number.
func TransformExpression(e sql.Expression, f transform.ExprFunc) (sql.Expression, transform.TreeIdentity, error) {
	a, ok := e.(*expression.Alias)
	if !ok {
		return transform.Expr(e, f)
	}
	child, same, err := transform.Expr(a.Child, f)
	if err != nil {
		return e, transform.SameTree, err
	}
	if !same {
		next := *a
		next.Child = child
		a = &next
	}
	out, again, err := f(a)
	return out, same && again, err
}

// KeepNumbers wraps one of the engine's rules that change expressions alone, so that aliases keep their numbers. The
// engine runs the rule that finds columns' places more than once over derived tables and set operations.
func KeepNumbers(rule analyzer.RuleFunc) analyzer.RuleFunc {
	return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector,
		flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
		next, same, err := rule(ctx, a, n, scope, sel, flags)
		if err != nil || bool(same) || !flags.SubqueryIsSet() {
			return next, same, err
		}
		next, _, err = numbered(n, next)
		return next, same, err
	}
}

// numbered is n with the alias numbers of given, the node that it was made of.
func numbered(given, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	if strip, ok := n.(*plan.StripRowNode); ok {
		if _, too := given.(*plan.StripRowNode); !too {
			child, same, err := numbered(given, strip.Child)
			if err != nil || bool(same) {
				return n, transform.SameTree, err
			}
			next, err := strip.WithChildren(child)
			return next, transform.NewTree, err
		}
	}
	was, children := given.Children(), slices.Clone(n.Children())
	if len(was) != len(children) {
		return n, transform.SameTree, nil
	}
	same := transform.SameTree
	for i, child := range children {
		next, again, err := numbered(was[i], child)
		if err != nil {
			return n, transform.SameTree, err
		}
		children[i], same = next, same && again
	}
	if !same {
		next, err := n.WithChildren(children...)
		if err != nil {
			return n, transform.SameTree, err
		}
		n = next
	}
	from, ok := given.(sql.Expressioner)
	x, also := n.(sql.Expressioner)
	if !ok || !also {
		return n, same, nil
	}
	list, again, err := numberedAll(from.Expressions(), x.Expressions())
	if err != nil || bool(again) {
		return n, same, err
	}
	next, err := x.WithExpressions(list...)
	return next, transform.NewTree, err
}

func numberedAll(given, list []sql.Expression) ([]sql.Expression, transform.TreeIdentity, error) {
	same := transform.SameTree
	if len(given) != len(list) {
		return list, same, nil
	}
	list = slices.Clone(list)
	for i, e := range list {
		next, again, err := numberedExpression(given[i], e)
		if err != nil {
			return nil, same, err
		}
		list[i], same = next, same && again
	}
	return list, same, nil
}

func numberedExpression(given, e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	if q, ok := e.(*plan.Subquery); ok {
		was, ok := given.(*plan.Subquery)
		if !ok {
			return e, transform.SameTree, nil
		}
		query, same, err := numbered(was.Query, q.Query)
		if err != nil || bool(same) {
			return e, transform.SameTree, err
		}
		return q.WithQuery(query), transform.NewTree, nil
	}
	children, same, err := numberedAll(given.Children(), e.Children())
	if err != nil {
		return e, transform.SameTree, err
	}
	if !same {
		if e, err = e.WithChildren(children...); err != nil {
			return e, transform.SameTree, err
		}
	}
	was, ok := given.(*expression.Alias)
	if a, also := e.(*expression.Alias); ok && also && a.Id() != was.Id() {
		next := *was
		next.Child = a.Child
		return &next, transform.NewTree, nil
	}
	return e, same, nil
}
