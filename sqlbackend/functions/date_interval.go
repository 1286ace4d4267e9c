package functions

import (
	"math"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// dateInterval has the amounts of an INTERVAL, all of one sign.
type dateInterval struct {
	negative       bool
	years, months  int64
	days           int64
	hours, minutes int64
	seconds        int64
	micros         int64
}

// intervalPart selects one of the amounts.
type intervalPart func(*dateInterval) *int64

var (
	partYears   intervalPart = func(i *dateInterval) *int64 { return &i.years }
	partMonths  intervalPart = func(i *dateInterval) *int64 { return &i.months }
	partDays    intervalPart = func(i *dateInterval) *int64 { return &i.days }
	partHours   intervalPart = func(i *dateInterval) *int64 { return &i.hours }
	partMinutes intervalPart = func(i *dateInterval) *int64 { return &i.minutes }
	partSeconds intervalPart = func(i *dateInterval) *int64 { return &i.seconds }
	partMicros  intervalPart = func(i *dateInterval) *int64 { return &i.micros }
)

// intervalUnit is a unit of INTERVAL: a number of one part, or a text with numbers of several parts.
type intervalUnit struct {
	name  string
	Parts []intervalPart
	times int64 // months of a quarter, days of a week
	days  bool  // it has days or longer parts
	clock bool  // it has hours or shorter parts
}

// IntervalUnits are the units of INTERVAL by name.
var IntervalUnits = func() map[string]intervalUnit {
	single := map[string]intervalPart{"YEAR": partYears, "QUARTER": partMonths, "MONTH": partMonths, "WEEK": partDays,
		"DAY": partDays, "HOUR": partHours,
		"MINUTE": partMinutes, "SECOND": partSeconds, "MICROSECOND": partMicros}
	order := []string{"DAY", "HOUR", "MINUTE", "SECOND", "MICROSECOND"}
	out := map[string]intervalUnit{"YEAR_MONTH": {name: "YEAR_MONTH", Parts: []intervalPart{partYears, partMonths},
		days: true}}
	for name, part := range single {
		unit := intervalUnit{name: name, Parts: []intervalPart{part}, times: 1, clock: name == "HOUR" || name == "MINUTE" ||
			name == "SECOND" || name == "MICROSECOND"}
		unit.days = !unit.clock
		switch name {
		case "QUARTER":
			unit.times = 3
		case "WEEK":
			unit.times = 7
		}
		out[name] = unit
	}
	for from := range order {
		for to := from + 1; to < len(order); to++ {
			unit := intervalUnit{name: order[from] + "_" + order[to], days: from == 0, clock: true}
			for _, name := range order[from : to+1] {
				unit.Parts = append(unit.Parts, single[name])
			}
			out[unit.name] = unit
		}
	}
	return out
}()

// interval returns an amount of the unit; ok is false if the value is none.
func (u intervalUnit) interval(ctx *sql.Context, v any) (by dateInterval, ok bool) {
	if len(u.Parts) > 1 {
		text, err := value.TextOf(ctx, v)
		if err != nil {
			return by, false
		}
		ok := u.scan(text, &by)
		return by, ok
	}
	d, ok := amountOf(ctx, v, u.name != "SECOND")
	if !ok {
		return by, false
	}
	by.negative, d = d.IsNegative(), d.Abs()
	if u.name == "SECOND" {
		by.micros = saturatedInteger(d.Sub(d.Truncate(0)).Shift(6))
		d = d.Truncate(0)
	}
	n := saturatedInteger(d.Round(0))
	if n > math.MaxInt64/max(u.times, 1) {
		n = math.MaxInt64 / u.times
	}
	*u.Parts[0](&by) = n * u.times
	return by, true
}

// amountOf returns the number that a value counts as: the one that a text begins with, or only its digits if whole is
// set.
func amountOf(ctx *sql.Context, v any, whole bool) (decimal.Decimal, bool) {
	switch of := v.(type) {
	case []byte:
		v = string(of)
	case bool:
		if of {
			return decimal.New(1, 0), true
		}
		return decimal.Decimal{}, true
	}
	if text, ok := v.(string); ok {
		text = strings.TrimLeft(text, " \t\r\n\v\f")
		text = text[:value.NumberPrefix(text)]
		if end := strings.IndexAny(text, ".eE"); whole && end >= 0 {
			text = text[:end]
		}
		if strings.Trim(text, "+-.") == "" {
			return decimal.Decimal{}, true
		}
		d, err := decimal.NewFromString(value.BoundedNumber(text))
		return d, err == nil
	}
	literal, err := value.NumberLiteral(v)
	if err != nil {
		literal, err = value.NumberLiteral(value.AsDouble(ctx, v))
	}
	if err != nil {
		return decimal.Decimal{}, false
	}
	d, err := decimal.NewFromString(value.BoundedNumber(literal))
	return d, err == nil
}

// saturatedInteger returns a whole number that is not negative, or the largest int64 instead of a larger one.
func saturatedInteger(d decimal.Decimal) int64 {
	if n, ok := IntegerOf(d.Truncate(0)); ok && n.IsInt64() {
		return n.Int64()
	}
	return math.MaxInt64
}

// scan reads the parts as MySQL does: numbers with anything between them, of which the first ones may be missing.
// Microseconds are the digits after the point of a second.
func (u intervalUnit) scan(text string, by *dateInterval) bool {
	text = strings.TrimLeft(text, " \t\r\n\v\f")
	text, by.negative = strings.CutPrefix(text, "-")
	var found []int64
	digits := 0
	for next := nonDigits(text); len(found) < len(u.Parts); next = nonDigits(text) {
		text = text[next:]
		if text == "" && len(found) > 0 {
			break
		}
		n := int64(0)
		for digits = 0; digits < len(text) && statement.IsDigitByte(text[digits]); digits++ {
			if n > (math.MaxInt64-10)/10 {
				return false
			}
			n = n*10 + int64(text[digits]-'0')
		}
		found, text = append(found, n), text[digits:]
	}
	if text[nonDigits(text):] != "" {
		return false // more than the unit has parts
	}
	last := len(found) - 1
	if strings.HasSuffix(u.name, "MICROSECOND") && digits > 0 {
		for ; digits < 6; digits++ {
			found[last] *= 10
		}
		for ; digits > 6; digits-- {
			found[last] /= 10
		}
	}
	for i, n := range found {
		*u.Parts[len(u.Parts)-len(found)+i](by) = n
	}
	return true
}

// nonDigits returns the number of bytes before the first digit of a text.
func nonDigits(text string) int {
	if at := strings.IndexAny(text, "0123456789"); at >= 0 {
		return at
	}
	return len(text)
}

// maxDays is the number of MySQL's last day, 9999-12-31, counted from the year 0.
const maxDays = 3_652_424

// clock returns the interval in seconds and microseconds, without years and months; ok is false if it is longer than
// the range of dates.
func (i dateInterval) clock() (seconds, micros int64, ok bool) {
	if i.days > maxDays || i.hours > maxDays*24 || i.minutes > maxDays*24*60 || i.seconds > maxDays*24*60*60 {
		return 0, 0, false
	}
	seconds = i.days*86400 + i.hours*3600 + i.minutes*60 + i.seconds + i.micros/1_000_000
	micros = i.micros % 1_000_000
	if i.negative {
		return -seconds, -micros, true
	}
	return seconds, micros, true
}

// moved returns a moment moved by an interval of the unit; ok is false where there is no such date. As in MySQL, days
// that lead into the year 0 lead to the day 0000-00-00, and that year is no leap year.
func (u intervalUnit) moved(at time.Time, by dateInterval) (out time.Time, ok bool) {
	at = at.UTC()
	if len(u.Parts) > 1 && !u.clock || by.years > 0 || by.months > 0 {
		return movedMonths(at, by)
	}
	seconds, micros, ok := by.clock()
	if !ok {
		return at, false
	}
	out = time.Unix(at.Unix()+seconds, int64(at.Nanosecond())+micros*1000).UTC()
	first, zero := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)
	switch {
	case out.Before(zero), out.Year() > 9999:
		return at, false
	case out.Before(first) && !at.Before(first):
		return zero.Add(out.Sub(out.Truncate(24 * time.Hour))), true
	}
	return out, true
}

