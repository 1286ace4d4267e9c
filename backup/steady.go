package backup

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sqlfdb/sqlfdb/kv"
)

// ErrWritten: the store was written to while it was read at several versions.
var ErrWritten = errors.New(
	"the store was written to while it was copied; stop its servers, or what they do, and copy it again")

// steady walks a range of a store for longer than a transaction lives, and proves that it is
// the same at every version that it was read at.
//
// Before a transaction gets too old the next one gets its read version. Then the old one commits,
// writing nothing, as if it had read the whole range: it conflicts with every write there since its
// own version. Its commit is later than the version of the next one, so nothing was written between
// the two. The last one does the same.
type steady struct {
	ctx   context.Context
	store kv.Store
	all   kv.Range
	step  time.Duration // how long each transaction is read from; 0: one is enough

	tx    kv.Transaction
	began time.Time
	it    kv.Iterator
	taken int
	next  []byte // the first key that is not read yet
	err   error
}

func newSteady(ctx context.Context, store kv.Store, all kv.Range, step time.Duration) (*steady, error) {
	s := &steady{ctx: ctx, store: store, all: all, step: step, next: all.Start}
	tx, err := s.begin()
	if err != nil {
		return nil, err
	}
	s.use(tx)
	return s, nil
}

// begin starts a transaction that has its version.
func (s *steady) begin() (kv.Transaction, error) {
	tx, err := s.store.Begin(s.ctx, kv.TransactionOptions{NoReadYourWrites: true, Hold: s.step == 0})
	if err != nil {
		return nil, err
	}
	if _, err := tx.ReadVersion(); err != nil {
		tx.Cancel()
		return nil, err
	}
	return tx, nil
}

func (s *steady) use(tx kv.Transaction) {
	s.tx, s.began = tx, time.Now()
	s.it = tx.Snapshot().Range(kv.Range{Start: s.next, End: s.all.End}, kv.RangeOptions{Streaming: kv.StreamAll})
}

// prove ends a transaction by proving that nothing has been written since its version.
func (s *steady) prove() error {
	s.it.Close()
	s.tx.AddReadConflict(s.all)
	// A key that no document has; nothing is written to it.
	s.tx.AddWriteConflict(kv.PointRange(s.all.End))
	err := s.tx.Commit()
	if errors.Is(err, kv.ErrConflict) {
		return fmt.Errorf("%w (%w)", ErrWritten, err)
	}
	// After an unknown outcome it is not known either that nothing was written.
	return err
}

// Next moves to the next pair.
func (s *steady) Next() bool {
	if s.err != nil {
		return false
	}
	if s.taken++; s.step > 0 && s.taken%64 == 0 && time.Since(s.began) > s.step {
		if s.err = s.renew(); s.err != nil {
			return false
		}
	}
	if s.it.Next() {
		s.next = append(append(s.next[:0:0], s.it.Key()...), 0)
		return true
	}
	if s.err = s.it.Err(); s.err == nil && s.step > 0 {
		s.err = s.prove()
	}
	return false
}

func (s *steady) renew() error {
	tx, err := s.begin()
	if err != nil {
		return err
	}
	if err := s.prove(); err != nil {
		tx.Cancel()
		return err
	}
	s.use(tx)
	return nil
}

func (s *steady) close() {
	s.it.Close()
	s.tx.Cancel()
}
