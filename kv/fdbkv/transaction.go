//go:build fdb

package fdbkv

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/apple/foundationdb/bindings/go/src/fdb"

	"github.com/sqlfdb/sqlfdb/kv"
)

// transaction implements kv.Transaction. Every wait for one of its futures also holds the
// transaction: FoundationDB cancels the futures of one that is destroyed.
type transaction struct {
	store   *store
	ctx     context.Context
	tr      fdb.Transaction
	snap    fdb.Snapshot
	ryw     bool
	begun   time.Time
	version fdb.FutureInt64
	stop    func() bool // of the context's watcher

	ended atomic.Pointer[error]     // why; nil while it lives
	known atomic.Pointer[time.Time] // since when the read version has been known; nil while it isn't

	readMu    sync.Mutex
	reads     []kv.Range // not yet given to FoundationDB
	readBytes int64      // of all reads, as the limit counts them
	joined    int        // how many were left when they were last joined
	iterators map[*iterator]struct{}

	// Writes, from one goroutine.
	writes     int // mutations and write conflicts
	writeBytes int64
	writeErr   error               // the first bad write; commit returns it
	ops        []op                // with own writes visible
	stamps     map[string]struct{} // with own writes visible: keys whose values have a pending versionstamp
	watching   []*watch

	stampMu sync.Mutex
	stamp   [kv.VersionstampSize]byte
	stamped bool
}

// The bytes of a mutation and of a conflict range beside their keys and values, as
// FoundationDB counts a transaction's size.
const (
	mutationSize = 48
	conflictSize = 24
)

// fewReads is how many conflict ranges of reads are kept before they are joined for
// the first time; later, whenever their number has doubled.
const fewReads = 1024

// live is the error why the transaction can't be used, or nil. It also checks that the
// version is not too old, since the client answers from its cache without a limit of time.
func (t *transaction) live() error {
	if e := t.ended.Load(); e != nil {
		return *e
	}
	if err := t.ctx.Err(); err != nil {
		return err
	}
	if known := t.known.Load(); known != nil && time.Since(*known) > versionLife {
		return &kv.LifeError{Limit: versionLife}
	}
	return nil
}

// knows notes that the read version is known.
func (t *transaction) knows() {
	if t.known.Load() == nil {
		now := time.Now()
		t.known.CompareAndSwap(nil, &now)
	}
}

// end ends the transaction for a reason, once; it reports whether this call did.
func (t *transaction) end(reason error) bool {
	if !t.ended.CompareAndSwap(nil, &reason) {
		return false
	}
	t.stop()
	t.store.forget(t)
	return true
}

// failed is the error of an operation that began to wait at a time.
func (t *transaction) failed(doing string, err error, since time.Time) error {
	code := codeOf(err)
	if code == codeTransactionTimeout {
		if time.Since(since) >= t.store.patience/2 && t.ctx.Err() == nil {
			// The transaction has become old by waiting for the cluster: its further operations fail
			// in the same way.
			gone := fmt.Errorf("fdbkv: %s: %w", doing, translate(err))
			t.end(gone)
			return gone
		}
		code = codeTooOld
	}
	if gone := t.live(); gone != nil {
		return fmt.Errorf("fdbkv: %s: %w", doing, gone)
	}
	if code == codeTooOld && t.outlived() {
		return fmt.Errorf("fdbkv: %s: %w", doing, &kv.LifeError{Limit: versionLife})
	}
	return fmt.Errorf("fdbkv: %s: %w", doing, translate(err))
}

// outlived reports whether a version that is too old is so by the transaction's own
// length. Otherwise it is the cluster that has lost its memory of commits, in a recovery,
// for which the question for the version may have waited.
func (t *transaction) outlived() bool {
	since := t.begun
	if known := t.known.Load(); known != nil {
		since = *known
	}
	return time.Since(since) > versionLife*4/5
}

// ReadVersion implements kv.Transaction.
func (t *transaction) ReadVersion() (int64, error) {
	if err := t.live(); err != nil {
		return 0, err
	}
	since := time.Now()
	v, err := t.version.Get()
	if err != nil {
		return 0, t.failed("read version", err, since)
	}
	t.knows()
	return v, nil
}

func exact(r kv.Range) fdb.KeyRange {
	return fdb.KeyRange{Begin: fdb.Key(r.Start), End: fdb.Key(r.End)}
}

func (t *transaction) refuse(doing string, err error) {
	if t.writeErr == nil {
		t.writeErr = fmt.Errorf("fdbkv: %s: %w", doing, err)
	}
}

// writable checks a write, and prepares for it.
func (t *transaction) writable(doing string, key, value []byte) bool {
	if err := errors.Join(kv.CheckKey(key), kv.CheckValue(value)); err != nil {
		t.refuse(doing, err)
		return false
	}
	if t.live() != nil {
		return false
	}
	t.writes++
	t.writeBytes += int64(3*len(key)+len(value)) + 1 + mutationSize + conflictSize
	return true
}

