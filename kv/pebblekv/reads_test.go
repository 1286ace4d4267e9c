package pebblekv

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/sqlfdb/sqlfdb/kv"
)

// TestRepeatedReads: reading the same keys again and again, as a nested loop
// does, neither fills the transaction nor loses a conflict.
func TestRepeatedReads(t *testing.T) {
	ctx := context.Background()
	store, err := Open(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	key := func(i int) []byte { return fmt.Appendf(nil, "key%06d", i) }
	begin := func() kv.Transaction {
		tx, err := store.Begin(ctx, kv.TransactionOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return tx
	}
	for _, written := range []int{-1, 0, 1, 998, 1998} {
		tx := begin()
		for range 50 {
			for i := 0; i < 2000; i += 2 {
				if _, err := tx.Get(key(i)).Get(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if size := tx.Size(); size > 100_000 {
			t.Errorf("1,000 keys read 50 times count %d bytes", size)
		}
		tx.Set([]byte("mine"), nil)
		if written >= 0 {
			other := begin()
			other.Set(key(written), []byte("x"))
			if err := other.Commit(); err != nil {
				t.Fatal(err)
			}
		}
		err := tx.Commit()
		if want := written >= 0 && written%2 == 0; errors.Is(err, kv.ErrConflict) != want || !want && err != nil {
			t.Errorf("a write to key %d: %v", written, err)
		}
	}
}

// TestManyGets gets keys in any order, from several goroutines and beyond the number from which iterators do
// it, while other transactions overwrite, delete and add: each sees what was there when it began, and its own writes.
func TestManyGets(t *testing.T) {
	ctx := context.Background()
	store, err := Open("store", Options{FS: vfs.NewMem(), MemTableBytes: 256 << 10})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	begin := func() *transaction {
		tx, err := store.Begin(ctx, kv.TransactionOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return tx.(*transaction)
	}
	const keys = 2000
	key := func(i int) []byte { return fmt.Appendf(nil, "key%06d", i) }
	now := make([]string, keys) // what is committed; "" is absent
	r := rand.New(rand.NewPCG(3, 4))
	change := func() {
		tx := begin()
		for range 300 {
			i := r.IntN(keys)
			if now[i] = ""; r.IntN(3) > 0 {
				now[i] = fmt.Sprintf("%d %0*d", i, r.IntN(400), r.Int())
				tx.Set(key(i), []byte(now[i]))
			} else {
				tx.Clear(key(i))
			}
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	for range 20 {
		change()
	}
	for round := range 6 {
		tx := begin()
		then := append([]string(nil), now...)
		then[round] = "mine"
		tx.Set(key(round), []byte("mine"))
		var readers sync.WaitGroup
		for g := range 3 {
			readers.Go(func() {
				r := rand.New(rand.NewPCG(uint64(round), uint64(g)))
				i := 0
				for n := range 600 {
					if i++; n%7 == 0 || i >= keys {
						i = r.IntN(keys)
					}
					v, err := tx.Get(key(i)).Get()
					if err != nil || string(v) != then[i] || (v == nil) != (then[i] == "") {
						t.Errorf("key %d is %q, want %q: %v", i, v, then[i], err)
						return
					}
					if n%400 == 0 {
						tx.rest()
					}
				}
			})
		}
		for range 3 {
			change()
		}
		readers.Wait()
		if _, err := tx.Get(key(0)).Get(); err != nil { // what is not used for a second is let go
			t.Fatal(err)
		}
		if len(tx.points) == 0 || len(tx.points) > maxPoints {
			t.Errorf("%d iterators are left", len(tx.points))
		}
		tx.Cancel()
		if len(tx.points) != 0 {
			t.Error("iterators outlive the transaction")
		}
		if _, err := tx.Get(key(0)).Get(); err == nil {
			t.Error("a transaction that is over reads")
		}
	}
}
