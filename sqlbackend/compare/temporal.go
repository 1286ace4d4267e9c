package compare

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// kind groups operands further than class does: those that the engine compares are a TIME, a date, a byte string, or
// something else.
type kind uint8

const (
	kindOther kind = iota
	kindNull
	kindNumber
	kindText
	kindBytes
	kindJSON
	kindEnum // or SET
	kindTime
	kindDate // DATE, DATETIME, TIMESTAMP
)

func (c Comparer) kind(e sql.Expression) kind {
	switch c.Class(e) {
	case ClassNull:
		return kindNull
	case ClassNumber:
		return kindNumber
	case ClassText:
		return kindText
	case ClassJSON:
		return kindJSON
	}
	switch {
	case !e.Resolved():
		return kindOther
	case isEnum(e):
		return kindEnum
	case value.IsBytes(e):
		return kindBytes
	case functions.IsTime(e):
		return kindTime
	case e.Type() != nil && types.IsTime(e.Type()):
		return kindDate
	}
	return kindOther
}

func (k kind) temporal() bool { return k == kindTime || k == kindDate }

// mixedTemporals reports whether dates or times are among operands of other kinds.
func (c Comparer) mixedTemporals(operands ...sql.Expression) bool {
	temporal, first, differ := false, kindNull, false
	for _, o := range operands {
		k := c.kind(o)
		if k == kindNull {
			continue
		}
		if first == kindNull {
			first = k
		}
		temporal, differ = temporal || k.temporal(), differ || k != first
	}
	return temporal && differ
}

// clockOperands spells the literals that a TIME is compared with without days; see functions.WithoutDays. Beside a
// TIME that is no column they become TIMEs: the engine takes both for dates there.
func (c Comparer) clockOperands(operands []sql.Expression) ([]sql.Expression, bool) {
	if !slices.ContainsFunc(operands, func(o sql.Expression) bool { return c.kind(o) == kindTime }) {
		return operands, false
	}
	computed := slices.ContainsFunc(operands, func(o sql.Expression) bool { return c.kind(o) == kindTime && !isField(o) })
	return functions.Each(operands, func(o sql.Expression) sql.Expression {
		if l, ok := o.(*expression.Literal); ok {
			return clockLiteral(l, computed)
		}
		return functions.PlainTime(o)
	})
}

// isField recognizes a column, whose type takes precedence in the engine's comparisons.
func isField(e sql.Expression) bool {
	_, ok := e.(*expression.GetField)
	return ok
}

// clockLiteral returns a literal beside a TIME: a text without days. With asTime it becomes a TIME itself if it
// spells one.
func clockLiteral(l *expression.Literal, asTime bool) sql.Expression {
	text, ok := l.Val.(string)
	if !ok {
		return l
	}
	if plain := functions.WithoutDays(text); plain != text {
		text, l = plain, expression.NewLiteral(plain, l.Type())
	}
	if !asTime {
		return l
	}
	at, err := types.Time.ConvertToTimespan(text)
	if err != nil {
		return l
	}
	return expression.NewLiteral(at, types.Time)
}

// temporalOperands gives two operands, one a date or a time and the other of another kind, a common kind, as MySQL
// does. Beside a number a date or a time is the number of its digits, 20200102 or 103000. Beside a text it is
// compared with the date or time that the text spells; a TIME beside a date is that time of the current day. A
// literal that the engine converts as MySQL does stays one, so that it has its range.
func (c Comparer) temporalOperands(operands []sql.Expression) ([]sql.Expression, bool) {
	if len(operands) != 2 || !c.mixedTemporals(operands...) {
		return operands, false
	}
	a, b := c.kind(operands[0]), c.kind(operands[1])
	if !a.temporal() || a == kindTime && b == kindDate {
		flipped, changed := c.temporalOperands([]sql.Expression{operands[1], operands[0]})
		return []sql.Expression{flipped[1], flipped[0]}, changed
	}
	temporal, other := operands[0], operands[1]
	literal, constant := other.(*expression.Literal)
	switch b {
	case kindTime:
		return []sql.Expression{temporal, &temporalValue{expression.UnaryExpression{Child: other},
			types.DatetimeMaxPrecision}}, true
	case kindNumber:
		if constant && (a == kindDate || isField(temporal)) && spellsTemporal(a, literal) {
			return operands, false
		}
		return []sql.Expression{&temporalDigits{expression.UnaryExpression{Child: tree.Unwrapped(temporal)}},
			c.typed(other, value.NumberType{})}, true
	case kindText, kindBytes:
		if constant {
			return operands, false
		}
		var t sql.Type = types.DatetimeMaxPrecision
		if a == kindTime {
			t = types.Time
		}
		return []sql.Expression{temporal, &temporalValue{expression.UnaryExpression{Child: tree.Unwrapped(other)}, t}}, true
	}
	return operands, false
}

