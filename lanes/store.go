package lanes

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
)

// maxKnown bounds how many blocks' kinds a process keeps: some 64 bytes each.
const maxKnown = 1 << 16

// Store is a store whose counters share values. It is safe for concurrent use.
type Store struct {
	base kv.Store

	assigning sync.Mutex // one transaction of the process at a time

	mu    sync.Mutex
	known map[keyspace.Block]*kinds
}

// kinds are the kinds that the lanes of a block count, 0 for none yet. It is immutable.
type kinds [keyspace.LanesPerBlock]byte

// counts reports whether the lane in which a counter can stand is that counter's.
func (k *kinds) counts(c keyspace.Counter, lane int) bool { return c.OfIndex() || k[lane] == c.Kind() }

// lacks reports whether that lane has no kind.
func (k *kinds) lacks(c keyspace.Counter, lane int) bool { return !c.OfIndex() && k[lane] == 0 }

func kindsOf(raw []byte) (k kinds, err error) {
	if raw != nil && copy(k[:], raw) != len(raw) {
		err = fmt.Errorf("lanes: the kinds of a block are %d bytes: %x", len(raw), raw)
	}
	return k, err
}

var _ kv.Store = (*Store)(nil)

// New is the store with counters that share values. Closing it closes base.
func New(base kv.Store) *Store { return &Store{base: base, known: map[keyspace.Block]*kinds{}} }

// ReadsWait implements kv.Store.
func (s *Store) ReadsWait() bool { return s.base.ReadsWait() }

// EstimateGrain implements kv.Store.
func (s *Store) EstimateGrain() int64 { return s.base.EstimateGrain() }

// VersionRate implements kv.Store.
func (s *Store) VersionRate() int64 { return s.base.VersionRate() }

// Figures implements kv.Store.
func (s *Store) Figures() []kv.Figure { return s.base.Figures() }

// Close implements kv.Store.
func (s *Store) Close() error { return s.base.Close() }

// Format implements kv.Store: the number of the format that has blocks. The program that opens the store gives it
// that number; a store without a format number then gets it with its first block.
func (s *Store) Format() uint64 { return keyspace.LanesFormat }

// Begin implements kv.Store.
func (s *Store) Begin(ctx context.Context, opts kv.TransactionOptions) (kv.Transaction, error) {
	base, err := s.base.Begin(ctx, opts)
	if err != nil {
		return nil, err
	}
	return &transaction{Transaction: base, store: s, ctx: ctx, snapshot: base.Snapshot(),
		ownWrites: !opts.NoReadYourWrites}, nil
}

// knows are a block's kinds as far as the process has seen them.
func (s *Store) knows(b keyspace.Block) *kinds {
	s.mu.Lock()
	defer s.mu.Unlock()
	if k := s.known[b]; k != nil {
		return k
	}
	return &kinds{}
}

func (s *Store) note(seen map[keyspace.Block]*kinds) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.known) > maxKnown {
		clear(s.known)
	}
	maps.Copy(s.known, seen)
}

// assign gives the lanes of counters that have none their kinds, unless another process has done that. Of several
// counters with one lane the first gets it.
func (s *Store) assign(ctx context.Context, counters []keyspace.Counter) error {
	s.assigning.Lock()
	defer s.assigning.Unlock()
	counters = slices.DeleteFunc(counters, func(c keyspace.Counter) bool {
		b, lane := c.Lane()
		return !s.knows(b).lacks(c, lane) // it has been given one meanwhile
	})
	if len(counters) == 0 {
		return nil
	}
	var seen map[keyspace.Block]*kinds
	err := kv.Transact(ctx, s.base, kv.TransactOptions{Repeatable: true, Attempts: 3}, func(tx kv.Transaction) error {
		seen = map[keyspace.Block]*kinds{}
		changed := false
		for _, c := range counters {
			b, lane := c.Lane()
			k := seen[b]
			if k == nil {
				raw, err := tx.Get(b.Kinds()).Get()
				if err != nil {
					return err
				}
				read, err := kindsOf(raw)
				if err != nil {
					return err
				}
				k = &read
				seen[b] = k
			}
			if k[lane] == 0 {
				k[lane] = c.Kind()
				tx.Set(b.Kinds(), k[:])
				changed = true
			}
		}
		if !changed {
			return nil
		}
		return raiseFormat(tx)
	})
	if err != nil {
		return fmt.Errorf("lanes: %w", err)
	}
	s.note(seen)
	return nil
}

// raiseFormat makes older programs refuse the store.
func raiseFormat(tx kv.Transaction) error {
	raw, err := tx.Get(keyspace.FormatVersion()).Get()
	if err != nil || len(raw) != 8 || binary.LittleEndian.Uint64(raw) >= keyspace.LanesFormat {
		return err
	}
	tx.Set(keyspace.FormatVersion(), binary.LittleEndian.AppendUint64(nil, keyspace.LanesFormat))
	return nil
}
