package functions

import (
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// parsedDate has the parts of a date and a time that STR_TO_DATE finds in a text. A part that the format doesn't name
// is -1, but 0 for the year, the month and the day.
type parsedDate struct {
	year, month, day              int
	hour, minute, second, micros  int
	dayOfYear, weekday            int // weekday: 1 is Monday and 7 is Sunday
	week, yearOfWeek              int
	sundays, strict, sundaysYears bool // %U and %V; %V and %v; %X
	halves                        bool // %h, %I, %l or %r: hours of half a day
	afternoon                     bool
}

// strToDateType returns the type of STR_TO_DATE: a literal format shows its parts.
func strToDateType(args []sql.Expression) sql.Type {
	literal, ok := args[1].(*expression.Literal)
	if !ok {
		return types.DatetimeMaxPrecision
	}
	format, ok := literal.Val.(string)
	if !ok {
		return types.DatetimeMaxPrecision
	}
	date, clock, fraction := false, false, false
	for i := 0; i+1 < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		i++
		switch {
		case format[i] == 'f':
			clock, fraction = true, true
		case strings.IndexByte("HISThiklrs", format[i]) >= 0:
			clock = true
		case strings.IndexByte("MVUXYWabcjmvuxyw", format[i]) >= 0:
			date = true
		}
	}
	switch {
	case date && fraction:
		return types.DatetimeMaxPrecision
	case date && clock:
		return types.Datetime
	case clock:
		return types.Time
	}
	return types.Date
}

// strToDate computes STR_TO_DATE(text, format). It is NULL, with a warning, where the text does not have the format
// or names no day of the calendar.
func strToDate(ctx *sql.Context, f *ValueFunction, values []any) (any, error) {
	text, err := value.TextOf(ctx, values[0])
	if err != nil {
		return nil, err
	}
	format, err := value.TextOf(ctx, values[1])
	if err != nil {
		return nil, err
	}
	p := parsedDate{dayOfYear: -1, weekday: -1, week: -1, yearOfWeek: -1}
	rest, ok := p.read(text, format)
	if ok = ok && p.complete(); ok {
		if len(strings.TrimLeft(rest, spaces)) > 0 {
			Warn(ctx, mysql.ERTruncatedWrongValue, "Truncated incorrect %s value: '%s'",
				strings.ToLower(f.Type().String()), mysqlerr.Shortened(text))
		}
		micros := ((int64(p.hour)*60+int64(p.minute))*60+int64(p.second))*1_000_000 + int64(p.micros)
		if f.Type() == types.Time {
			return boundedTime(ctx, micros+int64(p.day)*24*3_600_000_000), nil
		}
		at := time.Date(p.year, time.Month(p.month), p.day, 0, 0, 0, 0, time.UTC)
		if p.year > 0 && at.Month() == time.Month(p.month) && at.Day() == p.day {
			return at.Add(time.Duration(micros) * time.Microsecond), nil
		}
	}
	Warn(ctx, warningWrongValueForType, "Incorrect datetime value: '%s' for function str_to_date",
		mysqlerr.Shortened(text))
	return nil, nil
}

// spaces are the characters that may stand before each part of a text.
const spaces = " \t\n\v\f\r"

// leadingDigits reads at most most digits; ok is false where there are none.
func leadingDigits(text string, most int) (n, digits int, ok bool) {
	for digits < min(most, len(text)) && text[digits] >= '0' && text[digits] <= '9' {
		n = n*10 + int(text[digits]-'0')
		digits++
	}
	return n, digits, digits > 0
}

// leadingWord reads one of some names, or its first letters if letters is not 0; n counts from 1, and is 0 if there
// is none.
func leadingWord(text string, letters int, name func(n int) string, names int) (n, length int) {
	for length < len(text) && (text[length]|0x20 >= 'a' && text[length]|0x20 <= 'z') {
		length++
	}
	for n = 1; n <= names; n++ {
		full := name(n)
		if letters > 0 {
			full = full[:letters]
		}
		if strings.EqualFold(full, text[:length]) {
			return n, length
		}
	}
	return 0, 0
}

func monthName(n int) string   { return time.Month(n).String() }
func weekdayName(n int) string { return time.Weekday(n % 7).String() }

// read reads the parts of a text that a format names, until one of the two ends. It returns the rest of the text.
func (p *parsedDate) read(text, format string) (rest string, ok bool) {
	for len(format) > 0 {
		if text = strings.TrimLeft(text, spaces); text == "" {
			break
		}
		if format[0] != '%' || len(format) == 1 {
			if strings.IndexByte(spaces, format[0]) < 0 {
				if format[0] != text[0] {
					return "", false
				}
				text = text[1:]
			}
			format = format[1:]
			continue
		}
		length, ok := p.part(text, format[1])
		if !ok {
			return "", false
		}
		text, format = text[length:], format[2:]
	}
	if !p.halves {
		return text, true
	}
	if p.hour < 1 || p.hour > 12 {
		return "", false
	}
	p.hour, p.halves = p.hour%12, false
	if p.afternoon {
		p.hour += 12
	}
	return text, true
}