// movedMonths returns a moment moved by years and months, on the last day of the month if that is shorter.
func movedMonths(at time.Time, by dateInterval) (time.Time, bool) {
	if by.years > 10_000 || by.months > 120_000 {
		return at, false
	}
	months := 12*by.years + by.months
	if by.negative {
		months = -months
	}
	months += 12*int64(at.Year()) + int64(at.Month()) - 1
	if months < 0 || months >= 120_000 {
		return at, false
	}
	year, month := int(months/12), time.Month(months%12+1)
	day := min(at.Day(), time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day())
	if year == 0 && month == time.February {
		day = min(day, 28)
	}
	return time.Date(year, month, day, at.Hour(), at.Minute(), at.Second(), at.Nanosecond(), time.UTC), true
}

// about returns the interval in months and a duration, unless it is longer than a thousand years.
func (i dateInterval) about() (months int64, by time.Duration, ok bool) {
	const maxYears, maxDays = 1000, 20_000 // for each unit; the sum fits a duration
	for _, p := range [...]struct{ n, most int64 }{
		{i.years, maxYears}, {i.months, 12 * maxYears}, {i.days, maxDays}, {i.hours, 24 * maxDays},
		{i.minutes, 24 * 60 * maxDays}, {i.seconds, 24 * 60 * 60 * maxDays},
		{i.micros, 24 * 60 * 60 * 1_000_000 * maxDays},
	} {
		if p.n > p.most {
			return 0, 0, false
		}
	}
	seconds, micros, _ := i.clock()
	months = 12*i.years + i.months
	if i.negative {
		months = -months
	}
	return months, time.Duration(seconds)*time.Second + time.Duration(micros)*time.Microsecond, true
}
