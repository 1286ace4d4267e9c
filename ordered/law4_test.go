package ordered

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
)

// Law 4: the sign of bytes.Compare of two encodings is the sign of SQL's
// comparison. The values are models, compared by the fields that make them,
// and not by code that the encoder uses. Only strings are compared by package
// collation; its own tests hold that against x/text.

// modelKind is a type of SQL or JSON, in the order of the classes.
type modelKind int

const (
	modelNull modelKind = iota
	modelNumber
	modelString
	modelObject
	modelArray
	modelBool
	modelDate
	modelTime
	modelDatetime
	modelBytes
	modelKinds
)

// modelValue is a value by its fields.
type modelValue struct {
	kind     modelKind
	number   string
	text     string
	yes      bool
	negative bool
	clock    [7]int // year, month, day, hours, minutes, seconds, microseconds
	raw      []byte
}

// String is what failures show.
func (v modelValue) String() string {
	switch v.kind {
	case modelNumber:
		return v.number
	case modelString:
		return strconv.QuoteToASCII(v.text)
	case modelBool:
		return strconv.FormatBool(v.yes)
	case modelDate, modelTime, modelDatetime:
		return v.spelled()
	case modelBytes:
		return "x'" + hex.EncodeToString(v.raw) + "'"
	}
	return [...]string{modelNull: "null", modelObject: "{}", modelArray: "[]"}[v.kind]
}

// spelled is a date or time as documents have it.
func (v modelValue) spelled() string {
	c := v.clock
	date := fmt.Sprintf("%04d-%02d-%02d", c[0], c[1], c[2])
	clock := fmt.Sprintf("%02d:%02d:%02d", c[3], c[4], c[5])
	if c[6] != 0 {
		clock += strings.TrimRight(fmt.Sprintf(".%06d", c[6]), "0")
	}
	switch v.kind {
	case modelDate:
		return date
	case modelDatetime:
		return date + " " + clock
	}
	if v.negative {
		clock = "-" + clock
	}
	return clock
}

// encode is the code tested.
func (v modelValue) encode(t fataler, c *collation.Collation, limit int) (out []byte, truncated bool) {
	var err error
	switch v.kind {
	case modelNull:
		out = AppendNull(nil)
	case modelNumber:
		out, err = AppendNumber(nil, v.number)
	case modelString:
		out, truncated = AppendString(nil, c, v.text, limit)
	case modelObject:
		out = AppendContainer(nil, ClassObject, ContainerIndexed)
	case modelArray:
		out = AppendContainer(nil, ClassArray, ContainerIndexed)
	case modelBool:
		out = AppendBool(nil, v.yes)
	case modelDate:
		out, err = AppendDate(nil, v.spelled())
	case modelTime:
		out, err = AppendTime(nil, v.spelled())
	case modelDatetime:
		out, err = AppendDatetime(nil, v.spelled())
	case modelBytes:
		out = AppendBytes(nil, v.raw)
	}
	if err != nil {
		t.Fatalf("%s: %v", v, err)
	}
	return out, truncated
}

// compareModels is SQL's comparison. Objects are equal to each other, and so
// are arrays: what they hold has entries of its own.
func compareModels(t fataler, c *collation.Collation, a, b modelValue) int {
	if a.kind != b.kind {
		return cmp.Compare(a.kind, b.kind)
	}
	switch a.kind {
	case modelNumber:
		return exactly(t, a.number, b.number)
	case modelString:
		if c.IsBinary() {
			return strings.Compare(a.text, b.text)
		}
		return cmp.Or(c.CompareKeys(a.text, b.text), strings.Compare(a.text, b.text))
	case modelBool:
		switch {
		case a.yes == b.yes:
			return 0
		case a.yes:
			return 1
		}
		return -1
	case modelDate, modelTime, modelDatetime:
		sign := func(v modelValue) int {
			switch {
			case v.clock == [7]int{}:
				return 0
			case v.negative:
				return -1
			}
			return 1
		}
		if sa, sb := sign(a), sign(b); sa != sb || sa == 0 {
			return cmp.Compare(sa, sb)
		}
		for i := range a.clock {
			if r := cmp.Compare(a.clock[i], b.clock[i]); r != 0 {
				return r * sign(a)
			}
		}
	case modelBytes:
		return bytes.Compare(a.raw, b.raw)
	}
	return 0
}

// texts are pieces of strings whose order, or whose bytes in a key, are out of
// the ordinary.
var texts = []string{"a", "A", "b", "z", "Z", "ab", "0", "9", " ", "-", ".", "'", `"`, "%", "_", "é", "É", "e\u0301",
	"\u0301", "\u0316", "ö", "å", "ß", "ss", "æ", "ch", "lj", "ñ", "i", "ı", "İ",
	"\x00", "\x00\xff", "\x01", "\x7f", "\u00ff", "\u0100", "\ufffd", "\uffff", "\U00010000", "\U0010fffe", "\U0010ffff",
	"中", "国", "가", "か\u3099", "א", "ا", "😀", "\u200d", "\u200b",
	"\xff", "\xfe\xff", "\xc3", "\xed\xa0\x80"}

