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

// foundRowsIter skips rows, returns up to Left rows, and counts all of them.
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
	ctx.SetLastQueryInfoInt(sql.FoundRows, i.found) // a node below may have set its own number of rows
	return err
}

// Signed returns the rows of a result with the sign of -0. The engine's projection drops it, except where it spools
// rows.
func Signed(iter sql.RowIter) sql.RowIter {
	rows, shown := gms.GetDeferredProjections(iter)
	if shown == nil {
		return iter
	}
	return &shownRows{RowIter: rows, Shown: shown}
}

// skippedRows returns the rows after the first Skip rows.
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

// shownRows computes the shown expressions of rows.
type shownRows struct {
	sql.RowIter
	Shown []sql.Expression
	// Late are the indexes of columns' default expressions, which read the rest of the row.
	Late []int
}

// Spooled returns the projection that the engine evaluates while it spools a plan's rows; nil if there is none.
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

// Offset builds OFFSET. The engine doesn't spool the rows of a projection below it: see Signed.
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

// Project builds a projection that keeps the sign of -0, which the engine's drops. nil leaves it to the engine:
// ALTER TABLE evaluates defaults itself.
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

// FoundRows builds LIMIT with OFFSET of SQL_CALC_FOUND_ROWS; nil for other limits. The engine would count only the
// rows after the OFFSET.
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
