package document

import (
	"fmt"
	"unicode/utf8"
)

// AppendQuoted appends s as a JSON string with the fewest escapes: only for
// '"', '\' and control characters below U+0020. It fails with ErrString when s
// is not valid UTF-8.
func AppendQuoted(dst []byte, s string) ([]byte, error) {
	if !utf8.ValidString(s) {
		for i := 0; i < len(s); {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size <= 1 {
				return dst, fmt.Errorf("%w: byte 0x%02x at offset %d", ErrString, s[i], i)
			}
			i += size
		}
	}
	return appendQuoted(dst, s), nil
}

// appendQuoted is AppendQuoted for valid UTF-8.
func appendQuoted(dst []byte, s string) []byte {
	const digits = "0123456789abcdef"
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, s[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\f':
			dst = append(dst, '\\', 'f')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		}
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

// appendUnescaped appends the string whose JSON spelling, without the quotes,
// is s. It never fails: s was checked by the scanner.
func appendUnescaped(dst []byte, s string) []byte {
	for i := 0; i < len(s); {
		c := s[i]
		if c != '\\' || i+1 >= len(s) {
			dst = append(dst, c)
			i++
			continue
		}
		i += 2
		switch c = s[i-1]; c {
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			r := hex4(s, i)
			i += 4
			if 0xd800 <= r && r < 0xdc00 {
				low := hex4(s, i+2)
				r = 0x10000 + (r-0xd800)<<10 + (low - 0xdc00)
				i += 6
			}
			dst = utf8.AppendRune(dst, r)
		default: // '"', '\\', '/'
			dst = append(dst, c)
		}
	}
	return dst
}

// hex4 reads four hexadecimal digits at i; missing ones count as zeros.
func hex4(s string, i int) rune {
	var r rune
	for j := i; j < i+4; j++ {
		r <<= 4
		if j < len(s) {
			r |= max(hexDigit(s[j]), 0)
		}
	}
	return r
}
