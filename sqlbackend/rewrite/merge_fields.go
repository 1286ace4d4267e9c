package rewrite

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// read is a part of a query with the derived tables in it merged.
type read struct {
	node       sql.Node
	values     columnValues     // for the derived columns that can be read above
	conditions []sql.Expression // not yet in a filter over its rows
	order      sql.SortFields   // the required order of its rows; nil is any order
}

// whole returns the read's node with its conditions and order in the plan.
func (r read) whole() sql.Node {
	n := filtered(r.conditions, r.node)
	if r.order != nil {
		n = plan.NewSort(r.order, n)
	}
	return n
}

// block merges the derived tables that a query reads, a SELECT or a statement around it. With keep, its columns keep
// their numbers. outer has the values of outer queries' columns.
func (m *merger) block(n sql.Node, outer columnValues, keep bool) (sql.Node, columnValues, error) {
	derived := derivedWhole(n)
	if derived == nil {
		r, err := m.node(n, outer, placement{keep: keep})
		return r.whole(), r.values, err
	}
	columns := tableFields(derived, derived.Name())
	for _, f := range columns {
		f := f.(*expression.GetField)
		use := m.uses[f.Id()]
		use.any = true
		m.uses[f.Id()] = use
	}
	if columns == nil {
		return n, nil, nil
	}
	return m.bare(n, columns, outer, keep)
}

// derivedWhole returns the derived table whose columns a query gives unchanged, nil if it has a projection.
func derivedWhole(n sql.Node) *plan.SubqueryAlias {
	for {
		switch at := n.(type) {
		case *plan.SubqueryAlias:
			return at
		case *plan.Limit, *plan.Offset, *plan.Distinct, *plan.Sort, *plan.Filter:
			n = at.Children()[0]
		default:
			return nil
		}
	}
}

// bare is block for a query that gives a derived table's columns unchanged: their projection comes above the order of
// the rows.
func (m *merger) bare(n sql.Node, columns []sql.Expression, outer columnValues, keep bool) (sql.Node, columnValues,
	error) {
	switch at := n.(type) {
	case *plan.Limit, *plan.Offset, *plan.Distinct:
		changes := m.changes
		child, values, err := m.bare(at.Children()[0], columns, outer, keep)
		if err != nil {
			return n, nil, err
		}
		next, err := m.over(n, changes, child)
		if err != nil {
			return n, nil, err
		}
		next, err = m.expressions(next, outer)
		return next, values, err
	}
	r, err := m.node(n, outer, placement{})
	first := columns[0].(*expression.GetField).Id()
	if _, is := r.values[first]; err != nil || !is {
		return r.whole(), r.values, err
	}
	selected, values, err := m.selected(columns, merged(outer, r.values), keep)
	return plan.NewProject(selected, r.whole()), values, err
}

// placement is the place of a node in a query.
type placement struct {
	keep    bool // the query's columns keep their numbers; for its uppermost projection
	ordered bool // a node above sorts or groups the rows
}

// node merges the derived tables that a node reads, and replaces the columns of those merged.
func (m *merger) node(n sql.Node, outer columnValues, at placement) (read, error) {
	switch n := n.(type) {
	case *plan.CreateView, *plan.InsertInto, *plan.ShowColumns, *plan.ShowCreateTable:
		return read{node: n}, nil
	case *plan.Update, *plan.UpdateJoin, *plan.UpdateSource, *plan.DeleteFrom:
		return m.write(n, outer)
	case *plan.SubqueryAlias:
		m.width = 1
		return m.derived(n, outer, false, at)
	case *plan.JoinNode:
		defer func(width int) { m.width = width }(m.width)
		m.width = width(n)
		return m.join(n, outer, false)
	case *plan.SetOp, *plan.RecursiveCte:
		return m.children(n, outer, true)
	case *plan.Project, *plan.GroupBy, *plan.Window, *plan.Filter, *plan.Sort, *plan.TopN, *plan.Having, *plan.Limit,
		*plan.Offset, *plan.Distinct:
		return m.above(n, outer, at)
	}
	return m.children(n, outer, false)
}

// children merges views within the children of a node. Each child is a query, or not part of one.
func (m *merger) children(n sql.Node, outer columnValues, keep bool) (read, error) {
	children, changes := append([]sql.Node(nil), n.Children()...), m.changes
	for i, child := range children {
		var err error
		if children[i], _, err = m.block(child, outer, keep); err != nil {
			return read{node: n}, err
		}
	}
	next, err := m.over(n, changes, children...)
	if err != nil {
		return read{node: n}, err
	}
	next, err = m.expressions(next, outer)
	return read{node: next}, err
}

