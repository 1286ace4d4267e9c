package subquery

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/rewrite"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// boundFrom is the least number of rows of a correlated subquery's largest table for planning it for each outer row:
// planning takes as long as reading some tens of documents.
const boundFrom = 32

// BoundRule makes correlated subqueries that stay subqueries be planned for each outer row: scalar ones, and EXISTS
// and IN that the engine does not join. It leaves other correlated subqueries for the engine to join. Derived tables
// that read columns of other tables are planned each time they run, with the index off too.
//
// It runs after the rules about columns of a GROUP BY that subqueries read, and before all rules that change a query.
// So the query that is planned for each row is the one that the plan builder has made.
func BoundRule(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, _ analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if flags == nil || !flags.SubqueryIsSet() || !scope.IsEmpty() || scope.RecursionDepth() > 0 {
		return n, transform.SameTree, nil
	}
	s, ok := ctx.Session.(Planned)
	if !ok {
		return n, transform.SameTree, nil
	}
	own := &sql.QueryFlags{Flags: flags.Flags.Copy()}
	return Evaluator{Ctx: ctx, Session: s.Subqueries(), Analyzer: a, Flags: own}.binder().node(n)
}

// binder returns a binder for the nodes of the running statement, or of a subquery that is evaluated before the
// statement is planned.
func (s Evaluator) binder() binder {
	return binder{evaluator: s, indexed: setting.UsesIndex(s.Ctx), remembers: s.Session.Selects(),
		made: map[*plan.Subquery]*Bound{},
		rows: map[*plan.Subquery][2]*plan.ExistsSubquery{}}
}

// binder is one run of the rule.
type binder struct {
	evaluator Evaluator
	indexed   bool // plan subqueries for each row where that saves reading
	remembers bool // no data changes between two rows
	// made has the bound subqueries by their originals: a projection and the one above it have the same.
	made map[*plan.Subquery]*Bound
	// rows has the conditions on a subquery's rows in the same way.
	rows map[*plan.Subquery][2]*plan.ExistsSubquery
}

// node handles a node and all nodes below it, nodes within subqueries first.
func (b binder) node(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	switch n.(type) {
	case *plan.CreateView, *plan.ShowColumns, *plan.ShowCreateTable, *plan.ShowIndexes:
		return n, transform.SameTree, nil
	}
	next, below, err := tree.EachChild(n, b.node)
	if err != nil {
		return n, transform.SameTree, err
	}
	switch at := next.(type) {
	case *plan.SubqueryAlias:
		derived, same, err := b.derived(at)
		return derived, below && same, err
	case *plan.JoinNode:
		lateral, same := b.lateral(at)
		next, below = lateral, below && same
	}
	x, ok := next.(sql.Expressioner)
	if !ok {
		return next, below, nil
	}
	at := position{}
	switch n.(type) {
	case *plan.Filter, *plan.JoinNode: // the engine turns EXISTS in their conjuncts into joins
		at = position{joined: true, truth: true}
	case *plan.Having:
		at.truth = true
	}
	given := x.Expressions()
	changed, anyChanged := make([]sql.Expression, len(given)), false
	for i, e := range given {
		var same transform.TreeIdentity
		var err error
		if changed[i], same, err = b.expression(e, at); err != nil {
			return n, transform.SameTree, err
		}
		anyChanged = anyChanged || !bool(same)
	}
	if !anyChanged {
		return next, below, nil
	}
	next, err = x.WithExpressions(changed...)
	return next, transform.NewTree, err
}

// position is the place of an expression.
type position struct {
	joined bool // it is a conjunct, or a negated one, which the engine may turn into a join
	truth  bool // NULL counts as false
}

// below returns the position of an expression's operands.
func (p position) below(e sql.Expression) position {
	switch e := e.(type) {
	case *expression.And:
		return p
	case *expression.Or:
		return position{truth: p.truth}
	case *expression.Not:
		switch e.Child.(type) {
		case *plan.ExistsSubquery, *plan.InSubquery:
			return position{joined: p.joined}
		}
	}
	return position{}
}

