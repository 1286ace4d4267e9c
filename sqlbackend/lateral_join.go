package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
)

// lateralJoin builds the iterator of a join whose right side reads the row of the left one. The engine's own loses the
// row of the outer query, where the join stands in a subquery, and that of the other side, where it stands in another
// join.
func (x *executor) lateralJoin(ctx *sql.Context, join *plan.JoinNode, outer sql.Row) (sql.RowIter, error) {
	left, err := x.engine.Build(ctx, join.Left(), outer)
	if err != nil {
		return nil, err
	}
	right := join.Right()
	if strip, ok := right.(*plan.StripRowNode); ok {
		right = strip.Child
	}
	return &operator.LateralIter{RowIter: left, Join: join, Engine: x.engine, Outer: outer, Right: right,
		Width: len(right.Schema())}, nil
}
