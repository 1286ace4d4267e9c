package pushdown

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/shopspring/decimal"
)

// Of some expressions that are computed of a column of numbers, a comparison tells about where the
// number lies: n + 1 = 5, 2 * n > 10, -n < 3, CAST(n AS SIGNED) = 5. How the engine computes them, in 64 bits, as a DOUBLE
// or a DECIMAL, is not modelled. So the spans are wider than any rounding, the filter stays, and numbers that are so large
// that the result may be beyond its type are always among them.

const (
	limitOfLinear = 4_000_000_000_000_000_000 // integers of this magnitude can be added to maxSummand in 64 bits
	maxSummand    = 1_000_000_000_000_000
	maxFactor     = 1_000_000_000
)

// linear analyses "left op c" for a left side that is computed of a column; nil if it is nothing of the kind.
func (a *analysis) linear(op operator, left sql.Expression, c constant) *node {
	if c.kind != constantNumber {
		return nil
	}
	value, ok := computable(c.text)
	if !ok || value.Abs().GreaterThan(decimal.New(limitOfLinear, 0)) {
		return nil
	}
	slack := roundingOf(value)
	limit := decimal.New(limitOfLinear, 0)
	exact := c.integer // for integers
	var operand sql.Expression
	switch e := strip(left).(type) {
	case *expression.UnaryMinus:
		operand, value, op = e.Child, value.Neg(), op.flip()
	case *expression.Arithmetic:
		turned := false
		k, whole, ok := a.summand(e.RightChild)
		if operand = e.LeftChild; !ok {
			operand, turned = e.RightChild, true
			if k, whole, ok = a.summand(e.LeftChild); !ok {
				return nil
			}
		}
		switch e.Op {
		case "+":
			value = value.Sub(k)
		case "-":
			if turned { // k - n
				value, op = k.Sub(value), op.flip()
			} else {
				value = value.Add(k)
			}
		case "*":
			multiple := value
			if k.IsZero() || k.Abs().GreaterThan(decimal.New(maxFactor, 0)) || k.Abs().LessThan(decimal.New(1, 0)) {
				return nil
			}
			if k.IsNegative() {
				op = op.flip()
			}
			value, limit = value.DivRound(k, 60), limit.DivRound(k.Abs(), 0)
			exact = exact && value.Mul(k).Equal(multiple)
		default:
			return nil
		}
		slack = slack.Add(roundingOf(k))
		exact = exact && whole
	case *expression.Convert:
		operand, exact = e.Child, false
		switch t := e.Type(); {
		case t == types.Int64:
			slack = slack.Add(decimal.New(1, 0))
		case types.IsDecimal(t):
			of, ok := t.(sql.DecimalType)
			if !ok {
				return nil
			}
			slack = slack.Add(decimal.New(1, -int32(of.Scale())))
			limit = decimal.Min(limit, decimal.New(1, int32(of.Precision())-int32(of.Scale())).Sub(decimal.New(2, 0)))
		case t == types.Float64:
		default:
			return nil
		}
	default:
		return nil
	}
	if limit.LessThan(decimal.New(1, 0)) {
		return nil
	}
	operand = strip(operand)
	if _, column := operand.(*expression.GetField); !column {
		return nil
	}
	v, _, ok := a.viewOf(operand)
	if !ok || v.as != asColumn || v.reach != nil || v.double || v.column.Shape != ShapeNumber {
		return nil
	}
	if v.column.PrimaryKeyPart > 0 || types.IsUnsigned(operand.Type()) {
		return nil // what is less than 0 is an error, or very much
	}
	if types.IsInteger(operand.Type()) && exact && value.IsInteger() {
		slack = decimal.Decimal{} // integers are computed exactly, or out of their type
	}
	if v.column.Rounded {
		slack = slack.Add(decimal.New(1, int32(-v.column.Scale)))
	}
	at, ok := a.around(value, slack, limit)
	if !ok {
		return nil
	}
	o := v.domain().compare(op, at.near)
	return a.understood(v, outcome{yes: o.yes.Union(at.large), no: o.no.Union(at.large)})
}

// summand is a constant that a column is computed with; whole: it is of an integer type.
func (a *analysis) summand(e sql.Expression) (d decimal.Decimal, whole, ok bool) {
	c, ok := constantOf(a.ctx, e)
	if !ok || c.kind != constantNumber {
		return d, false, false
	}
	d, ok = computable(c.text)
	return d, c.integer, ok && d.Abs().LessThanOrEqual(decimal.New(maxSummand, 0))
}

// roundingOf is more than a computation with a number may be rounded by.
func roundingOf(d decimal.Decimal) decimal.Decimal {
	return d.Abs().Mul(decimal.New(1, -14)).Add(decimal.New(1, -18))
}
