package pushdown

import (
	"fmt"
	"math"
	"strconv"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// compareDeclared compares a column whose values are read in another form than documents may have them in. So the
// filter stays.
func (v view) compareDeclared(a *analysis, op operator, c constant) (outcome, string, bool) {
	var o outcome
	switch v.column.Shape {
	case ShapeEnum:
		if c.kind != constantString {
			return outcome{}, fmt.Sprintf("the column's values are compared with %s by converting each of them", c), false
		}
		var reason string
		var ok bool
		if o, reason, ok = v.compareString(a, op, c); !ok {
			return outcome{}, reason, false
		}
	default:
		if c.kind != constantNumber && c.kind != constantBoolean && c.kind != constantString {
			return outcome{}, fmt.Sprintf("the column's numbers are compared with %s by converting each of them", c), false
		}
		literal, reason, ok := c.number()
		if !ok {
			return outcome{}, reason, false
		}
		locate := a.placeNumber
		switch {
		case v.column.Shape == ShapeFloat:
			locate = a.placeSingle
		case c.kind == constantString && !exactAsDouble(literal):
			locate = a.placeRounded
		}
		p, reason, ok := locate(literal)
		if !ok {
			return outcome{}, reason, false
		}
		o = v.domain().compare(op, p)
		if v.column.Shape == ShapeYear {
			short, ok := a.shortYears()
			if !ok {
				return outcome{}, "the column's type has no ranges", false
			}
			o.yes, o.no = o.yes.Union(short), o.no.Union(short)
		}
	}
	o.yesExact, o.noExact = false, false
	return o, "", true
}

// maxMembers bounds the members of an ENUM that are compared one by one.
const maxMembers = 1000

// MemberNumber is implemented by expressions that return the position of an ENUM's value in its list.
type MemberNumber interface {
	sql.Expression
	PushdownMember() sql.Expression
}

// memberNumber analyses a comparison of an ENUM with a number. The ENUM then counts as its position in the list, from
// 1. It returns nil for other comparisons.
func (a *analysis) memberNumber(op operator, left sql.Expression, c constant) *node {
	e, ok := strip(left).(MemberNumber)
	if !ok {
		return nil
	}
	v, _, ok := a.viewOf(e.PushdownMember())
	literal, _, number := c.number()
	if !ok || !number || v.as != asColumn || v.column.Shape != ShapeEnum || len(v.column.Members) > maxMembers {
		return nil
	}
	var yes, no []indexes.Span
	for i, member := range append([]string{""}, v.column.Members...) { // a text outside the list counts as 0
		at := spansOf(a.placeString(v.column, member))
		if op.holds(document.CompareNumbers(strconv.Itoa(i), literal)) {
			yes = append(yes, at...)
		} else {
			no = append(no, at...)
		}
	}
	return a.understood(v, outcome{yes: indexes.NewSpans(yes...), no: indexes.NewSpans(no...)})
}

// compareBytes compares byte strings. Long ones share an encoding with similar ones, and a document may hold a value
// that is no byte string, so the filter stays.
func (v view) compareBytes(a *analysis, op operator, c constant) (outcome, string, bool) {
	if c.kind != constantString && c.kind != constantBytes {
		return outcome{}, fmt.Sprintf("byte strings are compared with %s by converting each of them", c), false
	}
	raw := []byte(c.text)
	if n := v.column.StringLimit; n > 0 {
		raw = raw[:min(len(raw), n)]
	}
	p := placeOf(a.label(ordered.AppendBytes(nil, raw), label{text: hexLiteral(string(raw))}))
	p.exact = false
	o := v.domain().compare(op, p)
	if v.column.PrimaryKeyPart > 0 {
		return outcome{yes: o.yes, no: o.no}, "", true
	}
	others := classSpans(ordered.ClassString)
	return outcome{yes: o.yes.Union(others), no: o.no.Union(others)}, "", true
}

// shortYears returns the numbers that are read as another year: 99 is read as 1999.
func (a *analysis) shortYears() (indexes.Spans, bool) {
	from, err := ordered.AppendNumber(nil, "1")
	if err != nil {
		return nil, false
	}
	to, err := ordered.AppendNumber(nil, "99")
	if err != nil {
		return nil, false
	}
	a.label(from, label{text: "1"})
	a.label(to, label{text: "99"})
	return indexes.NewSpans(indexes.Span{Start: from, End: after(to)}), true
}

// placeSingle returns the place of the numbers that could equal the literal once they are rounded to FLOAT.
func (a *analysis) placeSingle(literal string) (place, string, bool) {
	wide, err := strconv.ParseFloat(literal, 64)
	f := float32(wide)
	low, high := math.Nextafter32(f, float32(math.Inf(-1))), math.Nextafter32(f, float32(math.Inf(1)))
	if err != nil || math.IsInf(float64(low), 0) || math.IsInf(float64(high), 0) {
		return place{}, fmt.Sprintf("%s is at the end of the range of FLOAT", literal), false
	}
	spelled := func(f float32) string { return strconv.FormatFloat(float64(f), 'g', -1, 32) }
	from, reason, ok := a.placeNumber(spelled(low))
	if !ok {
		return place{}, reason, false
	}
	to, reason, ok := a.placeNumber(spelled(high))
	if !ok {
		return place{}, reason, false
	}
	return place{start: from.start, end: to.end}, "", true
}
