package sqlbackend

import (
	gms "github.com/dolthub/go-mysql-server/server"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/iters"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
)

// wholeBuilder is the engine's builder of iterators; it notes the plan that runs.
type wholeBuilder struct {
	sql.NodeExecBuilder
}

// Build implements sql.NodeExecBuilder.
func (b wholeBuilder) Build(ctx *sql.Context, n sql.Node, row sql.Row) (sql.RowIter, error) {
	if s, ok := ctx.Session.(*Session); ok && !s.work.executed {
		s.work.executed, s.work.plan = true, n
	}
	return b.NodeExecBuilder.Build(ctx, n, row)
}

// signed gives the rows of a result with the sign of -0, which the engine's projection takes away, but not
// where it spools rows.
func signed(iter sql.RowIter) sql.RowIter {
	rows, shown := gms.GetDeferredProjections(iter)
	if shown == nil {
		return iter
	}
	return &shownRows{RowIter: rows, shown: shown}
}

// offset leaves out rows. A projection below it is not what the engine spools: see signed.
func (x *executor) offset(ctx *sql.Context, n *plan.Offset, row sql.Row) (sql.RowIter, error) {
	skip, err := iters.GetInt64Value(ctx, n.Offset)
	if err != nil {
		return nil, err
	}
	rows, err := x.engine.Build(ctx, n.Child, row)
	if err != nil {
		return nil, err
	}
	return &skippedRows{RowIter: signed(rows), skip: skip}, nil
}

// skippedRows gives the rows behind some.
type skippedRows struct {
	sql.RowIter
	skip int64
}

// Next implements sql.RowIter.
func (i *skippedRows) Next(ctx *sql.Context) (sql.Row, error) {
	for ; i.skip > 0; i.skip-- {
		if _, err := i.RowIter.Next(ctx); err != nil {
			return nil, err
		}
	}
	return i.RowIter.Next(ctx)
}

// shownRows gives what is shown of rows.
type shownRows struct {
	sql.RowIter
	shown []sql.Expression
	// late are the places of defaults that are expressions: they read the rest of the row.
	late []int
}

// project gives the rows of a projection, with the sign of -0, which the engine takes away. nil leaves it to it:
// what it spools is evaluated there, and ALTER TABLE's defaults are its own.
func (x *executor) project(ctx *sql.Context, n *plan.Project, row sql.Row) (sql.RowIter, error) {
	if s, ok := ctx.Session.(*Session); ok && n == spooled(s.work.plan) {
		return nil, nil
	}
	var late []int
	for i, e := range n.Projections {
		if _, alters := e.(plan.ColDefaultExpression); alters {
			return nil, nil
		}
		if d := compare.DefaultOf(e); d != nil && !d.IsLiteral() {
			late = append(late, i)
		}
	}
	rows, err := x.engine.Build(ctx, n.Child, row)
	if err != nil {
		return nil, err
	}
	return &shownRows{RowIter: rows, shown: n.Projections, late: late}, nil
}

// spooled is the projection that the engine evaluates where it spools the rows of a plan; nil if there is none.
func spooled(n sql.Node) *plan.Project {
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
	out := make(sql.Row, len(i.shown))
	late := i.late
	for k, e := range i.shown {
		if len(late) > 0 && late[0] == k {
			late = late[1:]
			continue
		}
		if out[k], err = e.Eval(ctx, row); err != nil {
			return nil, err
		}
	}
	for _, k := range i.late {
		if out[k], err = i.shown[k].Eval(ctx, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}
