package tree

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
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
