package pebblekv

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"github.com/sqlfdb/sqlfdb/kv"
)

var (
	errForgot   = fmt.Errorf("pebblekv: commit: read version is older than the conflict window: %w", kv.ErrTooOld)
	errConflict = fmt.Errorf("pebblekv: commit: %w", kv.ErrConflict)
	errNoStamp  = fmt.Errorf("pebblekv: no versionstamp before a commit that writes: %w", kv.ErrUnreadable)
)

// transaction implements kv.Transaction.
//
// mu is held shared for reads, and exclusively to end the transaction, which the reaper or
// the store's Close may do. So no snapshot or Pebble iterator is closed while it is read.
type transaction struct {
	store *store
	ctx   context.Context
	begun time.Time
	hold  bool // its read version does not end with the life of a transaction
	gets  atomic.Int64
	work  int64 // store.work.changes when it began

	mu     sync.RWMutex
	ended  error // why; nil while it lives
	state  *readState
	stamp  [kv.VersionstampSize]byte
	stamps bool // stamp is known

	// Reads, also from several goroutines.
	readMu    sync.Mutex
	reads     []kv.Range
	readKeys  arena
	readBytes int64
	joined    int // how many ranges were left when they were last joined
	iterators map[*iterator]struct{}
	idle      []*pebble.Iterator // of this version, for reuse
	points    []*pebble.Iterator // the same, to get keys with
	idleUsed  bool               // since the last rest

	// Writes, from one goroutine.
	ops        []op
	keys       arena // separate from values: the conflict window keeps the keys
	values     arena
	writeBytes int64
	conflicts  []kv.Range // explicit write conflicts
	writeErr   error      // the first bad write; commit returns it
	own        *ownWrites // nil with NoReadYourWrites
	watching   []*watch

	prev, succ *transaction // store.open
}

type opKind uint8

const (
	opSet opKind = iota
	opClear
	opClearRange // value is the end
	opAdd
	opStampedKey
	opStampedValue
)

type op struct {
	kind       opKind
	offset     int32 // of the versionstamp
	order      int32 // among the transaction's operations
	key, value []byte
}

// arena copies byte slices into few large blocks.
type arena struct{ block []byte }

const maxArenaBlock = 64 << 10

func (a *arena) copy(b []byte) []byte {
	if cap(a.block)-len(a.block) < len(b) {
		size := min(max(2*cap(a.block), 512), maxArenaBlock)
		a.block = make([]byte, 0, max(size, len(b)))
	}
	n := len(a.block)
	a.block = append(a.block, b...)
	return a.block[n:len(a.block):len(a.block)]
}

// point returns [key, key+0x00) on a copy of key.
func (a *arena) point(key []byte) kv.Range {
	if cap(a.block)-len(a.block) < len(key)+1 {
		a.block = make([]byte, 0, max(min(max(2*cap(a.block), 512), maxArenaBlock), len(key)+1))
	}
	n := len(a.block)
	a.block = append(append(a.block, key...), 0)
	end := a.block[n:len(a.block):len(a.block)]
	return kv.Range{Start: end[:len(key):len(key)], End: end}
}

// live needs mu. It returns why the transaction can't be used.
func (t *transaction) live() error {
	if t.ended != nil {
		return t.ended
	}
	return t.ctx.Err()
}

// end ends the transaction for a reason, once; it reports whether this call did.
func (t *transaction) end(reason error) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.endLocked(reason)
}

func (t *transaction) endLocked(reason error) bool {
	if t.ended != nil {
		return false
	}
	t.ended = reason
	t.readMu.Lock()
	for it := range t.iterators {
		it.drop()
	}
	t.iterators = nil
	t.leaveIdle()
	t.readMu.Unlock()
	s := t.store
	s.mu.Lock()
	s.open.remove(t)
	dead := s.unref(t.state)
	s.mu.Unlock()
	if dead != nil {
		s.sweep.add(dead)
	}
	t.state = nil
	return true
}

// rest closes Pebble iterators that were not used since the last call. They are opened
// again, at the same version, when they are.
func (t *transaction) rest() {
	if !t.mu.TryLock() {
		return
	}
	defer t.mu.Unlock()
	t.readMu.Lock()
	defer t.readMu.Unlock()
	for it := range t.iterators {
		it.rest()
	}
	if !t.idleUsed {
		t.closeIdle()
	}
	t.idleUsed = false
}

