package backup_test

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/backup"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
)

// beginnings calls a function after each transaction has begun.
type beginnings struct {
	kv.Store
	n    int
	then func(n int)
}

func (b *beginnings) Begin(ctx context.Context, opts kv.TransactionOptions) (kv.Transaction, error) {
	tx, err := b.Store.Begin(ctx, opts)
	b.n++
	b.then(b.n)
	return tx, err
}

// TestSeveralVersions: a copy that is read at many versions is the copy of one, and fails when there is
// no version of which it could be, whenever that is written.
func TestSeveralVersions(t *testing.T) {
	store := source(t, 300)
	header := backup.Header{Made: time.Unix(1, 0).UTC(), Program: "test"}
	copied := func(then func(n int)) ([]byte, int, error) {
		var file bytes.Buffer
		hooked := &beginnings{Store: store, then: then}
		_, err := backup.Write(t.Context(), hooked, &file, header, &backup.Progress{}, backup.Options{Step: 1})
		return file.Bytes(), hooked.n, err
	}
	file, versions, err := copied(func(int) {})
	if err != nil || versions < 4 {
		t.Fatalf("%d versions, %v", versions, err)
	}
	to := openEmpty(t)
	if err := restore(to, file); err != nil {
		t.Fatal(err)
	}
	want := openEmpty(t)
	if err := restore(want, write(t, store)); err != nil {
		t.Fatal(err)
	}
	a, b := contents(t, to), contents(t, want)
	if len(a) != len(b) {
		t.Errorf("%d keys, %d at one version", len(a), len(b))
	}
	for key, value := range b {
		if a[key] != value && !bytes.Equal([]byte(key), keyspace.Restoring()) {
			t.Errorf("key %x is %x, %x at one version", key, a[key], value)
		}
	}
	for at := 1; at <= versions; at++ {
		_, _, err := copied(func(n int) {
			if n == at {
				transact(t, store, func(tx kv.Transaction) error { tx.Set(keyspace.NextID(), []byte{byte(at)}); return nil })
			}
		})
		if !errors.Is(err, backup.ErrWritten) {
			t.Errorf("written to after transaction %d of %d: %v", at, versions, err)
		}
	}
	// Beside it anybody may write.
	_, _, err = copied(func(n int) {
		transact(t, store, func(tx kv.Transaction) error { tx.Set([]byte{0xfe}, []byte{byte(n)}); return nil })
	})
	if err != nil {
		t.Errorf("another program's key: %v", err)
	}
}
