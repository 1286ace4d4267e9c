package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
)

// recursion builds WITH RECURSIVE. The engine's iterator leaves the rows of a round in the working table of the plan,
// which all references to one expression share: where two are read at the same time, one reads the other's. It also
// finds equal rows by the Go values in them.
func (x *executor) recursion(ctx *sql.Context, n *plan.RecursiveCte, row sql.Row) (sql.RowIter, error) {
	union := n.Union()
	if union.Limit == nil && len(union.SortFields) == 0 {
		return &operator.RecursiveIter{Engine: x.engine, Plan: n, Outer: row}, nil
	}
	var all sql.Node = plan.NewRecursiveCte(n.Left(), n.Right(), n.Name(), n.ColumnNames, union.Distinct, nil, nil).
		WithSchema(n.Schema()).WithWorking(n.Working).WithId(n.Id()).WithColumns(n.Columns())
	if len(union.SortFields) > 0 {
		all = plan.NewSort(operator.ColumnSort(union.SortFields, n.Schema()), all)
	}
	if union.Limit != nil {
		all = plan.NewLimit(union.Limit, all)
	}
	return x.engine.Build(ctx, all, row)
}
