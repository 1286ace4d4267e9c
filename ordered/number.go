package ordered

import (
	"fmt"
	"math"
	"strconv"

	"github.com/sqlfdb/sqlfdb/document"
)

// A number other than 0 is ±0.D1D2…Dn × 100^E with digits D of base 100, neither the first
// nor the last of them 0. Its payload is a header that holds sign and E, then the digits:
// 2D+1 for each but the last, 2D for the last. So the payload knows its end, and a number
// sorts before numbers that go on with further digits. All bytes of a negative number are
// inverted. Hardly any is 0x00, which a key would have to escape.
const (
	headerZero  = 0x80
	headerTiny  = 0x82 // E in the next four bytes
	headerE0    = 0xA2 // plus E
	headerHuge  = 0xF4 // E in the next four bytes
	minInline   = -30
	maxInline   = 80
	maxExponent = math.MaxInt32 // of 100: no literal that document accepts goes beyond
)

// AppendNumber appends a JSON number of any length, exactly: literals of the
// same value give the same bytes, and -0 is 0. It fails with ErrNumber when literal is no
// JSON number, or its exponent is beyond document.MaxExponent.
func AppendNumber(dst []byte, literal string) ([]byte, error) {
	if n, scale, flip, ok := shortNumber(literal); ok {
		return appendScaled(dst, n, scale, flip), nil
	}
	d, err := document.ParseDecimal(literal)
	if err != nil {
		return dst, fmt.Errorf("%w: %w", ErrNumber, err)
	}
	return appendDecimal(dst, d)
}

// shortNumber reads a number of up to 18 digits without an exponent: its
// value is n / 100^scale, negative where flip is 0xff.
func shortNumber(s string) (n uint64, scale int, flip byte, ok bool) {
	if len(s) > 0 && s[0] == '-' {
		flip, s = 0xff, s[1:]
	}
	if len(s) == 0 || len(s) > 19 || s[0] == '0' && len(s) > 1 && s[1] != '.' {
		return 0, 0, 0, false
	}
	point := len(s)
	for i := 0; i < len(s); i++ {
		c := s[i] - '0'
		if c > 9 {
			if s[i] != '.' || i == 0 || point < len(s) {
				return 0, 0, 0, false
			}
			point = i
			continue
		}
		n = n*10 + uint64(c)
	}
	if point == len(s) {
		return n, 0, flip, len(s) <= 18
	}
	digits := len(s) - point - 1
	if digits&1 != 0 {
		n *= 10
	}
	return n, (digits + 1) / 2, flip, digits > 0
}

func appendDecimal(dst []byte, d document.Decimal) ([]byte, error) {
	if d.IsZero() {
		return append(dst, ClassNumber, headerZero), nil
	}
	// An odd exponent leaves one decimal digit for D1.
	e := (d.Exponent + 1) >> 1
	if e > maxExponent || e < -maxExponent {
		return dst, fmt.Errorf("%w: exponent %d", ErrNumber, d.Exponent)
	}
	var flip byte
	if d.Negative {
		flip = 0xff
	}
	dst = appendHeader(append(dst, ClassNumber), e, flip)
	pair, half := byte(0), d.Exponent&1 != 0
	for _, digits := range [2]string{d.Whole, d.Fraction} {
		for i := 0; i < len(digits); i++ {
			c := digits[i] - '0'
			if half {
				dst = append(dst, (2*(pair+c)+1)^flip)
				pair = 0
			} else {
				pair = 10 * c
			}
			half = !half
		}
	}
	if half {
		dst = append(dst, (2*pair+1)^flip)
	}
	dst[len(dst)-1] ^= 1 // 2D+1 to 2D: the last digit
	return dst, nil
}

func appendHeader(dst []byte, e int64, flip byte) []byte {
	if e >= minInline && e <= maxInline {
		return append(dst, byte(headerE0+e)^flip)
	}
	header := byte(headerTiny)
	if e > 0 {
		header = headerHuge
	}
	biased := uint32(e + 1<<31)
	return append(dst, header^flip, byte(biased>>24)^flip, byte(biased>>16)^flip, byte(biased>>8)^flip, byte(biased)^flip)
}

// AppendInt appends an integer: the bytes of AppendNumber for its literal.
func AppendInt(dst []byte, n int64) []byte {
	if n < 0 {
		return appendInteger(dst, -uint64(n), 0xff)
	}
	return appendInteger(dst, uint64(n), 0)
}

