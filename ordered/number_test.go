package ordered

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/document"
)

// nasty are numbers at the edges of what other systems hold.
var nasty = []string{
	"0", "-0", "0.0", "-0.000", "0e5", "0e-2147483648", "1", "1.0", "10e-1", "0.1e1", "-1", "9", "10", "11", "99", "100",
	"101", "999", "1000", "1234",
	"9007199254740991", "9007199254740992", "9007199254740993", "9007199254740992e0", "-9007199254740993",
	"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
	"18446744073709551615", "18446744073709551616", "18446744073709551615.5", "12345678901234567890123",
	"1e308", "1.7976931348623157e308", "1e309", "5e-324", "4e-324", "-5e-324", "2.2250738585072014e-308",
	"1e400", "-1e400", "1e-400", "-1e-400", "10e399", "0.01e402", "9.9e400",
	"99999999999999999999999999999999999999999999999999999999999999999", // 65 digits
	"99999999999999999999999999999999999999999999999999999999999999998.9",
	"-99999999999999999999999999999999999999999999999999999999999999999",
	"1e65", "1e66", "0.1", "0.10", "0.01", "0.001", "0.0009", "0.09", "0.9", "0.99", "0.999", "0.3", "0.30000000000000004",
	"0.33", "0.0000001",
	"1e2147483648", "-1e2147483648", "1e-2147483648", "-1e-2147483648", "1e2147483647", "12e2147483647", "1e-2147483647",
	"123456e2147483648", "0.0001e-2147483648",
	"1e160", "1e161", "1e162", "1e163", "1e-59", "1e-60", "1e-61", "1e-62", "1e-63", "1.5e-61",
}

func genLiteral() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		switch rapid.IntRange(0, 7).Draw(t, "form") {
		case 0:
			return rapid.SampledFrom(nasty).Draw(t, "nasty")
		case 1:
			return strconv.FormatInt(rapid.Int64().Draw(t, "int"), 10)
		case 2:
			return strconv.FormatUint(rapid.Uint64().Draw(t, "uint"), 10)
		case 3:
			f := rapid.Float64().Draw(t, "float")
			if math.IsInf(f, 0) || math.IsNaN(f) {
				f = 0
			}
			return strconv.FormatFloat(f, 'e', -1, 64)
		case 4: // about a nasty one
			n := rapid.SampledFrom([]int64{100, 10_000, 1 << 53, 1 << 62}).Draw(t, "near")
			return strconv.FormatInt(n+rapid.Int64Range(-3, 3).Draw(t, "plus"), 10) +
				rapid.SampledFrom([]string{"", ".0", ".5", "e0", "e2", "e-2"}).Draw(t, "suffix")
		default:
			return rapid.StringMatching(
				`-?(0|[1-9][0-9]{0,8})(\.[0-9]{1,6})?(e[+-]?([0-9]{1,2}|[0-9]{3}|214748364[0-8]))?`).Draw(t, "literal")
		}
	})
}

// exactly compares two numbers by arithmetic on big integers, independent of the code tested.
func exactly(t fataler, a, b string) int {
	ma, ea := mantissa(t, a)
	mb, eb := mantissa(t, b)
	if ma.Sign() != mb.Sign() || ma.Sign() == 0 {
		return compare(ma.Sign(), mb.Sign())
	}
	// The power of ten of the first digit decides, if it differs.
	pa, pb := ea+int64(len(new(big.Int).Abs(ma).String())), eb+int64(len(new(big.Int).Abs(mb).String()))
	if pa != pb {
		return compare(pa, pb) * ma.Sign()
	}
	if ea > eb {
		ma.Mul(ma, new(big.Int).Exp(big.NewInt(10), big.NewInt(ea-eb), nil))
	} else {
		mb.Mul(mb, new(big.Int).Exp(big.NewInt(10), big.NewInt(eb-ea), nil))
	}
	return ma.Cmp(mb)
}

type fataler interface{ Fatalf(string, ...any) }

