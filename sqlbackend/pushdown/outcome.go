package pushdown

import (
	"bytes"

	"github.com/sqlfdb/sqlfdb/indexes"
)

// outcome describes a predicate by sets of encoded values at one keypath.
type outcome struct {
	// yes holds every value for which the predicate is true, no every value for which it is false. A value in neither
	// set makes it NULL; a value in both can't be decided here.
	yes, no indexes.Spans
	// yesExact says that yes holds no other values, and yesMissing is certain; noExact the same for no.
	yesExact, noExact bool
	// yesMissing says that the predicate may be true for a document without the keypath; noMissing that it may be
	// false.
	yesMissing, noMissing bool
}

// unknown is the outcome of a predicate that is not understood: anything is possible.
func unknown() outcome {
	return outcome{yes: anyValue, no: anyValue, yesMissing: true, noMissing: true}
}

// anyValue is all values; like all spans of an outcome it is shared.
var anyValue = indexes.Everything()

// always is the outcome of a constant predicate.
func always(value truth) outcome {
	o := outcome{yesExact: true, noExact: true}
	switch value {
	case truthTrue:
		o.yes, o.yesMissing = indexes.Everything(), true
	case truthFalse:
		o.no, o.noMissing = indexes.Everything(), true
	}
	return o
}

type truth uint8

const (
	truthNull truth = iota
	truthFalse
	truthTrue
)

// not returns false for true, and true for false.
func (t truth) not() truth {
	switch t {
	case truthTrue:
		return truthFalse
	case truthFalse:
		return truthTrue
	}
	return truthNull
}

// constrains reports whether the predicate excludes anything.
func (o outcome) constrains() bool {
	return !o.yesMissing || !o.yes.IsEverything()
}

// onlyThere reports whether the outcome says no more than that the predicate is true only where a value exists.
func (o outcome) onlyThere() bool {
	return !o.yesExact && !o.yesMissing && covers(o.yes, notNull.spans())
}

func (o outcome) not() outcome {
	return outcome{
		yes: o.no, yesExact: o.noExact, yesMissing: o.noMissing,
		no: o.yes, noExact: o.yesExact, noMissing: o.yesMissing,
	}
}

// and is correct only if a document has one value at a keypath, which holds for every keypath that doesn't lead
// through an array.
func (o outcome) and(p outcome) outcome {
	return outcome{
		yes: o.yes.Intersect(p.yes), yesExact: o.yesExact && p.yesExact, yesMissing: o.yesMissing && p.yesMissing,
		no: o.no.Union(p.no), noExact: o.noExact && p.noExact, noMissing: o.noMissing || p.noMissing,
	}
}

func (o outcome) or(p outcome) outcome {
	return o.not().and(p.not()).not()
}

// isTrue is the outcome of IS TRUE, which is never NULL.
func (o outcome) isTrue() outcome {
	r := outcome{yes: o.yes, yesExact: o.yesExact, yesMissing: o.yesMissing, noExact: o.yesExact}
	if o.yesExact {
		r.no, r.noMissing = o.yes.Complement(), !o.yesMissing
	} else {
		r.no, r.noMissing = indexes.Everything(), true
	}
	return r
}

// isNull is the outcome of a test whether a predicate is NULL, which is never NULL.
func (o outcome) isNull() outcome {
	known := o.yes.Union(o.no)
	if o.yesExact && o.noExact {
		return outcome{
			yes: known.Complement(), yesExact: true, yesMissing: !o.yesMissing && !o.noMissing,
			no: known, noExact: true, noMissing: o.yesMissing || o.noMissing,
		}
	}
	return outcome{yes: indexes.Everything(), yesMissing: true, no: known, noMissing: o.yesMissing || o.noMissing}
}

// domain is the interval of encoded values for which an operand is not NULL, or, when in doubt, a wider one.
type domain struct {
	start, end []byte
}

func (d domain) spans() indexes.Spans {
	return indexes.NewSpans(indexes.Span{Start: d.start, End: d.end})
}

// without returns the values of the domain that are not in s.
func (d domain) without(s indexes.Spans) indexes.Spans {
	return d.spans().Intersect(s.Complement())
}

// exactly is the outcome of a predicate that is true for yes, false for the rest of the domain, and NULL for
// everything else.
func (d domain) exactly(yes indexes.Spans) outcome {
	yes = d.spans().Intersect(yes)
	return outcome{yes: yes, no: d.without(yes), yesExact: true, noExact: true}
}

// place is the position of a constant among the values of a domain: every value before start is less, every value
// from end on is greater. If exact, every value between is equal; otherwise those can't be decided.
type place struct {
	start, end []byte
	exact      bool
}

// compare is the outcome of "operand op constant" for the constant at p.
func (d domain) compare(op operator, p place) outcome {
	// A constant outside of the domain equals no value in it.
	if bytes.Compare(p.start, d.start) < 0 {
		p.start = d.start
	}
	if p.end != nil && bytes.Compare(p.end, d.start) < 0 {
		p.end = d.start
	}
	var yes, no indexes.Spans
	switch op {
	case opEqual:
		yes, no = d.interval(p.start, p.end), d.around(p)
	case opLess:
		yes, no = d.interval(d.start, p.start), d.interval(p.start, d.end)
	case opLessOrEqual:
		yes, no = d.interval(d.start, p.end), d.interval(p.end, d.end)
	case opGreater:
		yes, no = d.interval(p.end, d.end), d.interval(d.start, p.end)
	case opGreaterOrEqual:
		yes, no = d.interval(p.start, d.end), d.interval(d.start, p.start)
	}
	if !p.exact {
		within := d.interval(p.start, p.end)
		yes, no = yes.Union(within), no.Union(within)
	}
	return outcome{yes: yes, no: no, yesExact: p.exact, noExact: p.exact}
}

// around returns the values of the domain outside of a place within it.
func (d domain) around(p place) indexes.Spans {
	out := make(indexes.Spans, 0, 2)
	if bytes.Compare(d.start, p.start) < 0 {
		out = append(out, indexes.Span{Start: d.start, End: p.start})
	}
	if p.end != nil && (d.end == nil || bytes.Compare(p.end, d.end) < 0) {
		out = append(out, indexes.Span{Start: p.end, End: d.end})
	}
	return out
}

// interval returns the values from start up to end, which lie within the domain.
func (domain) interval(start, end []byte) indexes.Spans {
	if end != nil && bytes.Compare(start, end) >= 0 {
		return nil
	}
	return indexes.Spans{{Start: start, End: end}}
}

type operator uint8

const (
	opEqual operator = iota
	opLess
	opLessOrEqual
	opGreater
	opGreaterOrEqual
)

// flip returns the operator for swapped operands.
func (op operator) flip() operator {
	switch op {
	case opLess:
		return opGreater
	case opLessOrEqual:
		return opGreaterOrEqual
	case opGreater:
		return opLess
	case opGreaterOrEqual:
		return opLessOrEqual
	}
	return op
}

// holds reports whether op is true for two operands that compare as cmp.
func (op operator) holds(cmp int) bool {
	switch op {
	case opLess:
		return cmp < 0
	case opLessOrEqual:
		return cmp <= 0
	case opGreater:
		return cmp > 0
	case opGreaterOrEqual:
		return cmp >= 0
	}
	return cmp == 0
}
