package pushdown

import (
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/shopspring/decimal"
)

// A comparison of a date that is moved by an interval, d + INTERVAL 1 DAY > '2024-05-01', or of the days between it and another one,
// DATEDIFF(d, '2024-05-01') < 7, tells about where the date lies. The range is days wider than that: months have not the same length, a day of
// the month may not be there, and dates may have no day. So the filter stays.

const (
	slackOfShift  = 6      // days
	mostYearsMove = 1000   // by which a date is moved
	mostDaysMove  = 20_000 // for each unit; the sum is no longer than durations are
	mostDaysApart = 1_000_000
)

// movedDate is what a computed date is made of: it is moved by about as much as an interval has, on or back.
type movedDate struct {
	of     sql.Expression
	months int
	by     time.Duration
	// later: the engine adds another year where 12 months or more lead into a December.
	later bool
}

// movedDateOf recognizes DATE_ADD(operand, interval) and its like with a constant interval, into which + and - are made by the parser.
func (a *analysis) movedDateOf(e sql.Expression) (m movedDate, ok bool) {
	f, ok := strip(e).(sql.FunctionExpression)
	if !ok {
		return m, false
	}
	sign := int64(1)
	switch strings.ToLower(f.FunctionName()) {
	case "date_add", "adddate":
	case "date_sub", "subdate":
		sign = -1
	default:
		return m, false
	}
	args := f.Children()
	if len(args) != 2 {
		return m, false
	}
	interval, ok := args[1].(*expression.Interval)
	if !ok || !isConstant(interval.Child) {
		return m, false
	}
	by, err := interval.EvalDelta(a.ctx, nil)
	if err != nil || by == nil {
		return m, false
	}
	parts := [...]struct{ n, most int64 }{
		{by.Years, mostYearsMove}, {by.Months, 12 * mostYearsMove}, {by.Days, mostDaysMove}, {by.Hours, 24 * mostDaysMove},
		{by.Minutes, 24 * 60 * mostDaysMove}, {by.Seconds, 24 * 60 * 60 * mostDaysMove}, {by.Microseconds, 24 * 60 * 60 * 1_000_000 * mostDaysMove},
	}
	for _, p := range parts {
		if p.n > p.most || p.n < -p.most {
			return m, false
		}
	}
	m = movedDate{of: args[0], months: int(sign * (12*by.Years + by.Months)), later: sign*by.Months >= 12}
	m.by = time.Duration(sign) * (time.Duration(by.Days)*24*time.Hour + time.Duration(by.Hours)*time.Hour + time.Duration(by.Minutes)*time.Minute +
		time.Duration(by.Seconds)*time.Second + time.Duration(by.Microseconds)*time.Microsecond)
	return m, true
}

// compareShifted analyses a comparison of a column of dates that is moved, or of the days between it and a constant; nil if it is none.
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
	if !ok || !known {
		return nil
	}
	at = at.Add(-m.by)
	from, to := at.AddDate(0, -m.months, -slackOfShift), at.AddDate(0, -m.months, slackOfShift)
	if m.later {
		from = from.AddDate(-1, 0, 0)
	}
	return a.withinYears(op, v, from, to, c)
}

// compareDays analyses a comparison of DATEDIFF.
func (a *analysis) compareDays(op operator, of []sql.Expression, c constant) *node {
	literal, _, ok := c.number()
	if !ok {
		return nil
	}
	days, ok := computable(literal)
	if !ok || days.Abs().GreaterThan(decimal.New(mostDaysApart, 0)) {
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

// datesIn recognizes a column of dates.
func (a *analysis) datesIn(e sql.Expression) (view, bool) {
	v, _, ok := a.viewOf(e)
	return v, ok && v.as == asColumn && (v.column.Shape == ShapeDate || v.column.Shape == ShapeDatetime)
}

// dayOf is the day of a constant date.
func (a *analysis) dayOf(c constant) (time.Time, bool) {
	if c.kind != constantString && c.kind != constantTime {
		return time.Time{}, false
	}
	d, inRange, err := types.Date.Convert(a.ctx, c.text)
	day, ok := d.(time.Time)
	return day, ok && err == nil && inRange == sql.InRange
}

// withinYears is within for days of years that have four digits; nil for others.
func (a *analysis) withinYears(op operator, v view, from, to time.Time, c constant) *node {
	if from.Year() < 1000 || to.Year() > 9000 {
		return nil
	}
	return a.within(op, v, from, to, c)
}
