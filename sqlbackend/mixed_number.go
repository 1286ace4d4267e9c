package sqlbackend

import (
	"context"
	"reflect"
	"strconv"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"
	"github.com/shopspring/decimal"
)

// mixedNumber is the type of an expression that gives one of several numbers
// whose types have no common one that holds them all: a BIGINT or a DOUBLE. The
// number stays what it is, and so compares exactly. Clients are told MySQL's
// type, the embedded one.
type mixedNumber struct {
	columnType
}

var _ sql.Type = mixedNumber{}

// Compare implements sql.Type.
func (t mixedNumber) Compare(ctx context.Context, a, b interface{}) (int, error) {
	return numberType{}.Compare(ctx, a, b)
}

// Convert implements sql.Type: a number stays as it is.
func (t mixedNumber) Convert(ctx context.Context, v interface{}) (interface{}, sql.ConvertInRange, error) {
	if v == nil {
		return nil, sql.InRange, nil
	}
	if _, err := numberLiteral(v); err == nil {
		return v, sql.InRange, nil
	}
	return t.columnType.Convert(ctx, v)
}

// Equals implements sql.Type.
func (t mixedNumber) Equals(other sql.Type) bool { return reflect.DeepEqual(sql.Type(t), other) }

// Promote implements sql.Type.
func (t mixedNumber) Promote() sql.Type { return t }

// SQL implements sql.Type.
func (t mixedNumber) SQL(ctx *sql.Context, dest []byte, v interface{}) (sqltypes.Value, error) {
	switch v.(type) {
	case nil:
		return sqltypes.NULL, nil
	case float64, float32:
		return types.Float64.SQL(ctx, dest, doubled(v))
	}
	literal, err := numberLiteral(v)
	if err != nil {
		return t.columnType.SQL(ctx, dest, v)
	}
	if d, ok := v.(decimal.Decimal); ok && t.columnType == types.Float64 && d.Exponent() < 0 {
		literal = d.String() // without zeros at the end
	}
	return sqltypes.MakeTrusted(t.columnType.Type(), append(dest, literal...)), nil
}

// MaxTextResponseByteLength implements sql.Type.
func (t mixedNumber) MaxTextResponseByteLength(*sql.Context) uint32 { return 1024 }

// doubled is a FLOAT as the DOUBLE that is spelled alike, which is what it
// compares as, and any other value as it is.
func doubled(v interface{}) interface{} {
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

// numbersType is the type of what gives one of several numbers: one that holds
// them all without loss. It is false if they are not all numbers, or are of one
// type.
func numbersType(values []sql.Expression) (sql.Type, bool) {
	var given []sql.Expression
	float, bits, differ := false, false, false
	for _, v := range values {
		switch (comparer{}).class(v) {
		case classNull:
			continue
		case classNumber:
		default:
			return nil, false
		}
		if types.IsNumber(v.Type()) || isMixed(v.Type()) {
			given = append(given, v)
		} else {
			return nil, false
		}
		float = float || types.IsFloat(v.Type()) || isMixed(v.Type())
		bits = bits || types.IsBit(v.Type())
		differ = differ || !types.TypesEqual(given[0].Type(), v.Type())
	}
	if !differ {
		return nil, false
	}
	if float {
		for _, v := range given {
			if !exactAsDouble(v) {
				return mixedNumber{types.Float64}, true
			}
		}
		return types.Float64, true
	}
	common := given[0].Type()
	whole, scale := 0, 0
	for _, v := range given {
		d, s, ok := decimalDigits(v.Type())
		if !ok {
			return nil, false
		}
		whole, scale = max(whole, d-s), max(scale, s)
		if l, literal := unwrapped(v).(*expression.Literal); literal && types.IsDecimal(v.Type()) && l.Val != nil {
			if dt := v.Type().(sql.DecimalType); int(dt.Precision()) == types.DecimalTypeMaxPrecision {
				return mixedNumber{dt}, true // the type of literals that may be beyond it
			}
		}
	}
	if whole+scale > types.DecimalTypeMaxPrecision {
		return mixedNumber{types.MustCreateDecimalType(types.DecimalTypeMaxPrecision, uint8(scale))}, true
	}
	for _, v := range given[1:] {
		t := v.Type()
		if types.IsYear(t) {
			t = types.Int16
		}
		var ok bool
		if common, ok = commonNumber(common, t); !ok {
			return nil, false
		}
	}
	return common, true
}

func isMixed(t sql.Type) bool {
	_, ok := t.(mixedNumber)
	return ok
}

// exactAsDouble tells whether every value of an expression is a DOUBLE too.
func exactAsDouble(e sql.Expression) bool {
	t := e.Type()
	switch t {
	case types.Float64, types.Float32, types.Int8, types.Int16, types.Int24, types.Int32, types.Uint8, types.Uint16, types.Uint24, types.Uint32:
		return true
	}
	if types.IsYear(t) {
		return true
	}
	if l, ok := unwrapped(e).(*expression.Literal); ok {
		_, ok := literalInFamily(l, familyDouble)
		return ok
	}
	return false
}
