package operator

import (
	"errors"
	"io"

	gms "github.com/dolthub/go-mysql-server/server"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
)

// FoundRowsIter gives the rows behind some, no more than are wanted, and counts all.
type FoundRowsIter struct {
	sql.RowIter
	Skip, Left, found int64
}

// Next implements sql.RowIter.
func (i *FoundRowsIter) Next(ctx *sql.Context) (sql.Row, error) {
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
func (i *FoundRowsIter) Close(ctx *sql.Context) error {
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
	return &ShownRows{RowIter: rows, Shown: shown}
}

// SkippedRows gives the rows behind some.
type SkippedRows struct {
	sql.RowIter
	Skip int64
}

// Next implements sql.RowIter.
func (i *SkippedRows) Next(ctx *sql.Context) (sql.Row, error) {
	for ; i.Skip > 0; i.Skip-- {
		if _, err := i.RowIter.Next(ctx); err != nil {
			return nil, err
		}
	}
	return i.RowIter.Next(ctx)
}

// ShownRows gives what is shown of rows.
type ShownRows struct {
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
func (i *ShownRows) Next(ctx *sql.Context) (sql.Row, error) {
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
