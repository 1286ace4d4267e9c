package operator

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/iters"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
)

// The engine evaluates sort expressions for each comparison, on rows to which it has appended values: a number where
// the first rows are kept, or GROUP_CONCAT's text. A subquery's own columns follow the row that it is evaluated for,
// so it would read these values instead. A random value would be another one each time. And each expression is
// computed some thirty times. So keys are computed once for each row, before sorting.

// sortKeyed builds a sort of which some keys are computed; nil for others.
func sortKeyed(ctx *sql.Context, engine sql.NodeExecBuilder, n *plan.Sort, row sql.Row) (sql.RowIter, error) {
	fields, keys := compare.KeyedFields(n.SortFields, 0)
	if keys == nil {
		return nil, nil
	}
	rows, err := engine.Build(ctx, n.Child, row)
	if err != nil {
		return nil, err
	}
	held := &hold.HeldIter{RowIter: compare.Keyed{RowIter: rows, Keys: keys}}
	return compare.Unkeyed{RowIter: iters.NewSortIter(fields, held), Keys: len(keys)}, nil
}

// Sort builds a sort; nil leaves it to the engine.
func Sort(ctx *sql.Context, engine sql.NodeExecBuilder, n *plan.Sort, row sql.Row) (sql.RowIter, error) {
	if iter, err := sortKeyed(ctx, engine, n, row); iter != nil || err != nil {
		return iter, err
	}
	fields, ok := hold.StoppableFields(n.SortFields)
	if !ok {
		return nil, nil
	}
	return engine.Build(ctx, plan.NewSort(fields, hold.HoldRows(n.Child)), row)
}
