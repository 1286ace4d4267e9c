package pushdown

import (
	"strconv"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// placeTemporal returns the place of a constant among the values of a column of dates or times, in any spelling that
// the engine reads.
func (a *analysis) placeTemporal(shape Shape, text string) (place, bool) {
	if p, ok := a.placeTime(shape, text); ok {
		return p, true
	}
	if shape == ShapeTime {
		v, inRange, err := types.Time.Convert(a.ctx, text)
		span, ok := v.(types.Timespan)
		if err != nil || inRange != sql.InRange || !ok {
			return place{}, false
		}
		return a.placeTime(shape, span.String())
	}
	v, inRange, err := types.Datetime.Convert(a.ctx, text)
	t, ok := v.(time.Time)
	if err != nil || inRange != sql.InRange || !ok || t.Year() < 1 {
		return place{}, false
	}
	if shape != ShapeDate {
		return a.placeTime(shape, t.Format("2006-01-02 15:04:05.999999"))
	}
	p, ok := a.placeTime(shape, t.Format(time.DateOnly))
	// A time of day lies between that day's midnight, which the column's value means, and the next.
	p.exact = p.exact && t.Equal(t.Truncate(24*time.Hour))
	return p, ok
}

// placeAroundTime returns the place of the times that a constant could equal once they are rounded: up to a second
// off.
func (a *analysis) placeAroundTime(_ Shape, text string) (place, bool) {
	v, inRange, err := types.Time.Convert(a.ctx, text)
	span, ok := v.(types.Timespan)
	if err != nil || inRange != sql.InRange || !ok {
		return place{}, false
	}
	const second, longest = types.Timespan(1_000_000), types.Timespan((838*3600 + 59*60 + 59) * 1_000_000)
	var bounds [2][]byte
	for i, at := range []types.Timespan{max(span-second, -longest), min(span+second, longest)} {
		if bounds[i], err = ordered.AppendTime(nil, at.String()); err != nil {
			return place{}, false
		}
		a.label(bounds[i], label{text: at.String(), quoted: true})
	}
	return place{start: bounds[0], end: after(bounds[1])}, true
}

// clockOf returns an integer as the time with its digits, 30405 as 03:04:05.
func clockOf(ctx *sql.Context, c constant) (string, bool) {
	if c.kind != constantNumber || !c.integer {
		return "", false
	}
	const most = 838_59_59
	n, err := strconv.ParseInt(c.text, 10, 64)
	if err != nil || n > most || n < -most {
		return "", false
	}
	v, inRange, err := types.Time.Convert(ctx, n)
	at, ok := v.(types.Timespan)
	return at.String(), err == nil && ok && inRange == sql.InRange
}

// likeDate analyses LIKE on a date whose pattern begins with a year, or with a year and
// a month: '2020-05%'. The range is a day wider on both sides, for dates without a day.
func (a *analysis) likeDate(v view, pattern string, escape rune) *node {
	prefix, _ := likePrefix(pattern, escape)
	var from, to time.Time
	if len(prefix) >= len("2006-01") {
		if t, err := time.Parse("2006-01", prefix[:len("2006-01")]); err == nil {
			from, to = t, t.AddDate(0, 1, 0)
		}
	}
	if len(prefix) >= len("2006") && from.IsZero() {
		if t, err := time.Parse("2006", prefix[:len("2006")]); err == nil {
			from, to = t, t.AddDate(1, 0, 0)
		}
	}
	before := from.AddDate(0, 0, -1)
	start, ok := a.placeTime(v.column.Shape, before.Format(time.DateOnly))
	end, ok2 := a.placeTime(v.column.Shape, to.Format(time.DateOnly))
	if from.IsZero() || !ok || !ok2 {
		return notUnderstood("the pattern does not begin with a year")
	}
	o := outcome{yes: spansOf(place{start: start.start, end: end.end}), no: indexes.Everything()}
	o.yes = o.yes.Union(a.datesAsTexts(opEqual, v, before, to).yes)
	return a.understood(v, o)
}

// part is the day or the year of a date, both of which increase with it.
type part uint8

const (
	noPart part = iota
	dayPart
	yearPart
)

// partOf recognizes DATE(operand), CAST(operand AS DATE), YEAR(operand) and EXTRACT(YEAR FROM operand).
func partOf(e sql.Expression) (sql.Expression, part) {
	switch e := strip(e).(type) {
	case *expression.Convert:
		if e.Type() == types.Date {
			return e.Child, dayPart
		}
	case sql.FunctionExpression:
		args := e.Children()
		switch name := strings.ToLower(e.FunctionName()); {
		case name == "date" && len(args) == 1:
			return args[0], dayPart
		case name == "year" && len(args) == 1:
			return args[0], yearPart
		case name == "extract" && len(args) == 2:
			if unit, ok := args[0].(*expression.Literal); ok && unit.Val == "YEAR" {
				return args[1], yearPart
			}
		}
	}
	return nil, noPart
}

// yearIn returns a number as a year, if it is one of four digits.
func yearIn(literal string) (int, bool) {
	d, ok := computable(literal)
	year := d.IntPart()
	return int(year), ok && d.Equal(decimal.New(year, 0)) && year >= 1000 && year <= 9000
}

// formattedPeriod returns the period that DATE_FORMAT spells as a text, from its first moment to the first one after
// it. It returns false unless the format begins with a year and goes on with ever smaller parts, so that texts sort
// like times.
func formattedPeriod(format, text string) (from, to time.Time, ok bool) {
	const parts = "Ymd"
	var layout strings.Builder
	next := 0
	for i := 0; i < len(format); i++ {
		switch b := format[i]; {
		case b == '%' && i+1 < len(format) && next < len(parts) && format[i+1] == parts[next]:
			layout.WriteString([]string{"2006", "01", "02"}[next])
			next, i = next+1, i+1
		case next > 0 && strings.IndexByte("-/. ", b) >= 0:
			layout.WriteByte(b)
		default:
			return from, to, false
		}
	}
	from, err := time.Parse(layout.String(), text)
	if err != nil || next == 0 || from.Year() < 1000 || from.Year() > 9000 {
		return from, to, false
	}
	switch next {
	case 1:
		to = from.AddDate(1, 0, 0)
	case 2:
		to = from.AddDate(0, 1, 0)
	default:
		to = from.AddDate(0, 0, 1)
	}
	return from, to, true
}

// compareFormatted analyses a comparison of DATE_FORMAT of a column of dates, or of texts; nil for other comparisons.
func (a *analysis) compareFormatted(op operator, left sql.Expression, c constant) *node {
	f, ok := strip(left).(sql.FunctionExpression)
	if !ok || !strings.EqualFold(f.FunctionName(), "date_format") || len(f.Children()) != 2 || c.kind != constantString {
		return nil
	}
	format, ok := constantOf(a.ctx, f.Children()[1])
	if !ok || format.kind != constantString {
		return nil
	}
	v, ok := a.datesIn(f.Children()[0])
	if !ok {
		return nil
	}
	from, to, ok := formattedPeriod(format.text, c.text)
	if !ok {
		return nil
	}
	return a.within(op, v, from.AddDate(0, 0, -1), to, c)
}

// comparePart analyses a comparison of the day or the year of a column of dates, or of texts; nil for other
// comparisons.
func (a *analysis) comparePart(op operator, left sql.Expression, c constant) *node {
	operand, of := partOf(left)
	if of == noPart {
		return nil
	}
	v, ok := a.datesIn(operand)
	if !ok {
		return nil
	}
	if c.kind == constantNull {
		return a.understood(v, outcome{yesExact: true, noExact: true})
	}
	var from, to time.Time
	switch {
	case of == dayPart && (c.kind == constantString || c.kind == constantTime):
		d, inRange, err := types.Date.Convert(a.ctx, c.text)
		if from, ok = d.(time.Time); err != nil || inRange != sql.InRange || !ok {
			return notUnderstood(c.String() + " is no date")
		}
		to = from.AddDate(0, 0, 1)
	case of == yearPart && (c.kind == constantNumber || c.kind == constantString):
		literal, reason, ok := c.number()
		if !ok {
			return notUnderstood(reason)
		}
		year, ok := yearIn(literal)
		if !ok {
			return notUnderstood(c.String() + " is no year")
		}
		// Dates without a day or a month sort before the first of a year.
		from, to = time.Date(year-1, 12, 31, 0, 0, 0, 0, time.UTC), time.Date(year+1, 1, 1, 0, 0, 0, 0, time.UTC)
	default:
		return notUnderstood("the day or the year of a date is compared with another kind of value")
	}
	return a.within(op, v, from, to, c)
}

// within analyses a comparison with a constant that lies between two days.
func (a *analysis) within(op operator, v view, from, to time.Time, c constant) *node {
	if v.isText() {
		return a.understood(v, a.compareDateText(op, v, from, to))
	}
	start, ok := a.placeTime(v.column.Shape, from.Format(time.DateOnly))
	end, ok2 := a.placeTime(v.column.Shape, to.Format(time.DateOnly))
	if !ok || !ok2 {
		return notUnderstood(c.String() + " is no date")
	}
	class := ordered.ClassDate
	if v.column.Shape == ShapeDatetime {
		class = ordered.ClassDatetime
	}
	o, texts := classDomain(class).compare(op, place{start: start.start, end: end.end}), a.datesAsTexts(op, v, from, to)
	return a.understood(v, outcome{yes: o.yes.Union(texts.yes), no: o.no.Union(texts.no)})
}
