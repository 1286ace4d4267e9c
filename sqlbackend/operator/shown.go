package operator

import (
	"errors"
	"io"

	gms "github.com/dolthub/go-mysql-server/server"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/iters"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
)

// foundRowsIter gives the rows behind some, no more than are wanted, and counts all.
type foundRowsIter struct {
	sql.RowIter
	Skip, Left, found int64
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
		if i.found++; i.found > i.Skip && i.Left > 0 {
			i.Left--
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

// Signed gives the rows of a result with the sign of -0, which the engine's projection takes away, but not
// where it spools rows.
func Signed(iter sql.RowIter) sql.RowIter {
	rows, shown := gms.GetDeferredProjections(iter)
	if shown == nil {
		return iter
	}
	return &shownRows{RowIter: rows, Shown: shown}
}

// skippedRows gives the rows behind some.
type skippedRows struct {
	sql.RowIter
	Skip int64
}

// Next implements sql.RowIter.
func (i *skippedRows) Next(ctx *sql.Context) (sql.Row, error) {
	for ; i.Skip > 0; i.Skip-- {
		if _, err := i.RowIter.Next(ctx); err != nil {
			return nil, err
		}
	}
	return i.RowIter.Next(ctx)
}

// shownRows gives what is shown of rows.
type shownRows struct {
	sql.RowIter
	Shown []sql.Expression
	// late are the places of defaults that are expressions: they read the rest of the row.
	Late []int
}

// Spooled is the projection that the engine evaluates where it spools the rows of a plan; nil if there is none.
func Spooled(n sql.Node) *plan.Project {
	for {
		switch at := n.(type) {
		case *plan.Project:
			return at
		case *plan.Limit:
			n = at.Children()[0]
		default:
			return nil
		}
	}
}

// Next implements sql.RowIter.
func (i *shownRows) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := i.RowIter.Next(ctx)
	if err != nil {
		return nil, err
	}
	out := make(sql.Row, len(i.Shown))
	late := i.Late
	for k, e := range i.Shown {
		if len(late) > 0 && late[0] == k {
			late = late[1:]
			continue
		}
		if out[k], err = e.Eval(ctx, row); err != nil {
			return nil, err
		}
	}
	for _, k := range i.Late {
		if out[k], err = i.Shown[k].Eval(ctx, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Offset leaves out rows. A projection below it is not what the engine spools: see signed.
func Offset(ctx *sql.Context, engine sql.NodeExecBuilder, n *plan.Offset, row sql.Row) (sql.RowIter, error) {
	skip, err := iters.GetInt64Value(ctx, n.Offset)
	if err != nil {
		return nil, err
	}
	rows, err := engine.Build(ctx, n.Child, row)
	if err != nil {
		return nil, err
	}
	return &skippedRows{RowIter: Signed(rows), Skip: skip}, nil
}

// Project gives the rows of a projection, with the sign of -0, which the engine takes away. nil leaves it to it:
// ALTER TABLE's defaults are its own.
func Project(ctx *sql.Context, engine sql.NodeExecBuilder, n *plan.Project, row sql.Row) (sql.RowIter, error) {
	var late []int
	for i, e := range n.Projections {
		if _, alters := e.(plan.ColDefaultExpression); alters {
			return nil, nil
		}
		if d := compare.DefaultOf(e); d != nil && !d.IsLiteral() {
			late = append(late, i)
		}
	}
	rows, err := engine.Build(ctx, n.Child, row)
	if err != nil {
		return nil, err
	}
	return &shownRows{RowIter: rows, Shown: n.Projections, Late: late}, nil
}

// FoundRows is LIMIT with OFFSET of SQL_CALC_FOUND_ROWS, nil for any other: the engine counts the rows behind the
// OFFSET alone.
func FoundRows(ctx *sql.Context, engine sql.NodeExecBuilder, n *plan.Limit, row sql.Row) (sql.RowIter, error) {
	offset, ok := n.Child.(*plan.Offset)
	if !ok || !n.CalcFoundRows {
		return nil, nil
	}
	skip, err := iters.GetInt64Value(ctx, offset.Offset)
	if err != nil {
		return nil, err
	}
	left, err := limitRows(ctx, n.Limit)
	if err != nil {
		return nil, err
	}
	rows, err := engine.Build(ctx, offset.Child, row)
	if err != nil {
		return nil, err
	}
	return &foundRowsIter{RowIter: Signed(rows), Skip: skip, Left: left}, nil
}
