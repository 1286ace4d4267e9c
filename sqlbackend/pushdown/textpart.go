package pushdown

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// If LEFT, SUBSTRING from the first character, LOWER or UPPER of a text equals another text, few texts are possible.
// The filter stays.

// textPart is the part of a text that is compared.
type textPart struct {
	of sql.Expression
	// first is the number of its characters from the first one; 0 means all.
	first int
	// cased says that its letters are converted to small ones, or to capitals, if upper.
	cased, upper bool
}

// textPartOf recognizes a part of a text.
func (a *analysis) textPartOf(e sql.Expression) (p textPart, ok bool) {
	f, ok := strip(e).(sql.FunctionExpression)
	if !ok {
		return p, false
	}
	args := f.Children()
	switch name := strings.ToLower(f.FunctionName()); {
	case name == "left" && len(args) == 2:
		p.of = args[0]
		p.first, ok = a.count(args[1])
	case (name == "substring" || name == "substr" || name == "mid") && len(args) == 3:
		from, known := a.count(args[1])
		p.of = args[0]
		p.first, ok = a.count(args[2])
		ok = ok && known && from == 1
	case (name == "lower" || name == "lcase" || name == "upper" || name == "ucase") && len(args) == 1:
		p = textPart{of: args[0], cased: true, upper: name == "upper" || name == "ucase"}
	default:
		return p, false
	}
	return p, ok
}

// count returns a constant number of characters, at least 1.
func (a *analysis) count(e sql.Expression) (n int, ok bool) {
	c, ok := constantOf(a.ctx, e)
	if !ok || c.kind != constantNumber || !c.integer {
		return 0, false
	}
	n, err := strconv.Atoi(c.text)
	return n, err == nil && n > 0
}

// compareTextPart compares a part of a text for equality; nil where that is not followed.
func (a *analysis) compareTextPart(op operator, left sql.Expression, c constant) *node {
	if op != opEqual || c.kind != constantString || c.mixed || !utf8.ValidString(c.text) {
		return nil
	}
	part, ok := a.textPartOf(left)
	if !ok {
		return nil
	}
	v, _, ok := a.viewOf(part.of)
	if !ok || !v.as.text() && (v.as != asColumn || v.column.Shape != ShapeString) {
		return nil
	}
	coll := c.collation
	if coll == nil {
		coll = v.column.Collation
	}
	var yes indexes.Spans
	switch n := utf8.RuneCountInString(c.text); {
	case !coll.IsIdentity() && (!part.cased || coll != v.column.Collation):
		return nil
	case part.cased:
		if yes, ok = a.inAnyCase(v.column, c.text, part.upper); !ok {
			return nil
		}
	case n == part.first:
		yes = spansOf(a.beginningWith(v.column, c.text))
	case n < part.first: // it is the whole text
		yes = spansOf(a.placeString(v.column, c.text))
	}
	o := outcome{yes: yes, no: classSpans(ordered.ClassString)}
	if v.as.text() {
		beginning := c.text
		if part.cased {
			beginning = strings.ToLower(beginning)
		}
		o = outcome{yes: o.yes.Union(a.textsBeginningWith(beginning, "")), no: indexes.Everything()}
	}
	return a.understood(v, o)
}

// maxDotless bounds the places where a text may have ı, which UPPER converts to I too.
const maxDotless = 3

// inAnyCase returns the spans of the texts that LOWER, or UPPER, converts to a text.
func (a *analysis) inAnyCase(col Column, text string, upper bool) (indexes.Spans, bool) {
	if upper && strings.Count(text, "I") > maxDotless {
		return nil, false
	}
	texts := [][]byte{nil}
	for _, r := range text {
		for i := range len(texts) {
			if upper && r == 'I' {
				texts = append(texts, utf8.AppendRune(slices.Clone(texts[i]), 'ı'))
			}
			texts[i] = utf8.AppendRune(texts[i], r)
		}
	}
	var all []indexes.Span
	for _, spelled := range texts {
		s := string(spelled)
		start, end, ok := ordered.LettersSpan(col.Collation, s, col.StringLimit)
		if !ok {
			return nil, false
		}
		named := label{text: s, quoted: true, suffix: " in any case"}
		all = append(all, indexes.Span{Start: a.label(start, named), End: a.labelEnd(end, named)})
	}
	return indexes.NewSpans(all...), true
}
