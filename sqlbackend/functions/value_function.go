package functions

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// valueDefinition is a function whose definition in the engine differs from MySQL's. It is NULL if an argument is.
type valueDefinition struct {
	Name, description string
	least, most       int // numbers of arguments
	typ               func(args []sql.Expression) sql.Type
	give              func(ctx *sql.Context, f *ValueFunction, values []any) (any, error)
	nulls             bool                               // give is called with NULLs too
	spelled           func(args []sql.Expression) string // the text instead of a call
	// Volatile says that each call has another value, or another effect.
	Volatile bool
	compute  func(ctx *sql.Context, f *ValueFunction, row sql.Row) (any, error) // instead of give
}

// ValueFunction is a call of such a function.
type ValueFunction struct {
	*valueDefinition
	args []sql.Expression
}

var _ sql.FunctionExpression = (*ValueFunction)(nil)

// ValueFunctions adds the functions that are defined by valueDefinition.
func ValueFunctions(out map[string]sql.Function) {
	always := func(t sql.Type) func([]sql.Expression) sql.Type { return func([]sql.Expression) sql.Type { return t } }
	for _, d := range slices.Concat(calendarFunctions(), bitFunctions(), stringFunctions(), secretFunctions(),
		systemFunctions(), formatFunctions(), timeFunctions(), clockFunctions(), variableFunctions(), boundedFunctions(),
		[]*valueDefinition{
			{Name: "ceil", description: "the least whole number that is not below a number.", least: 1, most: 1, typ: wholeType,
				give: func(ctx *sql.Context, f *ValueFunction, values []any) (any, error) {
					return ceiledOrFloored(ctx, f.Type(), values[0], decimal.Decimal.Ceil, math.Ceil)
				}},
			{Name: "floor", description: "the greatest whole number that is not above a number.", least: 1, most: 1,
				typ: wholeType, give: func(ctx *sql.Context, f *ValueFunction, values []any) (any, error) {
					return ceiledOrFloored(ctx, f.Type(), values[0], decimal.Decimal.Floor, math.Floor)
				}},
			{Name: "log10", description: "the logarithm to base 10.", least: 1, most: 1, typ: always(types.Float64),
				give: func(ctx *sql.Context, _ *ValueFunction, values []any) (any, error) {
					return logarithm10(value.AsDouble(ctx, values[0])), nil
				}},
			{Name: "conv", description: "a number's digits in another base.", least: 3, most: 3, typ: always(types.LongText),
				give: conv},
			{Name: "week", description: "the week of a date.", least: 1, most: 2, typ: always(types.Int32), give: week},
			{Name: "time_to_sec", description: "the seconds of a time.", least: 1, most: 1, typ: always(types.Int64),
				give: secondsOfTime},
			{Name: "timestamp", description: "a date, or a date and a time, as a DATETIME.", least: 1, most: 2,
				typ: timestampType, give: timestampOf},
			{Name: "timestampdiff", description: "the whole units from one date to another.", least: 3, most: 3,
				typ: always(types.Int64), give: timestampDifference},
		}) {
		out[d.Name] = sql.FunctionN{Name: d.Name, Fn: d.instance}
	}
	for _, name := range []string{"session_user", "system_user"} {
		out[name] = sql.Function0{Name: name, Fn: func() sql.Expression { return function.NewUser() }}
	}
	out["first_value"] = sql.FunctionN{Name: "first_value", Fn: newFirstValue}
	out["ceiling"] = out["ceil"]
	out["datetime"] = out["timestamp"]
}

// clockFunctions are the functions of parts of a time, or of a date with a time.
func clockFunctions() []*valueDefinition {
	always := func([]sql.Expression) sql.Type { return types.Int32 }
	return []*valueDefinition{
		{Name: "hour", description: "the hours of a time, or of a date.", least: 1, most: 1, typ: always,
			give: clockPart(func(micros int64) int64 { return micros / 3_600_000_000 })},
		{Name: "minute", description: "the minutes of a time, or of a date.", least: 1, most: 1, typ: always,
			give: clockPart(func(micros int64) int64 { return micros / 60_000_000 % 60 })},
		{Name: "second", description: "the seconds of a time, or of a date.", least: 1, most: 1, typ: always,
			give: clockPart(func(micros int64) int64 { return micros / 1_000_000 % 60 })},
		{Name: "microsecond", description: "the microseconds of a time, or of a date.", least: 1, most: 1,
			typ: always, give: clockPart(func(micros int64) int64 { return micros % 1_000_000 })},
	}
}

