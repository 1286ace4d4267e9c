package sqlbackend

import (
	"math"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/rewrite"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/tables"
)

// joined is what a sort above a join becomes of which a LIMIT takes some rows: one table is read in the order that its
// fields, the first of the sort's, tell, and the others are looked up for its rows in batches, which keeps
// that order. It is false where joining all and sorting costs less.
func (o orderer) joined(sorting sql.Node, fields sql.SortFields, child sql.Node, above taken) (sql.Node, bool, error) {
	if above.rows == costing.All || above.guess {
		return nil, false, nil
	}
	s, ok := o.ctx.Session.(*Session)
	if !ok || !s.OnlySelects() {
		return nil, false, nil
	}
	var site orderSite
	below, ok := site.descend(fields, child)
	join, isJoin := below.(*plan.JoinNode)
	if !ok || !isJoin || hasSubqueries(child) {
		return nil, false, nil
	}
	d := &driving{orderer: o, joiner: joiner{ctx: o.ctx, session: s, comparer: compare.Comparer{Ctx: o.ctx}}}
	needed := math.Max(1, above.wanted().Total())
	for _, n := range site.between {
		switch n := n.(type) {
		case *plan.SubqueryAlias:
			return nil, false, nil
		case *plan.Filter:
			needed /= math.Pow(filteredPart, float64(len(expression.SplitConjunction(n.Expression))))
		}
	}
	walk, cost, err := d.inOrder(join, site.fields, needed)
	if err != nil || walk == nil {
		return nil, false, err
	}
	instead, err := d.sorting(join)
	if err != nil || cost >= instead {
		return nil, false, err
	}
	if setting.Of(o.ctx, setting.FullScans) == "allow" {
		d.bound(instead, instead/max(cost, math.SmallestNonzeroFloat64))
	}
	if walk, err = site.above(walk); err != nil {
		return nil, false, err
	}
	if d.fields < len(fields) {
		walk = newGroupSort(fields, d.fields, walk)
	}
	if d.limit.most < costing.All {
		walk = newBoundedOrder(walk, sorting, 0, costs{walk: cost, bound: instead}, above)
	}
	return walk, true, nil
}

// driving is a join that is read in the order of one of its tables.
type driving struct {
	orderer
	joiner joiner
	fields int           // how many of the sort's first fields are that table's
	limit  *limitedDrive // above the table
	path   *accessPath   // of the table; nil for a feed
	rows   float64       // that are thought to be read of it
}

// sorting is what it costs to join all and sort.
func (d *driving) sorting(join *plan.JoinNode) (float64, error) {
	planned, _, err := transform.NodeWithOpaque(join, d.joiner.node)
	if err != nil {
		return 0, err
	}
	s := d.joiner.sizeOf(planned)
	if !math.IsInf(s.rows, 1) {
		s.cost += costMeeting * s.rows
	}
	return s.cost, nil
}

// bound has the table read no further than that both ways together cost twice the sort: times is how many times as much
// as is expected.
func (d *driving) bound(cost, times float64) {
	d.limit.most = int64(math.Min(float64(costing.All/2), math.Ceil(max(1, d.rows)*times)))
	if d.path != nil {
		d.path.order.bound = costing.NewBound(cost)
	}
}

// inOrder is a node whose rows come in the order of the first of the fields, and what so many of them cost; nil where
// that is not to be had.
func (d *driving) inOrder(n sql.Node, fields sql.SortFields, needed float64) (sql.Node, float64, error) {
	switch n := n.(type) {
	case *plan.JoinNode:
		return d.join(n, fields, needed)
	case *plan.Filter:
		if _, join := n.Child.(*plan.JoinNode); !join {
			break
		}
		child, cost, err := d.inOrder(n.Child, fields, needed/filteredPart)
		if err != nil || child == nil {
			return nil, 0, err
		}
		return plan.NewFilter(n.Expression, child), cost, nil
	}
	return d.table(n, fields, needed)
}

// table is the table that drives the join.
func (d *driving) table(n sql.Node, fields sql.SortFields, needed float64) (sql.Node, float64, error) {
	if len(fields) == 0 {
		return d.anyRows(n, needed)
	}
	own := tree.TablesOf(n)
	d.fields = 0
	for d.fields < len(fields) && rewrite.Reads(fields[d.fields].Column, own) {
		d.fields++
	}
	if d.fields == 0 || d.fields < len(fields) && needed > maxBatch {
		return nil, 0, nil
	}
	about := taken{rows: int64(math.Ceil(needed)), guess: true}
	if d.rows = needed; needed > float64(costing.MaxKeySet) {
		return nil, 0, nil
	}
	ordered, ok, err := d.feed(fields[:d.fields], n, about)
	if err != nil {
		return nil, 0, err
	}
	cost := needed * costFound
	if !ok {
		if ordered, cost, err = d.collection(fields[:d.fields], n, about); err != nil || ordered == nil {
			return nil, 0, err
		}
	}
	d.limit = &limitedDrive{UnaryNode: plan.UnaryNode{Child: ordered}, most: costing.All}
	return d.limit, cost, nil
}

func (d *driving) collection(fields sql.SortFields, n sql.Node, about taken) (sql.Node, float64, error) {
	site, ok := d.site(fields, n)
	if !ok {
		return nil, 0, nil
	}
	p, err := newOrderPlan(d.ctx, &site, about)
	if err != nil || p == nil {
		return nil, 0, err
	}
	path, err := p.choose()
	if err != nil || path == nil {
		return nil, 0, err
	}
	d.path, path.order.bound = path, costing.Bound{}
	next, err := site.rebuilt(d.ctx, path)
	if err != nil {
		return nil, 0, err
	}
	if path.order.prefix > 0 {
		next = newGroupSort(fields, path.order.prefix, next)
	}
	return next, path.order.choice.Cost, nil
}

