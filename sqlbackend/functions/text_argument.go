package functions

import (
	"strconv"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"
	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// TextFunctions maps functions of texts to the number of their first arguments that are texts, -1 for all. The engine
// fails for some other types, and writes dates as it writes times of day.
var TextFunctions = map[string]int{
	"concat": -1, "concat_ws": -1, "upper": 1, "ucase": 1, "lower": 1, "lcase": 1, "left": 1, "right": 1, "substring": 1,
	"substr": 1, "mid": 1,
	"trim": -1, "ltrim": 1, "rtrim": 1, "replace": 3, "reverse": 1, "repeat": 1, "lpad": 1, "rpad": 1, "length": 1,
	"char_length": 1, "character_length": 1,
	"quote": 1, "to_base64": 1, "md5": 1, "sha1": 1, "sha2": 1, "ascii": 1, "ord": 1, "soundex": 1, "substring_index": 2,
	"split": 2, "str_to_date": 2,
}

// FirstArguments applies a change to the first n arguments of a function, to all for -1.
func FirstArguments(e sql.Expression, n int, change func(sql.Expression) sql.Expression) (sql.Expression,
	transform.TreeIdentity, error) {
	args := e.Children()
	if n < 0 || n > len(args) {
		n = len(args)
	}
	changed, any := Each(args[:n:n], func(a sql.Expression) sql.Expression { return ResolvedChange(change, a) })
	return Rebuild(e, append(changed, args[n:]...), any)
}

// SQLText is a value as the text that a client would receive.
type SQLText struct {
	expression.UnaryExpression
}

// JSONAsText returns a JSON string as its text, without quotes.
func JSONAsText(e sql.Expression) sql.Expression {
	if types.IsJSON(e.Type()) {
		return &SQLText{expression.UnaryExpression{Child: e}}
	}
	return e
}

// Type implements sql.Expression.
func (t *SQLText) Type() sql.Type { return value.NewTextType(collation.Default) }

// Eval implements sql.Expression.
func (t *SQLText) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := t.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return nil, err
	}
	text, err := valueText(ctx, t.Child.Type(), v)
	if _, date := v.(time.Time); date && err == nil {
		if digits, known := FractionalDigits(t.Child); known && digits > 0 {
			return string(value.WithFraction([]byte(text.(string)), digits)), nil
		}
	}
	return text, err
}

// valueText returns a value of a type as text.
func valueText(ctx *sql.Context, t sql.Type, v interface{}) (interface{}, error) {
	switch v := v.(type) {
	case types.Timespan:
		if of, ok := t.(value.TimeType); ok {
			return of.Spelled(v), nil
		}
		return value.TextOf(ctx, v)
	case string, []byte:
		return value.TextOf(ctx, v)
	case time.Time:
		text, err := t.SQL(ctx, nil, v)
		return text.ToString(), err
	case value.JSON:
		return v.String(), nil
	}
	if t.Type() == sqltypes.Year || types.IsBit(t) || types.IsBoolean(t) {
		return types.ConvertToString(ctx, v, value.LongText, nil)
	}
	text, err := t.SQL(ctx, nil, v)
	return text.ToString(), err
}

// WithChildren implements sql.Expression.
func (t *SQLText) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(t, len(children), 1)
	}
	return &SQLText{expression.UnaryExpression{Child: children[0]}}, nil
}

// CollationCoercibility implements sql.CollationCoercible.
func (t *SQLText) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_Default, 4
}

// String implements fmt.Stringer.
func (t *SQLText) String() string { return t.Child.String() }

// TextAt returns the value of an expression as a text; ok is false for NULL.
func TextAt(ctx *sql.Context, e sql.Expression, row sql.Row) (text string, ok bool, err error) {
	v, err := e.Eval(ctx, row)
	if err != nil || v == nil {
		return "", false, err
	}
	switch v := v.(type) { // as the type converts them, without the copies
	case string:
		return v, true, nil
	case int64:
		return strconv.FormatInt(v, 10), true, nil
	case int32:
		return strconv.FormatInt(int64(v), 10), true, nil
	}
	if v, _, err = types.LongText.Convert(ctx, v); err != nil || v == nil {
		return "", false, err
	}
	text, _, err = sql.Unwrap[string](ctx, v)
	return text, err == nil, err
}