// part reads one part of a text, and returns its number of bytes.
func (p *parsedDate) part(text string, kind byte) (length int, ok bool) {
	number := func(into *int, most int) (int, bool) {
		n, digits, ok := leadingDigits(text, most)
		*into = n
		return digits, ok
	}
	switch kind {
	case 'Y', 'y':
		most := 2
		if kind == 'Y' {
			most = 4
		}
		if length, ok = number(&p.year, most); length <= 2 {
			p.year = int(fullYear(int64(p.year)))
		}
		return length, ok
	case 'm', 'c':
		return number(&p.month, 2)
	case 'M':
		p.month, length = leadingWord(text, 0, monthName, 12)
		return length, length > 0
	case 'b':
		p.month, length = leadingWord(text, 3, monthName, 12)
		return length, length > 0
	case 'd', 'e':
		return number(&p.day, 2)
	case 'D': // as in 1st
		length, ok = number(&p.day, 2)
		return min(length+2, len(text)), ok
	case 'h', 'I', 'l':
		p.halves = true
		return number(&p.hour, 2)
	case 'H', 'k':
		return number(&p.hour, 2)
	case 'i':
		return number(&p.minute, 2)
	case 's', 'S':
		return number(&p.second, 2)
	case 'f':
		length, ok = number(&p.micros, 6)
		for range 6 - length {
			p.micros *= 10
		}
		return length, ok
	case 'p':
		if len(text) < 2 || !p.halves {
			return 0, false
		}
		p.afternoon = strings.EqualFold(text[:2], "PM")
		return 2, p.afternoon || strings.EqualFold(text[:2], "AM")
	case 'W':
		p.weekday, length = leadingWord(text, 0, weekdayName, 7)
		return length, length > 0
	case 'a':
		p.weekday, length = leadingWord(text, 3, weekdayName, 7)
		return length, length > 0
	case 'w':
		if length, ok = number(&p.weekday, 1); p.weekday == 0 {
			p.weekday = 7
			return length, ok
		}
		return length, ok && p.weekday < 7
	case 'j':
		return number(&p.dayOfYear, 3)
	case 'U', 'u', 'V', 'v':
		p.sundays, p.strict = kind == 'U' || kind == 'V', kind == 'V' || kind == 'v'
		length, ok = number(&p.week, 2)
		return length, ok && p.week <= 53 && (p.week > 0 || !p.strict)
	case 'X', 'x':
		p.sundaysYears = kind == 'X'
		return number(&p.yearOfWeek, 4)
	case 'r', 'T':
		inner := "%H:%i:%S"
		if kind == 'r' {
			inner = "%I:%i:%S %p"
		}
		rest, ok := p.read(text, inner)
		return len(text) - len(rest), ok
	case '@', '.', '#':
		for length < len(text) && skipped(text[length]) == kind {
			length++
		}
		return length, true
	}
	return 0, false
}

// skipped returns the kind of format that skips a character: %@ letters, %# digits, %. punctuation.
func skipped(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return '#'
	case c|0x20 >= 'a' && c|0x20 <= 'z':
		return '@'
	case c > ' ' && c < 0x7f:
		return '.'
	}
	return 0
}

// complete finds the month and the day from a day of the year, or of a week. It reports whether all parts are in
// their ranges.
func (p *parsedDate) complete() bool {
	if p.dayOfYear > 0 {
		p.from(time.Date(p.year, 1, p.dayOfYear, 0, 0, 0, 0, time.UTC))
	}
	if p.week >= 0 && p.weekday > 0 {
		if p.strict != (p.yearOfWeek >= 0) || p.strict && p.sundaysYears != p.sundays {
			return false
		}
		year := p.year
		if p.strict {
			year = p.yearOfWeek
		}
		first := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
		begins, weekday := int(first.Weekday()), p.weekday%7
		days := -begins + (p.week-1)*7
		if p.sundays && begins > 0 {
			days += 7
		}
		if !p.sundays {
			begins, weekday = (begins+6)%7, p.weekday-1
			days = -begins + (p.week-1)*7
			if begins > 3 {
				days += 7
			}
		}
		p.from(first.AddDate(0, 0, days+weekday))
	}
	return p.year <= 9999 && p.month <= 12 && p.day <= 31 && p.hour <= 23 && p.minute <= 59 && p.second <= 59
}

func (p *parsedDate) from(at time.Time) {
	p.year, p.month, p.day = at.Year(), int(at.Month()), at.Day()
}

// warningWrongValueForType is MySQL's number for a text that is no value of a function's type.
const warningWrongValueForType = 1411
