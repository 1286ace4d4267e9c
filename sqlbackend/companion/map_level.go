package companion

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// mapLevel is sqlfdb_key_level(key, n): the array of the first n elements of a key. A key that is no array, or has
// no more elements, is unchanged. It is CouchDB's group_level.
type mapLevel struct {
	expression.BinaryExpressionStub
}

var (
	_ sql.FunctionExpression = (*mapLevel)(nil)
	_ sql.CollationCoercible = (*mapLevel)(nil)
)

// NewMapLevel returns sqlfdb_key_level(key, level): the first elements of a key, for GROUP BY.
func NewMapLevel(key, level sql.Expression) sql.Expression {
	return &mapLevel{expression.BinaryExpressionStub{LeftChild: key, RightChild: level}}
}

// FunctionName implements sql.FunctionExpression.
func (*mapLevel) FunctionName() string { return "sqlfdb_key_level" }

// Description implements sql.FunctionExpression.
func (*mapLevel) Description() string {
	return "returns the first elements of a key of a map index, as many as the level says"
}

// Type implements sql.Expression.
func (*mapLevel) Type() sql.Type { return types.JSON }

// CollationCoercibility implements sql.CollationCoercible.
func (*mapLevel) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, 5
}

// String implements fmt.Stringer.
func (m *mapLevel) String() string {
	return fmt.Sprintf("sqlfdb_key_level(%s, %s)", m.LeftChild, m.RightChild)
}

// WithChildren implements sql.Expression.
func (m *mapLevel) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 2 {
		return nil, sql.ErrInvalidChildrenNumber.New(m, len(children), 2)
	}
	return NewMapLevel(children[0], children[1]), nil
}

// Eval implements sql.Expression.
func (m *mapLevel) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	of := &mapOrder{expression.UnaryExpression{Child: m.LeftChild}, !types.IsJSON(m.LeftChild.Type())}
	v, err := m.LeftChild.Eval(ctx, row)
	if err == nil {
		v, err = sql.UnwrapAny(ctx, v)
	}
	if v == nil || err != nil {
		return nil, err
	}
	level, err := m.RightChild.Eval(ctx, row)
	if level == nil || err != nil {
		return nil, err
	}
	n, _, err := types.Int64.Convert(ctx, level)
	if err != nil || n.(int64) < 1 {
		return nil, table.WrongArguments("sqlfdb_key_level", "the second one is a number of elements, from 1")
	}
	key, err := of.value(v)
	if err != nil {
		return nil, err
	}
	if key.Type() != document.TypeArray || int64(key.Count()) <= n.(int64) {
		return value.NewJSON(key), nil
	}
	text := []byte{'['}
	for i, e := range key.Elements() {
		if int64(i) == n.(int64) {
			break
		}
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, e.Raw()...)
	}
	return value.NewJSON(document.FromCompact(append(text, ']'))), nil
}
