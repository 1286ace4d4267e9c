package sqlbackend

import (
	"fmt"
	"io"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/kv/ahead"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
)

// ORDER BY status, placed LIMIT 10 wants ten documents of the first status, which may be that of a quarter of all: to read these and sort them
// is to read what nobody asked for. Where enough documents have the first value, they are all that is ordered, as with
// WHERE status = 'cancelled' ORDER BY placed LIMIT 10, for which there are better ways.

const (
	// groupGain is how many times less that must cost: it rests on estimates, and where they are wrong both are read.
	groupGain = 2
	// worthDistantGroup is the cost below which the first value is not looked for where each read waits for an answer from elsewhere.
	worthDistantGroup = 1000
)

// firstGroup is the order of the rows with the first value of a sort's first field, with what is done otherwise for the case that they are too
// few: a path that is chosen, or the sort if that is nil. It is false where that costs no less.
func (o orderer) firstGroup(p *orderPlan, chosen *accessPath, fields sql.SortFields, sorting sql.Node, above taken) (sql.Node, bool, error) {
	wanted, site := above.most(), p.site
	if o.run == nil || !p.estimated || above.rows == 0 || wanted <= 0 || wanted > mostFirst || above.guess || site.apart ||
		chosen != nil && chosen.order.prefix != 1 || anySubquery(p.conjuncts) || !p.table.session.onlySelects() {
		return nil, false, nil
	}
	if ahead.Of(p.resolver.read).Starts() && p.cost < worthDistantGroup {
		return nil, false, nil
	}
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
	first, ok, err := o.firstValue(site, p.path(&way, []costing.OrderedWay{way.OrderedWay}, costing.OrderChoice{Why: []string{""}}))
	if err != nil || !ok {
		return nil, false, err
	}
	group := *site
	group.fields = site.fields[1:]
	group.filters = append(site.filters[:len(site.filters):len(site.filters)], first)
	inner, err := newOrderPlan(o.ctx, &group, above)
	if err != nil || inner == nil {
		return nil, false, err
	}
	along, err := inner.choose()
	if err != nil || along == nil || along.order.choice.Cost*groupGain > p.cost {
		return nil, false, err
	}
	rest, ok, err := o.allGroups(site, chosen, fields, sorting)
	if err != nil || !ok {
		return nil, false, err
	}
	walk, err := group.rebuilt(o.ctx, along)
	if err != nil {
		return nil, false, err
	}
	if along.order.prefix > 0 {
		walk = newGroupSort(fields[1:], along.order.prefix, walk)
	}
	if along.order.skip > 0 {
		*above.skipped = true
	}
	n := newBoundedOrder(walk, rest, along.order.skip, costs{walk: along.order.choice.Cost, bound: along.order.bound.Cost}, above)
	n.enough = true
	return n, true, nil
}

// allGroups is what gives all rows in order: a path that is chosen, or the sort. It is false where that may not stand beside another plan for the
// same rows.
func (o orderer) allGroups(site *orderSite, chosen *accessPath, fields sql.SortFields, sorting sql.Node) (sql.Node, bool, error) {
	if chosen != nil && chosen.order.bound.Cost == 0 {
		n, err := site.rebuilt(o.ctx, chosen)
		if err != nil {
			return nil, false, err
		}
		return newGroupSort(fields, chosen.order.prefix, n), true, nil
	}
	return sorting, !site.scans() || setting(o.ctx, VarFullScans) == "allow", nil
}

// firstValue is the condition that rows have the first value of a path's first field: that of the first document in its order, or none where
// those that lack it come first. It is false where the documents with that value are not those with which a sort has it equal.
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

// equalAsGrouped reports whether the values of a column that a condition finds equal to one are those that sorting and grouping have equal to it.
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
	condition, _, err := comparer{ctx: ctx}.expression(expression.NewEquals(f, expression.NewLiteral(v, f.Type())))
	return condition, err
}

// firstRow is the first row of the table in a path's order, whatever the conditions that its range does not answer; nil if there is none.
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
