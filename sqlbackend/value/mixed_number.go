package value

import (
	"context"
	"reflect"
	"strconv"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"
	"github.com/shopspring/decimal"
)

// MixedNumber is the type of an expression that gives one of several numbers whose types
// have no common one that holds them all: a BIGINT or a DOUBLE. The number keeps its own
// type, and so compares exactly. Clients get MySQL's type, the embedded one.
type MixedNumber struct {
	ColumnType
}

var _ sql.Type = MixedNumber{}

// Compare implements sql.Type.
func (t MixedNumber) Compare(ctx context.Context, a, b interface{}) (int, error) {
	return NumberType{}.Compare(ctx, a, b)
}

// Convert implements sql.Type: a number stays as it is.
func (t MixedNumber) Convert(ctx context.Context, v interface{}) (interface{}, sql.ConvertInRange, error) {
	if v == nil {
		return nil, sql.InRange, nil
	}
	if _, err := NumberLiteral(v); err == nil {
		return v, sql.InRange, nil
	}
	return t.ColumnType.Convert(ctx, v)
}

// Equals implements sql.Type.
func (t MixedNumber) Equals(other sql.Type) bool { return reflect.DeepEqual(sql.Type(t), other) }

// Promote implements sql.Type.
func (t MixedNumber) Promote() sql.Type { return t }

// SQL implements sql.Type.
func (t MixedNumber) SQL(ctx *sql.Context, dest []byte, v interface{}) (sqltypes.Value, error) {
	switch v.(type) {
	case nil:
		return sqltypes.NULL, nil
	case float64, float32:
		return types.Float64.SQL(ctx, dest, DoubleOf(v))
	}
	literal, err := NumberLiteral(v)
	if err != nil {
		return t.ColumnType.SQL(ctx, dest, v)
	}
	if d, ok := v.(decimal.Decimal); ok && t.ColumnType == types.Float64 && d.Exponent() < 0 {
		literal = d.String() // without zeros at the end
	}
	return sqltypes.MakeTrusted(t.ColumnType.Type(), append(dest, literal...)), nil
}

// MaxTextResponseByteLength implements sql.Type.
func (t MixedNumber) MaxTextResponseByteLength(*sql.Context) uint32 { return 1024 }

// DoubleOf turns a FLOAT into the DOUBLE with the same digits, as which it compares; any
// other value stays as it is.
func DoubleOf(v interface{}) interface{} {
	f, ok := v.(float32)
	if !ok {
		return v
	}
	d, err := strconv.ParseFloat(strconv.FormatFloat(float64(f), 'e', -1, 32), 64)
	if err != nil {
		return v
	}
	return d
}

// IsMixed reports whether a type is MixedNumber.
func IsMixed(t sql.Type) bool {
	_, ok := t.(MixedNumber)
	return ok
}
