package compare

import (
	"math"
	"math/big"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/kernel"
)

// ExactArithmetic computes an expression of the engine exactly for integers. The engine's sums, products and
// quotients wrap or saturate beyond 64 bits, and its remainders are decimals. As in MySQL the result is unsigned if
// an operand is a BIGINT UNSIGNED, and a result that does not fit is error 1690. For DOUBLEs it refuses an infinite
// result. DIV of other numbers is the whole part of their exact quotient, which the engine rounds to two decimals
// first.
type ExactArithmetic struct {
	// The engine's *expression.Arithmetic, *expression.IntDiv, *expression.Mod, *expression.Div or
	// *expression.UnaryMinus.
	sql.Expression
	typ sql.Type
}

// Exactly replaces an expression by its exact form if all operands are integers, the result is a DOUBLE, or the
// expression is DIV.
func Exactly(e sql.Expression) (sql.Expression, bool) {
	switch e := e.(type) {
	case *expression.BitOp:
		for _, operand := range e.Children() {
			if t := operand.Type(); t == nil || types.IsDeferredType(t) || types.IsBinaryType(t) {
				return e, false
			}
		}
		return &bitOperation{e}, true
	case *expression.Arithmetic, *expression.IntDiv, *expression.Mod, *expression.UnaryMinus, *expression.Div:
	default:
		return e, false
	}
	if !e.Resolved() {
		return e, false
	}
	integers, unsigned, doubles := true, false, false
	for _, operand := range e.Children() {
		t := operand.Type()
		if t == nil || types.IsDeferredType(t) {
			return e, false
		}
		integers = integers && (types.IsInteger(t) || types.IsBoolean(t))
		// The engine has narrower unsigned types for literals, such as 200, which are signed.
		unsigned = unsigned || t == types.Uint64
		doubles = doubles || types.IsFloat(t)
	}
	if d, ok := e.(*expression.Div); ok { // for integers it is a DECIMAL
		if types.IsFloat(d.Type()) {
			return &ExactArithmetic{e, d.Type()}, true
		}
		return e, false
	}
	_, minus := e.(*expression.UnaryMinus)
	if _, remainder := e.(*expression.Mod); remainder {
		if doubles {
			return &ExactArithmetic{e, types.Float64}, true
		}
		unsigned = e.Children()[0].Type() == types.Uint64 // the remainder has the dividend's sign
	}
	_, whole := e.(*expression.IntDiv)
	switch {
	case minus && unsigned:
		return e, false // a literal, whose negative number may be a DECIMAL
	case integers && minus:
		return &ExactArithmetic{e, types.Int64}, true
	case (integers || whole) && unsigned:
		return &ExactArithmetic{e, types.Uint64}, true
	case integers, whole:
		return &ExactArithmetic{e, types.Int64}, true
	}
	if a, ok := e.(*expression.Arithmetic); ok && types.IsFloat(a.Type()) {
		return &ExactArithmetic{e, a.Type()}, true
	}
	return e, false
}

// Exactly implements kernel.Exact.
func (x *ExactArithmetic) Exactly() sql.Expression { return x.Expression }

// PushdownOperand implements pushdown.Operand.
func (x *ExactArithmetic) PushdownOperand() sql.Expression { return x.Expression }

// PushdownStrict implements pushdown.Strict.
func (*ExactArithmetic) PushdownStrict() {}

// Type implements sql.Expression.
func (x *ExactArithmetic) Type() sql.Type { return x.typ }

// CollationCoercibility implements sql.CollationCoercible.
func (*ExactArithmetic) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, 5
}

// WithChildren implements sql.Expression.
func (x *ExactArithmetic) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	next, err := x.Expression.WithChildren(children...)
	if err != nil {
		return nil, err
	}
	exact, _ := Exactly(next)
	return exact, nil
}

// Eval implements sql.Expression.
func (x *ExactArithmetic) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	if types.IsFloat(x.typ) {
		v, err := x.Expression.Eval(ctx, row)
		if f, ok := v.(float64); ok && math.IsInf(f, 0) {
			return nil, x.outOfRange("DOUBLE")
		}
		if d, ok := v.(decimal.Decimal); ok { // a remainder
			return d.InexactFloat64(), err
		}
		return v, err
	}
	operands := x.Children()
	var values [2]functions.WideInteger
	var given [2]any
	exact := true
	for i, operand := range operands {
		v, err := operand.Eval(ctx, row)
		if err != nil || v == nil {
			return nil, err
		}
		if given[i], err = sql.UnwrapAny(ctx, v); err != nil {
			return nil, err
		}
		wide, ok := functions.WideOf(given[i])
		values[i], exact = wide, exact && ok
	}
	if !exact {
		return x.quotient(ctx, row, given)
	}
	a, b := values[0], values[1]
	op := ""
	switch e := x.Expression.(type) {
	case *expression.Arithmetic:
		op = strings.ToLower(e.Op)
	case *expression.IntDiv:
		if b.IsZero() {
			return x.Expression.Eval(ctx, row) // NULL, with its warning
		}
		op = "div"
	case *expression.Mod:
		if b.IsZero() {
			return x.Expression.Eval(ctx, row)
		}
		op = "%"
	case *expression.UnaryMinus:
		a, b, op = functions.WideInteger{}, a, "-"
	}
	if a.Beyond == 0 && b.Beyond == 0 {
		if n, ok := kernel.Integers(op)(a.N, b.N); ok && (n >= 0 || x.typ != types.Uint64) {
			if x.typ == types.Uint64 {
				return uint64(n), nil
			}
			return n, nil
		}
	}
	return x.wide(a.Big(), b.Big(), op)
}

// quotient returns DIV of numbers that are not both integers, and the engine's result for other expressions.
func (x *ExactArithmetic) quotient(ctx *sql.Context, row sql.Row, given [2]any) (any, error) {
	if _, whole := x.Expression.(*expression.IntDiv); !whole {
		return x.Expression.Eval(ctx, row)
	}
	a, ok := functions.NumberAsDecimal(ctx, given[0])
	b, also := functions.NumberAsDecimal(ctx, given[1])
	if !ok || !also || b.IsZero() {
		return x.Expression.Eval(ctx, row)
	}
	n, _ := a.QuoRem(b, 0)
	return x.wide(n.BigInt(), big.NewInt(0), "+")
}

func (x *ExactArithmetic) wide(a, b *big.Int, op string) (any, error) {
	n := new(big.Int)
	switch op {
	case "+":
		n.Add(a, b)
	case "-":
		n.Sub(a, b)
	case "*":
		n.Mul(a, b)
	case "div":
		n.Quo(a, b)
	case "%":
		n.Rem(a, b)
	}
	switch {
	case x.typ == types.Uint64 && n.IsUint64():
		return n.Uint64(), nil
	case x.typ == types.Uint64:
		return nil, x.outOfRange("BIGINT UNSIGNED")
	case n.IsInt64():
		return n.Int64(), nil
	}
	return nil, x.outOfRange("BIGINT")
}

func (x *ExactArithmetic) outOfRange(of string) error {
	return mysql.NewSQLError(errOutOfRangeResult, "22003", "%s value is out of range in '%s'", of, x.Expression)
}

// errOutOfRangeResult is MySQL's number for a result that does not fit its type.
const errOutOfRangeResult = 1690
