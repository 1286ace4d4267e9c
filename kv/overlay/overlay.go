// Package overlay holds the uncommitted writes of one transaction over the store's reader.
// The transaction can read its own writes. A statement or everything since a savepoint can
// be undone, and a statement's scans don't see the statement's own writes. It decides no
// conflicts and stores nothing: at commit it hands each key's final state to the
// transaction below.
//
// Every write carries a number, its epoch. An epoch ends whenever somebody may want to see,
// or to return to, the state of that moment: a bracket, a savepoint, a fence, an iterator.
// A key keeps one version per epoch that wrote it. A reader sees the newest version that
// isn't younger than the epoch it reads at, and undoing is dropping versions.
//
// Adds are folded: all the adds of a transaction to one key become one. A
// total of zero, with nothing else done to the key, is dropped: the key stays
// as it was, absent or of another length. A counter whose users read absent
// and zero alike can't show.
package overlay

import (
	"bytes"
	"fmt"
	"math"
	"sync"

	"github.com/google/btree"

	"github.com/sqlfdb/sqlfdb/kv"
)

// Tx is a transaction: the writes held here over the reads of the one below.
// As kv.Transaction says, it may be read from several goroutines at once; the
// writes, brackets, savepoints, fences, Commit and Cancel may not run
// concurrently with anything else.
type Tx struct {
	base     kv.Transaction
	snapshot kv.Reader // of base

	arena   arena
	nodes   slab[node]
	olds    slab[version]
	keys    table   // of the keys written
	written []*node // the same in order of their first write

	// mu guards the fields that opening an iterator changes: epoch, dirty, the sorted keys.
	mu     sync.RWMutex
	epoch  uint64              // of the next write
	dirty  bool                // something has been written in epoch
	sorted *btree.BTreeG[item] // the first placed of written; nil when none
	placed int

	clears *btree.BTreeG[*clearedRange] // nil when none

	scratch      []byte
	stamped      table // of the templates of versionstamped keys
	stampedOrder []*node
	stampGroups  map[string]*stampGroup

	fence      uint64 // epoch that Statement readers see; everything when none is open
	undo       []undo
	marks      []mark
	savepoints []savepoint
	marked     uint64 // counts marks and savepoints, to number them

	// atCommit are the functions given to AtCommit, and atCommitNamed their names; mu guards them.
	atCommit      []func(kv.Transaction)
	atCommitNamed map[string]struct{}

	size int64 // of the writes, as cost counts
	// overhead is how many bytes the store counts for each write beside that.
	overhead int64
	effect   int   // keys, templates and clears that have a state
	err      error // of a write, for Commit
	done     bool
}

// everything is the epoch that sees all writes, later ones too.
const everything = math.MaxUint64

var _ kv.Transaction = (*Tx)(nil)

// New puts an empty set of writes over base, which must have been begun with
// NoReadYourWrites and must not be used directly any more.
func New(base kv.Transaction) *Tx {
	return &Tx{base: base, overhead: base.Overhead(), snapshot: base.Snapshot(), epoch: 1, fence: everything}
}

// now ends the epoch, if anything was written in it, and returns the last one
// that has ended. The caller holds mu or is a writer.
func (t *Tx) now() uint64 {
	if t.dirty {
		t.epoch++
		t.dirty = false
	}
	return t.epoch - 1
}

// Get reads one key as the transaction sees it now. It adds a conflict range
// when the answer rests on the store.
func (t *Tx) Get(key []byte) kv.FutureValue { return t.get(key, everything, t.base) }

// Range reads a range as the transaction sees it at this call: writes made
// while the iterator is open are not seen.
func (t *Tx) Range(r kv.Range, opts kv.RangeOptions) kv.Iterator {
	return t.iterate(r, opts, everything, t.base)
}

// EstimateSize adds the writes to the store's estimate, roughly.
func (t *Tx) EstimateSize(r kv.Range) kv.FutureInt64 { return t.estimate(r, t.snapshot) }

// Unwrap is the reader below.
func (t *Tx) Unwrap() kv.Reader { return t.base }

