package value

import (
	"strings"
	"testing"

	"github.com/shopspring/decimal"
)

// TestTamedNumber: numbers far beyond those of a DECIMAL become near ones, others stay what they are.
func TestTamedNumber(t *testing.T) {
	long := strings.Repeat("1", 400)
	for _, test := range []struct{ text, want string }{
		{"", ""}, {"0", "0"}, {"-1.50", "-1.50"}, {"1e308", "1e308"}, {"1e-300", "1e-300"}, {".5", ".5"}, {"x", "x"},
		{"1e1000", "1e1000"}, {"1e9999", "1e9999"}, {"1e-9999", "0"},
		{"1e100000000", "1e1000"}, {"-1e+100000000", "-1e1000"}, {"+1E100000000", "1e1000"},
		{"1e99999999999999999999", "1e1000"},
		{"1e-100000000", "0"}, {"-1e-99999999999999999999", "0"}, {"0e100000000", "0"}, {"0.000e50000", "0"},
		{"00012e50000", "1e1000"},
		{".5e-50000", "0"}, {"12.e1000000", "1e1000"}, {"0." + strings.Repeat("0", 5000) + "15e5002", "0.15e2"},
		{strings.Repeat("0", 500) + "7", "0.7e1"},
		{long, "0." + long + "e400"}, {"-" + long + ".25", "-0." + long + "25e400"},
		{strings.Repeat("9", 1_000_000), "1e1000"}, {"0." + strings.Repeat("3", 1_000_000),
			"0." + strings.Repeat("3", 2000) + "e0"},
		{"1e50000x", "1e50000x"}, {"e50000", "e50000"}, {"1e", "1e"}, {long + "x", long + "x"},
		{"1e100000000.5", "1e100000000.5"}, {"--1e50000", "--1e50000"},
	} {
		if got := BoundedNumber(test.text); got != test.want {
			t.Errorf("%.40q: %.40q, want %.40q", test.text, got, test.want)
		}
	}
}

// TestLongDecimal: what is read by halves is what is read digit by digit.
func TestLongDecimal(t *testing.T) {
	for _, literal := range []string{"0", "-0.0", "12", "1200", "-0.00125", "1e50", "-12.5e-3",
		strings.Repeat("1234567890", 1000) + ".5", "-0." + strings.Repeat("0", 3000) + strings.Repeat("9870", 2000)} {
		want, err := decimal.NewFromString(literal)
		if got, ok := longDecimal(literal); err != nil || !ok || !got.Equal(want) {
			t.Errorf("%.40s: %.40s, want %.40s", literal, got, want)
		}
	}
}
