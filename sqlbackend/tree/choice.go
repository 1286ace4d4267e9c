package tree

import (
	"fmt"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// Case is CASE that gives values of one type: numbers, JSON, dates or times. Its numbers are exact, where the
// engine's rounds decimals to ten places and cuts integers to 64 bits. The engine's also makes a JSON null of NULL,
// and texts of times.
type Case struct {
	Conditions, Values []sql.Expression
	Other              sql.Expression // nil without ELSE
	Result             sql.Type
	Text               string
}

var _ sql.FunctionExpression = (*Case)(nil)

// FunctionName implements sql.FunctionExpression.
func (c *Case) FunctionName() string { return "case" }

// Description implements sql.FunctionExpression.
func (c *Case) Description() string {
	return "returns the value of the first condition that holds"
}

// Resolved implements sql.Expression.
func (c *Case) Resolved() bool { return expression.ExpressionsResolved(c.Children()...) }

// Type implements sql.Expression.
func (c *Case) Type() sql.Type { return c.Result }

// IsNullable implements sql.Expression.
func (c *Case) IsNullable() bool { return true }

// Children implements sql.Expression.
func (c *Case) Children() []sql.Expression {
	out := slices.Concat(c.Conditions, c.Values)
	if c.Other != nil {
		out = append(out, c.Other)
	}
	return out
}

// WithChildren implements sql.Expression.
func (c *Case) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != len(c.Children()) {
		return nil, sql.ErrInvalidChildrenNumber.New(c, len(children), len(c.Children()))
	}
	next, n := *c, len(c.Conditions)
	next.Conditions, next.Values = children[:n:n], children[n:2*n:2*n]
	if c.Other != nil {
		next.Other = children[2*n]
	}
	return &next, nil
}

// Eval implements sql.Expression.
func (c *Case) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	for i, condition := range c.Conditions {
		holds, err := sql.EvaluateCondition(ctx, condition, row)
		if err != nil {
			return nil, err
		}
		if sql.IsTrue(holds) {
			return c.Values[i].Eval(ctx, row)
		}
	}
	if c.Other == nil {
		return nil, nil
	}
	return c.Other.Eval(ctx, row)
}

// String implements fmt.Stringer.
func (c *Case) String() string { return c.Text }

// IfNull is IFNULL. It asks each operand once for its type; the engine's asks twice, and so 2^n times when n of them
// stand inside one another.
type IfNull struct {
	expression.BinaryExpressionStub
}

var _ sql.FunctionExpression = (*IfNull)(nil)
var _ sql.CollationCoercible = (*IfNull)(nil)

// NewIfNull returns IFNULL.
func NewIfNull(left, right sql.Expression) *IfNull {
	return &IfNull{expression.BinaryExpressionStub{LeftChild: left, RightChild: right}}
}

// FunctionName implements sql.FunctionExpression.
func (f *IfNull) FunctionName() string { return "ifnull" }

// Description implements sql.FunctionExpression.
func (f *IfNull) Description() string {
	return "returns the first value, or the second one if that is NULL"
}

// Type implements sql.Expression: the left operand's type, unless that is NULL.
func (f *IfNull) Type() sql.Type {
	if t := f.LeftChild.Type(); t != types.Null {
		return t
	}
	return f.RightChild.Type()
}

// IsNullable implements sql.Expression. The left operand decides, as in the engine's: the right one may be a column
// that is NOT NULL in its table, and NULL in an outer join.
func (f *IfNull) IsNullable() bool {
	if types.IsNull(f.LeftChild) {
		return f.RightChild.IsNullable()
	}
	return f.LeftChild.IsNullable()
}

// CollationCoercibility implements sql.CollationCoercible.
func (f *IfNull) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	if !types.IsNull(f.LeftChild) {
		return sql.GetCoercibility(ctx, f.LeftChild)
	}
	return sql.GetCoercibility(ctx, f.RightChild)
}

// WithChildren implements sql.Expression.
func (f *IfNull) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 2 {
		return nil, sql.ErrInvalidChildrenNumber.New(f, len(children), 2)
	}
	return NewIfNull(children[0], children[1]), nil
}

// Eval implements sql.Expression.
func (f *IfNull) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	if left, err := f.LeftChild.Eval(ctx, row); left != nil || err != nil {
		return left, err
	}
	return f.RightChild.Eval(ctx, row)
}

// String implements fmt.Stringer.
func (f *IfNull) String() string { return fmt.Sprintf("ifnull(%s, %s)", f.LeftChild, f.RightChild) }

// Switch is a CASE that compares a value with others, and evaluates that value once: the engine's evaluates it for each
// comparison, and so n^m times where it is such a CASE itself.
type Switch struct{ *expression.Case }

// SwitchOf returns a CASE whose operand is a CASE as a Switch.
func SwitchOf(c *expression.Case) sql.Expression {
	if c.Expr == nil || !transform.InspectExpr(c.Expr, func(e sql.Expression) bool {
		switch e.(type) {
		case *expression.Case, *Switch:
			return true
		}
		return false
	}) {
		return c
	}
	return &Switch{c}
}

// WithChildren implements sql.Expression.
func (s *Switch) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	next, err := s.Case.WithChildren(children...)
	if c, ok := next.(*expression.Case); ok && err == nil {
		return &Switch{c}, nil
	}
	return next, err
}

// Eval implements sql.Expression.
func (s *Switch) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := s.Expr.Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	return expression.NewCase(expression.NewLiteral(v, s.Expr.Type()), s.Branches, s.Else).Eval(ctx, row)
}