// AppendUint appends an integer: the bytes of AppendNumber for its literal.
func AppendUint(dst []byte, n uint64) []byte { return appendInteger(dst, n, 0) }

func appendInteger(dst []byte, n uint64, flip byte) []byte { return appendScaled(dst, n, 0, flip) }

// appendScaled appends n / 100^scale.
func appendScaled(dst []byte, n uint64, scale int, flip byte) []byte {
	switch {
	case n == 0:
		return append(dst, ClassNumber, headerZero)
	case n < 100:
		return append(dst, ClassNumber, byte(headerE0+1-scale)^flip, byte(2*n)^flip)
	}
	var digits [10]byte // of base 100, the last first
	count := 0
	for ; n > 0; count++ {
		q := n / 100
		digits[count] = byte(n - q*100)
		n = q
	}
	last := 0
	for digits[last] == 0 {
		last++
	}
	dst = append(dst, ClassNumber, byte(headerE0+count-scale)^flip)
	for i := count - 1; i > last; i-- {
		dst = append(dst, (2*digits[i]+1)^flip)
	}
	return append(dst, (2*digits[last])^flip)
}

// AppendFloat appends the shortest decimal that reads as f, as MySQL prints it. It fails
// with ErrNumber for infinities and NaN.
func AppendFloat(dst []byte, f float64) ([]byte, error) {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return dst, fmt.Errorf("%w: %v", ErrNumber, f)
	}
	if n := int64(f); float64(n) == f && n > -1<<53 && n < 1<<53 {
		return AppendInt(dst, n), nil
	}
	var buf [32]byte
	return AppendNumber(dst, string(strconv.AppendFloat(buf[:0], f, 'e', -1, 64)))
}

// decodeNumber reads the payload of a number and returns its canonical literal and the
// bytes behind it: plain digits where the number is not very large or small, otherwise
// d.ddde±n.
func decodeNumber(b []byte) (literal string, rest []byte, ok bool) {
	if len(b) == 0 {
		return "", nil, false
	}
	if b[0] == headerZero {
		return "0", b[1:], true
	}
	var flip byte
	if b[0] < headerZero {
		flip = 0xff
	}
	header := b[0] ^ flip
	b = b[1:]
	e := int64(header) - headerE0
	switch {
	case header == headerTiny || header == headerHuge:
		if len(b) < 4 {
			return "", nil, false
		}
		e = int64(uint32(b[0]^flip)<<24|uint32(b[1]^flip)<<16|uint32(b[2]^flip)<<8|uint32(b[3]^flip)) - 1<<31
		b = b[4:]
		if (header == headerTiny && e >= minInline) || (header == headerHuge && e <= maxInline) {
			return "", nil, false
		}
	case e < minInline || e > maxInline:
		return "", nil, false
	}
	digits := make([]byte, 0, 24)
	for more := true; more; b = b[1:] {
		if len(b) == 0 {
			return "", nil, false
		}
		x := b[0] ^ flip
		d := x >> 1
		if d > 99 {
			return "", nil, false
		}
		digits = append(digits, '0'+d/10, '0'+d%10)
		more = x&1 != 0
	}
	e *= 2
	if digits[0] == '0' {
		digits = digits[1:]
		e--
	}
	if digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	if len(digits) == 0 || digits[0] == '0' || digits[len(digits)-1] == '0' {
		return "", nil, false
	}
	return string(appendLiteral(nil, digits, e, flip != 0)), b, true
}

// Numbers are written without an exponent while they have at most so many
// digits before the point, or zeros behind it.
const (
	plainDigits = 65 // MySQL's longest DECIMAL
	plainZeros  = 6
)

// appendLiteral writes ±0.digits × 10^e.
func appendLiteral(dst, digits []byte, e int64, negative bool) []byte {
	if negative {
		dst = append(dst, '-')
	}
	n := int64(len(digits))
	switch {
	case e > plainDigits || e < -plainZeros:
		dst = append(dst, digits[0])
		if n > 1 {
			dst = append(append(dst, '.'), digits[1:]...)
		}
		return strconv.AppendInt(append(dst, 'e'), e-1, 10)
	case e <= 0:
		dst = append(dst, '0', '.')
		for ; e < 0; e++ {
			dst = append(dst, '0')
		}
		return append(dst, digits...)
	case e < n:
		dst = append(append(dst, digits[:e]...), '.')
		return append(dst, digits[e:]...)
	}
	dst = append(dst, digits...)
	for ; e > n; e-- {
		dst = append(dst, '0')
	}
	return dst
}
