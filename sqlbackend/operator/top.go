package operator

import (
	"container/heap"
	"errors"
	"io"
	"math"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/iters"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
)

// topRows are the first of rows in an order. The engine's own hold as many, but don't count what they take, which may
// be more for rows that come later.
type topRows struct {
	sql.RowIter // all of them
	fields      sql.SortFields
	most        int64
	keys        int  // values behind the rows that are not given
	count       bool // FOUND_ROWS() gets the number of all

	holding hold.Memory
	met     int64
	given   []sql.Row // what is still to be given, once all have been met
	ended   bool
}

// newTopRows are the first rows by fields, of rows with so many keys behind them.
func newTopRows(rows sql.RowIter, n *plan.TopN, fields sql.SortFields, most int64, keys int) *topRows {
	// equal ones stay as they come
	zero := expression.NewLiteral(int64(0), types.Int64)
	met := sql.SortField{Column: &compare.AppendedKey{Expression: zero, FromEnd: 1}}
	return &topRows{RowIter: rows, fields: append(fields[:len(fields):len(fields)], met), most: most, keys: keys,
		count: n.CalcFoundRows}
}

// Next implements sql.RowIter.
func (t *topRows) Next(ctx *sql.Context) (sql.Row, error) {
	if !t.ended {
		t.ended = true
		if err := t.sort(ctx); err != nil {
			return nil, err
		}
	}
	if len(t.given) == 0 {
		return nil, io.EOF
	}
	row := t.given[0]
	t.given[0], t.given = nil, t.given[1:]
	width := len(row) - t.keys - 1
	return row[:width:width], nil
}

// sort meets all rows, and holds the first ones.
func (t *topRows) sort(ctx *sql.Context) error {
	first := &expression.TopRowsHeap{Sorter: expression.Sorter{SortFields: t.fields, Ctx: ctx}}
	var row sql.Row // with its number, for as long as it is not held
	for {
		next, err := t.RowIter.Next(ctx)
		if errors.Is(err, io.EOF) {
			t.given, err = first.Rows()
			return err
		}
		if err != nil {
			return err
		}
		t.met++
		row = append(append(row[:0], next...), t.met)
		if int64(first.Len()) >= t.most {
			// Most rows come behind the last of those that are held: one comparison shows it.
			if !t.before(first, row) {
				if first.LastError != nil {
					return first.LastError
				}
				continue
			}
			t.holding.Release(int64(hold.RowBytes(first.Sorter.Rows[0])))
			first.Sorter.Rows[0] = row
			heap.Fix(first, 0)
		} else {
			heap.Push(first, row)
		}
		if first.LastError != nil {
			return first.LastError
		}
		for i, v := range row {
			if owned := hold.OwnedValue(v); owned != nil {
				row[i] = owned
			}
		}
		if err := t.holding.Hold(ctx, hold.RowBytes(row)); err != nil {
			return err
		}
		row = make(sql.Row, 0, len(row))
	}
}

// before reports whether a row comes before the last of those that are held.
func (t *topRows) before(first *expression.TopRowsHeap, row sql.Row) bool {
	held := first.Sorter.Rows
	if len(held) == 0 { // LIMIT 0
		return false
	}
	first.Sorter.Rows = append(held, row)
	before := first.Sorter.Less(len(held), 0)
	first.Sorter.Rows = held
	return before
}

// Close implements sql.RowIter.
func (t *topRows) Close(ctx *sql.Context) error {
	t.given = nil
	t.holding.ReleaseAll()
	if t.count {
		ctx.SetLastQueryInfoInt(sql.FoundRows, t.met)
	}
	return t.RowIter.Close(ctx)
}

// FirstSorted is projections over a sort of which so many rows are taken; nil if the node is none.
func FirstSorted(n sql.Node, taken sql.Expression) (sql.Node, error) {
	projected, ok := n.(*plan.Project)
	if !ok {
		return nil, nil
	}
	var child sql.Node
	switch below := projected.Child.(type) {
	case *plan.Sort:
		child = plan.NewTopN(below.SortFields, taken, below.Child)
	case *plan.Project:
		further, err := FirstSorted(below, taken)
		if err != nil || further == nil {
			return nil, err
		}
		child = further
	default:
		return nil, nil
	}
	return projected.WithChildren(child)
}

// limitRows is how many rows a sort is asked for, as LIMIT has it or LIMIT and OFFSET together, math.MaxInt64 where
// they are more: the engine adds them up without regard to that, and takes none of the rows for LIMIT
// 18446744073709551615 OFFSET 2.
func limitRows(ctx *sql.Context, limit sql.Expression) (int64, error) {
	if sum, ok := limit.(*expression.Arithmetic); ok && sum.Op == ast.PlusStr {
		left, err := limitRows(ctx, sum.LeftChild)
		if err != nil {
			return 0, err
		}
		right, err := limitRows(ctx, sum.RightChild)
		return left + min(right, math.MaxInt64-left), err
	}
	n, err := iters.GetInt64Value(ctx, limit)
	if n < 0 { // of a BIGINT UNSIGNED
		n = math.MaxInt64
	}
	return n, err
}

// TopN builds the rows that come first, by keys of which some may be computed.
func TopN(ctx *sql.Context, engine sql.NodeExecBuilder, n *plan.TopN, row sql.Row) (sql.RowIter, error) {
	taken, err := limitRows(ctx, n.Limit)
	if err != nil {
		return nil, err
	}
	rows, err := engine.Build(ctx, n.Child, row)
	if err != nil || plan.IsEmptyIter(rows) {
		return rows, err
	}
	fields, keys := compare.KeyedFields(n.Fields, 1)
	if keys == nil {
		fields, _ = hold.StoppableFields(n.Fields)
		return newTopRows(rows, n, fields, taken, 0), nil
	}
	return newTopRows(compare.Keyed{RowIter: rows, Keys: Kernels(keys)}, n, fields, taken, len(keys)), nil
}
