package sqlbackend

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// quantified is a comparison with ANY or ALL values of a subquery. The values are
// compared one by one: what is true of one decides ANY, what is false of one ALL,
// and otherwise a NULL makes the answer NULL. Nothing is true of no values, so
// that ALL of them is true, whatever is compared.
type quantified struct {
	comparison  sql.Expression // of a row of two values, once settled; before, of anything
	left, query sql.Expression
	all         bool
	settled     bool
}

var _ sql.Expression = (*quantified)(nil)

// quantified settles how the values are compared: as operands of these types are.
func (c comparer) quantified(q *quantified) (sql.Expression, transform.TreeIdentity, error) {
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
	// Of the left side only its type counts: a constant could become one of another type.
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
	return &quantified{comparison: comparison, left: q.left, query: q.query, all: q.all, settled: true}, transform.NewTree, nil
}

// Resolved implements sql.Expression.
func (q *quantified) Resolved() bool { return q.left.Resolved() && q.query.Resolved() }

// Type implements sql.Expression.
func (q *quantified) Type() sql.Type { return types.Boolean }

// IsNullable implements sql.Expression.
func (q *quantified) IsNullable() bool { return true }

// Children implements sql.Expression.
func (q *quantified) Children() []sql.Expression { return []sql.Expression{q.left, q.query} }

// WithChildren implements sql.Expression.
func (q *quantified) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 2 {
		return nil, sql.ErrInvalidChildrenNumber.New(q, len(children), 2)
	}
	next := *q
	next.left, next.query = children[0], children[1]
	return &next, nil
}

// String implements fmt.Stringer.
func (q *quantified) String() string {
	return fmt.Sprintf("(%s %s %s %s)", q.left, operatorOf(q.comparison), quantifierName(q.all), q.query)
}

// Eval implements sql.Expression.
func (q *quantified) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
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
