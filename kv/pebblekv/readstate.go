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
	spare      spare
	gets       atomic.Int64 // by transactions that have got few
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

// work counts Pebble's work that replaces its own read state: rotations and flushes of memtables, and compactions.
// Closing the last iterator of a replaced read state takes Pebble's mutex.
type work struct {
	running atomic.Int32 // flushes and compactions
	changes atomic.Int64 // begins and ends of these, and rotations
}

func (w *work) begin() { w.running.Add(1); w.changes.Add(1) }
func (w *work) end()   { w.changes.Add(1); w.running.Add(-1) }

// quietSince reports whether Pebble has done no such work since changes was as given.
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

// spare are iterators at a read state that its transactions have left to the next ones. An iterator that has been
// used has its tables open, which costs as much as several gets. They are kept as long as nobody commits.
type spare struct {
	mu      sync.Mutex
	closed  bool
	offered int   // how often iterators were left
	changes int64 // of Pebble's work when they were opened: they keep nothing alive that Pebble is done with
	used    bool  // since the last rest
	points  []*pebble.Iterator
	ranges  []*pebble.Iterator
}

const (
	// maxSpare is how many iterators of a kind are kept: as many as statements run at once.
	maxSpare = 8
	// fewOffered is how often iterators are left until they are kept: if there are commits all the time, no transaction
	// would come to use them.
	fewOffered = 16
)

// take gives an iterator that is open, or nil.
func (p *spare) take(w *work, list *[]*pebble.Iterator) *pebble.Iterator {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(*list)
	if n == 0 || !w.quietSince(p.changes) {
		return nil
	}
	it := (*list)[n-1]
	*list, p.used = (*list)[:n-1], true
	return it
}

// leave keeps iterators that were opened when the count of Pebble's work was changes. It returns as left the
// iterators that it does not keep, and as before the ones kept from an earlier count.
func (p *spare) leave(changes int64, points, ranges []*pebble.Iterator) (left, before []*pebble.Iterator) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.offered++; p.closed || p.offered <= fewOffered {
		return append(points, ranges...), nil
	}
	if p.changes != changes {
		before = append(p.points, p.ranges...)
		p.points, p.ranges, p.changes = nil, nil, changes
	}
	n, m := min(len(points), maxSpare-len(p.points)), min(len(ranges), maxSpare-len(p.ranges))
	p.points, p.ranges, p.used = append(p.points, points[:n]...), append(p.ranges, ranges[:m]...), true
	return append(points[n:], ranges[m:]...), before
}

// rest returns all iterators if none has been used since the last call, or if they keep files alive that Pebble is
// done with.
func (p *spare) rest(w *work) (idle []*pebble.Iterator) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.used || !w.quietSince(p.changes) {
		idle = append(p.points, p.ranges...)
		p.points, p.ranges = nil, nil
	}
	p.used = false
	return idle
}

// close returns all iterators; none is kept any more.
func (p *spare) close() (all []*pebble.Iterator) {
	p.mu.Lock()
	defer p.mu.Unlock()
	all = append(p.points, p.ranges...)
	p.closed, p.points, p.ranges = true, nil, nil
	return all
}

// sweeper closes snapshots that nobody uses, and iterators where that may take long. It takes
// Pebble's mutex, which no user of the store should wait for: a store that has failed may never let
// go of it.
type sweeper struct {
	failure   *atomic.Pointer[error] // the store's: after it the rest stays open, as run may be stuck
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
