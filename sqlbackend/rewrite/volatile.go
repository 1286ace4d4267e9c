package rewrite

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
)

// KeepVolatile wraps the engine's rule that turns the constants in WHERE into literals, which takes functions with
// another value in each row for constants.
func KeepVolatile(fold analyzer.RuleFunc) analyzer.RuleFunc {
	folded := func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector,
		flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
		if flags != nil && !flags.IsSet(sql.QFlagUndeferrableExprs) {
			return fold(ctx, a, n, scope, sel, flags)
		}
		hidden, none, err := inFilters(n, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
			if functions.IsVolatile(e) {
				return &unfolded{e}, transform.NewTree, nil
			}
			return e, transform.SameTree, nil
		})
		if err != nil || bool(none) {
			return fold(ctx, a, n, scope, sel, flags)
		}
		folded, _, err := fold(ctx, a, hidden, scope, sel, flags)
		if err != nil {
			return n, transform.SameTree, err
		}
		return revealed(folded)
	}
	return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector,
		flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
		if flags == nil || !flags.JoinIsSet() {
			return folded(ctx, a, n, scope, sel, flags)
		}
		kept, none, err := keepSides(n, func(f *plan.Filter) (sql.Node, error) {
			next, _, err := folded(ctx, a, f, scope, sel, flags)
			return next, err
		})
		if err != nil || bool(none) {
			return folded(ctx, a, n, scope, sel, flags)
		}
		next, _, err := folded(ctx, a, kept, scope, sel, flags)
		if err != nil {
			return n, transform.SameTree, err
		}
		return revealed(next)
	}
}

// revealed returns a plan with the functions that were hidden from the rule.
func revealed(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	return inFilters(n, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		if u, ok := e.(*unfolded); ok {
			return u.volatile, transform.NewTree, nil
		}
		return e, transform.SameTree, nil
	})
}

// keepSides keeps sides of joins whose conditions are always false, with a condition that can't be folded. The engine
// would put a table without columns in their place, and read others' columns for theirs above the join. fold is its
// rule.
func keepSides(n sql.Node, fold func(*plan.Filter) (sql.Node, error)) (sql.Node, transform.TreeIdentity, error) {
	return transform.Node(n, func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		join, ok := n.(*plan.JoinNode)
		if !ok {
			return n, transform.SameTree, nil
		}
		sides, any := []sql.Node{join.Left(), join.Right()}, false
		for i, side := range sides {
			f, ok := side.(*plan.Filter)
			if !ok {
				continue
			}
			next, err := fold(f)
			if err != nil {
				return n, transform.SameTree, err
			}
			if plan.IsEmptyTable(next) {
				sides[i], any = plan.NewFilter(&unfolded{expression.NewLiteral(false, types.Boolean)}, f.Child), true
			}
		}
		if !any {
			return n, transform.SameTree, nil
		}
		next, err := join.WithChildren(sides...)
		return next, transform.NewTree, err
	})
}

// inFilters changes the expressions of the filters that the engine simplifies.
func inFilters(n sql.Node, change transform.ExprFunc) (sql.Node, transform.TreeIdentity, error) {
	var nodes func(n sql.Node) (sql.Node, transform.TreeIdentity, error)
	expressions := func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		if q, ok := e.(*plan.Subquery); ok {
			query, same, err := nodes(q.Query)
			if err != nil || same {
				return e, transform.SameTree, err
			}
			return q.WithQuery(query), transform.NewTree, nil
		}
		return change(e)
	}
	nodes = func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		return transform.NodeWithOpaque(n, func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
			f, ok := n.(*plan.Filter)
			if !ok {
				return n, transform.SameTree, nil
			}
			e, same, err := transform.Expr(f.Expression, expressions)
			if err != nil || same {
				return n, transform.SameTree, err
			}
			return plan.NewFilter(e, f.Child), transform.NewTree, nil
		})
	}
	return nodes(n)
}

// unfolded stands for a volatile function while constants are folded. An expression with an unbound parameter is no
// constant.
type unfolded struct {
	volatile sql.Expression
}

var _ sql.Expression = (*unfolded)(nil)

var unbound = []sql.Expression{expression.NewBindVar("")}

// Children implements sql.Expression.
func (*unfolded) Children() []sql.Expression { return unbound }

// WithChildren implements sql.Expression.
func (u *unfolded) WithChildren(...sql.Expression) (sql.Expression, error) { return u, nil }

// Type implements sql.Expression.
func (u *unfolded) Type() sql.Type { return u.volatile.Type() }

// Eval implements sql.Expression.
func (u *unfolded) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	return u.volatile.Eval(ctx, row)
}

// IsNullable implements sql.Expression.
func (u *unfolded) IsNullable() bool { return u.volatile.IsNullable() }

// Resolved implements sql.Expression.
func (u *unfolded) Resolved() bool { return u.volatile.Resolved() }

// String implements fmt.Stringer.
func (u *unfolded) String() string { return u.volatile.String() }

var (
	_ sql.FunctionExpression         = (*functions.RandomNumber)(nil)
	_ sql.NonDeterministicExpression = (*functions.RandomNumber)(nil)
)
