package pushdown

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/ordered"
)

// Of some expressions that are computed of a column of numbers, or of the number that a text or a JSON value counts
// for, a comparison bounds where the number lies: n + 1 = 5, 2 * n > 10, -n < 3, n / 2 = 5, FLOOR(n) = 5, n DIV 10
// = 3, CAST(_doc->'$.n' AS SIGNED) = 5. How the engine computes them, in 64 bits, as a DOUBLE or a DECIMAL, is not
// modelled. So the spans are wider than any rounding, the filter stays, and numbers that are so large that the result
// may be beyond its type are always among them.

const (
	limitOfLinear = 4_000_000_000_000_000_000 // integers of this magnitude can be added to maxSummand in 64 bits
	maxSummand    = 1_000_000_000_000_000
	maxFactor     = 1_000_000_000
)

// linear analyses "left op c" for a left side that is computed of a column; nil if it is nothing of the kind.
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
	exact := c.integer // for integers
	var operand sql.Expression
	var to sql.Type // of a cast
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
		// four digits behind the point, at least
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
		slack = decimal.Decimal{} // integers are computed exactly, or out of their type
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
	if to == types.Uint64 { // what is less than 0 is very much
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

// castWithin is how far a cast to a type of numbers may lead from a number, and how large one it leaves in its type.
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

// summand is a constant that a column is computed with; whole: it is of an integer type.
func (a *analysis) summand(e sql.Expression) (d decimal.Decimal, whole, ok bool) {
	c, ok := constantOf(a.ctx, e)
	if !ok || c.kind != constantNumber {
		return d, false, false
	}
	d, ok = computable(c.text)
	return d, c.integer, ok && d.Abs().LessThanOrEqual(decimal.New(maxSummand, 0))
}

// quotient turns a comparison of a quotient, which is off the number by no more than slack, into one of what is
// divided. It is false where that is not divided by a constant, of a magnitude that neither rounding nor limits change.
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

// maxDigits bounds the digits that a number is rounded to.
const maxDigits = 15

// roundedBy is how far the result of FLOOR, CEIL, ROUND or TRUNCATE is from the number that it is given, at most; false
// for others.
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

// roundingOf is more than a computation with a number may be rounded by.
func roundingOf(d decimal.Decimal) decimal.Decimal {
	return d.Abs().Mul(decimal.New(1, -14)).Add(decimal.New(1, -18))
}
