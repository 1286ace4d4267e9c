package sqlbackend

import (
	"errors"
	"io"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/iters"
	"github.com/dolthub/go-mysql-server/sql/plan"
)

// foundRows is LIMIT with OFFSET of SQL_CALC_FOUND_ROWS, nil for any other: the engine counts the rows behind the
// OFFSET alone.
func (x *executor) foundRows(ctx *sql.Context, n *plan.Limit, row sql.Row) (sql.RowIter, error) {
	offset, ok := n.Child.(*plan.Offset)
	if !ok || !n.CalcFoundRows {
		return nil, nil
	}
	skip, err := iters.GetInt64Value(ctx, offset.Offset)
	if err != nil {
		return nil, err
	}
	left, err := rowsTaken(ctx, n.Limit)
	if err != nil {
		return nil, err
	}
	rows, err := x.engine.Build(ctx, offset.Child, row)
	if err != nil {
		return nil, err
	}
	return &foundRowsIter{RowIter: signed(rows), skip: skip, left: left}, nil
}

// foundRowsIter gives the rows behind some, no more than are wanted, and counts all.
type foundRowsIter struct {
	sql.RowIter
	skip, left, found int64
}

// Next implements sql.RowIter.
func (i *foundRowsIter) Next(ctx *sql.Context) (sql.Row, error) {
	for {
		row, err := i.RowIter.Next(ctx)
		if err != nil {
			if errors.Is(err, io.EOF) {
				ctx.SetLastQueryInfoInt(sql.FoundRows, i.found)
			}
			return nil, err
		}
		if i.found++; i.found > i.skip && i.left > 0 {
			i.left--
			return row, nil
		}
	}
}

// Close implements sql.RowIter.
func (i *foundRowsIter) Close(ctx *sql.Context) error {
	err := i.RowIter.Close(ctx)
	ctx.SetLastQueryInfoInt(sql.FoundRows, i.found) // what is below may have counted rows of its own
	return err
}
