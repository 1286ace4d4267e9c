package functions

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function"

	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// sign is SIGN. The engine's converts a DECIMAL to an integer first, and so 0.4 to 0.
type sign struct {
	*function.Sign
}

var _ sql.FunctionExpression = (*sign)(nil)

// NewSign returns SIGN.
func NewSign(number sql.Expression) sql.Expression {
	return &sign{function.NewSign(number).(*function.Sign)}
}

// Eval implements sql.Expression.
func (s *sign) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := s.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return nil, err
	}
	switch f := value.AsDouble(ctx, v); {
	case f > 0:
		return int8(1), nil
	case f < 0:
		return int8(-1), nil
	}
	return int8(0), nil
}

// WithChildren implements sql.Expression.
func (s *sign) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(s, len(children), 1)
	}
	return NewSign(children[0]), nil
}
