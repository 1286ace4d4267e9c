package functions

import (
	"fmt"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// dateSum is DATE_ADD and the like, also as d + INTERVAL n unit: a date, a time, or a text that spells one, moved by
// an interval. It is NULL, with a warning, where there is no such date. The engine's sum has a wrong year where
// months add up to a December, gives dates before year 0, and wrong dates for intervals that are longer than its
// durations.
type dateSum struct {
	date, amount sql.Expression
	unit         intervalUnit
	back         bool // DATE_SUB
}

var (
	_ sql.FunctionExpression   = (*dateSum)(nil)
	_ sql.CollationCoercible   = (*dateSum)(nil)
	_ pushdown.MovedExpression = (*dateSum)(nil)
)

// DateSums adds the functions that are sums of dates and intervals.
func DateSums(out map[string]sql.Function) {
	for _, f := range []struct {
		name       string
		back, days bool // days: an amount without a unit is in days
	}{{"date_add", false, false}, {"adddate", false, true}, {"date_sub", true, false}, {"subdate", true, true}} {
		out[f.name] = sql.FunctionN{Name: f.name, Fn: func(args ...sql.Expression) (sql.Expression, error) {
			if len(args) != 2 {
				return nil, sql.ErrInvalidArgumentNumber.New(strings.ToUpper(f.name), 2, len(args))
			}
			interval, ok := args[1].(*expression.Interval)
			if !ok {
				if !f.days {
					return nil, mysql.NewSQLError(mysql.ERParseError, "42000", "%s takes a date and an INTERVAL",
						strings.ToUpper(f.name))
				}
				interval = expression.NewInterval(args[1], "DAY")
			}
			unit, ok := IntervalUnits[strings.TrimPrefix(interval.Unit, "SQL_TSI_")]
			if !ok {
				return nil, mysql.NewSQLError(mysql.ERParseError, "42000", "unknown unit of an interval: %s",
					mysqlerr.Shortened(interval.Unit))
			}
			return &dateSum{args[0], interval.Child, unit, f.back}, nil
		}}
	}
}

// FunctionName implements sql.FunctionExpression.
func (d *dateSum) FunctionName() string {
	if d.back {
		return "date_sub"
	}
	return "date_add"
}

// Description implements sql.FunctionExpression.
func (d *dateSum) Description() string { return "is a date moved by an interval." }

// Resolved implements sql.Expression.
func (d *dateSum) Resolved() bool { return d.date.Resolved() && d.amount.Resolved() }

// IsNullable implements sql.Expression.
func (d *dateSum) IsNullable() bool { return true }

// CollationCoercibility implements sql.CollationCoercible.
func (*dateSum) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return ctx.GetCollation(), 4
}

// Children implements sql.Expression. The interval is none of them: the engine refuses it outside of its own
// functions.
func (d *dateSum) Children() []sql.Expression { return []sql.Expression{d.date, d.amount} }

// WithChildren implements sql.Expression.
func (d *dateSum) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 2 {
		return nil, sql.ErrInvalidChildrenNumber.New(d, len(children), 2)
	}
	next := *d
	next.date, next.amount = children[0], children[1]
	return &next, nil
}

// String implements fmt.Stringer.
func (d *dateSum) String() string {
	sign := '+'
	if d.back {
		sign = '-'
	}
	return fmt.Sprintf("(%s %c INTERVAL %s %s)", d.date, sign, d.amount, d.unit.name)
}

// Type implements sql.Expression. A date stays one if it is moved by days, a time if it is moved by less; the sum of
// a text that spells a date is a text.
func (d *dateSum) Type() sql.Type {
	switch t := d.date.Type(); {
	case t == types.Null:
		return types.Null
	case types.IsDatetimeType(t), types.IsTimestampType(t):
		if digits, known := d.fraction(); known {
			return types.MustCreateDatetimeType(sqltypes.Datetime, digits)
		}
		return types.DatetimeMaxPrecision
	case types.IsDateType(t), types.IsDeferredType(t):
		if d.unit.clock {
			return types.DatetimeMaxPrecision
		}
		return types.Date
	case value.IsTimespan(t):
		if d.unit.days {
			return types.DatetimeMaxPrecision
		}
		if digits, known := d.fraction(); known {
			return value.TimeType{Digits: digits}
		}
		return types.Time
	}
	return types.Text
}

