package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// inRows is IN of a row value over a subquery of several columns: each column is
// compared as = compares it, and NULL is equal to nothing. The engine converts the
// rows to the types of the left side, and takes NULL for equal to NULL. Its child is
// the engine's IN, of which alone the engine's validation knows that it may hold rows.
type inRows struct {
	expression.UnaryExpression
	columns []inSubquery
}

// inRowsOf is IN of rows in our way; nil where the engine's stays.
func (c comparer) inRowsOf(e *plan.InSubquery, left expression.Tuple, query *plan.Subquery) sql.Expression {
	schema := query.Query.Schema()
	if len(schema) != len(left) {
		return nil
	}
	columns := make([]inSubquery, len(left))
	for i := range left {
		column := expression.NewGetField(0, schema[i].Type, "value", true)
		if c.kind(left[i]) == kindNull || c.kind(column) == kindNull {
			null := expression.NewLiteral(nil, types.Null)
			columns[i].sides = inSides{left: null, right: null}
			continue
		}
		sides, ok := c.inSides(left[i], column)
		if !ok {
			return nil
		}
		columns[i].sides = sides
	}
	return &inRows{expression.UnaryExpression{Child: e}, columns}
}

// Type implements sql.Expression.
func (s *inRows) Type() sql.Type { return types.Boolean }

// IsNullable implements sql.Expression.
func (s *inRows) IsNullable() bool { return true }

// WithChildren implements sql.Expression. The rule that makes the node meets its child again.
func (s *inRows) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(s, len(children), 1)
	}
	if again, ok := children[0].(*inRows); ok {
		return again, nil
	}
	return &inRows{expression.UnaryExpression{Child: children[0]}, s.columns}, nil
}

// String implements fmt.Stringer.
func (s *inRows) String() string { return s.Child.String() }

// Eval implements sql.Expression.
func (s *inRows) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	in, ok := s.Child.(*plan.InSubquery)
	if !ok {
		return nil, expression.ErrUnsupportedInOperand.New(s.Child)
	}
	query, ok := in.RightChild.(*plan.Subquery)
	left, isTuple := in.LeftChild.(expression.Tuple)
	if !ok || !isTuple {
		return nil, expression.ErrUnsupportedInOperand.New(in.RightChild)
	}
	rows, err := query.EvalMultiple(ctx, row)
	if err != nil || len(rows) == 0 {
		return false, err
	}
	wanted := make([]rowPart, len(left))
	for i, e := range left {
		v, err := e.Eval(ctx, row)
		if err != nil {
			return nil, err
		}
		if wanted[i].key, wanted[i].there, err = s.columns[i].keyed(ctx, s.columns[i].sides.left, v); err != nil {
			return nil, err
		}
	}
	perhaps := false
	for _, r := range rows {
		values, ok := r.([]interface{})
		if !ok || len(values) != len(wanted) {
			return nil, sql.ErrInvalidOperandColumns.New(len(wanted), 1)
		}
		equal, null, err := s.compare(ctx, wanted, values)
		switch {
		case err != nil:
			return nil, err
		case equal && !null:
			return true, nil
		case equal:
			perhaps = true
		}
	}
	if perhaps {
		return nil, nil
	}
	return false, nil
}

// rowPart is a value of the left side: its key, unless it is NULL.
type rowPart struct {
	key   string
	there bool
}

// compare tells whether no column differs, and whether one of them is NULL.
func (s *inRows) compare(ctx *sql.Context, wanted []rowPart, values []interface{}) (equal, null bool, err error) {
	for i, v := range values {
		key, there, err := s.columns[i].keyed(ctx, s.columns[i].sides.right, v)
		switch {
		case err != nil:
			return false, false, err
		case !there || !wanted[i].there:
			null = true
		case key != wanted[i].key:
			return false, false, nil
		}
	}
	return true, null, nil
}
