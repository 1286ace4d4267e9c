package faultkv

import (
	"sync"

	"github.com/sqlfdb/sqlfdb/kv"
)

// transaction is a transaction whose operations may meet faults.
type transaction struct {
	store *Store
	base  kv.Transaction
	// passed is how many versions had passed by the store's time when it began.
	passed int64

	mu    sync.Mutex
	dead  error // after a fault that ends it
	wrote bool  // writes, or conflicts of writes
	held  bool  // its commit is under way, or has been: base is the store's
}

var _ kv.Transaction = (*transaction)(nil)

// meet decides an operation that reads.
func (t *transaction) meet(op Op) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.dead != nil {
		return t.dead
	}
	_, err := t.store.next(op)
	t.dead = err
	return err
}

func (t *transaction) ended() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.dead
}

func (t *transaction) writes() kv.Transaction {
	t.wrote = true
	return t.base
}

// reader is the transaction's reads, with or without conflicts.
type reader struct {
	t    *transaction
	base kv.Reader
}

type failed struct{ err error }

func (f failed) Get() ([]byte, error) { return nil, f.err }

type failedNumber struct{ err error }

func (f failedNumber) Get() (int64, error) { return 0, f.err }

// Get implements kv.Reader.
func (r reader) Get(key []byte) kv.FutureValue {
	if err := r.t.meet(Get); err != nil {
		return failed{err}
	}
	return r.base.Get(key)
}

// EstimateSize implements kv.Reader.
func (r reader) EstimateSize(of kv.Range) kv.FutureInt64 {
	if err := r.t.meet(Estimate); err != nil {
		return failedNumber{err}
	}
	return r.base.EstimateSize(of)
}

// Range implements kv.Reader.
func (r reader) Range(of kv.Range, opts kv.RangeOptions) kv.Iterator {
	return &iterator{Iterator: r.base.Range(of, opts), t: r.t}
}

// iterator meets a fault at any step.
type iterator struct {
	kv.Iterator
	t   *transaction
	err error
}

// Next implements kv.Iterator.
func (i *iterator) Next() bool {
	if i.err == nil {
		i.err = i.t.meet(Range)
	}
	return i.err == nil && i.Iterator.Next()
}

// Err implements kv.Iterator.
func (i *iterator) Err() error {
	if i.err != nil {
		return i.err
	}
	return i.Iterator.Err()
}

func (t *transaction) reads() reader { return reader{t, t.base} }

// Get implements kv.Reader.
func (t *transaction) Get(key []byte) kv.FutureValue { return t.reads().Get(key) }

// Range implements kv.Reader.
func (t *transaction) Range(r kv.Range, opts kv.RangeOptions) kv.Iterator {
	return t.reads().Range(r, opts)
}

// EstimateSize implements kv.Reader.
func (t *transaction) EstimateSize(r kv.Range) kv.FutureInt64 { return t.reads().EstimateSize(r) }

// Snapshot implements kv.Transaction.
func (t *transaction) Snapshot() kv.Reader { return reader{t, t.base.Snapshot()} }

// ReadVersion implements kv.Transaction.
func (t *transaction) ReadVersion() (int64, error) {
	if err := t.ended(); err != nil {
		return 0, err
	}
	v, err := t.base.ReadVersion()
	return v + t.passed, err
}

// Set implements kv.Writer.
func (t *transaction) Set(key, value []byte) { t.writes().Set(key, value) }

// Clear implements kv.Writer.
func (t *transaction) Clear(key []byte) { t.writes().Clear(key) }

// ClearRange implements kv.Writer.
func (t *transaction) ClearRange(r kv.Range) { t.writes().ClearRange(r) }

// Add implements kv.Writer.
func (t *transaction) Add(key, operand []byte) { t.writes().Add(key, operand) }

// SetVersionstampedKey implements kv.Writer.
func (t *transaction) SetVersionstampedKey(key []byte, offset int, value []byte) {
	t.writes().SetVersionstampedKey(key, offset, value)
}

// SetVersionstampedValue implements kv.Writer.
func (t *transaction) SetVersionstampedValue(key, value []byte, offset int) {
	t.writes().SetVersionstampedValue(key, value, offset)
}

// AddReadConflict implements kv.Transaction.
func (t *transaction) AddReadConflict(r kv.Range) { t.base.AddReadConflict(r) }

// AddWriteConflict implements kv.Transaction.
func (t *transaction) AddWriteConflict(r kv.Range) { t.writes().AddWriteConflict(r) }

// Watch implements kv.Transaction.
func (t *transaction) Watch(key []byte) (kv.Watch, error) {
	if err := t.ended(); err != nil {
		return nil, err
	}
	return t.base.Watch(key)
}

// Size implements kv.Transaction.
func (t *transaction) Size() int64 { return t.base.Size() }

// Overhead implements kv.Transaction.
func (t *transaction) Overhead() int64 { return t.base.Overhead() }

// Commit implements kv.Transaction.
func (t *transaction) Commit() error {
	if err := t.ended(); err != nil {
		t.base.Cancel()
		return err
	}
	if !t.wrote {
		return t.base.Commit()
	}
	fault, err := t.store.next(Commit)
	switch fault {
	case None, Committed:
		t.store.arrive(Before)
		done := t.base.Commit()
		if done != nil {
			return done
		}
		t.store.arrive(After)
	case Before, After:
		t.held = true
		t.store.hold(t.base, fault)
	default:
		t.base.Cancel()
	}
	return err
}

// Versionstamp implements kv.Transaction.
func (t *transaction) Versionstamp() ([kv.VersionstampSize]byte, error) { return t.base.Versionstamp() }

// Cancel implements kv.Transaction. A commit that is under way can't be undone.
func (t *transaction) Cancel() {
	if !t.held {
		t.base.Cancel()
	}
}
