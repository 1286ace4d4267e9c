package operator

import (
	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/kernel"
)

// FilterIter gives the rows of which a condition is true.
type FilterIter struct {
	Child     sql.RowIter
	Condition sql.Expression
}

var _ sql.RowIter = (*FilterIter)(nil)

// Next implements sql.RowIter.
func (i *FilterIter) Next(ctx *sql.Context) (sql.Row, error) {
	k, _ := i.Condition.(*kernel.Kernel)
	for {
		row, err := i.Child.Next(ctx)
		if err != nil {
			return nil, err
		}
		var is bool
		if k != nil {
			is, err = k.True(ctx, row)
		} else {
			var v any
			v, err = sql.EvaluateCondition(ctx, i.Condition, row)
			is = sql.IsTrue(v)
		}
		if err != nil {
			return nil, err
		}
		if is {
			return row, nil
		}
	}
}

// Close implements sql.RowIter.
func (i *FilterIter) Close(ctx *sql.Context) error { return i.Child.Close(ctx) }

// Kernels are expressions with the kernels that they can have.
func Kernels(of []sql.Expression) []sql.Expression {
	out := make([]sql.Expression, len(of))
	for i, e := range of {
		out[i] = kernel.Of(e)
	}
	return out
}
