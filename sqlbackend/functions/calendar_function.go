package functions

import (
	"strconv"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// calendarFunctions are the functions of dates and times that the engine lacks.
func calendarFunctions() []*valueDefinition {
	always := func(t sql.Type) func([]sql.Expression) sql.Type { return func([]sql.Expression) sql.Type { return t } }
	return []*valueDefinition{
		{Name: "makedate", description: "a day of a year.", least: 2, most: 2, typ: always(types.Date), give: makeDate},
		{Name: "maketime", description: "a time of hours, minutes and seconds.", least: 3, most: 3, typ: timeOfSeconds,
			give: makeTime},
		{Name: "sec_to_time", description: "a time of so many seconds.", least: 1, most: 1, typ: timeOfSeconds,
			give: secondsToTime},
		{Name: "addtime", description: "a time later.", least: 2, most: 2, typ: sumType, give: addedTime(1)},
		{Name: "subtime", description: "a time earlier.", least: 2, most: 2, typ: sumType, give: addedTime(-1)},
		{Name: "to_seconds", description: "the seconds since year 0.", least: 1, most: 1, typ: always(types.Int64),
			give: toSeconds},
		{Name: "period_add", description: "a month so many months later.", least: 2, most: 2, typ: always(types.Int64),
			give: periodAdd},
		{Name: "period_diff", description: "the months between two months.", least: 2, most: 2, typ: always(types.Int64),
			give: periodDifference},
		{Name: "str_to_date", description: "the date that a text spells in a format.", least: 2, most: 2, typ: strToDateType,
			give: strToDate},
	}
}

// roundedOf returns a value rounded to an integer; a text counts as the number that it begins with.
func roundedOf(ctx *sql.Context, v any) (int64, bool) {
	d, ok := decimalOf(ctx, v)
	if !ok {
		return 0, false
	}
	d = d.Round(0)
	if !d.BigInt().IsInt64() {
		return 0, false
	}
	return d.IntPart(), true
}

func decimalOf(ctx *sql.Context, v any) (decimal.Decimal, bool) {
	if text, ok := v.(string); ok {
		end := 0
		for end < len(text) && strings.IndexByte("+-.0123456789", text[end]) >= 0 {
			end++
		}
		d, err := decimal.NewFromString(text[:end])
		return d, err == nil || end == 0
	}
	out, _, err := types.InternalDecimalType.Convert(ctx, v)
	d, ok := out.(decimal.Decimal)
	return d, ok && err == nil
}

// lastDay is the last day of a DATE.
var lastDay = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)

func makeDate(ctx *sql.Context, _ *ValueFunction, values []any) (any, error) {
	year, ok := roundedOf(ctx, values[0])
	day, known := roundedOf(ctx, values[1])
	if !ok || !known || day <= 0 || year < 0 || year > 9999 || day > 4_000_000 {
		return nil, nil
	}
	date := time.Date(int(fullYear(year)), 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, int(day-1))
	if date.After(lastDay) {
		return nil, nil
	}
	return date, nil
}

// fullYear returns a year whose first two digits may be missing.
func fullYear(year int64) int64 {
	switch {
	case year < 70:
		return year + 2000
	case year < 100:
		return year + 1900
	}
	return year
}

// longestTime is the longest TIME, 838:59:59.
const longestTime = (838*3600 + 59*60 + 59) * 1_000_000

func boundedTime(ctx *sql.Context, micros int64) types.Timespan {
	if micros > longestTime || micros < -longestTime {
		Warn(ctx, warningTruncatedTime, "Truncated incorrect time value")
	}
	return types.Timespan(min(max(micros, -longestTime), longestTime))
}

// warningTruncatedTime is MySQL's number for a value that is truncated to its type.
const warningTruncatedTime = 1292

func makeTime(ctx *sql.Context, _ *ValueFunction, values []any) (any, error) {
	hours, ok := roundedOf(ctx, values[0])
	minutes, known := roundedOf(ctx, values[1])
	seconds, there := decimalOf(ctx, values[2])
	if !ok || !known || !there || minutes < 0 || minutes > 59 || seconds.IsNegative() ||
		seconds.GreaterThanOrEqual(decimal.NewFromInt(60)) {
		return nil, nil
	}
	micros := minutes*60_000_000 + seconds.Shift(6).Round(0).IntPart()
	hours = min(max(hours, -1000), 1000)
	if hours < 0 {
		return boundedTime(ctx, hours*3_600_000_000-micros), nil
	}
	return boundedTime(ctx, hours*3_600_000_000+micros), nil
}

func secondsToTime(ctx *sql.Context, _ *ValueFunction, values []any) (any, error) {
	seconds, ok := decimalOf(ctx, values[0])
	if !ok {
		return nil, nil
	}
	bound := decimal.NewFromInt(longestTime)
	micros := decimal.Max(decimal.Min(seconds.Shift(6).Round(0), bound.Add(decimal.NewFromInt(1))),
		bound.Neg().Sub(decimal.NewFromInt(1)))
	return boundedTime(ctx, micros.IntPart()), nil
}

// sumType returns the type of ADDTIME and SUBTIME: for a text it is a text.
func sumType(args []sql.Expression) sql.Type {
	switch t := args[0].Type(); {
	case value.IsTimespan(t):
		return TimeLike(args)
	case types.IsTime(t):
		return types.DatetimeMaxPrecision
	}
	return types.LongText
}

