package value

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// ValueOf is the JSON value of a SQL value, by MySQL's rules for comparing and storing SQL
// scalars with JSON. A string becomes a JSON string (it is not parsed), a number the same
// number, and a boolean a boolean. A date or time becomes a string in MySQL's notation, and
// bytes a base64 string. A nil is JSON null: callers that mean SQL NULL test for it before.
func ValueOf(v interface{}) (document.Value, error) {
	if j, ok := v.(JSON); ok {
		return j.Held, nil
	}
	text, err := appendJSON(nil, v)
	if err != nil {
		return document.Value{}, err
	}
	parsed, err := document.ParseValue(text, document.Limits{})
	if err != nil {
		return document.Value{}, fmt.Errorf("sqlbackend: convert %T to JSON: %w", v, err)
	}
	return parsed, nil
}

// JSONOf is ValueOf as a row's value; SQL NULL stays nil.
func JSONOf(v interface{}) (interface{}, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case JSON:
		return v, nil
	}
	value, err := ValueOf(v)
	if err != nil {
		return nil, err
	}
	return JSON{Held: value}, nil
}

// appendJSON appends the JSON text of a SQL value or of a result of ToInterface.
func appendJSON(dst []byte, v interface{}) ([]byte, error) {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case JSON:
		return append(dst, v.Held.Raw()...), nil
	case RawJSON:
		return append(dst, v...), nil
	case bool:
		return strconv.AppendBool(dst, v), nil
	case string:
		return AppendString(dst, v), nil
	case int:
		return strconv.AppendInt(dst, int64(v), 10), nil
	case int8:
		return strconv.AppendInt(dst, int64(v), 10), nil
	case int16:
		return strconv.AppendInt(dst, int64(v), 10), nil
	case int32:
		return strconv.AppendInt(dst, int64(v), 10), nil
	case int64:
		return strconv.AppendInt(dst, v, 10), nil
	case uint:
		return strconv.AppendUint(dst, uint64(v), 10), nil
	case uint8:
		return strconv.AppendUint(dst, uint64(v), 10), nil
	case uint16:
		return strconv.AppendUint(dst, uint64(v), 10), nil
	case uint32:
		return strconv.AppendUint(dst, uint64(v), 10), nil
	case uint64:
		return strconv.AppendUint(dst, v, 10), nil
	case float32:
		return appendFloat(dst, float64(v), 32)
	case float64:
		return appendFloat(dst, v, 64)
	case decimal.Decimal:
		return append(dst, DecimalLiteral(v)...), nil
	case []byte:
		if utf8.Valid(v) {
			return AppendString(dst, string(v)), nil
		}
		return AppendString(dst, "base64:type252:"+base64.StdEncoding.EncodeToString(v)), nil
	case time.Time:
		return AppendString(dst, v.Format("2006-01-02 15:04:05.000000")), nil
	case types.Timespan:
		return AppendString(dst, TimeType{Digits: 6}.Spelled(v)), nil
	case []interface{}:
		return appendArray(dst, v)
	case map[string]interface{}:
		return appendObject(dst, v)
	case types.JSONBytes:
		text, err := v.GetBytes()
		if err != nil {
			return dst, err
		}
		return append(dst, text...), nil
	case sql.JSONWrapper:
		inner, err := v.ToInterface()
		if err != nil {
			return dst, err
		}
		if _, again := inner.(sql.JSONWrapper); again {
			return dst, fmt.Errorf("sqlbackend: %T: %w", inner, mysqlerr.ErrNotJSON)
		}
		return appendJSON(dst, inner)
	case json.Marshaler:
		text, err := v.MarshalJSON()
		if err != nil {
			return dst, err
		}
		return append(dst, text...), nil
	case fmt.Stringer:
		return AppendString(dst, v.String()), nil
	}
	return dst, fmt.Errorf("sqlbackend: %T: %w", v, mysqlerr.ErrNotJSON)
}

