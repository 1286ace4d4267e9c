package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/kernel"
)

// filterIter gives the rows of which a condition is true.
type filterIter struct {
	child     sql.RowIter
	condition sql.Expression
}

var _ sql.RowIter = (*filterIter)(nil)

// Next implements sql.RowIter.
func (i *filterIter) Next(ctx *sql.Context) (sql.Row, error) {
	k, _ := i.condition.(*kernel.Kernel)
	for {
		row, err := i.child.Next(ctx)
		if err != nil {
			return nil, err
		}
		var is bool
		if k != nil {
			is, err = k.True(ctx, row)
		} else {
			var v any
			v, err = sql.EvaluateCondition(ctx, i.condition, row)
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
func (i *filterIter) Close(ctx *sql.Context) error { return i.child.Close(ctx) }

// kernels are expressions with the kernels that they can have.
func kernels(of []sql.Expression) []sql.Expression {
	out := make([]sql.Expression, len(of))
	for i, e := range of {
		out[i] = kernel.Of(e)
	}
	return out
}
