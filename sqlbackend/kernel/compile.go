package kernel

import (
	"math"
	"math/big"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// worthwhile reports whether an expression computes something that a kernel may compute.
func worthwhile(e sql.Expression) bool {
	switch e := e.(type) {
	case Exact, *expression.Mod:
		return true
	case *expression.Arithmetic:
		_, ok := e.Type().(sql.DecimalType)
		return ok
	}
	return isTruth(e)
}

// isTruth reports whether an expression gives true or false.
func isTruth(e sql.Expression) bool {
	switch e.(type) {
	case *expression.Equals, *expression.LessThan, *expression.LessThanOrEqual, *expression.GreaterThan,
		*expression.GreaterThanOrEqual, *expression.Between, *expression.And, *expression.Or, *expression.Not,
		*expression.IsNull:
		return true
	}
	return false
}

// compile makes the program of an expression; nil where there is none.
func compile(e sql.Expression) program {
	switch e := e.(type) {
	case *expression.GetField:
		return column(e)
	case *expression.Literal:
		return literal(e)
	case *tree.Retype:
		if _, ok := e.Target.(value.NumberType); ok {
			return compile(e.Child)
		}
	case Exact:
		return arithmetic(e)
	case *expression.Mod:
		if e.Type() == types.Float64 {
			return doubles(e, func(a, b float64) (float64, bool) { return math.Mod(a, b), b != 0 })
		}
	case *expression.Equals:
		return comparison(e, func(c int) bool { return c == 0 })
	case *expression.LessThan:
		return comparison(e, func(c int) bool { return c < 0 })
	case *expression.LessThanOrEqual:
		return comparison(e, func(c int) bool { return c <= 0 })
	case *expression.GreaterThan:
		return comparison(e, func(c int) bool { return c > 0 })
	case *expression.GreaterThanOrEqual:
		return comparison(e, func(c int) bool { return c >= 0 })
	case *expression.Between:
		lower, upper := expression.NewLessThanOrEqual(e.Lower, e.Val), expression.NewGreaterThanOrEqual(e.Upper, e.Val)
		return both(compile(lower), compile(upper))
	case *expression.And:
		return both(compile(e.LeftChild), compile(e.RightChild))
	case *expression.Or:
		return either(compile(e.LeftChild), compile(e.RightChild))
	case *expression.Not:
		return not(compile(e.Child))
	case *expression.IsNull:
		return isNull(e)
	}
	return nil
}

// isNumber reports whether the values of a type are integers, truths or DOUBLEs.
func isNumber(t sql.Type) bool {
	return t != nil && (types.IsInteger(t) || types.IsBoolean(t) || t == types.Float64)
}

func column(e *expression.GetField) program {
	if !isNumber(e.Type()) {
		return nil
	}
	at := e.Index()
	return func(row sql.Row) (number, error) {
		if at >= len(row) {
			return number{}, errAsk
		}
		return of(row[at])
	}
}

// of is a value as a number.
func of(v any) (number, error) {
	switch v := v.(type) {
	case nil:
		return number{}, nil
	case int64:
		return number{kind: integer, i: v}, nil
	case float64:
		return number{kind: double, f: v}, nil
	case bool:
		return truth(v), nil
	case int8:
		return number{kind: integer, i: int64(v)}, nil
	case int16:
		return number{kind: integer, i: int64(v)}, nil
	case int32:
		return number{kind: integer, i: int64(v)}, nil
	case uint8:
		return number{kind: integer, i: int64(v)}, nil
	case uint16:
		return number{kind: integer, i: int64(v)}, nil
	case uint32:
		return number{kind: integer, i: int64(v)}, nil
	case uint64:
		if v <= math.MaxInt64 {
			return number{kind: integer, i: int64(v)}, nil
		}
	}
	return number{}, errAsk
}

func literal(e *expression.Literal) program {
	n, err := of(e.Val)
	if d, ok := e.Val.(decimal.Decimal); ok {
		n, err = ofDecimal(d)
	}
	if err != nil {
		return nil
	}
	return func(sql.Row) (number, error) { return n, nil }
}

// exactDigits is how many digits of a decimal a DOUBLE keeps: so many or fewer are distinguished, and keep their order,
// also from what other DOUBLEs are written as.
const exactDigits = 15

// ofDecimal is a decimal of few digits as a DOUBLE.
func ofDecimal(d decimal.Decimal) (number, error) {
	if d.Exponent() > 0 || d.Exponent() < -exactDigits || d.Coefficient().CmpAbs(digitsBound) >= 0 {
		return number{}, errAsk
	}
	f, _ := d.Float64()
	return number{kind: double, f: f}, nil
}

// Double is a number that a DOUBLE is, for comparisons with DOUBLEs.
func Double(v any) (f float64, ok bool) {
	n, err := of(v)
	if d, isDecimal := v.(decimal.Decimal); isDecimal {
		n, err = ofDecimal(d)
	}
	return n.double(), err == nil && n.isExactDouble()
}

var digitsBound = new(big.Int).Exp(big.NewInt(10), big.NewInt(exactDigits), nil)

func isNull(e *expression.IsNull) program {
	if of, ok := tree.Unwrapped(e.Child).(*expression.GetField); ok {
		at := of.Index()
		return func(row sql.Row) (number, error) {
			if at >= len(row) {
				return number{}, errAsk
			}
			return truth(row[at] == nil), nil
		}
	}
	p := compile(e.Child)
	if p == nil {
		return nil
	}
	return func(row sql.Row) (number, error) {
		n, err := p(row)
		return truth(n.kind == null), err
	}
}

func both(a, b program) program {
	if a == nil || b == nil {
		return nil
	}
	return func(row sql.Row) (number, error) {
		l, err := a(row)
		if err != nil || l.kind != null && !l.isTrue() {
			return truth(false), err
		}
		r, err := b(row)
		switch {
		case err != nil || r.kind != null && !r.isTrue():
			return truth(false), err
		case l.kind == null || r.kind == null:
			return number{}, nil
		}
		return truth(true), nil
	}
}

func either(a, b program) program {
	if a == nil || b == nil {
		return nil
	}
	return func(row sql.Row) (number, error) {
		l, err := a(row)
		if err != nil || l.isTrue() {
			return truth(true), err
		}
		r, err := b(row)
		switch {
		case err != nil || r.isTrue():
			return truth(true), err
		case l.kind == null || r.kind == null:
			return number{}, nil
		}
		return truth(false), nil
	}
}

func not(a program) program {
	if a == nil {
		return nil
	}
	return func(row sql.Row) (number, error) {
		n, err := a(row)
		if err != nil || n.kind == null {
			return n, err
		}
		return truth(!n.isTrue()), nil
	}
}
