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

// topRows returns the first rows in an order. The engine's own iterator holds as many, but doesn't count their
// memory, which may grow with later rows.
type topRows struct {
	sql.RowIter // all rows
	fields      sql.SortFields
	most        int64
	keys        int  // number of key values after each row, which are not returned
	count       bool // sets FOUND_ROWS() to the number of all rows

	holding hold.Memory
	met     int64
	given   []sql.Row // rows still to be returned, after all have been read
	ended   bool
}

// newTopRows returns the first rows by fields. keys is the number of key values after each row.
func newTopRows(rows sql.RowIter, n *plan.TopN, fields sql.SortFields, most int64, keys int) *topRows {
	// Equal rows keep their order: the last sort field is a row's number.
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

// sort reads all rows, and holds the first ones.
func (t *topRows) sort(ctx *sql.Context) error {
	first := &expression.TopRowsHeap{Sorter: expression.Sorter{SortFields: t.fields, Ctx: ctx}}
	var row sql.Row // with its number; reused until it is held
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
			// Most rows come after the last of the held rows, which takes one comparison.
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

// before reports whether a row comes before the last of the held rows.
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

// FirstSorted returns projections over a sort with the sort limited to its first rows; nil if the node is none.
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

// limitRows is how many rows a sort needs, from a LIMIT or the sum of LIMIT and OFFSET, at most math.MaxInt64. The
// engine adds them without regard to overflow, and takes no rows for LIMIT 18446744073709551615 OFFSET 2.
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
	if n < 0 { // a BIGINT UNSIGNED above math.MaxInt64
		n = math.MaxInt64
	}
	return n, err
}

// TopN builds the first rows in an order, by keys of which some may be computed.
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
