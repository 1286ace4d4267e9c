package companion

import (
	"bytes"
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/mapindex"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// The keys of map indexes are in CouchDB's order, which is not SQL's order of JSON. Where a statement compares the
// column `key` of a map index, or sorts by it, a rule replaces it by its bytes in CouchDB's order. The other operand
// is replaced likewise: byte strings compare alike everywhere.

// mapOrder is the bytes of a value in the order of keys; NULL for NULL. With json a text is parsed as JSON, else it
// is a string.
type mapOrder struct {
	expression.UnaryExpression
	json bool // texts are JSON
}

var (
	_ sql.Expression         = (*mapOrder)(nil)
	_ sql.CollationCoercible = (*mapOrder)(nil)
)

// Type implements sql.Expression.
func (*mapOrder) Type() sql.Type { return types.LongBlob }

// IsNullable implements sql.Expression.
func (m *mapOrder) IsNullable() bool { return m.Child.IsNullable() }

// CollationCoercibility implements sql.CollationCoercible.
func (*mapOrder) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, 5
}

// String implements fmt.Stringer.
func (m *mapOrder) String() string { return m.Child.String() }

// WithChildren implements sql.Expression.
func (m *mapOrder) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(m, len(children), 1)
	}
	return &mapOrder{expression.UnaryExpression{Child: children[0]}, m.json}, nil
}

// Eval implements sql.Expression.
func (m *mapOrder) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := m.Child.Eval(ctx, row)
	if err == nil {
		v, err = sql.UnwrapAny(ctx, v)
	}
	if err != nil || v == nil {
		return nil, err
	}
	key, err := m.value(v)
	if err != nil {
		return nil, err
	}
	b, err := mapindex.AppendKey(nil, key)
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	return b, nil
}

// value converts a SQL value to a key.
func (m *mapOrder) value(v any) (document.Value, error) {
	if b, ok := v.([]byte); ok {
		v = string(b)
	}
	if text, ok := v.(string); ok && m.json {
		j, err := value.ParseJSON(text)
		if err != nil {
			return document.Value{}, mysql.NewSQLError(mysqlerr.InvalidJSON, "22032",
				"Invalid JSON text for the key of a map index: '%s'; "+
					"a string has its own quotes: '\"a\"', or JSON_QUOTE", mysqlerr.Shortened(text))
		}
		return j.Held, nil
	}
	if types.IsBoolean(m.Child.Type()) {
		if on, err := sql.ConvertToBool(nil, v); err == nil {
			return document.BoolValue(on), nil
		}
	}
	return value.ValueOf(v)
}

// ordering returns the bytes of an operand that is compared with a key. Constant texts are JSON.
func ordering(e sql.Expression) sql.Expression {
	if _, done := e.(*mapOrder); done {
		return e
	}
	columns := false
	sql.Inspect(e, func(e sql.Expression) bool {
		switch e.(type) {
		case *expression.GetField, *plan.Subquery, *compare.ScalarValue: // ScalarValue stands for a column's value
			columns = true
		}
		return !columns
	})
	return &mapOrder{expression.UnaryExpression{Child: e}, !columns && !types.IsJSON(e.Type())}
}

// mapBegins is sqlfdb_key_begins(key, '["a"]'): whether a key is an array that begins with these elements.
type mapBegins struct {
	expression.BinaryExpressionStub
}

var (
	_ sql.FunctionExpression = (*mapBegins)(nil)
	_ sql.CollationCoercible = (*mapBegins)(nil)
)

// NewMapBegins returns sqlfdb_key_begins(key, begins): whether a key is an array that begins with the elements of
// another.
func NewMapBegins(key, begins sql.Expression) sql.Expression {
	return &mapBegins{expression.BinaryExpressionStub{LeftChild: key, RightChild: begins}}
}

// FunctionName implements sql.FunctionExpression.
func (*mapBegins) FunctionName() string { return "sqlfdb_key_begins" }

// Description implements sql.FunctionExpression.
func (*mapBegins) Description() string {
	return "returns whether a key of a map index is an array that begins with the elements of another"
}

// Type implements sql.Expression.
func (*mapBegins) Type() sql.Type { return types.Boolean }

// CollationCoercibility implements sql.CollationCoercible.
func (*mapBegins) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, 5
}

// String implements fmt.Stringer.
func (m *mapBegins) String() string {
	return fmt.Sprintf("sqlfdb_key_begins(%s, %s)", m.LeftChild, m.RightChild)
}

// WithChildren implements sql.Expression.
func (m *mapBegins) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 2 {
		return nil, sql.ErrInvalidChildrenNumber.New(m, len(children), 2)
	}
	return NewMapBegins(children[0], children[1]), nil
}

// prefix returns the first bytes of all keys that begin with the array; nil for NULL.
func (m *mapBegins) prefix(ctx *sql.Context, row sql.Row) ([]byte, error) {
	v, err := ordering(m.RightChild).Eval(ctx, row)
	if v == nil || err != nil {
		return nil, err
	}
	prefix, ok := mapindex.Beginning(v.([]byte))
	if !ok {
		return nil, table.WrongArguments("sqlfdb_key_begins", "the second one is a JSON array")
	}
	return prefix, nil
}

// Eval implements sql.Expression.
func (m *mapBegins) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	key, err := ordering(m.LeftChild).Eval(ctx, row)
	if key == nil || err != nil {
		return nil, err
	}
	prefix, err := m.prefix(ctx, row)
	if prefix == nil || err != nil {
		return nil, err
	}
	return bytes.HasPrefix(key.([]byte), prefix), nil
}

// span returns the span of these keys.
func (m *mapBegins) span(ctx *sql.Context) (start, end []byte, err error) {
	prefix, err := m.prefix(ctx, nil)
	return prefix, kv.PrefixEnd(prefix), err
}