// Of is the transaction that a reader adds conflicts to, or nil if there is none that takes AtCommit.
func Of(r kv.Reader) *Tx {
	for {
		switch at := r.(type) {
		case interface{ itself() *Tx }: // also types that embed one
			return at.itself()
		case *reader:
			if at.base != kv.Reader(at.t.base) {
				return nil
			}
			return at.t
		case interface{ Unwrap() kv.Reader }:
			r = at.Unwrap()
		default:
			return nil
		}
	}
}

func (t *Tx) itself() *Tx { return t }

// AtCommit has add called when the transaction commits, with the transaction below, to add conflicts that are known
// only then. Of several under one name the first is called; functions without a name are all called. Like an added
// conflict, it is not undone with writes.
func (t *Tx) AtCommit(name string, add func(kv.Transaction)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.atCommitNamed[name]; ok || t.done {
		return
	}
	if name != "" {
		if t.atCommitNamed == nil {
			t.atCommitNamed = map[string]struct{}{}
		}
		t.atCommitNamed[name] = struct{}{}
	}
	t.atCommit = append(t.atCommit, add)
}

// Snapshot returns a reader that sees the same as Tx and adds no conflicts.
func (t *Tx) Snapshot() kv.Reader { return &reader{t, everything, t.snapshot} }

// Statement returns a reader for the running statement: it adds conflicts and sees the
// writes before the innermost open fence, or all if none is open. It keeps that view when
// another fence is opened or restored later.
func (t *Tx) Statement() kv.Reader { return &reader{t, t.fence, t.base} }

// StatementSnapshot is Statement without conflicts.
func (t *Tx) StatementSnapshot() kv.Reader { return &reader{t, t.fence, t.snapshot} }

// reader is a view of the writes up to an epoch, over base.
type reader struct {
	t    *Tx
	asOf uint64
	base kv.Reader
}

// Unwrap is the reader below.
func (r *reader) Unwrap() kv.Reader { return r.base }

func (r *reader) Get(key []byte) kv.FutureValue { return r.t.get(key, r.asOf, r.base) }
func (r *reader) Range(rg kv.Range, opts kv.RangeOptions) kv.Iterator {
	return r.t.iterate(rg, opts, r.asOf, r.base)
}
func (r *reader) EstimateSize(rg kv.Range) kv.FutureInt64 { return r.t.estimate(rg, r.base) }

func (t *Tx) get(key []byte, asOf uint64, base kv.Reader) kv.FutureValue {
	if t.effect == 0 {
		return base.Get(key)
	}
	if n := t.keys.find(key); n != nil {
		if v := n.visible(asOf); v != nil {
			switch {
			case v.kind == kindClear:
				return ready{}
			case v.kind != kindAdd:
				return ready{v.value}
			case v.overStamp():
				return ready{v.apply(nil)}
			}
			return &addedValue{base: base.Get(key), add: v.frozen()}
		}
	}
	if t.cleared(key, asOf) {
		return ready{}
	}
	return base.Get(key)
}

// ready is a future that has its value.
type ready struct{ value []byte }

func (f ready) Get() ([]byte, error) { return f.value, nil }

// addedValue is the store's value with adds on top.
type addedValue struct {
	base kv.FutureValue
	add  *version
}

func (f *addedValue) Get() ([]byte, error) {
	value, err := f.base.Get()
	if err != nil {
		return nil, err
	}
	return f.add.apply(value), nil
}

// estimateKeys bounds the work of an estimate.
const estimateKeys = 1000

func (t *Tx) estimate(r kv.Range, base kv.Reader) kv.FutureInt64 {
	if t.effect == 0 {
		return base.EstimateSize(r)
	}
	t.mu.Lock()
	t.sort()
	t.mu.Unlock()
	var own int64
	left := estimateKeys
	t.ascend(r.Start, r.End, func(n *node) bool {
		if n.last != nil {
			own += int64(len(n.key) + len(n.last.value))
		}
		left--
		return left > 0
	})
	if end, ok := t.clearedTo(r.Start, everything); ok && bytes.Compare(end, r.End) >= 0 {
		return readyInt64(own)
	}
	return &addedInt64{base.EstimateSize(r), own}
}

type readyInt64 int64

func (f readyInt64) Get() (int64, error) { return int64(f), nil }

type addedInt64 struct {
	base kv.FutureInt64
	own  int64
}

