package backup

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// Errors of restoring. They are wrapped.
var (
	// ErrNotEmpty: the target holds something.
	ErrNotEmpty = errors.New("the store to restore to is not empty")
	// ErrAnother: another restore has begun in the same store.
	ErrAnother = errors.New("another restore writes to the store")
)

// batchSize is about how many bytes a transaction of a restore may have of the limit. A key may count three times,
// and each pair pairBytes more.
const (
	batchSize = kv.MaxTransactionSize * 8 / 10
	pairBytes = 100
)

// clearPatience is how long taking back a restore that has failed may take.
const clearPatience = time.Minute

// OpenCollection opens the collection of a table.
type OpenCollection func(cat *catalog.Catalog, def *catalog.Table) (*tables.Collection, error)

// Restore writes a chain of copies into an empty store: a full one, and the copies that go on from it. The store
// serves nobody before it is complete: a program that opens it fails with catalog.ErrRestoring. When Restore fails,
// its writes are cleared. If that fails too, the error says so, and another Restore clears them. open may be nil
// where no file goes on from another one.
//
// The store's incarnation is one more than the backup's, so that its new sequences sort behind all
// former ones.
func Restore(ctx context.Context, store kv.Store, files []Source, p *Progress, open OpenCollection) (Header, Position,
	error) {
	s := &restorer{ctx: ctx, store: store, open: open, mark: make([]byte, 16), root: keyspace.Root()}
	_, _ = rand.Read(s.mark)
	s.mark = time.Now().UTC().AppendFormat(s.mark, time.RFC3339)
	var id catalog.Identity
	began := false
	h, end, err := chain(ctx, files, p, func(h Header) (taker, error) {
		var err error
		id, err = catalog.Identity{Format: h.StoreFormat, Incarnation: h.Incarnation}.Elsewhere()
		if err == nil && !began {
			err = s.begin(ctx)
			began = err == nil
		}
		return s, err
	})
	if err == nil {
		err = s.finish(ctx, id)
	}
	if err == nil {
		return h, end, nil
	}
	err = fmt.Errorf("restore: %w", err)
	if !began {
		return h, end, err
	}
	clearing, cancel := context.WithTimeout(context.WithoutCancel(ctx), clearPatience)
	defer cancel()
	if clearErr := s.clear(clearing); clearErr != nil {
		return h, end, fmt.Errorf("%w; what was written could not be cleared, restore again: %w", err, clearErr)
	}
	return h, end, err
}

// restorer writes pairs in batches, and documents over the stored ones.
type restorer struct {
	ctx   context.Context
	store kv.Store
	open  OpenCollection
	mark  []byte // the value of keyspace.Restoring while this restore runs
	root  kv.Range

	buf   []byte
	batch []span
	size  int               // of the batch
	kept  map[string][]byte // of META: written last
	key   []byte

	opened    map[int64]*tables.Collection // of this section; nil: none yet
	documents []replayed
	waiting   int // bytes of documents
}

// span is a pair in the buffer: the key ends at key, the value at value.
type span struct{ start, key, value int }

// begin marks the store, if it is empty or holds the remains of an earlier restore.
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

// marked fails when the store is not this restore's any more. It makes the transaction conflict with a removal of the
// mark.
func (s *restorer) marked(tx kv.Transaction) error {
	mark, err := tx.Get(keyspace.Restoring()).Get()
	if err == nil && !bytes.Equal(mark, s.mark) {
		err = ErrAnother
	}
	return err
}

// pair implements taker.
func (s *restorer) pair(key, value []byte) error {
	s.key = append(append(s.key[:0], s.root.Start...), key...)
	switch keyspace.PlaceOf(s.key) {
	case keyspace.PlaceMeta:
		if !bytes.Equal(s.key, keyspace.StoreID()) { // it is another one
			if s.kept == nil {
				s.kept = map[string][]byte{}
			}
			s.kept[string(s.key)] = bytes.Clone(value)
		}
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
	return s.flush(s.ctx)
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
	if err := s.replay(); err != nil {
		return err
	}
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
		// No session has the temporary tables of the store that was copied.
		for _, r := range keyspace.TemporaryAll() {
			tx.ClearRange(r)
		}
		for key, value := range s.kept {
			tx.Set([]byte(key), value)
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
