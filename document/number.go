package document

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Decimal is a parsed literal of a number: its value is
// 0.WholeFraction × 10^Exponent, with the digits of Whole and Fraction written
// one after the other. Neither the first digit nor the last is a zero; zero
// itself has no digits, Exponent 0 and is not negative. Whole and Fraction are
// parts of the literal.
type Decimal struct {
	Negative        bool
	Whole, Fraction string
	Exponent        int64
}

// IsZero reports whether the number is zero.
func (d Decimal) IsZero() bool { return d.Whole == "" && d.Fraction == "" }

// ParseDecimal parses a JSON number. It fails with ErrNumber when literal
// is none, or has an exponent beyond MaxExponent.
func ParseDecimal(literal string) (Decimal, error) {
	if err := checkNumber(literal); err != nil {
		return Decimal{}, err
	}
	return decompose(literal), nil
}

// checkNumber fails with ErrNumber when literal is not a JSON number.
func checkNumber(literal string) error {
	if literal == "" || literal[0] != '-' && !isDigit(literal[0]) {
		return fmt.Errorf("%w: %s", ErrNumber, quoteForMessage(literal))
	}
	end, err := scanNumber(literal, 0)
	if err != nil {
		return fmt.Errorf("%w: %s: %s", ErrNumber, quoteForMessage(literal), err.(*SyntaxError).Message)
	}
	if end != len(literal) {
		return fmt.Errorf("%w: %s", ErrNumber, quoteForMessage(literal))
	}
	return nil
}

// decompose is ParseDecimal for a valid JSON number.
func decompose(literal string) Decimal {
	var d Decimal
	rest := literal
	if strings.HasPrefix(rest, "-") {
		d.Negative = true
		rest = rest[1:]
	}
	i := 0
	for i < len(rest) && isDigit(rest[i]) {
		i++
	}
	d.Whole, rest = rest[:i], rest[i:]
	if len(rest) > 0 && rest[0] == '.' {
		i = 1
		for i < len(rest) && isDigit(rest[i]) {
			i++
		}
		d.Fraction, rest = rest[1:i], rest[i:]
	}
	if len(rest) > 1 {
		d.Exponent = parseExponent(rest[1:])
	}

	for len(d.Whole) > 0 && d.Whole[0] == '0' {
		d.Whole = d.Whole[1:]
	}
	d.Exponent += int64(len(d.Whole))
	for d.Whole == "" && len(d.Fraction) > 0 && d.Fraction[0] == '0' {
		d.Fraction = d.Fraction[1:]
		d.Exponent--
	}
	d.Fraction = trimZeros(d.Fraction)
	if d.Fraction == "" {
		if d.Whole = trimZeros(d.Whole); d.Whole == "" {
			return Decimal{}
		}
	}
	return d
}

func trimZeros(digits string) string {
	for len(digits) > 0 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	return digits
}

func parseExponent(s string) int64 {
	negative := false
	if s[0] == '+' || s[0] == '-' {
		negative = s[0] == '-'
		s = s[1:]
	}
	var n int64
	for i := 0; i < len(s) && isDigit(s[i]) && n <= MaxExponent; i++ {
		n = n*10 + int64(s[i]-'0')
	}
	if negative {
		return -n
	}
	return n
}

// CompareNumbers compares the values of two JSON numbers exactly, of any digits and
// exponents, and returns -1, 0 or 1. It allocates nothing.
func CompareNumbers(a, b string) int {
	if a == b {
		return 0
	}
	return compareDecimals(decompose(a), decompose(b))
}

func compareDecimals(x, y Decimal) int {
	if c := cmp.Compare(x.sign(), y.sign()); c != 0 || x.IsZero() {
		return c
	}
	c := cmp.Compare(x.Exponent, y.Exponent)
	if c == 0 {
		c = compareDigits(x.Whole, x.Fraction, y.Whole, y.Fraction)
	}
	if x.Negative {
		return -c
	}
	return c
}

func (d Decimal) sign() int {
	switch {
	case d.IsZero():
		return 0
	case d.Negative:
		return -1
	}
	return 1
}

// compareDigits compares aw followed by af with bw followed by bf.
func compareDigits(aw, af, bw, bf string) int {
	for {
		if aw == "" {
			aw, af = af, ""
		}
		if bw == "" {
			bw, bf = bf, ""
		}
		n := min(len(aw), len(bw))
		if n == 0 {
			return cmp.Compare(len(aw), len(bw))
		}
		if c := strings.Compare(aw[:n], bw[:n]); c != 0 {
			return c
		}
		aw, bw = aw[n:], bw[n:]
	}
}

// numberKind is the kind of a JSON number by its literal.
func numberKind(literal string) Kind {
	digits := literal
	negative := len(digits) > 0 && digits[0] == '-'
	if negative {
		digits = digits[1:]
	}
	for i := 0; i < len(digits); i++ {
		if !isDigit(digits[i]) {
			return fractionKind(literal)
		}
	}
	// JSON's integers have no leading zeros, so their length orders them first.
	switch n := len(digits); {
	case n < 16 || n == 16 && digits <= "9007199254740992":
		return KindInt53
	case n < 19 || n == 19 && digits <= "9223372036854775807" || negative && digits == "9223372036854775808":
		return KindInt64
	case !negative && (n == 19 || n == 20 && digits <= "18446744073709551615"):
		return KindUint64
	case n <= 65:
		return KindBigInt
	}
	return KindBigNum
}

// fractionKind is the kind of a number with a point or an exponent. It is KindFloat if the
// literal is exactly as the nearest float64 prints.
func fractionKind(literal string) Kind {
	d := decompose(literal)
	n := len(d.Whole) + len(d.Fraction)
	switch {
	// Up to 15 digits, no two decimals share a float64, so its shortest
	// spelling is this one. Normal float64 reach from 2.2e-308 to 1.7e308.
	case n <= 15 && (n == 0 || -300 < d.Exponent && d.Exponent < 300):
		return KindFloat
	// No shortest spelling has more than 17 digits.
	case n > 17 || d.Exponent > 310 || d.Exponent < -330:
		return KindBigNum
	}
	f, err := strconv.ParseFloat(literal, 64)
	if err != nil {
		return KindBigNum
	}
	var buf [32]byte
	shortest := strconv.AppendFloat(buf[:0], f, 'e', -1, 64)
	if compareDecimals(d, decompose(string(shortest))) != 0 {
		return KindBigNum
	}
	return KindFloat
}