// ClockFunction returns HOUR, MINUTE, SECOND or MICROSECOND of a value, by the name of the unit; nil for other units.
func ClockFunction(unit string, of sql.Expression) sql.Expression {
	for _, d := range clockFunctions() {
		if strings.EqualFold(d.Name, unit) {
			return &ValueFunction{d, []sql.Expression{of}}
		}
	}
	return nil
}

func (d *valueDefinition) instance(args ...sql.Expression) (sql.Expression, error) {
	if len(args) < d.least || len(args) > d.most {
		expected := fmt.Sprint(d.least)
		switch {
		case d.most == math.MaxInt:
			expected += " or more"
		case d.most > d.least:
			expected += fmt.Sprintf(" to %d", d.most)
		}
		return nil, sql.ErrInvalidArgumentNumber.New(strings.ToUpper(d.Name), expected, len(args))
	}
	return &ValueFunction{d, args}, nil
}

// FunctionName implements sql.FunctionExpression.
func (f *ValueFunction) FunctionName() string { return f.Name }

// Description implements sql.FunctionExpression.
func (f *ValueFunction) Description() string { return "is " + f.description }

// Children implements sql.Expression.
func (f *ValueFunction) Children() []sql.Expression { return f.args }

// WithChildren implements sql.Expression.
func (f *ValueFunction) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	return f.instance(children...)
}

// Resolved implements sql.Expression.
func (f *ValueFunction) Resolved() bool {
	for _, a := range f.args {
		if !a.Resolved() {
			return false
		}
	}
	return true
}

// IsNullable implements sql.Expression.
func (f *ValueFunction) IsNullable() bool { return true }

// Type implements sql.Expression.
func (f *ValueFunction) Type() sql.Type { return f.typ(f.args) }

// CollationCoercibility implements sql.CollationCoercible.
func (*ValueFunction) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, 5
}

// String implements fmt.Stringer.
func (f *ValueFunction) String() string {
	if f.spelled != nil {
		return f.spelled(f.args)
	}
	texts := make([]string, len(f.args))
	for i, a := range f.args {
		texts[i] = a.String()
	}
	return f.Name + "(" + strings.Join(texts, ",") + ")"
}

// Eval implements sql.Expression.
func (f *ValueFunction) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	if f.compute != nil {
		return f.compute(ctx, f, row)
	}
	values := make([]any, len(f.args))
	for i, a := range f.args {
		v, err := a.Eval(ctx, row)
		if err != nil || v == nil && !f.nulls {
			return nil, err
		}
		if values[i], err = sql.UnwrapAny(ctx, v); err != nil {
			return nil, err
		}
	}
	v, err := f.give(ctx, f, values)
	if err != nil || v == nil {
		return nil, err
	}
	return hold.Value(ctx, v)
}

// wholeType returns the type of CEIL and FLOOR: integers and DECIMALs stay exact, and other types become DOUBLE.
func wholeType(args []sql.Expression) sql.Type {
	switch t := args[0].Type(); {
	case types.IsUnsigned(t):
		return types.Uint64
	case types.IsInteger(t), types.IsBoolean(t):
		return types.Int64
	case types.IsDecimal(t):
		of, ok := t.(sql.DecimalType)
		if !ok {
			return types.Float64
		}
		return types.MustCreateDecimalType(uint8(min(int(of.Precision()-of.Scale())+1, types.DecimalTypeMaxPrecision)), 0)
	}
	return types.Float64
}

