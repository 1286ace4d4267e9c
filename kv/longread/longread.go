package longread

import (
	"context"
	"errors"
	"sync"

	"github.com/sqlfdb/sqlfdb/kv"
)

// Tx is a transaction that reads at one version after the other. All its reads
// are snapshot reads, and it must not be written to: Commit fails if it was.
// Reads may come from several goroutines.
type Tx struct {
	ctx   context.Context
	store kv.Store
	opts  Options

	mu     sync.Mutex
	at     *version
	read   bool // something has been read at it
	barren int  // versions in a row at which nothing could be read
	ended  error
	wrote  bool
}

// version is one of the store's transactions.
type version struct {
	kv.Transaction
	reads kv.Reader // its snapshot
	epoch int64
}

var _ kv.Transaction = (*Tx)(nil)

// maxBarren is how many versions in a row may pass without a read.
const maxBarren = 20

// Options are the settings of Begin.
type Options struct {
	Transaction kv.TransactionOptions
	// Renewed is called when a newer version takes the place of an older one, before
	// anything else is read at it; at reads there. Its error ends the transaction.
	// It must not read through the Tx.
	Renewed func(at kv.Reader) error
}

// Begin starts to read. The context bounds its whole life, as for kv.Store's Begin.
func Begin(ctx context.Context, store kv.Store, opts Options) (*Tx, error) {
	t := &Tx{ctx: ctx, store: store, opts: opts}
	var err error
	t.at, err = t.begin(0)
	return t, err
}

func (t *Tx) begin(epoch int64) (*version, error) {
	tx, err := t.store.Begin(t.ctx, t.opts.Transaction)
	if err != nil {
		return nil, err
	}
	return &version{Transaction: tx, reads: tx.Snapshot(), epoch: epoch}, nil
}

// Of is the transaction that a reader reads through, or nil if that reads at one
// version only. A reader that wraps another one has a method Unwrap.
func Of(r kv.Reader) *Tx {
	for {
		if t, ok := r.(*Tx); ok {
			return t
		}
		w, ok := r.(interface{ Unwrap() kv.Reader })
		if !ok {
			return nil
		}
		r = w.Unwrap()
	}
}

// Epoch counts the changes to a newer version. All reads between two changes were at one
// version. For a nil transaction it is 0.
func (t *Tx) Epoch() int64 {
	if t == nil {
		return 0
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.at.epoch
}

// current is the version to read at.
func (t *Tx) current() (*version, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.at, t.ended
}

// answered notes that something could be read at a version, and reports whether it is
// still the one to read at.
func (t *Tx) answered(v *version) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.at == v {
		t.read = true
	}
	return t.at == v
}

// renew takes a newer version after a read at v has failed, unless another goroutine has
// done so. It returns the failure if that is no remedy.
func (t *Tx) renew(v *version, failure error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended != nil || t.at != v {
		return t.ended
	}
	for errors.Is(failure, kv.ErrTooOld) {
		if t.read {
			t.barren = 0
		} else if t.barren++; t.barren > maxBarren {
			break
		}
		next, err := t.begin(t.at.epoch + 1)
		if err != nil {
			return err
		}
		t.at.Cancel()
		t.at, t.read = next, false
		failure = nil
		if t.opts.Renewed != nil {
			failure = t.opts.Renewed(next.reads)
		}
		if failure != nil && !errors.Is(failure, kv.ErrTooOld) {
			t.ended = failure
		}
	}
	return failure
}

// attempt reads at the current version, and at newer ones while that is too old.
func attempt[T any](t *Tx, read func(*version) (T, error)) (T, error) {
	for {
		v, err := t.current()
		if err != nil {
			var none T
			return none, err
		}
		out, err := read(v)
		if err != nil {
			if err = t.renew(v, err); err != nil {
				return out, err
			}
		} else if t.answered(v) {
			return out, nil
		}
	}
}

