package sqlbackend

import (
	"errors"
	"fmt"
	"io"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/tables"
)

// boundedOrder reads a table in the order that is asked for until it has its rows, and gives that up for reading
// in any order and sorting once as much has been read as that costs. How far such a walk leads depends on
// where in its order the rows lie that satisfy the conditions, which nobody knows before: they may lie at its end.
//
// The rows of the walk are held until all that are wanted have been met, so that there are none to be taken back.
type boundedOrder struct {
	walk, sorted sql.Node
	rows         int64   // that are taken of it
	cost         float64 // at which the walk is given up
	expected     float64 // what the walk is thought to cost
	// doubted: of rows in which it is 0 another one may be wanted, and the walk is given up for the sort; nil: of none. It
	// is over the rows of the walk, without those of outer queries before them.
	doubted sql.Expression
	// enough: the walk has the first rows, not all, and is given up where they are fewer than are taken.
	enough bool
}

var (
	_ sql.Node               = (*boundedOrder)(nil)
	_ sql.CollationCoercible = (*boundedOrder)(nil)
	_ explained              = (*boundedOrder)(nil)
)

// standIn is the sort of a boundedOrder. The engine's rules, which look at subqueries more than once, must not see its
// tables beside those of the walk: they have the same names.
type standIn struct{ plan.UnaryNode }

var (
	_ sql.OpaqueNode = (*standIn)(nil)
	_ sql.Projector  = (*standIn)(nil)
)

// Opaque implements sql.OpaqueNode.
func (s *standIn) Opaque() bool { return true }

// ProjectedExprs implements sql.Projector: to the rows that nodes above see it adds no columns. What puts the rows of
// outer queries before those of a projection puts them before these.
func (s *standIn) ProjectedExprs() []sql.Expression { return nil }

// Schema implements sql.Node.
func (s *standIn) Schema() sql.Schema { return s.Child.Schema() }

// IsReadOnly implements sql.Node.
func (s *standIn) IsReadOnly() bool { return true }

// String implements fmt.Stringer.
func (s *standIn) String() string { return s.Child.String() }

// WithChildren implements sql.Node.
func (s *standIn) WithChildren(children ...sql.Node) (sql.Node, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(s, len(children), 1)
	}
	return &standIn{plan.UnaryNode{Child: children[0]}}, nil
}

// sort is the plan of the sort: within a subquery, with the outer query's row before its rows.
func (n *boundedOrder) sort() (sql.Node, error) {
	outer, before := n.sorted.(*plan.PrependNode)
	if !before {
		return n.sorted.Children()[0], nil
	}
	lateral := false
	transform.Inspect(n.walk, func(n sql.Node) bool {
		if derived, ok := n.(*plan.SubqueryAlias); ok {
			lateral = lateral || hasPrepended(derived.Child)
		}
		return true
	})
	next, _, err := transform.Node(outer.Child.Children()[0], plan.PrependRowInPlan(outer.Row, lateral))
	return next, err
}

// hasPrepended reports whether the rows of a node have those of an outer query before them.
func hasPrepended(n sql.Node) bool {
	found := false
	transform.Inspect(n, func(n sql.Node) bool {
		_, is := n.(*plan.PrependNode)
		found = found || is
		return !found
	})
	return found
}

// costs are what a walk is thought to cost, and at what cost it is given up.
type costs struct{ walk, bound float64 }

// newBoundedOrder is the walk with the sort that stands in for it. What the walk skips by itself the sort does not.
func newBoundedOrder(walk, sorted sql.Node, skip int64, c costs, above taken) *boundedOrder {
	if s, all := sorted.(*plan.Sort); all && above.most() > 0 {
		sorted = plan.NewTopN(s.SortFields, expression.NewLiteral(above.most(), types.Int64), s.Child)
	}
	if skip > 0 {
		sorted = plan.NewOffset(expression.NewLiteral(skip, types.Int64), sorted)
	}
	n := &boundedOrder{walk: walk, sorted: &standIn{plan.UnaryNode{Child: sorted}}, rows: above.rows, cost: c.bound,
		expected: c.walk}
	if skip == 0 {
		n.rows = max(above.rows, above.most())
	}
	return n
}

// givesUp reports whether the path may be given up for the sort that it replaces: not where that would be refused as a
// full scan, nor where a condition has a subquery, which would be planned once and run in two places.
func (o orderer) givesUp(site *orderSite, path *accessPath) bool {
	s, err := sessionOf(o.ctx)
	if err != nil || path.order.bound.Cost == 0 || !s.OnlySelects() || anySubquery(path.conjuncts) {
		return false
	}
	return !site.scans() || setting.Of(o.ctx, setting.FullScans) == "allow"
}

