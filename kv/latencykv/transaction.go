package latencykv

import (
	"bytes"
	"context"

	"github.com/sqlfdb/sqlfdb/kv"
)

// transaction is a transaction whose answers take their time.
type transaction struct {
	kv.Transaction
	store   *Store
	ctx     context.Context
	version answer   // of the question for the read version
	wrote   bool     // writes, or conflicts of writes
	keys    [][]byte // that are written, where a cluster has to
}

var _ kv.Transaction = (*transaction)(nil)

// reader is the transaction's reads, with or without conflicts.
type reader struct {
	t    *transaction
	base kv.Reader
}

// future is an answer that is on its way.
type future[T any] struct {
	t   *transaction
	op  Op
	key []byte
	is  answer
	kv  interface{ Get() (T, error) }
}

// Get implements kv.FutureValue and kv.FutureInt64.
func (f *future[T]) Get() (T, error) {
	f.t.store.wait(f.t.ctx, f.is, f.op, f.key)
	return f.kv.Get()
}

// Get implements kv.Reader.
func (r reader) Get(key []byte) kv.FutureValue {
	return &future[[]byte]{r.t, Get, key, r.t.store.ask(r.t.version, key), r.base.Get(key)}
}

// EstimateSize implements kv.Reader.
func (r reader) EstimateSize(of kv.Range) kv.FutureInt64 {
	return &future[int64]{r.t, Estimate, of.Start, r.t.store.ask(r.t.version, of.Start), r.base.EstimateSize(of)}
}

// Range implements kv.Reader.
func (r reader) Range(of kv.Range, opts kv.RangeOptions) kv.Iterator {
	if bytes.Compare(of.Start, of.End) >= 0 {
		return r.base.Range(of, opts)
	}
	i := &iterator{Iterator: r.base.Range(of, opts), t: r.t, start: bytes.Clone(of.Start), opts: opts}
	i.is = r.t.store.ask(r.t.version, of.Start)
	i.room = i.size()
	return i
}

// The sizes of batches in bytes, as of FoundationDB's client. firstBatch is the iterating
// mode's first one; each further one is half as large again as the one before, up to
// largestBatch. All of the small mode's are smallBatch.
const (
	firstBatch   = 4096
	largestBatch = 80_000
	smallBatch   = 1000
	// pairOverhead is how many bytes each pair takes beside its key and its value.
	pairOverhead = 24
)

// iterator walks a range in batches. The pairs are read from below one by one: the caller
// reads, and conflicts on, only the pairs that it has met.
type iterator struct {
	kv.Iterator
	t       *transaction
	start   []byte
	opts    kv.RangeOptions
	batch   int    // the number of the present one
	is      answer // when it is there
	met     bool   // it was waited for
	room    int    // bytes that are left in it
	next    answer // when the next one is there, if it was asked for
	asked   bool
	pairs   int
	drained bool
}

// size is how many bytes the present batch holds.
func (i *iterator) size() int {
	switch {
	case i.opts.Limit > 0, i.opts.Streaming == kv.StreamAll:
		return largestBatch
	case i.opts.Streaming == kv.StreamSmall:
		return smallBatch
	}
	n := firstBatch
	for range i.batch {
		if n = n * 3 / 2; n >= largestBatch {
			return largestBatch
		}
	}
	return n
}

// Next implements kv.Iterator.
func (i *iterator) Next() bool {
	if i.drained {
		return i.Iterator.Next()
	}
	if i.opts.Limit > 0 && i.pairs == i.opts.Limit {
		i.drained = true
		return i.Iterator.Next()
	}
	if i.room <= 0 {
		if !i.asked {
			i.next = i.t.store.ask(i.t.version, i.start)
		}
		i.is, i.met, i.asked = i.next, false, false
		i.batch++
		i.room = i.size()
	}
	if !i.met {
		i.meet()
	}
	if !i.Iterator.Next() {
		i.drained = true
		return false
	}
	i.pairs++
	i.room -= len(i.Key()) + len(i.Value()) + pairOverhead
	return true
}

// meet waits for the present batch, and asks for the one behind it if the reader is likely
// to get there.
func (i *iterator) meet() {
	op := Range
	if i.batch > 0 {
		op = Batch
	}
	i.t.store.wait(i.t.ctx, i.is, op, i.start)
	i.met = true
	if i.opts.Streaming != kv.StreamSmall && (i.batch > 0 || i.size() == largestBatch) {
		i.next, i.asked = i.t.store.ask(i.is, i.start), true
	}
}

func (t *transaction) reads() reader { return reader{t, t.Transaction} }

// Get implements kv.Reader.
func (t *transaction) Get(key []byte) kv.FutureValue { return t.reads().Get(key) }

// Range implements kv.Reader.
func (t *transaction) Range(r kv.Range, opts kv.RangeOptions) kv.Iterator {
	return t.reads().Range(r, opts)
}

// EstimateSize implements kv.Reader.
func (t *transaction) EstimateSize(r kv.Range) kv.FutureInt64 { return t.reads().EstimateSize(r) }

// Snapshot implements kv.Transaction.
func (t *transaction) Snapshot() kv.Reader { return reader{t, t.Transaction.Snapshot()} }

// ReadVersion implements kv.Transaction.
func (t *transaction) ReadVersion() (int64, error) {
	t.store.wait(t.ctx, t.version, Version, nil)
	return t.Transaction.ReadVersion()
}

// writes notes that there is something to commit.
func (t *transaction) writes() kv.Transaction {
	t.wrote = true
	return t.Transaction
}

// writesKey notes a key to commit.
func (t *transaction) writesKey(key []byte) kv.Transaction {
	if t.store.cluster.Load() != nil {
		t.keys = append(t.keys, bytes.Clone(key))
	}
	return t.writes()
}

// Set implements kv.Writer.
func (t *transaction) Set(key, value []byte) { t.writesKey(key).Set(key, value) }

// Clear implements kv.Writer.
func (t *transaction) Clear(key []byte) { t.writesKey(key).Clear(key) }

// ClearRange implements kv.Writer.
func (t *transaction) ClearRange(r kv.Range) { t.writesKey(r.Start).ClearRange(r) }

// Add implements kv.Writer.
func (t *transaction) Add(key, operand []byte) { t.writesKey(key).Add(key, operand) }

// SetVersionstampedKey implements kv.Writer.
func (t *transaction) SetVersionstampedKey(key []byte, offset int, value []byte) {
	t.writesKey(key).SetVersionstampedKey(key, offset, value)
}

// SetVersionstampedValue implements kv.Writer.
func (t *transaction) SetVersionstampedValue(key, value []byte, offset int) {
	t.writesKey(key).SetVersionstampedValue(key, value, offset)
}

// AddWriteConflict implements kv.Transaction.
func (t *transaction) AddWriteConflict(r kv.Range) { t.writes().AddWriteConflict(r) }

// Commit implements kv.Transaction. The commit's outcome holds before its answer arrives.
func (t *transaction) Commit() error {
	err := t.Transaction.Commit()
	if t.wrote {
		a := t.store.ask(t.version, nil)
		if c := t.store.cluster.Load(); c != nil {
			a.at = c.write(t.keys, a.at)
		}
		t.store.wait(t.ctx, a, Commit, nil)
	}
	return err
}
