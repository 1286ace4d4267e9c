package pushdown

import (
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// placeTemporal is where a constant lies among the values of a column of dates or times,
// spelled in any way that the engine reads.
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
	// A time of day lies between that day's midnight, which the column's value
	// stands for, and the next.
	p.exact = p.exact && t.Equal(t.Truncate(24*time.Hour))
	return p, ok
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
	start, ok := a.placeTime(v.column.Shape, from.AddDate(0, 0, -1).Format(time.DateOnly))
	end, ok2 := a.placeTime(v.column.Shape, to.Format(time.DateOnly))
	if from.IsZero() || !ok || !ok2 {
		return notUnderstood("the pattern does not begin with a year")
	}
	o := outcome{yes: spansOf(place{start: start.start, end: end.end}), no: indexes.Everything()}
	o.yes = o.yes.Union(classSpans(ordered.ClassString))
	return a.understood(v, o)
}
