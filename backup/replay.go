package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/changes"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// How many documents are replayed in a transaction, and about how many bytes of them: their entries take many times
// that.
const (
	replayDocuments = 200
	replayBytes     = 256 << 10
)

// replayed is a document that waits to be replayed.
type replayed struct {
	collection int64
	tables.Copied
}

// section implements taker.
func (s *restorer) section(ranges []kv.Range) error {
	if err := s.replay(); err != nil {
		return err
	}
	if err := s.flush(s.ctx); err != nil {
		return err
	}
	s.opened = nil
	if len(ranges) == 0 {
		return nil
	}
	return kv.Transact(s.ctx, s.store, kv.TransactOptions{Repeatable: true}, func(tx kv.Transaction) error {
		if err := s.marked(tx); err != nil {
			return err
		}
		for _, r := range ranges {
			tx.ClearRange(r)
		}
		return nil
	})
}

// document implements taker.
func (s *restorer) document(collection int64, d tables.Copied) error {
	if err := s.flush(s.ctx); err != nil {
		return err
	}
	s.documents = append(s.documents, replayed{collection, tables.Copied{PK: bytes.Clone(d.PK), Meta: bytes.Clone(d.Meta),
		Text: bytes.Clone(d.Text)}})
	if s.waiting += len(d.Text); s.waiting < replayBytes && len(s.documents) < replayDocuments {
		return nil
	}
	return s.replay()
}

// replay writes the documents that wait, in one transaction or, where that is too large, in several.
func (s *restorer) replay() error {
	all := s.documents
	s.documents, s.waiting = nil, 0
	if len(all) == 0 {
		return nil
	}
	if s.opened == nil {
		if err := s.openAll(); err != nil {
			return err
		}
	}
	for len(all) > 0 {
		n := len(all)
		for {
			err := s.replaySome(all[:n])
			if err == nil {
				break
			}
			if !errors.Is(err, kv.ErrTooLarge) {
				return err
			}
			if n == 1 {
				if err = s.replayInTwo(all[0]); err != nil {
					return err
				}
				break
			}
			n = (n + 1) / 2
		}
		all = all[n:]
	}
	return nil
}

// replayInTwo writes a document in two transactions, since its old and new entries are too many for one:
// first that it is deleted, at the same place in the feed.
func (s *restorer) replayInTwo(d replayed) error {
	meta, _, err := changes.DecodeMeta(d.Meta)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	gone := d
	meta.Deleted = true
	gone.Meta, gone.Text = changes.EncodeMeta(meta), nil
	if err := s.replaySome([]replayed{gone}); err != nil || d.Text == nil {
		return err
	}
	return s.replaySome([]replayed{d})
}

func (s *restorer) replaySome(some []replayed) error {
	return kv.Transact(s.ctx, s.store, kv.TransactOptions{Repeatable: true,
		Transaction: kv.TransactionOptions{NoReadYourWrites: true}}, func(base kv.Transaction) error {
		if err := s.marked(base); err != nil {
			return err
		}
		tx := tables.Within(base)
		for _, d := range some {
			c := s.opened[d.collection]
			if c == nil {
				return fmt.Errorf("%w: it has a document of collection %d, and no table is that one", ErrDamaged, d.collection)
			}
			if err := c.Replay(s.ctx, tx, d.Copied); err != nil {
				return err
			}
		}
		return tx.Commit()
	})
}

// openAll opens the collections of the tables that the store has by now.
func (s *restorer) openAll() error {
	if s.open == nil {
		return errors.New("documents can't be replayed without their tables' types")
	}
	cat, err := catalog.Open(s.ctx, promised{s.store, s.kept})
	if err != nil {
		return err
	}
	tx, err := cat.Store().Begin(s.ctx, kv.TransactionOptions{NoReadYourWrites: true})
	if err != nil {
		return err
	}
	defer tx.Cancel()
	view, err := cat.View(tx.Snapshot())
	if err != nil {
		return err
	}
	s.opened = map[int64]*tables.Collection{}
	for _, database := range view.Databases() {
		for _, def := range view.Tables(database) {
			c, err := s.open(cat, def)
			if err != nil {
				return err
			}
			s.opened[def.ID] = c
		}
	}
	return nil
}

// promised is a store whose meta keys read as they will once it is restored; writes to them do nothing.
type promised struct {
	kv.Store
	metas map[string][]byte
}

// Begin implements kv.Store.
func (p promised) Begin(ctx context.Context, opts kv.TransactionOptions) (kv.Transaction, error) {
	tx, err := p.Store.Begin(ctx, opts)
	if err != nil {
		return nil, err
	}
	return promising{tx, p.metas}, nil
}

// promising is a transaction of a promised store.
type promising struct {
	kv.Transaction
	metas map[string][]byte
}

// Get implements kv.Reader.
func (p promising) Get(key []byte) kv.FutureValue {
	if value, ok := p.metas[string(key)]; ok {
		return promise(value)
	}
	return p.Transaction.Get(key)
}

// Set implements kv.Writer.
func (p promising) Set(key, value []byte) {
	if keyspace.PlaceOf(key) != keyspace.PlaceMeta {
		p.Transaction.Set(key, value)
	}
}

// Snapshot implements kv.Transaction.
func (p promising) Snapshot() kv.Reader { return promisingReader{p.Transaction.Snapshot(), p} }

type promisingReader struct {
	kv.Reader
	of promising
}

// Get implements kv.Reader.
func (p promisingReader) Get(key []byte) kv.FutureValue {
	if value, ok := p.of.metas[string(key)]; ok {
		return promise(value)
	}
	return p.Reader.Get(key)
}

// promise is a value that is known.
type promise []byte

// Get implements kv.FutureValue.
func (p promise) Get() ([]byte, error) { return p, nil }
