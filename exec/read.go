package exec

import (
	"math"
	"strconv"

	"github.com/sqlfdb/sqlfdb/document"
)

// Source is a column that is read from documents.
type Source struct {
	Type Type
	Path document.Keypath
	// Least and Most bound the numbers that are read as they are.
	Least, Most int64
	Truth       bool // JSON's truths, as 0 and 1
	Clock       bool // a Time has hours, minutes and seconds
	Longest     int  // bytes of texts that are read as they are
	KeepsNull   bool // JSON's null is no NULL
	// Slow reads what is not plain; false: it is not computed here.
	Slow func(v document.Value, into *Column, row int) bool
}

// Documents puts values of documents into a batch.
type Documents struct {
	sources []Source
	picker  *document.Picker
	values  []document.Value
}

// NewDocuments reads the sources.
func NewDocuments(sources []Source) *Documents {
	paths := make([]document.Keypath, len(sources))
	for i := range sources {
		paths[i] = sources[i].Path
	}
	return &Documents{sources, document.NewPicker(paths), make([]document.Value, len(sources))}
}

// Add puts a document's values into the next row of a batch that is not full; false where it is not computed here.
func (d *Documents) Add(b *Batch, v document.Value) bool {
	d.picker.Pick(v, d.values)
	for i := range d.sources {
		s := &d.sources[i]
		if !s.read(d.values[i], b.Columns[i], b.Rows) {
			return false
		}
	}
	b.Rows++
	return true
}

func (s *Source) read(v document.Value, into *Column, row int) bool {
	if v.IsZero() || v.IsNull() && !s.KeepsNull {
		into.SetNull(row)
		return true
	}
	text, ok := v.Text(), false
	switch s.Type.Kind {
	case Int:
		switch {
		case !s.Truth:
			if n, plain := wholeNumber(text); plain && n >= s.Least && n <= s.Most {
				into.Ints[row], ok = n, true
			}
		case text == "true":
			into.Ints[row], ok = 1, true
		case text == "false":
			into.Ints[row], ok = 0, true
		}
	case Decimal:
		if n, plain := DecimalNumber(text, s.Type.Scale); plain && n >= s.Least && n <= s.Most {
			into.Ints[row], ok = n, true
		}
	case Float:
		if v.Type() == document.TypeNumber {
			f, err := strconv.ParseFloat(text, 64)
			into.Floats[row], ok = f, err == nil
		}
	case Time:
		form := DateForm
		if s.Clock {
			form = ClockForm
		}
		into.Ints[row], ok = PlainTime(text, form)
	case Text:
		if n := len(text) - 2; v.Type() == document.TypeString && n <= s.Longest && n >= 0 {
			into.Texts[row], ok = v.Str(), true
		}
	}
	return ok || s.Slow(v, into, row)
}

// wholeNumber is an integer of up to 18 digits.
func wholeNumber(s string) (n int64, ok bool) { return DecimalNumber(s, 0) }

// DecimalNumber is a number without an exponent and of up to 18 digits, as so many digits behind the point.
func DecimalNumber(s string, scale int) (n int64, ok bool) {
	i, negative := 0, false
	if s[0] == '-' {
		i, negative = 1, true
	}
	if i == len(s) || len(s)-i > 19 {
		return 0, false
	}
	digits, behind := 0, -1 // behind: digits behind the point; -1: no point yet
	for ; i < len(s); i++ {
		c := s[i] - '0'
		if c > 9 {
			if s[i] != '.' || behind >= 0 {
				return 0, false
			}
			behind = 0
			continue
		}
		n = n*10 + int64(c)
		digits++
		if behind >= 0 {
			behind++
		}
	}
	more := scale - max(behind, 0)
	if more < 0 || digits+more > 18 || scale == 0 && behind >= 0 {
		return 0, false
	}
	for range more {
		n *= 10
	}
	if negative {
		n = -n
	}
	return n, true
}

// The forms of dates, and of dates with a time of day, in JSON.
const (
	DateForm  = `"0000-00-00"`
	ClockForm = `"0000-00-00 00:00:00"`
)

// PlainTime is a JSON string of a form: microseconds since 1970.
func PlainTime(s, form string) (micros int64, ok bool) {
	if len(s) != len(form) {
		return 0, false
	}
	for i := range len(form) {
		if form[i] == '0' && (s[i] < '0' || s[i] > '9') || form[i] != '0' && s[i] != form[i] {
			return 0, false
		}
	}
	two := func(i int) int { return int(s[i]-'0')*10 + int(s[i+1]-'0') }
	year, month, day := two(1)*100+two(3), two(6), two(9)
	if year == 0 || month == 0 || month > 12 || day == 0 || day > 31 {
		return 0, false
	}
	var hour, minute, second int
	if form == ClockForm {
		if hour, minute, second = two(12), two(15), two(18); hour > 23 || minute > 59 || second > 59 {
			return 0, false
		}
	}
	days, ok := daysOf(year, month, day)
	return (int64(days)*86400 + int64(hour*3600+minute*60+second)) * 1e6, ok
}

// daysOf counts the days since 1970; false where the month has no such day.
func daysOf(year, month, day int) (int, bool) {
	last := 31
	switch month {
	case 4, 6, 9, 11:
		last = 30
	case 2:
		if last = 28; year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			last = 29
		}
	}
	if day > last {
		return 0, false
	}
	// The year begins in March, so that the day of a leap year is its last.
	if month <= 2 {
		year--
		month += 12
	}
	return year*365 + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + day - 1 - 719468, true
}

// Bound is a bound for numbers of so many digits.
func Bound(digits int) int64 {
	if digits > 18 {
		return math.MaxInt64
	}
	n := int64(1)
	for range digits {
		n *= 10
	}
	return n - 1
}