// write merges the derived tables that UPDATE or DELETE reads beside the tables that it changes.
func (m *merger) write(n sql.Node, outer columnValues) (read, error) {
	if changesDerived(n) {
		return read{node: n}, nil
	}
	changes := m.changes
	r, err := m.node(n.Children()[0], outer, placement{ordered: true})
	if err != nil {
		return read{node: n}, err
	}
	next, err := m.over(n, changes, r.whole())
	if _, assigns := next.(*plan.UpdateSource); assigns && err == nil {
		next, err = m.expressions(next, merged(outer, r.values))
	}
	return read{node: next, values: r.values}, err
}

// changesDerived reports whether UPDATE or DELETE is to change a derived table, which is an error.
func changesDerived(n sql.Node) bool {
	derived := func(n sql.Node) bool {
		_, is := n.(*plan.SubqueryAlias)
		return is
	}
	if d, ok := n.(*plan.DeleteFrom); ok {
		return slices.ContainsFunc(d.GetDeleteTargets(), func(n sql.Node) bool { return n == d.Child || derived(n) })
	}
	names := map[string]bool{}
	transform.Inspect(n, func(n sql.Node) bool {
		if d, ok := n.(*plan.SubqueryAlias); ok {
			names[strings.ToLower(d.Name())] = true
		}
		return !derived(n)
	})
	found := false
	transform.InspectExpressions(n, func(e sql.Expression) bool {
		if set, ok := e.(*expression.SetField); ok {
			f, ok := set.LeftChild.(*expression.GetField)
			found = found || !ok || names[strings.ToLower(f.Table())]
		}
		return !found
	})
	return found
}

// over returns a node with other children, or the node itself if m.changes still equals changes.
func (m *merger) over(n sql.Node, changes int, children ...sql.Node) (sql.Node, error) {
	if m.changes == changes {
		return n, nil
	}
	return n.WithChildren(children...)
}

// above merges the derived tables below a node with one child that is part of the same query.
func (m *merger) above(n sql.Node, outer columnValues, at placement) (read, error) {
	changes, below, selects := m.changes, at, false
	switch n.(type) {
	case *plan.Project:
		below.keep, selects = false, true
	case *plan.GroupBy, *plan.Window:
		below, selects = placement{ordered: true}, true
	case *plan.Sort, *plan.TopN, *plan.Distinct:
		below.ordered = true
	}
	r, err := m.node(n.Children()[0], outer, below)
	if err != nil {
		return read{node: n}, err
	}
	values := merged(outer, r.values)
	if filter, ok := n.(*plan.Filter); ok && (r.conditions != nil || r.order != nil) {
		asked, _, err := m.expression(filter.Expression, values)
		r.conditions = append(r.conditions, asked)
		return r, err
	}
	next, err := m.over(n, changes, r.whole())
	if err != nil {
		return read{node: n}, err
	}
	if p, ok := next.(*plan.Project); ok && m.changes != changes {
		next = onceSelected(p)
	}
	if len(values) == 0 {
		next, err = m.expressions(next, nil)
		return read{node: next}, err
	}
	if !selects {
		next, err = m.expressions(next, values)
		return read{node: next, values: r.values}, err
	}
	if g, ok := next.(*plan.GroupBy); ok {
		selected, given, err := m.selected(g.SelectedExprs, values, at.keep)
		if err != nil {
			return read{node: n}, err
		}
		by := make([]sql.Expression, len(g.GroupByExprs))
		for i, e := range g.GroupByExprs {
			if by[i], _, err = m.expression(e, values); err != nil {
				return read{node: n}, err
			}
		}
		return read{node: plan.NewGroupBy(selected, by, g.Child), values: given}, nil
	}
	x := next.(sql.Expressioner)
	selected, given, err := m.selected(x.Expressions(), values, at.keep)
	if err != nil {
		return read{node: n}, err
	}
	next, err = x.WithExpressions(selected...)
	return read{node: next, values: given}, err
}

// onceSelected returns a projection that reads the aliases which the projection below it computes. Where there are
// subqueries, the plan builder selects them twice. An alias with the name of another column below gets a name of its
// own there.
func onceSelected(p *plan.Project) *plan.Project {
	below, ok := p.Child.(*plan.Project)
	if !ok {
		return p
	}
	out, computed := slices.Clone(p.Projections), slices.Clone(below.Projections)
	for i, e := range out {
		a, ok := e.(*expression.Alias)
		if !ok || a.Id() == 0 {
			continue
		}
		at, named := computedAt(computed, a)
		switch {
		case at < 0:
		case named == 1:
			out[i] = columnOf(a)
		default:
			own := expression.NewAlias(fmt.Sprintf("%s %d", a.Name(), a.Id()),
				computed[at].(*expression.Alias).Child).WithId(a.Id()).(*expression.Alias)
			computed[at] = own
			out[i] = expression.NewAlias(a.Name(), columnOf(own)).WithId(a.Id()).(*expression.Alias)
		}
	}
	return plan.NewProject(out, plan.NewProject(computed, below.Child))
}

