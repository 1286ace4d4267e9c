package subquery

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// ScalarRule replaces scalar subqueries in conditions by their values if they depend on no row: WHERE a = (SELECT …)
// is planned as a comparison with a constant. The subquery runs here once, before the statement is planned, in the
// statement's own transaction. More than one row is MySQL's error 1242. MySQL returns that too where it evaluates
// such subqueries while it optimizes, also for EXPLAIN. The engine would make a semi join, which keeps rows that
// equal one of several.
//
// It runs before all rules that change a query except GroupedRule, since it plans the subquery separately. The engine
// applies it again to each subquery that it analyses, where nothing is left to do.
func ScalarRule(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, _ analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if !flags.SubqueryIsSet() || !scope.IsEmpty() || scope.RecursionDepth() > 0 {
		return n, transform.SameTree, nil
	}
	s, ok := ctx.Session.(Planned)
	if !ok {
		return n, transform.SameTree, nil
	}
	return Evaluator{Ctx: ctx, Session: s.Subqueries(), Analyzer: a, Flags: flags}.node(n)
}

// Planned is a session that plans and runs queries within its statement.
type Planned interface{ Subqueries() Session }

// Session is the part of a session that separately planned or run queries of its statement need.
type Session interface {
	// Selects reports whether the running command is SELECT, or EXPLAIN of it.
	Selects() bool
	// ReadsFreely reports whether the statement's reads cause no conflicts.
	ReadsFreely() bool
	// Resume ends the attempt if an earlier run of the statement in batches was interrupted.
	Resume(ctx *sql.Context) error
	// Explains reports whether the running command is EXPLAIN.
	Explains() bool
	// NoteEvaluated notes for EXPLAIN a plan that ran to plan the statement, and its values as a text.
	NoteEvaluated(n sql.Node, gave string)
	// PlanSeparately plans a subquery separately: the session notes nothing of its columns for the statement's
	// results.
	PlanSeparately(plan func() error) error
	// KnownRow returns the row that the next query had in the first batch of a running statement in batches; ok is
	// false where it is not known.
	KnownRow(ctx *sql.Context, columns sql.Schema) (row []any, ok bool, err error)
	// KeepRow keeps the values of a query for later batches.
	KeepRow(row []any) error
	// Before makes all work until the returned function is called part of the statement's planning.
	Before() (end func())
	// Running assigns all work until the returned function is called to a plan.
	Running(n sql.Node) (end func())
	// Watched returns the watcher of a query's plans for EXPLAIN ANALYZE: the one before, if not nil. It returns nil
	// where none is needed.
	Watched(before Watcher) Watcher
}

// Watcher notes the work of plans.
type Watcher interface {
	// Watch makes a plan, which is about to run for outer values, count its own work until the returned function is
	// called.
	Watch(ctx *sql.Context, n sql.Node, outer string) (end func())
}

// Evaluator is one run of the rule.
type Evaluator struct {
	Ctx      *sql.Context
	Session  Session
	Analyzer *analyzer.Analyzer
	Flags    *sql.QueryFlags
	Within   bool // the nodes belong to a subquery that is being evaluated
}

// node handles a node and all nodes below it.
func (s Evaluator) node(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	switch n.(type) {
	case *plan.CreateView, *plan.ShowColumns, *plan.ShowCreateTable, *plan.ShowIndexes:
		return n, transform.SameTree, nil // it does not run its view
	}
	next, same, err := s.own(n)
	if err != nil {
		return n, transform.SameTree, err
	}
	next, below, err := tree.EachChild(next, s.node)
	return next, same && below, err
}

// own handles the expressions of one node. It evaluates subqueries in conditions. Elsewhere it only handles the
// conditions within them, since the engine evaluates such a subquery itself, when it needs it.
func (s Evaluator) own(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	x, ok := n.(sql.Expressioner)
	if !ok {
		return n, transform.SameTree, nil
	}
	switch n.(type) {
	case *plan.Filter, *plan.Having, *plan.JoinNode:
	default:
		return tree.NodeExpressions(n, s.inner)
	}
	next, changed, err := s.all(x.Expressions())
	if err != nil || !changed {
		return n, transform.SameTree, err
	}
	out, err := x.WithExpressions(next...)
	return out, transform.NewTree, err
}

func (s Evaluator) all(list []sql.Expression) ([]sql.Expression, bool, error) {
	out, changed := make([]sql.Expression, len(list)), false
	for i, e := range list {
		next, same, err := s.expression(e)
		if err != nil {
			return nil, false, err
		}
		out[i], changed = next, changed || !bool(same)
	}
	return out, changed, nil
}

