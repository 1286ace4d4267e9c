package join

import (
	"io"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// How many rows of the one side are taken together: few at first, so that a LIMIT
// reads little, then more; and fewer where they are large, or find much.
const (
	firstBatch = 16
	MaxBatch   = 1024
	batchBytes = 16 << 20
)

// batchJoin joins in batches: rows of the one side are taken together, what
// the other side has for their values is read at once, and each row then meets those
// rows of the other side that its value has found. The order of the one side's rows is kept.
//
// It holds a batch and what was found for it, both of bounded size, and makes a joined row
// only when it is asked for it.
type batchJoin struct {
	engine sql.NodeExecBuilder
	join   *plan.JoinNode
	filter sql.Expression // the join's, remembering
	right  bool           // the right side is the one that is looked up
	side   sql.Node       // what is looked up
	source joinSource
	parent sql.Row // of an outer query
	width  int     // of a left row
	whole  int     // of a joined row

	other  sql.RowIter
	ended  bool
	window int
	most   int                  // the largest window
	taken  []sql.Row            // rows that are still to be looked for
	rows   []sql.Row            // rows that are still to meet what they have found
	found  []*candidates        // of those
	given  map[string]struct{}  // documents of the left side that a semi join has given
	pkOf   func(sql.Row) string // what distinguishes those of a bucket; nil: they come with it

	at      *candidates // of the row that is meeting them; nil between two rows
	row     sql.Row
	matched bool
	pair    sql.Row // joined from the row and a candidate; nil where it was given away
	half    sql.Row // a row of one side as a joined one, for as long as its key is made
}

// joinSource finds for rows of the one side those of the other that may belong to
// them: all that do, and perhaps more. It deals with the first of the rows, at least with
// one: as many as found has elements. next is how many it can take after those.
type joinSource interface {
	find(ctx *sql.Context, rows []sql.Row) (found []*candidates, next int, err error)
}

// foundRow is a row of the side that is looked up.
type foundRow struct {
	row sql.Row
	pk  string // of its document, where rows must be distinguished
}

// candidates are the rows that a row of the one side may belong to: first those that are
// at hand, then those that are still to be read.
type candidates struct {
	lists [][]foundRow
	held  [][]sql.Row         // likewise, of sides whose documents need not be distinguished
	rest  rowSource           // nil without
	met   map[string]struct{} // documents that were given; nil where none is found twice
}

// rowSource gives rows one at a time; io.EOF is the end.
type rowSource interface {
	next(ctx *sql.Context) (foundRow, error)
	close(ctx *sql.Context) error
}

// next is the next candidate.
func (c *candidates) next(ctx *sql.Context) (foundRow, error) {
	for {
		f, err := c.any(ctx)
		if err != nil || c.met == nil {
			return f, err
		}
		if _, again := c.met[f.pk]; !again {
			c.met[f.pk] = struct{}{}
			return f, nil
		}
	}
}

func (c *candidates) any(ctx *sql.Context) (foundRow, error) {
	for len(c.lists) > 0 {
		if list := c.lists[0]; len(list) > 0 {
			c.lists[0] = list[1:]
			return list[0], nil
		}
		c.lists = c.lists[1:]
	}
	for len(c.held) > 0 {
		if list := c.held[0]; len(list) > 0 {
			c.held[0] = list[1:]
			return foundRow{row: list[0]}, nil
		}
		c.held = c.held[1:]
	}
	if c.rest == nil {
		return foundRow{}, io.EOF
	}
	return c.rest.next(ctx)
}

func (c *candidates) close(ctx *sql.Context) error {
	if c == nil || c.rest == nil {
		return nil
	}
	rest := c.rest
	c.rest = nil
	return rest.close(ctx)
}

// batchSide is the side of a join that is looked up by the rows of the other, if
// one is: a Side, a HashedSide or a BucketSide.
func batchSide(join *plan.JoinNode) (side sql.Node, right, ok bool) {
	for at, n := range []sql.Node{join.Left(), join.Right()} {
		if strip, is := n.(*plan.StripRowNode); is {
			n = strip.Child
		}
		switch n.(type) {
		case *Side, *HashedSide, *BucketSide:
			return n, at == 1, true
		}
	}
	return nil, false, false
}

// Batched builds the iterator of a join one side of which is one of these; nil leaves other joins to the engine.
func Batched(ctx *sql.Context, engine sql.NodeExecBuilder, join *plan.JoinNode, row sql.Row) (sql.RowIter, error) {
	side, right, ok := batchSide(join)
	if !ok {
		return nil, nil
	}
	i, err := newBatchJoin(ctx, engine, join, right, row)
	if err != nil {
		return nil, err
	}
	lookedUp, other := join.Left(), join.Right()
	if right {
		lookedUp, other = other, lookedUp
	}
	if !right {
		row = i.before()
		if join.Op.IsSemi() {
			i.given = map[string]struct{}{}
		}
	}
	strip, stripped := lookedUp.(*plan.StripRowNode)
	below := func(n sql.Node) sql.Node {
		if stripped {
			return plan.NewStripRowNode(n, strip.NumCols)
		}
		return n
	}
	switch s := side.(type) {
	case *HashedSide:
		i.side = below(s.Child)
		i.source, err = i.hashSource(ctx, s)
	case *BucketSide:
		i.source, err = i.bucketSource(ctx, s, below)
	case *Side:
		if i.window = min(i.window, s.way.together()); s.way.First > 0 {
			i.window = min(i.window, s.way.First)
		}
		i.source, err = i.lookupSource(s, below)
	}
	if err != nil {
		return nil, err
	}
	if i.other, err = engine.Build(ctx, other, row); err != nil {
		return nil, err
	}
	return i, nil
}

func newBatchJoin(ctx *sql.Context, engine sql.NodeExecBuilder, join *plan.JoinNode, right bool,
	parent sql.Row) (*batchJoin, error) {
	filter, err := remembering(ctx, join)
	if err != nil {
		return nil, err
	}
	i := &batchJoin{engine: engine, join: join, filter: filter, right: right, parent: parent, window: firstBatch,
		most: MaxBatch}
	i.width = len(join.Left().Schema())
	i.whole = i.width + len(join.Right().Schema())
	return i, nil
}

// HashJoin builds the iterator of an inner or a left join that the engine hashes: the engine would hold the
// whole of the side, however large it is. It gives nil for other joins.
func HashJoin(ctx *sql.Context, engine sql.NodeExecBuilder, join *plan.JoinNode, row sql.Row) (sql.RowIter, error) {
	side, ok := join.Right().(*plan.HashLookup)
	if !ok || join.Op != plan.JoinTypeHash && join.Op != plan.JoinTypeLeftOuterHash {
		return nil, nil
	}
	i, err := newBatchJoin(ctx, engine, join, true, row)
	if err != nil {
		return nil, err
	}
	i.source = i.hashLookupSource(ctx, side)
	if i.other, err = engine.Build(ctx, join.Left(), row); err != nil {
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
	for {
		if i.at == nil {
			if err := i.advance(ctx); err != nil {
				return nil, err
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, mysqlerr.Of(ctx, err)
		}
		f, err := i.at.next(ctx)
		if err == io.EOF {
			unmatched := !i.matched
			if err := i.leave(ctx); err != nil {
				return nil, err
			}
			if op := i.join.Op; unmatched && (op.IsLeftOuter() || op.IsAnti()) {
				return i.give(i.joined(i.row, nil)), nil
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		out, err := i.meet(ctx, f)
		if out != nil || err != nil {
			return out, err
		}
	}
}

// meet joins the row with a candidate; nil is that they give no row.
func (i *batchJoin) meet(ctx *sql.Context, f foundRow) (sql.Row, error) {
	op := i.join.Op
	if i.pkOf != nil {
		f.pk = i.pkOf(f.row)
	}
	if _, again := i.given[f.pk]; again {
		return nil, nil
	}
	if i.pair == nil {
		i.pair = i.joined(i.row, f.row)
	} else {
		copy(i.pair[len(i.parent)+i.offset():], f.row)
	}
	holds, err := sql.EvaluateCondition(ctx, i.filter, i.pair)
	if err != nil {
		return nil, err
	}
	switch {
	case op.IsAnti() && (holds == nil || sql.IsTrue(holds)):
		return nil, i.leave(ctx)
	case !sql.IsTrue(holds):
		return nil, nil
	}
	i.matched = true
	out := i.give(i.pair)
	i.pair = nil
	if i.given != nil {
		i.given[f.pk] = struct{}{}
	} else if op.IsSemi() {
		return out, i.leave(ctx)
	}
	return out, nil
}

// advance goes on to the next row that has been looked for.
func (i *batchJoin) advance(ctx *sql.Context) error {
	for len(i.rows) == 0 {
		if i.ended && len(i.taken) == 0 {
			return io.EOF
		}
		if err := i.fill(ctx); err != nil {
			return err
		}
	}
	i.row, i.at = i.rows[0], i.found[0]
	i.rows[0], i.found[0] = nil, nil
	i.rows, i.found = i.rows[1:], i.found[1:]
	i.matched, i.pair = false, nil
	return nil
}

// leave is done with the row.
func (i *batchJoin) leave(ctx *sql.Context) error {
	at := i.at
	i.at = nil
	return at.close(ctx)
}

// fill looks for the next batch.
func (i *batchJoin) fill(ctx *sql.Context) error {
	bytes := 0
	for _, row := range i.taken {
		bytes += hold.RowBytes(row)
	}
	for !i.ended && len(i.taken) < i.window && (bytes < batchBytes || len(i.taken) == 0) {
		row, err := i.other.Next(ctx)
		if err == io.EOF {
			i.ended = true
			break
		}
		if err != nil {
			return err
		}
		bytes += hold.RowBytes(row)
		i.taken = append(i.taken, row)
	}
	if len(i.taken) == 0 {
		return nil
	}
	found, next, err := i.source.find(ctx, i.taken[:min(len(i.taken), i.window)])
	if err != nil {
		return err
	}
	i.rows, i.found = slices.Clone(i.taken[:len(found)]), found
	i.taken = append(i.taken[:0], i.taken[len(found):]...)
	i.window = min(next, 4*max(len(found), firstBatch/4), i.most)
	return nil
}

// offset is where the looked-up side begins in a joined row, behind the outer query's.
func (i *batchJoin) offset() int {
	if i.right {
		return i.width
	}
	return 0
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

// alone is a row of the other side as a joined row that has nothing of the one that is looked up. It is valid until the
// next is asked for.
func (i *batchJoin) alone(other sql.Row) sql.Row {
	if i.half == nil {
		i.half = i.joined(nil, nil)
	}
	at := len(i.parent)
	if !i.right {
		at += i.width
	}
	copy(i.half[at:], other)
	return i.half
}

// give makes a row of the result of a joined row: as the engine's joins do, with no more of
// the outer query's row than the join's scope has.
func (i *batchJoin) give(joined sql.Row) sql.Row {
	scope, width := i.join.ScopeLen, i.whole
	if i.join.Op.IsPartial() {
		width = i.width
	}
	copy(joined[scope:], joined[len(i.parent):])
	return joined[:scope+width]
}

// Close implements sql.RowIter.
func (i *batchJoin) Close(ctx *sql.Context) error {
	err := i.leave(ctx)
	for _, c := range i.found {
		if failed := c.close(ctx); err == nil {
			err = failed
		}
	}
	i.taken, i.rows, i.found, i.ended = nil, nil, nil, true
	if failed := i.other.Close(ctx); err == nil {
		err = failed
	}
	return err
}
