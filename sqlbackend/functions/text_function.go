package functions

import (
	"math"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// repeated is REPEAT: empty for a count below 1, where the engine's fails, and NULL if the result is longer than a
// packet.
type repeated struct {
	*function.Repeat
}

var _ sql.FunctionExpression = (*repeated)(nil)

// NewRepeat returns REPEAT.
func NewRepeat(text, count sql.Expression) sql.Expression {
	return &repeated{function.NewRepeat(text, count).(*function.Repeat)}
}

// Eval implements sql.Expression.
func (r *repeated) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := r.LeftChild.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	n, err := r.RightChild.Eval(ctx, row)
	if err != nil || n == nil {
		return nil, err
	}
	if v, _, err = types.LongText.Convert(ctx, v); err != nil {
		return nil, err
	}
	if n, err = sql.UnwrapAny(ctx, n); err != nil {
		return nil, err
	}
	text, count := v.(string), math.Round(value.AsDouble(ctx, n))
	if !(count >= 1) || text == "" {
		return "", nil
	}
	if over, err := ExceedsPacket(ctx, "repeat", count*float64(len(text))); over || err != nil {
		return nil, err
	}
	return hold.Value(ctx, strings.Repeat(text, int(count)))
}

// WithChildren implements sql.Expression.
func (r *repeated) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 2 {
		return nil, sql.ErrInvalidChildrenNumber.New(r, len(children), 2)
	}
	return NewRepeat(children[0], children[1]), nil
}

// quotedText is QUOTE: for NULL it is the text NULL.
type quotedText struct {
	*function.Quote
}

var _ sql.FunctionExpression = (*quotedText)(nil)

// quotedCharacters puts a backslash before characters as QUOTE does.
var quotedCharacters = strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\x00", `\0`, "\x1a", `\Z`)

// NewQuote returns QUOTE.
func NewQuote(text sql.Expression) sql.Expression {
	return &quotedText{function.NewQuote(text).(*function.Quote)}
}

// Description implements sql.FunctionExpression.
func (q *quotedText) Description() string { return "returns a text as an SQL literal." }

// IsNullable implements sql.Expression.
func (q *quotedText) IsNullable() bool { return false }

// Eval implements sql.Expression.
func (q *quotedText) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	text, ok, err := TextAt(ctx, q.Child, row) // the engine's returns no text of over 65,535 bytes
	if err != nil {
		return nil, err
	}
	if !ok {
		return "NULL", nil
	}
	quoted := "'" + quotedCharacters.Replace(text) + "'"
	if over, err := ExceedsPacket(ctx, "quote", float64(len(quoted))); over || err != nil {
		return nil, err
	}
	return hold.Value(ctx, quoted)
}

// WithChildren implements sql.Expression.
func (q *quotedText) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(q, len(children), 1)
	}
	return NewQuote(children[0]), nil
}
