package compare

import (
	"errors"
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
)

// ResultColumn is a column of a row counted from its end: within a subquery, the values of the outer query come
// before.
type ResultColumn struct {
	FromEnd int
	Column  *sql.Column
}

// Placed implements tree.Placed.
func (*ResultColumn) Placed() {}

// Resolved implements sql.Expression.
func (c *ResultColumn) Resolved() bool { return true }

// String implements fmt.Stringer.
func (c *ResultColumn) String() string { return c.Column.Name }

// Type implements sql.Expression.
func (c *ResultColumn) Type() sql.Type { return c.Column.Type }

// IsNullable implements sql.Expression.
func (c *ResultColumn) IsNullable() bool { return true }

// Eval implements sql.Expression.
func (c *ResultColumn) Eval(_ *sql.Context, row sql.Row) (interface{}, error) {
	if c.FromEnd > len(row) {
		return nil, fmt.Errorf("sqlbackend: sort by column %s of a row of %d: %w", c.Column.Name, len(row), ErrNoColumn)
	}
	return row[len(row)-c.FromEnd], nil
}

// Children implements sql.Expression.
func (c *ResultColumn) Children() []sql.Expression { return nil }

// WithChildren implements sql.Expression.
func (c *ResultColumn) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 0 {
		return nil, sql.ErrInvalidChildrenNumber.New(c, len(children), 0)
	}
	return c, nil
}

// ErrNoColumn says that a row is shorter than its schema.
var ErrNoColumn = errors.New("row has no such column")

// ScalarValue is the value of a scalar subquery's column. It compares as the column does, where a literal might take
// the type of the other operand.
type ScalarValue struct {
	Value        any
	Typ          sql.Type
	Collation    sql.CollationID
	Coercibility byte
}

// PushdownOperand implements pushdown.Operand: it is a constant.
func (v *ScalarValue) PushdownOperand() sql.Expression {
	return expression.NewLiteral(v.Value, v.Typ)
}

// Type implements sql.Expression.
func (v *ScalarValue) Type() sql.Type { return v.Typ }

// CollationCoercibility implements sql.CollationCoercible.
func (v *ScalarValue) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return v.Collation, v.Coercibility
}

// Eval implements sql.Expression.
func (v *ScalarValue) Eval(*sql.Context, sql.Row) (interface{}, error) { return v.Value, nil }

// IsNullable implements sql.Expression.
func (v *ScalarValue) IsNullable() bool { return true }

// Resolved implements sql.Expression.
func (v *ScalarValue) Resolved() bool { return true }

// Children implements sql.Expression.
func (v *ScalarValue) Children() []sql.Expression { return nil }

// WithChildren implements sql.Expression.
func (v *ScalarValue) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	return sql.NillaryWithChildren(v, children...)
}

// String implements fmt.Stringer.
func (v *ScalarValue) String() string { return v.PushdownOperand().String() }