// leaveIdle leaves the iterators to the next transactions at this version. It needs mu or readMu exclusively.
func (t *transaction) leaveIdle() {
	if len(t.idle)+len(t.points) == 0 {
		return
	}
	if s := t.store; !s.work.quietSince(t.work) || s.failure.Load() != nil {
		t.closeIdle()
		return
	}
	left, before := t.state.spare.leave(t.work, t.points, t.idle)
	t.store.closeIterators(t.work, left...)
	t.store.sweep.addIterators(before)
	t.idle, t.points = nil, nil
}

// closeIdle needs mu or readMu exclusively.
func (t *transaction) closeIdle() {
	t.store.closeIterators(t.work, t.idle...)
	t.store.closeIterators(t.work, t.points...)
	t.idle, t.points = nil, nil
}

// ReadVersion implements kv.Transaction.
func (t *transaction) ReadVersion() (int64, error) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if err := t.live(); err != nil {
		return 0, err
	}
	return t.state.version, nil
}

// Unwritten implements kv.Recalling.
func (t *transaction) Unwritten(key []byte, since int64) bool {
	version, err := t.ReadVersion()
	if err != nil || since > version {
		return false
	}
	written, known := t.store.window.conflicts([]kv.Range{kv.PointRange(key)}, since, version)
	return known && !written
}

func (t *transaction) refuse(doing string, err error) {
	if t.writeErr == nil {
		t.writeErr = fmt.Errorf("pebblekv: %s: %w", doing, err)
	}
}

func (t *transaction) write(doing string, o op) (op, bool) {
	if err := kv.CheckKey(o.key); err != nil {
		t.refuse(doing, err)
		return o, false
	}
	if err := kv.CheckValue(o.value); err != nil {
		t.refuse(doing, err)
		return o, false
	}
	o.key, o.value = t.keys.copy(o.key), t.values.copy(o.value)
	o.order = int32(len(t.ops))
	t.ops = append(t.ops, o)
	t.writeBytes += int64(len(o.key) + len(o.value))
	return o, true
}

// Expect implements kv.Expecting. Of much there is no large block, which a few keys would keep.
func (t *transaction) Expect(writes, keyBytes, valueBytes int) {
	if t.ops == nil && max(keyBytes, valueBytes) <= maxArenaBlock {
		t.ops = make([]op, 0, writes)
		t.keys.block, t.values.block = make([]byte, 0, keyBytes), make([]byte, 0, valueBytes)
	}
}

// Set implements kv.Writer.
func (t *transaction) Set(key, value []byte) {
	if o, ok := t.write("set", op{kind: opSet, key: key, value: value}); ok && t.own != nil {
		t.own.set(o.key, o.value)
	}
}

// Clear implements kv.Writer.
func (t *transaction) Clear(key []byte) {
	if o, ok := t.write("clear", op{kind: opClear, key: key}); ok && t.own != nil {
		t.own.clear(o.key)
	}
}

// Add implements kv.Writer.
func (t *transaction) Add(key, operand []byte) {
	if o, ok := t.write("add", op{kind: opAdd, key: key, value: operand}); ok && t.own != nil {
		t.own.add(o.key, o.value)
	}
}

// ClearRange implements kv.Writer.
func (t *transaction) ClearRange(r kv.Range) {
	if err := kv.CheckRange(r); err != nil {
		t.refuse("clear range", err)
		return
	}
	r = r.Clip()
	if bytes.Equal(r.Start, r.End) {
		return
	}
	o := op{kind: opClearRange, order: int32(len(t.ops)), key: t.keys.copy(r.Start), value: t.keys.copy(r.End)}
	t.ops = append(t.ops, o)
	t.writeBytes += int64(len(o.key) + len(o.value))
	if t.own != nil {
		t.own.clearRange(o.key, o.value)
	}
}

// SetVersionstampedKey implements kv.Writer.
func (t *transaction) SetVersionstampedKey(key []byte, offset int, value []byte) {
	if offset < 0 || offset > len(key)-kv.VersionstampSize {
		t.refuse("set versionstamped key", kv.ErrBadOffset)
		return
	}
	if offset == 0 && len(key) > 0 && key[0] == 0xff {
		// The stamp decides the key's first byte; a template of 0xff is no reserved key.
		key = append([]byte{0}, key[1:]...)
	}
	o, ok := t.write("set versionstamped key",
		op{kind: opStampedKey, offset: int32(offset), key: key, value: value})
	if ok && t.own != nil {
		t.own.stampKey(o.key, offset)
	}
}

