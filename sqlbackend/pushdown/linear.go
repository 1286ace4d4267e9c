package pushdown

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/ordered"
)

// A comparison of some expressions over a column of numbers, or over the number that a text or a JSON value counts
// as, bounds that number. Examples are n + 1 = 5, 2 * n > 10, -n < 3, n / 2 = 5, FLOOR(n) = 5, n DIV 10 = 3,
// CAST(_doc->'$.n' AS SIGNED) = 5. How the engine computes them, in 64 bits, as a DOUBLE or a DECIMAL, is not
// modelled. So the spans are wider than any rounding, the filter stays, and numbers so large that the result may
// exceed its type are always among them.

const (
	limitOfLinear = 4_000_000_000_000_000_000 // integers of this magnitude can be added to maxSummand in 64 bits
	maxSummand    = 1_000_000_000_000_000
	maxFactor     = 1_000_000_000
)

// linear analyses "left op c" for a left side that is computed from a column; nil for other expressions.
func (a *analysis) linear(op operator, left sql.Expression, c constant) *node {
	literal, _, ok := c.number()
	if !ok {
		return nil
	}
	value, ok := computable(literal)
	if !ok || value.Abs().GreaterThan(decimal.New(limitOfLinear, 0)) {
		return nil
	}
	slack := roundingOf(value)
	limit := decimal.New(limitOfLinear, 0)
	exact := c.integer // integers alone are involved
	var operand sql.Expression
	var to sql.Type // the type of a cast
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
		operand, exact, to = e.Child, false, e.Type()
	case *expression.Div:
		// at least four digits after the point
		if operand, value, slack, op, ok = a.quotient(e.LeftChild, e.RightChild, value, slack.Add(decimal.New(1, -4)),
			op); !ok {
			return nil
		}
		exact = false
	case *expression.IntDiv:
		if operand, value, slack, op, ok = a.quotient(e.LeftChild, e.RightChild, value, slack.Add(decimal.New(1, 0)),
			op); !ok {
			return nil
		}
		exact = false
	case sql.FunctionExpression:
		off, ok := a.roundedBy(e)
		if !ok {
			return nil
		}
		operand, exact, slack = e.Children()[0], false, slack.Add(off)
	default:
		return nil
	}
	if value.Abs().GreaterThan(decimal.New(limitOfLinear, 0)) {
		return nil
	}
	if to != nil {
		if slack, limit, ok = castWithin(to, slack, limit); !ok {
			return nil
		}
	}
	if limit.LessThan(decimal.New(1, 0)) {
		return nil
	}
	n, ok := a.numberIn(operand)
	if !ok {
		return nil
	}
	if n.integer && exact && value.IsInteger() {
		slack = decimal.Decimal{} // integers are computed exactly, or exceed their type
	}
	if n.column.Rounded {
		slack = slack.Add(decimal.New(1, int32(-n.column.Scale)))
	}
	at, ok := a.around(value, slack, limit)
	if !ok {
		return nil
	}
	numbers := classDomain(ordered.ClassNumber)
	o := numbers.compare(op, at.near)
	if to == types.Uint64 { // a number below 0 becomes a very large one
		at.large = at.large.Union(numbers.interval(numbers.start, at.zero.start))
	}
	if n.unsigned {
		beyond, ok := a.beyondUnsigned(left)
		if !ok {
			return nil
		}
		at.large = at.large.Union(beyond)
	}
	return a.understood(n.view, a.spelled(n, at.zero, outcome{yes: o.yes.Union(at.large), no: o.no.Union(at.large)}))
}

// castWithin returns how far a cast to a type of numbers may move a number, and the largest magnitude that fits the
// type.
func castWithin(to sql.Type, slack, limit decimal.Decimal) (decimal.Decimal, decimal.Decimal, bool) {
	switch {
	case to == types.Int64 || to == types.Uint64:
		return slack.Add(decimal.New(1, 0)), limit, true
	case types.IsDecimal(to):
		of, ok := to.(sql.DecimalType)
		if !ok {
			return slack, limit, false
		}
		most := decimal.New(1, int32(of.Precision())-int32(of.Scale())).Sub(decimal.New(2, 0))
		return slack.Add(decimal.New(1, -int32(of.Scale()))), decimal.Min(limit, most), true
	}
	return slack, limit, to == types.Float64
}

// summand returns a constant operand of a computation with a column; whole says that it is of an integer type.
func (a *analysis) summand(e sql.Expression) (d decimal.Decimal, whole, ok bool) {
	c, ok := constantOf(a.ctx, e)
	if !ok || c.kind != constantNumber {
		return d, false, false
	}
	d, ok = computable(c.text)
	return d, c.integer, ok && d.Abs().LessThanOrEqual(decimal.New(maxSummand, 0))
}

// quotient turns a comparison of a quotient, which is off by slack at most, into a comparison of the dividend. It
// returns false if the divisor is no constant, or its magnitude is too small or too large.
func (a *analysis) quotient(left, right sql.Expression, value, slack decimal.Decimal, op operator) (sql.Expression,
	decimal.Decimal, decimal.Decimal, operator, bool) {
	k, _, ok := a.summand(right)
	if !ok || k.Abs().LessThan(decimal.New(1, -3)) || k.Abs().GreaterThan(decimal.New(maxFactor, 0)) {
		return nil, value, slack, op, false
	}
	if k.IsNegative() {
		op = op.flip()
	}
	return left, value.Mul(k), slack.Mul(k.Abs()), op, true
}

// maxDigits bounds the digits that ROUND or TRUNCATE may keep.
const maxDigits = 15

// roundedBy returns how far the result of FLOOR, CEIL, ROUND or TRUNCATE is from its argument, at most; false for
// others.
func (a *analysis) roundedBy(f sql.FunctionExpression) (decimal.Decimal, bool) {
	args := f.Children()
	switch name := strings.ToLower(f.FunctionName()); {
	case (name == "floor" || name == "ceil" || name == "ceiling" || name == "round") && len(args) == 1:
		return decimal.New(1, 0), true
	case (name == "round" || name == "truncate") && len(args) == 2:
		digits, whole, ok := a.summand(args[1])
		if !ok || !whole || digits.Abs().GreaterThan(decimal.New(maxDigits, 0)) {
			return decimal.Decimal{}, false
		}
		return decimal.New(1, -int32(digits.IntPart())), true
	}
	return decimal.Decimal{}, false
}

// roundingOf returns a bound on the rounding of a computation with a number.
func roundingOf(d decimal.Decimal) decimal.Decimal {
	return d.Abs().Mul(decimal.New(1, -14)).Add(decimal.New(1, -18))
}
