package rewrite

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// RememberedBytes bounds the memory for the remembered rows of one subquery, in bytes. Beyond it nothing more is
// remembered. So of rows that are read again and again, like one side of a join, a part stays in memory.
const RememberedBytes = 32 << 20

// AppendExactKey appends a value to a key; different values have different keys. It returns false for values of other
// types, for which that is not known.
func AppendExactKey(key []byte, v any) ([]byte, bool) {
	number := func(tag byte, n uint64) ([]byte, bool) {
		return binary.LittleEndian.AppendUint64(append(key, tag), n), true
	}
	text := func(tag byte, s string) ([]byte, bool) { return value.AppendKeyPart(key, tag, []byte(s)), true }
	switch v := v.(type) {
	case nil:
		return append(key, value.KeyNull), true
	case string:
		return text('s', v)
	case []byte:
		return text('b', string(v))
	case value.JSON:
		return text(value.KeyJSON, string(v.Held.Raw()))
	case decimal.Decimal:
		return text('d', v.String())
	case time.Time:
		return text('t', v.Format(time.RFC3339Nano))
	case bool:
		if v {
			return number('?', 1)
		}
		return number('?', 0)
	case float64:
		return number('f', math.Float64bits(v))
	case float32:
		return number('g', uint64(math.Float32bits(v)))
	case int64:
		return number('8', uint64(v))
	case int32:
		return number('4', uint64(v))
	case int16:
		return number('2', uint64(v))
	case int8:
		return number('1', uint64(v))
	case int:
		return number('i', uint64(v))
	case uint64:
		return number('h', v)
	case uint32:
		return number('u', uint64(v))
	case uint16:
		return number('v', uint64(v))
	case uint8:
		return number('w', uint64(v))
	}
	return key, false
}
