package ordered

import (
	"math"

	"github.com/sqlfdb/sqlfdb/collation"
)

// AppendString appends a string: its sort key, collation.Terminator and the
// string itself, so that bytes compare as c.Compare does. In a binary collation it is the
// string alone.
//
// Of a sort key of limit bytes or more, the first limit bytes are appended and nothing
// else. Of a string of limit bytes or more behind a shorter key, its first limit bytes are
// appended. truncated reports that. Encodings then order weakly: a ≤ b gives enc(a) ≤
// enc(b), and different strings may have the same bytes. A limit of 0 or less is none.
func AppendString(dst []byte, c *collation.Collation, s string, limit int) (out []byte, truncated bool) {
	if limit <= 0 {
		limit = math.MaxInt
	}
	dst = append(dst, ClassString)
	if !c.IsBinary() {
		start := len(dst)
		dst, truncated = c.AppendKeyPrefix(dst, s, limit)
		if truncated || len(dst)-start == limit {
			return dst, true
		}
		dst = append(dst, collation.Terminator)
	}
	if len(s) >= limit {
		return append(dst, s[:limit]...), true
	}
	return append(dst, s...), false
}

// AppendBytes appends a byte string, without a limit.
func AppendBytes(dst, b []byte) []byte { return append(append(dst, ClassBytes), b...) }

// StringSpan returns the span [start, end) of the encodings of all strings that c.Equal
// finds equal to s. That is one encoding, or where case or accents don't count all with its
// sort key. exact is false when the span also holds strings that are not equal, because
// their encodings are truncated.
//
// The other comparisons follow: x <= s is everything below end, x >= s everything from
// start. If exact, x < s is below start, and x > s from end; otherwise they are below end
// and from start, with the filter kept.
func StringSpan(c *collation.Collation, s string, limit int) (start, end []byte, exact bool) {
	start, truncated := AppendString(nil, c, s, limit)
	if c.IsIdentity() {
		return start, next(start), !truncated
	}
	key, _, complete := collation.SplitKey(start[1:])
	if !complete {
		return start, next(start), false
	}
	n := 1 + len(key)
	return start[: n+1 : n+1], append(start[:n:n], collation.Terminator+1), true
}

// PrefixSpan returns a span that holds the encodings of all strings that begin with prefix.
// exact reports that it holds no others, which is the case in binary collations only.
func PrefixSpan(c *collation.Collation, prefix string, limit int) (start, end []byte, exact bool) {
	if limit <= 0 {
		limit = math.MaxInt
	}
	start = []byte{ClassString}
	if c.IsBinary() {
		start = append(start, prefix[:min(limit, len(prefix))]...)
		exact = len(prefix) <= limit
	} else {
		start = c.AppendCommonPrefix(start, prefix)
		start = start[:min(len(start)-1, limit)+1]
	}
	return start, after(start), exact
}

// PatternSpan returns a span that holds the encodings of all strings whose first characters
// are equal to the characters of prefix, one by one. It may hold others.
func PatternSpan(c *collation.Collation, prefix string, limit int) (start, end []byte) {
	if limit <= 0 {
		limit = math.MaxInt
	}
	start = c.AppendPatternPrefix([]byte{ClassString}, prefix)
	start = start[:min(len(start)-1, limit)+1]
	return start, after(start)
}

// LettersSpan returns a span that holds the encodings of all strings that are s in any case of its letters. It may
// hold others. ok is false where that is not known for the collation.
func LettersSpan(c *collation.Collation, s string, limit int) (start, end []byte, ok bool) {
	if limit <= 0 {
		limit = math.MaxInt
	}
	start, ok = c.AppendLetters([]byte{ClassString}, s)
	if !ok {
		return nil, nil, false
	}
	if len(start)-1 >= limit {
		start = start[:limit+1]
		return start, after(start), true
	}
	return start, append(start[:len(start):len(start)], collation.AfterLetters), true
}

// next returns the first bytes above b.
func next(b []byte) []byte { return append(b[:len(b):len(b)], 0) }

// after returns the first bytes above all that begin with b, whose first byte
// is a class and so not 0xff.
func after(b []byte) []byte {
	end := append([]byte(nil), b...)
	for end[len(end)-1] == 0xff {
		end = end[:len(end)-1]
	}
	end[len(end)-1]++
	return end
}
