package transfer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// ErrNeedsServer: the table has rules that only the SQL layer can apply.
var ErrNeedsServer = errors.New("the table declares more than a text key: import through a running server")

// storeSink writes straight into a store.
type storeSink struct {
	to         *destination
	spent      spentMarkers
	duplicates Duplicates
	stored     atomic.Bool
}

// spentMarkers are markers of commits whose outcome is known: later commits clear them.
type spentMarkers struct {
	mu   sync.Mutex
	keys [][]byte
}

func (s *spentMarkers) take() [][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	keys := s.keys
	s.keys = nil
	return keys
}

func (s *spentMarkers) add(keys ...[]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys = append(s.keys, keys...)
}

// clear clears all markers. If it fails, the sweep clears the rest.
func (s *spentMarkers) clear(ctx context.Context, store kv.Store) error {
	keys := s.take()
	if len(keys) == 0 {
		return nil
	}
	return kv.Transact(ctx, store, kv.TransactOptions{Attempts: 3, Repeatable: true}, func(tx kv.Transaction) error {
		for _, k := range keys {
			tx.Clear(k)
		}
		return nil
	})
}

// NewStoreSink returns a sink that writes straight to a table of a store. Servers may have the store open as far as its
// engine lets them: each transaction goes by the table's definition of then.
func NewStoreSink(cat *catalog.Catalog, def *catalog.Table, duplicates Duplicates) (Sink, error) {
	if err := needsServer(def); err != nil {
		return nil, err
	}
	if _, err := tables.Open(cat, def); err != nil {
		return nil, err
	}
	return &storeSink{to: newDestination(cat, def, needsServer), duplicates: duplicates}, nil
}

// needsServer is ErrNeedsServer for a table that documents alone don't fill.
func needsServer(def *catalog.Table) error {
	if !def.Open || !tables.DerivesKeys(def) || len(def.Columns) != len(def.PrimaryKey) ||
		len(def.Indexes)+len(def.Checks)+len(def.ForeignKeys) > 0 {
		return fmt.Errorf("transfer: %s: %w", def, ErrNeedsServer)
	}
	return nil
}

func (s *storeSink) Workers() int {
	if s.duplicates == ReplaceDuplicates {
		return 1 // the last one stays
	}
	return max(2, runtime.GOMAXPROCS(0))
}

func (s *storeSink) Stored() bool { return s.stored.Load() }

func (s *storeSink) Close() error {
	if err := s.spent.clear(context.Background(), s.to.catalog.Store()); err != nil {
		return fmt.Errorf("transfer: clear markers: %w", err)
	}
	return nil
}

func (s *storeSink) Write(ctx context.Context, batch []Item) ([]error, error) {
	documents := texts(batch)
	refused := notStored(batch)
	err := insertAll(ctx, s.to, &s.spent, s.duplicates, documents, func(i int, reason error) {
		refused[i] = reason
		if reason == nil {
			s.stored.Store(true)
		}
	})
	return refused, err
}

// halfFull is the size of a transaction beyond which the rest of a batch goes
// into another one.
const halfFull = kv.MaxTransactionSize / 2

// InsertAll inserts documents into a table durably, in as few transactions as their size
// allows. It calls tell for each, with why it was refused or nil when it is stored. A
// transaction that meets a conflict, or was lost, runs again. On an error it has called
// tell for the documents stored before.
func InsertAll(ctx context.Context, cat *catalog.Catalog, def *catalog.Table, documents []document.Document,
	tell func(i int, refused error)) error {
	var spent spentMarkers
	to := newDestination(cat, def, func(*catalog.Table) error { return nil })
	if err := insertAll(ctx, to, &spent, RefuseDuplicates, documents, tell); err != nil {
		return err
	}
	return spent.clear(ctx, cat.Store())
}