// genLawText draws a string; near is one that it may resemble, and limit the
// length about which long ones end.
func genLawText(t *rapid.T, near string, limit int) string {
	pieces := func(label string, n int) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(texts), 0, n).Draw(t, label), "")
	}
	switch rapid.IntRange(0, 6).Draw(t, "form") {
	case 0:
		return rapid.String().Draw(t, "any")
	case 1: // a long beginning that many share
		n := max(0, limit+rapid.IntRange(-4, 4).Draw(t, "about"))
		return strings.Repeat(rapid.SampledFrom([]string{"a", "é", "中", "\x00"}).Draw(t, "of"), n) + pieces("end", 2)
	case 2:
		return near + pieces("more", 2)
	case 3:
		cut := rapid.IntRange(0, len(near)).Draw(t, "cut")
		return near[:cut] + pieces("else", 2)
	case 4:
		return strings.ToUpper(near)
	}
	return pieces("pieces", 6)
}

// genLawNumber draws a number; near is one that it may resemble.
func genLawNumber(t *rapid.T, near string) string {
	extends := strings.Trim(near, "-0") != "" && !strings.ContainsAny(near, ".eE")
	switch rapid.IntRange(0, 5).Draw(t, "number") {
	case 0: // up to 65 digits, and more
		return rapid.StringMatching(`-?[1-9][0-9]{0,69}(\.[0-9]{1,40})?`).Draw(t, "long")
	case 1:
		return rapid.StringMatching(
			`-?(0|[1-9][0-9]{0,3})(\.[0-9]{1,4})?[eE][+-]?(214748364[0-8]|[0-9]{1,4}|1[56][0-9])`).Filter(func(s string) bool {
			_, err := AppendNumber(nil, s)
			return err == nil
		}).Draw(t, "exponent")
	case 2: // the same digits and more
		if extends {
			return near + rapid.SampledFrom([]string{".0", ".000000000000000000000000000000000000001", "e0", "0", "1",
				".5"}).Draw(t, "tail")
		}
	case 3: // the same number, spelled in another way
		if extends {
			return near + "000e-3"
		}
	}
	return genLiteral().Draw(t, "literal")
}

// genModel draws a value of one of the kinds.
func genModel(t *rapid.T, near modelValue, limit int, kinds ...modelKind) modelValue {
	v := modelValue{kind: rapid.SampledFrom(kinds).Draw(t, "kind")}
	switch v.kind {
	case modelNumber:
		v.number = genLawNumber(t, near.number)
	case modelString:
		v.text = genLawText(t, near.text, limit)
	case modelBool:
		v.yes = rapid.Bool().Draw(t, "yes")
	case modelDate, modelTime, modelDatetime:
		v.clock = near.clock
		v.negative = v.kind == modelTime && rapid.Bool().Draw(t, "negative")
		most := [7]int{9999, 12, 31, 23, 59, 59, 999_999}
		if v.kind == modelTime {
			most = [7]int{3: 838, 4: 59, 5: 59, 6: 999_999}
		} else if v.kind == modelDate {
			most = [7]int{9999, 12, 31}
		}
		for i := range v.clock {
			v.clock[i] = min(v.clock[i], most[i])
			if rapid.Bool().Draw(t, "other") {
				v.clock[i] = rapid.OneOf(rapid.IntRange(0, min(2, most[i])), rapid.IntRange(0, most[i])).Draw(t, "field")
			}
		}
	case modelBytes:
		v.raw = rapid.SliceOfN(rapid.SampledFrom([]byte{0, 1, 2, 0x7f, 0x80, 0xfe, 0xff}), 0, 6).Draw(t, "bytes")
	}
	return v
}

func allKinds() []modelKind {
	var out []modelKind
	for k := range modelKinds {
		out = append(out, k, k)
	}
	return append(out, modelNumber, modelNumber, modelString, modelString, modelString)
}

