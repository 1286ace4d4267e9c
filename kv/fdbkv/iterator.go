//go:build fdb

package fdbkv

import (
	"bytes"
	"fmt"
	"sync"
	"time"

	"github.com/apple/foundationdb/bindings/go/src/fdb"

	"github.com/sqlfdb/sqlfdb/kv"
)

// fewKeys: a limit of up to so many pairs is read in one batch, whatever their size.
const fewKeys = 128

// iterator implements kv.Iterator over the binding's iterator. That asks for the first
// batch when it is made, and for each further one when the last pair of the batch before is
// used.
type iterator struct {
	t         *transaction
	r         kv.Range // the part that no conflict range covers yet
	reverse   bool
	limit     int // pairs left; -1: no limit
	conflicts bool

	batches *fdb.RangeIterator
	ahead   *ahead // nil: Next gets the batches
	pair    fdb.KeyValue
	some    bool // pair holds one that r still begins with
	done    bool
	closed  bool
	err     error
}

func (t *transaction) iterate(r kv.Range, opts kv.RangeOptions, conflicts bool) kv.Iterator {
	it := &iterator{t: t, r: r.Clip(), reverse: opts.Reverse, limit: opts.Limit, conflicts: conflicts}
	if it.limit <= 0 {
		it.limit = -1
	}
	err := t.live()
	if err == nil {
		err = kv.CheckRange(r)
	}
	if err != nil {
		it.fail(err)
		return it
	}
	it.r = kv.Range{Start: bytes.Clone(it.r.Start), End: bytes.Clone(it.r.End)}
	if bytes.Equal(it.r.Start, it.r.End) {
		it.done = true
		return it
	}
	it.batches = t.snap.GetRange(exact(it.r), fdb.RangeOptions{
		Limit: max(it.limit, 0), Mode: mode(opts), Reverse: opts.Reverse}).Iterator()
	if conflicts {
		t.readMu.Lock()
		if t.iterators == nil {
			t.iterators = map[*iterator]struct{}{}
		}
		t.iterators[it] = struct{}{}
		t.readMu.Unlock()
	}
	if opts.Streaming == kv.StreamAll && (opts.Limit <= 0 || opts.Limit > fewKeys) {
		it.ahead = newAhead(it.batches)
	}
	return it
}

// mode is the streaming mode: batches of 80 kB, batches that grow from 4 kB, or batches of
// 1 kB; or one batch for few pairs.
func mode(opts kv.RangeOptions) fdb.StreamingMode {
	switch {
	case opts.Limit > 0 && opts.Limit <= fewKeys && opts.Streaming != kv.StreamSmall:
		return fdb.StreamingModeExact
	case opts.Streaming == kv.StreamAll:
		return fdb.StreamingModeWantAll
	case opts.Streaming == kv.StreamSmall:
		return fdb.StreamingModeMedium
	}
	return fdb.StreamingModeIterator
}

func (it *iterator) fail(err error) {
	it.err, it.done = fmt.Errorf("fdbkv: range: %w", err), true
}

// Next implements kv.Iterator.
func (it *iterator) Next() bool {
	if it.done || it.closed {
		return false
	}
	if err := it.t.live(); err != nil {
		it.fail(err)
		return false
	}
	if it.limit == 0 {
		it.done = true
		return false
	}
	since := time.Now()
	pair, ok, err := it.take()
	switch {
	case err != nil:
		it.err, it.done = it.t.failed("range", err, since), true
		return false
	case !ok:
		it.step(true)
		return false
	}
	it.t.knows()
	it.t.readMu.Lock()
	it.pair, it.some = pair, true
	it.t.readMu.Unlock()
	if it.limit > 0 {
		it.limit--
	}
	return true
}

// step marks the end.
func (it *iterator) step(done bool) {
	it.t.readMu.Lock()
	defer it.t.readMu.Unlock()
	it.done, it.some = done, false
	if it.conflicts && done && bytes.Compare(it.r.Start, it.r.End) < 0 {
		it.t.addReadLocked(it.r)
		it.r.End = it.r.Start
	}
}

func (it *iterator) take() (fdb.KeyValue, bool, error) {
	if it.ahead != nil {
		return it.ahead.next()
	}
	if !it.batches.Advance() {
		return fdb.KeyValue{}, false, nil
	}
	pair, err := it.batches.Get()
	return pair, err == nil, err
}

// cover adds the range that has been walked over to the transaction's reads, and needs its
// readMu.
func (it *iterator) cover() {
	if !it.some || !it.conflicts {
		return
	}
	it.some = false
	key := it.pair.Key
	if it.reverse {
		it.t.addReadLocked(kv.Range{Start: key, End: it.r.End})
		it.r.End = key
		return
	}
	next := kv.PointRange(key).End
	it.t.addReadLocked(kv.Range{Start: it.r.Start, End: next})
	it.r.Start = next
}

// Key implements kv.Iterator.
func (it *iterator) Key() []byte { return it.pair.Key }

// Value implements kv.Iterator.
func (it *iterator) Value() []byte { return it.pair.Value }

// Err implements kv.Iterator.
func (it *iterator) Err() error { return it.err }

// Close implements kv.Iterator.
func (it *iterator) Close() {
	if it.closed {
		return
	}
	it.closed = true
	if it.ahead != nil {
		it.ahead.stop()
	}
	if !it.conflicts {
		return
	}
	it.t.readMu.Lock()
	defer it.t.readMu.Unlock()
	it.cover()
	delete(it.t.iterators, it)
}

// ahead fetches the batches of a range that will be read to its end, while the pairs of
// earlier batches are used.
type ahead struct {
	mu      sync.Mutex
	changed sync.Cond
	pairs   []fdb.KeyValue // fetched and not yet used
	bytes   int
	done    bool
	stopped bool
	err     error

	now []fdb.KeyValue // in use by the reader
}

// aheadBytes is how many bytes are fetched ahead of their use.
const aheadBytes = 1 << 20

func newAhead(batches *fdb.RangeIterator) *ahead {
	a := &ahead{}
	a.changed.L = &a.mu
	go a.run(batches)
	return a
}

func (a *ahead) run(batches *fdb.RangeIterator) {
	for batches.Advance() {
		pair, err := batches.Get()
		a.mu.Lock()
		for a.bytes > aheadBytes && !a.stopped {
			a.changed.Wait()
		}
		if a.stopped || err != nil {
			a.err, a.done = err, true
			a.changed.Signal()
			a.mu.Unlock()
			return
		}
		a.pairs = append(a.pairs, pair)
		a.bytes += len(pair.Key) + len(pair.Value)
		if len(a.pairs) == 1 {
			a.changed.Signal()
		}
		a.mu.Unlock()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.done = true
	a.changed.Signal()
}

func (a *ahead) next() (fdb.KeyValue, bool, error) {
	if len(a.now) == 0 {
		a.mu.Lock()
		defer a.mu.Unlock()
		for len(a.pairs) == 0 && !a.done {
			a.changed.Wait()
		}
		a.now, a.pairs, a.bytes = a.pairs, nil, 0
		a.changed.Signal()
		if len(a.now) == 0 {
			return fdb.KeyValue{}, false, a.err
		}
	}
	pair := a.now[0]
	a.now = a.now[1:]
	return pair, true, nil
}

func (a *ahead) stop() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stopped, a.pairs, a.bytes = true, nil, 0
	a.changed.Signal()
}
