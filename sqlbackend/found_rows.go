package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/iters"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
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
	left, err := operator.LimitRows(ctx, n.Limit)
	if err != nil {
		return nil, err
	}
	rows, err := x.engine.Build(ctx, offset.Child, row)
	if err != nil {
		return nil, err
	}
	return &operator.FoundRowsIter{RowIter: operator.Signed(rows), Skip: skip, Left: left}, nil
}
