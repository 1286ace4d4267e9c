package pushdown

import (
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// Like is implemented by LIKE that compares in one of our collations. The engine's own LIKE counts as comparing
// bytes.
type Like interface {
	sql.Expression
	PushdownLike() LikeParts
}

// LikeParts are the operands of a LIKE.
type LikeParts struct {
	Value, Pattern sql.Expression
	Escape         sql.Expression // nil means a backslash
	// Collation says which characters are equal. With nil only identical ones are, unless the column has a collation.
	Collation *collation.Collation
}

// like analyses LIKE with a pattern that begins with plain characters. Its spans hold all strings with that
// beginning. The filter stays unless the spans are exact. They are for a pattern of % alone, for one without
// wildcards if only identical strings are equal, and for a beginning with % in the binary collation.
func (a *analysis) like(e LikeParts) *node {
	pattern, ok := constantOf(a.ctx, e.Pattern)
	if !ok {
		return notUnderstood("the pattern of LIKE is not a constant")
	}
	v, reason, ok := a.viewOf(e.Value)
	if !ok {
		return notUnderstood(reason)
	}
	if pattern.kind == constantNull {
		return a.understood(v, outcome{yesExact: true, noExact: true})
	}
	if pattern.kind == constantNumber && pattern.integer {
		pattern.kind = constantString // its digits
	}
	if pattern.kind != constantString || !utf8.ValidString(pattern.text) {
		return notUnderstood("the pattern of LIKE is not a string")
	}
	escape := '\\'
	if e.Escape != nil {
		c, ok := constantOf(a.ctx, e.Escape)
		switch {
		case !ok || c.kind != constantString || utf8.RuneCountInString(c.text) > 1:
			return notUnderstood("the escape character of LIKE is not a constant")
		case c.text == "":
			escape = noEscape
		default:
			escape, _ = utf8.DecodeRuneInString(c.text)
		}
	}
	if v.as == asColumn && (v.column.Shape == ShapeDate || v.column.Shape == ShapeDatetime) {
		return a.likeDate(v, pattern.text, escape)
	}
	text := v.as.text()
	if !text && (v.as != asColumn || v.column.Shape != ShapeString) {
		return a.understood(v, outcome{yes: v.known(), no: v.known()})
	}
	coll := e.Collation
	if coll == nil {
		coll = v.column.Collation
		if !coll.IsIdentity() {
			return a.understood(v, outcome{yes: v.known(), no: v.known()})
		}
	}
	strings := classDomain(ordered.ClassString)
	prefix, rest := likePrefix(pattern.text, escape)
	var within place
	switch {
	case !coll.IsIdentity() && coll != v.column.Collation:
		return a.understood(v, outcome{yes: v.known(), no: v.known()})
	case !coll.IsIdentity():
		within = a.beginningLike(v.column, prefix)
	case rest == "":
		within = a.placeString(v.column, prefix)
	default:
		within = a.beginningWith(v.column, prefix)
	}
	o := outcome{yes: spansOf(within), no: strings.spans()}
	identical := coll.IsIdentity() && v.column.Collation.IsIdentity()
	switch {
	case prefix == "" && rest != "" && len(rest) == percents(rest):
		o = strings.exactly(strings.spans())
	case identical && rest == "" && within.exact, v.column.Collation.IsBinary() && rest == "%" && within.exact:
		o = strings.exactly(o.yes)
	}
	if text {
		others := a.textsBeginningWith(prefix, rest)
		if !coll.IsIdentity() {
			others = strings.spans().Complement()
		}
		o = outcome{yes: o.yes.Union(others), no: indexes.Everything()}
	}
	return a.understood(v, o)
}

// noEscape is not a character of any pattern.
const noEscape = rune(-1)

// percents returns the number of % at the beginning of a pattern.
func percents(pattern string) int {
	n := 0
	for n < len(pattern) && pattern[n] == '%' {
		n++
	}
	return n
}

func spansOf(p place) indexes.Spans {
	return indexes.NewSpans(indexes.Span{Start: p.start, End: p.end})
}

// likePrefix splits a pattern into the plain characters that it begins with and the rest.
func likePrefix(pattern string, escape rune) (prefix, rest string) {
	var b strings.Builder
	for i := 0; i < len(pattern); {
		r, n := utf8.DecodeRuneInString(pattern[i:])
		if r == escape {
			next, m := utf8.DecodeRuneInString(pattern[i+n:])
			if m == 0 {
				return b.String(), pattern[i:]
			}
			b.WriteRune(next)
			i += n + m
			continue
		}
		if r == '%' || r == '_' {
			return b.String(), pattern[i:]
		}
		b.WriteRune(r)
		i += n
	}
	return b.String(), ""
}

// beginningWith returns the place of all strings with a beginning.
func (a *analysis) beginningWith(col Column, prefix string) place {
	start, end, exact := ordered.PrefixSpan(col.Collation, prefix, col.StringLimit)
	return place{start: a.label(start, label{text: prefix, quoted: true}),
		end: a.labelEnd(end, label{text: prefix, quoted: true, suffix: "…"}), exact: exact}
}

// beginningLike returns the place of all strings whose first characters are equal to those of prefix, one by one, in
// the column's collation.
func (a *analysis) beginningLike(col Column, prefix string) place {
	start, end := ordered.PatternSpan(col.Collation, prefix, col.StringLimit)
	return place{start: a.label(start, label{text: prefix, quoted: true}),
		end: a.labelEnd(end, label{text: prefix, quoted: true, suffix: "…"})}
}

// textsBeginningWith returns the values other than strings whose text may begin so.
func (a *analysis) textsBeginningWith(prefix, rest string) indexes.Spans {
	if prefix == "" {
		return classSpans(ordered.ClassString).Complement()
	}
	var s indexes.Spans
	first := prefix[0]
	if first == '-' || first >= '0' && first <= '9' {
		s = s.Union(classSpans(ordered.ClassNumber))
	}
	switch first {
	case 't', 'f':
		s = s.Union(classSpans(ordered.ClassBool))
	case 'n':
		s = s.Union(classSpans(ordered.ClassNull))
	case '{':
		s = s.Union(classSpans(ordered.ClassObject))
	case '[':
		s = s.Union(classSpans(ordered.ClassArray))
	}
	return s
}