// scans reports whether the table is read whole where no order is asked for.
func (s *orderSite) scans() bool {
	return s.path == nil || s.path.candidate == nil || s.path.readsAll()
}

// Schema implements sql.Node.
func (n *boundedOrder) Schema() sql.Schema { return n.walk.Schema() }

// Resolved implements sql.Node.
func (n *boundedOrder) Resolved() bool { return n.walk.Resolved() && n.sorted.Resolved() }

// IsReadOnly implements sql.Node.
func (n *boundedOrder) IsReadOnly() bool { return true }

// Children implements sql.Node.
func (n *boundedOrder) Children() []sql.Node { return []sql.Node{n.walk, n.sorted} }

// WithChildren implements sql.Node.
func (n *boundedOrder) WithChildren(children ...sql.Node) (sql.Node, error) {
	if len(children) != 2 {
		return nil, sql.ErrInvalidChildrenNumber.New(n, len(children), 2)
	}
	next := *n
	next.walk, next.sorted = children[0], children[1]
	return &next, nil
}

// CollationCoercibility implements sql.CollationCoercible.
func (n *boundedOrder) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, n.walk)
}

// explain implements explained.
func (n *boundedOrder) explain() explanation {
	return explanation{
		operation: "The first of these, given up for the second",
		detail:    n.ends(),
	}
}

// ends tells when the walk is given up.
func (n *boundedOrder) ends() string {
	cost := fmt.Sprintf("once it has cost %.1f", n.cost)
	few := "where it has fewer rows than " + grouped(n.rows)
	switch {
	case !n.enough:
		return cost
	case n.cost == 0:
		return few
	}
	return few + ", or " + cost
}

// String implements fmt.Stringer.
func (n *boundedOrder) String() string { return n.show(n.walk.String(), n.sorted.String()) }

// DebugString implements sql.DebugStringer.
func (n *boundedOrder) DebugString() string {
	return n.show(sql.DebugString(n.walk), sql.DebugString(n.sorted))
}

func (n *boundedOrder) show(children ...string) string {
	pr := sql.NewTreePrinter()
	_ = pr.WriteNode("GivenUp(%s)", n.ends())
	_ = pr.WriteChildren(children...)
	return pr.String()
}

// boundedOrderIter gives the rows of the walk, or of the sort.
type boundedOrderIter struct {
	rows    sql.RowIter // of the walk, then of the sort if that is given up
	sorted  func(*sql.Context) (sql.RowIter, error)
	wanted  int64
	doubted sql.Expression
	enough  bool // as boundedOrder has it
	width   int  // columns of the walk
	held    []sql.Row
	walked  bool // held are the rows of the walk that are still to be given, or rows is the sort
	over    bool // nothing follows those that are held
}

// Next implements sql.RowIter.
func (i *boundedOrderIter) Next(ctx *sql.Context) (sql.Row, error) {
	if !i.walked {
		i.walked = true
		if err := i.walk(ctx); err != nil {
			return nil, err
		}
	}
	if !i.over {
		return i.rows.Next(ctx)
	}
	if len(i.held) == 0 {
		return nil, io.EOF
	}
	row := i.held[0]
	i.held[0], i.held = nil, i.held[1:]
	return row, nil
}

// walk holds the rows of the walk, or begins to sort.
func (i *boundedOrderIter) walk(ctx *sql.Context) error {
	for int64(len(i.held)) < i.wanted {
		row, err := i.rows.Next(ctx)
		if err == io.EOF && !i.enough {
			break
		}
		if err == io.EOF || errors.Is(err, tables.ErrGivenUp) {
			return i.giveUp(ctx)
		}
		if err != nil {
			return err
		}
		if i.doubted != nil {
			v, err := i.doubted.Eval(ctx, row[len(row)-i.width:])
			if err != nil {
				return err
			}
			if isZero(v) {
				return i.giveUp(ctx)
			}
		}
		i.held = append(i.held, row)
	}
	i.over = true
	return nil
}

// giveUp takes the sort's rows in the place of the walk's.
func (i *boundedOrderIter) giveUp(ctx *sql.Context) error {
	i.held = nil
	if err := i.rows.Close(ctx); err != nil {
		return err
	}
	rows, err := i.sorted(ctx)
	if err != nil {
		i.rows = sql.RowsToRowIter()
		return err
	}
	i.rows = operator.Signed(rows)
	return nil
}

// Close implements sql.RowIter.
func (i *boundedOrderIter) Close(ctx *sql.Context) error {
	i.held = nil
	return i.rows.Close(ctx)
}
