package functions

import (
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// stringFunctions are the functions of texts that the engine lacks, or that differ from MySQL's.
func stringFunctions() []*valueDefinition {
	text := func([]sql.Expression) sql.Type { return types.LongText }
	return []*valueDefinition{
		{Name: "bin", description: "a number's digits in base 2.", least: 1, most: 1, typ: text,
			give: func(ctx *sql.Context, f *ValueFunction, values []any) (any, error) {
				return conv(ctx, f, []any{values[0], int64(10), int64(2)})
			}},
		{Name: "format", description: "a number with separators between its thousands.", least: 2, most: 3, typ: text,
			give: formatted, nulls: true},
		{Name: "insert", description: "a text with another in place of some of its characters.", least: 4, most: 4, typ: text,
			give: inserted},
		{Name: "soundex", description: "how a text sounds.", least: 1, most: 1, typ: text, give: soundex},
	}
}

// padded computes LPAD or RPAD; the length counts characters, or bytes for byte strings.
func padded(text string, length int64, pad string, characters, left bool) any {
	if length < 0 {
		return nil
	}
	size := func(s string) int64 { return int64(len(s)) }
	cut := func(s string, n int64) string { return s[:n] }
	if characters {
		size = func(s string) int64 { return int64(utf8.RuneCountInString(s)) }
		cut = FirstCharacters
	}
	missing := length - size(text)
	if missing <= 0 {
		return cut(text, length)
	}
	if pad == "" {
		return ""
	}
	whole := missing / size(pad)
	filling := strings.Repeat(pad, int(whole)) + cut(pad, missing-whole*size(pad))
	if left {
		return filling + text
	}
	return text + filling
}

// FirstCharacters returns the first n characters of a text, all if it has no more.
func FirstCharacters(text string, n int64) string {
	for at := range text {
		if n--; n < 0 {
			return text[:at]
		}
	}
	return text
}

// inserted computes INSERT(): the position counts from 1.
func inserted(ctx *sql.Context, f *ValueFunction, values []any) (any, error) {
	text, err := value.TextOf(ctx, values[0])
	if err != nil {
		return nil, err
	}
	put, err := value.TextOf(ctx, values[3])
	if err != nil {
		return nil, err
	}
	position, ok := roundedOf(ctx, values[1])
	length, known := roundedOf(ctx, values[2])
	if !ok || !known || position < 1 || position > int64(len(text)) {
		return text, nil
	}
	var before, rest string
	if types.IsBinaryType(f.args[0].Type()) {
		before, rest = text[:position-1], text[position-1:]
	} else {
		before = FirstCharacters(text, position-1)
		rest = text[len(before):]
		if rest == "" {
			return text, nil
		}
	}
	if length < 0 || length >= int64(len(rest)) {
		rest = ""
	} else if types.IsBinaryType(f.args[0].Type()) {
		rest = rest[length:]
	} else {
		rest = rest[len(FirstCharacters(rest, length)):]
	}
	if over, err := ExceedsPacket(ctx, "insert", float64(len(before)+len(put)+len(rest))); over || err != nil {
		return nil, err
	}
	return before + put + rest, nil
}

// maxFormatDecimals is the greatest number of decimals of FORMAT.
const maxFormatDecimals = 30

// formatted computes FORMAT. The engine uses the locale's separators, but the digits of a DOUBLE.
func formatted(ctx *sql.Context, f *ValueFunction, values []any) (any, error) {
	if values[0] == nil || values[1] == nil {
		return nil, nil
	}
	number, ok := NumberAsDecimal(ctx, values[0])
	decimals, known := roundedOf(ctx, values[1])
	if !ok || !known {
		return nil, nil
	}
	decimals = min(max(decimals, 0), maxFormatDecimals)
	number = number.Round(int32(decimals))
	digits, fraction, _ := strings.Cut(number.Abs().StringFixed(int32(decimals)), ".")
	point, separator, second := ".", ",", 3
	if len(values) > 2 && values[2] != nil {
		locale, err := value.TextOf(ctx, values[2])
		if err != nil {
			return nil, err
		}
		point, separator, second = separatorsOf(ctx, locale)
	}
	out := ""
	for size := 3; separator != "" && len(digits) > size; size = second {
		out = separator + digits[len(digits)-size:] + out
		digits = digits[:len(digits)-size]
	}
	out = digits + out
	if number.IsNegative() {
		out = "-" + out
	}
	if decimals > 0 {
		out += point + fraction
	}
	return out, nil
}

// NumberAsDecimal returns a value as a number: a text counts as the number that it begins with, and a DOUBLE as its
// shortest decimal.
func NumberAsDecimal(ctx *sql.Context, v any) (decimal.Decimal, bool) {
	if bytes, ok := v.([]byte); ok {
		v = string(bytes)
	}
	if text, ok := v.(string); ok {
		text = strings.TrimLeft(text, " \t\r\n\v\f")
		if text = text[:value.NumberPrefix(text)]; text == "" {
			return decimal.Zero, true
		}
		d, err := decimal.NewFromString(value.BoundedNumber(text))
		return d, err == nil
	}
	if f, ok := v.(float32); ok {
		v = float64(f)
	}
	if f, ok := v.(float64); ok {
		return decimal.NewFromFloat(f), true
	}
	if literal, err := value.NumberLiteral(v); err == nil {
		d, err := decimal.NewFromString(value.BoundedNumber(literal))
		return d, err == nil
	}
	return decimalOf(ctx, v)
}

// separatorsOf returns a locale's decimal point, the separator of its thousands, and the number of digits between two
// separators. It reads them from a number that the engine formats.
func separatorsOf(ctx *sql.Context, locale string) (point, separator string, second int) {
	f, err := function.NewFormat(expression.NewLiteral(12345678.5, types.Float64),
		expression.NewLiteral(1.0, types.Float64), expression.NewLiteral(locale, types.LongText))
	if err != nil {
		return ".", ",", 3
	}
	v, err := f.Eval(ctx, nil)
	sample, ok := v.(string)
	if err != nil || !ok || !strings.HasSuffix(sample, "5") || !strings.HasPrefix(sample, "1") {
		return ".", ",", 3
	}
	head, last, ok := strings.Cut(sample, "678")
	if !ok || len(last) < 2 {
		return ".", ",", 3
	}
	point = last[:len(last)-1]
	separator = strings.TrimLeft(head, "0123456789")
	second = 3
	if at := strings.IndexAny(separator, "0123456789"); at >= 0 {
		digits := strings.IndexFunc(separator[at:], func(r rune) bool { return r < '0' || r > '9' })
		separator, second = separator[:at], digits
	}
	return point, separator, second
}

// soundex computes SOUNDEX: for a text without letters it is empty.
func soundex(ctx *sql.Context, _ *ValueFunction, values []any) (any, error) {
	text, err := value.TextOf(ctx, values[0])
	if err != nil {
		return nil, err
	}
	v, err := function.NewSoundex(expression.NewLiteral(text, types.LongText)).Eval(ctx, nil)
	if v == "0000" {
		v = ""
	}
	return v, err
}