func appendArray(dst []byte, elements []interface{}) ([]byte, error) {
	dst = append(dst, '[')
	var err error
	for i, e := range elements {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, err = appendJSON(dst, e); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

// appendObject writes the members in MySQL's order, by length and then bytes: the map has
// lost the original order.
func appendObject(dst []byte, members map[string]interface{}) ([]byte, error) {
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
	dst = append(dst, '{')
	var err error
	for i, name := range names {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(AppendString(dst, name), ':')
		if dst, err = appendJSON(dst, members[name]); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// appendFloat writes the shortest decimal that reads back as f.
func appendFloat(dst []byte, f float64, bits int) ([]byte, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return dst, fmt.Errorf("sqlbackend: %v: %w", f, mysqlerr.ErrNotJSON)
	}
	format := byte('f')
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, format, -1, bits)
	if format == 'f' && !strings.ContainsAny(string(dst[start:]), ".") {
		dst = append(dst, ".0"...) // a DOUBLE stays one, as in MySQL
	}
	return dst, nil
}

// DecimalLiteral is the JSON number of a decimal, with its scale, and with an
// exponent where the digits alone would be endless.
func DecimalLiteral(d decimal.Decimal) string {
	if e := d.Exponent(); e > 100 || e < -maxDecimalExponent {
		return d.Coefficient().String() + "e" + strconv.Itoa(int(e))
	}
	if d.Exponent() >= 0 {
		return d.String()
	}
	return d.StringFixed(-d.Exponent())
}

// AppendCanonical appends a text that is the same for values that compare as
// equal: canonical numbers, plain string escapes, object members sorted.
func AppendCanonical(dst []byte, v document.Value) []byte {
	switch v.Type() {
	case document.TypeNumber:
		return append(dst, CanonicalNumber(v.Number())...)
	case document.TypeString:
		return AppendString(dst, v.Str())
	case document.TypeArray:
		dst = append(dst, '[')
		for i, e := range v.Elements() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendCanonical(dst, e)
		}
		return append(dst, ']')
	case document.TypeObject:
		members := make(map[string]document.Value, v.Count())
		names := make([]string, 0, v.Count())
		for name, member := range v.Members() {
			members[name] = member
			names = append(names, name)
		}
		slices.Sort(names)
		dst = append(dst, '{')
		for i, name := range names {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(AppendString(dst, name), ':')
			dst = AppendCanonical(dst, members[name])
		}
		return append(dst, '}')
	}
	return append(dst, v.Raw()...)
}

// CanonicalNumber is one spelling for all JSON literals of a number: its sign,
// its digits without zeros at either end, and a power of ten.
func CanonicalNumber(literal string) string {
	negative := strings.HasPrefix(literal, "-")
	digits := strings.TrimPrefix(literal, "-")
	exponent := int64(0)
	if i := strings.IndexAny(digits, "eE"); i >= 0 {
		e, err := strconv.ParseInt(digits[i+1:], 10, 64)
		if err != nil {
			return literal
		}
		exponent, digits = e, digits[:i]
	}
	if i := strings.IndexByte(digits, '.'); i >= 0 {
		exponent -= int64(len(digits) - i - 1)
		digits = digits[:i] + digits[i+1:]
	}
	digits = strings.TrimLeft(digits, "0")
	trimmed := strings.TrimRight(digits, "0")
	exponent += int64(len(digits) - len(trimmed))
	if trimmed == "" {
		return "0"
	}
	if negative {
		trimmed = "-" + trimmed
	}
	if exponent == 0 {
		return trimmed
	}
	return trimmed + "e" + strconv.FormatInt(exponent, 10)
}

// AppendString appends a JSON string. Bytes that are no UTF-8 can't be in JSON
// text and become the replacement character.
func AppendString(dst []byte, s string) []byte {
	if out, err := document.AppendQuoted(dst, s); err == nil {
		return out
	}
	out, err := document.AppendQuoted(dst, strings.ToValidUTF8(s, "\uFFFD"))
	if err != nil {
		return append(dst, `""`...)
	}
	return out
}
