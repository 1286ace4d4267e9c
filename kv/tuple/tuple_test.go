package tuple_test

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"errors"
	"math"
	"math/big"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/kv/tuple"
)

func bigInt(s string) *big.Int {
	i, ok := new(big.Int).SetString(s, 0)
	if !ok {
		panic(s)
	}
	return i
}

// examples holds the test cases of the specification first, then what its
// text says of each type.
var examples = []struct {
	tuple  tuple.Tuple
	packed string
}{
	{tuple.Tuple{[]byte("foo\x00bar")}, "\x01foo\x00\xffbar\x00"},
	{tuple.Tuple{"F\u00d4O\u0000bar"}, "\x02F\xc3\x94O\x00\xffbar\x00"},
	{tuple.Tuple{tuple.Tuple{[]byte("foo\x00bar"), nil, tuple.Tuple{}}}, "\x05\x01foo\x00\xffbar\x00\x00\xff\x05\x00\x00"},
	{tuple.Tuple{int64(-5551212)}, "\x11\xabK\x93"},
	{tuple.Tuple{float32(-42)}, "\x20\x3d\xd7\xff\xff"},
	{tuple.Tuple{tuple.Tuple{}}, "\x05\x00"},
	{tuple.Tuple{tuple.Tuple{nil}}, "\x05\x00\xff\x00"},
	{tuple.Tuple{int64(-1)}, "\x13\xfe"},

	{tuple.Tuple{}, ""},
	{tuple.Tuple{nil}, "\x00"},
	{tuple.Tuple{nil, nil}, "\x00\x00"},
	{tuple.Tuple{[]byte{}, ""}, "\x01\x00\x02\x00"},
	{tuple.Tuple{"\x00", "\x00\xff", "\xff\x00"}, "\x02\x00\xff\x00\x02\x00\xff\xff\x00\x02\xff\x00\xff\x00"},
	{tuple.Tuple{int64(0)}, "\x14"},
	{tuple.Tuple{int64(1)}, "\x15\x01"},
	{tuple.Tuple{int64(255)}, "\x15\xff"},
	{tuple.Tuple{int64(256)}, "\x16\x01\x00"},
	{tuple.Tuple{int64(-255)}, "\x13\x00"},
	{tuple.Tuple{int64(-256)}, "\x12\xfe\xff"},
	{tuple.Tuple{int64(math.MaxInt64)}, "\x1c\x7f\xff\xff\xff\xff\xff\xff\xff"},
	{tuple.Tuple{uint64(math.MaxUint64)}, "\x1c\xff\xff\xff\xff\xff\xff\xff\xff"},
	{tuple.Tuple{int64(math.MinInt64)}, "\x0c\x7f\xff\xff\xff\xff\xff\xff\xff"},
	{tuple.Tuple{bigInt("-0x8000000000000001")}, "\x0c\x7f\xff\xff\xff\xff\xff\xff\xfe"},
	{tuple.Tuple{bigInt("-0xffffffffffffffff")}, "\x0c\x00\x00\x00\x00\x00\x00\x00\x00"},
	{tuple.Tuple{bigInt("0x10000000000000000")}, "\x1d\x09\x01\x00\x00\x00\x00\x00\x00\x00\x00"},
	{tuple.Tuple{bigInt("-0x10000000000000000")}, "\x0b\xf6\xfe\xff\xff\xff\xff\xff\xff\xff\xff"},
	{tuple.Tuple{float64(0)}, "\x21\x80\x00\x00\x00\x00\x00\x00\x00"},
	{tuple.Tuple{math.Copysign(0, -1)}, "\x21\x7f\xff\xff\xff\xff\xff\xff\xff"},
	{tuple.Tuple{math.Inf(-1)}, "\x21\x00\x0f\xff\xff\xff\xff\xff\xff"},
	{tuple.Tuple{1.5}, "\x21\xbf\xf8\x00\x00\x00\x00\x00\x00"},
	{tuple.Tuple{float32(math.Inf(1))}, "\x20\xff\x80\x00\x00"},
	{tuple.Tuple{false, true}, "\x26\x27"},
	{tuple.Tuple{tuple.UUID{0: 1, 15: 2}}, "\x30\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02"},
	{tuple.Tuple{tuple.Versionstamp{Transaction: [10]byte{7: 1, 9: 2}, User: 0x0304}},
		"\x33\x00\x00\x00\x00\x00\x00\x00\x01\x00\x02\x03\x04"},
	{tuple.Tuple{tuple.Incomplete(5)}, "\x33\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x05"},
	{tuple.Tuple{tuple.Tuple{tuple.Tuple{int64(0), nil}, "a"}, nil}, "\x05\x05\x14\x00\xff\x00\x02a\x00\x00\x00"},
}

