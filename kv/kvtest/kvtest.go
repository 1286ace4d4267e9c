// Package kvtest is the contract of kv as a test suite that every engine runs. It tests no
// engine's own promises, such as its state after a disk's failure.
package kvtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/kv"
)

// Harness gives the suite an engine.
type Harness struct {
	// Open returns an empty store, closed by the suite.
	Open func(t *testing.T) kv.Store
	// Reopen closes a store and opens it again with its content; nil when the engine can't do
	// that.
	Reopen func(t *testing.T, s kv.Store) kv.Store
	// OpenShortLived returns an empty store whose transactions live for
	// TransactionLife, which the suite outwaits; nil means Open.
	OpenShortLived func(t *testing.T) kv.Store
	// TransactionLife is 0 when transactions have no end.
	TransactionLife time.Duration
	// Examples bounds the work of the random tests; 1 is the usual amount, and
	// 0 means 1.
	Examples int
	// Without names the parts that a store is not held to because it differs
	// there by design: none of an engine's.
	Without []string
}

// Run runs the suite.
func Run(t *testing.T, h Harness) {
	if h.Examples == 0 {
		h.Examples = 1
	}
	for _, c := range []struct {
		name string
		run  func(t *testing.T, h Harness)
	}{
		{"Reads", testReads},
		{"Ranges", testRanges},
		{"ReadYourWrites", testReadYourWrites},
		{"NoReadYourWrites", testNoReadYourWrites},
		{"Clears", testClears},
		{"Isolation", testIsolation},
		{"Conflicts", testConflicts},
		{"Adds", testAdds},
		{"Versionstamps", testVersionstamps},
		{"Estimates", testEstimates},
		{"Watches", testWatches},
		{"Limits", testLimits},
		{"Keys", testKeys},
		{"Ends", testEnds},
		{"Life", testLife},
		{"Context", testContext},
		{"Closed", testClosed},
		{"Durability", testDurability},
		{"Transact", testTransact},
		{"Bank", testBank},
		{"Serializable", testSerializable},
		{"Model", testModel},
	} {
		if !slices.Contains(h.Without, c.name) {
			t.Run(c.name, func(t *testing.T) { c.run(t, h) })
		}
	}
}

func (h Harness) open(t *testing.T) kv.Store {
	t.Helper()
	s := h.Open(t)
	t.Cleanup(func() {
		if err := s.Close(); err != nil && !errors.Is(err, kv.ErrClosed) {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

func begin(t testing.TB, s kv.Store) kv.Transaction {
	t.Helper()
	return beginWith(t, s, kv.TransactionOptions{})
}

func beginWith(t testing.TB, s kv.Store, opts kv.TransactionOptions) kv.Transaction {
	t.Helper()
	tx, err := s.Begin(context.Background(), opts)
	if err != nil {
		t.Fatalf("begin: %v", err)
	}
	t.Cleanup(tx.Cancel)
	return tx
}

func commit(t testing.TB, tx kv.Transaction) {
	t.Helper()
	if err := tx.Commit(); err != nil {
		t.Fatalf("commit: %v", err)
	}
}

// write commits one transaction.
func write(t testing.TB, s kv.Store, do func(tx kv.Transaction)) {
	t.Helper()
	err := kv.Transact(context.Background(), s, kv.TransactOptions{}, func(tx kv.Transaction) error {
		do(tx)
		return nil
	})
	if err != nil {
		t.Fatalf("write: %v", err)
	}
}

func get(t testing.TB, r kv.Reader, key string) []byte {
	t.Helper()
	v, err := r.Get([]byte(key)).Get()
	if err != nil {
		t.Fatalf("get %q: %v", key, err)
	}
	return v
}

const absent = "\x00absent"

// want checks the value of a key; absent stands for none.
func want(t testing.TB, r kv.Reader, key, value string) {
	t.Helper()
	v := get(t, r, key)
	switch {
	case v == nil && value != absent:
		t.Fatalf("key %q is absent, want %q", key, value)
	case v != nil && value == absent:
		t.Fatalf("key %q is %q, want none", key, v)
	case v != nil && string(v) != value:
		t.Fatalf("key %q is %q, want %q", key, v, value)
	}
}

func span(start, end string) kv.Range { return kv.Range{Start: []byte(start), End: []byte(end)} }

// scan reads a range to its end or limit as "key=value" words.
func scan(r kv.Reader, in kv.Range, opts kv.RangeOptions) (string, error) {
	it := r.Range(in, opts)
	defer it.Close()
	var out bytes.Buffer
	for it.Next() {
		if out.Len() > 0 {
			out.WriteByte(' ')
		}
		fmt.Fprintf(&out, "%s=%s", it.Key(), it.Value())
	}
	return out.String(), it.Err()
}

func wantScan(t testing.TB, r kv.Reader, in kv.Range, opts kv.RangeOptions, pairs string) {
	t.Helper()
	got, err := scan(r, in, opts)
	if err != nil {
		t.Fatalf("scan [%q, %q): %v", in.Start, in.End, err)
	}
	if got != pairs {
		t.Fatalf("scan [%q, %q) %+v:\n got %s\nwant %s", in.Start, in.End, opts, got, pairs)
	}
}

func wantErr(t testing.TB, doing string, err, target error) {
	t.Helper()
	if !errors.Is(err, target) {
		t.Fatalf("%s: got error %v, want %v", doing, err, target)
	}
}

func set(tx kv.Transaction, pairs ...string) {
	for i := 0; i < len(pairs); i += 2 {
		tx.Set([]byte(pairs[i]), []byte(pairs[i+1]))
	}
}