func mantissa(t fataler, literal string) (*big.Int, int64) {
	digits, exponent, _ := strings.Cut(strings.ToLower(literal), "e")
	var e int64
	if exponent != "" {
		var err error
		if e, err = strconv.ParseInt(exponent, 10, 64); err != nil {
			t.Fatalf("%s: %v", literal, err)
		}
	}
	whole, fraction, _ := strings.Cut(digits, ".")
	m, ok := new(big.Int).SetString(whole+fraction, 10)
	if !ok {
		t.Fatalf("%s is no number", literal)
	}
	return m, e - int64(len(fraction))
}

func compare[T int | int64](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func encodeNumber(t fataler, literal string) []byte {
	b, err := AppendNumber(nil, literal)
	if err != nil {
		t.Fatalf("AppendNumber(%s): %v", literal, err)
	}
	return b
}

func checkNumbers(t fataler, a, b string) {
	ea, eb := encodeNumber(t, a), encodeNumber(t, b)
	want := exactly(t, a, b)
	if got := bytes.Compare(ea, eb); got != want {
		t.Fatalf("%s and %s compare %d, encoded %d\n% x\n% x", a, b, want, got, ea, eb)
	}
	if got := document.CompareNumbers(a, b); got != want {
		t.Fatalf("%s and %s compare %d, package document says %d", a, b, want, got)
	}
	if want != 0 && (bytes.HasPrefix(ea, eb) || bytes.HasPrefix(eb, ea)) {
		t.Fatalf("of %s and %s, one's encoding begins with the other's\n% x\n% x", a, b, ea, eb)
	}
}

func TestNastyNumbers(t *testing.T) {
	for _, a := range nasty {
		for _, b := range nasty {
			checkNumbers(t, a, b)
		}
	}
}

func TestNumbersOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkNumbers(t, genLiteral().Draw(t, "a"), genLiteral().Draw(t, "b"))
	})
}

