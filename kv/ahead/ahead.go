// Package ahead starts reads before they are asked for. Over a network, reads that are asked for at once take one
// round trip together, and reads one after the other take one each. Code that knows which reads will come starts
// them. The code that reads later is the same as without, and finds the answer on its way. Reads of the same keys are
// done once, also where reads take no round trip.
//
// A read that was started and is not asked for costs its work, and has no other effect, not even on conflicts.
package ahead

import (
	"sync"
	"sync/atomic"

	"github.com/sqlfdb/sqlfdb/kv"
)

// How many values are held at most, and how many bytes of them that have been read: then
// the oldest are dropped. More are not worth starting at once.
const (
	maxValues = 2048
	maxBytes  = 32 << 20
	maxRanges = 1024 // kinds of ranges that were started and not asked for; beyond, all are dropped
)

// Tx is a transaction some of whose reads have been started. As kv.Transaction says, it may
// be read from several goroutines at once.
type Tx struct {
	kv.Transaction
	snapshot kv.Reader // of Transaction
	opts     Options

	started atomic.Bool  // there may be something in values or ranges, or there will be
	noting  atomic.Int32 // how many calls of ReadTwice are under way
	keeping atomic.Bool
	bytes   atomic.Int64 // of the values that have been read

	mu     sync.Mutex
	values map[string]*value
	order  []*value // in the order of their start, including values that are no longer in values
	ranges map[span][]kv.Iterator
	left   int // how many of these were left by earlier reads, at most
	walks  map[*covering]struct{}
	ended  bool
}

// span is a range that is read in one way, by batches of any size.
type span struct {
	start, end string
	limit      int
	reverse    bool
}

func spanOf(r kv.Range, opts kv.RangeOptions) span {
	return span{string(r.Start), string(r.End), opts.Limit, opts.Reverse}
}

var _ kv.Transaction = (*Tx)(nil)

// Options are the settings of New.
type Options struct {
	// OnlyAgain: reads don't wait, so that nothing is gained by starting them. Reads while
	// Keep is in effect, and by ReadTwice, are still done once.
	OnlyAgain bool
}

// New is the transaction with nothing started. base must have been begun with NoReadYourWrites, or
// not be written to, and must not be used directly any more.
func New(base kv.Transaction, opts Options) *Tx {
	return &Tx{Transaction: base, snapshot: base.Snapshot(), opts: opts}
}

// Starts reports whether reads are started: otherwise a caller can spare itself finding out which reads will come. A
// nil transaction starts none.
func (t *Tx) Starts() bool { return t != nil && !t.opts.OnlyAgain }

// Unwritten implements kv.Recalling.
func (t *Tx) Unwritten(key []byte, since int64) bool { return kv.Unwritten(t.Transaction, key, since) }

// Expect implements kv.Expecting.
func (t *Tx) Expect(writes, keyBytes, valueBytes int) {
	kv.Expect(t.Transaction, writes, keyBytes, valueBytes)
}

// Of is the transaction that a reader reads through, or nil. A reader that wraps
// another one has a method Unwrap.
func Of(r kv.Reader) *Tx {
	for {
		switch at := r.(type) {
		case *Tx:
			return at
		case reader:
			return at.t
		case interface{ Unwrap() kv.Reader }:
			r = at.Unwrap()
		default:
			return nil
		}
	}
}

// value is a value that has been asked for.
type value struct {
	t      *Tx
	key    string
	future kv.FutureValue
	once   sync.Once
	got    []byte
	err    error
}

// Get implements kv.FutureValue.
func (v *value) Get() ([]byte, error) {
	v.once.Do(func() {
		v.got, v.err = v.future.Get()
		v.t.bytes.Add(int64(len(v.got)))
	})
	return v.got, v.err
}

// Start begins to read a key, unless that has been done. It is dropped by Forget, or once
// many others have been started. A transaction that starts none does nothing.
func (t *Tx) Start(key []byte) {
	if t.Starts() {
		t.start(key)
	}
}

func (t *Tx) start(key []byte) *value {
	t.mu.Lock()
	defer t.mu.Unlock()
	if v, ok := t.values[string(key)]; ok {
		return v
	}
	v := &value{t: t, key: string(key)}
	v.future = t.snapshot.Get([]byte(v.key))
	if t.values == nil {
		t.values = map[string]*value{}
	}
	if len(t.order) >= maxValues || t.bytes.Load() >= maxBytes {
		half := (len(t.order) + 1) / 2
		for _, old := range t.order[:half] {
			if t.values[old.key] == old {
				delete(t.values, old.key)
			}
		}
		t.order = append([]*value(nil), t.order[half:]...)
		t.bytes.Store(0)
	}
	t.values[v.key] = v
	t.order = append(t.order, v)
	t.started.Store(true)
	return v
}

// Keep makes Get keep its answers from now on, until Leave, since the keys will be read again.
func (t *Tx) Keep() {
	if t != nil {
		t.keeping.Store(true)
		t.started.Store(true)
	}
}

// Leave ends Keep.
func (t *Tx) Leave() {
	if t != nil {
		t.keeping.Store(false)
	}
}

// Keeping reports whether Keep is in effect.
func (t *Tx) Keeping() bool { return t != nil && t.keeping.Load() }

