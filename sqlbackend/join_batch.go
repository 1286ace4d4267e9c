package sqlbackend

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/indexes"
)

// How many rows of the one side are taken together: few at first, so that a LIMIT
// reads little, then more; and fewer again where they find much.
const (
	firstBatch = 16
	maxBatch   = 1024
	batchFinds = 20_000
)

// batchJoin joins in batches: rows of the one side are taken together, what
// the other side has for their values is read at once, and each row then meets those
// rows of the other side that its value has found. The order of the one side's rows is kept.
type batchJoin struct {
	engine sql.NodeExecBuilder
	join   *plan.JoinNode
	way    *joinWay
	key    sql.Expression // of the other side's rows; reads a joined row
	right  bool           // the right side is the one that is looked up
	side   sql.Node       // what is looked up, bound to the batch
	batch  batch
	parent sql.Row // of an outer query
	width  int     // of a left row
	whole  int     // of a joined row

	other  sql.RowIter
	ended  bool
	window int
	out    []sql.Row // still to be given
}

// batchSide is the side of a join that is read in batches, if one is.
func batchSide(join *plan.JoinNode) (side *joinSide, right, ok bool) {
	if s, ok := unstripped(join.Right()).(*joinSide); ok {
		return s, true, true
	}
	s, ok := unstripped(join.Left()).(*joinSide)
	return s, false, ok
}

func unstripped(n sql.Node) sql.Node {
	if s, ok := n.(*plan.StripRowNode); ok {
		return s.Child
	}
	return n
}

// batchedJoin builds the iterator of a join one side of which is a joinSide; nil
// leaves other joins to the engine.
func (x *executor) batchedJoin(ctx *sql.Context, join *plan.JoinNode, row sql.Row) (sql.RowIter, error) {
	side, right, ok := batchSide(join)
	if !ok {
		return nil, nil
	}
	conjuncts := expression.SplitConjunction(join.Filter)
	e, ok := conjuncts[side.way.conjunct].(*expression.Equals)
	if !ok {
		return nil, fmt.Errorf("sqlbackend: a join by %s", conjuncts[side.way.conjunct])
	}
	i := &batchJoin{engine: x.engine, join: join, way: side.way, right: right, parent: row, window: firstBatch}
	if i.key = e.Left(); side.way.last {
		i.key = e.Right()
	}
	var err error
	if i.side, err = side.bound(&i.batch); err != nil {
		return nil, err
	}
	lookedUp, other := join.Left(), join.Right()
	if right {
		lookedUp, other = other, lookedUp
	}
	if strip, ok := lookedUp.(*plan.StripRowNode); ok {
		i.side = plan.NewStripRowNode(i.side, strip.NumCols)
	}
	i.width = len(join.Left().Schema())
	i.whole = i.width + len(join.Right().Schema())
	if !right {
		// What joins within the right side see has the left side's row before it.
		row = append(slices.Clone(row), make(sql.Row, i.width)...)
	}
	if i.other, err = x.engine.Build(ctx, other, row); err != nil {
		return nil, err
	}
	return i, nil
}

// Next implements sql.RowIter.
func (i *batchJoin) Next(ctx *sql.Context) (sql.Row, error) {
	for len(i.out) == 0 {
		if i.ended {
			return nil, io.EOF
		}
		if err := i.fill(ctx); err != nil {
			return nil, err
		}
	}
	row := i.out[0]
	i.out = i.out[1:]
	return row, nil
}

// fill joins the next batch.
func (i *batchJoin) fill(ctx *sql.Context) error {
	var rows []sql.Row
	var keys []key
	for len(rows) < i.window {
		row, err := i.other.Next(ctx)
		if err == io.EOF {
			i.ended = true
			break
		}
		if err != nil {
			return err
		}
		spans, err := i.spansOf(ctx, row)
		if err != nil {
			return err
		}
		for _, s := range spans {
			keys = append(keys, key{span: s, row: len(rows)})
		}
		rows = append(rows, row)
	}
	found, n, err := i.lookUp(ctx, keys, len(rows))
	if err != nil {
		return err
	}
	if i.window = min(4*i.window, maxBatch); n > batchFinds {
		i.window = max(firstBatch, len(rows)/4)
	}
	i.out = i.out[:0]
	for at, row := range rows {
		if err := i.meet(ctx, row, found[at]); err != nil {
			return err
		}
	}
	return nil
}