func ceiledOrFloored(ctx *sql.Context, t sql.Type, v any, exact func(decimal.Decimal) decimal.Decimal,
	double func(float64) float64) (any, error) {
	switch {
	case types.IsDecimal(t):
		d, _, err := types.InternalDecimalType.Convert(ctx, v)
		if err != nil {
			return nil, err
		}
		return exact(d.(decimal.Decimal)), nil
	case types.IsInteger(t):
		whole, _, err := t.Convert(ctx, v)
		return whole, err
	}
	return double(value.AsDouble(ctx, v)), nil
}

// logarithm10 returns the logarithm to base 10, exact for the powers of ten; nil for numbers that are not positive.
func logarithm10(f float64) any {
	if f <= 0 {
		return nil
	}
	l := math.Log(f) / math.Ln10
	if whole := math.Round(l); math.Pow(10, whole) == f {
		return whole
	}
	return l
}

func week(ctx *sql.Context, f *ValueFunction, values []any) (any, error) {
	if at, ok := momentOf(ctx, values[0]); ok {
		mode := weekMode(ctx)
		if len(values) > 1 {
			if n, ok := roundedOf(ctx, values[1]); ok {
				mode = n
			}
		}
		return weekOf(at, mode), nil
	}
	literals := make([]sql.Expression, len(values))
	for i, v := range values {
		literals[i] = expression.NewLiteral(v, f.args[i].Type())
	}
	w, err := function.NewWeek(literals...)
	if err != nil {
		return nil, err
	}
	v, err := w.Eval(ctx, nil)
	if sql.ErrInvalidArgumentDetails.Is(err) { // no date, and the engine has warned of it
		return nil, nil
	}
	return v, err
}

// clockPart computes HOUR and the like: a part of the microseconds of a time, without its sign.
func clockPart(part func(micros int64) int64) func(*sql.Context, *ValueFunction, []any) (any, error) {
	return func(ctx *sql.Context, _ *ValueFunction, values []any) (any, error) {
		micros, ok := clockOf(ctx, values[0])
		if !ok {
			return nil, nil
		}
		return int32(part(max(micros, -micros))), nil
	}
}

// clockOf returns a value as a time of day, or as a TIME, in microseconds; ok is false if it is none.
func clockOf(ctx *sql.Context, v any) (micros int64, ok bool) {
	if literal, err := value.NumberLiteral(v); err == nil {
		d, err := decimal.NewFromString(value.BoundedNumber(literal))
		if err != nil {
			return 0, false
		}
		return clockOfDigits(ctx, d.Abs())
	}
	if span, ok := spanOf(ctx, v); ok {
		return span.AsMicroseconds(), true
	}
	at, ok := momentOf(ctx, v)
	return at.Sub(at.Truncate(24 * time.Hour)).Microseconds(), ok
}

// clockOfDigits returns the time whose hours, minutes and seconds are the last digits of a number; the digits before
// them may be a date.
func clockOfDigits(ctx *sql.Context, d decimal.Decimal) (micros int64, ok bool) {
	whole := d.Truncate(0)
	digits := whole.String()
	if len(digits) > len("8385959") {
		date, ok := DateOfDigits(digits)
		if ok {
			_, ok = momentOf(ctx, date)
		}
		if !ok {
			return 0, false
		}
		whole = whole.Mod(decimal.New(1, 6))
		if len(digits) == len("20200102") {
			return 0, true
		}
	}
	n := whole.IntPart()
	if n/100%100 > 59 || n%100 > 59 {
		return 0, false
	}
	fraction := d.Sub(d.Truncate(0)).Shift(6).IntPart()
	return (n/10000*3600+n/100%100*60+n%100)*1_000_000 + fraction, true
}

// secondsOfTime computes TIME_TO_SEC, without fractions.
func secondsOfTime(ctx *sql.Context, _ *ValueFunction, values []any) (any, error) {
	span, ok := spanOf(ctx, values[0])
	if !ok {
		return nil, nil
	}
	return span.AsMicroseconds() / time.Second.Microseconds(), nil
}

// spanOf returns a value as a TIME; ok is false if it is none. For a date with a time it is the time.
func spanOf(_ *sql.Context, v any) (types.Timespan, bool) {
	switch of := v.(type) {
	case types.Timespan:
		return of, true
	case []byte:
		v = TimeOfText(string(of))
	case string:
		v = TimeOfText(of)
	}
	span, err := value.TimeType{Digits: 6}.ConvertToTimespan(v)
	return span, err == nil
}