func (f *addedInt64) Get() (int64, error) {
	n, err := f.base.Get()
	return n + f.own, err
}

// ReadVersion is the version that all reads of the store see.
func (t *Tx) ReadVersion() (int64, error) { return t.base.ReadVersion() }

// AddReadConflict makes the commit fail when another transaction has written in r.
func (t *Tx) AddReadConflict(r kv.Range) { t.base.AddReadConflict(r) }

// AddWriteConflict makes others that have read in r fail. It is not undone
// with the writes around it.
func (t *Tx) AddWriteConflict(r kv.Range) { t.base.AddWriteConflict(r) }

// Watch waits for key to change from its value in the store at the read version: the
// transaction's own write of it is a change too.
func (t *Tx) Watch(key []byte) (kv.Watch, error) { return t.base.Watch(key) }

// Versionstamp is the stamp of the commit.
func (t *Tx) Versionstamp() ([kv.VersionstampSize]byte, error) { return t.base.Versionstamp() }

// Wrote reports whether there are writes to commit.
func (t *Tx) Wrote() bool { return t.effect > 0 }

// Unwritten implements kv.Recalling.
func (t *Tx) Unwritten(key []byte, since int64) bool {
	return !t.Wrote() && kv.Unwritten(t.base, key, since)
}

// Size is the size in bytes that the commit would have now: the store's own count, for
// reads, and the final state of each written key.
func (t *Tx) Size() int64 { return t.base.Size() + t.size }

// Overhead implements kv.Transaction.
func (t *Tx) Overhead() int64 { return t.overhead }

// CheckSize returns a *kv.SizeError when Size exceeds kv.MaxTransactionSize.
// It is cheap enough to be called after every row.
func (t *Tx) CheckSize() error {
	if size := t.Size(); size > kv.MaxTransactionSize {
		return &kv.SizeError{Err: kv.ErrTooLarge, Size: size, Limit: kv.MaxTransactionSize}
	}
	return nil
}

// Commit hands the final state of every key to the transaction below and
// commits that. A transaction over its size fails with a *kv.SizeError and
// writes nothing. The transaction is over afterwards in any case.
func (t *Tx) Commit() error {
	if t.done {
		return t.base.Commit()
	}
	err := t.err
	if err == nil {
		err = t.CheckSize()
	}
	if err != nil {
		t.Cancel()
		return fmt.Errorf("overlay: commit: %w", err)
	}
	for _, add := range t.atCommit {
		add(t.base)
	}
	t.flush()
	t.end()
	return t.base.Commit()
}

// Cancel ends the transaction; calling it after Commit does nothing.
func (t *Tx) Cancel() {
	t.base.Cancel()
	t.end()
}

// end drops the writes, so that later reads are answered by the transaction below, which
// has ended too.
func (t *Tx) end() {
	*t = Tx{base: t.base, snapshot: t.snapshot, epoch: t.epoch + 1, fence: everything, done: true}
}

// flush writes the final states into base. Clears of ranges come first: a key that one of
// them covers has a later write.
func (t *Tx) flush() {
	keys, values := 0, 0
	for _, n := range t.written {
		if v := n.last; v != nil {
			keys, values = keys+len(n.key), values+len(v.value)
		}
	}
	for _, n := range t.stampedOrder {
		if v := n.last; v != nil {
			keys, values = keys+len(n.key), values+len(v.value)
		}
	}
	kv.Expect(t.base, len(t.written)+len(t.stampedOrder), keys, values)
	t.flushStamped(kindStampedEarly)
	t.flushClears()
	for _, n := range t.written {
		if v := n.last; v != nil {
			t.flushKey(n.key, v)
		}
	}
	t.flushStamped(kindStampedKey)
}

func (t *Tx) flushKey(key []byte, v *version) {
	switch v.kind {
	case kindSet:
		t.base.Set(key, v.value)
	case kindClear:
		if !t.cleared(key, everything) {
			t.base.Clear(key)
		}
	case kindStampedValue:
		t.base.SetVersionstampedValue(key, v.value, v.offset)
	case kindAdd:
		if v.isNothing() {
			return
		}
		if v.under != nil {
			t.flushKey(key, v.under)
		}
		t.base.Add(key, v.value)
	}
}
