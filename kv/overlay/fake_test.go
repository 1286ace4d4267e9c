package overlay_test

import (
	"bytes"
	"context"
	"errors"
	"sort"

	"github.com/sqlfdb/sqlfdb/kv"
)

// fakeStore is a transaction over a map: it applies the writes in their order
// at commit, records conflict ranges, and breaks what callers must not rely on.
type fakeStore struct {
	pairs     map[string]string
	stamp     [kv.VersionstampSize]byte
	writes    []func(map[string]string)
	log       []string // the writes in words
	conflicts []kv.Range
	ranges    int // range reads begun
	gets      int
	read      int // pairs read by ranges
	failAt    int // the range read's pair that fails, counted from 1
	size      int64
	overhead  int64
	done      bool
}

var errFake = errors.New("fake failure")

func newFake(pairs map[string]string) *fakeStore {
	f := &fakeStore{pairs: map[string]string{}}
	for i := range f.stamp {
		f.stamp[i] = byte(0x10 + i)
	}
	for k, v := range pairs {
		f.pairs[k] = v
	}
	return f
}

type fakeReader struct {
	*fakeStore
	snapshot bool
}

type fakeValue struct {
	value []byte
	err   error
}

func (v fakeValue) Get() ([]byte, error) { return v.value, v.err }

type fakeInt64 int64

func (v fakeInt64) Get() (int64, error) { return int64(v), nil }

func (f *fakeStore) Get(key []byte) kv.FutureValue { return fakeReader{f, false}.Get(key) }
func (f *fakeStore) Range(r kv.Range, o kv.RangeOptions) kv.Iterator {
	return fakeReader{f, false}.Range(r, o)
}
func (f *fakeStore) EstimateSize(r kv.Range) kv.FutureInt64 {
	return fakeReader{f, true}.EstimateSize(r)
}
func (f *fakeStore) Snapshot() kv.Reader { return fakeReader{f, true} }

func (r fakeReader) Get(key []byte) kv.FutureValue {
	if r.done {
		return fakeValue{nil, kv.ErrDone}
	}
	r.gets++
	if !r.snapshot {
		r.AddReadConflict(kv.PointRange(bytes.Clone(key)))
	}
	if v, ok := r.pairs[string(key)]; ok {
		return fakeValue{[]byte(v), nil}
	}
	return fakeValue{}
}

func (r fakeReader) EstimateSize(rg kv.Range) kv.FutureInt64 {
	var n int64
	for k, v := range r.pairs {
		if k >= string(rg.Start) && k < string(rg.End) {
			n += int64(len(k) + len(v))
		}
	}
	return fakeInt64(n)
}

func (r fakeReader) Range(rg kv.Range, o kv.RangeOptions) kv.Iterator {
	r.ranges++
	it := &fakeIterator{f: r.fakeStore, r: kv.Range{Start: bytes.Clone(rg.Start), End: bytes.Clone(rg.End)}, o: o,
		conflict: -1}
	if r.done {
		it.err = kv.ErrDone
	}
	for k := range r.pairs {
		if k >= string(rg.Start) && k < string(rg.End) {
			it.keys = append(it.keys, k)
		}
	}
	sort.Strings(it.keys)
	if o.Reverse {
		sort.Sort(sort.Reverse(sort.StringSlice(it.keys)))
	}
	if !r.snapshot {
		it.conflict = len(r.conflicts)
		r.AddReadConflict(kv.Range{Start: it.r.Start, End: it.r.Start})
	}
	return it
}

type fakeIterator struct {
	f          *fakeStore
	r          kv.Range
	o          kv.RangeOptions
	keys       []string
	given      int
	conflict   int // index of its conflict range, -1 for none
	key, value []byte
	err        error
	closed     bool
}

func (it *fakeIterator) Next() bool {
	for i := range it.key {
		it.key[i] = '#'
	}
	for i := range it.value {
		it.value[i] = '#'
	}
	it.key, it.value = nil, nil
	if it.closed || it.err != nil {
		return false
	}
	if it.o.Limit > 0 && it.given == it.o.Limit {
		return false
	}
	covered := it.r
	if it.given < len(it.keys) {
		it.f.read++
		if it.f.read == it.f.failAt {
			it.err = errFake
			return false
		}
		k := it.keys[it.given]
		it.given++
		it.key, it.value = []byte(k), []byte(it.f.pairs[k])
		if it.o.Reverse {
			covered.Start = []byte(k)
		} else {
			covered.End = []byte(k + "\x00")
		}
	}
	if it.conflict >= 0 {
		it.f.conflicts[it.conflict] = covered
	}
	return it.key != nil
}

func (it *fakeIterator) Key() []byte   { return it.key }
func (it *fakeIterator) Value() []byte { return it.value }
func (it *fakeIterator) Err() error    { return it.err }
func (it *fakeIterator) Close()        { it.closed = true }

func (f *fakeStore) write(words string, w func(map[string]string)) {
	f.log = append(f.log, words)
	f.writes = append(f.writes, w)
}

func (f *fakeStore) Set(key, value []byte) {
	k, v := string(key), string(value)
	f.write("set "+k+"="+v, func(m map[string]string) { m[k] = v })
}

func (f *fakeStore) Clear(key []byte) {
	k := string(key)
	f.write("clear "+k, func(m map[string]string) { delete(m, k) })
}

func (f *fakeStore) ClearRange(r kv.Range) {
	start, end := string(r.Start), string(r.End)
	f.write("clear ["+start+", "+end+")", func(m map[string]string) {
		for k := range m {
			if k >= start && k < end {
				delete(m, k)
			}
		}
	})
}

func (f *fakeStore) Add(key, operand []byte) {
	k, op := string(key), string(operand)
	f.write("add "+k, func(m map[string]string) { m[k] = littleAdd(m[k], op) })
}

func (f *fakeStore) SetVersionstampedKey(key []byte, offset int, value []byte) {
	k, v := stamped(string(key), offset, f.stamp), string(value)
	f.write("stamp "+string(key), func(m map[string]string) { m[k] = v })
}

func (f *fakeStore) SetVersionstampedValue(key, value []byte, offset int) {
	k, v := string(key), stamped(string(value), offset, f.stamp)
	f.write("stamp in "+k, func(m map[string]string) { m[k] = v })
}

func stamped(s string, offset int, stamp [kv.VersionstampSize]byte) string {
	return s[:offset] + string(stamp[:]) + s[offset+len(stamp):]
}

func (f *fakeStore) ReadVersion() (int64, error) { return 7, nil }
func (f *fakeStore) AddReadConflict(r kv.Range)  { f.conflicts = append(f.conflicts, r) }
func (f *fakeStore) AddWriteConflict(kv.Range)   {}
func (f *fakeStore) Watch([]byte) (kv.Watch, error) {
	return nil, context.Canceled
}
func (f *fakeStore) Size() int64     { return f.size }
func (f *fakeStore) Overhead() int64 { return f.overhead }

func (f *fakeStore) Commit() error {
	if f.done {
		return kv.ErrDone
	}
	f.done = true
	for _, w := range f.writes {
		w(f.pairs)
	}
	return nil
}

func (f *fakeStore) Versionstamp() ([kv.VersionstampSize]byte, error) { return f.stamp, nil }
func (f *fakeStore) Cancel()                                          { f.done = true }

// littleAdd is FoundationDB's add, byte by byte.
func littleAdd(value, operand string) string {
	out := make([]byte, len(operand))
	carry := 0
	for i := range out {
		sum := int(operand[i]) + carry
		if i < len(value) {
			sum += int(value[i])
		}
		out[i], carry = byte(sum), sum>>8
	}
	return string(out)
}
