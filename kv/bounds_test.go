package kv

import (
	"bytes"
	"errors"
	"testing"
)

func TestBounds(t *testing.T) {
	long := bytes.Repeat([]byte{1}, MaxKeySize+1)
	for _, c := range []struct {
		name string
		err  error
		want error
	}{
		{"a key of the largest size", CheckKey(long[:MaxKeySize]), nil},
		{"the empty key", CheckKey(nil), nil},
		{"a key too long", CheckKey(long), ErrKeyTooLarge},
		{"the end of keys", CheckKey(MaxKey), ErrReservedKey},
		{"a key behind the end", CheckKey([]byte{0xff, 0}), ErrReservedKey},
		{"a value of the largest size", CheckValue(make([]byte, MaxValueSize)), nil},
		{"a value too long", CheckValue(make([]byte, MaxValueSize+1)), ErrValueTooLarge},
		{"all keys", CheckRange(Range{End: MaxKey}), nil},
		{"an empty range", CheckRange(Range{Start: []byte("a"), End: []byte("a")}), nil},
		{"an inverted range", CheckRange(Range{Start: []byte("b"), End: []byte("a")}), ErrReservedKey},
		{"a range behind the end", CheckRange(Range{End: []byte{0xff, 0}}), ErrReservedKey},
	} {
		if !errors.Is(c.err, c.want) || c.want == nil && c.err != nil {
			t.Errorf("%s: %v, want %v", c.name, c.err, c.want)
		}
	}
	var size *SizeError
	if !errors.As(CheckKey(long), &size) || size.Size != MaxKeySize+1 || size.Limit != MaxKeySize {
		t.Errorf("size of a key: %+v", size)
	}
}

// TestClip: a cut bound has the same keys on either side.
func TestClip(t *testing.T) {
	long := append(bytes.Repeat([]byte{7}, MaxKeySize), 3, 9)
	r := Range{Start: long, End: append(bytes.Clone(long), 1)}.Clip()
	largest := long[:MaxKeySize] // the longest key below the bound
	for _, bound := range [][]byte{r.Start, r.End} {
		if len(bound) != MaxKeySize+1 || bytes.Compare(largest, bound) >= 0 {
			t.Errorf("cut to %d bytes, ending in %x", len(bound), bound[len(bound)-2:])
		}
	}
	short := Range{Start: []byte("a"), End: []byte("b")}
	if got := short.Clip(); string(got.Start) != "a" || string(got.End) != "b" {
		t.Errorf("a short range was cut to %q", got)
	}
}
