package backup

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
)

// Errors of restoring. They are wrapped.
var (
	// ErrNotEmpty: the target holds something.
	ErrNotEmpty = errors.New("the store to restore to is not empty")
	// ErrAnother: another restore has begun in the same store.
	ErrAnother = errors.New("another restore writes to the store")
)

// batchSize is about what a transaction of a restore may count against the limit of one, where a key may
// count three times, with pairBytes for each pair.
const (
	batchSize = kv.MaxTransactionSize * 8 / 10
	pairBytes = 100
)

// clearPatience is how long taking back a restore that has failed may take.
const clearPatience = time.Minute

// Restore writes a backup into an empty store. The store serves nobody before all of it is there: a program that
// opens it refuses with catalog.ErrRestoring. When Restore fails, what it has written is cleared;
// where that fails too, the error says so, and restoring once more does it.
//
// The store's incarnation is one more than the backup's, so that its new sequences sort behind all
// former ones.
func Restore(ctx context.Context, store kv.Store, r io.Reader, p *Progress) (Header, error) {
	f, h, err := newFrameReader(&reading{r, &p.File})
	if err != nil {
		return h, fmt.Errorf("restore: %w", err)
	}
	id := catalog.Identity{Format: h.StoreFormat, Incarnation: h.Incarnation}
	if id, err = id.Elsewhere(); err != nil {
		return h, fmt.Errorf("restore: %w", err)
	}
	s := &restorer{store: store, mark: make([]byte, 16), root: keyspace.Root()}
	_, _ = rand.Read(s.mark)
	s.mark = time.Now().UTC().AppendFormat(s.mark, time.RFC3339)
	if err := s.begin(ctx); err != nil {
		return h, fmt.Errorf("restore: %w", err)
	}
	if err = content(ctx, f, p, func(key, value []byte) error { return s.take(ctx, key, value) }); err == nil {
		err = s.finish(ctx, id)
	}
	if err == nil {
		return h, nil
	}
	err = fmt.Errorf("restore: %w", err)
	clearing, cancel := context.WithTimeout(context.WithoutCancel(ctx), clearPatience)
	defer cancel()
	if clearErr := s.clear(clearing); clearErr != nil {
		return h, fmt.Errorf("%w; what was written could not be cleared, restore again: %w", err, clearErr)
	}
	return h, err
}

// restorer writes the pairs of a backup in batches.
type restorer struct {
	store kv.Store
	mark  []byte // the value of keyspace.Restoring while this restore runs
	root  kv.Range

	buf   []byte
	batch []span
	size  int           // of the batch
	kept  []kv.KeyValue // of META: written last
	key   []byte
}

// span is a pair in the buffer: the key ends at key, the value at value.
type span struct{ start, key, value int }

// begin marks the store, if it is empty or holds what a former restore has left.
func (s *restorer) begin(ctx context.Context) error {
	return kv.Transact(ctx, s.store, kv.TransactOptions{Repeatable: true}, func(tx kv.Transaction) error {
		left, err := tx.Get(keyspace.Restoring()).Get()
		if err != nil {
			return err
		}
		if left == nil {
			it := tx.Range(s.root, kv.RangeOptions{Limit: 1, Streaming: kv.StreamSmall})
			defer it.Close()
			if it.Next() {
				return ErrNotEmpty
			}
			if err := it.Err(); err != nil {
				return err
			}
		} else if !bytes.Equal(left, s.mark) {
			tx.ClearRange(s.root)
		}
		tx.Set(keyspace.Restoring(), s.mark)
		return nil
	})
}

// marked fails when the store is not this restore's any more. It makes the transaction conflict with
// whoever takes the mark away.
func (s *restorer) marked(tx kv.Transaction) error {
	mark, err := tx.Get(keyspace.Restoring()).Get()
	if err == nil && !bytes.Equal(mark, s.mark) {
		err = ErrAnother
	}
	return err
}

func (s *restorer) take(ctx context.Context, key, value []byte) error {
	s.key = append(append(s.key[:0], s.root.Start...), key...)
	switch keyspace.PlaceOf(s.key) {
	case keyspace.PlaceMeta:
		s.kept = append(s.kept, kv.KeyValue{Key: bytes.Clone(s.key), Value: bytes.Clone(value)})
		return nil
	case keyspace.PlaceMarker:
		return nil
	}
	start := len(s.buf)
	s.buf = append(s.buf, s.key...)
	middle := len(s.buf)
	s.buf = append(s.buf, value...)
	s.batch = append(s.batch, span{start, middle, len(s.buf)})
	if s.size += 3*len(s.key) + len(value) + pairBytes; s.size < batchSize-kv.MaxValueSize-4*kv.MaxKeySize {
		return nil
	}
	return s.flush(ctx)
}

// flush writes the batch.
func (s *restorer) flush(ctx context.Context) error {
	if len(s.batch) == 0 {
		return nil
	}
	err := kv.Transact(ctx, s.store, kv.TransactOptions{Repeatable: true}, func(tx kv.Transaction) error {
		if err := s.marked(tx); err != nil {
			return err
		}
		for _, b := range s.batch {
			tx.Set(s.buf[b.start:b.key], s.buf[b.key:b.value])
		}
		return nil
	})
	s.buf, s.batch, s.size = s.buf[:0], s.batch[:0], 0
	return err
}

// finish makes the store one that can be served.
func (s *restorer) finish(ctx context.Context, id catalog.Identity) error {
	if err := s.flush(ctx); err != nil {
		return err
	}
	return kv.Transact(ctx, s.store, kv.TransactOptions{Repeatable: true}, func(tx kv.Transaction) error {
		// After an unknown outcome the whole may be there already.
		mark, err := tx.Get(keyspace.Restoring()).Get()
		if err != nil {
			return err
		}
		if mark == nil {
			if there, err := catalog.Identify(tx); err == nil && there == id {
				return nil
			}
		}
		if !bytes.Equal(mark, s.mark) {
			return ErrAnother
		}
		if err := jobs.Orphan(tx); err != nil {
			return err
		}
		for _, pair := range s.kept {
			tx.Set(pair.Key, pair.Value)
		}
		tx.Clear(keyspace.Restoring())
		return catalog.Adopt(tx, id)
	})
}

// clear takes everything back.
func (s *restorer) clear(ctx context.Context) error {
	return kv.Transact(ctx, s.store, kv.TransactOptions{Repeatable: true}, func(tx kv.Transaction) error {
		mark, err := tx.Get(keyspace.Restoring()).Get()
		if err != nil || !bytes.Equal(mark, s.mark) {
			return err // another's, or cleared already
		}
		tx.ClearRange(s.root)
		return nil
	})
}
