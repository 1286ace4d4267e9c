package compare

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// Quantified is a comparison with ANY or ALL values of a subquery. The values are compared one by one: a true
// comparison decides ANY, a false one ALL, and otherwise a NULL makes the answer NULL. Without values, ANY is false
// and ALL is true.
type Quantified struct {
	comparison  sql.Expression // over a row of two values, once settled; before, any comparison
	left, query sql.Expression
	all         bool
	settled     bool
}

var _ sql.Expression = (*Quantified)(nil)

// quantified settles how the values are compared: like operands of their types.
func (c Comparer) quantified(q *Quantified) (sql.Expression, transform.TreeIdentity, error) {
	if q.settled || !q.left.Resolved() || !q.query.Resolved() {
		return q, transform.SameTree, nil
	}
	query, ok := q.query.(*plan.Subquery)
	if !ok {
		return nil, transform.SameTree, expression.ErrUnsupportedInOperand.New(q.query)
	}
	if types.NumColumns(q.left.Type()) != 1 {
		return nil, transform.SameTree, sql.ErrInvalidOperandColumns.New(1, types.NumColumns(q.left.Type()))
	}
	if n := len(query.Query.Schema()); n != 1 {
		return nil, transform.SameTree, sql.ErrInvalidOperandColumns.New(1, n)
	}
	// Only the left side's type matters: a constant could become one of another type.
	comparison, err := q.comparison.WithChildren(
		expression.NewGetField(0, q.left.Type(), "value", true),
		expression.NewGetField(1, q.query.Type(), "value", true))
	if err != nil {
		return nil, transform.SameTree, err
	}
	op := opOrder
	if _, ok := comparison.(*expression.Equals); ok {
		op = opEqual
	}
	if comparison, _, err = c.comparison(comparison, op); err != nil {
		return nil, transform.SameTree, err
	}
	return &Quantified{comparison: comparison, left: q.left, query: q.query, all: q.all, settled: true}, transform.NewTree,
		nil
}

// Resolved implements sql.Expression.
func (q *Quantified) Resolved() bool { return q.left.Resolved() && q.query.Resolved() }

// Type implements sql.Expression.
func (q *Quantified) Type() sql.Type { return types.Boolean }

// IsNullable implements sql.Expression.
func (q *Quantified) IsNullable() bool { return true }

// Children implements sql.Expression.
func (q *Quantified) Children() []sql.Expression { return []sql.Expression{q.left, q.query} }

// WithChildren implements sql.Expression.
func (q *Quantified) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 2 {
		return nil, sql.ErrInvalidChildrenNumber.New(q, len(children), 2)
	}
	next := *q
	next.left, next.query = children[0], children[1]
	return &next, nil
}

// String implements fmt.Stringer.
func (q *Quantified) String() string {
	return fmt.Sprintf("(%s %s %s %s)", q.left, operatorOf(q.comparison), quantifierName(q.all), q.query)
}

// Eval implements sql.Expression.
func (q *Quantified) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	query, ok := q.query.(*plan.Subquery)
	if !ok || !q.settled {
		return nil, expression.ErrUnsupportedInOperand.New(q.query)
	}
	values, err := query.EvalMultiple(ctx, row)
	if err != nil {
		return nil, err
	}
	if len(values) == 0 {
		return q.all, nil
	}
	left, err := q.left.Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	hasNull := false
	for _, v := range values {
		result, err := q.comparison.Eval(ctx, sql.Row{left, v})
		if err != nil {
			return nil, err
		}
		if result == nil {
			hasNull = true
		} else if result != q.all {
			return !q.all, nil
		}
	}
	if hasNull {
		return nil, nil
	}
	return q.all, nil
}

// Quantifier is ANY or ALL of a subquery, until its comparison becomes a Quantified.
type Quantifier struct {
	expression.UnaryExpression
	All bool
}

// WithResolvedChildren implements ast.Injectable.
func (q *Quantifier) WithResolvedChildren(children []any) (any, error) {
	if len(children) == 1 {
		if query, ok := children[0].(*plan.Subquery); ok {
			return &Quantifier{expression.UnaryExpression{Child: query}, q.All}, nil
		}
	}
	return nil, sql.ErrInvalidChildrenNumber.New(q, len(children), 1)
}

// Type implements sql.Expression.
func (q *Quantifier) Type() sql.Type { return q.Child.Type() }

// Eval implements sql.Expression. A Quantifier has a meaning only in a comparison.
func (q *Quantifier) Eval(*sql.Context, sql.Row) (interface{}, error) {
	return nil, expression.ErrUnsupportedInOperand.New(q.Child)
}

// WithChildren implements sql.Expression.
func (q *Quantifier) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(q, len(children), 1)
	}
	return &Quantifier{expression.UnaryExpression{Child: children[0]}, q.All}, nil
}

// String implements fmt.Stringer. In a derived table the plan builder calls it before the subquery is built.
func (q *Quantifier) String() string {
	if q.Child == nil {
		return quantifierName(q.All)
	}
	return quantifierName(q.All) + " " + q.Child.String()
}

func quantifierName(all bool) string {
	if all {
		return "ALL"
	}
	return "ANY"
}
