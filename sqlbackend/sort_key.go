package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/iters"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
)

// What rows are sorted by the engine evaluates for each comparison, of rows that it has put values of its own behind: a
// number where the first ones are kept, the text that GROUP_CONCAT adds. What a subquery reads stands behind the row
// that it is evaluated for, so that it would take its own columns for others; a random value would be another one each
// time; and all that is computed is computed some thirty times. So keys are computed once for each row, before it is
// sorted.

// sortKeyed is a sort by keys of which some are computed; nil for others.
func (x *executor) sortKeyed(ctx *sql.Context, n *plan.Sort, row sql.Row) (sql.RowIter, error) {
	fields, keys := compare.KeyedFields(n.SortFields, 0)
	if keys == nil {
		return nil, nil
	}
	rows, err := x.engine.Build(ctx, n.Child, row)
	if err != nil {
		return nil, err
	}
	held := &hold.HeldIter{RowIter: compare.Keyed{RowIter: rows, Keys: keys}}
	return compare.Unkeyed{RowIter: iters.NewSortIter(fields, held), Keys: len(keys)}, nil
}

// first is the rows that come first, by keys of which some may be computed.
func (x *executor) first(ctx *sql.Context, n *plan.TopN, row sql.Row) (sql.RowIter, error) {
	taken, err := operator.LimitRows(ctx, n.Limit)
	if err != nil {
		return nil, err
	}
	rows, err := x.engine.Build(ctx, n.Child, row)
	if err != nil || plan.IsEmptyIter(rows) {
		return rows, err
	}
	fields, keys := compare.KeyedFields(n.Fields, 1)
	if keys == nil {
		fields, _ = hold.StoppableFields(n.Fields)
		return operator.NewTopRows(rows, n, fields, taken, 0), nil
	}
	return operator.NewTopRows(compare.Keyed{RowIter: rows, Keys: keys}, n, fields, taken, len(keys)), nil
}
