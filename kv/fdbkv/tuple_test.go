//go:build fdb

package fdbkv_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/big"
	"testing"

	apple "github.com/apple/foundationdb/bindings/go/src/fdb/tuple"

	"github.com/sqlfdb/sqlfdb/kv/tuple"
)

// recipe makes tuples out of the bytes of a fuzzer.
type recipe struct{ b []byte }

func (r *recipe) take(n int) []byte {
	out := make([]byte, n)
	r.b = r.b[copy(out, r.b):]
	return out
}

func (r *recipe) element(depth int) (any, apple.TupleElement) {
	switch r.take(1)[0] % 13 {
	case 0:
		return nil, nil
	case 1:
		b := r.take(int(r.take(1)[0] % 9))
		return b, b
	case 2:
		s := string(r.take(int(r.take(1)[0] % 9)))
		return s, s
	case 3:
		i := int64(binary.BigEndian.Uint64(r.take(8)))
		return i, i
	case 4:
		i := int64(int16(binary.BigEndian.Uint16(r.take(2))))
		return i, i
	case 5:
		u := binary.BigEndian.Uint64(r.take(8))
		return u, u
	case 6, 7:
		i := new(big.Int).SetBytes(r.take(int(r.take(1)[0])))
		if r.take(1)[0]%2 == 0 {
			i.Neg(i)
		}
		return i, i
	case 8:
		f := math.Float32frombits(binary.BigEndian.Uint32(r.take(4)))
		return f, f
	case 9:
		f := math.Float64frombits(binary.BigEndian.Uint64(r.take(8)))
		return f, f
	case 10:
		b := r.take(1)[0]%2 == 0
		return b, b
	case 11:
		if r.take(1)[0]%2 == 0 {
			u := [16]byte(r.take(16))
			return tuple.UUID(u), apple.UUID(u)
		}
		stamp, user := [10]byte(r.take(10)), binary.BigEndian.Uint16(r.take(2))
		stamp[0] &= 0x7f // a whole one: the binding packs others by another name
		return tuple.Versionstamp{Transaction: stamp, User: user},
			apple.Versionstamp{TransactionVersion: stamp, UserVersion: user}
	}
	if depth == 3 {
		return nil, nil
	}
	ours, theirs := r.tuple(depth + 1)
	return ours, theirs
}

func (r *recipe) tuple(depth int) (tuple.Tuple, apple.Tuple) {
	ours, theirs := tuple.Tuple{}, apple.Tuple{}
	for range r.take(1)[0] % 6 {
		a, b := r.element(depth)
		ours, theirs = append(ours, a), append(theirs, b)
	}
	return ours, theirs
}

// FuzzTuple: tuples have the bytes that FoundationDB's own package gives them.
func FuzzTuple(f *testing.F) {
	for _, seed := range []string{"", "\x02\x01\x08\x00\xff\x00\xff\x00\xff\x00\xff",
		"\x05\x06\xfe\x01\x0c\x02\x00\x00\x00", "\x03\x03\x80\x00\x00\x00\x00\x00\x00\x00"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r := recipe{b}
		ours, theirs := r.tuple(0)
		packed := ours.Pack()
		if want := theirs.Pack(); !bytes.Equal(packed, want) {
			t.Fatalf("%v is packed as\n%x, and by FoundationDB as\n%x", ours, packed, want)
		}
		back, err := apple.Unpack(packed)
		if err != nil {
			t.Fatalf("FoundationDB can't unpack %x: %v", packed, err)
		}
		if again := back.Pack(); !bytes.Equal(again, packed) {
			t.Fatalf("%x comes back as %x", packed, again)
		}
		mine, err := tuple.Unpack(packed)
		if err != nil {
			t.Fatal(err)
		}
		if again := mine.Pack(); !bytes.Equal(again, packed) {
			t.Fatalf("%x comes back as %x", packed, again)
		}
	})
}
