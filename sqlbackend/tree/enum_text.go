package tree

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// EnumNumber is the number of an ENUM, its place in the list, or of a SET, its
// bits.
type EnumNumber struct {
	expression.UnaryExpression
}

var _ sql.Expression = (*EnumNumber)(nil)

// Type implements sql.Expression.
func (n *EnumNumber) Type() sql.Type { return types.Uint64 }

// Eval implements sql.Expression.
func (n *EnumNumber) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := n.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if v, _, err = n.Child.Type().Convert(ctx, v); err != nil {
		return nil, err
	}
	v, _, err = types.Uint64.Convert(ctx, v)
	return v, err
}

// WithChildren implements sql.Expression.
func (n *EnumNumber) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(n, len(children), 1)
	}
	return &EnumNumber{expression.UnaryExpression{Child: children[0]}}, nil
}

// String implements fmt.Stringer.
func (n *EnumNumber) String() string { return n.Child.String() }
