package order

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/sqlbackend/companion"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// Rule reads tables in the order that a statement wants where that costs less than sorting, and only as many rows as
// its LIMIT needs. It is idempotent: where it has changed a plan, no sort is left to change.
func Rule(groups groupsInOrder) analyzer.RuleFunc {
	return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, _ *plan.Scope, sel analyzer.RuleSelector,
		flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
		if tree.IsPlain(n, flags) || !setting.UsesIndex(ctx) {
			return n, transform.SameTree, nil
		}
		o := Orderer{Ctx: ctx, inner: tree.PlansSubqueries(sel), run: a.ExecBuilder, groups: groups}
		next, changed, err := o.node(n, RowLimit{Rows: costing.All})
		if err != nil {
			return n, transform.SameTree, mysqlerr.Of(ctx, err)
		}
		return next, transform.TreeIdentity(!changed), nil
	}
}

// groupsInOrder plans a sort above groups whose values are read in the sort's order.
type groupsInOrder func(o Orderer, fields sql.SortFields, child sql.Node, above RowLimit) (sql.Node, bool, error)

// WritesRule is Rule for the UPDATE and DELETE statements that the engine plans with its short list of rules.
func WritesRule(groups groupsInOrder) analyzer.RuleFunc {
	rule := Rule(groups)
	return func(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector,
		flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
		switch n.(type) {
		case *plan.Update, *plan.DeleteFrom:
			return rule(ctx, a, n, scope, sel, flags)
		}
		return n, transform.SameTree, nil
	}
}

// Orderer is one run of the rule.
type Orderer struct {
	Ctx   *sql.Context
	inner bool // derived tables and subqueries are planned
	run   sql.NodeExecBuilder

	groups groupsInOrder // plans sorts of an aggregation's groups
}

// RowLimit says how many of a node's rows the nodes above need.
type RowLimit struct {
	Rows int64 // after the skipped rows; costing.All without a limit
	skip int64
	// guess: Rows is an estimate.
	guess bool
	// skipped is set to true if the plan below skips the rows, so that the node above need not; nil if there is none.
	skipped *bool
	counted bool // with SQL_CALC_FOUND_ROWS, which also needs the rows that OFFSET skips
}

func (t RowLimit) wanted() costing.Wanted { return costing.Wanted{Skip: t.skip, Rows: t.Rows} }

// node returns a node of a plan with the tables below it read in order, and whether it has changed.
func (o Orderer) node(n sql.Node, above RowLimit) (sql.Node, bool, error) {
	if child := unsorted(n); child != nil {
		next, _, err := o.node(child, above)
		return next, err == nil, err
	}
	switch n := n.(type) {
	case *plan.Limit:
		return o.limit(n, above)
	case *plan.Offset:
		return o.offset(n, above)
	case *plan.Sort:
		if next, ok, err := o.sorted(n, n.SortFields, n.Child, above); err != nil || ok {
			return next, ok, err
		}
		if next, ok, err := o.groups(o, n.SortFields, n.Child, above); err != nil || ok {
			return next, ok, err
		}
		if next, ok, err := o.joined(n, n.SortFields, n.Child, above); err != nil || ok {
			return next, ok, err
		}
	case *plan.TopN:
		if n.CalcFoundRows {
			break
		}
		if next, ok, err := o.sorted(n, n.Fields, n.Child, above); err != nil || ok {
			return next, ok, err
		}
		if next, ok, err := o.groups(o, n.Fields, n.Child, above); err != nil || ok {
			return next, ok, err
		}
		if next, ok, err := o.joined(n, n.Fields, n.Child, above); err != nil || ok {
			return next, ok, err
		}
	case *plan.Filter:
		if above.Rows == costing.All {
			break
		}
		if next, ok, err := o.first(n, above); err != nil || ok {
			return next, ok, err
		}
	case *plan.GroupBy:
		if next, ok, err := o.firstGroups(n, above); err != nil || ok {
			return next, ok, err
		}
	case *BoundedOrder:
		return n, false, nil
	case *plan.JoinNode:
		if next, ok, err := o.firstJoined(n, above); err != nil || ok {
			return next, ok, err
		}
	case *plan.SubqueryAlias:
		if !o.inner {
			return n, false, nil
		}
		return o.children(n, above)
	case *plan.Project, *plan.TableAlias:
		return o.children(n, above)
	case *plan.ResolvedTable, *plan.IndexedTableAccess:
		return o.begin(n, above)
	}
	return o.children(n, RowLimit{Rows: costing.All})
}

