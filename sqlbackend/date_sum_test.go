package sqlbackend

import (
	"fmt"
	"testing"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// modelDate is a day that is moved month by month, and has the last day of a month that is shorter.
type modelDate struct{ year, month, day int }

func (d modelDate) moved(months int) (modelDate, bool) {
	for ; months > 0; months-- {
		if d.month++; d.month > 12 {
			d.year, d.month = d.year+1, 1
		}
	}
	for ; months < 0; months++ {
		if d.month--; d.month < 1 {
			d.year, d.month = d.year-1, 12
		}
	}
	d.day = min(d.day, d.length())
	return d, d.year >= 0 && d.year <= 9999
}

func (d modelDate) length() int {
	switch d.month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if d.year%4 == 0 && (d.year%100 != 0 || d.year%400 == 0) && d.year > 0 {
			return 29
		}
		return 28
	}
	return 31
}

func (d modelDate) String() string { return fmt.Sprintf("%04d-%02d-%02d", d.year, d.month, d.day) }

// dateSumOf is a sum as text, "NULL" for NULL.
func dateSumOf(t *testing.T, ctx *sql.Context, function string, date sql.Expression, amount any, amountType sql.Type,
	unit string) string {
	t.Helper()
	f, err := sqlFunctions[function].NewInstance([]sql.Expression{date,
		expression.NewInterval(expression.NewLiteral(amount, amountType), unit)})
	if err != nil {
		t.Fatal(err)
	}
	v, err := f.Eval(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	switch v := v.(type) {
	case nil:
		return "NULL"
	case time.Time:
		return v.Format("2006-01-02")
	case types.Timespan:
		return v.String()
	}
	return fmt.Sprint(v)
}

// TestDateSumsOfMonths moves days of all months by months, quarters and years, to the ends of what dates there are.
func TestDateSumsOfMonths(t *testing.T) {
	ctx := sql.NewEmptyContext()
	for _, year := range []int{0, 1, 1900, 1999, 2000, 2024, 9998} {
		for month := 1; month <= 12; month++ {
			for _, day := range []int{1, 29, 30, 31} {
				from := modelDate{year, month, day}
				if day > from.length() || year == 0 && month == 1 && day == 1 { // which stands for no date
					continue
				}
				date := expression.NewLiteral(time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC), types.Date)
				for n := -30; n <= 30; n++ {
					for unit, months := range map[string]int{"MONTH": n, "QUARTER": 3 * n, "YEAR": 12 * n, "YEAR_MONTH": 13 * n} {
						amount, amountType := any(int64(n)), sql.Type(types.Int64)
						if unit == "YEAR_MONTH" {
							amount, amountType = fmt.Sprintf("%d-%d", n, max(n, -n)), types.LongText
						}
						for function, sign := range map[string]int{"date_add": 1, "date_sub": -1} {
							want := "NULL"
							if to, ok := from.moved(sign * months); ok {
								want = to.String()
							}
							if got := dateSumOf(t, ctx, function, date, amount, amountType, unit); got != want {
								t.Fatalf("%s(%s, INTERVAL %v %s) = %s, not %s", function, from, amount, unit, got, want)
							}
						}
					}
				}
			}
		}
	}
}

// TestIntervals spells amounts.
func TestIntervals(t *testing.T) {
	ctx := sql.NewEmptyContext()
	day := expression.NewLiteral("2024-01-31", types.LongText)
	for _, c := range []struct {
		amount any
		unit   string
		want   string
	}{
		{"1:2", "DAY_HOUR", "2024-02-01 02:00:00"},
		{"-1 2", "DAY_HOUR", "2024-01-29 22:00:00"},
		{"  -1;2", "DAY_HOUR", "2024-01-29 22:00:00"},
		{"5", "DAY_HOUR", "2024-01-31 05:00:00"},
		{"1 2 3", "DAY_HOUR", "NULL"},
		{"99999999999999999999", "DAY_HOUR", "NULL"},
		{"x", "DAY_HOUR", "2024-01-31 00:00:00"},
		{"", "DAY_HOUR", "2024-01-31 00:00:00"},
		{"1 2:3:4.5", "DAY_MICROSECOND", "2024-02-01 02:03:04.500000"},
		{"4.000005", "SECOND_MICROSECOND", "2024-01-31 00:00:04.000005"},
		{"4.0000051", "SECOND_MICROSECOND", "2024-01-31 00:00:04.000005"},
		{"5", "SECOND_MICROSECOND", "2024-01-31 00:00:00.500000"},
		{"1:30", "MINUTE_SECOND", "2024-01-31 00:01:30"},
		{"90", "MINUTE_SECOND", "2024-01-31 00:01:30"},
		{"1-1", "YEAR_MONTH", "2025-02-28"},
		{"-1-1", "YEAR_MONTH", "2022-12-31"},
		{"1", "YEAR_MONTH", "2024-02-29"},
		{"1.9", "DAY", "2024-02-01"},
		{"1e3", "DAY", "2024-02-01"},
		{" 1 day", "DAY", "2024-02-01"},
		{"day", "DAY", "2024-01-31"},
		{"1.25", "SECOND", "2024-01-31 00:00:01.250000"},
		{"-1.25", "SECOND", "2024-01-30 23:59:58.750000"},
		{"99999999999999999999", "DAY", "NULL"},
		{"9223372036854775807", "WEEK", "NULL"},
		{"9223372036854775807", "QUARTER", "NULL"},
		{"-9223372036854775808", "MICROSECOND", "NULL"},
		{"-63842256000000000", "MICROSECOND", "0001-01-01 00:00:00"},
		{"1e99999", "SECOND", "NULL"},
	} {
		if got := dateSumOf(t, ctx, "date_add", day, c.amount, types.LongText, c.unit); got != c.want {
			t.Errorf("INTERVAL '%v' %s: %s, not %s", c.amount, c.unit, got, c.want)
		}
	}
	for _, unit := range []string{"FORTNIGHT", "MONTH_DAY", ""} {
		if _, err := sqlFunctions["date_add"].NewInstance([]sql.Expression{day,
			expression.NewInterval(day, unit)}); err == nil {
			t.Errorf("INTERVAL of %q is taken", unit)
		}
	}
}
