package ordered

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
)

func mustCollation(t testing.TB, name string) *collation.Collation {
	t.Helper()
	c, ok := collation.Lookup(name)
	if !ok {
		t.Fatalf("no collation %s", name)
	}
	return c
}

func someCollations(t testing.TB) []*collation.Collation {
	return []*collation.Collation{collation.Default, collation.Binary,
		mustCollation(t, "utf8mb4_0900_ai_ci"), mustCollation(t, "utf8mb4_0900_as_ci"),
		mustCollation(t, "utf8mb4_sv_0900_as_cs")}
}

func genString() *rapid.Generator[string] {
	pieces := []string{"a", "A", "b", "z", "Z", "1", " ", ".", "é", "e\u0301", "\u0301", "ö", "ß", "\x00", "\x01", "\xff",
		"中", "😀", "l", "·", "\u200d", "aaaaaaaaaaaaaaaa"}
	return rapid.Custom(func(t *rapid.T) string {
		if rapid.Bool().Draw(t, "any") {
			return rapid.String().Draw(t, "s")
		}
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 8).Draw(t, "pieces"), "")
	})
}

func sign(n int) int { return min(1, max(-1, n)) }

// inKey is the encoding as kv/tuple puts it into a key, with something behind it.
func inKey(b []byte, then int64) []byte {
	return tuple.AppendInt(tuple.AppendBytes([]byte{0x15}, b), then)
}

func TestStringsOrder(t *testing.T) {
	cs := someCollations(t)
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom(cs).Draw(t, "collation")
		limit := rapid.SampledFrom([]int{0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 20}).Draw(t, "limit")
		a, b := genString().Draw(t, "a"), genString().Draw(t, "b")
		if rapid.Bool().Draw(t, "near") {
			b = a + b
		}
		ea, ta := AppendString(nil, c, a, limit)
		eb, tb := AppendString(nil, c, b, limit)
		want, got := c.Compare(a, b), bytes.Compare(ea, eb)
		if ta || tb {
			if limit == 0 {
				t.Fatal("truncated without a limit")
			}
			if got != 0 && got != want {
				t.Fatalf("%s, limit %d: %+q and %+q compare %d, encoded %d\n% x\n% x", c, limit, a, b, want, got, ea, eb)
			}
			if ta != tb && got == 0 {
				t.Fatalf("%s, limit %d: %+q and %+q, of which one is truncated, have the same bytes % x", c, limit, a, b, ea)
			}
		} else if got != want {
			t.Fatalf("%s: %+q and %+q compare %d, encoded %d\n% x\n% x", c, a, b, want, got, ea, eb)
		}
		if key := sign(bytes.Compare(inKey(ea, 1), inKey(eb, 1))); key != got {
			t.Fatalf("%+q and %+q: encoded %d, in a key %d", a, b, got, key)
		}
		if most := 2*limit + 2; limit > 0 && len(ea) > most {
			t.Fatalf("limit %d: %+q takes %d bytes", limit, a, len(ea))
		}
		d, err := Decode(ea, DecodeOptions{Collation: c, Limit: limit})
		if err != nil || d.Truncated != ta || !ta && d.Text != a {
			t.Fatalf("%s, limit %d: %+q, truncated %v, is decoded as %+v, %v", c, limit, a, ta, d, err)
		}
	})
}

// TestStringSpan checks what the doc comment derives for every comparison.
func TestStringSpan(t *testing.T) {
	cs := someCollations(t)
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom(cs).Draw(t, "collation")
		limit := rapid.SampledFrom([]int{0, 1, 2, 4, 8}).Draw(t, "limit")
		s, x := genString().Draw(t, "s"), genString().Draw(t, "x")
		switch rapid.IntRange(0, 3).Draw(t, "relation") {
		case 0:
			x = strings.ToUpper(s)
		case 1:
			x = s + "\x00"
		case 2:
			x = s + x
		}
		start, end, exact := StringSpan(c, s, limit)
		e, _ := AppendString(nil, c, x, limit)
		below, within := bytes.Compare(e, start) < 0, bytes.Compare(e, start) >= 0 && bytes.Compare(e, end) < 0
		equal := c.Equal(x, s)
		less := !equal && c.Compare(x, s) < 0
		bad := equal && !within || less && !below && !within || !less && below
		if exact {
			bad = bad || within != equal || below != less
		}
		if bad {
			t.Fatalf("%s, limit %d: %+q against %+q: equal %v, less %v; below the span %v, in it %v, exact %v", c, limit, x, s,
				equal, less, below, within, exact)
		}
	})
}

