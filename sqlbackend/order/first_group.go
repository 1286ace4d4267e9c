package order

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/kv/ahead"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/join"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// ORDER BY status, placed LIMIT 10 wants ten documents of the first status, which a quarter of all documents may
// have. Reading and sorting all of these is wasted work. Where enough documents have the first value, only they are
// ordered, as for WHERE status = 'cancelled' ORDER BY placed LIMIT 10, which has better paths.

const (
	// groupGain is how many times less the first group must cost: estimates decide, and where they are wrong both plans
	// run.
	groupGain = 2
	// worthDistantGroup is the cost below which the first value is not read where each read waits for a server's
	// answer.
	worthDistantGroup = 1000
)

// groupWalk is the plan for the rows with the first value of a sort's first field, in order.
type groupWalk struct {
	node        sql.Node
	cost, bound float64 // see Costs
	skip        int64   // number of rows that the node skips by itself
}

// firstGroup plans to read the rows with the first value of a sort's first field in order. If these are too few, the
// chosen path runs, or the sort if chosen is nil. It is false where that costs no less.
func (o Orderer) firstGroup(p *Plan, chosen *table.AccessPath, fields sql.SortFields, sorting sql.Node,
	above RowLimit) (sql.Node, bool, error) {
	if o.run == nil || above.Rows == 0 || above.Most() <= 0 || above.Most() > maxFirst || above.guess ||
		join.AnySubquery(p.conjuncts) ||
		!p.Table.Session.Parsed.OnlySelects() {
		return nil, false, nil
	}
	walk, ok, err := o.groupWalk(p, chosen, fields, above)
	if err != nil || !ok {
		return nil, false, err
	}
	rest, ok, err := o.allGroups(p.input, chosen, fields, sorting)
	if err != nil || !ok {
		return nil, false, err
	}
	if walk.skip > 0 {
		*above.skipped = true
	}
	return walk.before(rest, above), true, nil
}

// before returns the walk with the plan that runs instead if its rows are too few.
func (w *groupWalk) before(rest sql.Node, above RowLimit) *BoundedOrder {
	n := NewBoundedOrder(w.node, rest, w.skip, Costs{Walk: w.cost, Bound: w.bound}, above)
	n.Enough = true
	return n
}

// groupWalk finds the cheapest plan for the rows of the first group: by the next field, or by the next field's first
// group in turn. It is false where the group is unknown, has too few rows by the counts, or costs no less than all
// groups.
func (o Orderer) groupWalk(p *Plan, chosen *table.AccessPath, fields sql.SortFields, above RowLimit) (w groupWalk,
	ok bool,
	err error) {
	if !p.estimated || p.input.nullsMoved || len(p.input.Fields) < 2 || chosen != nil && chosen.Order.Prefix != 1 {
		return w, false, nil
	}
	if ahead.Of(p.Resolver.Read).Starts() && p.cost < worthDistantGroup {
		return w, false, nil
	}
	first, ok, err := o.firstCondition(p, above.Most())
	if err != nil || !ok {
		return w, false, err
	}
	group := *p.input
	group.Fields = group.Fields[1:]
	group.Filters = append(group.Filters[:len(group.Filters):len(group.Filters)], first)
	inner, err := NewPlan(o.Ctx, &group, above)
	if err != nil || inner == nil {
		return w, false, err
	}
	along, err := inner.Choose()
	if err != nil {
		return w, false, err
	}
	if w, err = o.inGroup(inner, along, fields[1:]); err != nil {
		return w, false, err
	}
	deeper, ok, err := o.groupWalk(inner, along, fields[1:], above)
	if err != nil {
		return w, false, err
	}
	if ok {
		if w.node != nil {
			deeper.node, deeper.bound = deeper.before(w.node, above), 0
		}
		w = deeper
	}
	return w, w.node != nil && w.cost*groupGain <= p.cost, nil
}

// inGroup plans a group's rows along a path, or a sort of them where the path is nil or may be given up. The node is
// nil where that sort would read the whole table and there is no path.
func (o Orderer) inGroup(p *Plan, along *table.AccessPath, fields sql.SortFields) (w groupWalk, err error) {
	if along == nil || along.Order.Bound.Cost > 0 {
		path, err := p.Table.Plan(o.Ctx, p.conjuncts)
		if err != nil {
			return w, err
		}
		if path != nil && path.Candidate != nil {
			rows, err := p.input.Rebuilt(o.Ctx, path)
			if err != nil {
				return w, err
			}
			w.node, w.cost = plan.NewTopN(fields, expression.NewLiteral(p.above.Most(), types.Int64), rows), p.cost
		}
	}
	if along == nil {
		return w, nil
	}
	sorted := w.node
	if w.node, err = p.input.Rebuilt(o.Ctx, along); err != nil {
		return w, err
	}
	if along.Order.Prefix > 0 {
		w.node = newGroupSort(fields, along.Order.Prefix, w.node)
	}
	w.cost, w.bound, w.skip = along.Order.Choice.Cost, along.Order.Bound.Cost, along.Order.Skip
	if sorted != nil {
		w.node, w.bound = NewBoundedOrder(w.node, sorted, w.skip, Costs{Walk: w.cost, Bound: w.bound}, p.above), 0
	}
	return w, nil
}

