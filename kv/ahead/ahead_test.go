package ahead_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/ahead"
	"github.com/sqlfdb/sqlfdb/kv/latencykv"
	"github.com/sqlfdb/sqlfdb/kv/overlay"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

func key(n int) []byte { return fmt.Appendf(nil, "key/%06d", n) }

// filled holds so many keys, whose values are the keys.
func filled(t *testing.T, keys int) *latencykv.Store {
	t.Helper()
	base, err := pebblekv.Open("store", pebblekv.Options{FS: pebblekv.MemoryFS()})
	if err != nil {
		t.Fatal(err)
	}
	s := latencykv.New(base)
	t.Cleanup(func() { s.Close() })
	write(t, s, func(tx kv.Transaction) {
		for i := range keys {
			tx.Set(key(i), key(i))
		}
	})
	return s
}

func write(t *testing.T, s kv.Store, do func(tx kv.Transaction)) {
	t.Helper()
	err := kv.Transact(context.Background(), s, kv.TransactOptions{}, func(tx kv.Transaction) error {
		do(tx)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func begin(t *testing.T, s kv.Store) *ahead.Tx {
	t.Helper()
	base, err := s.Begin(context.Background(), kv.TransactionOptions{NoReadYourWrites: true})
	if err != nil {
		t.Fatal(err)
	}
	tx := ahead.New(base, ahead.Options{})
	t.Cleanup(tx.Cancel)
	return tx
}

func wantValue(t *testing.T, r kv.Reader, n int) {
	t.Helper()
	if v, err := r.Get(key(n)).Get(); err != nil || string(v) != string(key(n)) {
		t.Fatalf("key %d is %q (%v)", n, v, err)
	}
}

func count(t *testing.T, r kv.Reader, of kv.Range, opts kv.RangeOptions) int {
	t.Helper()
	it := r.Range(of, opts)
	defer it.Close()
	n := 0
	for it.Next() {
		n++
	}
	if it.Err() != nil {
		t.Fatal(it.Err())
	}
	return n
}

// TestAtOnce: what was started takes one round trip, through each of the readers.
func TestAtOnce(t *testing.T) {
	s := filled(t, 80)
	tx := begin(t, s)
	over := overlay.New(tx)
	first, all := kv.PrefixRange([]byte("key/")), kv.PrefixRange([]byte("key/0000"))
	opts := kv.RangeOptions{}
	wantValue(t, tx, 79)
	trips, requests := s.Trips(), s.Requests()
	for i := range 50 {
		ahead.Of(over.Statement()).Start(key(i))
		tx.Start(key(i)) // it is on its way
	}
	ahead.Of(tx.Snapshot()).StartRange(first, opts)
	tx.StartRange(all, opts)
	for i := range 50 {
		wantValue(t, []kv.Reader{tx, tx.Snapshot(), over, over.Snapshot(), over.Statement()}[i%5], i)
		wantValue(t, over, i)
	}
	if n := count(t, over.Snapshot(), first, opts); n != 80 {
		t.Errorf("%d keys", n)
	}
	if n := count(t, tx, all, opts); n != 80 {
		t.Errorf("%d keys", n)
	}
	if trips, requests = s.Trips()-trips, s.Requests()-requests; trips != 1 || requests != 52 {
		t.Errorf("%d requests in %d round trips", requests, trips)
	}
	if n := count(t, tx, all, opts); n != 80 { // begun anew
		t.Errorf("%d keys", n)
	}
}

// TestNone: a reader without such a transaction below it starts nothing.
func TestNone(t *testing.T) {
	s := filled(t, 1)
	tx, err := s.Begin(context.Background(), kv.TransactionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Cancel()
	before := s.Requests()
	at := ahead.Of(overlay.New(tx))
	at.Start(key(0))
	at.StartRange(kv.PointRange(key(0)), kv.RangeOptions{})
	at.Forget(key(0))
	if at != nil || s.Requests() != before {
		t.Errorf("%d requests", s.Requests()-before)
	}
}

// TestConflicts: a read conflicts where it would have if it had not been started, and what
// was started alone conflicts with nothing.
func TestConflicts(t *testing.T) {
	of, opts := kv.PrefixRange([]byte("key/0000")), kv.RangeOptions{}
	for _, c := range []struct {
		name string
		want bool
		read func(tx *ahead.Tx)
	}{
		{"nothing", false, func(tx *ahead.Tx) {}},
		{"a key as a snapshot", false, func(tx *ahead.Tx) { _, _ = tx.Snapshot().Get(key(1)).Get() }},
		{"a range as a snapshot", false, func(tx *ahead.Tx) { count(t, tx.Snapshot(), of, opts) }},
		{"a key", true, func(tx *ahead.Tx) { _, _ = tx.Get(key(1)).Get() }},
		{"a range", true, func(tx *ahead.Tx) { count(t, tx, of, opts) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := filled(t, 10)
			tx := begin(t, s)
			tx.Start(key(1))
			tx.StartRange(of, opts)
			c.read(tx)
			write(t, s, func(tx kv.Transaction) { tx.Clear(key(1)) })
			tx.Set(key(5), nil)
			if err := tx.Commit(); errors.Is(err, kv.ErrConflict) != c.want {
				t.Errorf("commit: %v", err)
			}
		})
	}
}

// TestForget: what is held is bounded, and read anew where it is gone.
func TestForget(t *testing.T) {
	const keys = 10_000
	s := filled(t, keys)
	tx := begin(t, s)
	for i := range keys {
		tx.Start(key(i))
	}
	before := s.Requests()
	for i := range keys {
		wantValue(t, tx, i)
	}
	again := s.Requests() - before
	if held := keys - again; held < 1000 || held > 3000 {
		t.Errorf("%d are held", held)
	}
	before = s.Requests()
	tx.Forget(key(keys - 1))
	wantValue(t, tx, keys-1)
	wantValue(t, tx, keys-2)
	if n := s.Requests() - before; n != 1 {
		t.Errorf("%d requests after one was forgotten", n)
	}
	tx.Cancel()
	if _, err := tx.Get(key(keys - 2)).Get(); !errors.Is(err, kv.ErrDone) {
		t.Errorf("after the end: %v", err)
	}
}

// TestManyRanges: ranges that were started and that nobody asks for are let go, and those that are
// asked for later are read.
func TestManyRanges(t *testing.T) {
	s := filled(t, 3000)
	tx := begin(t, s)
	for i := range 3000 {
		tx.StartRange(kv.PointRange(key(i)), kv.RangeOptions{})
	}
	asked := s.Requests()
	count(t, tx, kv.PointRange(key(2999)), kv.RangeOptions{})
	if n := s.Requests() - asked; n != 0 {
		t.Errorf("the newest range was asked for again")
	}
	if n := count(t, tx, kv.PointRange(key(0)), kv.RangeOptions{}); n != 1 {
		t.Errorf("%d keys, want 1", n)
	}
	if n := s.Requests() - asked; n != 1 {
		t.Errorf("%d requests for the oldest range, want 1", n)
	}
}

// TestEnsureRange: a range that waits to be asked for is not started again, one that was asked for is.
func TestEnsureRange(t *testing.T) {
	s := filled(t, 10)
	tx := begin(t, s)
	of, opts := kv.PrefixRange([]byte("key/")), kv.RangeOptions{}
	wantValue(t, tx, 0)
	before := s.Requests()
	for range 3 {
		tx.EnsureRange(of, opts)
	}
	if n := count(t, tx, of, opts); n != 10 {
		t.Errorf("%d keys", n)
	}
	if n := s.Requests() - before; n != 1 {
		t.Errorf("%d requests, want 1", n)
	}
	tx.EnsureRange(of, opts)
	if n := s.Requests() - before; n != 2 {
		t.Errorf("%d requests, want 2", n)
	}
	var none *ahead.Tx
	none.EnsureRange(of, opts)
}
