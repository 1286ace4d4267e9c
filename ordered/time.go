package ordered

import "fmt"

// AppendDate appends a date in its canonical form, YYYY-MM-DD. Months and days
// may be 0, as in MySQL's zero dates. It fails with ErrTime.
func AppendDate(dst []byte, s string) ([]byte, error) {
	r := reader{s: s}
	date := r.date()
	if !r.done() {
		return dst, fmt.Errorf("%w: date %.40q", ErrTime, s)
	}
	return append(dst, ClassDate, byte(date>>16), byte(date>>8), byte(date)), nil
}

// AppendTime appends a time in its canonical form: [-]HH:MM:SS, the hours up
// to 838, with up to six digits of a second behind a point. It fails with ErrTime.
func AppendTime(dst []byte, s string) ([]byte, error) {
	r := reader{s: s}
	negative := r.take('-')
	hours := r.digits(2, 3, 838)
	r.expect(':')
	minutes := r.digits(2, 2, 59)
	r.expect(':')
	seconds := r.digits(2, 2, 59)
	t := ((hours*60+minutes)*60+seconds)*1_000_000 + r.micros()
	if !r.done() {
		return dst, fmt.Errorf("%w: time %.40q", ErrTime, s)
	}
	if negative {
		t = -t
	}
	t += timeBias
	return append(dst, ClassTime, byte(t>>40), byte(t>>32), byte(t>>24), byte(t>>16), byte(t>>8), byte(t)), nil
}

// timeBias makes a TIME in microseconds, of either sign, a number of six bytes.
const timeBias = 1 << 47

// AppendDatetime appends a date and time in its canonical form, YYYY-MM-DD
// HH:MM:SS with up to six digits of a second behind a point. It fails with ErrTime.
func AppendDatetime(dst []byte, s string) ([]byte, error) {
	r := reader{s: s}
	date := r.date()
	r.expect(' ')
	hours := r.digits(2, 2, 23)
	r.expect(':')
	minutes := r.digits(2, 2, 59)
	r.expect(':')
	seconds := r.digits(2, 2, 59)
	t := (hours*60+minutes)*60 + seconds
	micros := r.micros()
	if !r.done() {
		return dst, fmt.Errorf("%w: datetime %.40q", ErrTime, s)
	}
	return append(dst, ClassDatetime, byte(date>>16), byte(date>>8), byte(date),
		byte(t>>16), byte(t>>8), byte(t), byte(micros>>16), byte(micros>>8), byte(micros)), nil
}

// reader reads a date or time from the left; after a failure it stays failed.
type reader struct {
	s      string
	failed bool
}

func (r *reader) done() bool { return !r.failed && r.s == "" }

func (r *reader) take(c byte) bool {
	if r.s == "" || r.s[0] != c {
		return false
	}
	r.s = r.s[1:]
	return true
}

func (r *reader) expect(c byte) {
	if !r.take(c) {
		r.failed = true
	}
}

// digits reads a number of least to most digits, up to limit.
func (r *reader) digits(least, most int, limit int64) int64 {
	var n int64
	i := 0
	for ; i < most && i < len(r.s) && r.s[i]-'0' <= 9; i++ {
		n = n*10 + int64(r.s[i]-'0')
	}
	r.s = r.s[i:]
	if i < least || n > limit {
		r.failed = true
	}
	return n
}

// date reads YYYY-MM-DD into 15 bits of year, 4 of month and 5 of day.
func (r *reader) date() int64 {
	year := r.digits(4, 4, 9999)
	r.expect('-')
	month := r.digits(2, 2, 12)
	r.expect('-')
	day := r.digits(2, 2, 31)
	return year<<9 | month<<5 | day
}

// micros reads the digits of a second, if any.
func (r *reader) micros() int64 {
	if !r.take('.') {
		return 0
	}
	before := len(r.s)
	n := r.digits(1, 6, 999_999)
	for i := before - len(r.s); i < 6; i++ {
		n *= 10
	}
	return n
}

func formatDate(date int64) string {
	return fmt.Sprintf("%04d-%02d-%02d", date>>9, date>>5&15, date&31)
}

// formatClock writes seconds and microseconds; digits of a second only where
// there are any.
func formatClock(seconds, micros int64) string {
	s := fmt.Sprintf("%02d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
	if micros != 0 {
		s += fmt.Sprintf(".%06d", micros)
	}
	return s
}
