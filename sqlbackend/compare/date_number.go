package compare

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// dateOperands spells the numbers that are compared with dates: 20200102 is '2020-01-02', and 20200102030405 has a
// time too. The engine takes them for seconds, or for no date.
func (c Comparer) dateOperands(operands []sql.Expression) ([]sql.Expression, bool) {
	dates := false
	for _, o := range operands {
		dates = dates || o.Resolved() && types.IsTime(o.Type())
	}
	if !dates {
		return operands, false
	}
	return functions.Each(operands, func(o sql.Expression) sql.Expression {
		l, ok := o.(*expression.Literal)
		if !ok || c.Class(o) != ClassNumber || l.Val == nil {
			return o
		}
		literal, err := value.NumberLiteral(l.Val)
		if err != nil {
			return o
		}
		if spelled, ok := functions.DateOfDigits(literal); ok {
			return expression.NewLiteral(spelled, types.LongText)
		}
		return o
	})
}

// temporalCast replaces the argument of a cast by one that the engine converts as MySQL does. It does so for a number
// cast to a date, and for a text of a date with a time cast to a time.
func (c Comparer) temporalCast(e *expression.Convert) (sql.Expression, transform.TreeIdentity, error) {
	to, kind, child := e.Type(), c.kind(e.Child), e.Child
	date := (to == types.Date || types.IsDatetimeType(to)) && kind == kindNumber
	if value.IsTimespan(to) && kind == kindJSON {
		child, kind = functions.DateOfJSON(child), kindText
	}
	if types.IsDatetimeType(to) && (kind == kindText || kind == kindDate || kind == kindJSON) {
		return roundedCast(e)
	}
	time := value.IsTimespan(to) && kind == kindText
	if _, done := e.Child.(*temporalText); done || !date && !time {
		return e, transform.SameTree, nil
	}
	return functions.Rebuild(e, []sql.Expression{&temporalText{expression.UnaryExpression{Child: child}, date}}, true)
}

// microseconds is the greatest number of fractional digits of a second.
const microseconds = 6

// roundedCast gives a cast to DATETIME an argument without more fractional digits than the type: the engine keeps
// them in the value and shows fewer.
func roundedCast(e *expression.Convert) (sql.Expression, transform.TreeIdentity, error) {
	to, ok := e.Type().(sql.DatetimeType)
	if _, done := e.Child.(*temporalValue); done || !ok || to.Precision() == microseconds {
		return e, transform.SameTree, nil
	}
	if from, ok := e.Child.Type().(sql.DatetimeType); ok &&
		(from.Type() == sqltypes.Date || from.Precision() <= to.Precision()) {
		return e, transform.SameTree, nil
	}
	if l, ok := e.Child.(*expression.Literal); ok {
		if text, ok := l.Val.(string); ok && !strings.Contains(text, ".") {
			return e, transform.SameTree, nil
		}
	}
	return functions.Rebuild(e, []sql.Expression{&temporalValue{
		expression.UnaryExpression{Child: functions.DateOfJSON(e.Child)}, to}}, true)
}

// timeInText returns the time in a text of a date with a time, also in JSON, and other expressions unchanged.
func (c Comparer) timeInText(e sql.Expression) sql.Expression {
	e = functions.DateOfJSON(e)
	if _, done := e.(*temporalText); done || c.kind(e) != kindText {
		return e
	}
	return &temporalText{UnaryExpression: expression.UnaryExpression{Child: e}}
}

// datesOfDigits are functions of dates that read 20200102 as a date in MySQL; the engine returns NULL.
var datesOfDigits = map[string]bool{
	"date": true, "date_format": true, "datediff": true, "day": true, "dayname": true, "dayofmonth": true,
	"dayofweek": true, "dayofyear": true, "last_day": true, "month": true, "monthname": true, "quarter": true,
	"timestamp": true, "timestampdiff": true, "to_days": true, "unix_timestamp": true, "week": true, "weekday": true,
	"weekofyear": true, "year": true, "yearweek": true,
}

// dateInNumber returns the date that a number spells, also in JSON, and other expressions unchanged.
func (c Comparer) dateInNumber(e sql.Expression) sql.Expression {
	if !e.Resolved() || c.kind(e) != kindNumber {
		return functions.DateOfJSON(e)
	}
	return &temporalText{expression.UnaryExpression{Child: e}, true}
}

// temporalText is the text of the date that a number spells, or of the time in the text of a date with a time.
type temporalText struct {
	expression.UnaryExpression
	date bool
}

var _ sql.Expression = (*temporalText)(nil)

// Type implements sql.Expression.
func (t *temporalText) Type() sql.Type { return types.LongText }

// IsNullable implements sql.Expression.
func (t *temporalText) IsNullable() bool { return true }

// Eval implements sql.Expression.
func (t *temporalText) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := t.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return nil, err
	}
	if !t.date {
		text, err := value.TextOf(ctx, v)
		return functions.TimeOfText(text), err
	}
	if spelled, ok := functions.SpelledDate(v); ok {
		return spelled, nil
	}
	return nil, nil
}

// WithChildren implements sql.Expression.
func (t *temporalText) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(t, len(children), 1)
	}
	return &temporalText{expression.UnaryExpression{Child: children[0]}, t.date}, nil
}

// String implements fmt.Stringer.
func (t *temporalText) String() string { return t.Child.String() }