// spansOf are the values that a row looks for.
func (i *batchJoin) spansOf(ctx *sql.Context, row sql.Row) (indexes.Spans, error) {
	value, err := i.key.Eval(ctx, i.joined(row, nil))
	if err != nil {
		return nil, err
	}
	return i.way.equality.Spans(ctx, value)
}

// key is a span that a row of the batch looks for.
type key struct {
	span indexes.Span
	row  int
}

// lookUp finds for each row of the batch the rows of the side that is looked up.
func (i *batchJoin) lookUp(ctx *sql.Context, keys []key, rows int) (found [][]sql.Row, n int, err error) {
	found = make([][]sql.Row, rows)
	spans, of := together(keys)
	if len(spans) == 0 {
		return found, 0, nil
	}
	i.batch.spans = spans
	it, err := i.engine.Build(ctx, i.side, i.parent)
	if err != nil {
		return nil, 0, err
	}
	for {
		row, err := it.Next(ctx)
		if err == io.EOF {
			return found, n, it.Close(ctx)
		}
		if err != nil {
			_ = it.Close(ctx)
			return nil, 0, err
		}
		n++
		for _, at := range of[i.batch.rows.docs.Span()] {
			found[at] = append(found[at], row)
		}
	}
}

// together makes sorted, disjoint spans of those that rows look for, and tells which
// rows look for each.
func together(keys []key) (spans indexes.Spans, of [][]int) {
	slices.SortStableFunc(keys, func(a, b key) int { return bytes.Compare(a.span.Start, b.span.Start) })
	for _, k := range keys {
		last := len(spans) - 1
		if last < 0 || spans[last].End != nil && bytes.Compare(k.span.Start, spans[last].End) >= 0 {
			spans, of = append(spans, k.span), append(of, []int{k.row})
			continue
		}
		if end := spans[last].End; end != nil && (k.span.End == nil || bytes.Compare(k.span.End, end) > 0) {
			spans[last].End = k.span.End
		}
		if rows := of[last]; rows[len(rows)-1] != k.row {
			of[last] = append(rows, k.row)
		}
	}
	return spans, of
}

// meet joins one row of the other side with what it has found.
func (i *batchJoin) meet(ctx *sql.Context, row sql.Row, found []sql.Row) error {
	matched := false
	for _, f := range found {
		joined := i.joined(row, f)
		holds, err := sql.EvaluateCondition(ctx, i.join.Filter, joined)
		if err != nil {
			return err
		}
		if sql.IsTrue(holds) {
			matched = true
			i.give(joined)
		}
	}
	if !matched && i.join.Op.IsLeftOuter() {
		i.give(i.joined(row, nil))
	}
	return nil
}

// joined is a row of the other side with one of the side that is looked up, behind
// the outer query's.
func (i *batchJoin) joined(other, found sql.Row) sql.Row {
	out := make(sql.Row, len(i.parent)+i.whole)
	copy(out, i.parent)
	left, right := found, other
	if i.right {
		left, right = other, found
	}
	copy(out[len(i.parent):], left)
	copy(out[len(i.parent)+i.width:], right)
	return out
}

// give adds a joined row to the result: as the engine's joins do, with no more of
// the outer query's row than the join's scope has.
func (i *batchJoin) give(joined sql.Row) {
	scope := i.join.ScopeLen
	copy(joined[scope:], joined[len(i.parent):])
	i.out = append(i.out, joined[:len(joined)-len(i.parent)+scope])
}

// Close implements sql.RowIter.
func (i *batchJoin) Close(ctx *sql.Context) error {
	i.out, i.ended = nil, true
	return i.other.Close(ctx)
}