// expression handles an expression.
func (b binder) expression(e sql.Expression, at position) (sql.Expression, transform.TreeIdentity, error) {
	switch e := e.(type) {
	case *plan.Subquery:
		q, same, err := b.within(e)
		if err != nil {
			return e, transform.SameTree, err
		}
		if bound, ok, err := b.bound(q, q, e); ok || err != nil {
			return bound, transform.NewTree, err
		}
		return q, same, nil
	case *plan.ExistsSubquery:
		q, same, err := b.within(e.Query)
		if err != nil {
			return e, transform.SameTree, err
		}
		exists := e
		if !same {
			exists = plan.NewExistsSubquery(q)
		}
		if at.joined && !rewrite.UnnestsOuter(q) {
			return exists, same, nil
		}
		if bound, ok, err := b.bound(exists, q, e.Query); ok || err != nil {
			return bound, transform.NewTree, err
		}
		return exists, same, nil
	}
	next, same, err := b.operands(e, at)
	if err != nil {
		return e, transform.SameTree, err
	}
	switch next.(type) {
	case *plan.InSubquery, expression.Comparer:
		if at.joined && !rewrite.AsksUnnested(next) {
			break
		}
		if bound, ok, err := b.asked(next, at); ok || err != nil {
			return bound, transform.NewTree, err
		}
	}
	return next, same, nil
}

// operands returns an expression with its operands handled.
func (b binder) operands(e sql.Expression, at position) (sql.Expression, transform.TreeIdentity, error) {
	given := e.Children()
	children, any := make([]sql.Expression, len(given)), false
	for i, child := range given {
		next, same, err := child, transform.SameTree, error(nil)
		if q, ok := child.(*plan.Subquery); ok && !takesValue(e, q) {
			next, same, err = b.withinExpression(q)
		} else {
			next, same, err = b.expression(child, at.below(e))
		}
		if err != nil {
			return e, transform.SameTree, err
		}
		children[i], any = next, any || !bool(same)
	}
	return functions.Rebuild(e, children, any)
}

// takesValue reports whether an expression takes one value from a subquery that is its child.
func takesValue(e sql.Expression, q *plan.Subquery) bool {
	switch e := e.(type) {
	case *compare.Quantifier, *compare.Quantified, *plan.ExistsSubquery:
		return false
	case *plan.InSubquery:
		return e.RightChild != sql.Expression(q)
	}
	return true
}

// asked returns IN, or a comparison with ANY or ALL, in terms of EXISTS: of rows that satisfy it, and of rows for
// which it is NULL. Both are looked up by the outer row's values. It returns false where the subquery is not planned
// for each outer row.
func (b binder) asked(e sql.Expression, at position) (sql.Expression, bool, error) {
	q, not, err := (compare.Comparer{Ctx: b.evaluator.Ctx}).AsksOf(e)
	if err != nil || q == nil || q.Query.Correlated().Empty() || !b.indexed && !rewrite.UnnestsOuter(q.Query) {
		return e, false, err
	}
	known, ok := b.rows[q.Query]
	if !ok {
		known = [2]*plan.ExistsSubquery{q.Exists(q.Holds), q.Exists(expression.NewIsNull(q.Holds))}
		b.rows[q.Query] = known
	}
	found, ok, err := b.bound(known[0], known[0].Query, known[0].Query)
	if !ok || err != nil || at.truth && !not {
		return found, ok, err
	}
	if q.Nullable {
		unknown, ok, err := b.bound(known[1], known[1].Query, known[1].Query)
		if !ok || err != nil {
			return e, false, err
		}
		truth := func(v bool) sql.Expression { return expression.NewLiteral(v, types.Boolean) }
		found = expression.NewCase(nil, []expression.CaseBranch{
			{Cond: found, Value: truth(true)}, {Cond: unknown, Value: expression.NewLiteral(nil, types.Null)},
		}, truth(false))
	}
	if not {
		found = expression.NewNot(found)
	}
	return found, true, nil
}

