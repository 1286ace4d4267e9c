package functions

import (
	"fmt"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// timeFunctions are the functions whose result is a TIME with the digits of their arguments.
func timeFunctions() []*valueDefinition {
	return []*valueDefinition{
		{Name: "time_of", description: "a value as a TIME of so many digits.", least: 2, most: 2,
			typ: func(args []sql.Expression) sql.Type { return TimeOfDigits(args[1:]) }, give: timeOf,
			spelled: func(args []sql.Expression) string { return fmt.Sprintf("cast(%s as time(%s))", args[0], args[1]) }},
		{Name: "time", description: "the time of a date, or a time.", least: 1, most: 1, typ: TimeLike, give: timeOf},
		{Name: "timediff", description: "the time from one date or time to another.", least: 2, most: 2,
			typ: TimeLike, give: timeDifference},
		{Name: "curtime", description: "the current time.", most: 1, Volatile: true, typ: TimeOfDigits, give: currentTime},
		{Name: "current_time", description: "the current time.", most: 1, Volatile: true, typ: TimeOfDigits,
			give: currentTime},
		{Name: "curdate", description: "the current date.", Volatile: true, typ: dateOnly, give: currentDate},
		{Name: "current_date", description: "the current date.", Volatile: true, typ: dateOnly, give: currentDate},
		{Name: "convert_tz", description: "what a clock shows in one time zone when one in another shows a time.",
			least: 3, most: 3, typ: datetimeOfMicroseconds, give: convertTz},
		{Name: "sysdate", description: "the date and time at which it is asked for.", most: 1, Volatile: true,
			typ: datetimeOfDigits, give: sysdate},
		{Name: "utc_timestamp", description: "the current date and time in UTC.", most: 1, Volatile: true,
			typ: datetimeOfDigits, give: utcTimestamp},
	}
}

// TimeOfDigits returns the type of a TIME whose digits an argument gives: a literal, or no argument for 0.
func TimeOfDigits(args []sql.Expression) sql.Type {
	if len(args) == 0 {
		return value.TimeType{}
	}
	l, ok := args[0].(*expression.Literal)
	if !ok {
		return types.Time
	}
	n, ok := roundedOf(sql.NewEmptyContext(), l.Val)
	if !ok || n < 0 || n > 6 {
		return types.Time
	}
	return value.TimeType{Digits: int(n)}
}

// TimeLike returns the type of a TIME with the most digits of some values; the engine's own type where those are not
// known.
func TimeLike(args []sql.Expression) sql.Type {
	out := value.TimeType{}
	for _, a := range args {
		digits, known := FractionalDigits(a)
		if !known {
			return types.Time
		}
		out.Digits = max(out.Digits, digits)
	}
	return out
}

// FractionalDigits returns how many fractional digits of seconds a value may have as a time.
func FractionalDigits(e sql.Expression) (digits int, known bool) {
	if !e.Resolved() {
		return 0, false
	}
	if now, ok := e.(*function.Now); ok {
		args := now.Children()
		if len(args) == 0 {
			return 0, true
		}
		t, ok := TimeOfDigits(args).(value.TimeType)
		return t.Digits, ok
	}
	typ := e.Type() // once: it is asked for through all that is inside
	switch t := typ.(type) {
	case value.TimeType:
		return t.Digits, true
	case sql.DatetimeType:
		_, column := e.(*expression.GetField)
		switch {
		case types.IsDateType(t):
			return 0, true
		case column || t.Precision() < 6:
			return t.Precision(), true
		}
		return 0, false
	case sql.DecimalType:
		return min(6, int(t.Scale())), true
	}
	if types.IsInteger(typ) {
		return 0, true
	}
	if !sqltypes.IsText(typ.Type()) && !types.IsFloat(typ) {
		return 0, false
	}
	if l, ok := e.(*expression.Literal); ok {
		if text, ok := l.Val.(string); ok {
			_, fraction, _ := strings.Cut(text, ".")
			return min(6, len(fraction)), true
		}
	}
	return 6, true
}

// numberDigits is FractionalDigits for a number of seconds: a text that spells one may have any.
func numberDigits(e sql.Expression) (digits int, known bool) {
	digits, known = FractionalDigits(e)
	if l, ok := e.(*expression.Literal); ok && sqltypes.IsText(l.Type().Type()) {
		return 6, true
	}
	return digits, known
}

// timeOfSeconds returns the type of a TIME from a number of seconds, the last argument.
func timeOfSeconds(args []sql.Expression) sql.Type {
	digits, known := numberDigits(args[len(args)-1])
	if !known {
		return types.Time
	}
	return value.TimeType{Digits: digits}
}

func timeOf(ctx *sql.Context, f *ValueFunction, values []any) (any, error) {
	span, ok := spanOf(ctx, values[0])
	if !ok {
		text, err := value.TextOf(ctx, values[0])
		Warn(ctx, mysql.ERTruncatedWrongValue, "Truncated incorrect time value: '%.64s'", text)
		return nil, err
	}
	if len(values) > 1 {
		if _, known := f.Type().(value.TimeType); !known {
			return nil, mysql.NewSQLError(tooBigPrecision, "42000", "Too-big precision specified for 'CAST'. Maximum is 6.")
		}
	}
	return roundedTime(f, span), nil
}

// roundedTime returns a time with the digits of a function's type.
func roundedTime(f *ValueFunction, span types.Timespan) types.Timespan {
	if t, ok := f.Type().(value.TimeType); ok {
		return t.Round(span)
	}
	return span
}

// timeDifference computes TIMEDIFF of two dates or of two times: NULL if they are one of each.
func timeDifference(ctx *sql.Context, f *ValueFunction, values []any) (any, error) {
	var micros [2]int64
	var dates [2]bool
	for i, v := range values {
		text, isText := v.(string)
		dates[i] = isText && hasDate(text) || types.IsTime(f.args[i].Type())
		if dates[i] {
			at, ok := momentOf(ctx, v)
			if !ok {
				Warn(ctx, mysql.ERTruncatedWrongValue, "Incorrect datetime value: '%.64s'", text)
				return nil, nil
			}
			micros[i] = at.UnixMicro()
			continue
		}
		var ok bool
		if micros[i], ok = plainSpan(ctx, v); !ok {
			Warn(ctx, mysql.ERTruncatedWrongValue, "Truncated incorrect time value: '%.64s'", text)
			return nil, nil
		}
	}
	if dates[0] != dates[1] {
		return nil, nil
	}
	return boundedTime(ctx, micros[0]-micros[1]), nil
}

// currentTime returns the time of the statement's beginning in the session's zone.
func currentTime(ctx *sql.Context, f *ValueFunction, _ []any) (any, error) {
	t, ok := f.Type().(value.TimeType)
	if !ok {
		return nil, mysql.NewSQLError(tooBigPrecision, "42000", "Too-big precision specified for 'curtime'. Maximum is 6.")
	}
	now, err := function.NewNow(expression.NewLiteral(int8(t.Digits), types.Int8))
	if err != nil {
		return nil, err
	}
	at, err := now.Eval(ctx, nil)
	if err != nil {
		return nil, err
	}
	return types.Time.ConvertToTimespan(at)
}

func dateOnly([]sql.Expression) sql.Type { return types.Date }

// currentDate returns the day of the statement's beginning in the session's zone.
func currentDate(ctx *sql.Context, _ *ValueFunction, _ []any) (any, error) {
	now, err := function.NewNow()
	if err != nil {
		return nil, err
	}
	at, err := now.Eval(ctx, nil)
	if err != nil {
		return nil, err
	}
	return at.(time.Time).Truncate(24 * time.Hour), nil
}

// datetimeOfDigits returns the type of a DATETIME whose digits an argument gives, like TimeOfDigits.
func datetimeOfDigits(args []sql.Expression) sql.Type {
	if t, ok := TimeOfDigits(args).(value.TimeType); ok {
		return types.MustCreateDatetimeType(sqltypes.Datetime, t.Digits)
	}
	return types.DatetimeMaxPrecision
}

func utcTimestamp(ctx *sql.Context, f *ValueFunction, _ []any) (any, error) {
	length, err := lengthOfDigits(f, "utc_timestamp")
	if err != nil {
		return nil, err
	}
	return ctx.QueryTime().UTC().Truncate(length), nil
}

// PlainTime returns a TIME that is no column in the engine's own type, and other expressions unchanged: the engine
// compares values of two types as texts.
func PlainTime(e sql.Expression) sql.Expression {
	_, field := e.(*expression.GetField)
	if _, digits := e.Type().(value.TimeType); !digits || field {
		return e
	}
	return tree.WithType(e, types.Time)
}
