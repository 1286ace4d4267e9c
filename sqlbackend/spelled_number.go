package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// spelledNumber is the number that a string spells: what a string counts for
// beside a number.
type spelledNumber struct {
	expression.UnaryExpression
}

var _ sql.Expression = (*spelledNumber)(nil)

// spelledOperands makes numbers of the strings of columns that are compared
// with columns of numbers. The engine does so for each pair of values, but it
// also joins the two by indexes that have them in different orders.
func (c comparer) spelledOperands(operands []sql.Expression) ([]sql.Expression, bool) {
	var columns [classJSON + 1]bool
	for _, o := range operands {
		if _, literal := o.(*expression.Literal); !literal {
			columns[c.class(o)] = true
		}
	}
	if !columns[classNumber] || !columns[classText] {
		return operands, false
	}
	numbers, _ := each(operands, func(o sql.Expression) sql.Expression {
		if c.class(o) != classText {
			return o
		}
		return &spelledNumber{expression.UnaryExpression{Child: unwrapped(o)}}
	})
	numbers, _ = c.numberOperands(numbers)
	return numbers, true
}

// Type implements sql.Expression.
func (n *spelledNumber) Type() sql.Type { return types.Float64 }

// Eval implements sql.Expression.
func (n *spelledNumber) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := n.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	return asDouble(ctx, v), nil
}

// WithChildren implements sql.Expression.
func (n *spelledNumber) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(n, len(children), 1)
	}
	return &spelledNumber{expression.UnaryExpression{Child: children[0]}}, nil
}

// String implements fmt.Stringer.
func (n *spelledNumber) String() string { return n.Child.String() }
