package pushdown

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// Number is implemented by expressions that are the number that a text or a JSON value counts for. digits: of a text,
// no more than the digits that it begins with, so that 1e2 is 1.
type Number interface {
	sql.Expression
	PushdownNumber() (of sql.Expression, digits bool)
}

// numeric is an operand that is a number, or counts for one.
type numeric struct {
	view
	integer bool // a column of integers
	spelled bool // other values than numbers count for numbers too
	// loose: how the text of a JSON value is made a number is not modelled.
	loose bool
	// unsigned: what is computed of it and is less than 0 is an error, or very much.
	unsigned bool
}

// numberIn recognizes an operand that is computed with as a number.
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
		// The text of 1e2 begins with other digits than the number has.
		if digits && (v.reach != nil || !v.column.Integers) {
			return numeric{}, false
		}
	default:
		return numeric{}, false
	}
	return n, true
}

// spelled adds to what is said of numbers the other values that count for numbers: a text that begins like one, and for
// 0 any other.
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

// beyondUnsigned is where the numbers lie of which an unsigned one would make a computation less than 0. It is false
// where that may be any.
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
