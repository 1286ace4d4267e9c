package pebblekv_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

// TestHold: a read version that is held can be read at after the life of a transaction, and nothing can
// be committed by it.
func TestHold(t *testing.T) {
	const life = time.Second
	s := open(t, "store", pebblekv.Options{FS: vfs.NewMem(), TransactionLife: life})
	defer s.Close()
	ctx := context.Background()
	set := func(value string) {
		t.Helper()
		err := kv.Transact(ctx, s, kv.TransactOptions{Repeatable: true}, func(tx kv.Transaction) error {
			tx.Set([]byte("k"), []byte(value))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	begin := func(opts kv.TransactionOptions) kv.Transaction {
		t.Helper()
		tx, err := s.Begin(ctx, opts)
		if err != nil {
			t.Fatal(err)
		}
		return tx
	}
	set("old")
	held, usual := begin(kv.TransactionOptions{Hold: true}), begin(kv.TransactionOptions{})
	defer usual.Cancel()
	set("new")
	time.Sleep(life + life/2)
	var err error // the store sees to lives from time to time
	for began := time.Now(); err == nil && time.Since(began) < time.Minute; time.Sleep(time.Millisecond) {
		_, err = usual.Get([]byte("k")).Get()
	}
	if !errors.Is(err, kv.ErrTooOld) {
		t.Errorf("a usual transaction reads after its life: %v", err)
	}
	if v, err := held.Get([]byte("k")).Get(); string(v) != "old" || err != nil {
		t.Errorf("%q, %v at a version that is held", v, err)
	}
	it := held.Range(kv.Range{Start: []byte("k"), End: []byte("l")}, kv.RangeOptions{})
	if !it.Next() || string(it.Value()) != "old" {
		t.Errorf("a walk at a version that is held: %v", it.Err())
	}
	it.Close()
	held.Set([]byte("k"), []byte("mine"))
	if err := held.Commit(); !errors.Is(err, kv.ErrTooOld) {
		t.Errorf("commit after the life of a transaction: %v", err)
	}
}