// Forget drops keys that were started: they will not be read any more.
func (t *Tx) Forget(keys ...[]byte) {
	if t == nil || !t.started.Load() {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, k := range keys {
		delete(t.values, string(k))
	}
}

// StartRange begins to read a range. The next Range over it from the same end and with an equal limit gets what has
// been read; if that adds conflicts, it adds them as it goes. A range that is started twice is read twice. A
// transaction that starts none does nothing.
func (t *Tx) StartRange(r kv.Range, opts kv.RangeOptions) {
	if t.Starts() {
		t.startRange(spanOf(r, opts), opts)
	}
}

// EnsureRange is StartRange for a range that is read once: it does nothing while one that was started waits to
// be asked for.
func (t *Tx) EnsureRange(r kv.Range, opts kv.RangeOptions) {
	if !t.Starts() {
		return
	}
	at := spanOf(r, opts)
	t.mu.Lock()
	waits := len(t.ranges[at]) > 0
	t.mu.Unlock()
	if !waits {
		t.startRange(at, opts)
	}
}

func (t *Tx) startRange(at span, opts kv.RangeOptions) {
	it := t.snapshot.Range(kv.Range{Start: []byte(at.start), End: []byte(at.end)}, opts)
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.ranges) >= maxRanges {
		t.closeRanges()
	}
	if t.ranges == nil {
		t.ranges = map[span][]kv.Iterator{}
	}
	t.ranges[at] = append(t.ranges[at], it)
	t.started.Store(true)
}

// value finds a value that was started, or nil.
func (t *Tx) value(key []byte) *value {
	if t.keeping.Load() {
		return t.start(key)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.values[string(key)]
}

// take finds a range that was started, or nil.
func (t *Tx) take(r kv.Range, opts kv.RangeOptions) kv.Iterator {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := spanOf(r, opts)
	its := t.ranges[at]
	switch len(its) {
	case 0:
		return nil
	case 1:
		delete(t.ranges, at)
	default:
		t.ranges[at] = its[1:]
	}
	return its[0]
}

// Get implements kv.Reader.
func (t *Tx) Get(key []byte) kv.FutureValue {
	if t.started.Load() {
		if v := t.value(key); v != nil {
			t.AddReadConflict(kv.PointRange(key))
			return v
		}
	}
	return t.Transaction.Get(key)
}

// Range implements kv.Reader.
func (t *Tx) Range(r kv.Range, opts kv.RangeOptions) kv.Iterator {
	if t.started.Load() {
		if it := t.take(r, opts); it != nil {
			return t.cover(it, r, opts)
		}
	}
	return t.Transaction.Range(r, opts)
}

// Snapshot implements kv.Transaction.
func (t *Tx) Snapshot() kv.Reader { return reader{t.snapshot, t} }

// Commit implements kv.Transaction.
func (t *Tx) Commit() error {
	t.coverWalks()
	t.end()
	return t.Transaction.Commit()
}

// Cancel implements kv.Transaction.
func (t *Tx) Cancel() {
	t.end()
	t.Transaction.Cancel()
}

// end drops everything.
func (t *Tx) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = true
	if !t.started.Load() {
		return
	}
	t.closeRanges()
	t.values, t.order = nil, nil
	t.keeping.Store(false)
	t.started.Store(false)
}

// closeRanges closes the ranges that nobody has asked for. It needs mu.
func (t *Tx) closeRanges() {
	for _, its := range t.ranges {
		for _, it := range its {
			it.Close()
		}
	}
	t.ranges, t.left = nil, 0
}

// reader is the transaction's reads without conflicts.
type reader struct {
	kv.Reader
	t *Tx
}

// Get implements kv.Reader.
func (r reader) Get(key []byte) kv.FutureValue {
	if r.t.started.Load() {
		if v := r.t.value(key); v != nil {
			return v
		}
	}
	return r.Reader.Get(key)
}

// Range implements kv.Reader.
func (r reader) Range(of kv.Range, opts kv.RangeOptions) kv.Iterator {
	it := r.walk(of, opts)
	if r.t.noting.Load() > 0 {
		return &noted{Iterator: it, t: r.t, at: spanOf(of, opts)}
	}
	return it
}

func (r reader) walk(of kv.Range, opts kv.RangeOptions) kv.Iterator {
	if r.t.started.Load() {
		if it := r.t.take(of, opts); it != nil {
			return it
		}
	}
	return r.Reader.Range(of, opts)
}

// Starter is a reader that starts the reads that it is asked for, and finds nothing: code
// that reads through it starts its first reads. A nil transaction has one that does
// nothing.
func (t *Tx) Starter() kv.Reader { return starter{t} }

type starter struct{ t *Tx }

// Get implements kv.Reader.
func (s starter) Get(key []byte) kv.FutureValue {
	s.t.Start(key)
	return nothing{}
}

// Range implements kv.Reader.
func (s starter) Range(r kv.Range, opts kv.RangeOptions) kv.Iterator {
	s.t.StartRange(r, opts)
	return nothingIn{}
}

// EstimateSize implements kv.Reader.
func (starter) EstimateSize(kv.Range) kv.FutureInt64 { return nothingLarge{} }

type nothing struct{}

func (nothing) Get() ([]byte, error) { return nil, nil }

type nothingLarge struct{}

func (nothingLarge) Get() (int64, error) { return 0, nil }

type nothingIn struct{}

func (nothingIn) Next() bool    { return false }
func (nothingIn) Key() []byte   { return nil }
func (nothingIn) Value() []byte { return nil }
func (nothingIn) Err() error    { return nil }
func (nothingIn) Close()        {}