func TestPrefixSpan(t *testing.T) {
	cs := someCollations(t)
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom(cs).Draw(t, "collation")
		limit := rapid.SampledFrom([]int{0, 1, 2, 4, 8}).Draw(t, "limit")
		prefix, x := genString().Draw(t, "prefix"), genString().Draw(t, "x")
		if rapid.Bool().Draw(t, "begins") {
			x = prefix + x
		}
		start, end, exact := PrefixSpan(c, prefix, limit)
		e, _ := AppendString(nil, c, x, limit)
		within := bytes.Compare(e, start) >= 0 && bytes.Compare(e, end) < 0
		if begins := strings.HasPrefix(x, prefix); begins && !within || exact && within != begins {
			t.Fatalf("%s, limit %d: %+q begins with %+q: %v, in the span: %v, exact: %v", c, limit, x, prefix, begins, within,
				exact)
		}
		if c.IsBinary() && limit == 0 && !exact {
			t.Fatal("a prefix of bytes is not exact")
		}
	})
}

func genValue() *rapid.Generator[document.Value] {
	return rapid.Custom(func(t *rapid.T) document.Value {
		text := ""
		switch rapid.IntRange(0, 6).Draw(t, "type") {
		case 0:
			text = "null"
		case 1:
			text = rapid.SampledFrom([]string{"true", "false"}).Draw(t, "bool")
		case 2:
			text = rapid.SampledFrom([]string{"{}", "[]", `{"a":1}`, "[1]"}).Draw(t, "container")
		case 3, 4:
			text = genLiteral().Draw(t, "number")
		default:
			s := strings.ToValidUTF8(genString().Draw(t, "string"), "")
			v, err := document.StringValue(s)
			if err != nil {
				t.Fatalf("StringValue(%+q): %v", s, err)
			}
			return v
		}
		v, err := document.ParseValue([]byte(text), document.Limits{})
		if err != nil {
			t.Fatalf("ParseValue(%s): %v", text, err)
		}
		return v
	})
}

// TestValuesOrder is law 4 for JSON values of all types. Objects and arrays
// compare by their type only: their contents have entries of their own.
func TestValuesOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := genValue().Draw(t, "a"), genValue().Draw(t, "b")
		ea, _, err := AppendValue(nil, a, ValueOptions{})
		if err != nil {
			t.Fatalf("AppendValue(%s): %v", a, err)
		}
		eb, _, err := AppendValue(nil, b, ValueOptions{})
		if err != nil {
			t.Fatalf("AppendValue(%s): %v", b, err)
		}
		want := document.Compare(a, b, collation.Default)
		got := bytes.Compare(ea, eb)
		if container := a.Type() == b.Type() && (a.Type() == document.TypeArray ||
			a.Type() == document.TypeObject); container {
			return
		}
		if got != want {
			t.Fatalf("%s and %s compare %d, encoded %d\n% x\n% x", a, b, want, got, ea, eb)
		}
		if key := bytes.Compare(inKey(ea, 1), inKey(eb, 1)); key != got {
			t.Fatalf("%s and %s: encoded %d, in a key %d", a, b, got, key)
		}
		if got < 0 && bytes.Compare(inKey(ea, 9), inKey(eb, 1)) >= 0 {
			t.Fatalf("%s and %s: what follows in a key changes their order", a, b)
		}
	})
}

func TestClassesAreBounded(t *testing.T) {
	classes := []byte{ClassNull, ClassNumber, ClassString, ClassObject, ClassArray, ClassBool, ClassDate, ClassTime,
		ClassDatetime, ClassBytes}
	for i, class := range classes {
		if bytes.Compare(ClassStart(class), ClassEnd(class)) >= 0 {
			t.Errorf("class %x is empty", class)
		}
		if i > 0 && bytes.Compare(ClassEnd(classes[i-1]), ClassStart(class)) > 0 {
			t.Errorf("class %x begins before %x ends", class, classes[i-1])
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		v := genValue().Draw(t, "v")
		e, _, err := AppendValue(nil, v, ValueOptions{Limit: 4})
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Compare(e, ClassStart(e[0])) < 0 || bytes.Compare(e, ClassEnd(e[0])) >= 0 {
			t.Fatalf("% x is outside its class", e)
		}
	})
}