// fraction returns the number of fractional digits of the sum's seconds.
func (d *dateSum) fraction() (digits int, known bool) {
	if digits, known = FractionalDigits(d.date); !known {
		return 0, false
	}
	switch {
	case strings.HasSuffix(d.unit.name, "MICROSECOND"):
		return 6, true
	case d.unit.name != "SECOND":
		return digits, true
	}
	of, known := numberDigits(d.amount)
	return max(digits, of), known
}

// Eval implements sql.Expression.
func (d *dateSum) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := d.date.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return nil, err
	}
	by, err := d.interval(ctx, row)
	if err != nil || by == nil {
		return nil, err
	}
	t := d.Type()
	if span, ok := v.(types.Timespan); ok && value.IsTimespan(t) {
		return d.timeSum(ctx, span, *by), nil
	}
	at, dayOnly, ok := d.moment(ctx, v)
	if !ok {
		return nil, nil
	}
	if at, ok = d.unit.moved(at, *by); !ok {
		Warn(ctx, mysqlerr.FieldOverflow, "Datetime function: datetime field overflow")
		return nil, nil
	}
	if !types.IsText(t) {
		out, _, err := t.Convert(ctx, at)
		return out, err
	}
	layout := sql.TimestampDatetimeLayout
	switch {
	case at.Nanosecond() > 0:
		layout = sql.DatetimeLayoutNoTrim
	case dayOnly && !d.unit.clock:
		layout = sql.DateLayout
	}
	if at.Year() == 0 && by.years == 0 && by.months == 0 {
		return types.ZeroDateStr + at.Format(layout[len(sql.DateLayout):]), nil
	}
	return at.Format(layout), nil
}

// interval returns the interval by which the date is moved; nil for NULL.
func (d *dateSum) interval(ctx *sql.Context, row sql.Row) (*dateInterval, error) {
	v, err := d.amount.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return nil, err
	}
	by, ok := d.unit.interval(ctx, v)
	if !ok {
		return nil, nil
	}
	by.negative = by.negative != d.back
	return &by, nil
}

// moment returns the date or time to move, and whether it is spelled without a time; ok is false if there is none.
func (d *dateSum) moment(ctx *sql.Context, v any) (at time.Time, dayOnly, ok bool) {
	switch of := v.(type) {
	case []byte:
		v = string(of)
	case time.Time, types.Timespan, string:
	default:
		spelled, ok := SpelledDate(v)
		if !ok {
			text, _ := value.TextOf(ctx, v)
			Warn(ctx, mysql.ERTruncatedWrongValue, "Incorrect datetime value: '%s'", mysqlerr.Shortened(text))
			return at, false, false
		}
		v = spelled
	}
	at, ok = momentOf(ctx, v)
	text, isText := v.(string)
	if !ok || isText && tree.IsZeroDate(at) {
		Warn(ctx, mysql.ERTruncatedWrongValue, "Incorrect datetime value: '%s'", mysqlerr.Shortened(text))
		return at, false, false
	}
	if !isText {
		return at, false, !tree.IsZeroDate(at)
	}
	for _, layout := range types.DateOnlyLayouts {
		if _, err := time.Parse(layout, text); err == nil {
			return at, true, true
		}
	}
	return at, false, true
}

// timeSum returns a TIME that is moved, within the range of times.
func (d *dateSum) timeSum(ctx *sql.Context, span types.Timespan, by dateInterval) any {
	const most = (838*3600 + 59*60 + 59) * int64(time.Second/time.Microsecond)
	seconds, micros, ok := by.clock()
	if out := span.AsMicroseconds() + seconds*1_000_000 + micros; ok && -most <= out && out <= most {
		return types.Timespan(out)
	}
	Warn(ctx, mysqlerr.FieldOverflow, "Datetime function: time field overflow")
	return nil
}

// PushdownMoved implements pushdown.MovedExpression.
func (d *dateSum) PushdownMoved(ctx *sql.Context) (months int64, by time.Duration, ok bool) {
	delta, err := d.interval(ctx, nil)
	if err != nil || delta == nil {
		return 0, 0, false
	}
	return delta.about()
}
