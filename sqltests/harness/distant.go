package harness

import (
	"context"
	"fmt"
	"hash/maphash"
	"testing"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

// distant is the embedded engine with what distinguishes a cluster: reads are started before they are asked for, sizes
// are estimated by a sample, and each write counts for more. A transaction's life stays the embedded engine's, for a
// slow machine's sake: StartShort is for a short one.
type distant struct{ waiting }

// newDistant opens a new, empty store in memory.
func newDistant(t testing.TB) kv.Store {
	t.Helper()
	return distant{waiting{InMemory(t, pebblekv.Options{})}}
}

// sampleGrain is what a key in a cluster's sample stands for, in bytes.
const sampleGrain = 40_000

// EstimateGrain implements kv.Store.
func (distant) EstimateGrain() int64 { return sampleGrain }

// Begin implements kv.Store.
func (s distant) Begin(ctx context.Context, opts kv.TransactionOptions) (kv.Transaction, error) {
	tx, err := s.Store.Begin(ctx, opts)
	if err != nil {
		return nil, err
	}
	return &distantTransaction{Transaction: tx}, nil
}

// distantTransaction counts its size as a cluster does: for each write its key three times, or four for a clear, and
// its overhead.
type distantTransaction struct {
	kv.Transaction
	more int64 // than the store counts, in bytes
}

const distantOverhead = 72

func (t *distantTransaction) count(keys ...[]byte) {
	for _, key := range keys {
		t.more += int64(len(key))
	}
	t.more += distantOverhead
}

// Set implements kv.Writer.
func (t *distantTransaction) Set(key, value []byte) {
	t.Transaction.Set(key, value)
	t.count(key, key)
}

// Add implements kv.Writer.
func (t *distantTransaction) Add(key, operand []byte) {
	t.Transaction.Add(key, operand)
	t.count(key, key)
}

// Clear implements kv.Writer.
func (t *distantTransaction) Clear(key []byte) {
	t.Transaction.Clear(key)
	t.count(key, key, key)
}

// ClearRange implements kv.Writer.
func (t *distantTransaction) ClearRange(r kv.Range) {
	t.Transaction.ClearRange(r)
	t.count(r.Start, r.End)
}

// SetVersionstampedKey implements kv.Writer.
func (t *distantTransaction) SetVersionstampedKey(key []byte, offset int, value []byte) {
	t.Transaction.SetVersionstampedKey(key, offset, value)
	t.count(key, key)
}

// SetVersionstampedValue implements kv.Writer.
func (t *distantTransaction) SetVersionstampedValue(key, value []byte, offset int) {
	t.Transaction.SetVersionstampedValue(key, value, offset)
	t.count(key, key)
}

// Overhead implements kv.Transaction.
func (t *distantTransaction) Overhead() int64 { return distantOverhead }

// Size implements kv.Transaction.
func (t *distantTransaction) Size() int64 { return t.Transaction.Size() + t.more }

// Commit implements kv.Transaction.
func (t *distantTransaction) Commit() error {
	if size := t.Size(); size > kv.MaxTransactionSize {
		t.Cancel()
		return fmt.Errorf("distant: commit: %w",
			&kv.SizeError{Err: kv.ErrTooLarge, Size: size, Limit: kv.MaxTransactionSize})
	}
	return t.Transaction.Commit()
}

// EstimateSize implements kv.Reader.
func (t *distantTransaction) EstimateSize(r kv.Range) kv.FutureInt64 {
	return sampled{t.Transaction.EstimateSize(r), r}
}

// Snapshot implements kv.Transaction.
func (t *distantTransaction) Snapshot() kv.Reader { return distantReader{t.Transaction.Snapshot()} }

type distantReader struct{ kv.Reader }

// EstimateSize implements kv.Reader.
func (r distantReader) EstimateSize(of kv.Range) kv.FutureInt64 {
	return sampled{r.Reader.EstimateSize(of), of}
}

// sampled is the size of a range in whole grains: which way it is rounded, the range decides by chance.
type sampled struct {
	kv.FutureInt64
	of kv.Range
}

var sampleSeed = maphash.MakeSeed()

// Get implements kv.FutureInt64.
func (s sampled) Get() (int64, error) {
	n, err := s.FutureInt64.Get()
	if err != nil {
		return 0, err
	}
	chance := maphash.Bytes(sampleSeed, append(append([]byte(nil), s.of.Start...), s.of.End...)) % sampleGrain
	grains := n / sampleGrain
	if int64(chance) < n%sampleGrain {
		grains++
	}
	return grains * sampleGrain, nil
}
