package pushdown

import (
	"fmt"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// Texts that spell dates are read as dates beside dates and by functions of dates. The engine reads texts that begin
// with a year of four digits, as 2006-01-02, 2006/01/02, 20060102 or 2006-1-2. A time may follow, and an offset from
// UTC of up to about 24 hours. So the texts of a period lie in few ranges: one for each spelling of the part of a
// year at either end, and one for the whole years between. The filter removes other texts in them.

// AsTemporal is implemented by expressions that convert a text to a date, to be compared with dates.
type AsTemporal interface {
	sql.Expression
	// PushdownAsTemporal returns false where the result is no date.
	PushdownAsTemporal() (of sql.Expression, ok bool)
}

// Offsets are 24 hours and 60 minutes at most. So a text that spells a time in a period begins with a date of the
// period, one of the two days before it, or the day after it.
const (
	daysBeforeText = 2
	daysBehindText = 1
)

// isText reports whether the operand is a text, of a column or of a JSON value.
func (v view) isText() bool {
	return v.as.text() || v.as == asColumn && v.column.Shape == ShapeString
}

// temporalOf recognizes a text that is converted to a date and time: beside a date, by CAST(operand AS DATETIME) and
// by TIMESTAMP(operand).
func temporalOf(e sql.Expression) (sql.Expression, bool) {
	switch e := strip(e).(type) {
	case AsTemporal:
		return e.PushdownAsTemporal()
	case *expression.Convert:
		if of, ok := strip(e.Child).(AsTemporal); ok && types.IsDatetimeType(e.Type()) {
			return of.PushdownAsTemporal()
		}
		return e.Child, types.IsDatetimeType(e.Type())
	case sql.FunctionExpression:
		if args := e.Children(); len(args) == 1 && strings.EqualFold(e.FunctionName(), "timestamp") {
			return args[0], true
		}
	}
	return nil, false
}

// compareAsTemporal analyses a comparison of a text as a date; nil for other comparisons.
func (a *analysis) compareAsTemporal(op operator, left sql.Expression, c constant) *node {
	of, ok := temporalOf(left)
	if !ok {
		return nil
	}
	if n := a.compareShifted(op, of, c); n != nil {
		return n
	}
	v, ok := a.datesIn(of)
	day, known := a.dayOf(c)
	if !ok || !known {
		return nil
	}
	return a.within(op, v, day.AddDate(0, 0, -1), day.AddDate(0, 0, 1), c) // a time before midnight may be rounded up
}

// compareDateText is the outcome of comparing the date that a text spells with a constant that lies between two days.
func (a *analysis) compareDateText(op operator, v view, from, to time.Time) outcome {
	var any time.Time
	switch op {
	case opEqual:
		return outcome{yes: a.dateTexts(v, from, to), no: a.dateTexts(v, any, any)}
	case opLess, opLessOrEqual:
		return outcome{yes: a.dateTexts(v, any, to), no: a.dateTexts(v, from, any)}
	}
	return outcome{yes: a.dateTexts(v, from, any), no: a.dateTexts(v, any, to)}
}

// datesAsTexts is compareDateText for a column of dates. Documents may spell some dates differently from its entries:
// those have entries that are texts. Where there are none, all texts are one range.
func (a *analysis) datesAsTexts(op operator, v view, from, to time.Time) outcome {
	if v.column.PrimaryKeyPart > 0 || !a.resolver.HasTexts(v.column) {
		return outcome{yes: classSpans(ordered.ClassString), no: classSpans(ordered.ClassString)}
	}
	return a.compareDateText(op, v, from, to)
}

// dateTexts returns the spans of the texts, and of numbers that are read as texts, that spell a time between two
// days. A zero time means no bound.
func (a *analysis) dateTexts(v view, from, to time.Time) indexes.Spans {
	t := textsOfDates{analysis: a, column: v.column}
	t.first, t.last = date{year: -1}, date{year: 10_000}
	if first := dateOf(from.AddDate(0, 0, -daysBeforeText)); !from.IsZero() && first.year >= 0 {
		t.first = first
	}
	if last := dateOf(to.AddDate(0, 0, daysBehindText)); !to.IsZero() && last.year <= 9999 {
		t.last = last
	}
	if t.first.year < t.last.year {
		t.partOfYear(t.first, date{t.first.year, 12, 31})
		if t.first.year+1 < t.last.year {
			t.between(fmt.Sprintf("%04d", t.first.year+1), fmt.Sprintf("%04d", t.last.year-1))
		}
		t.partOfYear(date{t.last.year, 1, 1}, t.last)
	} else if t.first.year == t.last.year {
		t.partOfYear(t.first, t.last)
	}
	if v.as.text() {
		t.numbers()
	}
	return indexes.NewSpans(t.spans...)
}

// TextsOfDay returns the spans of the texts at a column that may spell a time of a day.
func TextsOfDay(ctx *sql.Context, c Column, day time.Time) indexes.Spans {
	return (&analysis{ctx: ctx}).dateTexts(view{column: c}, day, day)
}

// date is a day of the calendar.
type date struct{ year, month, day int }

func dateOf(t time.Time) date {
	year, month, day := t.Date()
	return date{year, int(month), day}
}

// in returns the date with separators, each part with all its digits.
func (d date) in(separator string) string {
	return fmt.Sprintf("%04d%s%02d%s%02d", d.year, separator, d.month, separator, d.day)
}

// textsOfDates collects the spans of texts that spell the days from the first to the last.
type textsOfDates struct {
	*analysis
	column      Column
	first, last date
	spans       []indexes.Span
}

// beginning returns the place of all texts that begin with a text.
func (t *textsOfDates) beginning(with string) place {
	if t.column.Collation.IsIdentity() {
		return t.beginningWith(t.column, with)
	}
	return t.beginningLike(t.column, with)
}

// between adds the texts that begin with first, with last, or with a text between the two, which has other digits.
func (t *textsOfDates) between(first, last string) {
	from := t.beginning(first)
	to := from
	if last != first {
		to = t.beginning(last)
	}
	t.spans = append(t.spans, indexes.Span{Start: from.start, End: to.end})
}

// partOfYear adds the days of one year between two dates; years without four digits have no texts.
func (t *textsOfDates) partOfYear(from, to date) {
	if from.year < 0 || from.year > 9999 {
		return
	}
	year := fmt.Sprintf("%04d", from.year)
	if from.month == 1 && from.day == 1 && to.month == 12 && to.day == 31 {
		t.between(year, year)
		return
	}
	for _, separator := range []string{"-", "/", ""} {
		t.between(from.in(separator), to.in(separator))
	}
	// 2006-1-2 and 2006-1-15, of whole months. Days of January sort before October's.
	month := func(n int) string { return fmt.Sprintf("%s-%d-", year, n) }
	least, most := from.month, min(to.month, 9)
	if least == 1 {
		t.between(month(1), month(1))
		least = 2
	}
	if least <= most {
		t.between(month(least), month(most))
	}
	// 2006-11-2 sorts after 2006-11-15, so some days of the last month are not among the others.
	least, most = 1, min(to.day, 9)
	if from.month == to.month {
		least = from.day
	}
	day := func(n int) string { return fmt.Sprintf("%s-%02d-%d", year, to.month, n) }
	for ; least <= min(most, 3); least++ { // no digit follows
		t.spans = append(t.spans, indexes.Span{Start: t.beginning(day(least)).start, End: t.beginning(day(least) + " ").end})
	}
	if least <= most {
		t.between(day(least), day(most))
	}
}

// numbers adds the numbers whose digits spell the days, with a time or without.
func (t *textsOfDates) numbers() {
	first, last := max(t.first.number(), 0), min(t.last.number(), 99991231)
	for _, unit := range []int{1, 1_000_000} {
		start, err := ordered.AppendNumber(nil, fmt.Sprint(first*unit))
		if err != nil {
			continue
		}
		end, err := ordered.AppendNumber(nil, fmt.Sprint((last+1)*unit))
		if err != nil {
			continue
		}
		t.label(start, label{text: fmt.Sprint(first * unit)})
		t.label(end, label{text: fmt.Sprint((last + 1) * unit)})
		t.spans = append(t.spans, indexes.Span{Start: start, End: end})
	}
}

func (d date) number() int { return d.year*10_000 + d.month*100 + d.day }

// spellsDayInFull reports whether a text begins with a date whose texts sort like the dates, 2006-01-02.
func spellsDayInFull(text string) bool {
	if len(text) < len(time.DateOnly) || len(text) > len(time.DateOnly) && text[len(time.DateOnly)] != ' ' {
		return false
	}
	_, err := time.Parse(time.DateOnly, text[:len(time.DateOnly)])
	return err == nil
}
