package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
)

// setOperation builds UNION, INTERSECT and EXCEPT. The engine's own find equal
// rows by the Go values in them, and skip the rows of OFFSET before they sort.
func (x *executor) setOperation(ctx *sql.Context, n *plan.SetOp, row sql.Row) (sql.RowIter, error) {
	if n.Limit != nil || n.Offset != nil || len(n.SortFields) > 0 {
		var all sql.Node = plan.NewSetOp(n.SetOpType, n.Left(), n.Right(), n.Distinct, nil, nil,
			nil).WithColumns(n.Columns()).WithId(n.Id())
		if len(n.SortFields) > 0 {
			all = plan.NewSort(operator.ColumnSort(n.SortFields, n.Left().Schema()), all)
		}
		if n.Offset != nil {
			all = plan.NewOffset(n.Offset, all)
		}
		if n.Limit != nil {
			all = plan.NewLimit(n.Limit, all)
		}
		return x.engine.Build(ctx, all, row)
	}
	left, err := x.engine.Build(ctx, n.Left(), row)
	if err != nil {
		return nil, err
	}
	schema := n.Left().Schema()
	right := func(ctx *sql.Context) (sql.RowIter, error) { return x.engine.Build(ctx, n.Right(), row) }
	if n.SetOpType == plan.UnionType {
		var out sql.RowIter = &operator.UnionIter{Current: left, Following: right}
		if n.Distinct {
			out = &operator.DistinctIter{Child: out, Schema: schema}
		}
		return out, nil
	}
	if n.Distinct {
		left = &operator.DistinctIter{Child: left, Schema: schema}
	}
	return &operator.MatchIter{Child: left, Other: right, Schema: schema, All: !n.Distinct,
		Keep: n.SetOpType == plan.IntersectType}, nil
}
