package operator

import "github.com/dolthub/go-mysql-server/sql"

// Node is a plan node that builds its own iterator. Its rows follow the values of the outer query's row. engine
// builds the nodes below it.
type Node interface {
	sql.Node
	Build(ctx *sql.Context, engine sql.NodeExecBuilder, row sql.Row) (sql.RowIter, error)
}

var (
	_ Node = (*OrNulls)(nil)
	_ Node = (*WindowInput)(nil)
)