// Set implements kv.Writer.
func (t *transaction) Set(key, value []byte) {
	if t.writable("set", key, value) {
		t.readable(key)
		t.tr.Set(fdb.Key(key), value)
		t.note(opSet, key, value)
	}
}

// readable undoes a versionstamped value: for FoundationDB a key that had one stays
// unreadable when it is set, but not when it is cleared.
func (t *transaction) readable(key []byte) {
	if _, is := t.stamps[string(key)]; is {
		delete(t.stamps, string(key))
		t.writeBytes += int64(4*len(key)) + 2 + mutationSize + conflictSize
		t.tr.Clear(fdb.Key(key))
	}
}

// Clear implements kv.Writer.
func (t *transaction) Clear(key []byte) {
	if t.writable("clear", key, nil) {
		t.writeBytes += int64(len(key)) + 1 // it is sent as a range
		t.tr.Clear(fdb.Key(key))
		t.note(opClear, key, nil)
	}
}

// Add implements kv.Writer.
func (t *transaction) Add(key, operand []byte) {
	if t.writable("add", key, operand) {
		t.tr.Add(fdb.Key(key), operand)
		t.note(opAdd, key, operand)
	}
}

// ClearRange implements kv.Writer.
func (t *transaction) ClearRange(r kv.Range) {
	if err := kv.CheckRange(r); err != nil {
		t.refuse("clear range", err)
		return
	}
	r = r.Clip()
	if bytes.Equal(r.Start, r.End) || t.live() != nil {
		return
	}
	t.writes++
	t.writeBytes += 2*int64(len(r.Start)+len(r.End)) + mutationSize + conflictSize
	t.tr.ClearRange(exact(r))
	t.note(opClearRange, r.Start, r.End)
}

// at appends the place of a versionstamp as FoundationDB wants it.
func at(b []byte, offset int) []byte {
	return binary.LittleEndian.AppendUint32(b[:len(b):len(b)], uint32(offset))
}

// SetVersionstampedKey implements kv.Writer.
func (t *transaction) SetVersionstampedKey(key []byte, offset int, value []byte) {
	if offset < 0 || offset > len(key)-kv.VersionstampSize {
		t.refuse("set versionstamped key", kv.ErrBadOffset)
		return
	}
	if offset == 0 && key[0] == 0xff {
		// The stamp decides the key's first byte; a template of 0xff is no reserved key.
		key = append([]byte{0}, key[1:]...)
	}
	if t.writable("set versionstamped key", key, value) {
		k := at(key, offset)
		t.tr.SetVersionstampedKey(fdb.Key(k), value)
		t.note(opStampedKey, k, value)
	}
}

// SetVersionstampedValue implements kv.Writer.
func (t *transaction) SetVersionstampedValue(key, value []byte, offset int) {
	if offset < 0 || offset > len(value)-kv.VersionstampSize {
		t.refuse("set versionstamped value", kv.ErrBadOffset)
		return
	}
	if t.writable("set versionstamped value", key, value) {
		if t.ryw {
			if t.stamps == nil {
				t.stamps = map[string]struct{}{}
			}
			t.stamps[string(key)] = struct{}{}
		}
		v := at(value, offset)
		t.tr.SetVersionstampedValue(fdb.Key(key), v)
		t.note(opStampedValue, key, v)
	}
}

// AddReadConflict implements kv.Transaction.
func (t *transaction) AddReadConflict(r kv.Range) {
	if err := kv.CheckRange(r); err != nil {
		t.refuse("add read conflict", err)
		return
	}
	r = r.Clip()
	t.addRead(kv.Range{Start: bytes.Clone(r.Start), End: bytes.Clone(r.End)})
}

// AddWriteConflict implements kv.Transaction.
func (t *transaction) AddWriteConflict(r kv.Range) {
	if err := kv.CheckRange(r); err != nil {
		t.refuse("add write conflict", err)
		return
	}
	r = r.Clip()
	if bytes.Equal(r.Start, r.End) || t.live() != nil {
		return
	}
	if t.ryw {
		t.note(opConflict, r.Start, r.End)
	} else if err := t.tr.AddWriteConflictRange(exact(r)); err != nil {
		t.refuse("add write conflict", translate(err))
		return
	}
	t.writes++
	t.writeBytes += int64(len(r.Start)+len(r.End)) + conflictSize
}

// addRead keeps the range's slices.
func (t *transaction) addRead(r kv.Range) {
	t.readMu.Lock()
	defer t.readMu.Unlock()
	t.addReadLocked(r)
}

