package pushdown

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// Number is implemented by expressions that are the number that a text or a JSON value counts as. If digits is true,
// only the digits at the beginning of a text count, so that 1e2 is 1.
type Number interface {
	sql.Expression
	PushdownNumber() (of sql.Expression, digits bool)
}

// numeric is an operand that is a number, or counts as one.
type numeric struct {
	view
	integer bool // it is a column of integers
	spelled bool // other values than numbers count as numbers too
	// loose says that the conversion of a JSON value's text to a number is not modelled.
	loose bool
	// unsigned says that a computed result below 0 is an error, or very large.
	unsigned bool
}

// numberIn recognizes an operand of a computation with numbers.
func (a *analysis) numberIn(e sql.Expression) (numeric, bool) {
	e = strip(e)
	digits := false
	switch w := e.(type) {
	case Number:
		e, digits = w.PushdownNumber()
	case AsDouble:
		e = w.PushdownAsDouble()
	}
	e = strip(e)
	v, _, ok := a.viewOf(e)
	if !ok || v.double || v.column.PrimaryKeyPart > 1 || v.as == asLength {
		return numeric{}, false
	}
	n := numeric{view: v, spelled: true}
	switch {
	case v.as == asColumn && v.column.Shape == ShapeNumber:
		if _, column := e.(*expression.GetField); !column || v.reach != nil {
			return numeric{}, false
		}
		n.spelled, n.integer, n.unsigned = false, types.IsInteger(e.Type()), types.IsUnsigned(e.Type())
	case v.column.PrimaryKeyPart > 0:
		return numeric{}, false
	case v.as == asColumn && v.column.Shape == ShapeString:
	case v.as == asJSON, v.as == asColumn && v.column.Shape == ShapeJSON:
		n.loose = true
	case v.as.text():
		// The text of 1e2 begins with other digits than the number.
		if digits && (v.reach != nil || !v.column.Integers) {
			return numeric{}, false
		}
	default:
		return numeric{}, false
	}
	return n, true
}

// spelled adds to an outcome for numbers the other values that count as numbers: texts that begin like one, and,
// where 0 is among the numbers, any other text.
func (a *analysis) spelled(n numeric, zero place, o outcome) outcome {
	if !n.spelled {
		return o
	}
	texts := a.spelledNumbers(n.column)
	if n.loose || len(o.yes.Intersect(spansOf(zero))) > 0 {
		texts = classSpans(ordered.ClassString)
	}
	if n.as == asColumn && n.column.Shape == ShapeString {
		return outcome{yes: texts, no: n.domain().spans()}
	}
	numbers, strings := classSpans(ordered.ClassNumber), classSpans(ordered.ClassString)
	rest := numbers.Union(strings).Complement().Intersect(n.known())
	return outcome{yes: o.yes.Union(texts).Union(rest), no: o.no.Union(strings).Union(rest)}
}

// beyondUnsigned returns the numbers for which the computation would be below 0 if it is unsigned. It returns false
// where these may be any.
func (a *analysis) beyondUnsigned(e sql.Expression) (indexes.Spans, bool) {
	numbers := classDomain(ordered.ClassNumber)
	switch e := strip(e).(type) {
	case *expression.UnaryMinus:
		return nil, false
	case *expression.Div:
		k, _, ok := a.summand(e.RightChild)
		return nil, ok && k.IsPositive()
	case *expression.IntDiv:
		k, _, ok := a.summand(e.RightChild)
		return nil, ok && k.IsPositive()
	case *expression.Arithmetic:
		k, _, behind := a.summand(e.RightChild)
		if !behind {
			k, _, _ = a.summand(e.LeftChild)
		}
		switch e.Op {
		case "+":
			k = k.Neg()
		case "*":
			return nil, k.IsPositive()
		}
		p, _, ok := a.placeNumber(k.String())
		if e.Op == "-" && !behind {
			return numbers.interval(p.start, numbers.end), ok
		}
		return numbers.interval(numbers.start, p.end), ok
	}
	return nil, true
}
