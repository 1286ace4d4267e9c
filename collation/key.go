package collation

import (
	"math"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/collate"

	"github.com/sqlfdb/sqlfdb/collation/internal/edition"
)

// AppendKey appends the sort key of s to dst. bytes.Compare on two keys is
// CompareKeys on the strings, also when each is followed by Terminator and
// anything else. Any string has a key; bytes that are not UTF-8 count as U+FFFD.
func (c *Collation) AppendKey(dst []byte, s string) []byte {
	dst, _ = c.AppendKeyPrefix(dst, s, math.MaxInt)
	return dst
}

// AppendKeyPrefix appends the first limit bytes of the sort key of s, or all
// of it, and reports whether there is more. It looks no further into a long s than
// it must. A prefix of the sort key orders weakly: where keys compare less,
// their prefixes compare less or equal. (The key of a prefix of s would not do.)
func (c *Collation) AppendKeyPrefix(dst []byte, s string, limit int) (out []byte, truncated bool) {
	limit = max(limit, 0)
	if c.strength == byBytes {
		if len(s) > limit {
			return append(dst, s[:limit]...), true
		}
		return append(dst, s...), false
	}
	c.once.Do(c.prepare)
	if edition.Other.Load() != nil {
		if limit == 0 {
			return dst, true
		}
		dst = append(dst, otherMark)
		limit--
	}
	start := len(dst)
	if limit == math.MaxInt {
		limit-- // so that limit+1 is a number
	}
	ok := false
	if c.fastASCII {
		out, ok = c.appendASCII(dst, s, limit)
	}
	if !ok {
		e := c.encoder()
		out = e.appendKeyPrefix(dst, s, limit)
		c.release(e, len(s))
	}
	if len(out)-start > limit {
		return out[:start+limit], true
	}
	return out, false
}

// encoder makes keys with x/text. It serves one user at a time.
type encoder struct {
	c        *Collation
	collator *collate.Collator
	buffer   collate.Buffer

	primaries           int // weights so far
	secondary, tertiary level
	left, right         []byte // keys of a comparison
}

func (e *encoder) reset() {
	e.primaries = 0
	e.secondary.reset(commonSecondary)
	e.tertiary.reset(commonTertiary)
}

func (e *encoder) appendKey(dst []byte, s string) []byte {
	return e.appendKeyPrefix(dst, s, math.MaxInt)
}

// appendKeyPrefix appends the key of s, or at least limit+1 bytes of it.
func (e *encoder) appendKeyPrefix(dst []byte, s string, limit int) []byte {
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	e.reset()
	start := len(dst)
	for len(s) > 0 {
		n := e.segment(s)
		dst = e.appendSegment(dst, s[:n])
		if len(dst)-start > limit {
			return dst
		}
		s = s[n:]
	}
	return e.appendLevels(dst)
}

// appendLevels appends what follows the primary weights.
func (e *encoder) appendLevels(dst []byte) []byte {
	if e.c.strength < secondary {
		return dst
	}
	e.secondary.end(e.primaries)
	if e.c.strength < tertiary {
		e.tertiary.out = e.tertiary.out[:0]
	} else {
		e.tertiary.end(e.secondary.weights)
	}
	if len(e.secondary.out)+len(e.tertiary.out) == 0 {
		return dst
	}
	dst = append(append(dst, separator), e.secondary.out...)
	if len(e.tertiary.out) > 0 {
		dst = append(append(dst, separator), e.tertiary.out...)
	}
	return dst
}

// longSegment is the number of bytes from which on a segment ends where it
// can, so that a long text takes bounded memory.
const longSegment = 1024

// segment returns the length of a beginning of s whose weights don't depend
// on what follows: ASCII characters up to the last before another one, or else a
// character and all that are not ASCII behind it.
func (e *encoder) segment(s string) int {
	i := 0
	if e.c.fastASCII {
		for i < len(s) && s[i] < 0x80 {
			i++
		}
		switch {
		case i == len(s):
			return i
		case i > 1:
			return i - 1
		}
	}
	for i < len(s) && (s[i] >= 0x80 || !e.c.fastASCII) {
		if i >= longSegment && e.c.startsSegment(s, i) {
			break
		}
		_, n := utf8.DecodeRuneInString(s[i:])
		i += n
	}
	return i
}

