package compare

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
)

// inRows is IN of a row value over a subquery of several columns: each column is compared as = compares it, and NULL
// equals nothing. The engine converts the rows to the types of the left side, and takes NULL for equal to NULL. Its
// child is the engine's IN: the engine's validation allows rows as an operand for that node alone.
type inRows struct {
	expression.UnaryExpression
	columns []InSubquery
	cache   *hold.RowKeys
}

// inRowsOf returns our own IN of rows; nil where the engine's stays.
func (c Comparer) inRowsOf(e *plan.InSubquery, left expression.Tuple, query *plan.Subquery) sql.Expression {
	schema := query.Query.Schema()
	if len(schema) != len(left) {
		return nil
	}
	columns := make([]InSubquery, len(left))
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
	return &inRows{expression.UnaryExpression{Child: e}, columns, &hold.RowKeys{}}
}

// Type implements sql.Expression.
func (s *inRows) Type() sql.Type { return types.Boolean }

// IsNullable implements sql.Expression.
func (s *inRows) IsNullable() bool { return true }

// WithChildren implements sql.Expression. The rule that makes the node meets its child again, and IN of an empty
// result is a constant.
func (s *inRows) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(s, len(children), 1)
	}
	switch child := children[0].(type) {
	case *inRows, *expression.Literal:
		return child, nil
	}
	return &inRows{expression.UnaryExpression{Child: children[0]}, s.columns, &hold.RowKeys{}}, nil
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
	rows, err := s.rowsOf(ctx, row, query)
	if err != nil || len(rows.All) == 0 {
		return false, err
	}
	wanted := make([]hold.RowPart, len(left))
	known := true
	for i, e := range left {
		v, err := e.Eval(ctx, row)
		if err != nil {
			return nil, err
		}
		if wanted[i].Key, wanted[i].There, err = s.columns[i].keyed(ctx, s.columns[i].sides.left, v); err != nil {
			return nil, err
		}
		known = known && wanted[i].There
	}
	// Without NULL on the left, only rows with NULL are not found by their keys.
	perhaps := rows.All
	if known {
		if _, there := rows.Whole[keyOfParts(wanted)]; there {
			return true, nil
		}
		perhaps = rows.Parts
	}
	for _, parts := range perhaps {
		if mayEqual(wanted, parts) {
			return nil, nil
		}
	}
	return false, nil
}

// rowsOf returns the rows of the subquery for an outer row, by keys.
func (s *inRows) rowsOf(ctx *sql.Context, row sql.Row, query *plan.Subquery) (*hold.RowKeys, error) {
	out := &hold.RowKeys{}
	if query.CanCacheResults() {
		out = s.cache
		out.Mu.Lock()
		defer out.Mu.Unlock()
		if out.Whole != nil {
			return out, nil
		}
	}
	rows, err := query.EvalMultiple(ctx, row)
	if err != nil {
		return nil, err
	}
	whole, bytes := make(map[string]struct{}, len(rows)), 0
	var all, some [][]hold.RowPart
	for _, r := range rows {
		values, ok := r.([]interface{})
		if !ok || len(values) != len(s.columns) {
			return nil, sql.ErrInvalidOperandColumns.New(len(s.columns), 1)
		}
		parts, known := make([]hold.RowPart, len(values)), true
		for i, v := range values {
			if parts[i].Key, parts[i].There, err = s.columns[i].keyed(ctx, s.columns[i].sides.right, v); err != nil {
				return nil, err
			}
			known = known && parts[i].There
			bytes += hold.KeyBytes + len(parts[i].Key)
		}
		if all = append(all, parts); known {
			key := keyOfParts(parts)
			whole[key] = struct{}{}
			bytes += hold.KeyBytes + len(key)
		} else {
			some = append(some, parts)
		}
	}
	out.All, out.Parts, out.Whole = all, some, whole
	if query.CanCacheResults() {
		err = out.Holding.Hold(ctx, bytes)
	}
	return out, err
}

// keyOfParts returns a key that equal rows without NULL share.
func keyOfParts(parts []hold.RowPart) string {
	var out strings.Builder
	for _, p := range parts {
		fmt.Fprintf(&out, "%d:%s", len(p.Key), p.Key)
	}
	return out.String()
}

// mayEqual reports whether only NULLs keep two rows from being known to be equal.
func mayEqual(a, b []hold.RowPart) bool {
	for i := range a {
		if a[i].There && b[i].There && a[i].Key != b[i].Key {
			return false
		}
	}
	return true
}
