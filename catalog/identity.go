package catalog

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"math"

	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
)

// ErrIncarnation: sequences have one byte for how often a store was restored.
var ErrIncarnation = errors.New("the store has been restored 255 times, and can't be once more")

// Identity is a store's record of itself.
type Identity struct {
	Format      uint64 // FormatVersion to NewestFormatVersion
	Incarnation byte   // the first byte of every sequence that is written
}

// Identify reads a store's identity. It fails with ErrEmpty, with ErrNotEmpty if there is other data, and with
// ErrRestoring if a backup has not been restored to its end. It fails with ErrFormat if this program can't read the
// store.
func Identify(r kv.Reader) (Identity, error) {
	var id Identity
	format, err := r.Get(keyspace.FormatVersion()).Get()
	if err != nil {
		return id, fmt.Errorf("catalog: %w", err)
	}
	if format == nil {
		return id, unformatted(r)
	}
	id.Format = getUint(format)
	if err := id.check(); err != nil {
		return id, err
	}
	incarnation, err := r.Get(keyspace.Incarnation()).Get()
	if err != nil {
		return id, fmt.Errorf("catalog: %w", err)
	}
	if len(incarnation) != 1 {
		return id, fmt.Errorf("catalog: %w: incarnation is %x", ErrFormat, incarnation)
	}
	id.Incarnation = incarnation[0]
	return id, nil
}

func (id Identity) check() error {
	if id.Format < FormatVersion || id.Format > NewestFormatVersion {
		return fmt.Errorf("catalog: %w: the store has format %d, this program reads up to %d", ErrFormat, id.Format,
			NewestFormatVersion)
	}
	return nil
}

// unformatted is the error for a store without a format.
func unformatted(r kv.Reader) error {
	restoring, err := r.Get(keyspace.Restoring()).Get()
	if err != nil {
		return fmt.Errorf("catalog: %w", err)
	}
	if restoring != nil {
		return fmt.Errorf("catalog: %w", ErrRestoring)
	}
	it := r.Range(kv.Range{End: kv.MaxKey}, kv.RangeOptions{Limit: 1, Streaming: kv.StreamSmall})
	defer it.Close()
	if it.Next() {
		return fmt.Errorf("catalog: %w: it holds keys of something else", ErrNotEmpty)
	}
	if err := it.Err(); err != nil {
		return fmt.Errorf("catalog: %w", err)
	}
	return ErrEmpty
}

// StoreID identifies this store, in hexadecimal digits; empty if it has no id yet.
func StoreID(r kv.Reader) (string, error) {
	raw, err := r.Get(keyspace.StoreID()).Get()
	if err != nil {
		return "", fmt.Errorf("catalog: %w", err)
	}
	return hex.EncodeToString(raw), nil
}

// EnsureStoreID is StoreID of a store that is given one if it has none.
func EnsureStoreID(ctx context.Context, store kv.Store) (id string, err error) {
	var fresh [16]byte
	_, _ = rand.Read(fresh[:]) // it never fails
	err = kv.Transact(ctx, store, kv.TransactOptions{Repeatable: true}, func(tx kv.Transaction) error {
		if id, err = StoreID(tx); err != nil || id != "" {
			return err
		}
		id = hex.EncodeToString(fresh[:])
		tx.Set(keyspace.StoreID(), fresh[:])
		return nil
	})
	return id, err
}

// Elsewhere is the identity of a store to which one with this identity is copied: its sequences sort
// behind all of the former one's.
func (id Identity) Elsewhere() (Identity, error) {
	if err := id.check(); err != nil {
		return id, err
	}
	if id.Incarnation == math.MaxUint8 {
		return id, fmt.Errorf("catalog: %w", ErrIncarnation)
	}
	id.Incarnation++
	return id, nil
}

// Adopt gives a store to which everything else of another one was copied its identity. Definitions that any process
// cached before do not count as the store's any more.
func Adopt(tx kv.Transaction, id Identity) error {
	if err := id.check(); err != nil {
		return err
	}
	writeIdentity(tx, id)
	tx.Add(keyspace.SchemaVersion(), putUint(versionsPerIncarnation))
	return nil
}

// versionsPerIncarnation is more schema versions than a store can reach, so that no two of its incarnations have one
// in common.
const versionsPerIncarnation = 1 << 40

func writeIdentity(w kv.Writer, id Identity) {
	w.Set(keyspace.FormatVersion(), putUint(id.Format))
	w.Set(keyspace.Incarnation(), []byte{id.Incarnation})
	w.Add(keyspace.SchemaVersion(), putUint(1))
}