// fresh are ranges of characters that no contraction of x/text's tables has
// in any but the first place, and that don't combine in other ways. There are more: these
// are common ones.
var fresh = [...]struct{ first, last rune }{
	{0xC0, 0x17C}, {0x180, 0x24F}, // Latin; but ž, part of Croatian dž
	{0x388, 0x3FF},                 // Greek
	{0x400, 0x482}, {0x48A, 0x52F}, // Cyrillic
	{0x5D0, 0x5EA}, {0x621, 0x64A}, // Hebrew and Arabic letters
	{0x3041, 0x3096}, {0x30A1, 0x30FA}, // kana
	{0x4E00, 0x9FCC}, {0xAC00, 0xD7A3}, // ideographs and Hangul syllables
	{0x1F300, 0x1F3FA}, {0x1F400, 0x1F64F},
}

// startsSegment reports whether the weights before the character at i don't
// depend on it nor on what follows. When in doubt it says no.
func (c *Collation) startsSegment(s string, i int) bool {
	if b := s[i] | 0x20; s[i] < 0x80 {
		return c.fastASCII || b < 'a' || b > 'z'
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	for _, f := range fresh {
		if r >= f.first && r <= f.last {
			return true
		}
	}
	return false
}

// appendSegment appends the primary weights of a segment and collects the others.
func (e *encoder) appendSegment(dst []byte, s string) []byte {
	if !e.c.fastASCII || s[len(s)-1] >= 0x80 {
		return e.appendElements(dst, s)
	}
	for i := 0; i < len(s); i++ {
		w := e.c.ascii[s[i]]
		switch w.primary {
		case ignored:
			continue
		case unknown:
			dst = e.appendElements(dst, s[i:i+1])
			continue
		}
		dst = append(dst, w.primary)
		e.primaries++
		e.secondary.weights++
		e.secondary.run++
		e.tertiary.weights++
		if w.tertiary == 0 {
			e.tertiary.run++
		} else {
			e.tertiary.out = append(appendInnerRun(e.tertiary.out, e.tertiary.run), w.tertiary)
			e.tertiary.run = 0
		}
	}
	return dst
}

// appendElements does the same through x/text, whose keys are: primary weights
// of two bytes, or three with the highest bit set; two zeros; secondary weights of two
// bytes; two zeros; tertiary weights of one byte. No weight is zero.
func (e *encoder) appendElements(dst []byte, s string) []byte {
	e.buffer.Reset()
	key := e.collator.KeyFromString(&e.buffer, s)
	for len(key) >= 2 {
		w, n := int(key[0])<<8|int(key[1]), 2
		if w == 0 {
			key = key[2:]
			break
		}
		if w >= 0x8000 && len(key) > 2 {
			w, n = (w&0x7fff)<<8|int(key[2]), 3
		}
		dst = appendPrimary(dst, min(w, maxPrimary))
		e.primaries++
		key = key[n:]
	}
	for len(key) >= 2 {
		w := int(key[0])<<8 | int(key[1])
		key = key[2:]
		if w == 0 {
			break
		}
		e.secondary.add(w)
	}
	for _, w := range key {
		e.tertiary.add(int(w))
	}
	return dst
}

// AppendCommonPrefix appends bytes with which the sort keys of all strings
// begin that begin with prefix. They can be fewer than the key of prefix has, or
// none: what follows a character can change its weights.
func (c *Collation) AppendCommonPrefix(dst []byte, prefix string) []byte {
	if c.strength == byBytes {
		return append(dst, prefix...)
	}
	if !utf8.ValidString(prefix) {
		// A last character that is cut off counts as something else when it is whole.
		prefix = prefix[:len(prefix)-len(strings.TrimLeftFunc(prefix, func(r rune) bool { return r != utf8.RuneError }))]
	}
	if edition.Other.Load() != nil {
		dst = append(dst, otherMark)
	}
	settled := len(prefix)
	for settled > 0 && !(c.fixedASCII && settled == len(prefix) && prefix[settled-1] < 0x80) {
		_, n := utf8.DecodeLastRuneInString(prefix[:settled])
		settled -= n
		if c.startsSegment(prefix, settled) {
			break
		}
	}
	return c.appendPrimaries(dst, prefix[:settled])
}

// SplitKey divides bytes that begin with a sort key and Terminator into the
// key and what follows the terminator. It returns false when there is no terminator where
// one can be, as when only a prefix of a key was stored. The key of a binary
// collation can't be told from what follows it.
func SplitKey(b []byte) (key, rest []byte, ok bool) {
	inPrimaries := true
	for i := 0; i < len(b); {
		switch x := b[i]; {
		case x == Terminator:
			return b[:i], b[i+1:], true
		case x == separator:
			inPrimaries = false
			i++
		case inPrimaries:
			i += max(1, int(codes.size[x]))
		case x >= longWeight:
			i += 2
		default:
			i++
		}
	}
	return nil, nil, false
}
