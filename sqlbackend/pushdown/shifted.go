package pushdown

import (
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/shopspring/decimal"
)

// A comparison of a date that is moved by an interval, d + INTERVAL 1 DAY > '2024-05-01', bounds the date. So does
// one of the days between it and another date, DATEDIFF(d, '2024-05-01') < 7. The range is some days wider: months
// differ in length, a day of the month may not exist, and dates may have no day. So the filter stays.

const (
	slackOfShift = 6 // days
	maxDaysApart = 1_000_000
)

// MovedExpression is implemented by calls of DATE_ADD and the like, whose first child is a date and whose second is
// the amount of an interval.
type MovedExpression interface {
	sql.Expression
	// PushdownMoved returns about how far a constant amount moves the date, forward or back; ok is false where that
	// is not known.
	PushdownMoved(ctx *sql.Context) (months int64, by time.Duration, ok bool)
}

// movedDate is a date that is moved by about an interval, forward or back.
type movedDate struct {
	of     sql.Expression
	months int
	by     time.Duration
}

// movedDateOf recognizes DATE_ADD(operand, interval) and the like with a constant interval. The parser turns + and -
// into these.
func (a *analysis) movedDateOf(e sql.Expression) (m movedDate, ok bool) {
	f, ok := strip(e).(MovedExpression)
	if !ok {
		return m, false
	}
	args := f.Children()
	if len(args) != 2 || !isConstant(args[1]) {
		return m, false
	}
	months, by, ok := f.PushdownMoved(a.ctx)
	return movedDate{of: args[0], months: int(months), by: by}, ok
}

// compareShifted analyses a comparison of a column of dates that is moved, or of the days between it and a constant;
// nil for other comparisons.
func (a *analysis) compareShifted(op operator, left sql.Expression, c constant) *node {
	if f, ok := strip(left).(sql.FunctionExpression); !ok || c.kind == constantNull {
		return nil
	} else if strings.EqualFold(f.FunctionName(), "datediff") && len(f.Children()) == 2 {
		return a.compareDays(op, f.Children(), c)
	}
	m, ok := a.movedDateOf(left)
	if !ok {
		return nil
	}
	v, ok := a.datesIn(m.of)
	at, known := a.dayOf(c)
	if !ok || !known || v.isText() && c.kind != constantTime && !spellsDayInFull(c.text) {
		return nil // a moved text is a text again, and texts compare as such
	}
	at = at.Add(-m.by)
	from, to := at.AddDate(0, -m.months, -slackOfShift), at.AddDate(0, -m.months, slackOfShift)
	return a.withinYears(op, v, from, to, c)
}

// compareDays analyses a comparison of DATEDIFF.
func (a *analysis) compareDays(op operator, of []sql.Expression, c constant) *node {
	literal, _, ok := c.number()
	if !ok {
		return nil
	}
	days, ok := computable(literal)
	if !ok || days.Abs().GreaterThan(decimal.New(maxDaysApart, 0)) {
		return nil
	}
	n := int(days.IntPart())
	operand, other := of[0], of[1]
	if isConstant(operand) {
		operand, other, op, n = other, operand, op.flip(), -n
	}
	from, ok := constantOf(a.ctx, other)
	if !ok {
		return nil
	}
	day, known := a.dayOf(from)
	v, ok := a.datesIn(operand)
	if !ok || !known {
		return nil
	}
	return a.withinYears(op, v, day.AddDate(0, 0, n-slackOfShift), day.AddDate(0, 0, n+slackOfShift), c)
}

// datesIn recognizes a column of dates, or of texts, or the text of a JSON value.
func (a *analysis) datesIn(e sql.Expression) (view, bool) {
	v, _, ok := a.viewOf(e)
	return v, ok && (v.isText() || v.as == asColumn && (v.column.Shape == ShapeDate || v.column.Shape == ShapeDatetime))
}

// dayOf returns the day of a constant date.
func (a *analysis) dayOf(c constant) (time.Time, bool) {
	if c.kind != constantString && c.kind != constantTime {
		return time.Time{}, false
	}
	d, inRange, err := types.Date.Convert(a.ctx, c.text)
	day, ok := d.(time.Time)
	return day, ok && err == nil && inRange == sql.InRange
}

// withinYears is within for days in years of four digits; nil for others.
func (a *analysis) withinYears(op operator, v view, from, to time.Time, c constant) *node {
	if from.Year() < 1000 || to.Year() > 9000 {
		return nil
	}
	return a.within(op, v, from, to, c)
}
