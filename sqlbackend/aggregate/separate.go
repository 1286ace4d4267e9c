package aggregate

import (
	"errors"
	"io"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/join"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/order"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/tables"
)

// Aggregates of all rows that read several columns need documents if one pass computes them all. Each one alone may
// need only counters, the first entry of an index or the entries of one keypath; all read the same version. MIN and
// MAX under a condition are two walks from both ends, while together they read all rows.

// SeparateAggregates is one row of aggregates, combined from the rows of several aggregations of the same table.
type SeparateAggregates struct {
	Pieces []sql.Node // each but the first in an order.StandIn: their tables have the same names
	places [][]int    // where the columns of each piece belong in the row
	// whole computes the whole row, in an order.StandIn, if a piece is given up; nil where no piece may be.
	whole    sql.Node
	cost     float64
	schema   sql.Schema
	selected []sql.Expression
}

var (
	_ operator.Node          = (*SeparateAggregates)(nil)
	_ sql.Projector          = (*SeparateAggregates)(nil)
	_ sql.CollationCoercible = (*SeparateAggregates)(nil)
	_ table.Explained        = (*SeparateAggregates)(nil)
)

// plannedGroup is an aggregation as it would run.
type plannedGroup struct {
	node    sql.Node // nil: the aggregation reads documents, unchanged
	path    *Path    // of its table; nil: another kind of path, or documents
	cost    float64
	givesUp bool // it may fail with tables.ErrGivenUp
}

const (
	worthSplitting = 8 // an aggregation of a lower cost is not worth planning in pieces
	costOfPiece    = 1 // cost of planning and starting one more piece
)

// separate splits an aggregation of all rows into pieces that together cost less than the whole; nil where they
// don't.
func (r aggregating) separate(n *plan.GroupBy, whole plannedGroup) (*SeparateAggregates, error) {
	if !r.outermost || len(n.GroupByExprs) > 0 || len(n.SelectedExprs) < 2 || whole.cost < worthSplitting {
		return nil, nil
	}
	src, ok := aggregateSourceOf(n.Child)
	if !ok || join.AnySubquery(src.conjuncts) {
		return nil, nil
	}
	divided, extrema, ok := divide(n, src.table)
	if !ok {
		return nil, nil
	}
	out := &SeparateAggregates{schema: n.Schema(), selected: n.SelectedExprs}
	given := fallback{path: whole.path, cost: whole.cost / float64(max(1, extrema)), elsewhere: true}
	givesUp := false
	for _, of := range divided {
		pieces, places, err := r.cheapest(n, of, given)
		if pieces == nil || err != nil {
			return nil, err
		}
		for i, piece := range pieces {
			node := piece.node
			if len(out.Pieces) > 0 {
				node = &order.StandIn{UnaryNode: plan.UnaryNode{Child: node}}
			}
			out.Pieces, out.places = append(out.Pieces, node), append(out.places, places[i])
			out.cost += piece.cost + costOfPiece
			givesUp = givesUp || piece.givesUp
		}
		if out.cost >= whole.cost {
			return nil, nil
		}
	}
	if len(out.Pieces) < 2 {
		return nil, nil
	}
	if givesUp {
		instead := whole.node
		if instead == nil {
			instead = n
		}
		out.whole = &order.StandIn{UnaryNode: plan.UnaryNode{Child: instead}}
	}
	return out, nil
}

// division are the indexes of the selected aggregates of one column, or of none: the MINs, the MAXs, and the others.
type division [3][]int

// together returns all indexes of a division.
func (d division) together() []int {
	var out []int
	for _, of := range d {
		out = append(out, of...)
	}
	return out
}

// divide groups the selected aggregates by the column and path that they read; extrema is how many are MIN or MAX.
// It is false where an expression is no aggregate or reads several columns.
func divide(n *plan.GroupBy, t *table.Table) (out []division, extrema int, ok bool) {
	type read struct {
		column int
		path   string
	}
	at := map[read]int{}
	for i, e := range n.SelectedExprs {
		if _, aggregate := e.(sql.Aggregation); !aggregate {
			return nil, 0, false
		}
		u := columnUse{table: t, column: noColumn}
		if u.aggregate(e); u.unfit || u.column == severalColumn {
			return nil, 0, false
		}
		of := read{column: u.column}
		if u.path != nil {
			of.path = u.path.Path
		}
		d, known := at[of]
		if !known {
			d = len(out)
			at[of] = d
			out = append(out, division{})
		}
		class := 2
		switch e.(type) {
		case *aggregation.Min:
			class, extrema = 0, extrema+1
		case *aggregation.Max:
			class, extrema = 1, extrema+1
		}
		out[d][class] = append(out[d][class], i)
	}
	return out, extrema, true
}

