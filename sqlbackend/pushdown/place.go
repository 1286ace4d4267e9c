package pushdown

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// placeOf is the place of one encoded value that no other value shares.
func placeOf(encoded []byte) place {
	n := len(encoded)
	end := append(encoded, 0)[: n+1 : n+1]
	return place{start: end[:n:n], end: end, exact: true}
}

// placeWithin is the place of a value in a class whose entries don't distinguish its values.
func placeWithin(class byte) place {
	return place{start: ordered.ClassStart(class), end: ordered.ClassEnd(class)}
}

// shortEncoding is a length that most encodings of numbers with a byte after them fit into.
const shortEncoding = 16

// after is the least byte string greater than b.
func after(b []byte) []byte {
	return append(bytes.Clone(b), 0)
}

func (a *analysis) encodeBoolean(b bool) []byte {
	return a.label(ordered.AppendBool(nil, b), label{text: strconv.FormatBool(b)})
}

func (a *analysis) pointBoolean(b bool) indexes.Spans {
	return indexes.Point(a.encodeBoolean(b))
}

// number is the constant as a number, by the rules that compare it with a
// number: a string counts only if all of it is a number.
func (c constant) number() (literal string, reason string, ok bool) {
	switch c.kind {
	case constantNumber:
		return c.text, "", true
	case constantBoolean:
		if c.boolean {
			return "1", "", true
		}
		return "0", "", true
	case constantString:
		if literal, ok := numberIn(c.text); ok {
			return literal, "", true
		}
		return "", fmt.Sprintf("%s is not a number", c), false
	}
	return "", fmt.Sprintf("%s is not a number", c), false
}

// numberIn returns the JSON literal of a string that is a number in SQL's notation: 007, +1, .5 and 5. are numbers
// too.
func numberIn(s string) (string, bool) {
	negative := strings.HasPrefix(s, "-")
	s = strings.TrimPrefix(strings.TrimPrefix(s, "-"), "+")
	if strings.HasPrefix(s, "-") || strings.HasPrefix(s, "+") {
		return "", false
	}
	mantissa, exponent := s, ""
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa, exponent = s[:i], s[i:]
	}
	whole, fraction, point := strings.Cut(mantissa, ".")
	if whole == "" && fraction == "" {
		return "", false
	}
	whole = strings.TrimLeft(whole, "0")
	if whole == "" {
		whole = "0"
	}
	literal := whole
	if point && fraction != "" {
		literal += "." + fraction
	}
	literal += exponent
	if negative {
		literal = "-" + literal
	}
	if _, err := document.ParseDecimal(literal); err != nil {
		return "", false
	}
	return literal, true
}

// compareNumber compares a column of numbers.
func (v view) compareNumber(a *analysis, op operator, c constant) (outcome, string, bool) {
	literal, reason, ok := c.number()
	if !ok {
		return outcome{}, reason, false
	}
	locate := a.placeNumber
	if v.column.Rounded {
		locate = func(literal string) (place, string, bool) { return a.placeScaled(literal, v.column.Scale) }
	}
	if (c.kind == constantString || v.double) && !v.column.Rounded && !exactAsDouble(literal) {
		// MySQL compares a number with a string as doubles.
		locate = a.placeRounded
	}
	p, reason, ok := locate(literal)
	if !ok {
		return outcome{}, reason, false
	}
	return v.domain().compare(op, p), "", true
}

func (a *analysis) placeNumber(literal string) (place, string, bool) {
	encoded, err := ordered.AppendNumber(make([]byte, 0, shortEncoding), literal)
	if err != nil {
		return place{}, fmt.Sprintf("%s is beyond the numbers that are indexed", literal), false
	}
	return placeOf(a.label(encoded, label{text: literal})), "", true
}

// computable returns a number for computations, which takes memory for each digit between its first one and the
// point. ok is false for a number far beyond a DOUBLE's range.
func computable(literal string) (d decimal.Decimal, ok bool) {
	const most = 1000 // digits before or after the point
	if len(literal) > 4*most {
		return d, false
	}
	d, err := decimal.NewFromString(literal)
	return d, err == nil && d.Exponent() <= most && d.Exponent() >= -most
}

