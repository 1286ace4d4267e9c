package order

import (
	"errors"
	"fmt"
	"io"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/join"
	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
	"github.com/sqlfdb/sqlfdb/tables"
)

// BoundedOrder reads a table in the wanted order until it has the wanted rows. It gives up, and reads in any order
// and sorts, once it has read as much as that costs. How far such a walk must read depends on where in its order the
// matching rows lie. Nobody knows that before: they may lie at its end.
//
// The rows of the walk are held until it has all wanted rows, so that no row given out has to be taken back.
type BoundedOrder struct {
	Walk, sorted sql.Node
	Rows         int64   // that the node above reads
	cost         float64 // at which the walk is given up, in documents scanned
	expected     float64 // the expected cost of the walk
	// Doubted: a row in which it is 0 may not be the right one, and the walk is given up for the sort. nil: no row
	// is in doubt. It is over the rows of the walk, without an outer query's row before them.
	Doubted sql.Expression
	// Enough: the walk has only the first rows, and is given up if they are fewer than wanted.
	Enough bool
}

var (
	_ operator.Node          = (*BoundedOrder)(nil)
	_ sql.CollationCoercible = (*BoundedOrder)(nil)
	_ table.Explained        = (*BoundedOrder)(nil)
)

// StandIn hides the sort of a BoundedOrder from the engine's rules, which look at subqueries more than once. Its
// tables have the same names as the walk's.
type StandIn struct{ plan.UnaryNode }

var (
	_ sql.OpaqueNode = (*StandIn)(nil)
	_ sql.Projector  = (*StandIn)(nil)
)

// Opaque implements sql.OpaqueNode.
func (s *StandIn) Opaque() bool { return true }

// ProjectedExprs implements sql.Projector. It is empty: the node adds no columns to the rows that nodes above see.
// The engine prepends outer rows to the rows of any projector, so also to these.
func (s *StandIn) ProjectedExprs() []sql.Expression { return nil }

// Schema implements sql.Node.
func (s *StandIn) Schema() sql.Schema { return s.Child.Schema() }

// IsReadOnly implements sql.Node.
func (s *StandIn) IsReadOnly() bool { return true }

// String implements fmt.Stringer.
func (s *StandIn) String() string { return s.Child.String() }

// WithChildren implements sql.Node.
func (s *StandIn) WithChildren(children ...sql.Node) (sql.Node, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(s, len(children), 1)
	}
	return &StandIn{plan.UnaryNode{Child: children[0]}}, nil
}

// Sort returns the plan of the sort; within a subquery, with the outer query's row before its rows.
func (n *BoundedOrder) Sort() (sql.Node, error) {
	outer, before := n.sorted.(*plan.PrependNode)
	if !before {
		return n.sorted.Children()[0], nil
	}
	lateral := false
	transform.Inspect(n.Walk, func(n sql.Node) bool {
		if derived, ok := n.(*plan.SubqueryAlias); ok {
			lateral = lateral || hasPrepended(derived.Child)
		}
		return true
	})
	next, _, err := transform.Node(outer.Child.Children()[0], plan.PrependRowInPlan(outer.Row, lateral))
	return next, err
}

// Unbounded implements subquery.Unbounded.
func (n *BoundedOrder) Unbounded() sql.Node { return n.sorted.Children()[0] }

// hasPrepended reports whether the rows of a node start with an outer query's row.
func hasPrepended(n sql.Node) bool {
	found := false
	transform.Inspect(n, func(n sql.Node) bool {
		_, is := n.(*plan.PrependNode)
		found = found || is
		return !found
	})
	return found
}

// Costs are the expected cost of a walk, and the cost at which it is given up, in documents scanned.
type Costs struct{ Walk, Bound float64 }

// NewBoundedOrder returns a walk with the sort that may replace it. The walk skips skip rows by itself; for the sort
// an OFFSET does.
func NewBoundedOrder(walk, sorted sql.Node, skip int64, c Costs, above RowLimit) *BoundedOrder {
	if s, all := sorted.(*plan.Sort); all && above.Most() > 0 {
		sorted = plan.NewTopN(s.SortFields, expression.NewLiteral(above.Most(), types.Int64), s.Child)
	}
	if skip > 0 {
		sorted = plan.NewOffset(expression.NewLiteral(skip, types.Int64), sorted)
	}
	n := &BoundedOrder{Walk: walk, sorted: &StandIn{plan.UnaryNode{Child: sorted}}, Rows: above.Rows, cost: c.Bound,
		expected: c.Walk}
	if skip == 0 {
		n.Rows = max(above.Rows, above.Most())
	}
	return n
}

// GivesUp reports whether the path may be given up for the sort that it replaces. It may not where the sort would be
// refused as a full scan. Nor may it where a condition has a subquery, which would be planned once and run in two
// places.
func (o Orderer) GivesUp(input *SortInput, path *table.AccessPath) bool {
	s, err := session.Of(o.Ctx)
	if err != nil || path.Order.Bound.Cost == 0 || !s.Parsed.OnlySelects() || join.AnySubquery(path.Conjuncts) {
		return false
	}
	return !input.scans() || setting.Of(o.Ctx, setting.FullScans) == "allow"
}

// scans reports whether the whole table is read if no order is wanted.
func (s *SortInput) scans() bool {
	return s.path == nil || s.path.Candidate == nil || s.path.ReadsAll()
}

