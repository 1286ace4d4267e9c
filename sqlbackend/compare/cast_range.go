package compare

import (
	"math"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// castRange is a number within the range of the type that it is cast to. As in MySQL a number beyond a DECIMAL
// becomes its last one, with a warning. A DECIMAL below 0 as UNSIGNED is 0, and other numbers are the bits of the
// integer. The engine's cast gives 0, or 2^63.
type castRange struct {
	expression.UnaryExpression
	to sql.Type
}

var _ pushdown.Number = (*castRange)(nil)

// castWithinType limits the argument of a cast to DECIMAL or UNSIGNED to the range of the type.
func castWithinType(e *expression.Convert) (sql.Expression, bool) {
	if _, done := e.Child.(*castRange); done || !e.Child.Resolved() {
		return e, false
	}
	from, to := e.Child.Type(), e.Type()
	of, isDecimal := to.(sql.DecimalType)
	switch {
	case isDecimal && of.Precision() < types.DecimalTypeMaxPrecision:
		if from == nil || types.IsTime(from) || value.IsTimespan(from) || types.IsBit(from) ||
			types.IsBinaryType(from) && !types.IsJSON(from) {
			return e, false
		}
	case to == types.Uint64 && (types.IsFloat(from) || types.IsDecimal(from)), to == types.Int64 && types.IsUnsigned(from):
	default:
		return e, false
	}
	bounded, err := e.WithChildren(&castRange{expression.UnaryExpression{Child: functions.AsSQLScalar(e.Child)}, to})
	return bounded, err == nil
}

// Type implements sql.Expression.
func (r *castRange) Type() sql.Type {
	if types.IsDecimal(r.to) {
		return r.to
	}
	return r.Child.Type()
}

// Eval implements sql.Expression.
func (r *castRange) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := r.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return nil, err
	}
	d, ok := functions.NumberAsDecimal(ctx, v)
	if !ok {
		return v, nil
	}
	if to, ok := r.to.(sql.DecimalType); ok {
		return functions.WithinDecimal(ctx, d, int32(to.Precision()), int32(to.Scale())), nil
	}
	if r.to == types.Int64 {
		return int64(d.BigInt().Uint64()), nil
	}
	if d.IsNegative() && types.IsDecimal(r.Child.Type()) {
		if d = d.Round(0); d.IsNegative() {
			functions.Warn(ctx, mysql.ERTruncatedWrongValue, "Truncated incorrect UNSIGNED value: '%s'", d)
		}
		return uint64(0), nil
	}
	if !d.IsNegative() {
		if d = d.Round(0); !d.BigInt().IsUint64() {
			functions.Warn(ctx, mysql.ERTruncatedWrongValue, "Truncated incorrect UNSIGNED value: '%s'", d)
			return uint64(math.MaxUint64), nil
		}
		return d.BigInt().Uint64(), nil
	}
	whole, _, err := types.Int64.Convert(ctx, d.RoundBank(0))
	return whole, err
}

// WithChildren implements sql.Expression.
func (r *castRange) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(r, len(children), 1)
	}
	return &castRange{expression.UnaryExpression{Child: children[0]}, r.to}, nil
}

// String implements fmt.Stringer.
func (r *castRange) String() string { return r.Child.String() }

// PushdownStrict implements pushdown.Strict.
func (*castRange) PushdownStrict() {}

// PushdownNumber implements pushdown.Number.
func (r *castRange) PushdownNumber() (sql.Expression, bool) {
	if inner, ok := r.Child.(pushdown.Number); ok {
		return inner.PushdownNumber()
	}
	return r.Child, false
}