func TestExamples(t *testing.T) {
	for _, e := range examples {
		got := e.tuple.Pack()
		if string(got) != e.packed {
			t.Errorf("%v: packed %x, want %x", e.tuple, got, e.packed)
		}
		back, err := tuple.Unpack([]byte(e.packed))
		if err != nil || !reflect.DeepEqual(back, e.tuple) {
			t.Errorf("%x: unpacked %#v, %v; want %#v", e.packed, back, err, e.tuple)
		}
	}
}

// TestLargestInteger covers the edge of the one-byte length.
func TestLargestInteger(t *testing.T) {
	largest := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255*8), big.NewInt(1))
	for _, i := range []*big.Int{largest, new(big.Int).Neg(largest)} {
		b, err := tuple.AppendBigInt([]byte("x"), i)
		if err != nil || len(b) != 1+257 {
			t.Fatalf("%d bytes, %v", len(b), err)
		}
		if _, back, err := tuple.DecodeBigInt(b[1:]); err != nil || back.Cmp(i) != 0 {
			t.Fatalf("came back as %v, %v", back, err)
		}
	}
	b, err := tuple.AppendBigInt([]byte("x"), new(big.Int).Add(largest, big.NewInt(1)))
	if !errors.Is(err, tuple.ErrRange) || string(b) != "x" {
		t.Fatalf("%x, %v; want ErrRange", b, err)
	}
}

func TestMalformed(t *testing.T) {
	tests := []struct{ name, bytes string }{
		{"unterminated bytes", "\x01abc"},
		{"unterminated after an escape", "\x01a\x00\xff"},
		{"unterminated string", "\x02"},
		{"short integer", "\x16\x01"},
		{"short negative integer", "\x0c\xff\xff"},
		{"leading zero", "\x16\x00\x01"},
		{"leading zero, negative", "\x12\xff\xfe"},
		{"negative zero", "\x13\xff"},
		{"big integer without length", "\x1d"},
		{"short big integer", "\x1d\x09\x01"},
		{"big integer that isn't big", "\x1d\x01\x01"},
		{"big integer with a leading zero", "\x1d\x09\x00\x01\x01\x01\x01\x01\x01\x01\x01"},
		{"negative big integer with a leading zero", "\x0b\xf6\xff\x01\x01\x01\x01\x01\x01\x01\x01"},
		{"short float", "\x20\x80\x00\x00"},
		{"short double", "\x21\x80\x00\x00"},
		{"short UUID", "\x30abc"},
		{"short versionstamp", "\x330123456789"},
		{"nested without end", "\x05\x14"},
		{"nested with an escaped end", "\x05\x00\xff"},
		{"garbage in nested", "\x05\x99\x00"},
		{"deprecated nested", "\x03\x04"},
		{"reserved long double", "\x220123456789"},
		{"reserved true", "\x25"},
		{"user code", "\x40"},
		{"escape", "\xff"},
		{"too deep", strings.Repeat("\x05", 5000) + strings.Repeat("\x00", 5000)},
	}
	for _, tt := range tests {
		if v, err := tuple.Unpack([]byte(tt.bytes)); !errors.Is(err, tuple.ErrMalformed) {
			t.Errorf("%s: unpacked as %v, %v", tt.name, v, err)
		}
	}
}

