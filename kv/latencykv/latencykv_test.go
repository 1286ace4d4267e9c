package latencykv_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/kvtest"
	"github.com/sqlfdb/sqlfdb/kv/latencykv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

func open(t *testing.T, opts pebblekv.Options) *latencykv.Store {
	t.Helper()
	base, err := pebblekv.Open(t.TempDir(), opts)
	if err != nil {
		t.Fatal(err)
	}
	return latencykv.New(base)
}

// TestSuite: a store that is far away is what is below it.
func TestSuite(t *testing.T) {
	if testing.Short() {
		t.Skip("the suite runs over every engine too")
	}
	far := func(t *testing.T, opts pebblekv.Options) kv.Store {
		s := open(t, opts)
		s.SetLatency(20 * time.Microsecond)
		return s
	}
	kvtest.Run(t, kvtest.Harness{
		Open: func(t *testing.T) kv.Store { return far(t, pebblekv.Options{}) },
		OpenShortLived: func(t *testing.T) kv.Store {
			return far(t, pebblekv.Options{TransactionLife: 200 * time.Millisecond})
		},
		TransactionLife: 200 * time.Millisecond,
	})
}

func key(n int) []byte { return fmt.Appendf(nil, "key/%06d", n) }

// filled holds so many pairs of 76 bytes, 100 with what each costs in a batch.
func filled(t *testing.T, pairs int) *latencykv.Store {
	t.Helper()
	s := open(t, pebblekv.Options{})
	t.Cleanup(func() { s.Close() })
	err := kv.Transact(context.Background(), s, kv.TransactOptions{}, func(tx kv.Transaction) error {
		for i := range pairs {
			tx.Set(key(i), make([]byte, 66))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func begin(t *testing.T, s kv.Store) kv.Transaction {
	t.Helper()
	tx, err := s.Begin(context.Background(), kv.TransactionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tx.Cancel)
	return tx
}

// walk reads up to n pairs, all if n is negative.
func walk(t *testing.T, r kv.Reader, n int, opts kv.RangeOptions) int {
	t.Helper()
	it := r.Range(kv.PrefixRange([]byte("key/")), opts)
	defer it.Close()
	met := 0
	for met != n && it.Next() {
		met++
	}
	if err := it.Err(); err != nil {
		t.Fatal(err)
	}
	return met
}

// TestTrips counts the round trips of what a transaction may do.
func TestTrips(t *testing.T) {
	s := filled(t, 2000)
	for _, c := range []struct {
		name string
		want int64
		do   func(t *testing.T, tx kv.Transaction)
	}{
		{"nothing", 0, func(t *testing.T, tx kv.Transaction) {}},
		{"a version", 1, func(t *testing.T, tx kv.Transaction) {
			for range 2 {
				if _, err := tx.ReadVersion(); err != nil {
					t.Fatal(err)
				}
			}
		}},
		{"a get", 2, func(t *testing.T, tx kv.Transaction) { get(t, tx, 1) }},
		{"gets at once", 2, func(t *testing.T, tx kv.Transaction) { get(t, tx, 1, 2, 3) }},
		{"gets one after the other", 4, func(t *testing.T, tx kv.Transaction) {
			get(t, tx, 1)
			get(t, tx.Snapshot(), 2)
			get(t, tx, 3)
		}},
		{"a get while another one is on its way", 3, func(t *testing.T, tx kv.Transaction) {
			range_ := tx.Range(kv.PrefixRange(key(1)), kv.RangeOptions{})
			defer range_.Close()
			get(t, tx, 1)
			range_.Next()
			get(t, tx, 2)
		}},
		{"a read that nobody waits for", 0, func(t *testing.T, tx kv.Transaction) { tx.Get(key(1)) }},
		{"an estimate", 2, func(t *testing.T, tx kv.Transaction) {
			if _, err := tx.EstimateSize(kv.PrefixRange(key(1))).Get(); err != nil {
				t.Fatal(err)
			}
		}},
		{"a commit without writes", 0, func(t *testing.T, tx kv.Transaction) { commit(t, tx) }},
		{"a blind write", 2, func(t *testing.T, tx kv.Transaction) {
			tx.Set([]byte("other"), nil)
			commit(t, tx)
		}},
		{"a read and a write", 3, func(t *testing.T, tx kv.Transaction) {
			get(t, tx, 1)
			tx.Add([]byte("sum"), []byte{1})
			commit(t, tx)
		}},
		{"an empty range", 0, func(t *testing.T, tx kv.Transaction) {
			tx.Range(kv.Range{Start: key(2), End: key(1)}, kv.RangeOptions{}).Next()
		}},
		// 200,000 bytes are two batches of 80,000 and one of 40,000: the second one is asked for
		// when the first one is met, and takes its time.
		{"all of a range", 2 + 2, func(t *testing.T, tx kv.Transaction) {
			walk(t, tx, -1, kv.RangeOptions{Streaming: kv.StreamAll})
		}},
		{"a limit", 2, func(t *testing.T, tx kv.Transaction) { walk(t, tx, -1, kv.RangeOptions{Limit: 700}) }},
		// 41 pairs, then 62, then 93.
		{"the first batch", 2, func(t *testing.T, tx kv.Transaction) { walk(t, tx, 41, kv.RangeOptions{}) }},
		{"the second batch", 3, func(t *testing.T, tx kv.Transaction) { walk(t, tx, 42, kv.RangeOptions{}) }},
		{"the third batch", 4, func(t *testing.T, tx kv.Transaction) { walk(t, tx, 41+62+1, kv.RangeOptions{}) }},
		{"small batches", 2 + 4, func(t *testing.T, tx kv.Transaction) {
			walk(t, tx, 41, kv.RangeOptions{Streaming: kv.StreamSmall})
		}},
		{"the third batch, asked for ahead", 4, func(t *testing.T, tx kv.Transaction) {
			it := tx.Range(kv.PrefixRange([]byte("key/")), kv.RangeOptions{})
			defer it.Close()
			for range 42 {
				it.Next()
			}
			get(t, tx, 1) // the fourth round trip
			for range 62 {
				it.Next()
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tx := begin(t, s)
			before := s.Trips()
			c.do(t, tx)
			if got := s.Trips() - before; got != c.want {
				t.Errorf("%d round trips, want %d", got, c.want)
			}
		})
	}
}

func get(t *testing.T, r kv.Reader, numbers ...int) {
	t.Helper()
	futures := make([]kv.FutureValue, len(numbers))
	for i, n := range numbers {
		futures[i] = r.Get(key(n))
	}
	for _, f := range futures {
		if v, err := f.Get(); err != nil || v == nil {
			t.Fatal(v, err)
		}
	}
}

func commit(t *testing.T, tx kv.Transaction) {
	t.Helper()
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
}

// TestLatency: round trips take their time, one after the other and not each.
func TestLatency(t *testing.T) {
	const latency = 20 * time.Millisecond
	s := filled(t, 100)
	s.SetLatency(latency)
	tx := begin(t, s)
	began := time.Now()
	all := make([]int, 100)
	get(t, tx, all...)
	get(t, tx, all...)
	if took := time.Since(began); took < 3*latency*9/10 || took > 30*time.Second {
		t.Errorf("three round trips of %v took %v", latency, took)
	}
	if n := s.Requests(); n < 201 {
		t.Errorf("%d requests", n)
	}
}