// misspelled returns the error for a constant text that spells no date or time although one is compared with it. As
// in MySQL the statement is refused, even if it would read no rows. The first operand is compared with each of the
// others.
func (c Comparer) misspelled(operands ...sql.Expression) error {
	for _, o := range operands[1:] {
		if err := c.misspelledOperand(operands[0], o); err != nil {
			return err
		}
		if err := c.misspelledOperand(o, operands[0]); err != nil {
			return err
		}
	}
	return nil
}

func (c Comparer) misspelledOperand(temporal, other sql.Expression) error {
	l, ok := other.(*expression.Literal)
	if !ok || !types.IsText(l.Type()) {
		return nil
	}
	var text string
	switch v := l.Val.(type) {
	case string:
		text = v
	case []byte:
		text = string(v)
	default:
		return nil
	}
	var err error
	name := "DATETIME"
	switch c.kind(temporal) {
	case kindTime:
		name = "TIME"
		_, err = types.Time.ConvertToTimespan(functions.WithoutDays(text))
	case kindDate:
		if types.IsDateType(temporal.Type()) {
			name = "DATE"
		}
		_, _, err = types.DatetimeMaxPrecision.Convert(c.Ctx, text)
	}
	if err == nil {
		return nil
	}
	return mysql.NewSQLError(mysqlerr.WrongValue, "HY000", "Incorrect %s value: '%s'", name, mysqlerr.Shortened(text))
}

// unlikeTemporals reports whether two operands need a common kind, since one of them is a date or a time.
func (c Comparer) unlikeTemporals(a, b sql.Expression) bool {
	_, unlike := c.temporalOperands([]sql.Expression{a, b})
	return unlike
}

// spellsTemporal reports whether a number is the digits of a date or a time.
func spellsTemporal(of kind, l *expression.Literal) bool {
	if l.Val == nil {
		return true
	}
	if _, truth := l.Val.(bool); truth {
		return false
	}
	digits, err := value.NumberLiteral(l.Val)
	if err != nil {
		return false
	}
	if of == kindTime {
		at, err := types.Time.ConvertToTimespan(l.Val)
		if err != nil {
			return false
		}
		given, err := decimal.NewFromString(digits)
		taken, ok := functions.DigitsOf(types.Time, at).(decimal.Decimal)
		return err == nil && ok && taken.Equal(given) // fractions of a second would be lost
	}
	_, ok := functions.DateOfDigits(digits)
	return ok
}

// temporalValue is a value as a date or a time, NULL if it is none.
type temporalValue struct {
	expression.UnaryExpression
	typ sql.Type
}

var _ pushdown.AsTemporal = (*temporalValue)(nil)

// PushdownAsTemporal implements pushdown.AsTemporal.
func (t *temporalValue) PushdownAsTemporal() (sql.Expression, bool) {
	return t.Child, types.IsTime(t.typ) && t.typ != types.Time
}

// Type implements sql.Expression.
func (t *temporalValue) Type() sql.Type { return t.typ }

// IsNullable implements sql.Expression.
func (t *temporalValue) IsNullable() bool { return true }

// Eval implements sql.Expression.
func (t *temporalValue) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := t.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return nil, err
	}
	switch of := v.(type) {
	case types.Timespan:
		if t.typ != types.Time {
			return functions.OnCurrentDay(ctx, of), nil
		}
		return of, nil
	case []byte:
		v = string(of)
	}
	out, _, err := t.typ.Convert(ctx, v)
	if err != nil {
		return nil, nil
	}
	return out, nil
}

// WithChildren implements sql.Expression.
func (t *temporalValue) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(t, len(children), 1)
	}
	return &temporalValue{expression.UnaryExpression{Child: children[0]}, t.typ}, nil
}

// String implements fmt.Stringer.
func (t *temporalValue) String() string { return t.Child.String() }

// temporalDigits is a date or a time as the number of its digits, with its microseconds after the point, for
// comparing.
type temporalDigits struct {
	expression.UnaryExpression
}

var _ sql.Expression = (*temporalDigits)(nil)

// Type implements sql.Expression.
func (t *temporalDigits) Type() sql.Type { return value.NumberType{} }

// Eval implements sql.Expression.
func (t *temporalDigits) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := t.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	return functions.DigitsOf(t.Child.Type(), v), nil
}

// WithChildren implements sql.Expression.
func (t *temporalDigits) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(t, len(children), 1)
	}
	return &temporalDigits{expression.UnaryExpression{Child: children[0]}}, nil
}

// String implements fmt.Stringer.
func (t *temporalDigits) String() string { return t.Child.String() }
