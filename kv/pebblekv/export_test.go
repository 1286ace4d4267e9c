package pebblekv

import (
	"time"

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

// SetCloseFailedWait changes how long the Close of a failed store tries.
func SetCloseFailedWait(d time.Duration) { closeFailedWait = d }

// WindowBytes is the memory of the conflict window.
func WindowBytes(s kv.Store) int64 {
	w := &s.(*store).window
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.bytes
}