func TestTimes(t *testing.T) {
	type appender = func([]byte, string) ([]byte, error)
	for _, test := range []struct {
		name    string
		append  appender
		ordered []string
		refused []string
	}{
		{"date", AppendDate,
			[]string{"0000-00-00", "0000-00-01", "0001-01-01", "1969-12-31", "1970-01-01", "2024-00-00", "2024-02-28",
				"2024-02-29", "2024-03-01", "9999-12-31"},
			[]string{"", "2024-13-01", "2024-01-32", "24-01-01", "2024-1-1", "2024-01-01 ", "2024-01-01x", "20240101",
				"-2024-01-01"}},
		{"time", AppendTime,
			[]string{"-838:59:59.999999", "-838:59:59", "-100:00:00", "-01:00:00", "-00:00:01", "-00:00:00.000001", "00:00:00",
				"00:00:00.000001", "00:00:00.100000", "00:00:01", "23:59:59", "24:00:00", "99:00:00", "100:00:00", "838:59:59",
				"838:59:59.999999"},
			[]string{"", "1:00:00", "839:00:00", "00:60:00", "00:00:60", "00:00", "00:00:00.", "00:00:00.1234567", "+01:00:00",
				"--01:00:00", "0100:00:00"}},
		{"datetime", AppendDatetime,
			[]string{"0000-00-00 00:00:00", "1000-01-01 00:00:00", "2024-02-29 23:59:59", "2024-02-29 23:59:59.000001",
				"2024-02-29 23:59:59.999999", "2024-03-01 00:00:00", "9999-12-31 23:59:59.999999"},
			[]string{"", "2024-02-29", "2024-02-29T00:00:00", "2024-02-29 24:00:00", "2024-02-29 00:00", "2024-02-29 00:00:00Z",
				"2024-02-29 -1:00:00"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var previous []byte
			for _, s := range test.ordered {
				b, err := test.append(nil, s)
				if err != nil {
					t.Fatalf("%s: %v", s, err)
				}
				if bytes.Compare(previous, b) >= 0 || previous != nil && len(b) != len(previous) {
					t.Fatalf("%s: % x is not above % x, of the same length", s, b, previous)
				}
				if d, err := Decode(b, DecodeOptions{}); err != nil || d.Text != s {
					t.Fatalf("%s is decoded as %+v, %v", s, d, err)
				}
				previous = b
			}
			for _, s := range test.refused {
				if b, err := test.append([]byte("kept"), s); !errors.Is(err, ErrTime) || string(b) != "kept" {
					t.Errorf("%q: %q, %v", s, b, err)
				}
			}
		})
	}
	a, _ := AppendTime(nil, "01:00:00.1")
	if b, _ := AppendTime(nil, "01:00:00.100000"); !bytes.Equal(a, b) {
		t.Error("a tenth of a second depends on its spelling")
	}
}

// TestDecodeDamaged: no bytes make Decode panic, and those that it reads are
// what encoding the result gives.
func TestDecodeDamaged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOfN(rapid.Byte(), 0, 12).Draw(t, "bytes")
		if len(b) > 0 && rapid.Bool().Draw(t, "class") {
			b[0] = rapid.SampledFrom([]byte{ClassNull, ClassNumber, ClassString, ClassObject, ClassBool, ClassDate, ClassTime,
				ClassDatetime, ClassBytes}).Draw(t, "which")
		}
		d, err := Decode(b, DecodeOptions{})
		if err != nil {
			if !errors.Is(err, ErrEncoding) {
				t.Fatalf("Decode(% x): %v", b, err)
			}
			return
		}
		if d.Class == ClassNumber {
			if e, err := AppendNumber(nil, d.Text); err == nil && !bytes.Equal(e, b) {
				t.Fatalf("% x is read as %s, which is % x", b, d.Text, e)
			}
		}
	})
}

func BenchmarkAppendString(b *testing.B) {
	for _, s := range []string{"Bronx", "4f3a9c0d1e2b5a6978c0d1e2", "The quick brown fox jumps over the lazy dog."} {
		b.Run(fmt.Sprint(len(s)), func(b *testing.B) {
			var dst []byte
			b.ReportAllocs()
			for b.Loop() {
				dst, _ = AppendString(dst[:0], collation.Default, s, 256)
			}
		})
	}
}
