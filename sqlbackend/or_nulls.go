package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
)

// orNulls builds the iterator of the node.
func (x *executor) orNulls(ctx *sql.Context, n *operator.OrNulls, row sql.Row) (sql.RowIter, error) {
	rows, err := x.engine.Build(ctx, n.Child, row)
	if err != nil {
		return nil, err
	}
	return &operator.OrNullsIter{RowIter: rows, Condition: n.Condition, Before: row, Width: len(n.Child.Schema())}, nil
}