func (o Orderer) limit(n *plan.Limit, above RowLimit) (sql.Node, bool, error) {
	below := RowLimit{Rows: costing.All, counted: n.CalcFoundRows}
	if rows, ok := o.count(n.Limit); ok && !n.CalcFoundRows {
		below.Rows = rows
		if above.skip == 0 {
			below.Rows = min(rows, above.Rows)
		}
	}
	return o.children(n, below)
}

func (o Orderer) offset(n *plan.Offset, above RowLimit) (sql.Node, bool, error) {
	skip, ok := o.count(n.Offset)
	if !ok || above.skip > 0 || above.counted {
		return o.children(n, RowLimit{Rows: costing.All})
	}
	skipped := false
	next, changed, err := o.children(n, RowLimit{Rows: above.Rows, skip: skip, skipped: &skipped})
	if err != nil || !skipped {
		return next, changed, err
	}
	return next.Children()[0], true, nil
}

// count evaluates a LIMIT or an OFFSET.
func (o Orderer) count(e sql.Expression) (int64, bool) {
	if !e.Resolved() {
		return 0, false
	}
	v, err := e.Eval(o.Ctx, nil)
	if err != nil || v == nil {
		return 0, false
	}
	n, _, err := types.Int64.Convert(o.Ctx, v)
	if err != nil {
		return 0, false
	}
	rows, ok := n.(int64)
	return rows, ok && rows >= 0
}

// children plans the nodes below a node, and its subqueries.
func (o Orderer) children(n sql.Node, below RowLimit) (sql.Node, bool, error) {
	before := n.Children()
	after, any := make([]sql.Node, len(before)), false
	for i, child := range before {
		next, changed, err := o.node(child, below)
		if err != nil {
			return n, false, err
		}
		after[i], any = next, any || changed
	}
	if any {
		next, err := n.WithChildren(after...)
		if err != nil {
			return n, false, err
		}
		n = next
	}
	exist := existing(n)
	next, same, err := tree.NodeExpressions(n, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		sq, ok := e.(*plan.Subquery)
		if !ok || !o.inner {
			return e, transform.SameTree, nil
		}
		rows := int64(costing.All)
		if exist[sq] {
			rows = 1
		}
		query, changed, err := o.node(sq.Query, RowLimit{Rows: rows})
		if err != nil || !changed {
			return e, transform.SameTree, err
		}
		return sq.WithQuery(query), transform.NewTree, nil
	})
	return next, any || !bool(same), err
}

// begin plans a table of which the first rows are needed, in any order.
func (o Orderer) begin(n sql.Node, above RowLimit) (sql.Node, bool, error) {
	if above.Rows == costing.All {
		return n, false, nil
	}
	if node, t, path, ok := companion.FeedOf(n); ok && above.Most() > 0 && (path == nil || path.Limit == 0) {
		first := Everything(t)
		if path != nil {
			*first = *path
		}
		first.Limit = above.Most()
		access, err := plan.NewStaticIndexedAccessForTableNode(o.Ctx, node, first.AsLookup())
		return access, err == nil, err
	}
	if next, ok, err := o.first(n, above); err != nil || ok {
		return next, ok, err
	}
	s, ok := leafOf(n)
	if !ok {
		return n, false, nil
	}
	path, ok := s.beginning(above)
	if !ok {
		return n, false, nil
	}
	if above.skipped != nil {
		*above.skipped = true
	}
	return s.with(o.Ctx, path)
}
