package order

import (
	"math"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/join"
	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/rewrite"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/tables"
)

// joined plans a sort above a join with a LIMIT. One table is read in the order of the sort's first fields, which
// must be its columns. The other tables are looked up for its rows in batches, which keeps the order. It is false
// where joining all rows and sorting them costs less.
func (o Orderer) joined(sorting sql.Node, fields sql.SortFields, child sql.Node, above RowLimit) (sql.Node,
	bool, error) {
	if above.Rows == costing.All || above.guess {
		return nil, false, nil
	}
	s, ok := o.Ctx.Session.(*session.Session)
	if !ok || !s.Parsed.OnlySelects() {
		return nil, false, nil
	}
	var input SortInput
	below, ok := input.descend(fields, child)
	of, isJoin := below.(*plan.JoinNode)
	if !ok || !isJoin || hasSubqueries(child) {
		return nil, false, nil
	}
	d := &driving{Orderer: o, joiner: join.Joiner{Ctx: o.Ctx, Session: s, Comparer: compare.Comparer{Ctx: o.Ctx}}}
	needed := math.Max(1, above.wanted().Total())
	for _, n := range input.between {
		switch n := n.(type) {
		case *plan.SubqueryAlias:
			return nil, false, nil
		case *plan.Filter:
			needed /= math.Pow(join.FilteredPart, float64(len(expression.SplitConjunction(n.Expression))))
		}
	}
	walk, cost, err := d.inOrder(of, input.Fields, needed)
	if err != nil || walk == nil {
		return nil, false, err
	}
	instead, err := d.sorting(of)
	if err != nil || cost >= instead {
		return nil, false, err
	}
	if setting.Of(o.Ctx, setting.FullScans) == "allow" {
		d.bound(instead, instead/max(cost, math.SmallestNonzeroFloat64))
	}
	if walk, err = input.above(walk); err != nil {
		return nil, false, err
	}
	if d.fields < len(fields) {
		walk = newGroupSort(fields, d.fields, walk)
	}
	if d.limit.Most < costing.All {
		walk = NewBoundedOrder(walk, sorting, 0, Costs{Walk: cost, Bound: instead}, above)
	}
	return walk, true, nil
}

// driving is a join that is read in the order of one of its tables.
type driving struct {
	Orderer
	joiner join.Joiner
	fields int               // how many of the sort's first fields are the table's
	limit  *LimitedDrive     // above the table
	path   *table.AccessPath // of the table; nil for a feed
	rows   float64           // expected number of rows read from it
}

// sorting is the cost of joining all rows and sorting them.
func (d *driving) sorting(of *plan.JoinNode) (float64, error) {
	planned, _, err := transform.NodeWithOpaque(of, d.joiner.Node)
	if err != nil {
		return 0, err
	}
	s := d.joiner.SizeOf(planned)
	if !math.IsInf(s.Rows, 1) {
		s.Cost += join.CostMeeting * s.Rows
	}
	return s.Cost, nil
}

// bound limits how far the table is read, so that walk and sort together cost at most twice the sort. times is the
// limit in multiples of the expected rows.
func (d *driving) bound(cost, times float64) {
	d.limit.Most = int64(math.Min(float64(costing.All/2), math.Ceil(max(1, d.rows)*times)))
	if d.path != nil {
		d.path.Order.Bound = costing.NewBound(cost)
	}
}

// inOrder returns a node whose rows come in the order of the first of the fields, and the cost of reading needed
// rows; nil where there is none.
func (d *driving) inOrder(n sql.Node, fields sql.SortFields, needed float64) (sql.Node, float64, error) {
	switch n := n.(type) {
	case *plan.JoinNode:
		return d.join(n, fields, needed)
	case *plan.Filter:
		if _, is := n.Child.(*plan.JoinNode); !is {
			break
		}
		child, cost, err := d.inOrder(n.Child, fields, needed/join.FilteredPart)
		if err != nil || child == nil {
			return nil, 0, err
		}
		return plan.NewFilter(n.Expression, child), cost, nil
	}
	return d.table(n, fields, needed)
}

