package pebblekv

import (
	"sync"

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

// sweeper closes snapshots that nobody uses. That takes Pebble's mutex, which
// no user of the store should wait for.
type sweeper struct {
	mu     sync.Mutex
	more   *sync.Cond
	dead   []*pebble.Snapshot
	closed bool
}

func (w *sweeper) init() { w.more = sync.NewCond(&w.mu) }

func (w *sweeper) add(snap *pebble.Snapshot) {
	w.mu.Lock()
	w.dead = append(w.dead, snap)
	w.mu.Unlock()
	w.more.Signal()
}

func (w *sweeper) close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.more.Signal()
}

func (w *sweeper) run(s *store) {
	defer s.done.Done()
	for {
		w.mu.Lock()
		for len(w.dead) == 0 && !w.closed {
			w.more.Wait()
		}
		dead := w.dead
		w.dead = nil
		closed := w.closed
		w.mu.Unlock()
		for _, snap := range dead {
			if s.failure.Load() == nil || closed {
				snap.Close()
			}
		}
		if closed && len(dead) == 0 {
			return
		}
	}
}
