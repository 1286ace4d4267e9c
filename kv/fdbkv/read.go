//go:build fdb

package fdbkv

import (
	"bytes"
	"fmt"
	"time"

	"github.com/apple/foundationdb/bindings/go/src/fdb"

	"github.com/sqlfdb/sqlfdb/kv"
)

// value is a read under way, or one that failed before it was sent.
type value struct {
	t   *transaction
	f   fdb.FutureByteSlice
	err error
}

// Get implements kv.FutureValue.
func (v *value) Get() ([]byte, error) {
	if v.f == nil {
		return nil, v.err
	}
	if err := v.t.live(); err != nil {
		return nil, fmt.Errorf("fdbkv: get: %w", err)
	}
	since := time.Now()
	b, err := v.f.Get()
	if err != nil {
		return nil, v.t.failed("get", err, since)
	}
	v.t.knows()
	return b, nil
}

type number struct {
	t   *transaction
	f   fdb.FutureInt64
	err error
}

// Get implements kv.FutureInt64.
func (n *number) Get() (int64, error) {
	if n.f == nil {
		return 0, n.err
	}
	since := time.Now()
	v, err := n.f.Get()
	if err != nil {
		return 0, n.t.failed("estimate", err, since)
	}
	return v, nil
}

// snapshot is the view of a transaction whose reads cause no conflicts.
type snapshot struct{ t *transaction }

// Snapshot implements kv.Transaction.
func (t *transaction) Snapshot() kv.Reader { return snapshot{t} }

func (s snapshot) Get(key []byte) kv.FutureValue { return s.t.get(key, false) }

func (s snapshot) Range(r kv.Range, opts kv.RangeOptions) kv.Iterator {
	return s.t.iterate(r, opts, false)
}

func (s snapshot) EstimateSize(r kv.Range) kv.FutureInt64 { return s.t.EstimateSize(r) }

// Get implements kv.Reader.
func (t *transaction) Get(key []byte) kv.FutureValue { return t.get(key, true) }

// Range implements kv.Reader.
func (t *transaction) Range(r kv.Range, opts kv.RangeOptions) kv.Iterator {
	return t.iterate(r, opts, true)
}

func (t *transaction) get(key []byte, conflicts bool) *value {
	err := t.live()
	switch {
	case err != nil:
	case bytes.Compare(key, kv.MaxKey) >= 0:
		err = kv.ErrReservedKey
	case len(key) > kv.MaxKeySize:
		return &value{} // no such key can be there
	}
	if err != nil {
		return &value{err: fmt.Errorf("fdbkv: get: %w", err)}
	}
	if conflicts {
		k := bytes.Clone(key)
		t.addRead(kv.PointRange(k))
	}
	return &value{t: t, f: t.snap.Get(fdb.Key(key))}
}

// EstimateSize implements kv.Reader, by the storage servers' samples (EstimateGrain).
func (t *transaction) EstimateSize(r kv.Range) kv.FutureInt64 {
	err := t.live()
	if err == nil {
		err = kv.CheckRange(r)
	}
	if err != nil {
		return &number{err: fmt.Errorf("fdbkv: estimate: %w", err)}
	}
	if r = r.Clip(); bytes.Equal(r.Start, r.End) {
		return &number{}
	}
	return &number{t: t, f: t.tr.GetEstimatedRangeSizeBytes(exact(r))}
}
