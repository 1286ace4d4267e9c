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
	right  bool     // the right side is the one that is looked up
	side   sql.Node // what is looked up
	source joinSource
	parent sql.Row // of an outer query
	width  int     // of a left row
	whole  int     // of a joined row

	other  sql.RowIter
	ended  bool
	window int
	out    []sql.Row           // still to be given
	given  map[string]struct{} // documents of the left side that a semi join has given
}

// joinSource finds for rows of the one side those of the other that may belong to
// them: all that do, and perhaps more. n is how many it had to read.
type joinSource interface {
	find(ctx *sql.Context, rows []sql.Row) (found [][]foundRow, n int, err error)
}

// foundRow is a row of the side that is looked up.
type foundRow struct {
	row sql.Row
	pk  string // of its document, where rows must be told apart
}

// batchSide is the side of a join that is looked up by the rows of the other, if
// one is: a joinSide or a hashedSide.
func batchSide(join *plan.JoinNode) (side sql.Node, right, ok bool) {
	for at, n := range []sql.Node{join.Left(), join.Right()} {
		if strip, is := n.(*plan.StripRowNode); is {
			n = strip.Child
		}
		switch n.(type) {
		case *joinSide, *hashedSide:
			return n, at == 1, true
		}
	}
	return nil, false, false
}

// batchedJoin builds the iterator of a join one side of which is a joinSide or a
// hashedSide; nil leaves other joins to the engine.
func (x *executor) batchedJoin(ctx *sql.Context, join *plan.JoinNode, row sql.Row) (sql.RowIter, error) {
	side, right, ok := batchSide(join)
	if !ok {
		return nil, nil
	}
	i := &batchJoin{engine: x.engine, join: join, right: right, parent: row, window: firstBatch}
	i.width = len(join.Left().Schema())
	i.whole = i.width + len(join.Right().Schema())
	lookedUp, other := join.Left(), join.Right()
	if right {
		lookedUp, other = other, lookedUp
	}
	var err error
	switch s := side.(type) {
	case *hashedSide:
		i.side = s.Child
		i.source, err = i.hashSource(s)
	case *joinSide:
		i.source, err = i.lookupSource(s)
	}
	if err != nil {
		return nil, err
	}
	if strip, ok := lookedUp.(*plan.StripRowNode); ok {
		i.side = plan.NewStripRowNode(i.side, strip.NumCols)
	}
	if !right {
		row = i.before()
		if join.Op.IsSemi() {
			i.given = map[string]struct{}{}
		}
	}
	if i.other, err = x.engine.Build(ctx, other, row); err != nil {
		return nil, err
	}
	return i, nil
}

// before is what stands before the rows of joins within the right side when that is
// read once: the outer query's row and the left side's, which is not known.
func (i *batchJoin) before() sql.Row {
	return append(slices.Clone(i.parent), make(sql.Row, i.width)...)
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
	for len(rows) < i.window {
		row, err := i.other.Next(ctx)
		if err == io.EOF {
			i.ended = true
			break
		}
		if err != nil {
			return err
		}
		rows = append(rows, row)
	}
	found, n, err := i.source.find(ctx, rows)
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

// lookupSource finds rows in a table by its index.
type lookupSource struct {
	of    *batchJoin
	way   *joinWay
	key   sql.Expression // of the other side's rows; reads a joined row
	batch batch
}

func (i *batchJoin) lookupSource(side *joinSide) (*lookupSource, error) {
	conjuncts := expression.SplitConjunction(i.join.Filter)
	e, ok := conjuncts[side.way.conjunct].(*expression.Equals)
	if !ok {
		return nil, fmt.Errorf("sqlbackend: a join by %s", conjuncts[side.way.conjunct])
	}
	l := &lookupSource{of: i, way: side.way, key: e.Left()}
	if side.way.last {
		l.key = e.Right()
	}
	var err error
	i.side, err = side.bound(&l.batch)
	return l, err
}

// find implements joinSource.
func (l *lookupSource) find(ctx *sql.Context, rows []sql.Row) (found [][]foundRow, n int, err error) {
	var keys []key
	for at, row := range rows {
		value, err := l.key.Eval(ctx, l.of.joined(row, nil))
		if err != nil {
			return nil, 0, err
		}
		for _, s := range l.way.equality.Spans(ctx, value) {
			keys = append(keys, key{span: s, row: at})
		}
	}
	found = make([][]foundRow, len(rows))
	spans, of := together(keys)
	if len(spans) == 0 {
		return found, 0, nil
	}
	l.batch.spans = spans
	it, err := l.of.engine.Build(ctx, l.of.side, l.of.parent)
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
		f := foundRow{row: row}
		if l.of.given != nil {
			f.pk = string(l.batch.docs.PK())
		}
		for _, at := range of[l.batch.docs.Span()] {
			found[at] = append(found[at], f)
		}
	}
}

// key is a span that a row of the batch looks for.
type key struct {
	span indexes.Span
	row  int
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
func (i *batchJoin) meet(ctx *sql.Context, row sql.Row, found []foundRow) error {
	op := i.join.Op
	matched := false
	for _, f := range found {
		if _, again := i.given[f.pk]; again {
			continue
		}
		joined := i.joined(row, f.row)
		holds, err := sql.EvaluateCondition(ctx, i.join.Filter, joined)
		if err != nil {
			return err
		}
		switch {
		case op.IsAnti() && (holds == nil || sql.IsTrue(holds)):
			return nil
		case !sql.IsTrue(holds):
			continue
		}
		matched = true
		i.give(joined)
		if i.given != nil {
			i.given[f.pk] = struct{}{}
		} else if op.IsSemi() {
			return nil
		}
	}
	if !matched && (op.IsLeftOuter() || op.IsAnti()) {
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
	scope, width := i.join.ScopeLen, i.whole
	if i.join.Op.IsPartial() {
		width = i.width
	}
	copy(joined[scope:], joined[len(i.parent):])
	i.out = append(i.out, joined[:scope+width])
}

// Close implements sql.RowIter.
func (i *batchJoin) Close(ctx *sql.Context) error {
	i.out, i.ended = nil, true
	return i.other.Close(ctx)
}
