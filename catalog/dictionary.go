package catalog

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/ahead"
	"github.com/sqlfdb/sqlfdb/kv/overlay"
)

// Dictionary numbers the keypaths of one collection, from 1 in the order of
// their first appearance. It only grows, so a number that a process has seen is
// never wrong. It is safe for concurrent use.
type Dictionary struct {
	store      kv.Store
	collection int64

	mu     sync.RWMutex
	byName map[string]int64
	names  []string // names[n-1] is the keypath numbered n; "" where not read yet
	dense  int      // names[:dense] are all known
}

// Dictionary returns the keypaths of the collection with this number.
func (c *Catalog) Dictionary(collection int64) *Dictionary {
	c.mu.Lock()
	defer c.mu.Unlock()
	d := c.dictionaries[collection]
	if d == nil {
		d = &Dictionary{store: c.store, collection: collection, byName: map[string]int64{}}
		c.dictionaries[collection] = d
	}
	return d
}

// Cached returns the number of a spelled keypath if this process has seen it.
// It does not keep the slice.
func (d *Dictionary) Cached(keypath []byte) (int64, bool) {
	d.mu.RLock()
	n, ok := d.byName[string(keypath)]
	d.mu.RUnlock()
	return n, ok
}

// Lookup returns the number of a spelled keypath, reading the store if this process has not
// seen it; ok is false when no document ever had it.
func (d *Dictionary) Lookup(r kv.Reader, keypath string) (n int64, ok bool, err error) {
	d.mu.RLock()
	n, ok = d.byName[keypath]
	d.mu.RUnlock()
	if ok {
		return n, true, nil
	}
	k := keyspace.KeypathByName(d.collection, keypath)
	if len(k) > kv.MaxKeySize {
		return 0, false, nil
	}
	raw, err := r.Get(k).Get()
	if err != nil {
		return 0, false, fmt.Errorf("catalog: look up keypath %s: %w", keypath, err)
	}
	if raw == nil {
		return 0, false, nil
	}
	n = int64(getUint(raw))
	d.mu.Lock()
	d.note(keypath, n)
	d.mu.Unlock()
	return n, true, nil
}

// Named is the range of the key of a spelled keypath's number. A reader that has found no number there conflicts with
// the transaction that assigns it. It is empty for a keypath that is too long to get a number.
func (d *Dictionary) Named(keypath string) kv.Range {
	k := keyspace.KeypathByName(d.collection, keypath)
	if len(k) > kv.MaxKeySize {
		return kv.Range{}
	}
	return kv.PointRange(k)
}

// StartAll begins to read the keypaths that All returns.
func (d *Dictionary) StartAll(r kv.Reader) {
	ahead.Of(r).EnsureRange(d.unread())
}

// unread is where the keypaths stand that this process may not have seen.
func (d *Dictionary) unread() (kv.Range, kv.RangeOptions) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return keyspace.KeypathsFrom(d.collection, int64(d.dense)+1), kv.RangeOptions{Streaming: kv.StreamAll}
}

// All returns every keypath that the reader sees, the keypath numbered n at index n-1. The
// slice is shared and must not be changed. A number stays assigned, and one without
// documents counts nothing. So no transaction conflicts with the numbering of keypaths,
// which may be its own.
func (d *Dictionary) All(r kv.Reader) ([]string, error) {
	if tx := overlay.Of(r); tx != nil {
		r = tx.Snapshot()
	}
	it := r.Range(d.unread())
	defer it.Close()
	type pair struct {
		n    int64
		name string
	}
	var read []pair
	for it.Next() {
		n, err := keyspace.KeypathNumberOf(it.Key())
		if err != nil {
			return nil, err
		}
		read = append(read, pair{n, string(it.Value())})
	}
	if err := it.Err(); err != nil {
		return nil, fmt.Errorf("catalog: read keypaths: %w", err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, p := range read {
		d.note(p.name, p.n)
	}
	return slices.Clip(d.names[:d.dense]), nil
}

// Numbered is how many keypaths of a collection have a number: the keypaths that any of its documents has had. It
// reads one key.
func Numbered(r kv.Reader, collection int64) (int64, error) {
	raw, err := r.Get(keyspace.KeypathNext(collection)).Get()
	if err != nil {
		return 0, fmt.Errorf("catalog: count keypaths: %w", err)
	}
	return max(0, int64(getUint(raw))-1), nil
}

// Name returns the keypath with this number if this process has seen it.
func (d *Dictionary) Name(n int64) (string, bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if n < 1 || n > int64(len(d.names)) || d.names[n-1] == "" {
		return "", false
	}
	return d.names[n-1], true
}

// Assign numbers the keypaths that have no number yet, in a transaction of its
// own, so that the writers of two documents with the same new keypath don't conflict.
func (d *Dictionary) Assign(ctx context.Context, keypaths []string) error {
	var assigned map[string]int64
	err := kv.Transact(ctx, d.store, kv.TransactOptions{Repeatable: true, Attempts: numberAttempts,
		LongestWait: numberLongestWait}, func(tx kv.Transaction) error {
		assigned = make(map[string]int64, len(keypaths))
		found := make([]kv.FutureValue, len(keypaths))
		for i, p := range keypaths {
			found[i] = tx.Get(keyspace.KeypathByName(d.collection, p))
		}
		raw, err := tx.Get(keyspace.KeypathNext(d.collection)).Get()
		if err != nil {
			return err
		}
		next := int64(getUint(raw))
		if next == 0 {
			next = 1
		}
		first := next
		for i, p := range keypaths {
			raw, err := found[i].Get()
			if err != nil {
				return err
			}
			if raw != nil {
				assigned[p] = int64(getUint(raw))
				continue
			}
			if _, twice := assigned[p]; twice {
				continue
			}
			assigned[p] = next
			tx.Set(keyspace.KeypathByName(d.collection, p), putUint(uint64(next)))
			tx.Set(keyspace.KeypathByNumber(d.collection, next), []byte(p))
			next++
		}
		if next != first {
			tx.Set(keyspace.KeypathNext(d.collection), putUint(uint64(next)))
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("catalog: number %d keypaths: %w", len(keypaths), err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for p, n := range assigned {
		d.note(p, n)
	}
	return nil
}

// note records a pair; the caller holds the lock.
func (d *Dictionary) note(keypath string, n int64) {
	d.byName[keypath] = n
	if n > int64(len(d.names)) {
		d.names = append(d.names, make([]string, n-int64(len(d.names)))...)
	}
	d.names[n-1] = keypath
	for d.dense < len(d.names) && d.names[d.dense] != "" {
		d.dense++
	}
}
