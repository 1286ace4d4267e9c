package value

import (
	"bytes"
	"context"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"
	"github.com/shopspring/decimal"
)

// TimeType is TIME(n): a time with n digits behind the point of its seconds, 0 to 6. The engine's own type has six,
// and shows them where they are not all zero; here it is the type of computed times whose digits are not known.
type TimeType struct {
	types.TimespanType_
	Digits int
}

var (
	_ types.TimeType         = TimeType{}
	_ sql.CollationCoercible = TimeType{}
)

// LongestTime is the longest TIME, 838:59:59, in microseconds.
const LongestTime = (838*3600 + 59*60 + 59) * 1_000_000

// IsTimespan reports whether a type is TIME, with however many digits.
func IsTimespan(t sql.Type) bool {
	_, ok := t.(types.TimeType)
	return ok
}

// ParseTimeType parses a text of TimeType.String.
func ParseTimeType(text string) (TimeType, bool) {
	rest, ok := strings.CutPrefix(strings.ToLower(text), "time")
	if !ok || rest == "" {
		return TimeType{}, ok
	}
	if len(rest) != 3 || rest[0] != '(' || rest[2] != ')' || rest[1] < '0' || rest[1] > '6' {
		return TimeType{}, false
	}
	return TimeType{Digits: int(rest[1] - '0')}, true
}

// String implements sql.Type.
func (t TimeType) String() string {
	if t.Digits == 0 {
		return "time"
	}
	return "time(" + strconv.Itoa(t.Digits) + ")"
}

// Convert implements sql.Type: a time with more digits is rounded.
func (t TimeType) Convert(_ context.Context, v interface{}) (interface{}, sql.ConvertInRange, error) {
	if v == nil {
		return nil, sql.InRange, nil
	}
	span, err := t.ConvertToTimespan(v)
	if err != nil {
		return nil, sql.InRange, err
	}
	return t.Round(span), sql.InRange, nil
}

// ConvertToTimespan implements types.TimeType: a DECIMAL keeps its digits behind the point.
func (t TimeType) ConvertToTimespan(v interface{}) (types.Timespan, error) {
	if d, ok := v.(decimal.Decimal); ok && !d.IsInteger() {
		v = d.Round(6).StringFixed(6)
	}
	return t.TimespanType_.ConvertToTimespan(v)
}

// Round is a time with as many digits as the type has, within the range of times.
func (t TimeType) Round(span types.Timespan) types.Timespan {
	unit := types.Timespan(1)
	for range 6 - t.Digits {
		unit *= 10
	}
	half := unit / 2
	if span < 0 {
		half = -half
	}
	return t.MicrosecondsToTimespan(int64((span + half) / unit * unit))
}

// Equals implements sql.Type.
func (t TimeType) Equals(other sql.Type) bool {
	o, ok := other.(TimeType)
	return ok && o.Digits == t.Digits
}

// Promote implements sql.Type.
func (t TimeType) Promote() sql.Type { return TimeType{Digits: 6} }

// Spelled is a time as the type shows it.
func (t TimeType) Spelled(span types.Timespan) string {
	text := span.String()
	if t.Digits == 0 {
		text, _, _ = strings.Cut(text, ".")
		return text
	}
	return string(WithFraction([]byte(text), t.Digits))
}

// WithFraction is the text of a date or a time with so many digits behind the point of its seconds.
func WithFraction(text []byte, digits int) []byte {
	at := bytes.IndexByte(text, '.')
	text = text[:len(text):len(text)] // others may stand behind it
	if at < 0 {
		at = len(text)
		text = append(text, '.')
	}
	for len(text) < at+1+digits {
		text = append(text, '0')
	}
	return text[:at+1+digits]
}

// SQL implements sql.Type.
func (t TimeType) SQL(_ *sql.Context, _ []byte, v interface{}) (sqltypes.Value, error) {
	if v == nil {
		return sqltypes.NULL, nil
	}
	span, err := t.ConvertToTimespan(v)
	if err != nil {
		return sqltypes.Value{}, err
	}
	return sqltypes.MakeTrusted(sqltypes.Time, []byte(t.Spelled(t.Round(span)))), nil
}
