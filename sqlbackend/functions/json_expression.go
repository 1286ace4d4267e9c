package functions

import (
	"fmt"
	"strconv"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// plainJSON passes JSON to functions of the engine as the Go values that they know.
type plainJSON struct {
	expression.UnaryExpression
}

// AsPlainJSON returns an expression whose JSON values have the form that the engine's functions take.
func AsPlainJSON(e sql.Expression) sql.Expression {
	if _, done := e.(*plainJSON); done {
		return e
	}
	return &plainJSON{expression.UnaryExpression{Child: e}}
}

// Type implements sql.Expression.
func (p *plainJSON) Type() sql.Type { return p.Child.Type() }

// Eval implements sql.Expression.
func (p *plainJSON) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := p.Child.Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	j, ok := v.(sql.JSONWrapper)
	if !ok {
		return v, nil
	}
	value, err := value.ValueOf(j)
	if err != nil {
		return nil, err
	}
	return types.JSONDocument{Val: plainValue(value)}, nil
}

// WithChildren implements sql.Expression.
func (p *plainJSON) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(p, len(children), 1)
	}
	return AsPlainJSON(children[0]), nil
}

// String implements fmt.Stringer.
func (p *plainJSON) String() string { return p.Child.String() }

// plainValue returns a value as Go's maps, slices and scalars, with exact numbers.
func plainValue(v document.Value) interface{} {
	switch v.Type() {
	case document.TypeBool:
		return v.Bool()
	case document.TypeString:
		return v.Str()
	case document.TypeNumber:
		n := value.NumberValue(v.Number())
		if raw, ok := n.(value.RawJSON); ok {
			f, _ := strconv.ParseFloat(string(raw), 64)
			return f
		}
		return n
	case document.TypeArray:
		out := []interface{}{}
		for _, e := range v.Elements() {
			out = append(out, plainValue(e))
		}
		return out
	case document.TypeObject:
		out := map[string]interface{}{}
		for name, m := range v.Members() {
			out[name] = plainValue(m)
		}
		return out
	}
	return nil
}

// JSONCast is CAST(… AS JSON): text is parsed, other values become scalars.
type JSONCast struct {
	expression.UnaryExpression
}

var _ sql.FunctionExpression = (*JSONCast)(nil)

// FunctionName implements sql.FunctionExpression.
func (j *JSONCast) FunctionName() string { return "cast_as_json" }

// Description implements sql.FunctionExpression.
func (j *JSONCast) Description() string { return "converts a value to JSON" }

// Type implements sql.Expression.
func (j *JSONCast) Type() sql.Type { return types.JSON }

// IsNullable implements sql.Expression.
func (j *JSONCast) IsNullable() bool { return true }

// Eval implements sql.Expression.
func (j *JSONCast) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := j.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return nil, err
	}
	if types.IsBoolean(j.Child.Type()) {
		switch n := v.(type) {
		case int8:
			v = n != 0
		}
	}
	text, ok := v.(string)
	if !ok || types.IsTime(j.Child.Type()) {
		return value.JSONOf(tree.DayOnly(j.Child.Type(), v))
	}
	parsed, err := value.ParseJSON(text)
	if err != nil {
		return nil, jsonArgumentError(err, 1, "cast_as_json")
	}
	return parsed, nil
}

// WithChildren implements sql.Expression.
func (j *JSONCast) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(j, len(children), 1)
	}
	return &JSONCast{expression.UnaryExpression{Child: children[0]}}, nil
}

// String implements fmt.Stringer.
func (j *JSONCast) String() string { return fmt.Sprintf("convert(%s, json)", j.Child) }

// jsonTruth is JSON as a condition: true, and numbers other than 0.
type jsonTruth struct {
	expression.UnaryExpression
}

// Type implements sql.Expression.
func (j *jsonTruth) Type() sql.Type { return types.Boolean }

// Eval implements sql.Expression.
func (j *jsonTruth) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := j.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	val, err := value.ValueOf(v)
	if err != nil {
		return nil, err
	}
	switch val.Type() {
	case document.TypeNull:
		return nil, nil
	case document.TypeBool:
		return val.Bool(), nil
	case document.TypeNumber:
		return document.CompareNumbers(val.Number(), "0") != 0, nil
	case document.TypeString:
		return value.TextNumber(val.Str()) != 0, nil
	}
	return true, nil
}

// WithChildren implements sql.Expression.
func (j *jsonTruth) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(j, len(children), 1)
	}
	return AsCondition(children[0]), nil
}

// PushdownCondition implements pushdown.Condition.
func (j *jsonTruth) PushdownCondition() sql.Expression { return j.Child }

// String implements fmt.Stringer.
func (j *jsonTruth) String() string { return j.Child.String() }

