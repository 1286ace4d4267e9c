package pebblekv

import (
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"
)

// A readState is one published version. Transactions share it; store.mu guards
// refs and the links. The store itself holds one reference to the newest.
type readState struct {
	version    int64
	image      image
	refs       int
	prev, next *readState
}

// readStates is the list of live read states, oldest first.
type readStates struct{ root readState }

func (l *readStates) init() { l.root.prev, l.root.next = &l.root, &l.root }

func (l *readStates) push(r *readState) {
	r.prev, r.next = l.root.prev, &l.root
	r.prev.next, r.next.prev = r, r
}

func (l *readStates) remove(r *readState) {
	r.prev.next, r.next.prev = r.next, r.prev
	r.prev, r.next = nil, nil
}

func (l *readStates) oldest() *readState { return l.root.next }

// transactions is the list of open transactions, oldest first.
type transactions struct{ root transaction }

func (l *transactions) init() { l.root.prev, l.root.succ = &l.root, &l.root }

func (l *transactions) push(t *transaction) {
	t.prev, t.succ = l.root.prev, &l.root
	t.prev.succ, t.succ.prev = t, t
}

func (l *transactions) remove(t *transaction) {
	t.prev.succ, t.succ.prev = t.succ, t.prev
	t.prev, t.succ = nil, nil
}

func (l *transactions) first() *transaction { return l.next(&l.root) }

func (l *transactions) next(t *transaction) *transaction {
	if t.succ == &l.root {
		return nil
	}
	return t.succ
}

// work is told what Pebble does that replaces its own read state: memtables that are rotated and
// flushed, and compactions. Whoever closes the last iterator of a replaced one takes Pebble's mutex.
type work struct {
	running atomic.Int32 // flushes and compactions
	changes atomic.Int64 // begins and ends of these, and rotations
}

func (w *work) begin() { w.running.Add(1); w.changes.Add(1) }
func (w *work) end()   { w.changes.Add(1); w.running.Add(-1) }

// quietSince tells that nothing has been done since changes was as given.
func (w *work) quietSince(changes int64) bool {
	return w.running.Load() == 0 && w.changes.Load() == changes
}

// closeIterators closes iterators that were opened since Pebble's work had got as far as changes.
func (s *store) closeIterators(changes int64, its ...*pebble.Iterator) {
	if !s.work.quietSince(changes) || s.failure.Load() != nil {
		s.sweep.addIterators(its)
		return
	}
	for _, it := range its {
		it.Close()
	}
}

// sweeper closes snapshots that nobody uses, and iterators where that may take long. It takes
// Pebble's mutex, which no user of the store should wait for: a store that has failed may never let
// go of it.
type sweeper struct {
	failure   *atomic.Pointer[error] // the store's: what is left then stays, as run may be stuck
	mu        sync.Mutex
	more      *sync.Cond
	snapshots []*pebble.Snapshot
	iterators []*pebble.Iterator
	closed    bool
}

func (w *sweeper) init(failure *atomic.Pointer[error]) {
	w.failure = failure
	w.more = sync.NewCond(&w.mu)
}

func (w *sweeper) add(snap *pebble.Snapshot) {
	if w.failure.Load() != nil {
		return
	}
	w.mu.Lock()
	w.snapshots = append(w.snapshots, snap)
	w.mu.Unlock()
	w.more.Signal()
}

func (w *sweeper) addIterators(its []*pebble.Iterator) {
	if len(its) == 0 || w.failure.Load() != nil {
		return
	}
	w.mu.Lock()
	w.iterators = append(w.iterators, its...)
	w.mu.Unlock()
	w.more.Signal()
}

func (w *sweeper) close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.more.Signal()
}

func (w *sweeper) run() {
	var snapshots []*pebble.Snapshot
	var iterators []*pebble.Iterator
	for {
		w.mu.Lock()
		for len(w.snapshots) == 0 && len(w.iterators) == 0 && !w.closed {
			w.more.Wait()
		}
		snapshots, w.snapshots = w.snapshots, snapshots[:0]
		iterators, w.iterators = w.iterators, iterators[:0]
		closed := w.closed
		w.mu.Unlock()
		for i, it := range iterators {
			if w.failure.Load() == nil {
				it.Close()
			}
			iterators[i] = nil
		}
		for i, snap := range snapshots {
			if w.failure.Load() == nil {
				snap.Close()
			}
			snapshots[i] = nil
		}
		if closed && len(snapshots) == 0 && len(iterators) == 0 {
			return
		}
	}
}
