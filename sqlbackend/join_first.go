package sqlbackend

import (
	"math"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
)

// A LIMIT without ORDER BY takes the first rows of a join in any order. To hash one of its sides is to read that as a
// whole before there is a row; looked up, it is read for as many rows of the other side as it takes.

// firstJoined is a join of which the first rows are taken, with one side looked up for those of the other, until they
// are had. It is false where what is read before the first row costs no more.
func (o orderer) firstJoined(join *plan.JoinNode, above taken) (sql.Node, bool, error) {
	if above.rows > mostFirst || above.skip > mostFirst || above.rows == 0 || above.guess || planned(join) {
		return nil, false, nil
	}
	s, ok := o.ctx.Session.(*Session)
	if !ok || !s.OnlySelects() || hasSubqueries(join) {
		return nil, false, nil
	}
	d := &driving{orderer: o, joiner: joiner{ctx: o.ctx, session: s, comparer: compare.Comparer{Ctx: o.ctx}}}
	instead, err := d.hashing(join)
	if err != nil || instead <= costFirst {
		return nil, false, err
	}
	walk, cost, err := d.inOrder(join, nil, math.Max(1, above.wanted().Total()))
	if err != nil || walk == nil || cost >= instead {
		return nil, false, err
	}
	if setting.Of(o.ctx, setting.FullScans) == "allow" {
		d.bound(instead, instead/max(cost, math.SmallestNonzeroFloat64))
		walk = newBoundedOrder(walk, join, 0, costs{walk: cost, bound: instead}, above)
	}
	return walk, true, nil
}

// hashing is what it costs to read the sides of joins that are hashed: before there is a row they are read as a whole.
func (d *driving) hashing(join *plan.JoinNode) (float64, error) {
	n, _, err := transform.NodeWithOpaque(join, d.joiner.node)
	if err != nil {
		return 0, err
	}
	cost := 0.0
	transform.Inspect(n, func(n sql.Node) bool {
		j, ok := n.(*plan.JoinNode)
		if !ok || !j.Op.IsHash() {
			return true
		}
		side := d.joiner.sizeOf(j.Right())
		cost += side.cost + side.rows*costHashed
		return true
	})
	return cost, nil
}

// anyDrives is a join driven by the side of which less is read.
func (d *driving) anyDrives(n *plan.JoinNode, m *matching, needed float64) (walk sql.Node, cost float64, err error) {
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

// anyRows is a table that drives a join, read as it is.
func (d *driving) anyRows(n sql.Node, needed float64) (sql.Node, float64, error) {
	site, ok := d.site(nil, n)
	if !ok || site.path != nil && len(site.path.members) > 0 || needed > float64(costing.MaxKeySet) {
		return nil, 0, nil
	}
	s := d.joiner.sizeOf(n)
	n, err := apart(n)
	if err != nil {
		return nil, 0, err
	}
	d.limit = &limitedDrive{UnaryNode: plan.UnaryNode{Child: n}, most: costing.All}
	d.rows = needed
	return d.limit, s.cost * math.Min(1, needed/max(1, s.rows)), nil
}

// apart is a node whose tables are told from those of the given one, which is run if it is given up.
func apart(n sql.Node) (sql.Node, error) {
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