// TestWrongType gives every decoder every other type of element, and nothing.
func TestWrongType(t *testing.T) {
	decoders := map[tuple.Kind]func(b []byte) error{
		tuple.KindNil:          func(b []byte) error { _, err := tuple.DecodeNil(b); return err },
		tuple.KindBytes:        func(b []byte) error { _, _, err := tuple.DecodeBytes(b); return err },
		tuple.KindString:       func(b []byte) error { _, _, err := tuple.DecodeString(b); return err },
		tuple.KindInt:          func(b []byte) error { _, _, err := tuple.DecodeInt(b); return err },
		tuple.KindFloat:        func(b []byte) error { _, _, err := tuple.DecodeFloat(b); return err },
		tuple.KindDouble:       func(b []byte) error { _, _, err := tuple.DecodeDouble(b); return err },
		tuple.KindBool:         func(b []byte) error { _, _, err := tuple.DecodeBool(b); return err },
		tuple.KindUUID:         func(b []byte) error { _, _, err := tuple.DecodeUUID(b); return err },
		tuple.KindVersionstamp: func(b []byte) error { _, _, err := tuple.DecodeVersionstamp(b); return err },
	}
	values := tuple.Tuple{nil, []byte("b"), "s", int64(7), float32(1), 1.0, true, tuple.UUID{}, tuple.Versionstamp{},
		tuple.Tuple{}}
	for _, v := range values {
		b := tuple.Tuple{v}.Pack()
		_, e, err := tuple.Next(b)
		if err != nil {
			t.Fatal(err)
		}
		for kind, decode := range decoders {
			err := decode(b)
			if kind == e.Kind() && err != nil || kind != e.Kind() && !errors.Is(err, tuple.ErrType) {
				t.Errorf("%v read as %v: %v", e.Kind(), kind, err)
			}
			if err := decode(nil); !errors.Is(err, tuple.ErrMalformed) {
				t.Errorf("nothing read as %v: %v", kind, err)
			}
		}
	}
	if _, _, err := tuple.DecodeInt(tuple.AppendUint(nil, math.MaxUint64)); !errors.Is(err, tuple.ErrRange) {
		t.Error(err)
	}
	if _, _, err := tuple.DecodeUint(tuple.AppendInt(nil, -1)); !errors.Is(err, tuple.ErrRange) {
		t.Error(err)
	}
	if _, err := (tuple.Tuple{struct{}{}}).Append(nil); !errors.Is(err, tuple.ErrType) {
		t.Error(err)
	}
}

// drawElement draws an element from a small alphabet, so that neighbours and
// prefixes of each other are frequent.
func drawElement(t *rapid.T, depth int) any {
	switch k := rapid.IntRange(0, 10).Draw(t, "kind"); {
	case k == 0:
		return nil
	case k == 1:
		return rapid.SliceOfN(rapid.SampledFrom([]byte{0, 1, 'a', 0xfe, 0xff}), 0, 4).Draw(t, "bytes")
	case k == 2:
		return string(rapid.SliceOfN(rapid.SampledFrom([]byte{0, 1, 'a', 0xfe, 0xff}), 0, 4).Draw(t, "string"))
	case k == 3:
		return rapid.Int64().Draw(t, "int")
	case k == 4:
		return rapid.SampledFrom([]any{int64(0), int64(-1), int64(255), int64(256), int64(-256), int64(-257),
			int64(math.MinInt64),
			uint64(math.MaxUint64), bigInt("0x10000000000000000"), bigInt("-0xffffffffffffffff"), bigInt("-0x10000000000000000"),
			bigInt("-0x1000000000000000000")}).Draw(t, "edge")
	case k == 5:
		n := rapid.IntRange(9, 255).Draw(t, "length")
		i := new(big.Int).SetBytes(append([]byte{1}, rapid.SliceOfN(rapid.Byte(), n-1, n-1).Draw(t, "big")...))
		if rapid.Bool().Draw(t, "negative") {
			i.Neg(i)
		}
		return i
	case k == 6:
		return math.Float32frombits(rapid.Uint32().Draw(t, "float"))
	case k == 7:
		return math.Float64frombits(rapid.Uint64().Draw(t, "double"))
	case k == 8:
		return rapid.Bool().Draw(t, "bool")
	case k == 9:
		var u [16]byte
		copy(u[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "uuid"))
		if rapid.Bool().Draw(t, "stamp") {
			return tuple.Versionstamp{Transaction: [10]byte(u[:10]), User: uint16(u[11])}
		}
		return tuple.UUID(u)
	case depth < 3:
		return drawTuple(t, depth+1)
	}
	return nil
}

