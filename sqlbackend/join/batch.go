package join

import (
	"io"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// Limits of a batch, the rows of one side that are looked up together. Batches are small at first, so that a LIMIT
// reads little, and then grow. They are smaller where rows are large or find many rows.
const (
	firstBatch = 16
	MaxBatch   = 1024
	batchBytes = 16 << 20
)

// batchJoin joins in batches. It reads a batch of rows of one side, and reads at once all rows that the other side
// has for their values. Then it joins each row with the rows that its value has found. The first side's order is
// kept.
//
// It holds a batch and the rows found for it, both of bounded size, and makes joined rows one at a time.
type batchJoin struct {
	engine sql.NodeExecBuilder
	join   *plan.JoinNode
	filter sql.Expression // the join's condition, which remembers its subqueries' values
	right  bool           // the right side is looked up, else the left side
	side   sql.Node       // the looked-up side
	source joinSource
	parent sql.Row // the outer query's row
	width  int     // number of columns of a left row
	whole  int     // number of columns of a joined row

	other  sql.RowIter
	ended  bool
	window int
	most   int                  // the largest window, in rows
	taken  []sql.Row            // rows not looked up yet
	rows   []sql.Row            // rows looked up, but not joined yet
	found  []*candidates        // of each of rows
	given  map[string]struct{}  // IDs of the left side's documents that a semi join has given
	pkOf   func(sql.Row) string // returns a bucket's row's document ID; nil: the rows found have it

	at      *candidates // of the current row; nil between two rows
	row     sql.Row
	matched bool
	pair    sql.Row // the current row joined with a candidate; nil after it was given away
	half    sql.Row // a row of one side as a joined row, to compute its key; reused
}

// joinSource finds, for rows of one side, the rows of the other side that may match: all that do, and perhaps more.
// find handles the first of rows, at least one; found has an element for each. next is how many rows it can handle
// next.
type joinSource interface {
	find(ctx *sql.Context, rows []sql.Row) (found []*candidates, next int, err error)
}

// foundRow is a row of the looked-up side.
type foundRow struct {
	row sql.Row
	pk  string // of its document, where duplicates must be recognized
}

// candidates are the rows that may match a row of the other side: first the rows in memory, then the rows still to
// be read.
type candidates struct {
	lists [][]foundRow
	held  [][]sql.Row         // likewise, for sides without duplicates
	two   [2][]sql.Row        // room for held
	rest  rowSource           // rows still to be read; nil: none
	met   map[string]struct{} // documents already given; nil where none is found twice
}

// rowSource gives rows one at a time; io.EOF is the end.
type rowSource interface {
	next(ctx *sql.Context) (foundRow, error)
	close(ctx *sql.Context) error
}

// next returns the next candidate; io.EOF is the end.
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

// batchSide returns a join's side that is looked up by the other side's rows: a Side, a HashedSide or a BucketSide.
// ok is false if there is none.
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

// Batched builds the iterator of a join with a side found by batchSide. It is nil for joins that it leaves to the
// engine.
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

// HashJoin builds the iterator of an inner or left join that the engine hashes. The engine's own would hold the
// whole side, however large it is. It is nil for other joins.
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

// before returns the values before the rows of joins within the right side when that side is read once: the outer
// query's row, and NULLs for the left side's row.
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

// meet joins the current row with a candidate; nil: they give no row.
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

// advance moves to the next row that has been looked up.
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

// leave ends the current row.
func (i *batchJoin) leave(ctx *sql.Context) error {
	at := i.at
	i.at = nil
	return at.close(ctx)
}

// fill reads and looks up the next batch.
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

// offset is the looked-up side's first column in a joined row, after the outer query's columns.
func (i *batchJoin) offset() int {
	if i.right {
		return i.width
	}
	return 0
}

// joined returns a joined row of the other side's row and the looked-up side's, after the outer query's row.
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

// alone returns the other side's row as a joined row, with NULLs for the looked-up side. It is valid until the next
// call.
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

// give makes a result row from a joined row. Like the engine's joins it keeps only the join's ScopeLen columns of
// the outer query's row.
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