// TestNumbersOrderRat has another judge: math/big's rationals.
func TestNumbersOrderRat(t *testing.T) {
	literal := rapid.StringMatching(
		`-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,20})?(e[+-]?[0-9]{1,2})?|-?(0|[1-9][0-9]{0,8})\.[0-9]{1,10}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := literal.Draw(t, "a"), literal.Draw(t, "b")
		ra, _ := new(big.Rat).SetString(a)
		rb, _ := new(big.Rat).SetString(b)
		if got := bytes.Compare(encodeNumber(t, a), encodeNumber(t, b)); got != ra.Cmp(rb) {
			t.Fatalf("%s and %s compare %d, encoded %d", a, b, ra.Cmp(rb), got)
		}
	})
}

func TestNumbersDecode(t *testing.T) {
	check := func(t fataler, literal string) {
		b := encodeNumber(t, literal)
		d, err := Decode(b, DecodeOptions{})
		if err != nil || d.Class != ClassNumber {
			t.Fatalf("Decode(% x) = %+v, %v", b, d, err)
		}
		if exactly(t, d.Text, literal) != 0 {
			t.Fatalf("%s is decoded as %s", literal, d.Text)
		}
		// Above document.MaxExponent by its first digit, a literal needs another spelling.
		if _, err := document.ParseDecimal(d.Text); err == nil && !bytes.Equal(encodeNumber(t, d.Text), b) {
			t.Fatalf("%s, decoded from %s, is encoded differently", d.Text, literal)
		}
		if _, rest, ok := decodeNumber(append(b[1:], "rest"...)); !ok || string(rest) != "rest" {
			t.Fatalf("% x doesn't know its end", b)
		}
		for n := range b {
			if _, err := Decode(b[:n], DecodeOptions{}); err == nil {
				t.Fatalf("the first %d bytes of % x are decoded", n, b)
			}
		}
	}
	for _, literal := range nasty {
		check(t, literal)
	}
	rapid.Check(t, func(t *rapid.T) { check(t, genLiteral().Draw(t, "literal")) })
}

// TestShortNumbers: the fast way gives the bytes of the other.
func TestShortNumbers(t *testing.T) {
	literal := rapid.StringMatching(`-?(0|[1-9][0-9]{0,9})(\.[0-9]{1,9})?`)
	rapid.Check(t, func(t *rapid.T) {
		s := literal.Draw(t, "literal")
		d, err := document.ParseDecimal(s)
		if err != nil {
			t.Fatalf("ParseDecimal(%s): %v", s, err)
		}
		want, err := appendDecimal(nil, d)
		if got := encodeNumber(t, s); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%s is % x, through its digits % x, %v", s, got, want, err)
		}
	})
}

// TestNumberForms: every way in gives the bytes of the literal.
func TestNumberForms(t *testing.T) {
	check := func(t fataler, what string, got []byte, literal string) {
		if want := encodeNumber(t, literal); !bytes.Equal(got, want) {
			t.Fatalf("%s %s: % x, the literal's % x", what, literal, got, want)
		}
	}
	checkInt := func(t fataler, n int64) {
		s := strconv.FormatInt(n, 10)
		check(t, "int", AppendInt(nil, n), s)
		check(t, "int with a point", AppendInt(nil, n), s+".00")
		if n != 0 {
			check(t, "int with an exponent", AppendInt(nil, n), s+"000e-3")
		}
	}
	checkFloat := func(t fataler, f float64) {
		b, err := AppendFloat(nil, f)
		if err != nil {
			t.Fatalf("AppendFloat(%v): %v", f, err)
		}
		check(t, "float", b, strconv.FormatFloat(f, 'f', -1, 64))
	}
	for shift := range 64 {
		for d := int64(-2); d <= 2; d++ {
			checkInt(t, int64(1)<<shift+d)
			checkInt(t, -(int64(1)<<shift)+d)
			u := uint64(1)<<shift + uint64(d)
			check(t, "uint", AppendUint(nil, u), strconv.FormatUint(u, 10))
			checkFloat(t, float64(int64(1)<<shift+d)/8)
		}
	}
	for n := int64(-12_000); n <= 12_000; n++ {
		checkInt(t, n)
	}
	for _, f := range []float64{0, math.Copysign(0, -1), 1 << 53, 1<<53 + 2, math.MaxFloat64, -math.MaxFloat64,
		math.SmallestNonzeroFloat64, 0.1, 1e21, 1e-7} {
		checkFloat(t, f)
	}
	rapid.Check(t, func(t *rapid.T) {
		checkInt(t, rapid.Int64().Draw(t, "int"))
		u := rapid.Uint64().Draw(t, "uint")
		check(t, "uint", AppendUint(nil, u), strconv.FormatUint(u, 10))
		if f := rapid.Float64().Draw(t, "float"); !math.IsInf(f, 0) && !math.IsNaN(f) {
			checkFloat(t, f)
		}
	})
}

func TestNumbersRefused(t *testing.T) {
	for _, literal := range []string{"", "-", "+1", "01", "1.", ".5", "1e", "0x10", "NaN", "1e99999999999",
		"1e-2147483649", "--1", "1 ", " 1", "1e2147483649", "٣", "1.2.3", "-.5", "-1.", "00.5", "1.5.",
		"0123456789012345678"} {
		if b, err := AppendNumber([]byte("kept"), literal); err == nil || string(b) != "kept" {
			t.Errorf("AppendNumber(%q) = %q, %v", literal, b, err)
		}
	}
	for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if _, err := AppendFloat(nil, f); err == nil {
			t.Errorf("AppendFloat(%v) fails with nothing", f)
		}
	}
}

func TestNumbersAreCompact(t *testing.T) {
	for literal, most := range map[string]int{"0": 1, "7": 2, "99": 2, "100": 2, "1999": 3, "10462": 4, "1000000": 2,
		"-7": 2, "0.5": 2, "3.14": 3, "1700000000000": 8, "9223372036854775807": 11, "40.7127281": 6} {
		if n := len(encodeNumber(t, literal)) - 1; n > most {
			t.Errorf("%s takes %d bytes, more than %d", literal, n, most)
		}
	}
}

func BenchmarkAppendNumber(b *testing.B) {
	for _, literal := range []string{"7", "10462", "1700000000000", "-73.856077", "9007199254740993", "1e400"} {
		b.Run(literal, func(b *testing.B) {
			var dst []byte
			b.ReportAllocs()
			for b.Loop() {
				dst, _ = AppendNumber(dst[:0], literal)
			}
		})
	}
}

func ExampleAppendNumber() {
	b, _ := AppendNumber(nil, "1.50e1")
	fmt.Printf("% x\n", b)
	// Output: 20 a3 1e
}