func drawTuple(t *rapid.T, depth int) tuple.Tuple {
	out := tuple.Tuple{}
	for range rapid.IntRange(0, 4).Draw(t, "elements") {
		out = append(out, drawElement(t, depth))
	}
	return out
}

// compare is the order that the specification promises, from the values alone.
func compare(a, b any) int {
	ka, kb := kindOf(a), kindOf(b)
	if ka != kb {
		return cmp.Compare(ka, kb)
	}
	switch a := a.(type) {
	case []byte:
		return bytes.Compare(a, b.([]byte))
	case string:
		return strings.Compare(a, b.(string))
	case float32:
		return cmp.Compare(ieee(int64(int32(math.Float32bits(a)))), ieee(int64(int32(math.Float32bits(b.(float32))))))
	case float64:
		return cmp.Compare(ieee(int64(math.Float64bits(a))), ieee(int64(math.Float64bits(b.(float64)))))
	case bool:
		if a == b.(bool) {
			return 0
		} else if a {
			return 1
		}
		return -1
	case tuple.UUID:
		u := b.(tuple.UUID)
		return bytes.Compare(a[:], u[:])
	case tuple.Versionstamp:
		v := b.(tuple.Versionstamp)
		return cmp.Or(bytes.Compare(a.Transaction[:], v.Transaction[:]), cmp.Compare(a.User, v.User))
	case tuple.Tuple:
		return compareTuples(a, b.(tuple.Tuple))
	case nil:
		return 0
	}
	return toBig(a).Cmp(toBig(b))
}

// ieee maps the bits of a float, sign-extended, to its place in IEEE's total order.
func ieee(bits int64) int64 {
	if bits < 0 {
		return bits ^ math.MaxInt64
	}
	return bits
}

func toBig(v any) *big.Int {
	switch v := v.(type) {
	case int64:
		return big.NewInt(v)
	case uint64:
		return new(big.Int).SetUint64(v)
	}
	return v.(*big.Int)
}

func kindOf(v any) tuple.Kind {
	switch v.(type) {
	case nil:
		return tuple.KindNil
	case []byte:
		return tuple.KindBytes
	case string:
		return tuple.KindString
	case float32:
		return tuple.KindFloat
	case float64:
		return tuple.KindDouble
	case bool:
		return tuple.KindBool
	case tuple.UUID:
		return tuple.KindUUID
	case tuple.Versionstamp:
		return tuple.KindVersionstamp
	case tuple.Tuple:
		return tuple.KindNested
	}
	return tuple.KindInt
}

