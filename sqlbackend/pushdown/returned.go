package pushdown

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// JSON_VALUE … RETURNING converts the value that it finds. As JSON, it is JSON_EXTRACT. As text, it is JSON_VALUE
// without a type, except that texts which are too long are NULL. As a number, it rounds numbers to the type, and
// those out of range are NULL; texts and booleans are converted too. The conversion is not modelled: the spans of
// numbers are wider than any rounding, the spans of texts and booleans are all of them, and the filter stays.

// returnedOf recognizes JSON_VALUE with a type.
func (a *analysis) returnedOf(e sql.Expression, args []sql.Expression) (view, string, bool) {
	v, reason, ok := a.extractionOf(args[0], args[1])
	if !ok {
		return view{}, reason, false
	}
	switch t := e.Type(); {
	case types.IsJSON(t):
	case types.IsTextOnly(t):
		v.as, v.returned = asScalar, t
	case types.IsInteger(t), types.IsDecimal(t), t == types.Float64:
		v.as, v.returned = asNumber, t
	default:
		return view{}, shorten(e) + " is converted to another type", false
	}
	return v, "", true
}

// compareReturned compares the number that JSON_VALUE returns.
func (v view) compareReturned(a *analysis, op operator, c constant) (outcome, string, bool) {
	literal, reason, ok := c.number()
	if !ok {
		return outcome{}, reason, false
	}
	value, ok := computable(literal)
	limit := decimal.New(limitOfLinear, 0)
	if !ok || value.Abs().GreaterThan(limit) {
		return outcome{}, c.String() + " is beyond the numbers whose conversion is followed", false
	}
	slack := decimal.Decimal{}
	if !types.IsInteger(v.returned) || c.kind == constantString { // compared as DOUBLEs
		slack = roundingOf(value)
	}
	if types.IsInteger(v.returned) {
		slack = slack.Add(decimal.New(1, 0))
	}
	if of, ok := v.returned.(sql.DecimalType); ok {
		slack = slack.Add(decimal.New(1, -int32(of.Scale())))
	}
	at, ok := a.around(value, slack, limit)
	if !ok {
		return outcome{}, c.String() + " has no range", false
	}
	numbers := classDomain(ordered.ClassNumber)
	o := numbers.compare(op, at.near)
	others := at.large.Union(classSpans(ordered.ClassString)).Union(classSpans(ordered.ClassBool))
	if types.IsUnsigned(v.returned) {
		others = others.Union(numbers.interval(numbers.start, at.zero.start))
	}
	return outcome{yes: o.yes.Union(others), no: o.no.Union(others)}, "", true
}

// surroundings are the places of numbers in a computation.
type surroundings struct {
	near  place         // the numbers that may equal a value once they are rounded
	zero  place         // 0
	large indexes.Spans // the numbers that may exceed a type
}

// around returns the places of the numbers within slack of a value, and of those at least as large as limit.
func (a *analysis) around(value, slack, limit decimal.Decimal) (s surroundings, ok bool) {
	var places [5]place
	for i, d := range []decimal.Decimal{value.Sub(slack), value.Add(slack), limit.Neg(), limit, {}} {
		if places[i], _, ok = a.placeNumber(d.String()); !ok {
			return s, false
		}
	}
	numbers := classDomain(ordered.ClassNumber)
	s.near, s.zero = place{start: places[0].start, end: places[1].end}, places[4]
	s.large = append(append(indexes.Spans{}, numbers.interval(numbers.start, places[2].end)...),
		numbers.interval(places[3].start, numbers.end)...)
	return s, true
}
