package collation

import (
	"math"
	"unicode/utf8"

	"golang.org/x/text/collate"
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

// longSegment is the number of bytes from which on a segment ends before the
// next ideograph, so that a long text takes bounded memory.
const longSegment = 1024

// segment returns the length of a beginning of s whose weights don't depend
// on what follows: ASCII characters up to the last before another one, or
// else a character and all that are not ASCII behind it. Nothing in the root order
// combines with an ASCII character or an ideograph before it.
func (e *encoder) segment(s string) int {
	if !e.c.fastASCII {
		return len(s)
	}
	i := 0
	for i < len(s) && s[i] < 0x80 {
		i++
	}
	switch {
	case i == len(s):
		return i
	case i > 1:
		return i - 1
	}
	for i < len(s) && s[i] >= 0x80 {
		if i >= longSegment {
			if r, _ := utf8.DecodeRuneInString(s[i:]); r >= 0x4E00 && r <= 0x9FCC {
				break
			}
		}
		_, n := utf8.DecodeRuneInString(s[i:])
		i += n
	}
	return i
}

// appendSegment appends the primary weights of a segment and collects the others.
func (e *encoder) appendSegment(dst []byte, s string) []byte {
	if s[len(s)-1] >= 0x80 || !e.c.fastASCII {
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
