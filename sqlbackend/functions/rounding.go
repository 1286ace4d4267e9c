package functions

import (
	"fmt"
	"math"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// rounding is ROUND or TRUNCATE. An integer stays one, and a DECIMAL is rounded half away from zero and keeps the
// requested places. Any other value is a DOUBLE, which is rounded half to even, as in MySQL. The engine's ROUND
// converts everything to a signed integer or a DECIMAL(65,30).
type rounding struct {
	number   sql.Expression
	places   sql.Expression // nil means 0
	truncate bool
}

var _ sql.FunctionExpression = (*rounding)(nil)

// NewRound returns ROUND.
func NewRound(args ...sql.Expression) (sql.Expression, error) {
	if len(args) == 0 || len(args) > 2 {
		return nil, sql.ErrInvalidArgumentNumber.New("ROUND", "1 or 2", len(args))
	}
	r := &rounding{number: args[0]}
	if len(args) == 2 {
		r.places = args[1]
	}
	return r, nil
}

// NewTruncate returns TRUNCATE.
func NewTruncate(number, places sql.Expression) sql.Expression {
	return &rounding{number, places, true}
}

// FunctionName implements sql.FunctionExpression.
func (r *rounding) FunctionName() string {
	if r.truncate {
		return "truncate"
	}
	return "round"
}

// Description implements sql.FunctionExpression.
func (r *rounding) Description() string {
	if r.truncate {
		return "cuts a number off behind so many decimal places."
	}
	return "rounds a number to so many decimal places."
}

// Children implements sql.Expression.
func (r *rounding) Children() []sql.Expression {
	if r.places == nil {
		return []sql.Expression{r.number}
	}
	return []sql.Expression{r.number, r.places}
}

// WithChildren implements sql.Expression.
func (r *rounding) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != len(r.Children()) {
		return nil, sql.ErrInvalidChildrenNumber.New(r, len(children), len(r.Children()))
	}
	next := &rounding{number: children[0], truncate: r.truncate}
	if r.places != nil {
		next.places = children[1]
	}
	return next, nil
}

// Resolved implements sql.Expression.
func (r *rounding) Resolved() bool {
	return r.number.Resolved() && (r.places == nil || r.places.Resolved())
}

// IsNullable implements sql.Expression.
func (r *rounding) IsNullable() bool {
	return r.number.IsNullable() || r.places != nil && r.places.IsNullable()
}

// CollationCoercibility implements sql.CollationCoercible.
func (*rounding) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, 5
}

// String implements fmt.Stringer.
func (r *rounding) String() string {
	if r.places == nil {
		return fmt.Sprintf("%s(%s,0)", r.FunctionName(), r.number)
	}
	return fmt.Sprintf("%s(%s,%s)", r.FunctionName(), r.number, r.places)
}

// Type implements sql.Expression. The number of places of a DECIMAL depends on the second argument if that is a
// constant.
func (r *rounding) Type() sql.Type {
	switch t := r.number.Type(); {
	case t == types.Null:
		return types.Float64
	case types.IsUnsigned(t):
		return types.Uint64
	case types.IsInteger(t), types.IsBoolean(t):
		return types.Int64
	case types.IsDecimal(t):
		of, ok := t.(sql.DecimalType)
		if !ok {
			return t
		}
		places, constant := r.constantPlaces()
		if !constant {
			return t
		}
		precision, scale := int64(of.Precision()), int64(of.Scale())
		kept := min(max(places, 0), scale)
		precision -= scale - kept
		if !r.truncate && places < scale {
			precision++
		}
		precision = min(max(precision, kept, 1), types.DecimalTypeMaxPrecision)
		if next, err := types.CreateDecimalType(uint8(precision), uint8(kept)); err == nil {
			return next
		}
		return t
	}
	return types.Float64
}

func (r *rounding) constantPlaces() (int64, bool) {
	if r.places == nil {
		return 0, true
	}
	e, sign := tree.Unwrapped(r.places), int64(1)
	if m, ok := e.(*expression.UnaryMinus); ok {
		e, sign = tree.Unwrapped(m.Child), -1
	}
	l, ok := e.(*expression.Literal)
	if !ok {
		return 0, false
	}
	n, ok := AsInt64(l.Value())
	return sign * n, ok
}

