package value

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/document"
)

// ErrNotNumber: a value that should be a number is none.
var ErrNotNumber = errors.New("value is not a number")

// NumberType is the type under which numbers of different SQL types are
// compared: exactly, a DOUBLE counting as the shortest decimal that reads back
// as it. The engine would turn both into float64, where 9007199254740993 and
// 9007199254740992e0 are the same. It stands only around operands.
type NumberType struct{}

var _ sql.Type = NumberType{}

// PushdownExactNumbers implements pushdown.ExactNumbers.
func (t NumberType) PushdownExactNumbers() {}

// Compare implements sql.Type.
func (t NumberType) Compare(_ context.Context, a, b interface{}) (int, error) {
	if hasNulls, res := types.CompareNulls(a, b); hasNulls {
		return res, nil
	}
	return CompareNumbers(a, b)
}

// CompareNumbers compares Go numbers of any types exactly.
func CompareNumbers(a, b interface{}) (int, error) {
	switch av := a.(type) {
	case int64:
		switch bv := b.(type) {
		case int64:
			return cmp.Compare(av, bv), nil
		case uint64:
			if av < 0 {
				return -1, nil
			}
			return cmp.Compare(uint64(av), bv), nil
		}
	case uint64:
		switch bv := b.(type) {
		case uint64:
			return cmp.Compare(av, bv), nil
		case int64:
			if bv < 0 {
				return 1, nil
			}
			return cmp.Compare(av, uint64(bv)), nil
		}
	case float64:
		if bv, ok := b.(float64); ok {
			return cmp.Compare(av, bv), nil
		}
	case decimal.Decimal:
		if bv, ok := b.(decimal.Decimal); ok {
			return av.Cmp(bv), nil
		}
	}
	if order, ok := compareInfinite(a, b); ok {
		return order, nil
	}
	al, err := NumberLiteral(a)
	if err != nil {
		return 0, err
	}
	bl, err := NumberLiteral(b)
	if err != nil {
		return 0, err
	}
	return document.CompareNumbers(al, bl), nil
}

// compareInfinite orders the numbers without a literal: infinities at the ends, and NaN,
// which no SQL expression should give, below everything.
func compareInfinite(a, b interface{}) (int, bool) {
	af, bf := 0.0, 0.0
	ai, bi := infinite(a, &af), infinite(b, &bf)
	if !ai && !bi {
		return 0, false
	}
	return cmp.Compare(af, bf), true
}

func infinite(v interface{}, f *float64) bool {
	switch v := v.(type) {
	case float64:
		*f = v
	case float32:
		*f = float64(v)
	}
	if math.IsInf(*f, 0) || math.IsNaN(*f) {
		return true
	}
	*f = 0
	return false
}

// NumberLiteral is the JSON literal of a Go number.
func NumberLiteral(v interface{}) (string, error) {
	switch v := v.(type) {
	case int:
		return strconv.Itoa(v), nil
	case int8:
		return strconv.FormatInt(int64(v), 10), nil
	case int16:
		return strconv.FormatInt(int64(v), 10), nil
	case int32:
		return strconv.FormatInt(int64(v), 10), nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case uint:
		return strconv.FormatUint(uint64(v), 10), nil
	case uint8:
		return strconv.FormatUint(uint64(v), 10), nil
	case uint16:
		return strconv.FormatUint(uint64(v), 10), nil
	case uint32:
		return strconv.FormatUint(uint64(v), 10), nil
	case uint64:
		return strconv.FormatUint(v, 10), nil
	case float32:
		return strconv.FormatFloat(float64(v), 'e', -1, 32), nil
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return "", fmt.Errorf("sqlbackend: %v: %w", v, ErrNotNumber)
		}
		return strconv.FormatFloat(v, 'e', -1, 64), nil
	case decimal.Decimal:
		return DecimalLiteral(v), nil
	case ExactNumber:
		return string(v), nil
	case bool:
		if v {
			return "1", nil
		}
		return "0", nil
	case JSON:
		if v.Held.Type() == document.TypeNumber {
			return v.Held.Number(), nil
		}
	}
	return "", fmt.Errorf("sqlbackend: %T: %w", v, ErrNotNumber)
}

// Convert implements sql.Type. The result is one spelling per number, so that
// a hash over it agrees with Compare. A value that is no number stays as it is.
func (t NumberType) Convert(_ context.Context, v interface{}) (interface{}, sql.ConvertInRange, error) {
	if v == nil {
		return nil, sql.InRange, nil
	}
	if _, done := v.(ExactNumber); done {
		return v, sql.InRange, nil
	}
	literal, err := NumberLiteral(v)
	if err != nil {
		return nil, sql.OutOfRange, err
	}
	return ExactNumber(CanonicalNumber(literal)), sql.InRange, nil
}

// ExactNumber is a number in canonical spelling.
type ExactNumber string

// CollationCoercibility implements sql.CollationCoercible.
func (t NumberType) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, 5
}

// Equals implements sql.Type.
func (t NumberType) Equals(other sql.Type) bool {
	_, ok := other.(NumberType)
	return ok
}

// MaxTextResponseByteLength implements sql.Type.
func (t NumberType) MaxTextResponseByteLength(*sql.Context) uint32 { return 1024 }

// Promote implements sql.Type.
func (t NumberType) Promote() sql.Type { return t }

// SQL implements sql.Type.
func (t NumberType) SQL(_ *sql.Context, dest []byte, v interface{}) (sqltypes.Value, error) {
	if v == nil {
		return sqltypes.NULL, nil
	}
	if n, ok := v.(ExactNumber); ok {
		return sqltypes.MakeTrusted(sqltypes.Decimal, append(dest, n...)), nil
	}
	literal, err := NumberLiteral(v)
	if err != nil {
		return sqltypes.NULL, err
	}
	return sqltypes.MakeTrusted(sqltypes.Decimal, append(dest, literal...)), nil
}

// Type implements sql.Type.
func (t NumberType) Type() querypb.Type { return sqltypes.Decimal }

// ValueType implements sql.Type.
func (t NumberType) ValueType() reflect.Type { return reflect.TypeOf(decimal.Decimal{}) }

// Zero implements sql.Type.
func (t NumberType) Zero() interface{} { return int64(0) }

// String implements fmt.Stringer.
func (t NumberType) String() string { return "decimal" }
