package bucketkv

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sqlfdb/sqlfdb/kv"
)

// transaction implements kv.Transaction over a state in memory. Its writes are a list, which commit applies to the
// newest state. A transaction that reads its own writes also applies them to a copy of the state that it sees.
type transaction struct {
	store *engine
	ctx   context.Context
	begun time.Time
	hold  bool
	own   bool // reads see its own writes
	at    *state
	over  atomic.Pointer[error] // why nothing can be done any more

	sees    pairs      // the state that reads see
	copied  bool       // sees is its own
	pending []kv.Range // where keys will be that are known at commit only

	ops       []op
	conflicts []kv.Range // declared writes, beside the ranges of ops
	size      int64      // of ops and conflicts
	bad       error      // of a write
	watching  []*watch
	stamp     *[kv.VersionstampSize]byte

	mu        sync.Mutex // guards the fields below, and the cloning of sees
	reads     []kv.Range
	readBytes int64
	covered   []*kv.Range // by iterators
}

var (
	_ kv.Transaction = (*transaction)(nil)
	_ kv.Recalling   = (*transaction)(nil)
)

// live is the error of using a transaction that is over.
func (t *transaction) live() error {
	select {
	case <-t.store.quit:
		return kv.ErrClosed
	default:
	}
	if over := t.over.Load(); over != nil {
		return *over
	}
	if err := t.ctx.Err(); err != nil {
		return err
	}
	if life := t.store.opts.TransactionLife; !t.hold && time.Since(t.begun) > life {
		return fmt.Errorf("bucketkv: %w", &kv.LifeError{Limit: life})
	}
	return nil
}

func (t *transaction) end() { t.over.CompareAndSwap(nil, &errDone) }

var errDone = kv.ErrDone

// value is a read that is over.
type value struct {
	is  []byte
	err error
}

// Get implements kv.FutureValue.
func (v value) Get() ([]byte, error) { return v.is, v.err }

// number is an estimate.
type number struct {
	is  int64
	err error
}

// Get implements kv.FutureInt64.
func (n number) Get() (int64, error) { return n.is, n.err }

// Get implements kv.Reader.
func (t *transaction) Get(key []byte) kv.FutureValue { return t.get(key, true) }

func (t *transaction) get(key []byte, conflicts bool) kv.FutureValue {
	if err := t.live(); err != nil {
		return value{err: err}
	}
	if err := kv.CheckKey(key); errors.Is(err, kv.ErrKeyTooLarge) {
		return value{}
	} else if err != nil {
		return value{err: fmt.Errorf("bucketkv: get: %w", err)}
	}
	if conflicts {
		t.AddReadConflict(kv.PointRange(key))
	}
	is, _ := t.sees.get(key)
	if is.pending || t.stamped(key) {
		return value{err: fmt.Errorf("bucketkv: get: %w", kv.ErrUnreadable)}
	}
	return value{is: is.value}
}

// stamped reports whether a key may be one that is known at commit only.
func (t *transaction) stamped(key []byte) bool {
	return slices.ContainsFunc(t.pending, func(r kv.Range) bool { return ranges{r}.have(key) })
}

// EstimateSize implements kv.Reader.
func (t *transaction) EstimateSize(r kv.Range) kv.FutureInt64 {
	err := t.live()
	if err == nil {
		err = kv.CheckRange(r)
	}
	if err != nil {
		return number{err: fmt.Errorf("bucketkv: estimate: %w", err)}
	}
	var n int64
	t.sees.tree.AscendRange(pair{key: r.Start}, pair{key: r.End}, func(p pair) bool {
		n += int64(len(p.key) + len(p.value))
		return true
	})
	return number{is: n}
}

// snapshot reads without conflicts.
type snapshot struct{ *transaction }

// Get implements kv.Reader.
func (s snapshot) Get(key []byte) kv.FutureValue { return s.get(key, false) }

// Range implements kv.Reader.
func (s snapshot) Range(r kv.Range, opts kv.RangeOptions) kv.Iterator {
	return s.iterate(r, opts, false)
}

// Snapshot implements kv.Transaction.
func (t *transaction) Snapshot() kv.Reader { return snapshot{t} }

// ReadVersion implements kv.Transaction.
func (t *transaction) ReadVersion() (int64, error) { return t.at.version, t.live() }

// Unwritten implements kv.Recalling.
func (t *transaction) Unwritten(key []byte, since int64) bool {
	t.store.mu.Lock()
	defer t.store.mu.Unlock()
	w := &t.store.window
	if since < w.floor || since > t.at.version {
		return false
	}
	for _, c := range w.behind(since) {
		if c.version <= t.at.version && ranges(c.ranges).have(key) {
			return false
		}
	}
	return true
}

// readsJoined is from how many bytes on ranges that were read are made fewer.
const readsJoined = 4 << 20

// AddReadConflict implements kv.Transaction.
func (t *transaction) AddReadConflict(r kv.Range) {
	if bytes.Compare(r.Start, r.End) >= 0 {
		return
	}
	r = kv.Range{Start: bytes.Clone(r.Start), End: bytes.Clone(r.End)}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reads = append(t.reads, r)
	t.readBytes += int64(len(r.Start) + len(r.End))
	if t.readBytes > readsJoined {
		t.joinReads()
	}
}

// joinReads joins the ranges that were read into fewer. The caller holds mu.
func (t *transaction) joinReads() {
	t.reads = kv.JoinReads(t.reads, 0)
	t.readBytes = 0
	for _, r := range t.reads {
		t.readBytes += int64(len(r.Start) + len(r.End))
	}
}

// read are the ranges that the transaction has read, sorted.
func (t *transaction) read() []kv.Range {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, r := range t.covered {
		t.reads = append(t.reads, *r)
	}
	t.covered = nil
	t.joinReads()
	return t.reads
}

// Size implements kv.Transaction.
func (t *transaction) Size() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.size + t.readBytes
}

// Overhead implements kv.Transaction.
func (t *transaction) Overhead() int64 { return 0 }

// Cancel implements kv.Transaction.
func (t *transaction) Cancel() {
	t.end()
	t.armAll(nil, kv.ErrDone)
}

// Versionstamp implements kv.Transaction.
func (t *transaction) Versionstamp() ([kv.VersionstampSize]byte, error) {
	if t.stamp == nil {
		return [kv.VersionstampSize]byte{}, errors.New("bucketkv: a versionstamp is that of a commit that has written")
	}
	return *t.stamp, nil
}

// Commit implements kv.Transaction.
func (t *transaction) Commit() error {
	err := t.live()
	switch size := t.Size(); {
	case err != nil:
	case !t.writes() && t.bad == nil:
		t.end()
		return nil
	case t.bad != nil:
		err = t.bad
	case size > kv.MaxTransactionSize:
		err = &kv.SizeError{Err: kv.ErrTooLarge, Size: size, Limit: kv.MaxTransactionSize}
	case t.store.opts.ReadOnly:
		err = kv.ErrReadOnly
	case time.Since(t.begun) > t.store.opts.TransactionLife:
		err = &kv.LifeError{Limit: t.store.opts.TransactionLife}
	}
	var made *state
	if err == nil {
		made, err = t.store.commit(t)
	}
	t.end()
	t.armAll(made, err)
	if err != nil {
		return fmt.Errorf("bucketkv: commit: %w", err)
	}
	stamp := stampOf(made.version)
	t.stamp = &stamp
	return nil
}
