package operator

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/iters"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
)

// What rows are sorted by the engine evaluates for each comparison, of rows that it has put values of its own behind: a
// number where the first ones are kept, the text that GROUP_CONCAT adds. What a subquery reads stands behind the row
// that it is evaluated for, so that it would take its own columns for others; a random value would be another one each
// time; and all that is computed is computed some thirty times. So keys are computed once for each row, before it is
// sorted.

// sortKeyed is a sort by keys of which some are computed; nil for others.
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

// Sort builds a sort. nil leaves it to the engine.
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
