package functions

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// Each applies a change to each operand, and reports whether any changed.
func Each(operands []sql.Expression, change func(sql.Expression) sql.Expression) ([]sql.Expression, bool) {
	any := false
	out := make([]sql.Expression, len(operands))
	for i, o := range operands {
		out[i] = change(o)
		any = any || !SameExpression(out[i], o)
	}
	return out, any
}

// SameExpression reports whether a change returned its argument. Expressions can't always be compared with ==: a
// tuple is a slice.
func SameExpression(a, b sql.Expression) bool {
	t := reflect.TypeOf(a)
	if t != reflect.TypeOf(b) {
		return false
	}
	return t != nil && t.Kind() != reflect.Pointer && !reflect.ValueOf(a).Comparable() || a == b
}

// IntegerOf returns the integer of a decimal that is one and not absurdly large.
func IntegerOf(d decimal.Decimal) (*big.Int, bool) {
	if d.Exponent() > 40 || !d.IsInteger() {
		return nil, false
	}
	return d.BigInt(), true
}

// Rebuild returns an expression with other children if changed says that one of them is.
func Rebuild(e sql.Expression, children []sql.Expression, changed bool) (sql.Expression, transform.TreeIdentity,
	error) {
	if !changed {
		return e, transform.SameTree, nil
	}
	if a, ok := e.(*expression.Alias); ok && len(children) == 1 {
		next := *a
		next.Child = children[0]
		return &next, transform.NewTree, nil
	}
	next, err := e.WithChildren(children...)
	if err != nil {
		return e, transform.SameTree, err
	}
	return next, transform.NewTree, nil
}

// ResolvedChange applies a change to an expression that is resolved, and to no other.
func ResolvedChange(change func(sql.Expression) sql.Expression, e sql.Expression) sql.Expression {
	if !e.Resolved() || e.Type() == nil {
		return e
	}
	return change(e)
}

// TemporalNumber is a date or a time as the number with its digits. It is an integer unless its type has a fraction
// of a second.
type TemporalNumber struct {
	expression.UnaryExpression
}

// Type implements sql.Expression.
func (t *TemporalNumber) Type() sql.Type {
	if digits, known := FractionalDigits(t.Child); known {
		if digits == 0 {
			return types.Int64
		}
		return types.MustCreateDecimalType(uint8(14+digits), uint8(digits))
	}
	if of, ok := t.Child.Type().(interface{ Precision() int }); ok && of.Precision() > 0 {
		return types.MustCreateDecimalType(uint8(14+of.Precision()), uint8(of.Precision()))
	}
	return types.Int64
}

// Eval implements sql.Expression.
func (t *TemporalNumber) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := t.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if text, ok := v.(string); ok { // DATE() returns text
		if v, _, err = t.Child.Type().Convert(ctx, text); err != nil {
			return nil, nil
		}
	}
	d, ok := DigitsOf(t.Child.Type(), v).(decimal.Decimal)
	if !ok {
		return nil, nil
	}
	if of, ok := t.Type().(sql.DecimalType); ok {
		return WithScale(d, int32(of.Scale())), nil
	}
	return d.Round(0).IntPart(), nil
}

// WithChildren implements sql.Expression.
func (t *TemporalNumber) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(t, len(children), 1)
	}
	return &TemporalNumber{expression.UnaryExpression{Child: children[0]}}, nil
}

// String implements fmt.Stringer.
func (t *TemporalNumber) String() string { return t.Child.String() }

var _ pushdown.Strict = (*jsonText)(nil)

var _ pushdown.Strict = (*SQLScalar)(nil)

var _ pushdown.Strict = (*SQLText)(nil)

// PushdownStrict implements pushdown.Strict.
func (j *jsonText) PushdownStrict() {}

// PushdownStrict implements pushdown.Strict.
func (s *SQLScalar) PushdownStrict() {}

// PushdownStrict implements pushdown.Strict.
func (t *SQLText) PushdownStrict() {}

// PushdownStrict implements pushdown.Strict.
func (t *TemporalNumber) PushdownStrict() {}

// PushdownNumber implements pushdown.Number.
func (s *SQLScalar) PushdownNumber() (sql.Expression, bool) { return s.Child, false }

// Saturated returns a number rounded to the nearest integer in the range of a BIGINT.
func Saturated(f float64) float64 {
	const most = 1<<63 - 1024
	return max(-most, min(most, roundedDouble(f, 0)))
}

// IsTime reports whether an expression is a TIME.
func IsTime(e sql.Expression) bool {
	if !e.Resolved() {
		return false
	}
	_, ok := e.Type().(types.TimeType)
	return ok
}