// cheapest returns the pieces of a division: one, or one for each of its kinds; none where documents must be read.
// places are the indexes of each piece's columns in the selected expressions.
func (r aggregating) cheapest(n *plan.GroupBy, of division, given fallback) (pieces []plannedGroup, places [][]int,
	err error) {
	all := of.together()
	together, err := r.piece(n, all, given)
	if err != nil {
		return nil, nil, err
	}
	if together.node != nil {
		pieces, places = []plannedGroup{together}, [][]int{all}
	}
	if together.node != nil && together.cost < worthSplitting {
		return pieces, places, nil
	}
	total := 0.0
	var each []plannedGroup
	var eachPlaces [][]int
	for _, some := range of {
		if len(some) == len(all) {
			return pieces, places, nil
		}
		if len(some) == 0 {
			continue
		}
		piece, err := r.piece(n, some, given)
		if piece.node == nil || err != nil {
			return pieces, places, err
		}
		each, eachPlaces, total = append(each, piece), append(eachPlaces, some), total+piece.cost+costOfPiece
	}
	if together.node == nil || total < together.cost {
		return each, eachPlaces, nil
	}
	return pieces, places, nil
}

// piece is the aggregation of some of the selected expressions.
func (r aggregating) piece(n *plan.GroupBy, some []int, given fallback) (plannedGroup, error) {
	selected := make([]sql.Expression, len(some))
	for i, at := range some {
		selected[i] = n.SelectedExprs[at]
	}
	return r.grouped(plan.NewGroupBy(selected, nil, n.Child), nil, &given)
}

// reading is the cost of reading the documents.
func (s *aggregateSource) reading(ctx *sql.Context) (float64, error) {
	if s.path != nil {
		return s.path.Size().Cost, nil
	}
	documents, _, err := s.table.Counted(ctx)
	return float64(documents), err
}

// Schema implements sql.Node.
func (n *SeparateAggregates) Schema() sql.Schema { return n.schema }

// ProjectedExprs implements sql.Projector.
func (n *SeparateAggregates) ProjectedExprs() []sql.Expression { return n.selected }

// Resolved implements sql.Node.
func (n *SeparateAggregates) Resolved() bool { return true }

// IsReadOnly implements sql.Node.
func (n *SeparateAggregates) IsReadOnly() bool { return true }

// Children implements sql.Node.
func (n *SeparateAggregates) Children() []sql.Node {
	if n.whole == nil {
		return n.Pieces
	}
	return append(n.Pieces[:len(n.Pieces):len(n.Pieces)], n.whole)
}

// WithChildren implements sql.Node.
func (n *SeparateAggregates) WithChildren(children ...sql.Node) (sql.Node, error) {
	if len(children) != len(n.Children()) {
		return nil, sql.ErrInvalidChildrenNumber.New(n, len(children), len(n.Children()))
	}
	next := *n
	next.Pieces = children[:len(n.Pieces)]
	if n.whole != nil {
		next.whole = children[len(n.Pieces)]
	}
	return &next, nil
}

// CollationCoercibility implements sql.CollationCoercible.
func (n *SeparateAggregates) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, n.Pieces[0])
}

// Explain implements explained.
func (n *SeparateAggregates) Explain() table.Explanation {
	e := table.Explanation{Operation: "Aggregates, each read by itself"}
	if n.whole != nil {
		e.Detail = "or all by the last, if one is given up"
	}
	return e
}

// String implements fmt.Stringer.
func (n *SeparateAggregates) String() string {
	var children []string
	for _, child := range n.Children() {
		children = append(children, child.String())
	}
	return n.show(children)
}

// DebugString implements sql.DebugStringer.
func (n *SeparateAggregates) DebugString() string {
	var children []string
	for _, child := range n.Children() {
		children = append(children, sql.DebugString(child))
	}
	return n.show(children)
}

func (n *SeparateAggregates) show(children []string) string {
	pr := sql.NewTreePrinter()
	_ = pr.WriteNode("Aggregates")
	_ = pr.WriteChildren(children...)
	return pr.String()
}

// Build implements operator.Node.
func (n *SeparateAggregates) Build(_ *sql.Context, engine sql.NodeExecBuilder, row sql.Row) (sql.RowIter, error) {
	return &separateAggregatesIter{Of: n, build: func(ctx *sql.Context, n sql.Node) (sql.RowIter, error) {
		return engine.Build(ctx, n, row)
	}}, nil
}

// separateAggregatesIter computes the row.
type separateAggregatesIter struct {
	Of    *SeparateAggregates
	build func(ctx *sql.Context, n sql.Node) (sql.RowIter, error)
	over  bool
}

// Next implements sql.RowIter.
func (i *separateAggregatesIter) Next(ctx *sql.Context) (sql.Row, error) {
	if i.over {
		return nil, io.EOF
	}
	i.over = true
	out := make(sql.Row, len(i.Of.schema))
	for p, piece := range i.Of.Pieces {
		row, err := i.row(ctx, piece)
		if errors.Is(err, tables.ErrGivenUp) && i.Of.whole != nil {
			return i.row(ctx, i.Of.whole)
		}
		if err != nil {
			return nil, err
		}
		for at, place := range i.Of.places[p] {
			out[place] = row[at]
		}
	}
	return out, nil
}

// row is the one row of an aggregation.
func (i *separateAggregatesIter) row(ctx *sql.Context, n sql.Node) (sql.Row, error) {
	if s, ok := n.(*order.StandIn); ok {
		n = s.Child
	}
	rows, err := i.build(ctx, n)
	if err != nil {
		return nil, err
	}
	row, err := rows.Next(ctx)
	return row, mysqlerr.Joined(err, rows.Close(ctx))
}

// Close implements sql.RowIter.
func (i *separateAggregatesIter) Close(*sql.Context) error {
	i.over = true
	return nil
}