func insertAll(ctx context.Context, to *destination, spent *spentMarkers, duplicates Duplicates,
	documents []document.Document,
	tell func(i int, refused error)) error {
	for from := 0; from < len(documents); {
		upto, refused, err := insertSome(ctx, to, spent, duplicates, documents[from:])
		for attempt := 0; err != nil && kv.Retryable(err) && attempt < 100; attempt++ {
			select {
			case <-time.After(time.Duration(attempt) * time.Millisecond):
			case <-ctx.Done():
				return ctx.Err()
			}
			upto, refused, err = insertSome(ctx, to, spent, duplicates, documents[from:])
		}
		if err != nil {
			return err
		}
		for i := range upto {
			tell(from+i, refused[i])
		}
		from += upto
	}
	return nil
}

// insertSome inserts documents until the transaction is half full, commits, and returns how
// many it has stored or refused.
func insertSome(ctx context.Context, to *destination, spent *spentMarkers, duplicates Duplicates,
	documents []document.Document) (done int, refused map[int]error, err error) {
	tx, err := tables.Begin(ctx, to.catalog.Store())
	if err != nil {
		return 0, nil, err
	}
	defer tx.Cancel()
	c, err := to.collection(tx)
	if err != nil {
		return 0, nil, err
	}
	refused = map[int]error{}
	for i, d := range documents {
		if i > 0 && tx.Size() > halfFull {
			break
		}
		pk, d, err := tables.PrimaryKeyOf(c.Definition(), d)
		if err == nil {
			mark := tx.Begin()
			err = c.Insert(ctx, tx, pk, d)
			if errors.Is(err, tables.ErrDuplicate) {
				err = settle(ctx, tx, c, duplicates, pk, d, err)
			}
			if err == nil {
				err = tx.CheckSize()
			}
			if err != nil {
				tx.RollbackTo(mark)
			}
			tx.Release(mark)
		}
		if err != nil {
			if kv.Retryable(err) || concernsStore(err) || ctx.Err() != nil {
				return 0, nil, err
			}
			if errors.Is(err, kv.ErrTooLarge) && tx.Wrote() {
				break // it may fit into a transaction of its own
			}
			refused[i] = err
		}
		done = i + 1
	}
	if err := commitMarked(ctx, to.catalog.Store(), tx, c.Definition().Keys(), spent); err != nil {
		return 0, nil, err
	}
	return done, refused, nil
}

// settle handles a document whose key is there already, by duplicates.
func settle(ctx context.Context, tx *tables.Tx, c *tables.Collection, duplicates Duplicates, pk []byte,
	d document.Document, refused error) error {
	switch duplicates {
	case SkipDuplicates:
		return ErrSkipped
	case ReplaceDuplicates:
		existing, _, err := c.Resolve(tx, pk)
		if err != nil {
			return err
		}
		if bytes.Equal(existing, pk) {
			return c.Update(ctx, tx, pk, func(document.Document) (document.Document, error) { return d, nil })
		}
		if err := c.Delete(ctx, tx, existing); err != nil {
			return err
		}
		return c.Insert(ctx, tx, pk, d)
	}
	return refused
}

// commitMarked commits with a marker, by which an unknown outcome is found out.
func commitMarked(ctx context.Context, store kv.Store, tx *tables.Tx, keys *keyspace.Collection,
	spent *spentMarkers) error {
	if !tx.Wrote() {
		return tx.Commit()
	}
	id, err := uuid.NewRandom()
	if err != nil {
		return fmt.Errorf("transfer: make a marker: %w", err)
	}
	marker, old := keys.Marker(id[:]), spent.take()
	tx.Set(marker, nil)
	tx.AddReadConflict(kv.PointRange(marker))
	for _, k := range old {
		tx.Clear(k)
	}
	err = tx.Commit()
	if errors.Is(err, kv.ErrUnknownCommit) {
		var happened bool
		if happened, err = kv.Resolve(ctx, store, marker, err); err == nil && !happened {
			err = fmt.Errorf("transfer: the commit was lost: %w", kv.ErrUnavailable)
		}
	}
	if err != nil {
		spent.add(old...)
		return err
	}
	spent.add(marker)
	return nil
}

// concernsStore reports whether an error is the store's, and not the document's that met it.
func concernsStore(err error) bool {
	for _, e := range []error{kv.ErrFailed, kv.ErrClosed, kv.ErrDone, kv.ErrUnknownCommit, tables.ErrCorrupt} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}
