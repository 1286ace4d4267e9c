package pebblekv

import (
	"time"

	"github.com/cockroachdb/pebble/v2"

	"github.com/sqlfdb/sqlfdb/kv"
)

// ReadStates counts the read states that are held.
func ReadStates(s kv.Store) int {
	st := s.(*store)
	st.mu.Lock()
	defer st.mu.Unlock()
	n := 0
	for r := st.states.oldest(); r != &st.states.root; r = r.next {
		n++
	}
	return n
}

// Rest does to all transactions what is done from time to time: it lets go of Pebble's iterators that were not used
// since it was last done.
func Rest(s kv.Store) {
	st := s.(*store)
	st.mu.Lock()
	var all []*transaction
	for t := st.open.first(); t != nil; t = st.open.next(t) {
		all = append(all, t)
	}
	st.sweep.addIterators(st.current.spare.rest(&st.work))
	st.mu.Unlock()
	for _, t := range all {
		t.rest()
	}
}

// SetCloseFailedWait changes how long the Close of a failed store tries.
func SetCloseFailedWait(d time.Duration) { closeFailedWait = d }

// WindowBytes is the memory of the conflict window.
func WindowBytes(s kv.Store) int64 {
	w := &s.(*store).window
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.bytes
}

// Flushes counts the flushes of memtables that Pebble has finished.
func Flushes(s kv.Store) int64 { return s.(*store).db.Metrics().Flush.Count }

// Note writes down what a store holds, as is done when its files change.
func Note(s kv.Store) error {
	v := s.(*store).inventory
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.write()
}

// Unname takes the store's name from Pebble, as in a store that was made before it was kept.
func Unname(s kv.Store) error { return s.(*store).db.Delete(storeKey, pebble.Sync) }