// addedTime computes ADDTIME and SUBTIME: the second argument is a time without a date.
func addedTime(sign int64) func(*sql.Context, *ValueFunction, []any) (any, error) {
	return func(ctx *sql.Context, f *ValueFunction, values []any) (any, error) {
		by, ok := plainSpan(ctx, values[1])
		if !ok {
			return nil, nil
		}
		by *= sign
		text, isText := values[0].(string)
		if isText && hasDate(text) || types.IsTime(f.args[0].Type()) && !value.IsTimespan(f.args[0].Type()) {
			at, ok := momentOf(ctx, values[0])
			if !ok {
				return nil, nil
			}
			at = at.Add(time.Duration(by) * time.Microsecond)
			if at.After(lastDay.AddDate(0, 0, 1)) || at.Year() < 0 {
				return nil, nil
			}
			if isText {
				return at.Format("2006-01-02 15:04:05") + fractionOf(int64(at.Nanosecond()/1000)), nil
			}
			return at, nil
		}
		span, ok := plainSpan(ctx, values[0])
		if !ok {
			return nil, nil
		}
		sum := boundedTime(ctx, span+by)
		if value.IsTimespan(f.Type()) {
			return sum, nil
		}
		micros := sum.AsMicroseconds()
		spelled := ""
		if micros < 0 {
			spelled, micros = "-", -micros
		}
		clock := micros / 1_000_000
		return spelled + twoDigits(clock/3600) + ":" + twoDigits(clock/60%60) + ":" + twoDigits(clock%60) +
			fractionOf(micros%1_000_000), nil
	}
}

// fractionOf spells microseconds after a time; empty if there are none.
func fractionOf(micros int64) string {
	if micros == 0 {
		return ""
	}
	return "." + strconv.FormatInt(1_000_000+micros, 10)[1:]
}

func twoDigits(n int64) string {
	if n < 10 {
		return "0" + strconv.FormatInt(n, 10)
	}
	return strconv.FormatInt(n, 10)
}

// hasDate reports whether a text has a date, with or without a time.
func hasDate(text string) bool {
	return strings.Count(strings.TrimPrefix(strings.TrimSpace(text), "-"), "-") == 2
}

// plainSpan returns a time without a date, in microseconds.
func plainSpan(ctx *sql.Context, v any) (micros int64, ok bool) {
	_, moment := v.(time.Time)
	if text, isText := v.(string); moment || isText && hasDate(text) {
		return 0, false
	}
	span, ok := spanOf(ctx, v)
	return span.AsMicroseconds(), ok
}

// daysBefore1970 are the days from MySQL's day 0 to 1970.
const daysBefore1970 = 719528

func toSeconds(ctx *sql.Context, _ *ValueFunction, values []any) (any, error) {
	v := values[0]
	if literal, err := value.NumberLiteral(v); err == nil {
		if date, ok := DateOfDigits(literal); ok {
			v = date
		}
	}
	at, ok := momentOf(ctx, v)
	if !ok {
		return nil, nil
	}
	seconds := at.Unix() + daysBefore1970*24*3600
	if seconds < 60*24*3600 { // year 0 has no 29th of February in MySQL
		seconds += 24 * 3600
	}
	return seconds, nil
}

// monthsOf returns the number of a month that is spelled YYMM or YYYYMM.
func monthsOf(ctx *sql.Context, v any, name string) (int64, error) {
	p, ok := roundedOf(ctx, v)
	if !ok || p < 0 || p%100 < 1 || p%100 > 12 {
		return 0, mysql.NewSQLError(mysql.ERWrongArguments, "HY000", "Incorrect arguments to %s", name)
	}
	return fullYear(p/100)*12 + p%100 - 1, nil
}

func periodAdd(ctx *sql.Context, _ *ValueFunction, values []any) (any, error) {
	months, err := monthsOf(ctx, values[0], "period_add")
	if err != nil {
		return nil, err
	}
	n, ok := roundedOf(ctx, values[1])
	if !ok || n > 1e9 || n < -1e9 || months+n < 0 {
		return nil, mysql.NewSQLError(mysql.ERWrongArguments, "HY000", "Incorrect arguments to period_add")
	}
	months += n
	return months/12*100 + months%12 + 1, nil
}

func periodDifference(ctx *sql.Context, _ *ValueFunction, values []any) (any, error) {
	to, err := monthsOf(ctx, values[0], "period_diff")
	if err != nil {
		return nil, err
	}
	from, err := monthsOf(ctx, values[1], "period_diff")
	return to - from, err
}

// weekOf returns the number of a date's week. The mode is MySQL's: 1 begins weeks on Monday, and 2 counts from 1
// instead of 0. Mode 4 changes which week is the first: the one with four days in the year, or the first whole one.
func weekOf(at time.Time, mode int64) int32 {
	monday, fromOne := mode&1 != 0, mode&2 != 0
	fourDays := monday != (mode&4 != 0)
	begin := func(year int) time.Time { // of the first week
		first := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
		day := int(first.Weekday())
		if monday {
			day = (day + 6) % 7
		}
		if fourDays && day <= 3 {
			return first.AddDate(0, 0, -day)
		}
		return first.AddDate(0, 0, (7-day)%7)
	}
	date := time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
	from := begin(date.Year())
	switch {
	case date.Before(from) && !fromOne:
		return 0
	case date.Before(from):
		from = begin(date.Year() - 1)
	case fromOne && !date.Before(begin(date.Year()+1)):
		return 1
	}
	return int32(date.Sub(from)/(7*24*time.Hour)) + 1
}
