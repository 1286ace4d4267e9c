package value

import (
	"context"
	"math/big"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/document"
)

// A text of a few characters, 1e100000000, is a number of 40 megabytes as a DECIMAL. Reading a number of a million
// digits takes a time that grows with their square. No DECIMAL holds more than 65 digits, so any number beyond can
// stand for one far beyond.

const (
	plainNumberText = 300 // texts up to this length are left as they are, unless their exponent has four digits or more
	maxMagnitude    = 1000
)

// BoundedNumber is the text of a number that becomes a DECIMAL in little time. It is the same number, unless that is
// beyond every DECIMAL or has more digits than any: then another number that becomes the same DECIMAL. A text that is
// no number comes back as it is.
func BoundedNumber(text string) string {
	if exponent := strings.IndexAny(text, "eE"); len(text) <= plainNumberText &&
		(exponent < 0 || len(text)-exponent <= len("e+999")) {
		return text
	}
	sign, digits := "", strings.Trim(text, " \t\r\n")
	if negative, ok := strings.CutPrefix(digits, "-"); ok {
		sign, digits = "-", negative
	} else {
		digits = strings.TrimPrefix(digits, "+")
	}
	if strings.Trim(digits[:min(len(digits), 1)], ".0123456789") != "" {
		return text
	}
	if trimmed := strings.TrimLeft(digits, "0"); trimmed == "" || trimmed[0] < '1' || trimmed[0] > '9' {
		digits = "0" + trimmed
	} else {
		digits = trimmed
	}
	mantissa, exponent := digits, ""
	if at := strings.IndexAny(digits, "eE"); at >= 0 {
		mantissa, exponent = digits[:at], digits[at:]
	}
	mantissa = strings.TrimSuffix(mantissa, ".")
	if size := strings.TrimLeft(strings.TrimLeft(exponent, "eE"), "+-0"); len(size) > len("999999999") &&
		strings.Trim(size, "0123456789") == "" {
		exponent = exponent[:len(exponent)-len(size)] + "999999999" // of which no text has as many digits
	}
	d, err := document.ParseDecimal(mantissa + exponent)
	switch {
	case err != nil:
		return text
	case d.IsZero() || d.Exponent < -maxMagnitude:
		return "0"
	case d.Exponent > maxMagnitude:
		return sign + "1e" + strconv.Itoa(maxMagnitude)
	}
	digits = d.Whole + d.Fraction
	return sign + "0." + digits[:min(len(digits), 2*maxMagnitude)] + "e" + strconv.FormatInt(d.Exponent, 10)
}

// longDecimal is the decimal of a JSON number of many digits, all of them.
func longDecimal(literal string) (decimal.Decimal, bool) {
	d, err := document.ParseDecimal(literal)
	if err != nil {
		return decimal.Decimal{}, false
	}
	digits := d.Whole + d.Fraction
	n := numberOfDigits(digits)
	if d.Negative {
		n.Neg(n)
	}
	return decimal.NewFromBigInt(n, int32(d.Exponent)-int32(len(digits))), true
}

// numberOfDigits is the number of decimal digits. The library reads them one after the other, each into all before it.
func numberOfDigits(digits string) *big.Int {
	const few = 1000
	if len(digits) <= few {
		n, _ := new(big.Int).SetString("0"+digits, 10)
		return n
	}
	behind := len(digits) / 2
	n := numberOfDigits(digits[:len(digits)-behind])
	n.Mul(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(behind)), nil))
	return n.Add(n, numberOfDigits(digits[len(digits)-behind:]))
}

// AssignedDecimal is assignedType for declared DECIMALs.
type AssignedDecimal struct{ sql.DecimalType }

var _ sql.DecimalType = AssignedDecimal{}

// Convert implements sql.Type.
func (t AssignedDecimal) Convert(ctx context.Context, v interface{}) (interface{}, sql.ConvertInRange, error) {
	v, err := sql.UnwrapAny(ctx, v)
	if err != nil {
		return nil, sql.OutOfRange, err
	}
	switch text := v.(type) {
	case string:
		v = BoundedNumber(text)
	case []byte:
		v = BoundedNumber(string(text))
	}
	return t.DecimalType.Convert(ctx, v)
}