// Eval implements sql.Expression.
func (r *rounding) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := r.number.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return nil, err
	}
	places := int64(0)
	if r.places != nil {
		p, err := r.places.Eval(ctx, row)
		if err != nil || p == nil {
			return nil, err
		}
		if p, err = sql.UnwrapAny(ctx, p); err != nil {
			return nil, err
		}
		n, exact := AsInt64(p)
		if !exact {
			n = int64(Saturated(value.AsDouble(ctx, p)))
		}
		places = n
	}
	t := r.Type()
	switch {
	case types.IsDecimal(t):
		d, ok := v.(decimal.Decimal)
		if !ok {
			converted, _, err := types.InternalDecimalType.Convert(ctx, v)
			if err != nil {
				return nil, err
			}
			d = converted.(decimal.Decimal)
		}
		d = r.decimal(d, places)
		if of, ok := t.(sql.DecimalType); ok {
			d = WithScale(d, int32(of.Scale()))
		}
		return d, nil
	case types.IsUnsigned(t), types.IsInteger(t):
		whole, _, err := t.Convert(ctx, v)
		if err != nil || places >= 0 {
			return whole, err
		}
		d, err := decimal.NewFromString(fmt.Sprint(whole))
		if err != nil {
			return nil, err
		}
		n := r.decimal(d, places).BigInt()
		switch {
		case types.IsUnsigned(t) && n.IsUint64():
			return n.Uint64(), nil
		case types.IsUnsigned(t):
			return nil, beyond("BIGINT UNSIGNED", r)
		case n.IsInt64():
			return n.Int64(), nil
		}
		return nil, beyond("BIGINT", r)
	}
	f := value.AsDouble(ctx, v)
	if r.truncate {
		return truncatedDouble(f, places), nil
	}
	return roundedDouble(f, places), nil
}

// decimal returns a decimal at a number of places, which may be negative.
func (r *rounding) decimal(d decimal.Decimal, places int64) decimal.Decimal {
	p := int32(max(-types.DecimalTypeMaxPrecision-1, min(types.DecimalTypeMaxScale, places)))
	if !r.truncate {
		return d.Round(p)
	}
	if p >= 0 {
		return d.Truncate(p)
	}
	return d.Shift(p).Truncate(0).Shift(-p)
}

// roundedDouble returns a DOUBLE rounded to a number of decimal places, to even where two neighbours are as near.
func roundedDouble(f float64, places int64) float64 { return atPlaces(f, places, math.RoundToEven) }

// truncatedDouble returns a DOUBLE truncated to a number of decimal places.
func truncatedDouble(f float64, places int64) float64 { return atPlaces(f, places, math.Trunc) }

// atPlaces does the same as MySQL's my_double_round.
func atPlaces(f float64, places int64, whole func(float64) float64) float64 {
	if places < 0 {
		unit := math.Pow(10, float64(min(-places, 400)))
		if math.IsInf(unit, 0) {
			return 0
		}
		return whole(f/unit) * unit
	}
	unit := math.Pow(10, float64(min(places, 400)))
	shifted := f * unit
	if math.IsInf(shifted, 0) || math.IsNaN(shifted) {
		return f
	}
	return whole(shifted) / unit
}

// WithinDecimal returns a number rounded to a scale, or the last number of a DECIMAL if it does not fit.
func WithinDecimal(ctx *sql.Context, d decimal.Decimal, precision, scale int32) decimal.Decimal {
	d = d.Round(scale)
	most := decimal.New(1, precision-scale).Sub(decimal.New(1, -scale))
	if d.Abs().LessThanOrEqual(most) {
		return d
	}
	Warn(ctx, mysql.ERWarnDataOutOfRange, "Out of range value for a cast to DECIMAL(%d,%d)", precision, scale)
	if d.IsNegative() {
		return most.Neg()
	}
	return most
}

// wholeDecimalCast computes decimal_of(n, digits), a cast to a DECIMAL without decimals: the engine's leaves the
// number unchanged.
func wholeDecimalCast(ctx *sql.Context, f *ValueFunction, values []any) (any, error) {
	v := values[0]
	if bytes, ok := v.([]byte); ok && len(bytes) <= 8 {
		if _, literal := f.args[0].(*expression.Literal); literal { // X'20' is 32 as a number
			v = uint64(0)
			for _, b := range bytes {
				v = v.(uint64)<<8 | uint64(b)
			}
		}
	}
	d, ok := NumberAsDecimal(ctx, v)
	if !ok {
		return nil, nil
	}
	precision, _ := roundedOf(ctx, values[1])
	return WithinDecimal(ctx, d, int32(precision), 0), nil
}

// wholeDecimalType returns the type of decimal_of.
func wholeDecimalType(args []sql.Expression) sql.Type {
	precision := int64(types.DecimalTypeMaxPrecision)
	if l, ok := args[1].(*expression.Literal); ok {
		converted, _, err := types.Int64.Convert(sql.NewEmptyContext(), l.Val)
		if n, ok := converted.(int64); ok && err == nil { // NULL is neither
			precision = min(max(n, 1), types.DecimalTypeMaxPrecision)
		}
	}
	return types.MustCreateDecimalType(uint8(precision), 0)
}

// RoundingFunctions adds ROUND, TRUNCATE, RAND and SIGN.
func RoundingFunctions(out map[string]sql.Function) {
	out["round"] = sql.FunctionN{Name: "round", Fn: NewRound}
	out["truncate"] = sql.Function2{Name: "truncate", Fn: NewTruncate}
	out["rand"] = sql.FunctionN{Name: "rand", Fn: newRandomNumber}
	out["sign"] = sql.Function1{Name: "sign", Fn: NewSign}
}