// SetVersionstampedValue implements kv.Writer.
func (t *transaction) SetVersionstampedValue(key, value []byte, offset int) {
	if offset < 0 || offset > len(value)-kv.VersionstampSize {
		t.refuse("set versionstamped value", kv.ErrBadOffset)
		return
	}
	o, ok := t.write("set versionstamped value",
		op{kind: opStampedValue, offset: int32(offset), key: key, value: value})
	if ok && t.own != nil {
		t.own.stampValue(o.key)
	}
}

// AddReadConflict implements kv.Transaction.
func (t *transaction) AddReadConflict(r kv.Range) {
	if err := kv.CheckRange(r); err != nil {
		t.refuse("add read conflict", err)
		return
	}
	t.addRead(r.Clip())
}

// AddWriteConflict implements kv.Transaction.
func (t *transaction) AddWriteConflict(r kv.Range) {
	if err := kv.CheckRange(r); err != nil {
		t.refuse("add write conflict", err)
		return
	}
	r = r.Clip()
	if bytes.Equal(r.Start, r.End) {
		return
	}
	t.conflicts = append(t.conflicts, kv.Range{Start: t.keys.copy(r.Start), End: t.keys.copy(r.End)})
	t.writeBytes += int64(len(r.Start) + len(r.End))
}

// addRead copies the range.
func (t *transaction) addRead(r kv.Range) {
	t.readMu.Lock()
	defer t.readMu.Unlock()
	t.addReadLocked(kv.Range{Start: t.readKeys.copy(r.Start), End: t.readKeys.copy(r.End)})
}

func (t *transaction) addReadKey(key []byte) {
	if len(key) > kv.MaxKeySize {
		return
	}
	t.readMu.Lock()
	defer t.readMu.Unlock()
	t.addReadLocked(t.readKeys.point(key))
}

func (t *transaction) addReadLocked(r kv.Range) {
	if t.reads == nil {
		t.reads = make([]kv.Range, 0, 8)
	}
	t.reads = append(t.reads, r)
	t.readBytes += int64(len(r.Start) + len(r.End))
	if len(t.reads) < max(fewReads, t.joined*2) {
		return
	}
	// A nested loop reads the same ranges again and again: they count once.
	t.reads = kv.JoinReads(t.reads, 0)
	t.joined, t.readBytes = len(t.reads), 0
	for _, r := range t.reads {
		t.readBytes += int64(len(r.Start) + len(r.End))
	}
}

// fewReads is how many conflict ranges of reads are kept before they are joined for
// the first time; later, whenever their number has doubled.
const fewReads = 1024

// Size implements kv.Transaction.
func (t *transaction) Size() int64 {
	t.readMu.Lock()
	defer t.readMu.Unlock()
	return t.writeBytes + t.readBytes
}

// Overhead implements kv.Transaction.
func (t *transaction) Overhead() int64 { return 0 }

// Cancel implements kv.Transaction.
func (t *transaction) Cancel() {
	t.end(kv.ErrDone)
	// Also when something else has ended the transaction: it will not commit.
	for _, w := range t.watching {
		w.fail(fmt.Errorf("pebblekv: watch of a transaction that did not commit: %w", kv.ErrDone))
	}
	t.watching = nil
}

// Versionstamp implements kv.Transaction.
func (t *transaction) Versionstamp() ([kv.VersionstampSize]byte, error) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if !t.stamps {
		return t.stamp, errNoStamp
	}
	return t.stamp, nil
}

// Commit implements kv.Transaction.
func (t *transaction) Commit() error {
	q, err := t.prepare()
	if q != nil {
		began := time.Now()
		err = t.store.commit(t.ctx, q)
		t.store.release(q.held)
		t.store.watched.note(time.Since(began), err)
	}
	if q != nil && err == nil {
		t.mu.Lock()
		t.stamp, t.stamps = q.stamp, true
		t.mu.Unlock()
	}
	for _, w := range t.watching {
		if err != nil {
			w.fail(fmt.Errorf("pebblekv: watch of a transaction that did not commit: %w", err))
		} else {
			t.store.watches.arm(t.store, w)
		}
	}
	t.watching = nil
	return err
}