// checkLaw is the law for two values, alone and as parts of a tuple.
func checkLaw(t fataler, c *collation.Collation, limit int, a, b modelValue) {
	ea, ta := a.encode(t, c, limit)
	eb, tb := b.encode(t, c, limit)
	want, got := sign(compareModels(t, c, a, b)), sign(bytes.Compare(ea, eb))
	fail := func(what string) {
		t.Fatalf("%s, limit %d: %s: %s and %s compare %d, encoded %d\n% x\n% x", c, limit, what, a, b, want, got, ea, eb)
	}
	switch {
	case !ta && !tb && got != want:
		fail("order")
	case got != 0 && got != want:
		fail("order of truncated values")
	case got == 0 && want != 0 && !(ta && tb) && a.kind == modelString:
		fail("a whole value shares its bytes with another")
	}
	// What is equal by its bytes is equal in SQL, and the span of one value holds
	// all that are.
	if a.kind == modelString && b.kind == modelString {
		start, end, _ := StringSpan(c, a.text, limit)
		if within := bytes.Compare(eb, start) >= 0 && bytes.Compare(eb, end) < 0; c.Equal(a.text, b.text) && !within {
			fail("equal, but outside of the span")
		}
	}
	// The escaping of a tuple keeps the order, whatever follows.
	for _, then := range [][2]int64{{1, 1}, {1, 2}, {9, -9}} {
		order := got
		if order == 0 {
			order = cmp.Compare(then[0], then[1])
		}
		if key := bytes.Compare(inKey(ea, then[0]), inKey(eb, then[1])); key != order {
			t.Fatalf("%s, limit %d: %s then %d and %s then %d: in a key %d, want %d", c, limit, a, then[0], b, then[1], key,
				order)
		}
	}
	// In two parts of a key, the first decides.
	ka, kb := tuple.AppendBytes(tuple.AppendBytes(nil, ea), eb), tuple.AppendBytes(tuple.AppendBytes(nil, eb), ea)
	if two := bytes.Compare(ka, kb); two != got {
		t.Fatalf("%s, limit %d: (%s, %s) and back: in a key %d, want %d", c, limit, a, b, two, got)
	}
}

// lawLimits are limits of strings: none, ones that cut everything, and the one
// that tables have.
var lawLimits = []int{0, 0, 1, 2, 3, 5, 8, 16, 256}

// TestLaw4 is the law over all kinds of values. rapid prints the seed of a failure.
func TestLaw4(t *testing.T) {
	kinds := allKinds()
	cs := someCollations(t)
	rapid.Check(t, func(t *rapid.T) {
		c := cs[rapid.IntRange(0, len(cs)-1).Draw(t, "collation")]
		limit := rapid.SampledFrom(lawLimits).Draw(t, "limit")
		a := genModel(t, modelValue{}, limit, kinds...)
		b := genModel(t, a, limit, kinds...)
		checkLaw(t, c, limit, a, b)
	})
}

// TestLaw4OfOneKind: most pairs of TestLaw4 differ by their class already.
func TestLaw4OfOneKind(t *testing.T) {
	for kind, name := range map[modelKind]string{modelNumber: "number", modelDate: "date", modelTime: "time",
		modelDatetime: "datetime", modelBytes: "bytes"} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				a := genModel(t, modelValue{}, 0, kind)
				checkLaw(t, collation.Default, 0, a, genModel(t, a, 0, kind))
			})
		})
	}
}

// TestLaw4OfStrings is the law for the strings of every collation.
func TestLaw4OfStrings(t *testing.T) {
	for _, c := range everyCollation(t) {
		t.Run(c.Name(), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				limit := rapid.SampledFrom(lawLimits).Draw(t, "limit")
				a := genModel(t, modelValue{}, limit, modelString)
				checkLaw(t, c, limit, a, genModel(t, a, limit, modelString))
			})
		})
	}
}

// everyCollation is every collation that is offered, by MySQL's names.
func everyCollation(t testing.TB) []*collation.Collation {
	names := []string{"binary", "utf8mb4_bin", "utf8mb4_0900_bin", "utf8mb4_0900_ai_ci", "utf8mb4_0900_as_ci",
		"utf8mb4_0900_as_cs", "utf8mb4_ja_0900_as_cs"}
	for _, l := range []string{"bs", "cs", "da", "de_pb", "eo", "es", "et", "hr", "hu", "is", "lt", "lv", "nb", "nn", "pl",
		"ro", "ru", "sk", "sl", "sr_latn", "sv", "tr", "vi"} {
		names = append(names, "utf8mb4_"+l+"_0900_ai_ci", "utf8mb4_"+l+"_0900_as_cs")
	}
	var out []*collation.Collation
	for _, name := range names {
		out = append(out, mustCollation(t, name))
	}
	return out
}

// TestLaw4ShowsAnError: the check fails for an encoding that is out of order.
func TestLaw4ShowsAnError(t *testing.T) {
	var r recorded
	ci := mustCollation(t, "utf8mb4_0900_ai_ci")
	// Encoded in one collation and compared in another.
	a, b := modelValue{kind: modelString, text: "B"}, modelValue{kind: modelString, text: "a"}
	ea, _ := a.encode(&r, collation.Binary, 0)
	eb, _ := b.encode(&r, collation.Binary, 0)
	if bytes.Compare(ea, eb) == compareModels(&r, ci, a, b) {
		t.Error("the order of bytes is taken for the order of letters")
	}
	if !utf8.ValidString(a.String()) || r.failed {
		t.Error("values can't be shown")
	}
}

type recorded struct{ failed bool }

func (r *recorded) Fatalf(string, ...any) { r.failed = true }