func compareTuples(a, b tuple.Tuple) int {
	for i := range min(len(a), len(b)) {
		if c := compare(a[i], b[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawTuple(t, 0)
		packed := in.Pack()
		out, err := tuple.Unpack(packed)
		if err != nil {
			t.Fatalf("%v: %v", in, err)
		}
		if compareTuples(in, out) != 0 {
			t.Fatalf("%v came back as %v", in, out)
		}
		if again := out.Pack(); !bytes.Equal(packed, again) {
			t.Fatalf("%x packed again as %x", packed, again)
		}
		rest := packed
		for i, v := range in {
			var e tuple.Element
			if rest, e, err = tuple.Next(rest); err != nil || e.Kind() != kindOf(v) {
				t.Fatalf("element %d of %v: %v, %v", i, in, e.Kind(), err)
			}
		}
		if len(rest) != 0 {
			t.Fatalf("%d bytes after the last element of %v", len(rest), in)
		}
	})
}

func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawTuple(t, 0)
		b := drawTuple(t, 0)
		if rapid.Bool().Draw(t, "common prefix") {
			b = append(append(tuple.Tuple{}, a...), b...)
			a = append(a, drawElement(t, 0))
		}
		want := compareTuples(a, b)
		if got := bytes.Compare(a.Pack(), b.Pack()); got != want {
			t.Fatalf("%v (%x) against %v (%x): %d, want %d", a, a.Pack(), b, b.Pack(), got, want)
		}
	})
}

func TestAppendDecodedBytes(t *testing.T) {
	packed := tuple.AppendInt(tuple.AppendBytes(nil, []byte("a\x00b\x00")), 7)
	rest, out, err := tuple.AppendDecodedBytes([]byte("x"), packed)
	if err != nil || string(out) != "xa\x00b\x00" || string(rest) != "\x15\x07" {
		t.Fatalf("%q, %q, %v", out, rest, err)
	}
}

func TestNoAllocations(t *testing.T) {
	buf := make([]byte, 0, 256)
	payload := []byte("some\x00bytes")
	packed := tuple.Tuple{[]byte("abc"), "x", int64(-70000), tuple.Tuple{nil, "y"}, 1.5, tuple.UUID{}}.Pack()
	if n := testing.AllocsPerRun(100, func() {
		b := tuple.AppendBytes(buf, payload)
		b = tuple.AppendString(b, "k\x00ey")
		b = tuple.AppendInt(b, -70000)
		b = tuple.AppendDouble(b, 1.5)
		tuple.AppendVersionstamp(b, tuple.Versionstamp{})
		for rest := packed; len(rest) > 0; {
			rest, _ = tuple.Skip(rest)
		}
		rest, _, _ := tuple.DecodeBytes(packed)
		rest, _ = tuple.Skip(rest)
		tuple.DecodeInt(rest)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzUnpack(f *testing.F) {
	for _, e := range examples {
		f.Add([]byte(e.packed))
	}
	f.Add([]byte("\x16\x00\x01"))
	f.Fuzz(func(t *testing.T, b []byte) {
		skipped := true
		for rest := b; len(rest) > 0 && skipped; {
			next, err := tuple.Skip(rest)
			skipped = err == nil
			rest = next
		}
		v, err := tuple.Unpack(b)
		if err != nil {
			return
		}
		if !skipped {
			t.Fatalf("%s unpacks but can't be skipped", hex.EncodeToString(b))
		}
		if again := v.Pack(); !bytes.Equal(again, b) {
			t.Fatalf("%x packed again as %x", b, again)
		}
	})
}

func BenchmarkAppendEntry(b *testing.B) {
	buf := make([]byte, 0, 256)
	value, pk := []byte("\x30some value of a keypath\x01\x00"), []byte("\x30018f-document-key\x01")
	b.ReportAllocs()
	for b.Loop() {
		k := tuple.AppendInt(buf, 17)
		k = tuple.AppendInt(k, 3)
		k = tuple.AppendBytes(k, value)
		k = tuple.AppendBytes(k, pk)
		tuple.AppendInt(k, 0)
	}
}

func BenchmarkSkipEntry(b *testing.B) {
	packed := tuple.Tuple{int64(17), int64(3), []byte("\x30some value of a keypath\x01\x00"),
		[]byte("\x30018f-document-key\x01"), int64(0)}.Pack()
	b.ReportAllocs()
	for b.Loop() {
		for rest := packed; len(rest) > 0; {
			rest, _ = tuple.Skip(rest)
		}
	}
}