func (t *transaction) addReadLocked(r kv.Range) {
	t.reads = append(t.reads, r)
	t.readBytes += weigh(r)
	if len(t.reads) < max(fewReads, t.joined*2) {
		return
	}
	// A nested loop reads the same ranges again and again: they count once.
	t.join()
	t.joined = len(t.reads)
}

func weigh(r kv.Range) int64 { return int64(len(r.Start)+len(r.End)) + conflictSize }

// join joins the reads that are not given yet, and needs readMu.
func (t *transaction) join() {
	for _, r := range t.reads {
		t.readBytes -= weigh(r)
	}
	t.reads = kv.JoinReads(t.reads, conflictSize)
	for _, r := range t.reads {
		t.readBytes += weigh(r)
	}
}

// giveReads gives the reads to the transaction that will be committed.
func (t *transaction) giveReads(tr fdb.Transaction) {
	t.readMu.Lock()
	defer t.readMu.Unlock()
	for it := range t.iterators {
		it.cover()
	}
	t.join()
	for _, r := range t.reads {
		if err := tr.AddReadConflictRange(exact(r)); err != nil {
			t.refuse("add read conflict", translate(err))
		}
	}
}

// Size implements kv.Transaction.
func (t *transaction) Size() int64 {
	t.readMu.Lock()
	defer t.readMu.Unlock()
	return t.writeBytes + t.readBytes
}

// Overhead implements kv.Transaction.
func (t *transaction) Overhead() int64 { return mutationSize + conflictSize }

// Cancel implements kv.Transaction.
func (t *transaction) Cancel() {
	if t.end(kv.ErrDone) {
		t.tr.Cancel()
	}
	// Also when something else has ended the transaction: it will not commit.
	t.dropWatches(kv.ErrDone)
}

func (t *transaction) dropWatches(why error) {
	for _, w := range t.watching {
		w.finish(fmt.Errorf("fdbkv: watch of a transaction that did not commit: %w", why))
	}
	t.watching = nil
}

// Versionstamp implements kv.Transaction.
func (t *transaction) Versionstamp() ([kv.VersionstampSize]byte, error) {
	t.stampMu.Lock()
	defer t.stampMu.Unlock()
	if !t.stamped {
		return t.stamp, fmt.Errorf("fdbkv: no versionstamp before a commit that writes: %w", kv.ErrUnreadable)
	}
	return t.stamp, nil
}

// Commit implements kv.Transaction.
func (t *transaction) Commit() error {
	err := t.commit()
	if err != nil {
		t.dropWatches(err)
		return err
	}
	for _, w := range t.watching {
		w.arm()
	}
	t.watching = nil
	return nil
}

func (t *transaction) commit() error {
	if err := t.live(); err != nil {
		t.end(kv.ErrDone)
		return err
	}
	if !t.store.committing() {
		return kv.ErrClosed
	}
	defer t.store.commits.Done()
	defer t.end(kv.ErrDone)
	if t.writeErr != nil {
		return t.writeErr
	}
	if t.writes == 0 {
		return nil
	}
	tr := t.tr
	if t.ryw {
		var err error
		if tr, err = t.again(); err != nil {
			return err
		}
		defer context.AfterFunc(t.ctx, tr.Cancel)()
	}
	t.giveReads(tr)
	if t.writeErr != nil {
		return t.writeErr
	}
	if size := t.Size(); size > kv.MaxTransactionSize {
		return fmt.Errorf("fdbkv: commit: %w", tooLarge(size))
	}
	stamp := tr.GetVersionstamp()
	if err := tr.Commit().Get(); err != nil {
		return t.commitFailed(err)
	}
	for _, w := range t.watching {
		w.version, _ = tr.GetCommittedVersion()
	}
	key, err := stamp.Get()
	if err != nil {
		// It has only write conflicts.
		return nil
	}
	t.stampMu.Lock()
	defer t.stampMu.Unlock()
	t.stamped = copy(t.stamp[:], key) == kv.VersionstampSize
	return nil
}

func tooLarge(size int64) error {
	return &kv.SizeError{Err: kv.ErrTooLarge, Size: size, Limit: kv.MaxTransactionSize}
}

func (t *transaction) commitFailed(err error) error {
	code := codeOf(err)
	switch {
	case code == codeTransactionTooBig:
		return fmt.Errorf("fdbkv: commit: %w", tooLarge(max(t.Size(), kv.MaxTransactionSize+1)))
	case code == codeTooOld && t.outlived():
		return fmt.Errorf("fdbkv: commit: %w", &kv.LifeError{Limit: versionLife})
	}
	if gone := t.ctx.Err(); gone != nil {
		return fmt.Errorf("fdbkv: commit: %w: %w", outcome(err), gone)
	}
	return fmt.Errorf("fdbkv: commit: %w", outcome(err))
}
