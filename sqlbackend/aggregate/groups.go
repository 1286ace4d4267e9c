package aggregate

import (
	"fmt"
	"io"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/kv/ahead"
	"github.com/sqlfdb/sqlfdb/sqlbackend/join"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/order"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// SELECT status, MAX(total) … GROUP BY status needs one document for each status. The different statuses are read
// value by value from the entries of status. MAX(total) WHERE status = 'paid' is the first document from the end of
// total that is paid, or one key of an index on both. With few groups, a statement for each group reads far less
// than all documents.

const (
	maxGroups     = 64   // above this number the groups are not read one by one
	worthGrouping = 1000 // below this cost the groups are not counted
	costOfGroup   = 50   // cost of planning and starting the statement of one group
	// costOfDistantGroup replaces costOfGroup where each read waits for a server's answer.
	costOfDistantGroup = 1000
	groupsEstimated    = 2 // how many times less the groups must cost; the first stands for all
)

// SeparateGroups is an aggregation by one column that computes each group's aggregates with a statement of its own.
type SeparateGroups struct {
	groups sql.Node // one row for each group, with the columns that the group determines
	first  sql.Node // the first group's aggregates, in an order.StandIn
	whole  sql.Node // runs instead if the groups cost more than it, in an order.StandIn; nil: nothing does
	value  any      // of the first group

	cost     float64 // of whole, even if that is nil
	expected float64 // of the groups

	of     groupedSource
	places [2][]int // where the columns of groups, and of a group's aggregates, belong in the row
	count  int      // of the groups, counted when planning

	schema   sql.Schema
	selected []sql.Expression
}

// groupedSource makes the statement of one group.
type groupedSource struct {
	source     *aggregateSource
	by         *expression.GetField
	at         int // index of by in the rows of the groups
	aggregates []sql.Expression
	run        sql.NodeExecBuilder
	// filtered: conditions on other columns may leave a group without rows.
	filtered bool
}

var (
	_ operator.Node          = (*SeparateGroups)(nil)
	_ sql.Projector          = (*SeparateGroups)(nil)
	_ sql.CollationCoercible = (*SeparateGroups)(nil)
	_ table.Explained        = (*SeparateGroups)(nil)
)

// groups plans an aggregation by one column with a statement for each group; nil where that does not cost less than
// the whole. If the whole is a refused full scan, the costs don't matter: estimates must not decide whether a
// statement is allowed.
func (r aggregating) groups(n *plan.GroupBy, whole plannedGroup) (sql.Node, error) {
	if !r.outermost || r.run == nil || len(n.GroupByExprs) != 1 || !r.session.Parsed.OnlySelects() {
		return nil, nil
	}
	src, ok := aggregateSourceOf(n.Child)
	if !ok || join.AnySubquery(src.conjuncts) {
		return nil, nil
	}
	instead := sql.Node(n)
	if cost := whole.cost; whole.node != nil {
		instead = whole.node
	} else if read, err := src.reading(r.ctx); err != nil || read < worthGrouping {
		return nil, err
	} else {
		whole.cost = max(cost, read)
	}
	out := &SeparateGroups{cost: whole.cost, schema: n.Schema(), selected: n.SelectedExprs}
	if whole.path != nil || !src.scans() || setting.Of(r.ctx, setting.FullScans) == "allow" {
		out.whole = &order.StandIn{UnaryNode: plan.UnaryNode{Child: instead}}
	}
	tells, ok, err := r.divideGroups(n, src, out)
	if err != nil || !ok || whole.cost < worthGrouping {
		return nil, err
	}
	by := []sql.Expression{out.of.by}
	rows, err := out.of.source.listed(out.of.by).rows()
	if err != nil {
		return nil, err
	}
	read, err := r.session.Readers.Plan()
	if err != nil {
		return nil, err
	}
	listed, err := r.grouped(plan.NewGroupBy(by, by, rows), nil, nil)
	if err != nil || listed.node == nil || listed.path == nil || listed.path.method != readValues {
		return nil, err
	}
	values, err := r.values(listed.path, out.of.by)
	if err != nil || len(values) == 0 || len(values) > maxGroups {
		return nil, err
	}
	child := n.Child
	if out.of.filtered {
		if child, err = src.listed(out.of.by).rows(); err != nil {
			return nil, err
		}
	}
	groups, err := r.grouped(plan.NewGroupBy(tells, by, child), nil, nil)
	if err != nil || groups.node == nil {
		return nil, err
	}
	each := float64(costOfGroup)
	if ahead.Of(read).Starts() {
		each = costOfDistantGroup
	}
	first, cost, err := out.of.group(r, values[0])
	out.expected = groups.cost + float64(len(values))*(cost+each)
	if err != nil || out.whole != nil && groupsEstimated*out.expected > whole.cost {
		return nil, err
	}
	out.groups, out.first, out.value, out.count = groups.node, &order.StandIn{UnaryNode: plan.UnaryNode{Child: first}},
		values[0],
		len(values)
	return out, nil
}

// isExtremum reports whether an expression is a MIN or a MAX, for which not all rows of a group need be read.
func isExtremum(e sql.Expression) bool {
	switch e.(type) {
	case *aggregation.Min, *aggregation.Max:
		return true
	}
	return false
}

// divideGroups splits the selected expressions. tells are computed from the column of the groups, and the extrema
// are computed group by group. It is false without extrema, or if an expression is neither.
func (r aggregating) divideGroups(n *plan.GroupBy, src *aggregateSource, out *SeparateGroups) (tells []sql.Expression,
	ok bool, err error) {
	by, ok := n.GroupByExprs[0].(*expression.GetField)
	if !ok {
		return nil, false, nil
	}
	read, err := r.session.Readers.Plan()
	if err != nil {
		return nil, false, err
	}
	resolver := &table.LookupResolver{Table: src.table, Read: read}
	column, _, ok := resolver.Column(by)
	if resolver.Err != nil || !ok || !order.EqualAsGrouped(column) {
		return nil, false, resolver.Err
	}
	// The expressions planned here run before the engine gives expressions their places in rows.
	placed := *src
	placed.conjuncts = make([]sql.Expression, len(src.conjuncts))
	for i, e := range src.conjuncts {
		if placed.conjuncts[i], err = order.OverRows(src.table, e); err != nil {
			return nil, false, err
		}
	}
	over, err := order.OverRows(src.table, by)
	if err != nil {
		return nil, false, err
	}
	by = over.(*expression.GetField)
	out.of = groupedSource{source: &placed, by: by, at: -1, run: r.run,
		filtered: len(src.listed(by).conjuncts) < len(src.conjuncts)}
	base := columnUse{table: src.table, column: noColumn}
	base.expression(by)
	for i, e := range n.SelectedExprs {
		u := base
		u.columns = slices.Clone(base.columns)
		if _, is := e.(sql.Aggregation); is {
			u.aggregate(e)
		} else {
			u.expression(e)
		}
		f, plain := e.(*expression.GetField)
		_, aggregate := e.(sql.Aggregation)
		switch {
		case u.unfit:
			return nil, false, nil
		case u.column != severalColumn && u.path == nil && (aggregate && !out.of.filtered || plain):
			if plain && f.Id() == by.Id() && out.of.at < 0 {
				out.of.at = len(tells)
			}
			tells, out.places[0] = append(tells, e), append(out.places[0], i)
		case isExtremum(e):
			over, err := order.OverRows(src.table, e)
			if err != nil {
				return nil, false, err
			}
			out.of.aggregates, out.places[1] = append(out.of.aggregates, over), append(out.places[1], i)
		default:
			return nil, false, nil
		}
	}
	if out.of.at < 0 {
		out.of.at, tells = len(tells), append(tells, by)
	}
	return tells, len(out.of.aggregates) > 0, nil
}

// scans reports whether the documents are read by a full scan.
func (s *aggregateSource) scans() bool {
	return s.path == nil || s.path.Candidate == nil || s.path.ReadsAll()
}

// rows is the source without a path.
func (s *aggregateSource) rows() (out sql.Node, err error) {
	out = s.resolved
	if s.alias != nil {
		if out, err = s.alias.WithChildren(out); err != nil {
			return nil, err
		}
	}
	if len(s.conjuncts) > 0 {
		out = plan.NewFilter(expression.JoinAnd(s.conjuncts...), out)
	}
	return out, nil
}

// values returns the values of a column along a path, at most maxGroups+1.
func (r aggregating) values(path *Path, by *expression.GetField) (out []any, err error) {
	w := &r.session.Work
	executed, planned := w.Executed, w.Plan
	defer func() { w.Executed, w.Plan = executed, planned }() // the statement itself runs later
	rows, err := aggregate(path.Table, r.ctx, path)
	if err != nil {
		return nil, err
	}
	defer func() { err = mysqlerr.Joined(err, rows.Close(r.ctx)) }()
next:
	for len(out) <= maxGroups {
		row, err := rows.Next(r.ctx)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		for _, i := range path.Residual {
			holds, err := sql.EvaluateCondition(r.ctx, path.Conjuncts[i], row)
			if err != nil {
				return nil, err
			}
			if !sql.IsTrue(holds) {
				continue next
			}
		}
		v, err := by.Eval(r.ctx, row)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// group returns the plan of one group's aggregates and its cost.
func (s *groupedSource) group(r aggregating, value any) (sql.Node, float64, error) {
	of, child, err := s.rowsOf(r, value)
	if err != nil {
		return nil, 0, err
	}
	n := plan.NewGroupBy(s.aggregates, nil, child)
	group, err := r.grouped(n, nil, nil)
	if err == nil && group.node == nil {
		group.cost, err = of.reading(r.ctx)
	}
	if err != nil {
		return nil, 0, err
	}
	separate, err := r.separate(n, group)
	switch {
	case err != nil:
		return nil, 0, err
	case separate != nil:
		return separate, separate.cost, nil
	case group.node == nil:
		return n, group.cost, nil
	}
	return group.node, group.cost, nil
}

// Schema implements sql.Node.
func (n *SeparateGroups) Schema() sql.Schema { return n.schema }

// ProjectedExprs implements sql.Projector.
func (n *SeparateGroups) ProjectedExprs() []sql.Expression { return n.selected }

// Resolved implements sql.Node.
func (n *SeparateGroups) Resolved() bool { return true }

// IsReadOnly implements sql.Node.
func (n *SeparateGroups) IsReadOnly() bool { return true }

// Children implements sql.Node.
func (n *SeparateGroups) Children() []sql.Node {
	if n.whole == nil {
		return []sql.Node{n.groups, n.first}
	}
	return []sql.Node{n.groups, n.first, n.whole}
}

// WithChildren implements sql.Node.
func (n *SeparateGroups) WithChildren(children ...sql.Node) (sql.Node, error) {
	if want := len(n.Children()); len(children) != want {
		return nil, sql.ErrInvalidChildrenNumber.New(n, len(children), want)
	}
	next := *n
	next.groups, next.first = children[0], children[1]
	if n.whole != nil {
		next.whole = children[2]
	}
	return &next, nil
}

// CollationCoercibility implements sql.CollationCoercible.
func (n *SeparateGroups) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, n.groups)
}

// Explain implements explained.
func (n *SeparateGroups) Explain() table.Explanation {
	out := table.Explanation{Operation: fmt.Sprintf(
		"Groups, one by one: the first lists them, %s, the second is that of one of them", session.Grouped(int64(n.count)))}
	if n.whole != nil {
		out.Detail = fmt.Sprintf("the last is run instead once they have cost %.1f", n.cost)
	}
	return out
}

// String implements fmt.Stringer.
func (n *SeparateGroups) String() string {
	return n.show(sql.Node.String)
}

// DebugString implements sql.DebugStringer.
func (n *SeparateGroups) DebugString() string {
	return n.show(func(n sql.Node) string { return sql.DebugString(n) })
}

func (n *SeparateGroups) show(text func(sql.Node) string) string {
	var children []string
	for _, child := range n.Children() {
		children = append(children, text(child))
	}
	pr := sql.NewTreePrinter()
	_ = pr.WriteNode("Groups(%s)", n.of.by)
	_ = pr.WriteChildren(children...)
	return pr.String()
}

// Build implements operator.Node.
func (n *SeparateGroups) Build(*sql.Context, sql.NodeExecBuilder, sql.Row) (sql.RowIter, error) {
	return &separateGroupsIter{Of: n}, nil
}

// separateGroupsIter computes the rows of all groups before it gives the first. They are few, and the work may be
// given up for the whole.
type separateGroupsIter struct {
	Of    *SeparateGroups
	begun bool
	rows  sql.RowIter
}

// Next implements sql.RowIter.
func (i *separateGroupsIter) Next(ctx *sql.Context) (sql.Row, error) {
	if !i.begun {
		i.begun = true
		rows, err := i.compute(ctx)
		if err != nil {
			return nil, err
		}
		if i.rows = sql.RowsToRowIter(rows...); rows == nil {
			if i.rows, err = i.build(ctx, i.Of.whole); err != nil {
				i.rows = nil
				return nil, err
			}
		}
	}
	if i.rows == nil {
		return nil, io.EOF
	}
	return i.rows.Next(ctx)
}

// compute returns the rows of all groups, an empty slice without groups. It is nil where they cost more than the
// whole and the whole may run.
func (i *separateGroupsIter) compute(ctx *sql.Context) ([]sql.Row, error) {
	s, err := session.Of(ctx)
	if err != nil {
		return nil, err
	}
	groups, err := i.build(ctx, i.Of.groups)
	if err != nil {
		return nil, err
	}
	told, err := sql.RowIterToRows(ctx, groups)
	if err != nil {
		return nil, err
	}
	r := aggregating{ctx: ctx, session: s, run: i.Of.of.run, outermost: true}
	out, cost := make([]sql.Row, 0, len(told)), 0.0
	for at, group := range told {
		node, of, err := i.group(r, at, group[i.Of.of.at])
		if err != nil {
			return nil, err
		}
		if cost += of; i.givenUp(cost) {
			return nil, nil
		}
		row, err := i.row(ctx, node)
		if err != nil {
			return nil, err
		}
		if i.Of.of.filtered && allNull(row) {
			exists, of, err := i.exists(r, group[i.Of.of.at])
			if err != nil {
				return nil, err
			}
			if cost += of; i.givenUp(cost) {
				return nil, nil
			}
			if !exists {
				continue
			}
		}
		both := make(sql.Row, len(i.Of.schema))
		for from, place := range i.Of.places[0] {
			both[place] = group[from]
		}
		for from, place := range i.Of.places[1] {
			both[place] = row[from]
		}
		out = append(out, both)
	}
	return out, nil
}

// givenUp reports whether groups of this cost are given up for the whole.
func (i *separateGroupsIter) givenUp(cost float64) bool {
	return i.Of.whole != nil && cost >= i.Of.cost
}

// group returns the plan of a group's aggregates; the first group's was made when planning.
func (i *separateGroupsIter) group(r aggregating, at int, value any) (sql.Node, float64, error) {
	if at == 0 && (value == nil) == (i.Of.value == nil) {
		same := value == nil
		if !same {
			order, err := i.Of.of.by.Type().Compare(r.ctx, value, i.Of.value)
			same = err == nil && order == 0
		}
		if same {
			return i.Of.first, 0, nil
		}
	}
	return i.Of.of.group(r, value)
}

func (i *separateGroupsIter) build(ctx *sql.Context, n sql.Node) (sql.RowIter, error) {
	if s, ok := n.(*order.StandIn); ok {
		n = s.Child
	}
	return i.Of.of.run.Build(ctx, n, nil)
}

// row is the one row of a group's aggregates.
func (i *separateGroupsIter) row(ctx *sql.Context, n sql.Node) (sql.Row, error) {
	rows, err := i.build(ctx, n)
	if err != nil {
		return nil, err
	}
	row, err := rows.Next(ctx)
	return row, mysqlerr.Joined(err, rows.Close(ctx))
}

// Close implements sql.RowIter.
func (i *separateGroupsIter) Close(ctx *sql.Context) error {
	if i.rows == nil {
		return nil
	}
	return i.rows.Close(ctx)
}

// Size estimates the number of groups and the cost of reading them.
func (g *SeparateGroups) Size(func(sql.Node) table.Size) table.Size {
	return table.Size{Rows: float64(g.count), Cost: g.expected}
}
