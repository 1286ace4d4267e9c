package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/iters"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

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
	return &operator.SkippedRows{RowIter: operator.Signed(rows), Skip: skip}, nil
}

// project gives the rows of a projection, with the sign of -0, which the engine takes away. nil leaves it to it:
// what it spools is evaluated there, and ALTER TABLE's defaults are its own.
func (x *executor) project(ctx *sql.Context, n *plan.Project, row sql.Row) (sql.RowIter, error) {
	if s, ok := ctx.Session.(*session.Session); ok && n == operator.Spooled(s.Work.Plan) {
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
	return &operator.ShownRows{RowIter: rows, Shown: n.Projections, Late: late}, nil
}
