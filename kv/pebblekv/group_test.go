package pebblekv

import (
	"fmt"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/kv"
)

// TestGroupsWait: while a group is on its way to the disk the next one waits until it has as many members, or is large;
// and no longer than until the other one is there.
func TestGroupsWait(t *testing.T) {
	opened, err := Open(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := opened.(*store)
	defer s.Close()
	done := make(chan error, 8)
	commit := func(key string, bytes int) {
		go func() {
			tx, err := s.Begin(t.Context(), kv.TransactionOptions{})
			if err == nil {
				tx.Set([]byte(key), make([]byte, bytes))
				err = tx.Commit()
			}
			done <- err
		}()
	}
	inFlight := func(more int) { // as a group of so many members would be
		s.mu.Lock()
		s.inFlight += more
		s.mu.Unlock()
		s.queued.Signal()
	}
	wait := func(what string, commits int) {
		t.Helper()
		for range commits {
			select {
			case err := <-done:
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
			case <-time.After(30 * time.Second):
				t.Fatalf("%s: it waits on", what)
			}
		}
	}
	none := func(what string) {
		t.Helper()
		select {
		case err := <-done:
			t.Fatalf("%s: it does not wait (%v)", what, err)
		case <-time.After(50 * time.Millisecond):
		}
	}
	commit("alone", 10)
	wait("alone", 1)
	inFlight(3)
	for i := range 2 {
		commit(fmt.Sprint("few", i), 10)
		none("fewer than are on their way")
	}
	commit("as many", 10)
	wait("as many as are on their way", 3)
	commit("small", 10)
	none("one small one")
	commit("large", overlapBytes)
	wait("with a large one", 2)
	commit("last", 10)
	none("another one")
	inFlight(-3)
	wait("once nothing is on its way", 1)
}
