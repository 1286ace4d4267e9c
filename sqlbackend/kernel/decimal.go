package kernel

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// mostScale is how many digits may follow the point of a decimal that is an integer of 64 bits.
const mostScale = 18

// decimals is the program of + - * with a decimal; nil where there is none. Its result is no operand of other programs.
func decimals(e sql.Expression) program {
	of, ok := e.(*expression.Arithmetic)
	if !ok {
		return nil
	}
	_, isDecimal := of.Type().(sql.DecimalType)
	a, b := decimalOperand(of.LeftChild), decimalOperand(of.RightChild)
	op := strings.ToLower(of.Op)
	compute, times := Integers(op), Integers("*")
	if !isDecimal || a == nil || b == nil || compute == nil || op == "div" || op == "%" {
		return nil
	}
	return func(row sql.Row) (number, error) {
		l, err := a(row)
		if err != nil {
			return l, err
		}
		r, err := b(row)
		if err != nil || l.kind == null || r.kind == null {
			return number{}, err
		}
		out := number{kind: fixed, scale: l.scale + r.scale}
		if op != "*" {
			out.scale = max(l.scale, r.scale)
			ok := true
			if l.i, ok = times(l.i, powers[out.scale-l.scale]); !ok {
				return number{}, errAsk
			}
			if r.i, ok = times(r.i, powers[out.scale-r.scale]); !ok {
				return number{}, errAsk
			}
		}
		n, ok := compute(l.i, r.i)
		if !ok || out.scale > mostScale {
			return number{}, errAsk
		}
		out.i = n
		return out, nil
	}
}

// powers are those of ten.
var powers = func() (of [mostScale + 1]int64) {
	of[0] = 1
	for i := range mostScale {
		of[i+1] = 10 * of[i]
	}
	return of
}()

// decimalOperand is the program of an integer or a decimal; nil for others.
func decimalOperand(e sql.Expression) program {
	switch e := e.(type) {
	case *expression.GetField:
		if types.IsInteger(e.Type()) || types.IsBoolean(e.Type()) {
			return column(e)
		}
		if _, ok := e.Type().(sql.DecimalType); !ok {
			return nil
		}
		at := e.Index()
		return func(row sql.Row) (number, error) {
			if at >= len(row) {
				return number{}, errAsk
			}
			if row[at] == nil {
				return number{}, nil
			}
			return fixedOf(row[at])
		}
	case *expression.Literal:
		n, err := of(e.Val)
		if _, ok := e.Val.(decimal.Decimal); ok {
			n, err = fixedOf(e.Val)
		}
		if err != nil || n.kind == double {
			return nil
		}
		return func(sql.Row) (number, error) { return n, nil }
	case *tree.Retype:
		if _, ok := e.Target.(value.NumberType); ok {
			return decimalOperand(e.Child)
		}
	case Exact:
		if e.Type() == types.Int64 || e.Type() == types.Uint64 {
			return arithmetic(e)
		}
	}
	return decimals(e)
}

// fixedOf is a decimal of few digits.
func fixedOf(v any) (number, error) {
	d, ok := v.(decimal.Decimal)
	if !ok || d.Exponent() > 0 || d.Exponent() < -mostScale || !d.Coefficient().IsInt64() {
		return number{}, errAsk
	}
	return number{kind: fixed, i: d.Coefficient().Int64(), scale: -d.Exponent()}, nil
}
