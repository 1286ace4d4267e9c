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

// ORDER BY status, placed LIMIT 10 wants ten documents of the first status, which may be that of a quarter of all: to
// read these and sort them is to read what nobody asked for. Where enough documents have the first value, they are all
// that is ordered, as with WHERE status = 'cancelled' ORDER BY placed LIMIT 10, for which there are better ways.

const (
	// groupGain is how many times less that must cost: it rests on estimates, and where they are wrong both are read.
	groupGain = 2
	// worthDistantGroup is the cost below which the first value is not looked for where each read waits for an answer
	// from elsewhere.
	worthDistantGroup = 1000
)

// groupWalk is the order of the rows with the first value of a sort's first field.
type groupWalk struct {
	node        sql.Node
	cost, bound float64 // as costs has them
	skip        int64   // rows that it leaves out by itself
}

// firstGroup is the order of the rows with the first value of a sort's first field, with what is done otherwise for the
// case that they are too few: a path that is chosen, or the sort if that is nil. It is false where that costs no less.
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

// before is the walk with what is read instead where its rows are too few.
func (w *groupWalk) before(rest sql.Node, above RowLimit) *BoundedOrder {
	n := NewBoundedOrder(w.node, rest, w.skip, Costs{Walk: w.cost, Bound: w.bound}, above)
	n.Enough = true
	return n
}

// groupWalk finds the cheapest order of the rows of the first group, by the next field or by the first group of that in
// its turn. It is false where the group is not known, has too few rows by the counts, or costs no less than all groups.
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

// inGroup is the order of a group's rows along a path, or sorted where that is nil or is given up; no node where the
// whole table is read for it.
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

// firstCondition is the condition that rows are of the first group in a plan's order, if by the counts it has as many
// as are wanted.
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

// allGroups is what gives all rows in order: a path that is chosen, or the sort. It is false where that may not stand
// beside another plan for the same rows.
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

// firstValue is the condition that rows have the first value of a path's first field: that of the first document in its
// order, or none where those that lack it come first. It is false where the documents with that value are not those
// with which a sort has it equal.
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

// EqualAsGrouped reports whether the values of a column that a condition finds equal to one are those that sorting and
// grouping have equal to it.
func EqualAsGrouped(c pushdown.Column) bool {
	switch c.Shape {
	case pushdown.ShapeNumber, pushdown.ShapeBoolean, pushdown.ShapeDate, pushdown.ShapeString:
		return !c.Rounded
	}
	return false
}

// HasValue is the condition that a column has a value of its type, or none.
func HasValue(ctx *sql.Context, f *expression.GetField, v any) (sql.Expression, error) {
	if v == nil {
		return expression.NewIsNull(f), nil
	}
	condition, _, err := compare.Comparer{Ctx: ctx}.Expression(expression.NewEquals(f,
		expression.NewLiteral(v, f.Type())))
	return condition, err
}

// firstRow is the first row of the table in a path's order, whatever the conditions that its range does not answer; nil
// if there is none.
func (o Orderer) firstRow(input *SortInput, path *table.AccessPath) (sql.Row, error) {
	one, order := *path, *path.Order
	order.Rows, order.Skip, order.Expect, order.Prefix, order.Whole, order.Bound = 1, 0, 1, 0, false, costing.Bound{}
	order.Missing, order.AllPresent = false, false // they come behind it
	one.Order, one.Covered = &order, nil
	n, _, err := input.with(o.Ctx, &one)
	if err != nil {
		return nil, err
	}
	w := &input.Table.Session.Work
	executed, planned := w.Executed, w.Plan
	defer func() { w.Executed, w.Plan = executed, planned }() // the statement itself is still to come
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

// OverRows is an expression over the rows of a table alone.
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

// firstGroups is GROUP BY of one column of which the first groups are taken, in any order: that in which the values are
// met will do.
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
