package document_test

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/document"
)

type foldCase struct{}

func (foldCase) Compare(a, b string) int {
	return strings.Compare(strings.ToLower(a), strings.ToLower(b))
}

// Compare is a total order.
func TestCompareIsOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c document.StringComparer
		if rapid.Bool().Draw(t, "fold case") {
			c = foldCase{}
		}
		var v [3]document.Value
		for i := range v {
			v[i] = drawValue(t, 2)
		}
		for _, x := range v {
			if document.Compare(x, x, c) != 0 {
				t.Fatalf("%s is not itself", x)
			}
			for _, y := range v {
				xy := document.Compare(x, y, c)
				if xy != -document.Compare(y, x, c) {
					t.Fatalf("%s and %s: %d and %d", x, y, xy, document.Compare(y, x, c))
				}
				for _, z := range v {
					if yz := document.Compare(y, z, c); xy <= 0 && yz <= 0 && document.Compare(x, z, c) != min(xy, yz) {
						t.Fatalf("%s %s %s %s, but %s %s %s", x, sign(xy), y, sign(yz)+" "+z.Text(), x, sign(document.Compare(x, z, c)),
							z)
					}
				}
			}
		}
	})
}

// CompareNumbers agrees with exact rational numbers, and so does the kind.
func TestNumbersAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := numbers().Draw(t, "a"), numbers().Draw(t, "b")
		x, okX := new(big.Rat).SetString(a)
		y, okY := new(big.Rat).SetString(b)
		if !okX || !okY {
			t.Fatalf("%s, %s", a, b)
		}
		if got := document.CompareNumbers(a, b); got != x.Cmp(y) {
			t.Fatalf("%s %s %s", a, sign(got), b)
		}
		d, err := document.ParseDecimal(a)
		if err != nil {
			t.Fatal(err)
		}
		again := fmt.Sprintf("0.%s%se%d", d.Whole, d.Fraction, d.Exponent)
		if d.Negative {
			again = "-" + again
		}
		if d.IsZero() {
			again = "0"
		}
		if z, _ := new(big.Rat).SetString(again); z == nil || z.Cmp(x) != 0 {
			t.Fatalf("%s taken apart is %s", a, again)
		}
		v, err := document.NumberValue(a)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := v.Kind(), referenceKind(a, x); got != want {
			t.Fatalf("%s is %s, want %s", a, got, want)
		}
	})
}

func referenceKind(literal string, value *big.Rat) document.Kind {
	if !strings.ContainsAny(literal, ".eE") {
		n := value.Num()
		switch {
		case new(big.Int).Abs(n).Cmp(big.NewInt(1<<53)) <= 0:
			return document.KindInt53
		case n.IsInt64():
			return document.KindInt64
		case n.IsUint64():
			return document.KindUint64
		case len(strings.TrimPrefix(literal, "-")) <= 65:
			return document.KindBigInt
		}
		return document.KindBigNum
	}
	f, _ := strconv.ParseFloat(literal, 64)
	shortest, ok := new(big.Rat).SetString(strconv.FormatFloat(f, 'g', -1, 64))
	if ok && shortest.Cmp(value) == 0 {
		return document.KindFloat
	}
	return document.KindBigNum
}

// Every finite float64 becomes a number of KindFloat that reads back as itself.
func TestFloatValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := math.Float64frombits(rapid.Uint64().Draw(t, "bits"))
		v, err := document.FloatValue(f)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			if !errors.Is(err, document.ErrNumber) {
				t.Fatalf("%v: %v", f, err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		checked, err := document.NumberValue(v.Text())
		if err != nil || checked.Kind() != document.KindFloat {
			t.Fatalf("%v is %s of kind %s, %v", f, v, checked.Kind(), err)
		}
		if back, err := strconv.ParseFloat(v.Number(), 64); err != nil || back != f {
			t.Fatalf("%v is %s, which reads as %v", f, v, back)
		}
	})
}

// Strings and keys survive quoting.
func TestStringValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, name := rapid.String().Draw(t, "s"), rapid.String().Draw(t, "name")
		v, err := document.StringValue(s)
		if err != nil {
			t.Fatal(err)
		}
		d, err := document.NewObject().Add(name, v).Add(name+"x", document.ArrayValue(v, document.Value{})).Document()
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := document.Parse(d.Raw(), document.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		found, _ := parsed.Member(name)
		if v.Str() != s || found.Str() != s || string(found.AppendStr([]byte("."))) != "."+s {
			t.Fatalf("%q became %s", s, d)
		}
	})
}
