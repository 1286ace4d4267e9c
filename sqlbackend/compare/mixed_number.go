package compare

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// numbersType returns the type that holds several numbers without loss. It returns false if they are not all numbers,
// or have one type.
func numbersType(values []sql.Expression) (sql.Type, bool) {
	var given []sql.Expression
	float, bits, differ := false, false, false
	for _, v := range values {
		switch (Comparer{}).Class(v) {
		case ClassNull:
			continue
		case ClassNumber:
		default:
			return nil, false
		}
		if types.IsNumber(v.Type()) || value.IsMixed(v.Type()) {
			given = append(given, v)
		} else {
			return nil, false
		}
		float = float || types.IsFloat(v.Type()) || value.IsMixed(v.Type())
		bits = bits || types.IsBit(v.Type())
		differ = differ || !types.TypesEqual(given[0].Type(), v.Type())
	}
	if !differ {
		return nil, false
	}
	if float {
		for _, v := range given {
			if !exactAsDouble(v) {
				return value.MixedNumber{ColumnType: types.Float64}, true
			}
		}
		return types.Float64, true
	}
	common := given[0].Type()
	whole, scale := 0, 0
	for _, v := range given {
		d, s, ok := functions.DecimalDigits(v.Type())
		if !ok {
			return nil, false
		}
		whole, scale = max(whole, d-s), max(scale, s)
		if l, literal := tree.Unwrapped(v).(*expression.Literal); literal && types.IsDecimal(v.Type()) && l.Val != nil {
			if dt := v.Type().(sql.DecimalType); int(dt.Precision()) == types.DecimalTypeMaxPrecision {
				return value.MixedNumber{ColumnType: dt}, true // the type of literals that may not fit dt
			}
		}
	}
	if whole+scale > types.DecimalTypeMaxPrecision {
		return value.MixedNumber{ColumnType: types.MustCreateDecimalType(types.DecimalTypeMaxPrecision, uint8(scale))}, true
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

// exactAsDouble reports whether every value of an expression is also a DOUBLE.
func exactAsDouble(e sql.Expression) bool {
	t := e.Type()
	switch t {
	case types.Float64, types.Float32, types.Int8, types.Int16, types.Int24, types.Int32, types.Uint8, types.Uint16,
		types.Uint24, types.Uint32:
		return true
	}
	if types.IsYear(t) {
		return true
	}
	if l, ok := tree.Unwrapped(e).(*expression.Literal); ok {
		_, ok := literalInFamily(l, familyDouble)
		return ok
	}
	return false
}