// placeScaled returns the place of the numbers that could equal the literal once they are rounded to a number of
// decimals.
func (a *analysis) placeScaled(literal string, scale int) (place, string, bool) {
	d, ok := computable(literal)
	if !ok {
		return place{}, fmt.Sprintf("%s is beyond the numbers of a DECIMAL", literal), false
	}
	slack := decimal.New(1, int32(-scale))
	from, reason, ok := a.placeNumber(d.Sub(slack).String())
	if !ok {
		return place{}, reason, false
	}
	to, reason, ok := a.placeNumber(d.Add(slack).String())
	if !ok {
		return place{}, reason, false
	}
	return place{start: from.start, end: to.end}, "", true
}

// placeRounded returns the place of the numbers that could equal the literal once both are rounded to doubles.
func (a *analysis) placeRounded(literal string) (place, string, bool) {
	f, err := strconv.ParseFloat(literal, 64)
	if err != nil || math.IsInf(f, 0) {
		return place{}, fmt.Sprintf("%s is beyond the range of DOUBLE", literal), false
	}
	low, high := math.Nextafter(f, math.Inf(-1)), math.Nextafter(f, math.Inf(1))
	if math.IsInf(low, 0) || math.IsInf(high, 0) {
		return place{}, fmt.Sprintf("%s is at the end of the range of DOUBLE", literal), false
	}
	from, reason, ok := a.placeNumber(floatLiteral(low))
	if !ok {
		return place{}, reason, false
	}
	to, reason, ok := a.placeNumber(floatLiteral(high))
	if !ok {
		return place{}, reason, false
	}
	return place{start: from.start, end: to.end}, "", true
}

// exactAsDouble reports whether comparing with the number gives the same result exactly and as doubles, for every
// integer and every double.
func exactAsDouble(literal string) bool {
	f, err := strconv.ParseFloat(literal, 64)
	if err != nil || math.Abs(f) >= 1<<53 {
		return false
	}
	return document.CompareNumbers(floatLiteral(f), literal) == 0
}

// placeTime returns the place of a date, or of a date and time, to within a second.
func (a *analysis) placeTime(shape Shape, text string) (place, bool) {
	if shape == ShapeDate {
		encoded, err := ordered.AppendDate(nil, text)
		if err != nil {
			return place{}, false
		}
		return placeOf(a.label(encoded, label{text: text, quoted: true})), true
	}
	if shape == ShapeTime {
		encoded, err := ordered.AppendTime(nil, text)
		if err != nil {
			return place{}, false
		}
		return placeOf(a.label(encoded, label{text: text, quoted: true})), true
	}
	if len(text) == len(time.DateOnly) {
		text += " 00:00:00"
	}
	const layout = "2006-01-02 15:04:05.999999"
	t, err := time.Parse(layout, text)
	if err != nil {
		return place{}, false
	}
	var bounds [2][]byte
	for i, at := range []time.Time{t.Add(-time.Second), t.Add(time.Second)} {
		spelled := at.Format(layout)
		if bounds[i], err = ordered.AppendDatetime(nil, spelled); err != nil {
			return place{}, false
		}
		a.label(bounds[i], label{text: spelled, quoted: true})
	}
	return place{start: bounds[0], end: after(bounds[1])}, true
}

// placeString returns the place of a string among the strings of a column. Strings that are longer than the indexed
// length share an encoding with similar ones.
func (a *analysis) placeString(col Column, s string) place {
	if !utf8.ValidString(s) {
		return placeWithin(ordered.ClassString)
	}
	start, end, exact := ordered.StringSpan(col.Collation, s, col.StringLimit)
	return place{start: a.label(start, label{text: s, quoted: true}), end: a.labelEnd(end, label{text: s, quoted: true}),
		exact: exact}
}

// placeJSONString is placeString for strings as JSON values, which are equal
// only when identical.
func (a *analysis) placeJSONString(col Column, op operator, s string) place {
	if col.Collation == collation.Default {
		return a.placeString(col, s)
	}
	if op != opEqual || !utf8.ValidString(s) {
		return placeWithin(ordered.ClassString)
	}
	if col.Collation.IsIdentity() {
		return a.placeString(col, s)
	}
	p := a.placeString(col, s)
	p.exact = false
	return p
}
