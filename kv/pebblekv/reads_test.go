package pebblekv

import (
	"context"
	"errors"
	"fmt"
	"testing"

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