// join is a join one side of which comes in order, and the other is looked up.
func (d *driving) join(n *plan.JoinNode, fields sql.SortFields, needed float64) (sql.Node, float64, error) {
	switch n.Op {
	case plan.JoinTypeInner, plan.JoinTypeHash, plan.JoinTypeLeftOuter, plan.JoinTypeLeftOuterHash:
	default:
		return nil, 0, nil
	}
	if n.Filter == nil || planned(n) {
		return nil, 0, nil
	}
	condition, _ := rewrite.PlainCondition(n.Filter)
	n = plan.NewJoin(n.Left(), n.Right(), n.Op, condition).WithScopeLen(n.ScopeLen).WithComment(n.Comment()).(*plan.JoinNode)
	m := matchingOf(n)
	sides := [2]sql.Node{m.left, m.right}
	if mentionsTables(m.right, tree.TablesOf(m.left)) {
		return nil, 0, nil
	}
	if len(fields) == 0 {
		return d.anyDrives(n, m, needed)
	}
	drives := slices.IndexFunc(sides[:], func(side sql.Node) bool { return rewrite.Reads(fields[0].Column, tree.TablesOf(side)) })
	if drives < 0 {
		return nil, 0, nil
	}
	return d.drivenBy(n, m, drives, fields, needed)
}

// drivenBy is a join one side of which comes in order, the left one for 0, and the other is looked up.
func (d *driving) drivenBy(n *plan.JoinNode, m *matching, drives int, fields sql.SortFields, needed float64) (sql.Node, float64, error) {
	if drives == 1 && n.Op.IsLeftOuter() {
		return nil, 0, nil
	}
	sides := [2]sql.Node{m.left, m.right}
	w, of, err := d.lookup(m, sides[1-drives], sides[drives])
	if err != nil || w == nil {
		return nil, 0, err
	}
	perRow := w.perKey * math.Pow(filteredPart, float64(len(of.conjuncts)+len(m.conjuncts)-1))
	if n.Op.IsLeftOuter() {
		perRow = max(1, perRow)
	}
	rows := max(1, needed/max(perRow, 1e-6))
	ordered, cost, err := d.inOrder(sides[drives], fields, rows)
	if err != nil || ordered == nil {
		return nil, 0, err
	}
	own := d.joiner.sizeOf(sides[1-drives])
	w.outer, w.first, w.hashed = int64(rows), int(min(maxBatch, math.Ceil(rows))), true
	w.cost = rows*(costLookup*float64(len(w.legs))+costMeeting) + w.costFound(rows)
	w.instead = own.cost + own.rows*costHashed
	side, err := of.node(w)
	if err != nil {
		return nil, 0, err
	}
	sides[drives], sides[1-drives] = ordered, side
	op := plan.JoinTypeLookup
	if n.Op.IsLeftOuter() {
		op = plan.JoinTypeLeftOuterLookup
	}
	next := plan.NewJoin(sides[0], sides[1], op, n.Filter).WithScopeLen(n.ScopeLen)
	return next.WithComment(n.Comment()), cost + w.cost, nil
}

// lookup is the way to look a side up that finds least; nil if there is none.
func (d *driving) lookup(m *matching, side, by sql.Node) (*joinWay, lookable, error) {
	s, ok := sideOf(side)
	if !ok {
		return nil, s, nil
	}
	k, err := d.joiner.seeker(s, tree.TablesOf(side), tree.TablesOf(by))
	if err != nil {
		return nil, s, err
	}
	ways, err := k.ways(m.conjuncts)
	if err != nil || len(ways) == 0 {
		return nil, s, err
	}
	least := slices.MinFunc(ways, func(a, b legs) int { return int(math.Copysign(1, a.found()-b.found())) })
	return &joinWay{legs: least, perKey: least.found(), each: s.costOfFound(least), documents: k.documents}, s, nil
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

// limitedDrive are the rows that drive a join, until more have been read than are worth it: see boundedOrder.
type limitedDrive struct {
	plan.UnaryNode
	most int64
}

var (
	_ sql.Node               = (*limitedDrive)(nil)
	_ sql.CollationCoercible = (*limitedDrive)(nil)
)

// Schema implements sql.Node.
func (n *limitedDrive) Schema() sql.Schema { return n.Child.Schema() }

// IsReadOnly implements sql.Node.
func (n *limitedDrive) IsReadOnly() bool { return true }

// WithChildren implements sql.Node.
func (n *limitedDrive) WithChildren(children ...sql.Node) (sql.Node, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(n, len(children), 1)
	}
	return &limitedDrive{UnaryNode: plan.UnaryNode{Child: children[0]}, most: n.most}, nil
}

// CollationCoercibility implements sql.CollationCoercible.
func (n *limitedDrive) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, n.Child)
}

// String implements fmt.Stringer.
func (n *limitedDrive) String() string { return n.Child.String() }

// DebugString implements sql.DebugStringer.
func (n *limitedDrive) DebugString() string { return sql.DebugString(n.Child) }

type limitedDriveIter struct {
	sql.RowIter
	left int64
}

// Next implements sql.RowIter.
func (i *limitedDriveIter) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := i.RowIter.Next(ctx)
	if err == nil {
		if i.left == 0 {
			return nil, tables.ErrGivenUp
		}
		i.left--
	}
	return row, err
}
