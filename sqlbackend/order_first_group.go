package sqlbackend

import (
	"fmt"
	"io"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/kv/ahead"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
)

// ORDER BY status, placed LIMIT 10 wants ten documents of the first status, which may be that of a quarter of all: to
// read these and sort them is to read what nobody asked for. Where enough documents have the first value, they are all
// that is ordered, as with WHERE status = 'cancelled' ORDER BY placed LIMIT 10, for which there are better ways.

const (
	// groupGain is how many times less that must cost: it rests on estimates, and where they are wrong both are read.
	groupGain = 2
	// worthDistantGroup is the cost below which the first value is not looked for where each read waits for an answer from
	// elsewhere.
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
func (o orderer) firstGroup(p *orderPlan, chosen *accessPath, fields sql.SortFields, sorting sql.Node,
	above taken) (sql.Node, bool, error) {
	if o.run == nil || above.rows == 0 || above.most() <= 0 || above.most() > mostFirst || above.guess ||
		anySubquery(p.conjuncts) ||
		!p.table.session.OnlySelects() {
		return nil, false, nil
	}
	walk, ok, err := o.groupWalk(p, chosen, fields, above)
	if err != nil || !ok {
		return nil, false, err
	}
	rest, ok, err := o.allGroups(p.site, chosen, fields, sorting)
	if err != nil || !ok {
		return nil, false, err
	}
	if walk.skip > 0 {
		*above.skipped = true
	}
	return walk.before(rest, above), true, nil
}

// before is the walk with what is read instead where its rows are too few.
func (w *groupWalk) before(rest sql.Node, above taken) *boundedOrder {
	n := newBoundedOrder(w.node, rest, w.skip, costs{walk: w.cost, bound: w.bound}, above)
	n.enough = true
	return n
}

// groupWalk finds the cheapest order of the rows of the first group, by the next field or by the first group of that in
// its turn. It is false where the group is not known, has too few rows by the counts, or costs no less than all groups.
func (o orderer) groupWalk(p *orderPlan, chosen *accessPath, fields sql.SortFields, above taken) (w groupWalk, ok bool,
	err error) {
	if !p.estimated || p.site.apart || len(p.site.fields) < 2 || chosen != nil && chosen.order.prefix != 1 {
		return w, false, nil
	}
	if ahead.Of(p.resolver.read).Starts() && p.cost < worthDistantGroup {
		return w, false, nil
	}
	first, ok, err := o.firstCondition(p, above.most())
	if err != nil || !ok {
		return w, false, err
	}
	group := *p.site
	group.fields = group.fields[1:]
	group.filters = append(group.filters[:len(group.filters):len(group.filters)], first)
	inner, err := newOrderPlan(o.ctx, &group, above)
	if err != nil || inner == nil {
		return w, false, err
	}
	along, err := inner.choose()
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
func (o orderer) inGroup(p *orderPlan, along *accessPath, fields sql.SortFields) (w groupWalk, err error) {
	if along == nil || along.order.bound.Cost > 0 {
		path, err := p.table.plan(o.ctx, p.conjuncts)
		if err != nil {
			return w, err
		}
		if path != nil && path.candidate != nil {
			rows, err := p.site.rebuilt(o.ctx, path)
			if err != nil {
				return w, err
			}
			w.node, w.cost = plan.NewTopN(fields, expression.NewLiteral(p.above.most(), types.Int64), rows), p.cost
		}
	}
	if along == nil {
		return w, nil
	}
	sorted := w.node
	if w.node, err = p.site.rebuilt(o.ctx, along); err != nil {
		return w, err
	}
	if along.order.prefix > 0 {
		w.node = newGroupSort(fields, along.order.prefix, w.node)
	}
	w.cost, w.bound, w.skip = along.order.choice.Cost, along.order.bound.Cost, along.order.skip
	if sorted != nil {
		w.node, w.bound = newBoundedOrder(w.node, sorted, w.skip, costs{walk: w.cost, bound: w.bound}, p.above), 0
	}
	return w, nil
}

// firstCondition is the condition that rows are of the first group in a plan's order, if by the counts it has as many
// as are wanted.
func (o orderer) firstCondition(p *orderPlan, wanted int64) (sql.Expression, bool, error) {
	at := slices.IndexFunc(p.ways, func(w orderWay) bool {
		return w.order.prefix == 1 && !w.order.scan && w.order.part.Declared == nil && w.order.among == nil
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
	return o.firstValue(p.site, p.path(&way, []costing.OrderedWay{way.OrderedWay}, costing.OrderChoice{Why: []string{""}}))
}

// allGroups is what gives all rows in order: a path that is chosen, or the sort. It is false where that may not stand
// beside another plan for the same rows.
func (o orderer) allGroups(site *orderSite, chosen *accessPath, fields sql.SortFields, sorting sql.Node) (sql.Node,
	bool, error) {
	if chosen != nil && chosen.order.bound.Cost == 0 {
		n, err := site.rebuilt(o.ctx, chosen)
		if err != nil {
			return nil, false, err
		}
		return newGroupSort(fields, chosen.order.prefix, n), true, nil
	}
	return sorting, !site.scans() || setting.Of(o.ctx, setting.FullScans) == "allow", nil
}

// firstValue is the condition that rows have the first value of a path's first field: that of the first document in its
// order, or none where those that lack it come first. It is false where the documents with that value are not those
// with which a sort has it equal.
func (o orderer) firstValue(site *orderSite, path *accessPath) (sql.Expression, bool, error) {
	f, ok := site.fields[0].Column.(*expression.GetField)
	if !ok {
		return nil, false, nil
	}
	if path.order.way.MissingFirst && path.order.missing {
		return expression.NewIsNull(f), true, nil
	}
	if !equalAsGrouped(path.order.field.column) {
		return nil, false, nil
	}
	row, err := o.firstRow(site, path)
	if err != nil || row == nil {
		return nil, false, err
	}
	field, err := site.table.overRows(f)
	if err != nil {
		return nil, false, err
	}
	v, err := field.Eval(o.ctx, row)
	if err != nil {
		return nil, false, err
	}
	condition, err := hasValue(o.ctx, f, v)
	return condition, err == nil, err
}

// equalAsGrouped reports whether the values of a column that a condition finds equal to one are those that sorting and
// grouping have equal to it.
func equalAsGrouped(c pushdown.Column) bool {
	switch c.Shape {
	case pushdown.ShapeNumber, pushdown.ShapeBoolean, pushdown.ShapeDate, pushdown.ShapeString:
		return !c.Rounded
	}
	return false
}

// hasValue is the condition that a column has a value of its type, or none.
func hasValue(ctx *sql.Context, f *expression.GetField, v any) (sql.Expression, error) {
	if v == nil {
		return expression.NewIsNull(f), nil
	}
	condition, _, err := compare.Comparer{Ctx: ctx}.Expression(expression.NewEquals(f, expression.NewLiteral(v, f.Type())))
	return condition, err
}

// firstRow is the first row of the table in a path's order, whatever the conditions that its range does not answer; nil
// if there is none.
func (o orderer) firstRow(site *orderSite, path *accessPath) (sql.Row, error) {
	one, order := *path, *path.order
	order.rows, order.skip, order.expect, order.prefix, order.whole, order.bound = 1, 0, 1, 0, false, costing.Bound{}
	order.missing, order.allPresent = false, false // they come behind it
	one.order, one.covered = &order, nil
	n, _, err := site.with(o.ctx, &one)
	if err != nil {
		return nil, err
	}
	w := &site.table.session.work
	executed, planned := w.executed, w.plan
	defer func() { w.executed, w.plan = executed, planned }() // the statement itself is still to come
	rows, err := o.run.Build(o.ctx, n, nil)
	if err != nil {
		return nil, fmt.Errorf("first row: %w", err)
	}
	defer rows.Close(o.ctx)
	row, err := rows.Next(o.ctx)
	if err == io.EOF {
		return nil, nil
	}
	return row, err
}