// firstCondition returns the condition that a row is in the first group in a plan's order. It is false if, by the
// counts, the group has fewer rows than wanted.
func (o Orderer) firstCondition(p *Plan, wanted int64) (sql.Expression, bool, error) {
	at := slices.IndexFunc(p.ways, func(w orderWay) bool {
		return w.order.Prefix == 1 && !w.order.Scan && w.order.Part.Declared == nil && w.order.Among == nil
	})
	if at < 0 {
		return nil, false, nil
	}
	way := p.ways[at]
	having := float64(way.Group)
	if way.Filtered {
		having *= p.selectivity(nil) / groupGain
	}
	if having < float64(wanted) {
		return nil, false, nil
	}
	return o.firstValue(p.input, p.path(&way, []costing.OrderedWay{way.OrderedWay},
		costing.OrderChoice{Why: []string{""}}))
}

// allGroups returns the plan of all rows in order: the chosen path, or the sort. It is false where the sort would be
// refused as a full scan.
func (o Orderer) allGroups(input *SortInput, chosen *table.AccessPath, fields sql.SortFields,
	sorting sql.Node) (sql.Node,
	bool, error) {
	if chosen != nil && chosen.Order.Bound.Cost == 0 {
		n, err := input.Rebuilt(o.Ctx, chosen)
		if err != nil {
			return nil, false, err
		}
		return newGroupSort(fields, chosen.Order.Prefix, n), true, nil
	}
	return sorting, !input.scans() || setting.Of(o.Ctx, setting.FullScans) == "allow", nil
}

// firstValue returns the condition that a row has the first value of a path's first field: the first document's
// value, or NULL where documents without a value come first. It is false where a condition and a sort treat
// different values as equal.
func (o Orderer) firstValue(input *SortInput, path *table.AccessPath) (sql.Expression, bool, error) {
	f, ok := input.Fields[0].Column.(*expression.GetField)
	if !ok {
		return nil, false, nil
	}
	if path.Order.Way.MissingFirst && path.Order.Missing {
		return expression.NewIsNull(f), true, nil
	}
	if !EqualAsGrouped(path.Order.Field.Column) {
		return nil, false, nil
	}
	row, err := o.firstRow(input, path)
	if err != nil || row == nil {
		return nil, false, err
	}
	field, err := OverRows(input.Table, f)
	if err != nil {
		return nil, false, err
	}
	v, err := field.Eval(o.Ctx, row)
	if err != nil {
		return nil, false, err
	}
	condition, err := HasValue(o.Ctx, f, v)
	return condition, err == nil, err
}

// EqualAsGrouped reports whether an equality condition on a column finds the same values equal as sorting and
// grouping do.
func EqualAsGrouped(c pushdown.Column) bool {
	switch c.Shape {
	case pushdown.ShapeNumber, pushdown.ShapeBoolean, pushdown.ShapeDate, pushdown.ShapeString:
		return !c.Rounded
	}
	return false
}

// HasValue returns the condition that a column has a value of its type, or is NULL for nil.
func HasValue(ctx *sql.Context, f *expression.GetField, v any) (sql.Expression, error) {
	if v == nil {
		return expression.NewIsNull(f), nil
	}
	condition, _, err := compare.Comparer{Ctx: ctx}.Expression(expression.NewEquals(f,
		expression.NewLiteral(v, f.Type())))
	return condition, err
}

// firstRow reads the first row of the table in a path's order; nil if there is none. Only the conditions that the
// path's range answers are tested.
func (o Orderer) firstRow(input *SortInput, path *table.AccessPath) (sql.Row, error) {
	one, order := *path, *path.Order
	order.Rows, order.Skip, order.Expect, order.Prefix, order.Whole, order.Bound = 1, 0, 1, 0, false, costing.Bound{}
	order.Missing, order.AllPresent = false, false // documents without a value come last
	one.Order, one.Covered = &order, nil
	n, _, err := input.with(o.Ctx, &one)
	if err != nil {
		return nil, err
	}
	w := &input.Table.Session.Work
	executed, planned := w.Executed, w.Plan
	defer func() { w.Executed, w.Plan = executed, planned }() // the statement itself runs later
	rows, err := o.run.Build(o.Ctx, n, nil)
	if err != nil {
		return nil, fmt.Errorf("first row: %w", err)
	}
	defer rows.Close(o.Ctx)
	row, err := rows.Next(o.Ctx)
	if err == io.EOF {
		return nil, nil
	}
	return row, err
}

// OverRows returns an expression over the rows of a table alone: its fields get the indexes of the table's columns.
func OverRows(t *table.Table, e sql.Expression) (sql.Expression, error) {
	out, _, err := transform.Expr(e, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		f, ok := e.(*expression.GetField)
		if !ok {
			return e, transform.SameTree, nil
		}
		at := slices.IndexFunc(t.Columns, func(c session.Column) bool { return strings.EqualFold(c.Name, f.Name()) })
		return f.WithIndex(at), transform.NewTree, nil
	})
	return out, err
}

// firstGroups plans a GROUP BY of one column of which only the first groups are needed, in any order. The order in
// which the values are read will do.
func (o Orderer) firstGroups(n *plan.GroupBy, above RowLimit) (sql.Node, bool, error) {
	if above.Rows == costing.All || above.guess || len(n.GroupByExprs) != 1 {
		return nil, false, nil
	}
	field, ok := tree.Unaliased(n.GroupByExprs[0]).(*expression.GetField)
	if !ok {
		return nil, false, nil
	}
	return o.groups(o, sql.SortFields{{Column: field, Order: sql.Ascending}}, n, above)
}