// TimeOfText returns the time in the text of a date with a time, or else the text with its days converted to hours.
func TimeOfText(text string) string {
	date, rest, ok := strings.Cut(strings.Replace(strings.TrimSpace(text), "T", " ", 1), " ")
	if ok && strings.Count(date, "-") == 2 && !strings.HasPrefix(date, "-") {
		return rest
	}
	return WithoutDays(text)
}

// WithoutDays spells a time that has days before its hours with more hours; other texts are unchanged.
func WithoutDays(text string) string {
	days, clock, ok := strings.Cut(strings.TrimSpace(text), " ")
	sign := ""
	if positive, negative := strings.CutPrefix(days, "-"); negative {
		sign, days = "-", positive
	}
	d, err := strconv.ParseUint(days, 10, 8)
	if !ok || err != nil {
		return text
	}
	hours, rest, parts := strings.Cut(strings.TrimSpace(clock), ":")
	h, err := strconv.ParseUint(hours, 10, 8)
	if err != nil || h > 23 {
		return text
	}
	if !parts {
		rest = "00:00"
	}
	return sign + strconv.FormatUint(24*d+h, 10) + ":" + rest
}

// momentOf returns a value as a DATETIME; ok is false if it is none.
func momentOf(ctx *sql.Context, v any) (at time.Time, ok bool) {
	if span, ok := v.(types.Timespan); ok {
		return OnCurrentDay(ctx, span), true
	}
	out, _, err := types.DatetimeMaxPrecision.Convert(ctx, v)
	if err != nil {
		return time.Time{}, false
	}
	at, ok = out.(time.Time)
	return at, ok
}

// timestampType returns a DATETIME with the most digits of the arguments.
func timestampType(args []sql.Expression) sql.Type {
	if t, ok := TimeLike(args).(value.TimeType); ok {
		return types.MustCreateDatetimeType(sqltypes.Datetime, t.Digits)
	}
	return types.DatetimeMaxPrecision
}

func timestampOf(ctx *sql.Context, _ *ValueFunction, values []any) (any, error) {
	at, ok := momentOf(ctx, values[0])
	if !ok {
		return nil, nil
	}
	if len(values) > 1 {
		span, ok := spanOf(ctx, values[1])
		if !ok {
			return nil, nil
		}
		at = at.Add(time.Duration(span.AsMicroseconds()) * time.Microsecond)
	}
	return at, nil
}

// timestampDifference computes TIMESTAMPDIFF.
func timestampDifference(ctx *sql.Context, _ *ValueFunction, values []any) (any, error) {
	unit, err := value.TextOf(ctx, values[0])
	if err != nil {
		return nil, err
	}
	from, ok := momentOf(ctx, values[1])
	to, found := momentOf(ctx, values[2])
	if !ok || !found {
		return nil, nil
	}
	unit = strings.TrimPrefix(strings.ToLower(unit), "sql_tsi_")
	if months, ok := map[string]int64{"month": 1, "quarter": 3, "year": 12}[unit]; ok {
		return monthsBetween(from, to) / months, nil
	}
	length, ok := map[string]time.Duration{"microsecond": time.Microsecond, "second": time.Second, "minute": time.Minute,
		"hour": time.Hour,
		"day":  24 * time.Hour, "week": 7 * 24 * time.Hour}[unit]
	if !ok {
		return nil, sql.ErrInvalidArgumentDetails.New("timestampdiff", unit)
	}
	return (to.UnixMicro() - from.UnixMicro()) / length.Microseconds(), nil
}

// monthsBetween returns the number of whole months from one moment to another.
func monthsBetween(from, to time.Time) int64 {
	if to.Before(from) {
		return -monthsBetween(to, from)
	}
	months := int64(to.Year()-from.Year())*12 + int64(to.Month()) - int64(from.Month())
	ofMonth := func(t time.Time) time.Duration {
		return t.Sub(time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, t.Location()))
	}
	if ofMonth(to) < ofMonth(from) {
		months--
	}
	return months
}