// table plans the table that drives the join.
func (d *driving) table(n sql.Node, fields sql.SortFields, needed float64) (sql.Node, float64, error) {
	if len(fields) == 0 {
		return d.anyRows(n, needed)
	}
	own := tree.TablesOf(n)
	d.fields = 0
	for d.fields < len(fields) && rewrite.Reads(fields[d.fields].Column, own) {
		d.fields++
	}
	if d.fields == 0 || d.fields < len(fields) && needed > join.MaxBatch {
		return nil, 0, nil
	}
	about := RowLimit{Rows: int64(math.Ceil(needed)), guess: true}
	if d.rows = needed; needed > float64(costing.MaxKeySet) {
		return nil, 0, nil
	}
	ordered, ok, err := d.feed(fields[:d.fields], n, about)
	if err != nil {
		return nil, 0, err
	}
	cost := needed * join.CostFound
	if !ok {
		if ordered, cost, err = d.collection(fields[:d.fields], n, about); err != nil || ordered == nil {
			return nil, 0, err
		}
	}
	d.limit = &LimitedDrive{UnaryNode: plan.UnaryNode{Child: ordered}, Most: costing.All}
	return d.limit, cost, nil
}

func (d *driving) collection(fields sql.SortFields, n sql.Node, about RowLimit) (sql.Node, float64, error) {
	input, ok := d.input(fields, n)
	if !ok {
		return nil, 0, nil
	}
	p, err := NewPlan(d.Ctx, &input, about)
	if err != nil || p == nil {
		return nil, 0, err
	}
	path, err := p.Choose()
	if err != nil || path == nil {
		return nil, 0, err
	}
	d.path, path.Order.Bound = path, costing.Bound{}
	next, err := input.Rebuilt(d.Ctx, path)
	if err != nil {
		return nil, 0, err
	}
	if path.Order.Prefix > 0 {
		next = newGroupSort(fields, path.Order.Prefix, next)
	}
	return next, path.Order.Choice.Cost, nil
}

// join plans a join of a side in order and a side that is looked up.
func (d *driving) join(n *plan.JoinNode, fields sql.SortFields, needed float64) (sql.Node, float64, error) {
	switch n.Op {
	case plan.JoinTypeInner, plan.JoinTypeHash, plan.JoinTypeLeftOuter, plan.JoinTypeLeftOuterHash:
	default:
		return nil, 0, nil
	}
	if n.Filter == nil || join.Planned(n) {
		return nil, 0, nil
	}
	condition, _ := rewrite.PlainCondition(n.Filter)
	n = plan.NewJoin(n.Left(), n.Right(), n.Op,
		condition).WithScopeLen(n.ScopeLen).WithComment(n.Comment()).(*plan.JoinNode)
	m := join.MatchingOf(n)
	sides := [2]sql.Node{m.Left, m.Right}
	if join.MentionsTables(m.Right, tree.TablesOf(m.Left)) {
		return nil, 0, nil
	}
	if len(fields) == 0 {
		return d.anyDrives(n, m, needed)
	}
	drives := slices.IndexFunc(sides[:], func(side sql.Node) bool {
		return rewrite.Reads(fields[0].Column,
			tree.TablesOf(side))
	})
	if drives < 0 {
		return nil, 0, nil
	}
	return d.drivenBy(n, m, drives, fields, needed)
}