// future is a read whose answer is waited for; at is the version it was begun at.
type future[T any] struct {
	t       *Tx
	at      *version
	pending interface{ Get() (T, error) }
	begin   func(*version) interface{ Get() (T, error) }
}

func begin[T any](t *Tx, start func(*version) interface{ Get() (T, error) }) *future[T] {
	v, err := t.current()
	if err != nil {
		return &future[T]{t: t, at: v, pending: failed[T]{err}, begin: start}
	}
	return &future[T]{t: t, at: v, pending: start(v), begin: start}
}

// Get implements kv.FutureValue and kv.FutureInt64. An answer from an earlier version is
// thrown away: the result is of the present epoch.
func (f *future[T]) Get() (T, error) {
	return attempt(f.t, func(v *version) (T, error) {
		if v != f.at {
			f.at, f.pending = v, f.begin(v)
		}
		return f.pending.Get()
	})
}

type failed[T any] struct{ err error }

func (f failed[T]) Get() (none T, err error) { return none, f.err }

// Get implements kv.Reader. The key must stay unchanged until the answer is there.
func (t *Tx) Get(key []byte) kv.FutureValue {
	return begin(t, func(v *version) interface{ Get() ([]byte, error) } { return v.reads.Get(key) })
}

// EstimateSize implements kv.Reader.
func (t *Tx) EstimateSize(r kv.Range) kv.FutureInt64 {
	return begin(t, func(v *version) interface{ Get() (int64, error) } { return v.reads.EstimateSize(r) })
}

// Snapshot implements kv.Transaction: no read conflicts.
func (t *Tx) Snapshot() kv.Reader { return t }

// ReadVersion implements kv.Transaction: the version that is read at now.
func (t *Tx) ReadVersion() (int64, error) {
	return attempt(t, func(v *version) (int64, error) { return v.ReadVersion() })
}

// AddReadConflict implements kv.Transaction. A transaction that only reads has no
// conflicts.
func (t *Tx) AddReadConflict(kv.Range) {}

// Watch implements kv.Transaction.
func (t *Tx) Watch(key []byte) (kv.Watch, error) {
	return attempt(t, func(v *version) (kv.Watch, error) { return v.Watch(key) })
}

// Size implements kv.Transaction.
func (t *Tx) Size() int64 { return t.present().Size() }

// Overhead implements kv.Transaction.
func (t *Tx) Overhead() int64 { return t.present().Overhead() }

// Commit implements kv.Transaction.
func (t *Tx) Commit() error {
	v := t.present()
	t.end()
	if t.wrote {
		v.Cancel()
		return errWrites
	}
	return v.Commit()
}

// Versionstamp implements kv.Transaction.
func (t *Tx) Versionstamp() ([kv.VersionstampSize]byte, error) { return t.present().Versionstamp() }

// Cancel implements kv.Transaction.
func (t *Tx) Cancel() {
	t.end()
	t.present().Cancel()
}

func (t *Tx) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended == nil {
		t.ended = kv.ErrDone
	}
}

func (t *Tx) present() *version {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.at
}

// errWrites is Commit's error after a write.
var errWrites = errors.New("longread: a transaction that only reads was written to")

func (t *Tx) refuse() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.wrote = true
}

// Set implements kv.Writer.
func (t *Tx) Set(_, _ []byte) { t.refuse() }

// Clear implements kv.Writer.
func (t *Tx) Clear([]byte) { t.refuse() }

// ClearRange implements kv.Writer.
func (t *Tx) ClearRange(kv.Range) { t.refuse() }

// Add implements kv.Writer.
func (t *Tx) Add(_, _ []byte) { t.refuse() }

// SetVersionstampedKey implements kv.Writer.
func (t *Tx) SetVersionstampedKey([]byte, int, []byte) { t.refuse() }

// SetVersionstampedValue implements kv.Writer.
func (t *Tx) SetVersionstampedValue(_, _ []byte, _ int) { t.refuse() }

// AddWriteConflict implements kv.Transaction.
func (t *Tx) AddWriteConflict(kv.Range) { t.refuse() }
