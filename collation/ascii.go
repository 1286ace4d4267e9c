package collation

import "slices"

// asciiWeight is what an ASCII character adds to a key. The secondary weight
// is the common one.
type asciiWeight struct {
	primary  byte // its code; or ignored, or unknown
	tertiary byte // its code; 0: the common weight
}

const (
	ignored = 0 // the character adds nothing
	unknown = 1 // it adds something that doesn't fit here
)

// asciiWeight reads the weights of one character off x/text.
func (e *encoder) asciiWeight(b byte) asciiWeight {
	e.reset()
	code := e.appendElements(nil, string(rune(b)))
	switch {
	case len(code) == 0 && e.secondary.weights == 0 && e.tertiary.weights == 0:
		return asciiWeight{primary: ignored}
	case len(code) != 1 || e.secondary.weights != 1 || e.secondary.run != 1 || e.tertiary.weights != 1 ||
		len(e.tertiary.out) > 1:
		return asciiWeight{primary: unknown}
	case e.tertiary.run == 1:
		return asciiWeight{primary: code[0]}
	default:
		return asciiWeight{primary: code[0], tertiary: e.tertiary.out[0]}
	}
}

// appendASCII appends the first limit+1 bytes, or all, of the key of a string
// of ASCII characters. It returns false when s holds anything else.
func (c *Collation) appendASCII(dst []byte, s string, limit int) ([]byte, bool) {
	start := len(dst)
	dst = slices.Grow(dst, min(len(s), limit+1))
	var cased byte
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return dst[:start], false
		}
		w := c.ascii[s[i]]
		if w.primary <= unknown {
			if w.primary == unknown {
				return dst[:start], false
			}
			continue
		}
		dst = append(dst, w.primary)
		cased |= w.tertiary
		if len(dst)-start > limit {
			// What follows can't change the bytes before, unless it combines with the last character.
			return dst, i+1 == len(s) || s[i+1] < 0x80
		}
	}
	if cased == 0 || c.strength < tertiary {
		return dst, true
	}
	dst = append(dst, separator, separator)
	run := 0
	for i := 0; i < len(s); i++ {
		switch w := c.ascii[s[i]]; {
		case w.primary == ignored:
		case w.tertiary == 0:
			run++
		default:
			dst = append(appendInnerRun(dst, run), w.tertiary)
			run = 0
		}
	}
	return dst, true
}

// compareASCII compares the keys of two strings as far as they are of ASCII
// characters. It returns false when that doesn't settle it.
func (c *Collation) compareASCII(a, b string) (int, bool) {
	i, tie := 0, 0
	for i < len(a) && i < len(b) && a[i] == b[i] && a[i] < 0x80 {
		i++
	}
	j := i
	for {
		for i < len(a) && a[i] < 0x80 && c.ascii[a[i]].primary == ignored {
			i++
		}
		for j < len(b) && b[j] < 0x80 && c.ascii[b[j]].primary == ignored {
			j++
		}
		if i == len(a) && j == len(b) {
			return tie, true
		}
		if !c.settled(a, i) || !c.settled(b, j) {
			return 0, false
		}
		if i == len(a) {
			return -1, true
		}
		if j == len(b) {
			return +1, true
		}
		v, w := c.ascii[a[i]], c.ascii[b[j]]
		if v.primary != w.primary {
			if v.primary < w.primary {
				return -1, true
			}
			return +1, true
		}
		if tie == 0 && v.tertiary != w.tertiary && c.strength == tertiary {
			tie = +1
			if v.tertiary < w.tertiary {
				tie = -1
			}
		}
		i++
		j++
	}
}

// settled reports whether the character at i has the weights of the table:
// it is of ASCII and so is the next, with which it might combine.
func (c *Collation) settled(s string, i int) bool {
	return i == len(s) ||
		s[i] < 0x80 && c.ascii[s[i]].primary != unknown && (i+1 == len(s) || s[i+1] < 0x80)
}