// OnCurrentDay returns a time on the day on which the statement began, in the session's zone.
func OnCurrentDay(ctx *sql.Context, at types.Timespan) time.Time {
	day, err := currentDate(ctx, nil, nil)
	if err != nil { // an unknown zone
		day = ctx.QueryTime().UTC().Truncate(24 * time.Hour)
	}
	return day.(time.Time).Add(at.AsTimeDuration())
}

// DigitsOf returns the number that a date or a time of a type counts as: hours, minutes and seconds have two digits
// each, a date eight. It is NULL for other values.
func DigitsOf(t sql.Type, v interface{}) interface{} {
	switch v := v.(type) {
	case types.Timespan:
		micros, sign := v.AsMicroseconds(), int64(1)
		if micros < 0 {
			micros, sign = -micros, -1
		}
		seconds := micros / 1e6
		clock := seconds/3600*10000 + seconds/60%60*100 + seconds%60
		return decimal.New(sign*(clock*1e6+micros%1e6), -6)
	case time.Time:
		day := int64(v.Year())*10000 + int64(v.Month())*100 + int64(v.Day())
		if types.IsDateType(t) {
			return decimal.New(day, 0)
		}
		clock := int64(v.Hour())*10000 + int64(v.Minute())*100 + int64(v.Second())
		return decimal.New(day*1e6+clock, 0).Add(decimal.New(int64(v.Nanosecond()/1000), -6))
	}
	return nil
}

// DateOfDigits returns YYMMDD, YYYYMMDD, YYMMDDhhmmss or YYYYMMDDhhmmss in the notation of dates. Two digits mean a
// year from 1970 to 2069.
func DateOfDigits(digits string) (string, bool) {
	if _, err := strconv.ParseUint(digits, 10, 64); err != nil {
		return "", false
	}
	switch len(digits) {
	case 6, 12:
		century := "20"
		if digits >= "70" {
			century = "19"
		}
		return DateOfDigits(century + digits)
	case 8:
		return digits[:4] + "-" + digits[4:6] + "-" + digits[6:], true
	case 14:
		date, _ := DateOfDigits(digits[:8])
		return date + " " + digits[8:10] + ":" + digits[10:12] + ":" + digits[12:], true
	}
	return "", false
}

// SpelledDate returns a number in the notation of dates: numbers of less than three digits, of 7 and of 13 are none.
func SpelledDate(v any) (string, bool) {
	literal, err := value.NumberLiteral(v)
	if err != nil {
		return "", false
	}
	if f, err := strconv.ParseFloat(literal, 64); err == nil && strings.ContainsAny(literal, "eE") {
		literal = strconv.FormatFloat(f, 'f', -1, 64)
	}
	digits, _, _ := strings.Cut(literal, ".")
	switch n := len(digits); {
	case n < 3 || n == 7 || n == 13:
		return "", false
	case n < 6:
		digits = strings.Repeat("0", 6-n) + digits
	case 8 < n && n < 12:
		digits = strings.Repeat("0", 12-n) + digits
	}
	return DateOfDigits(digits)
}

// WideInteger is a signed or unsigned integer of 64 bits: N, or Beyond if that is not 0.
type WideInteger struct {
	N      int64
	Beyond uint64 // over math.MaxInt64
}

// WideOf returns a value of one of the engine's integer types with its sign.
func WideOf(v any) (WideInteger, bool) {
	switch v := v.(type) {
	case uint64:
		if v > math.MaxInt64 {
			return WideInteger{Beyond: v}, true
		}
		return WideInteger{N: int64(v)}, true
	case bool:
		if v {
			return WideInteger{N: 1}, true
		}
		return WideInteger{}, true
	}
	n, ok := AsInt64(v)
	return WideInteger{N: n}, ok
}

// IsZero reports whether the integer is 0.
func (w WideInteger) IsZero() bool { return w.N == 0 && w.Beyond == 0 }

// Big returns the same number as a big.Int.
func (w WideInteger) Big() *big.Int {
	if w.Beyond != 0 {
		return new(big.Int).SetUint64(w.Beyond)
	}
	return big.NewInt(w.N)
}

// DoubleLiteral returns a literal as the DOUBLE that it spells.
func DoubleLiteral(ctx *sql.Context, l *expression.Literal) sql.Expression {
	if l.Val == nil || l.Type() == types.Float64 {
		return l
	}
	return expression.NewLiteral(value.AsDouble(ctx, l.Val), types.Float64)
}

// IsASCII reports whether all bytes of a text are below 128.
func IsASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// Warn adds a warning to the session.
func Warn(ctx *sql.Context, code int, format string, args ...any) {
	WarnSession(ctx.Session, code, format, args...)
}

// WarnSession adds a warning to a session.
func WarnSession(s sql.Session, code int, format string, args ...any) {
	s.Warn(&sql.Warning{Level: "Warning", Code: code, Message: fmt.Sprintf(format, args...)})
}