// Schema implements sql.Node.
func (n *BoundedOrder) Schema() sql.Schema { return n.Walk.Schema() }

// Resolved implements sql.Node.
func (n *BoundedOrder) Resolved() bool { return n.Walk.Resolved() && n.sorted.Resolved() }

// IsReadOnly implements sql.Node.
func (n *BoundedOrder) IsReadOnly() bool { return true }

// Children implements sql.Node.
func (n *BoundedOrder) Children() []sql.Node { return []sql.Node{n.Walk, n.sorted} }

// WithChildren implements sql.Node.
func (n *BoundedOrder) WithChildren(children ...sql.Node) (sql.Node, error) {
	if len(children) != 2 {
		return nil, sql.ErrInvalidChildrenNumber.New(n, len(children), 2)
	}
	next := *n
	next.Walk, next.sorted = children[0], children[1]
	return &next, nil
}

// CollationCoercibility implements sql.CollationCoercible.
func (n *BoundedOrder) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, n.Walk)
}

// Explain implements explained.
func (n *BoundedOrder) Explain() table.Explanation {
	return table.Explanation{
		Operation: "The first of these, given up for the second",
		Detail:    n.ends(),
	}
}

// ends says when the walk is given up, for EXPLAIN.
func (n *BoundedOrder) ends() string {
	cost := fmt.Sprintf("once it has cost %.1f", n.cost)
	few := "where it has fewer rows than " + session.Grouped(n.Rows)
	switch {
	case !n.Enough:
		return cost
	case n.cost == 0:
		return few
	}
	return few + ", or " + cost
}

// String implements fmt.Stringer.
func (n *BoundedOrder) String() string { return n.show(n.Walk.String(), n.sorted.String()) }

// DebugString implements sql.DebugStringer.
func (n *BoundedOrder) DebugString() string {
	return n.show(sql.DebugString(n.Walk), sql.DebugString(n.sorted))
}

func (n *BoundedOrder) show(children ...string) string {
	pr := sql.NewTreePrinter()
	_ = pr.WriteNode("GivenUp(%s)", n.ends())
	_ = pr.WriteChildren(children...)
	return pr.String()
}

// Build implements operator.Node.
func (n *BoundedOrder) Build(ctx *sql.Context, engine sql.NodeExecBuilder, row sql.Row) (sql.RowIter, error) {
	walk, err := engine.Build(ctx, n.Walk, row)
	if err != nil {
		return nil, err
	}
	sorted := func(ctx *sql.Context) (sql.RowIter, error) {
		sorted, err := n.Sort()
		if err != nil {
			return nil, err
		}
		return engine.Build(ctx, sorted, row)
	}
	return &boundedOrderIter{Rows: operator.Signed(walk), Sorted: sorted, Wanted: n.Rows, Doubted: n.Doubted,
		Enough: n.Enough, Width: len(n.Walk.Schema())}, nil
}

// boundedOrderIter gives the rows of the walk, or of the sort.
type boundedOrderIter struct {
	Rows    sql.RowIter // of the walk, or of the sort after the walk is given up
	Sorted  func(*sql.Context) (sql.RowIter, error)
	Wanted  int64
	Doubted sql.Expression
	Enough  bool // see BoundedOrder
	Width   int  // number of columns of the walk
	held    []sql.Row
	walked  bool // walk has been called
	over    bool // the walk succeeded: only the held rows are still given
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
		return i.Rows.Next(ctx)
	}
	if len(i.held) == 0 {
		return nil, io.EOF
	}
	row := i.held[0]
	i.held[0], i.held = nil, i.held[1:]
	return row, nil
}

// walk reads the rows of the walk into held, or starts the sort.
func (i *boundedOrderIter) walk(ctx *sql.Context) error {
	for int64(len(i.held)) < i.Wanted {
		row, err := i.Rows.Next(ctx)
		if err == io.EOF && !i.Enough {
			break
		}
		if err == io.EOF || errors.Is(err, tables.ErrGivenUp) {
			return i.giveUp(ctx)
		}
		if err != nil {
			return err
		}
		if i.Doubted != nil {
			v, err := i.Doubted.Eval(ctx, row[len(row)-i.Width:])
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

// giveUp replaces the walk's rows by the sort's.
func (i *boundedOrderIter) giveUp(ctx *sql.Context) error {
	i.held = nil
	if err := i.Rows.Close(ctx); err != nil {
		return err
	}
	rows, err := i.Sorted(ctx)
	if err != nil {
		i.Rows = sql.RowsToRowIter()
		return err
	}
	i.Rows = operator.Signed(rows)
	return nil
}

// Close implements sql.RowIter.
func (i *boundedOrderIter) Close(ctx *sql.Context) error {
	i.held = nil
	return i.Rows.Close(ctx)
}

// Size estimates the rows, at most the wanted ones, and the cost.
func (b *BoundedOrder) Size(of func(sql.Node) table.Size) table.Size {
	return table.Size{Rows: min(float64(b.Rows), of(b.sorted).Rows), Cost: b.expected}
}

// isZero reports whether a value is a number that may be written as 0 and as -0.
func isZero(v any) bool {
	switch v := v.(type) {
	case float64:
		return v == 0
	case float32:
		return v == 0
	case value.JSON:
		return v.Held.Type() == document.TypeNumber && document.CompareNumbers(v.Held.Number(), "0") == 0
	}
	return false
}