// expression returns a part of a condition with its subqueries replaced by values.
func (s Evaluator) expression(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	switch e := e.(type) {
	case *plan.Subquery:
		return s.subquery(e, 1)
	case *plan.ExistsSubquery, *compare.Quantifier, *compare.Quantified, *expression.Case:
		return transform.Expr(e, s.inner)
	case *plan.InSubquery:
		return s.first(e)
	case *function.If, *tree.IfNull, *function.Coalesce, *tree.Case:
		return s.first(e) // the other operands may not be needed
	}
	if c, ok := e.(expression.Comparer); ok {
		if rows, same, err := s.rows(c); err != nil || !bool(same) {
			return rows, same, err
		}
	}
	next, changed, err := s.all(e.Children())
	if err != nil {
		return e, transform.SameTree, err
	}
	return functions.Rebuild(e, next, changed)
}

// first handles the first child as part of the condition, and the others as expressions that may not be evaluated, or
// that have many rows.
func (s Evaluator) first(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	children, changed := append([]sql.Expression(nil), e.Children()...), false
	for i, child := range children {
		next, same, err := child, transform.SameTree, error(nil)
		if i == 0 {
			next, same, err = s.expression(child)
		} else {
			next, same, err = transform.Expr(child, s.inner)
		}
		if err != nil {
			return e, transform.SameTree, err
		}
		children[i], changed = next, changed || !bool(same)
	}
	return functions.Rebuild(e, children, changed)
}

// inner handles the conditions within an expression that is a subquery.
func (s Evaluator) inner(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	if q, ok := e.(*plan.Subquery); ok {
		return s.conditionsOf(q)
	}
	return e, transform.SameTree, nil
}

func (s Evaluator) conditionsOf(q *plan.Subquery) (sql.Expression, transform.TreeIdentity, error) {
	query, same, err := s.node(q.Query)
	if err != nil || same {
		return q, transform.SameTree, err
	}
	return q.WithQuery(query), transform.NewTree, nil
}

// rows handles (a, b) = (SELECT x, y …).
func (s Evaluator) rows(c expression.Comparer) (sql.Expression, transform.TreeIdentity, error) {
	sides, changed := []sql.Expression{c.Left(), c.Right()}, false
	for i, side := range sides {
		query, ok := side.(*plan.Subquery)
		row, alike := sides[1-i].(expression.Tuple)
		if !ok || !alike || len(row) < 2 || len(query.Query.Schema()) != len(row) {
			continue
		}
		value, same, err := s.subquery(query, len(row))
		if err != nil {
			return c, transform.SameTree, err
		}
		other, again, err := s.expression(row)
		if err != nil {
			return c, transform.SameTree, err
		}
		sides[i], sides[1-i] = value, other
		changed = changed || !bool(same) || !bool(again)
	}
	return functions.Rebuild(c, sides, changed)
}

// subquery returns the value of a subquery. It returns the subquery itself if its value depends on the row, or if its
// number of columns is wrong, which the engine refuses.
func (s Evaluator) subquery(q *plan.Subquery, columns int) (sql.Expression, transform.TreeIdentity, error) {
	switch {
	case !q.Resolved() || len(q.Query.Schema()) != columns:
		return s.conditionsOf(q)
	case !q.Correlated().Empty() || tree.ReadsRecursion(q.Query):
		return s.conditionsOf(q)
	case givesTransient(q.Query):
		inner, _, err := s.conditionsOf(q)
		if err != nil || q.Volatile() {
			return q, transform.SameTree, err
		}
		// It is evaluated for each row, as in MySQL, and not joined.
		return inner.(*plan.Subquery).WithVolatile(), transform.NewTree, nil
	}
	values, err := s.evaluate(q)
	if err != nil {
		return q, transform.SameTree, err
	}
	if len(values) == 1 {
		return values[0], transform.NewTree, nil
	}
	return expression.NewTuple(values...), transform.NewTree, nil
}

// givesTransient reports whether a query calls a function that has another value, or another effect, each time.
func givesTransient(n sql.Node) bool {
	found := false
	tree.InspectPlan(n, func(sql.Node) {}, func(e sql.Expression) {
		if _, subquery := e.(*plan.Subquery); subquery {
			return
		}
		other, ok := e.(sql.NonDeterministicExpression)
		found = found || functions.IsVolatile(e) || ok && other.IsNonDeterministic()
	})
	return found
}