// prepare ends the transaction and returns its request for the pipeline: nil when there is
// nothing to write.
func (t *transaction) prepare() (*request, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.live(); err != nil {
		if t.ended == nil {
			t.endLocked(kv.ErrDone)
		}
		return nil, err
	}
	if time.Since(t.begun) > t.store.opts.TransactionLife {
		t.endLocked(t.store.tooOld())
		return nil, t.store.tooOld()
	}
	for it := range t.iterators {
		it.cover()
	}
	version := t.state.version
	defer t.endLocked(kv.ErrDone)
	if t.writeErr != nil {
		return nil, t.writeErr
	}
	if len(t.ops) == 0 && len(t.conflicts) == 0 {
		return nil, nil
	}
	q := &request{
		ops:   t.ops,
		reads: kv.JoinReads(t.reads, 0),
		after: version,
		done:  make(chan struct{}),
	}
	size := t.writeBytes
	for _, r := range q.reads {
		size += int64(len(r.Start) + len(r.End))
	}
	if size > kv.MaxTransactionSize {
		return nil, fmt.Errorf("pebblekv: commit: %w",
			&kv.SizeError{Err: kv.ErrTooLarge, Size: size, Limit: kv.MaxTransactionSize})
	}
	q.bytes = t.writeBytes
	sortOps(t.ops)
	q.wrote = writtenBy(t.ops, t.conflicts)
	var err error
	if q.small, err = t.findSmallClears(q.wrote); err != nil {
		return nil, fmt.Errorf("pebblekv: commit: %w", err)
	}
	if len(q.reads) > 0 {
		until := t.store.newestVersion()
		conflict, known := t.store.window.conflicts(q.reads, version, until)
		if conflict {
			return nil, errConflict
		}
		if !known {
			return nil, errForgot
		}
		q.after = max(version, until)
	}
	// The window remembers the commits after the oldest read state in use.
	t.store.mu.Lock()
	t.state.refs++
	t.store.mu.Unlock()
	q.held = t.state
	return q, nil
}

// sortOps sorts operations by key where that changes nothing: between cleared ranges, and
// keeping the order of operations on one key. Pebble's memtable takes neighbours several
// times faster.
func sortOps(ops []op) {
	for len(ops) > 0 {
		n := slices.IndexFunc(ops, func(o op) bool { return o.kind == opClearRange })
		if n < 0 {
			n = len(ops)
		}
		sortByKey(ops[:n])
		ops = ops[min(n+1, len(ops)):]
	}
}

// sortByKey sorts places rather than operations, which are large, and then moves each operation once.
func sortByKey(ops []op) {
	order := make([]int32, len(ops))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		if c := bytes.Compare(ops[a].key, ops[b].key); c != 0 {
			return c
		}
		return int(a - b)
	})
	const moved = -1
	for i := range order {
		if order[i] == moved {
			continue
		}
		first, at := ops[i], i
		for from := int(order[at]); from != i; from = int(order[at]) {
			ops[at], order[at] = ops[from], moved
			at = from
		}
		ops[at], order[at] = first, moved
	}
}

// writtenBy collects the writes with which others may conflict, except versionstamped keys,
// which are not known yet.
func writtenBy(ops []op, conflicts []kv.Range) *run {
	// The run outlives the transaction for as long as the window remembers it.
	r := &run{points: make([][]byte, 0, len(ops))}
	var ranges []kv.Range
	for i := range ops {
		switch o := &ops[i]; o.kind {
		case opClearRange:
			ranges = append(ranges, kv.Range{Start: o.key, End: o.value})
		case opStampedKey:
		default:
			r.points = append(r.points, o.key)
		}
	}
	for _, c := range conflicts {
		if n := len(c.Start); len(c.End) == n+1 && c.End[n] == 0 && bytes.Equal(c.Start, c.End[:n]) {
			r.points = append(r.points, c.Start)
		} else {
			ranges = append(ranges, c)
		}
	}
	sortPoints(r)
	for _, c := range kv.Coalesce(ranges) {
		r.segments = append(r.segments, segment{start: c.Start, end: c.End})
	}
	r.weigh()
	return r
}

func sortPoints(r *run) {
	if !slices.IsSortedFunc(r.points, bytes.Compare) {
		slices.SortFunc(r.points, bytes.Compare)
	}
	r.points = slices.CompactFunc(r.points, bytes.Equal)
}
