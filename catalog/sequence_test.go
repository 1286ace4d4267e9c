package catalog_test

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/faultkv"
)

// TestRaisedValuesAreNotHandedOutAgain: values once taken stay taken, also when
// the block that they came from is used up.
func TestRaisedValuesAreNotHandedOutAgain(t *testing.T) {
	ctx := context.Background()
	store, cat := open(t, t.TempDir())
	defer store.Close()
	var last uint64
	for range 64 {
		n, err := cat.NextAutoIncrement(ctx, 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		last = n
	}
	if err := cat.GivenAutoIncrement(ctx, 1, 5); err != nil {
		t.Fatal(err)
	}
	n, err := cat.NextAutoIncrement(ctx, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	if n <= last {
		t.Fatalf("%d was handed out after %d", n, last)
	}
}

// TestNumbersGiveUp: over a store where everything conflicts, numbers are tried for a bounded number of times, and the
// error says that it was a conflict.
func TestNumbersGiveUp(t *testing.T) {
	ctx := context.Background()
	inner, _ := open(t, t.TempDir())
	defer inner.Close()
	store := faultkv.New(inner)
	always, err := catalog.Open(ctx, store)
	if err != nil {
		t.Fatal(err)
	}
	for name, take := range map[string]func() error{
		"keypath": func() error { return always.Dictionary(1).Assign(ctx, []string{"a.b"}) },
		"number": func() error {
			_, err := always.NextAutoIncrement(ctx, 1, 0)
			return err
		},
	} {
		commits := 0
		store.Inject(func(c faultkv.Call) faultkv.Fault {
			if c.Op == faultkv.Commit {
				commits++
			}
			return faultkv.Conflict
		})
		err := take()
		store.Inject(nil)
		if !errors.Is(err, kv.ErrConflict) || commits < 10 || commits > 100 {
			t.Errorf("%s: %d commits, then %v", name, commits, err)
		}
		if err := take(); err != nil {
			t.Errorf("%s, without conflicts: %v", name, err)
		}
	}
}

// TestAutoIncrementEnds: after the greatest value there is an error, not 1 again.
func TestAutoIncrementEnds(t *testing.T) {
	ctx := context.Background()
	store, cat := open(t, t.TempDir())
	defer store.Close()
	if err := cat.RaiseAutoIncrement(ctx, 1, math.MaxUint64-10); err != nil {
		t.Fatal(err)
	}
	var last uint64
	for range 80 {
		n, err := cat.NextAutoIncrement(ctx, 1, 0)
		if errors.Is(err, catalog.ErrNoAutoIncrement) && last == math.MaxUint64-1 {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if n <= last {
			t.Fatalf("%d was handed out after %d", n, last)
		}
		last = n
	}
	t.Fatal("no error at the end")
}

// process is one of several processes that use a store: a catalog with caches of its own.
func process(t *testing.T, store kv.Store) *catalog.Catalog {
	t.Helper()
	cat, err := catalog.Open(context.Background(), store)
	if err != nil {
		t.Fatal(err)
	}
	return cat
}

// next is what an INSERT does that takes a value.
func next(t *testing.T, cat *catalog.Catalog) (n uint64) {
	t.Helper()
	ctx := context.Background()
	err := kv.Transact(ctx, cat.Store(), kv.TransactOptions{}, func(tx kv.Transaction) error {
		void, err := cat.AutoIncrementVoid(tx, 1)
		if err == nil {
			n, err = cat.NextAutoIncrement(ctx, 1, void)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestGivenAmongOthers: a value that a client of one process has given is handed out by no other one, also where
// that had taken it; and what a process alone has taken costs it nothing.
func TestGivenAmongOthers(t *testing.T) {
	ctx := context.Background()
	store, _ := open(t, t.TempDir())
	defer store.Close()
	a, b := process(t, store), process(t, store)
	if n := next(t, a); n != 1 {
		t.Fatal(n)
	}
	if n := next(t, b); n != 65 {
		t.Fatal(n)
	}
	given := func(cat *catalog.Catalog, n uint64) {
		t.Helper()
		if err := cat.GivenAutoIncrement(ctx, 1, n); err != nil {
			t.Fatal(err)
		}
	}
	given(a, 70) // b's
	if n := next(t, b); n <= 128 {
		t.Errorf("b hands %d out", n)
	}
	given(b, 10) // was a's, and is void
	if n := next(t, a); n <= 128 {
		t.Errorf("a hands %d out", n)
	}
	last := next(t, a)
	given(a, last+5)
	if n := next(t, a); n != last+6 {
		t.Errorf("after its own %d a hands %d out", last+5, n)
	}
	for range 200 { // several blocks, which nobody else takes part in
		last = next(t, a)
	}
	given(a, last-100)
	given(a, 3)
	if n := next(t, a); n != last+1 {
		t.Errorf("after values of its own that were given, a hands %d out behind %d", n, last)
	}
	given(b, 5000)
	if n := next(t, b); n != 5001 {
		t.Errorf("b hands %d out behind 5000", n)
	}
}

// TestRaiseAmongOthers: ALTER TABLE … AUTO_INCREMENT holds for what other processes hand out.
func TestRaiseAmongOthers(t *testing.T) {
	ctx := context.Background()
	store, _ := open(t, t.TempDir())
	defer store.Close()
	a, b := process(t, store), process(t, store)
	next(t, a)
	next(t, b)
	if err := a.RaiseAutoIncrement(ctx, 1, 1000); err != nil {
		t.Fatal(err)
	}
	if n := next(t, b); n != 1000 {
		t.Errorf("b hands %d out", n)
	}
	if n := next(t, a); n <= 1000 {
		t.Errorf("a hands %d out", n)
	}
}

// TestIdentityChecked: a process whose store another one has replaced by a backup, or taken to a format that it does
// not read, goes on with neither.
func TestIdentityChecked(t *testing.T) {
	ctx := context.Background()
	store, cat := open(t, t.TempDir())
	defer store.Close()
	view := func() error {
		return kv.Transact(ctx, store, kv.TransactOptions{}, func(tx kv.Transaction) error {
			_, err := cat.View(tx)
			return err
		})
	}
	change := func(do func(tx kv.Transaction) error) {
		t.Helper()
		if err := kv.Transact(ctx, store, kv.TransactOptions{}, do); err != nil {
			t.Fatal(err)
		}
	}
	if err := view(); err != nil {
		t.Fatal(err)
	}
	change(func(tx kv.Transaction) error {
		tx.Set(keyspace.FormatVersion(), binary.LittleEndian.AppendUint64(nil, catalog.NewestFormatVersion+1))
		tx.Add(keyspace.SchemaVersion(), binary.LittleEndian.AppendUint64(nil, 1))
		return nil
	})
	if err := view(); !errors.Is(err, catalog.ErrFormat) {
		t.Errorf("a newer format: %v", err)
	}
	// A backup of one schema version earlier: the version that it gets was taken before.
	change(func(tx kv.Transaction) error {
		tx.Set(keyspace.SchemaVersion(), binary.LittleEndian.AppendUint64(nil, 0))
		return catalog.Adopt(tx, catalog.Identity{Format: catalog.FormatVersion, Incarnation: 1})
	})
	if err := view(); !errors.Is(err, catalog.ErrReplaced) {
		t.Errorf("a restored store: %v", err)
	}
}
