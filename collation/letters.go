package collation

import "github.com/sqlfdb/sqlfdb/collation/internal/edition"

// AfterLetters is a byte that follows the bytes of AppendLetters in no sort key of such a string, nor any greater one.
const AfterLetters = firstCode

// AppendLetters appends bytes with which the sort keys of all strings begin that are those of s in any case of its
// letters, and perhaps with other accents: in such a key less than AfterLetters follows them, or nothing. It is false
// where that is not known: in binary collations and locales that make one letter of several characters, and of strings
// with more than ASCII characters and ı.
func (c *Collation) AppendLetters(dst []byte, s string) (out []byte, ok bool) {
	if c.IsBinary() || !c.fixedASCII {
		return dst, false
	}
	for _, r := range s {
		if r >= 0x80 && r != 'ı' {
			return dst, false
		}
	}
	if edition.Other.Load() != nil {
		dst = append(dst, otherMark)
	}
	return c.appendPrimaries(dst, s), true
}
