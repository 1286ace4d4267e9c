package faultkv_test

import (
	"context"
	"encoding/binary"
	"errors"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/faultkv"
	"github.com/sqlfdb/sqlfdb/kv/kvtest"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

func open(t *testing.T, opts pebblekv.Options) *faultkv.Store {
	t.Helper()
	base, err := pebblekv.Open(t.TempDir(), opts)
	if err != nil {
		t.Fatal(err)
	}
	return faultkv.New(base)
}

// TestSuite: a store without faults is what is below it.
func TestSuite(t *testing.T) {
	if testing.Short() {
		t.Skip("the suite runs over every engine too")
	}
	kvtest.Run(t, kvtest.Harness{
		Open: func(t *testing.T) kv.Store { return open(t, pebblekv.Options{}) },
		OpenShortLived: func(t *testing.T) kv.Store {
			return open(t, pebblekv.Options{TransactionLife: 200 * time.Millisecond})
		},
		TransactionLife: 200 * time.Millisecond,
	})
}

// TestTransact: a transaction that adds happens once, whatever any of its
// operations meets, and also when two of them meet something.
func TestTransact(t *testing.T) {
	s := open(t, pebblekv.Options{})
	defer s.Close()
	counter, list := []byte("counter"), []byte("list/")
	markers := 0
	want := int64(0)
	opts := kv.TransactOptions{FirstWait: time.Microsecond, LongestWait: 10 * time.Microsecond}
	run := func() error {
		markers++
		opts.Marker = binary.BigEndian.AppendUint32([]byte("marker/"), uint32(markers))
		return kv.Transact(context.Background(), s, opts, func(tx kv.Transaction) error {
			v, err := tx.Get(counter).Get()
			if err != nil {
				return err
			}
			n := make([]byte, 8)
			copy(n, v)
			binary.LittleEndian.PutUint64(n, binary.LittleEndian.Uint64(n)+1)
			tx.Set(counter, n)
			tx.SetVersionstampedKey(append(append([]byte(nil), list...), make([]byte, kv.VersionstampSize)...), len(list), nil)
			it := tx.Range(kv.PrefixRange([]byte("else/")), kv.RangeOptions{})
			defer it.Close()
			for it.Next() {
			}
			return it.Err()
		})
	}
	met := map[faultkv.Fault]int64{}
	check := func(first, second faultkv.Fault, n, m int64) {
		s.Inject(func(c faultkv.Call) faultkv.Fault {
			switch c.Number {
			case n:
				return first
			case m:
				return second
			}
			return faultkv.None
		})
		err := run()
		_, hits := s.Inject(nil)
		met[first] += hits
		if err != nil {
			t.Fatalf("%v at %d, %v at %d: %v", first, n, second, m, err)
		}
		want++
		// What was on its way has its chance.
		if err := kv.Transact(context.Background(), s, kv.TransactOptions{}, func(tx kv.Transaction) error {
			tx.Set([]byte("other"), nil)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		tx, err := s.Begin(context.Background(), kv.TransactionOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Cancel()
		v, err := tx.Get(counter).Get()
		if err != nil {
			t.Fatal(err)
		}
		it := tx.Range(kv.PrefixRange(list), kv.RangeOptions{})
		defer it.Close()
		stamps := int64(0)
		for it.Next() {
			stamps++
		}
		if have := int64(binary.LittleEndian.Uint64(v)); have != want || stamps != want {
			t.Fatalf("%v at %d, %v at %d: the counter is %d with %d stamps, want %d", first, n, second, m, have, stamps, want)
		}
	}
	for _, first := range faultkv.Faults() {
		for n := range int64(7) {
			check(first, faultkv.None, n+1, 0)
			for _, second := range faultkv.Faults() {
				for m := n + 1; m < 9; m++ {
					check(first, second, n+1, m+1)
				}
			}
		}
		if met[first] == 0 {
			t.Errorf("%v was never met", first)
		}
	}
}

// TestFaults: what each fault does to one commit.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		fault      faultkv.Fault
		err        error
		now, later bool // the key is there at once, and after another commit
	}{
		{faultkv.None, nil, true, true},
		{faultkv.Conflict, kv.ErrConflict, false, false},
		{faultkv.TooOld, kv.ErrTooOld, false, false},
		{faultkv.Unavailable, kv.ErrUnavailable, false, false},
		{faultkv.Committed, kv.ErrUnknownCommit, true, true},
		{faultkv.Lost, kv.ErrUnknownCommit, false, false},
		{faultkv.Before, kv.ErrUnknownCommit, false, true},
		{faultkv.After, kv.ErrUnknownCommit, false, true},
	} {
		s := open(t, pebblekv.Options{})
		write := func(key string) error {
			tx, err := s.Begin(context.Background(), kv.TransactionOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer tx.Cancel()
			tx.Set([]byte(key), nil)
			return tx.Commit()
		}
		there := func() bool {
			tx, err := s.Begin(context.Background(), kv.TransactionOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer tx.Cancel()
			v, err := tx.Get([]byte("key")).Get()
			if err != nil {
				t.Fatal(err)
			}
			return v != nil
		}
		s.Inject(func(call faultkv.Call) faultkv.Fault {
			if call.Op == faultkv.Commit {
				return c.fault
			}
			return faultkv.None
		})
		if err := write("key"); !errors.Is(err, c.err) {
			t.Errorf("%v: the commit gives %v, want %v", c.fault, err, c.err)
		}
		s.Inject(nil)
		if there() != c.now {
			t.Errorf("%v: at once the key is there: %v", c.fault, !c.now)
		}
		if err := write("another"); err != nil {
			t.Fatal(err)
		}
		if there() != c.later {
			t.Errorf("%v: later the key is there: %v", c.fault, !c.later)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