// columnOf returns the field that reads an alias from above it.
func columnOf(a *expression.Alias) *expression.GetField {
	return expression.NewGetFieldWithTable(int(a.Id()), 0, a.Type(), "", "", a.Name(), a.IsNullable())
}

// computedAt returns the place of an alias in a projection, -1 if it isn't there, and how many columns have its name.
func computedAt(projections []sql.Expression, a *expression.Alias) (at, named int) {
	at = -1
	for i, e := range projections {
		if alias, ok := e.(*expression.Alias); ok && alias.Id() == a.Id() && strings.EqualFold(alias.Name(), a.Name()) {
			at = i
		}
		if other, ok := e.(sql.Nameable); ok && strings.EqualFold(other.Name(), a.Name()) {
			named++
		}
	}
	return at, named
}

// selected returns a select list with the values of columns in it, and the fields that read its columns from above. A
// column whose value has another name keeps its number; with keep, all do.
func (m *merger) selected(list []sql.Expression, values columnValues, keep bool) ([]sql.Expression, columnValues,
	error) {
	out, given := make([]sql.Expression, len(list)), columnValues{}
	for i, e := range list {
		next, same, err := m.expression(e, values)
		if err != nil {
			return nil, nil, err
		}
		out[i] = next
		f, ok := e.(*expression.GetField)
		if !ok || bool(same) {
			out[i] = asNamed(next, e)
			continue
		}
		if is, ok := next.(*expression.GetField); ok && is.Name() == f.Name() && !keep {
			given[f.Id()] = is
			continue
		}
		out[i] = expression.NewAlias(f.Name(), next).WithId(f.Id()).(*expression.Alias).AsUnreferencable()
		given[f.Id()] = columnOf(out[i].(*expression.Alias))
	}
	return out, given, nil
}

// asNamed returns a selected expression under the name of the one that it replaces: its text, if it has no other
// name.
func asNamed(e, was sql.Expression) sql.Expression {
	switch was.(type) {
	case sql.Nameable, sql.IdExpression: // aggregates are read by their numbers
		return e
	}
	if name := was.String(); name != e.String() {
		return expression.NewAlias(name, e).AsUnreferencable()
	}
	return e
}

// derived merges a derived table, or the derived tables within it.
func (m *merger) derived(d *plan.SubqueryAlias, outer columnValues, filled bool, at placement) (read, error) {
	changes, joined := m.changes, m.width
	child, values, err := m.block(d.Child, outer, false)
	m.width = joined
	if err != nil {
		return read{node: d}, err
	}
	if m.changes != changes {
		d = d.WithChild(child)
	}
	if len(values) > 0 {
		mapping := maps.Clone(d.ScopeMapping)
		for id, e := range mapping {
			if f, ok := e.(*expression.GetField); ok && values[f.Id()] != nil {
				mapping[id] = values[f.Id()]
			}
		}
		d = d.WithScopeMapping(mapping)
	}
	if len(outer) > 0 && !d.Correlated.Empty() {
		d = d.WithCorrelated(correlatedBy(d.Correlated, outer))
	}
	p, ok := m.part(d, filled)
	if !ok {
		return read{node: d}, nil
	}
	m.changes++
	for _, e := range tableFields(d, d.Name()) {
		f := e.(*expression.GetField)
		name := fieldName(f.Table(), f.Name())
		m.named[name] = append(m.named[name], f.Id())
	}
	if _, ok := p.from.(*plan.JoinNode); ok {
		m.joins = true
	}
	r := read{node: p.from, values: p.columns, conditions: p.conditions}
	if !at.ordered {
		r.order = p.order
	}
	return r, nil
}

