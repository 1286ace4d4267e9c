package operator

import "github.com/dolthub/go-mysql-server/sql"

// Node is a node of a plan that builds its own iterator, of rows behind the columns of an outer query. What the engine
// builds below it comes from engine.
type Node interface {
	sql.Node
	Build(ctx *sql.Context, engine sql.NodeExecBuilder, row sql.Row) (sql.RowIter, error)
}

var (
	_ Node = (*OrNulls)(nil)
	_ Node = (*WindowInput)(nil)
)