// AsCondition turns JSON, a TIME, a text or a byte string into a condition. A text or byte string is true if the
// number that it begins with is not 0.
func AsCondition(e sql.Expression) sql.Expression {
	switch e.(type) {
	case nil, *expression.And, *expression.Or, *expression.Xor, *expression.Not:
		return e // skip Resolved, which would visit all parts again and again in a long condition
	}
	if !e.Resolved() {
		return e
	}
	if IsTime(e) {
		return expression.NewNot(expression.NewEquals(PlainTime(e), expression.NewLiteral(types.Timespan(0), types.Time)))
	}
	if _, literal := e.(*expression.Literal); value.IsBytes(e) && !literal {
		return expression.NewNot(
			expression.NewEquals(&value.SpelledNumber{UnaryExpression: expression.UnaryExpression{Child: e}},
				expression.NewLiteral(0.0, types.Float64)))
	}
	if t, ok := e.Type().(sql.StringType); ok && types.IsTextOnly(t) {
		child := expression.UnaryExpression{Child: e}
		number := &value.NumberOfText{SpelledNumber: value.SpelledNumber{UnaryExpression: child}}
		return expression.NewNot(expression.NewEquals(number, expression.NewLiteral(0.0, types.Float64)))
	}
	if !types.IsJSON(e.Type()) {
		return e
	}
	return &jsonTruth{expression.UnaryExpression{Child: e}}
}

// jsonElement passes JSON, dates, times and decimals to the engine's JSON aggregates as text that is marshalled
// unchanged.
type jsonElement struct {
	expression.UnaryExpression
}

// AsJSONElement returns a value as an element of an array or member of an object.
func AsJSONElement(e sql.Expression) sql.Expression {
	t := e.Type()
	if _, done := e.(*jsonElement); done || !types.IsJSON(t) && !types.IsTime(t) && !value.IsTimespan(t) &&
		!types.IsDecimal(t) {
		return e
	}
	return &jsonElement{expression.UnaryExpression{Child: e}}
}

// Type implements sql.Expression.
func (j *jsonElement) Type() sql.Type { return types.JSON }

// Eval implements sql.Expression.
func (j *jsonElement) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := j.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	val, err := value.ValueOf(tree.DayOnly(j.Child.Type(), v))
	if err != nil {
		return nil, err
	}
	return value.RawJSON(val.Raw()), nil
}

// WithChildren implements sql.Expression.
func (j *jsonElement) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(j, len(children), 1)
	}
	return AsJSONElement(children[0]), nil
}

// String implements fmt.Stringer.
func (j *jsonElement) String() string { return j.Child.String() }

// SQLScalar is the number, string or boolean in a JSON scalar, for casts.
type SQLScalar struct {
	expression.UnaryExpression
}

// AsSQLScalar returns a JSON scalar as its SQL value.
func AsSQLScalar(e sql.Expression) sql.Expression {
	if _, done := e.(*SQLScalar); done || !e.Resolved() || !types.IsJSON(e.Type()) {
		return e
	}
	return &SQLScalar{expression.UnaryExpression{Child: e}}
}

// Type implements sql.Expression.
func (s *SQLScalar) Type() sql.Type { return types.JSON }

// Eval implements sql.Expression.
func (s *SQLScalar) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := s.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	val, err := value.ValueOf(v)
	if err != nil {
		return nil, err
	}
	switch val.Type() {
	case document.TypeNull:
		return nil, nil
	case document.TypeBool:
		return val.Bool(), nil
	case document.TypeNumber:
		if raw, ok := value.NumberValue(val.Number()).(value.RawJSON); ok {
			if f, err := strconv.ParseFloat(string(raw), 64); err == nil {
				return f, nil // 0: no other DOUBLE is closer
			}
			return value.BoundedNumber(string(raw)), nil
		}
		return value.NumberValue(val.Number()), nil
	}
	return value.BoundedNumber(unquoted(val)), nil
}

// WithChildren implements sql.Expression.
func (s *SQLScalar) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(s, len(children), 1)
	}
	return AsSQLScalar(children[0]), nil
}

// String implements fmt.Stringer.
func (s *SQLScalar) String() string { return s.Child.String() }

// jsonText is the text of JSON.
type jsonText struct {
	expression.UnaryExpression
}

// AsJSONText returns JSON as its text.
func AsJSONText(e sql.Expression) sql.Expression {
	if !e.Resolved() || !types.IsJSON(e.Type()) {
		return e
	}
	return &jsonText{expression.UnaryExpression{Child: e}}
}

// Type implements sql.Expression.
func (j *jsonText) Type() sql.Type { return types.LongText }

// Eval implements sql.Expression.
func (j *jsonText) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := j.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	value, err := value.ValueOf(v)
	return value.Text(), err
}

// WithChildren implements sql.Expression.
func (j *jsonText) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(j, len(children), 1)
	}
	return AsJSONText(children[0]), nil
}

// String implements fmt.Stringer.
func (j *jsonText) String() string { return j.Child.String() }