// within returns a subquery with the subqueries in it handled.
func (b binder) within(q *plan.Subquery) (*plan.Subquery, transform.TreeIdentity, error) {
	query, same, err := b.node(q.Query)
	if err != nil || bool(same) {
		return q, transform.SameTree, err
	}
	return q.WithQuery(query), transform.NewTree, nil
}

func (b binder) withinExpression(q *plan.Subquery) (sql.Expression, transform.TreeIdentity, error) {
	return b.within(q)
}

// bound returns a subquery, or EXISTS of one, that is planned for each outer row; given is the original subquery. It
// returns false where the engine's way is better.
func (b binder) bound(e sql.Expression, q, given *plan.Subquery) (sql.Expression, bool, error) {
	_, exists := e.(*plan.ExistsSubquery)
	outer := q.Correlated()
	if outer.Empty() || !q.Resolved() || q.Volatile() || !exists && len(q.Query.Schema()) != 1 {
		return e, false, nil
	}
	fields := rewrite.FieldsWithin(q.Query, outer)
	if len(fields) != outer.Len() || tree.ReadsRecursion(q.Query) || givesTransient(q.Query) {
		return e, false, nil
	}
	rows, err := b.rowsOf(q.Query)
	if err != nil {
		return e, false, err
	}
	if !rewrite.UnnestsOuter(q) && (!b.indexed || !selectsBy(q.Query, outer) || rows < boundFrom) {
		return e, false, nil
	}
	query := b.made[given]
	if query == nil {
		query = &Bound{Evaluator: b.evaluator, Query: q.Query, exists: exists, steady: b.remembers &&
			!readsVariables(q.Query), size: rows}
		if _, limited := q.Query.(*plan.Limit); exists && !limited {
			query.Query = plan.NewLimit(expression.NewLiteral(int64(1), types.Int64), q.Query)
		}
		for _, f := range fields {
			query.columns = append(query.columns, f.Id())
		}
		b.made[given] = query
	}
	out := &Value{Standing: e, Bound: query}
	for _, f := range fields {
		out.Outer = append(out.Outer, f)
	}
	return out, true, nil
}

// selectsBy reports whether a condition of a query reads one of the columns.
func selectsBy(n sql.Node, columns sql.ColSet) bool {
	found := false
	tree.InspectPlan(n, func(n sql.Node) {
		switch n.(type) {
		case *plan.Filter, *plan.JoinNode, *plan.Having:
			for _, e := range n.(sql.Expressioner).Expressions() {
				tree.InspectExpression(e, func(sql.Node) {}, func(e sql.Expression) {
					f, ok := e.(*expression.GetField)
					found = found || ok && columns.Contains(f.Id())
				})
			}
		}
	}, func(sql.Expression) {})
	return found
}

// readsVariables reports whether a query reads user variables.
func readsVariables(n sql.Node) bool {
	found := false
	tree.InspectPlan(n, func(sql.Node) {}, func(e sql.Expression) {
		_, ok := e.(*expression.UserVar)
		found = found || ok
	})
	return found
}

// rowsOf returns the number of rows of the largest of a query's tables.
func (b binder) rowsOf(n sql.Node) (rows uint64, failed error) {
	tree.InspectPlan(n, func(n sql.Node) {
		t, ok := n.(*plan.ResolvedTable)
		if !ok || failed != nil {
			return
		}
		if counted, ok := t.UnderlyingTable().(sql.StatisticsTable); ok {
			var count uint64
			count, _, failed = counted.RowCount(b.evaluator.Ctx)
			rows = max(rows, count)
		}
	}, func(sql.Expression) {})
	return rows, failed
}
