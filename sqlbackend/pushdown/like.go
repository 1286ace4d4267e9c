package pushdown

import (
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql/expression"

	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// like analyses LIKE with a pattern that begins with plain characters. Its
// spans hold all strings with that beginning; the filter stays, but for the
// binary collation and a pattern that is nothing else.
func (a *analysis) like(e *expression.Like) *node {
	pattern, ok := constantOf(a.ctx, e.RightChild)
	if !ok {
		return notUnderstood("the pattern of LIKE is not a constant")
	}
	v, reason, ok := a.viewOf(e.LeftChild)
	if !ok {
		return notUnderstood(reason)
	}
	if pattern.kind == constantNull {
		return a.understood(v, outcome{yesExact: true, noExact: true})
	}
	if pattern.kind != constantString || !utf8.ValidString(pattern.text) {
		return notUnderstood("the pattern of LIKE is not a string")
	}
	escape := '\\'
	if e.Escape != nil {
		c, ok := constantOf(a.ctx, e.Escape)
		if !ok || c.kind != constantString || utf8.RuneCountInString(c.text) != 1 {
			return notUnderstood("the escape character of LIKE is not a constant")
		}
		escape, _ = utf8.DecodeRuneInString(c.text)
	}
	text := v.as.text()
	if !text && (v.as != asColumn || v.column.Shape != ShapeString) {
		return notUnderstood("LIKE on what is not text")
	}
	if !v.column.Collation.IsIdentity() {
		return notUnderstood("LIKE in a collation that holds different strings equal")
	}
	prefix, rest := likePrefix(pattern.text, escape)
	strings := classDomain(ordered.ClassString)
	within := a.beginningWith(v.column, prefix)
	if rest == "" {
		within = a.placeString(v.column, prefix)
	}
	o := outcome{yes: spansOf(within), no: strings.spans()}
	if v.column.Collation.IsBinary() && rest == "%" && within.exact {
		o = strings.exactly(o.yes)
	}
	if text {
		others := a.textsBeginningWith(prefix, rest)
		o = outcome{yes: o.yes.Union(others), no: indexes.Everything()}
	}
	return a.understood(v, o)
}

func spansOf(p place) indexes.Spans {
	return indexes.NewSpans(indexes.Span{Start: p.start, End: p.end})
}

// likePrefix splits a pattern into the plain characters that it begins with
// and what follows them.
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

// beginningWith is where all strings with a beginning lie.
func (a *analysis) beginningWith(col Column, prefix string) place {
	start, end, exact := ordered.PrefixSpan(col.Collation, prefix, col.StringLimit)
	return place{start: a.label(start, label{text: prefix, quoted: true}), end: a.labelEnd(end, label{text: prefix, quoted: true, suffix: "…"}), exact: exact}
}

// textsBeginningWith is what else but strings can have a text that begins so.
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
