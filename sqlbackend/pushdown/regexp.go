package pushdown

import (
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// Regexp is implemented by a REGEXP_LIKE that distinguishes all characters, and finds ^ only at the beginning of a
// text.
type Regexp interface {
	sql.Expression
	// PushdownRegexp returns the text and the pattern; the text is nil where the match ignores case, or ^ matches at
	// each line.
	PushdownRegexp() (text, pattern sql.Expression)
}

// regexp analyses a pattern that begins with ^ and plain characters. Its spans hold all strings with that beginning.
// It returns nil where the pattern has none, or may be invalid: a full read reports that.
func (a *analysis) regexp(text, pattern sql.Expression) *node {
	if text == nil {
		return nil
	}
	c, ok := constantOf(a.ctx, pattern)
	if !ok || c.kind != constantString || !utf8.ValidString(c.text) {
		return nil
	}
	beginning, ok := regexpBeginning(c.text)
	if !ok {
		return nil
	}
	v, _, ok := a.viewOf(text)
	if !ok || !v.as.text() && (v.as != asColumn || v.column.Shape != ShapeString) {
		return nil
	}
	o := outcome{yes: spansOf(a.beginningWith(v.column, beginning)), no: classSpans(ordered.ClassString)}
	if v.as.text() {
		o = outcome{yes: o.yes.Union(a.textsBeginningWith(beginning, "")), no: indexes.Everything()}
	}
	return a.understood(v, o)
}

// regexpBeginning returns the characters after ^ that all matching texts begin with. It returns false for patterns
// without ^, and for those with more than characters, simple classes and quantifiers.
func regexpBeginning(pattern string) (string, bool) {
	rest, ok := strings.CutPrefix(pattern, "^")
	if !ok {
		return "", false
	}
	plain, before := true, 0 // plain: only characters so far; before: bytes before the last one
	repeatable := false
	var beginning []byte
	for rest != "" {
		r, n := utf8.DecodeRuneInString(rest)
		rest = rest[n:]
		switch r {
		case '*', '?', '+':
			if !repeatable {
				return "", false
			}
			if plain && r != '+' {
				beginning = beginning[:before]
			}
			plain, repeatable = false, false
			rest = strings.TrimPrefix(rest, "?")
		case '.':
			plain, repeatable = false, true
		case '$':
			return string(beginning), rest == "" && len(beginning) > 0
		case '[':
			if rest, ok = afterClass(rest); !ok {
				return "", false
			}
			plain, repeatable = false, true
		case '(', ')', '{', '}', '|', '\\', ']', '^':
			return "", false
		default:
			if repeatable = true; plain {
				before = len(beginning)
				beginning = utf8.AppendRune(beginning, r)
			}
		}
	}
	return string(beginning), len(beginning) > 0
}

// afterClass returns the text after a class of letters, digits and the usual ranges of them.
func afterClass(rest string) (after string, ok bool) {
	rest = strings.TrimPrefix(rest, "^")
	class, after, ok := strings.Cut(rest, "]")
	for _, ranged := range []string{"a-z", "A-Z", "0-9"} {
		class = strings.Replace(class, ranged, "a", 1)
	}
	plain := strings.Trim(class, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
	return after, ok && plain && class != ""
}
