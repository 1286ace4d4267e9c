package operator

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

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
	for {
		row, err := i.Child.Next(ctx)
		if err != nil {
			return nil, err
		}
		if is, err := Holds(ctx, i.Condition, row); is || err != nil {
			return row, err
		}
	}
}

// Holds reports whether a condition, with the kernel that it can have, is true of a row.
func Holds(ctx *sql.Context, condition sql.Expression, row sql.Row) (bool, error) {
	if k, ok := condition.(*kernel.Kernel); ok {
		return k.True(ctx, row)
	}
	v, err := sql.EvaluateCondition(ctx, condition, row)
	return sql.IsTrue(v), err
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

// Filter builds the rows that fulfil a condition.
func Filter(ctx *sql.Context, engine sql.NodeExecBuilder, n *plan.Filter, row sql.Row) (sql.RowIter, error) {
	if l, constant := n.Expression.(*expression.Literal); constant && l.Val == false {
		return sql.RowsToRowIter(), nil // a side of a join, see keepSides
	}
	child, err := engine.Build(ctx, n.Child, row)
	if err != nil {
		return nil, err
	}
	return &FilterIter{Child: child, Condition: kernel.Of(n.Expression)}, nil
}
