package value

import (
	"context"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/sqltypes"
	"github.com/shopspring/decimal"
)

// AssignedInteger is assignedType for declared integers. The engine converts a text by way of a float64, and turns
// numbers beyond BIGINT UNSIGNED into its last one without an error.
type AssignedInteger struct{ sql.NumberType }

var _ sql.NumberType = AssignedInteger{}

// Convert implements sql.Type.
func (t AssignedInteger) Convert(ctx context.Context, v interface{}) (interface{}, sql.ConvertInRange, error) {
	v, err := sql.UnwrapAny(ctx, v)
	if err != nil {
		return nil, sql.OutOfRange, err
	}
	var d decimal.Decimal
	switch given := v.(type) {
	case string:
		text := strings.Trim(given, " \t\r\n\v\f")
		if NumberPrefix(text) < len(text) || text == "" {
			return t.NumberType.Convert(ctx, v)
		}
		if d, err = decimal.NewFromString(BoundedNumber(text)); err != nil {
			return t.NumberType.Convert(ctx, v)
		}
	case float64:
		if given > -1<<53 && given < 1<<53 {
			return t.NumberType.Convert(ctx, v)
		}
		d = decimal.NewFromFloat(given)
	case decimal.Decimal:
		d = given
	default:
		return t.NumberType.Convert(ctx, v)
	}
	d = d.Round(0)
	switch n := d.BigInt(); {
	case n.IsInt64():
		return t.NumberType.Convert(ctx, n.Int64())
	case n.IsUint64():
		return t.NumberType.Convert(ctx, n.Uint64())
	}
	least, most := t.bounds()
	if d.IsNegative() {
		return least, sql.OutOfRange, nil
	}
	return most, sql.OutOfRange, nil
}

// bounds are the least and the greatest number of the type.
func (t AssignedInteger) bounds() (least, most any) {
	bounds := map[any]struct{ least, most any }{
		sqltypes.Int8: {int8(-1 << 7), int8(1<<7 - 1)}, sqltypes.Uint8: {uint8(0), uint8(1<<8 - 1)},
		sqltypes.Int16: {int16(-1 << 15), int16(1<<15 - 1)}, sqltypes.Uint16: {uint16(0), uint16(1<<16 - 1)},
		sqltypes.Int24: {int32(-1 << 23), int32(1<<23 - 1)}, sqltypes.Uint24: {uint32(0), uint32(1<<24 - 1)},
		sqltypes.Int32: {int32(-1 << 31), int32(1<<31 - 1)}, sqltypes.Uint32: {uint32(0), uint32(1<<32 - 1)},
		sqltypes.Int64: {int64(-1 << 63), int64(1<<63 - 1)}, sqltypes.Uint64: {uint64(0), uint64(1<<64 - 1)},
	}[t.Type()]
	return bounds.least, bounds.most
}
