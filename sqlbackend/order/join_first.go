package order

import (
	"math"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/join"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
)

// A LIMIT without ORDER BY takes the first rows of a join in any order. Hashing a side of the join reads all of that
// side before there is a row. Looking it up reads only the rows for as many rows of the other side as are needed.

// firstJoined plans a join of which only the first rows are needed: one side is looked up for the other's rows. It
// is false where what a hash join reads before the first row costs no more.
func (o Orderer) firstJoined(of *plan.JoinNode, above RowLimit) (sql.Node, bool, error) {
	if above.Rows > maxFirst || above.skip > maxFirst || above.Rows == 0 || above.guess || join.Planned(of) {
		return nil, false, nil
	}
	s, ok := o.Ctx.Session.(*session.Session)
	if !ok || !s.Parsed.OnlySelects() || hasSubqueries(of) {
		return nil, false, nil
	}
	d := &driving{Orderer: o, joiner: join.Joiner{Ctx: o.Ctx, Session: s, Comparer: compare.Comparer{Ctx: o.Ctx}}}
	instead, err := d.hashing(of)
	if err != nil || instead <= costFirst {
		return nil, false, err
	}
	walk, cost, err := d.inOrder(of, nil, math.Max(1, above.wanted().Total()))
	if err != nil || walk == nil || cost >= instead {
		return nil, false, err
	}
	if setting.Of(o.Ctx, setting.FullScans) == "allow" {
		d.bound(instead, instead/max(cost, math.SmallestNonzeroFloat64))
		walk = NewBoundedOrder(walk, of, 0, Costs{Walk: cost, Bound: instead}, above)
	}
	return walk, true, nil
}

// hashing is the cost of reading the hashed sides of joins, each as a whole before the first row.
func (d *driving) hashing(of *plan.JoinNode) (float64, error) {
	n, _, err := transform.NodeWithOpaque(of, d.joiner.Node)
	if err != nil {
		return 0, err
	}
	cost := 0.0
	transform.Inspect(n, func(n sql.Node) bool {
		j, ok := n.(*plan.JoinNode)
		if !ok || !j.Op.IsHash() {
			return true
		}
		side := d.joiner.SizeOf(j.Right())
		cost += side.Cost + side.Rows*join.CostHashed
		return true
	})
	return cost, nil
}

// anyDrives plans a join driven by the side with which less is read.
func (d *driving) anyDrives(n *plan.JoinNode, m *join.Matching, needed float64) (walk sql.Node, cost float64,
	err error) {
	var least driving
	for drives := range 2 {
		way := *d
		next, each, err := way.drivenBy(n, m, drives, nil, needed)
		if err != nil {
			return nil, 0, err
		}
		if next != nil && (walk == nil || each < cost) {
			walk, cost, least = next, each, way
		}
	}
	if walk != nil {
		*d = least
	}
	return walk, cost, nil
}

// anyRows plans a table that drives a join, read as planned before.
func (d *driving) anyRows(n sql.Node, needed float64) (sql.Node, float64, error) {
	input, ok := d.input(nil, n)
	if !ok || input.path != nil && len(input.path.Members) > 0 || needed > float64(costing.MaxKeySet) {
		return nil, 0, nil
	}
	s := d.joiner.SizeOf(n)
	n, err := standIn(n)
	if err != nil {
		return nil, 0, err
	}
	d.limit = &LimitedDrive{UnaryNode: plan.UnaryNode{Child: n}, Most: costing.All}
	d.rows = needed
	return d.limit, s.Cost * math.Min(1, needed/max(1, s.Rows)), nil
}

// standIn copies a node's tables, so that the copy can run beside the original, which is run if the copy is given
// up.
func standIn(n sql.Node) (sql.Node, error) {
	out, _, err := transform.Node(n, func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		switch n := n.(type) {
		case *plan.ResolvedTable:
			next, err := n.ReplaceTable(n.Table)
			return next, transform.NewTree, err
		case *plan.IndexedTableAccess:
			next := *n
			return &next, transform.NewTree, nil
		}
		return n, transform.SameTree, nil
	})
	return out, err
}
