package pushdown

import (
	"cmp"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// besides returns a constant as it compares with a column of a shape. JSON numbers and strings compare as numbers and
// strings, bytes beside strings as a string of the binary collation.
func (c constant) besides(shape Shape) constant {
	switch {
	case c.kind == constantJSON && shape == ShapeNumber && c.value.Type() == document.TypeNumber:
		return constant{kind: constantNumber, text: c.value.Number()}
	case c.kind == constantJSON && shape == ShapeString && c.value.Type() == document.TypeString:
		return constant{kind: constantString, text: c.value.Str(), collation: collation.Default}
	case c.kind == constantBytes && shape == ShapeString && utf8.ValidString(c.text):
		return constant{kind: constantString, text: c.text, collation: collation.Binary}
	}
	return c
}

// compareSpelled compares strings with a number, for which each is converted. A string that does not begin like a
// number counts as 0. So if 0 does not satisfy the comparison, only strings that begin like a number do.
func (v view) compareSpelled(a *analysis, op operator, c constant) (outcome, string, bool) {
	literal, _, ok := c.number()
	if !ok || c.kind != constantNumber && c.kind != constantBoolean {
		return outcome{}, fmt.Sprintf("strings are compared with %s by converting each of them", c), false
	}
	if zeroHolds(op, literal) {
		return outcome{yes: v.domain().spans(), no: a.spelledNumbers(v.column)}, "", true
	}
	return outcome{yes: a.spelledNumbers(v.column), no: v.domain().spans()}, "", true
}

// zeroHolds reports whether 0 satisfies a comparison of doubles; in doubt it does.
func zeroHolds(op operator, literal string) bool {
	f, err := strconv.ParseFloat(literal, 64)
	return err != nil || op.holds(cmp.Compare(0, f))
}

// numberBeginnings are the characters that the text of a number can begin with, after white space.
const numberBeginnings = "\t\n\v\f\r +-.0123456789"

// spelledNumbers returns all strings that begin like a number, as one span, which holds some others too.
func (a *analysis) spelledNumbers(col Column) indexes.Spans {
	var all []indexes.Span
	for i := range len(numberBeginnings) {
		var p place
		if beginning := numberBeginnings[i : i+1]; col.Collation.IsIdentity() {
			p = a.beginningWith(col, beginning)
		} else {
			p = a.beginningLike(col, beginning)
		}
		all = append(all, spansOf(p)...)
	}
	spans := indexes.NewSpans(all...)
	whole := indexes.Span{Start: spans[0].Start, End: spans[len(spans)-1].End}
	if a.labels != nil {
		named := label{text: "strings that begin like numbers"}
		a.labels[string(whole.Start)], a.labels[string(whole.End)] = named, named
	}
	return indexes.Spans{whole}
}

// jsonCondition is the outcome of JSON by itself as a condition: numbers other than 0, strings that begin with such a
// number, true, objects and arrays satisfy it.
func (a *analysis) jsonCondition(v view) *node {
	zero, _, ok := a.placeNumber("0")
	if !ok {
		return notUnderstood("0 has no range")
	}
	number, text := classDomain(ordered.ClassNumber), classSpans(ordered.ClassString)
	is := number.without(spansOf(zero)).Union(a.pointBoolean(true)).
		Union(classSpans(ordered.ClassObject)).Union(classSpans(ordered.ClassArray))
	isNot := spansOf(zero).Union(a.pointBoolean(false))
	return a.understood(v, outcome{yes: is.Union(a.spelledNumbers(v.column)), no: isNot.Union(text)})
}
