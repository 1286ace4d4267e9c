package functions

import (
	"errors"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// conv computes CONV: a number's digits in one base, converted to another one. The text after the last digit is
// ignored, and an empty text gives NULL, as in MySQL.
func conv(ctx *sql.Context, _ *ValueFunction, values []any) (any, error) {
	text, _, err := types.LongText.Convert(ctx, values[0])
	if err != nil {
		return nil, nil
	}
	from, to := baseOf(ctx, values[1]), baseOf(ctx, values[2])
	digits, ok := text.(string)
	if !ok || digits == "" || from == 0 || to == 0 {
		return nil, nil
	}
	n := leadingNumber(digits, from)
	if to < 0 {
		return strings.ToUpper(strconv.FormatInt(int64(n), -to)), nil
	}
	return strings.ToUpper(strconv.FormatUint(n, to)), nil
}

// baseOf returns a base from 2 to 36, negative for signed numbers; 0 if it is invalid.
func baseOf(ctx *sql.Context, value any) int {
	v, _, err := types.Int64.Convert(ctx, value)
	n, ok := v.(int64)
	if err != nil || !ok || n < -36 || n > 36 || n > -2 && n < 2 {
		return 0
	}
	return int(n)
}

// leadingNumber returns the number that a text begins with, in 64 bits; a larger one becomes the last one of its
// base's kind.
func leadingNumber(text string, base int) uint64 {
	text = strings.TrimLeft(text, " \t\r\n\v\f")
	negative := strings.HasPrefix(text, "-")
	if negative || strings.HasPrefix(text, "+") {
		text = text[1:]
	}
	signed := base < 0
	base = max(base, -base)
	end := 0
	for end < len(text) {
		if d := text[end]; d == '_' || d >= 0x80 {
			break
		}
		if _, err := strconv.ParseUint(text[end:end+1], base, 8); err != nil {
			break
		}
		end++
	}
	n, err := strconv.ParseUint(text[:end], base, 64)
	beyond := errors.Is(err, strconv.ErrRange)
	switch {
	case signed && negative && (beyond || n > 1<<63):
		return 1 << 63
	case signed && !negative && (beyond || n > 1<<63-1):
		return 1<<63 - 1
	case beyond:
		return 1<<64 - 1
	case negative:
		return -n
	}
	return n
}
