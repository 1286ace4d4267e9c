package collation

import (
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// EqualRunes reports whether two characters are equal, each for itself: how
// LIKE compares. What two of them make together (as "ss" and "ß") doesn't count. A
// combining mark is equal to marks alone.
func (c *Collation) EqualRunes(a, b rune) bool {
	if a == b {
		return true
	}
	if c.IsIdentity() {
		return false
	}
	if a < 0x80 && b < 0x80 {
		c.once.Do(c.prepare)
		if v, w := c.ascii[a].primary, c.ascii[b].primary; v != unknown && w != unknown {
			return v == w
		}
	}
	return combines(a) == combines(b) && c.CompareKeys(string(a), string(b)) == 0
}

// combines reports whether a character is a mark on the one before it. Some are
// letters too, which weigh as the letter but move behind or before other marks.
func combines(r rune) bool {
	return r >= 0x300 && norm.NFD.PropertiesString(string(r)).CCC() != 0
}

// AppendPatternPrefix appends bytes with which the sort keys of all strings begin
// whose first characters are EqualRunes to those of prefix, one by one. In collations
// that take only identical strings for equal it is AppendCommonPrefix.
func (c *Collation) AppendPatternPrefix(dst []byte, prefix string) []byte {
	if c.IsIdentity() {
		return c.AppendCommonPrefix(dst, prefix)
	}
	settled := 0
	for i := 0; i < len(prefix); {
		r, n := utf8.DecodeRuneInString(prefix[i:])
		// A mark stands for any other mark, with which the character before may be another letter.
		if r == utf8.RuneError || combines(r) || c.weightless(prefix[i:i+n]) {
			break
		}
		if i > 0 {
			if !c.startsSegmentInAnyForm(r) {
				break
			}
			settled = i
		}
		if i += n; i == len(prefix) && c.fixedASCII && r < 0x80 {
			settled = i
		}
	}
	return c.appendPrimaries(dst, prefix[:settled])
}

// weightless reports whether a character has no primary weight.
func (c *Collation) weightless(s string) bool {
	return len(c.appendPrimaries(nil, s)) == 0
}

// startsSegmentInAnyForm is startsSegment for a character and all that are equal to it.
func (c *Collation) startsSegmentInAnyForm(r rune) bool {
	if r < 0x80 {
		letter := r|0x20 >= 'a' && r|0x20 <= 'z'
		return c.fastASCII || !letter
	}
	if !c.fastASCII && r < 0x370 {
		return false // as c and ḣ, which is equal to h, may make one letter
	}
	for _, f := range fresh {
		if r >= f.first && r <= f.last {
			return true
		}
	}
	return false
}

// appendPrimaries appends the first level of the key of s.
func (c *Collation) appendPrimaries(dst []byte, s string) []byte {
	c.once.Do(c.prepare)
	e := c.encoder()
	defer c.release(e, len(s))
	e.reset()
	for len(s) > 0 {
		n := e.segment(s)
		dst = e.appendSegment(dst, s[:n])
		s = s[n:]
	}
	return dst
}
