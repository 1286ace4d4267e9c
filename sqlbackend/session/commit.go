package session

import (
	"errors"
	"fmt"

	"github.com/google/uuid"

	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// A commit may end without an answer. Counts and changes can't be written twice, so each commit sets a marker of its
// own, which shows its outcome. Later commits clear markers whose outcome is known.

// spentPerCommit bounds the markers of earlier commits that a commit clears. It is one more than a commit adds, so
// that they don't pile up.
const spentPerCommit = 2

// marks returns a function from the commit's id to the key of its marker; nil if it sets none.
func (t *Transaction) marks() func(id []byte) []byte {
	switch {
	case t.change != nil:
		return keyspace.DefinitionMarker
	case t.Keys != nil:
		return t.Keys.Marker
	}
	return nil
}

// commit commits the writes. The error is retryable if the commit certainly did not happen; if it happened there is
// none.
func (b *Instance) commit(w *tables.Tx, mark func(id []byte) []byte) error {
	if mark == nil {
		if err := w.Commit(); err != nil {
			return fmt.Errorf("sqlbackend: commit: %w", err)
		}
		return nil
	}
	id, err := uuid.NewRandom()
	if err != nil {
		w.Cancel()
		return fmt.Errorf("sqlbackend: commit: make a marker: %w", err)
	}
	marker := mark(id[:])
	w.Set(marker, nil)
	w.AddReadConflict(kv.PointRange(marker))
	spent := b.takeSpent(spentPerCommit)
	for _, k := range spent {
		w.Clear(k)
	}
	err = w.Commit()
	if errors.Is(err, kv.ErrUnknownCommit) {
		happened, resolveErr := kv.Resolve(b.Ctx, b.Store, marker, err)
		switch {
		case resolveErr != nil:
			err = resolveErr
		case happened:
			err = nil
		default:
			err = fmt.Errorf("the commit was lost: %w", kv.ErrUnavailable)
		}
	}
	if err != nil {
		b.addSpent(spent...)
		return fmt.Errorf("sqlbackend: commit: %w", err)
	}
	b.addSpent(marker)
	return nil
}

// checkReads ends a transaction that has written nothing. It fails with a conflict if data that it has read has
// changed.
func (b *Instance) checkReads(w *tables.Tx) error {
	id, err := uuid.NewRandom()
	if err != nil {
		w.Cancel()
		return fmt.Errorf("sqlbackend: commit: %w", err)
	}
	// A store checks the reads of transactions that others might conflict with. Nobody reads this key.
	w.AddWriteConflict(kv.PointRange(keyspace.DefinitionMarker(id[:])))
	err = w.Commit()
	if errors.Is(err, kv.ErrUnknownCommit) {
		err = fmt.Errorf("what was read could not be checked: %w", kv.ErrUnavailable)
	}
	if err != nil {
		return fmt.Errorf("sqlbackend: commit: %w", err)
	}
	return nil
}

func (b *Instance) takeSpent(n int) [][]byte {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	n = min(n, len(b.spent))
	out := b.spent[:n:n]
	b.spent = b.spent[n:]
	return out
}

func (b *Instance) addSpent(markers ...[]byte) {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	b.spent = append(b.spent, markers...)
}

// ClearSpent clears all markers whose outcome is known.
func (b *Instance) ClearSpent() error {
	spent := b.takeSpent(1 << 30)
	if len(spent) == 0 {
		return nil
	}
	err := kv.Transact(b.Ctx, b.Store, kv.TransactOptions{Attempts: 3, Repeatable: true}, func(tx kv.Transaction) error {
		for _, k := range spent {
			tx.Clear(k)
		}
		return nil
	})
	if errors.Is(err, kv.ErrClosed) {
		return nil // the store was closed first; the markers stay
	}
	return err
}