// drivenBy plans a join of which one side comes in order and the other is looked up. drives is 0 if the left side
// comes in order, else 1.
func (d *driving) drivenBy(n *plan.JoinNode, m *join.Matching, drives int, fields sql.SortFields,
	needed float64) (sql.Node, float64, error) {
	if drives == 1 && n.Op.IsLeftOuter() {
		return nil, 0, nil
	}
	sides := [2]sql.Node{m.Left, m.Right}
	w, of, err := d.lookup(m, sides[1-drives], sides[drives])
	if err != nil || w == nil {
		return nil, 0, err
	}
	perRow := w.PerKey * math.Pow(join.FilteredPart, float64(len(of.Conjuncts)+len(m.Conjuncts)-1))
	if n.Op.IsLeftOuter() {
		perRow = max(1, perRow)
	}
	rows := max(1, needed/max(perRow, 1e-6))
	ordered, cost, err := d.inOrder(sides[drives], fields, rows)
	if err != nil || ordered == nil {
		return nil, 0, err
	}
	own := d.joiner.SizeOf(sides[1-drives])
	w.Outer, w.First, w.Hashed = int64(rows), int(min(join.MaxBatch, math.Ceil(rows))), true
	w.Cost = rows*(join.CostLookup*float64(len(w.Legs))+join.CostMeeting) + w.CostFound(rows)
	w.Instead = own.Cost + own.Rows*join.CostHashed
	side, err := of.Node(w)
	if err != nil {
		return nil, 0, err
	}
	sides[drives], sides[1-drives] = ordered, side
	op := plan.JoinTypeLookup
	if n.Op.IsLeftOuter() {
		op = plan.JoinTypeLeftOuterLookup
	}
	next := plan.NewJoin(sides[0], sides[1], op, n.Filter).WithScopeLen(n.ScopeLen)
	return next.WithComment(n.Comment()), cost + w.Cost, nil
}

// lookup returns the way of looking a side up that finds the fewest rows; nil if there is none.
func (d *driving) lookup(m *join.Matching, side, by sql.Node) (*join.Way, join.Lookable, error) {
	s, ok := join.SideOf(side)
	if !ok {
		return nil, s, nil
	}
	k, err := d.joiner.Seeker(s, tree.TablesOf(side), tree.TablesOf(by))
	if err != nil {
		return nil, s, err
	}
	ways, err := k.Ways(m.Conjuncts)
	if err != nil || len(ways) == 0 {
		return nil, s, err
	}
	least := slices.MinFunc(ways, func(a, b join.Legs) int { return int(math.Copysign(1, a.Found()-b.Found())) })
	return &join.Way{Legs: least, PerKey: least.Found(), Each: s.CostOfFound(least), Documents: k.Documents}, s, nil
}

// hasSubqueries reports whether expressions of a plan have subqueries in them.
func hasSubqueries(n sql.Node) bool {
	found := false
	transform.InspectExpressions(n, func(e sql.Expression) bool {
		found = found || tree.ReadsSubquery(e)
		return !found
	})
	return found
}

// LimitedDrive gives the rows that drive a join, until it has read more than Most: see BoundedOrder.
type LimitedDrive struct {
	plan.UnaryNode
	Most int64
}

var (
	_ operator.Node          = (*LimitedDrive)(nil)
	_ sql.CollationCoercible = (*LimitedDrive)(nil)
)

// Schema implements sql.Node.
func (n *LimitedDrive) Schema() sql.Schema { return n.Child.Schema() }

// IsReadOnly implements sql.Node.
func (n *LimitedDrive) IsReadOnly() bool { return true }

// WithChildren implements sql.Node.
func (n *LimitedDrive) WithChildren(children ...sql.Node) (sql.Node, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(n, len(children), 1)
	}
	return &LimitedDrive{UnaryNode: plan.UnaryNode{Child: children[0]}, Most: n.Most}, nil
}

// CollationCoercibility implements sql.CollationCoercible.
func (n *LimitedDrive) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, n.Child)
}

// String implements fmt.Stringer.
func (n *LimitedDrive) String() string { return n.Child.String() }

// DebugString implements sql.DebugStringer.
func (n *LimitedDrive) DebugString() string { return sql.DebugString(n.Child) }

// Build implements operator.Node.
func (n *LimitedDrive) Build(ctx *sql.Context, engine sql.NodeExecBuilder, row sql.Row) (sql.RowIter, error) {
	rows, err := engine.Build(ctx, n.Child, row)
	if err != nil {
		return nil, err
	}
	return &limitedDriveIter{RowIter: rows, Left: n.Most}, nil
}

// limitedDriveIter gives the rows of a LimitedDrive.
type limitedDriveIter struct {
	sql.RowIter
	Left int64
}

// Next implements sql.RowIter.
func (i *limitedDriveIter) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := i.RowIter.Next(ctx)
	if err == nil {
		if i.Left == 0 {
			return nil, tables.ErrGivenUp
		}
		i.Left--
	}
	return row, err
}