// join merges the derived tables on the sides of a join.
func (m *merger) join(n *plan.JoinNode, outer columnValues, filled bool) (read, error) {
	changes := m.changes
	left, err := m.side(n.Left(), outer, filled || !tree.IsInnerJoin(n) && !n.Op.IsLeftOuter())
	if err != nil {
		return read{node: n}, err
	}
	right, err := m.side(n.Right(), merged(outer, left.values), filled || !tree.IsInnerJoin(n) && !n.Op.IsRightOuter())
	if err != nil {
		return read{node: n}, err
	}
	out := read{values: merged(left.values, right.values)}
	on := n.Filter
	if on != nil {
		if on, _, err = m.expression(on, merged(outer, out.values)); err != nil {
			return read{node: n}, err
		}
	}
	within := func(conditions []sql.Expression) {
		if on != nil {
			conditions = append(conditions, on)
		}
		on = expression.JoinAnd(conditions...)
	}
	switch {
	case tree.IsInnerJoin(n):
		out.conditions = append(left.conditions, right.conditions...)
	case n.Op == plan.JoinTypeLeftOuter:
		out.conditions = left.conditions
		within(right.conditions)
	case n.Op == plan.JoinTypeRightOuter:
		out.conditions = right.conditions
		within(left.conditions)
	default:
		left.node, right.node = left.whole(), right.whole()
	}
	if m.changes == changes {
		out.node = n
		return out, nil
	}
	next := *n
	next.Filter = on
	out.node, err = next.WithChildren(left.node, right.node)
	return out, err
}

// width returns the number of joined tables.
func width(n sql.Node) int {
	if j, ok := n.(*plan.JoinNode); ok {
		return width(j.Left()) + width(j.Right())
	}
	return 1
}

// side merges the derived tables on one side of a join; filled says that an outer join may fill it with NULLs.
func (m *merger) side(n sql.Node, outer columnValues, filled bool) (read, error) {
	switch n := n.(type) {
	case *plan.SubqueryAlias:
		return m.derived(n, outer, filled, placement{ordered: true})
	case *plan.JoinNode:
		return m.join(n, outer, filled)
	case *plan.Filter:
		return m.filteredSide(n, outer, filled)
	}
	return m.children(n, outer, false)
}

// filteredSide is side for one that OuterConditionRule filtered when it planned the statement around this one.
func (m *merger) filteredSide(n *plan.Filter, outer columnValues, filled bool) (read, error) {
	changes := m.changes
	r, err := m.side(n.Child, outer, filled)
	if err != nil {
		return read{node: n}, err
	}
	condition, _, err := m.expression(n.Expression, merged(outer, r.values))
	if err != nil {
		return read{node: n}, err
	}
	if m.changes == changes {
		return read{node: n}, nil
	}
	r.node = plan.NewFilter(condition, r.node)
	return r, nil
}

// expressions puts the values of columns into the expressions of a node.
func (m *merger) expressions(n sql.Node, values columnValues) (sql.Node, error) {
	x, ok := n.(sql.Expressioner)
	if !ok {
		return n, nil
	}
	given, changes := x.Expressions(), m.changes
	list := make([]sql.Expression, len(given))
	for i, e := range given {
		var err error
		if list[i], _, err = m.expression(e, values); err != nil {
			return n, err
		}
	}
	if m.changes == changes {
		return n, nil
	}
	return x.WithExpressions(list...)
}

// expression puts the values of columns into an expression, and merges the derived tables of its subqueries.
func (m *merger) expression(e sql.Expression, values columnValues) (sql.Expression, transform.TreeIdentity, error) {
	return tree.TransformExpression(e, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		switch e := e.(type) {
		case *expression.GetField:
			ids := []sql.ColumnId{e.Id()}
			if e.Id() == 0 {
				ids = m.named[fieldName(e.Table(), e.Name())]
			}
			for _, id := range ids {
				if value, ok := values[id]; ok {
					m.changes++
					return value, transform.NewTree, nil
				}
			}
		case *plan.Subquery:
			changes := m.changes
			query, _, err := m.block(e.Query, values, false)
			if err != nil || m.changes == changes {
				return e, transform.SameTree, err
			}
			e = e.WithQuery(query)
			if !e.Correlated().Empty() {
				e = e.WithCorrelated(correlatedBy(e.Correlated(), values))
			}
			return e, transform.NewTree, nil
		}
		return e, transform.SameTree, nil
	})
}

// correlatedBy returns the outer columns that a query reads once the columns' values replace them.
func correlatedBy(columns sql.ColSet, values columnValues) sql.ColSet {
	var out sql.ColSet
	columns.ForEach(func(id sql.ColumnId) {
		value, known := values[id]
		if !known {
			out.Add(id) // a field in HAVING may have number 0, which Next skips
			return
		}
		sql.Inspect(value, func(e sql.Expression) bool {
			if f, ok := e.(*expression.GetField); ok && f.Id() != 0 {
				out.Add(f.Id())
			}
			return true
		})
	})
	return out
}

// merged returns the values of both sides; the second's take precedence.
func merged(a, b columnValues) columnValues {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	}
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}
