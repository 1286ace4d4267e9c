package faultkv

import (
	"context"
	"sync"
	"time"

	"github.com/sqlfdb/sqlfdb/kv"
)

// Store is a store with faults. It is safe for concurrent use.
type Store struct {
	base kv.Store

	mu     sync.Mutex
	decide func(Call) Fault
	calls  int64
	met    int64
	late   []late
	passed int64 // versions beside base's; 0: they don't follow the time
}

// late is a commit that is still under way.
type late struct {
	tx    kv.Transaction
	fault Fault // Before or After
}

var _ kv.Store = (*Store)(nil)

// New is the store with no faults so far. Closing it closes base.
func New(base kv.Store) *Store { return &Store{base: base} }

// Inject makes operations meet the faults that decide returns from now on, counted from 1;
// nil is no faults. decide is called for one operation at a time. It returns how many
// operations there were since the last call, and how many met a fault.
func (s *Store) Inject(decide func(Call) Fault) (calls, met int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	calls, met = s.calls, s.met
	s.decide, s.calls, s.met = decide, 0, 0
	return calls, met
}

// next decides an operation: its fault, and the error that it makes of it.
func (s *Store) next(op Op) (Fault, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	if s.decide == nil {
		return None, nil
	}
	f := s.decide(Call{s.calls, op})
	err := f.error(op)
	if err == nil {
		return None, nil
	}
	s.met++
	return f, err
}

// ReadsWait implements kv.Store.
func (s *Store) ReadsWait() bool { return s.base.ReadsWait() }

// EstimateGrain implements kv.Store.
func (s *Store) EstimateGrain() int64 { return s.base.EstimateGrain() }

// passRate is the VersionRate of a store whose time was made to pass.
const passRate = 1000

// Pass makes the store's versions follow a time from the first call on, as a cluster's do, and that time pass.
func (s *Store) Pass(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.passed += int64(d/time.Second) * passRate
}

// past is how many versions have passed by the time.
func (s *Store) past() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.passed
}

// VersionRate implements kv.Store.
func (s *Store) VersionRate() int64 {
	if s.past() > 0 {
		return passRate
	}
	return s.base.VersionRate()
}

// Figures implements kv.Store.
func (s *Store) Figures() []kv.Figure { return s.base.Figures() }

// Format implements kv.Store.
func (s *Store) Format() uint64 { return s.base.Format() }

// Begin implements kv.Store.
func (s *Store) Begin(ctx context.Context, opts kv.TransactionOptions) (kv.Transaction, error) {
	if _, err := s.next(Begin); err != nil {
		return nil, err
	}
	base, err := s.base.Begin(ctx, opts)
	if err != nil {
		return nil, err
	}
	return &transaction{store: s, base: base, passed: s.past()}, nil
}

// Close implements kv.Store: commits still under way don't happen.
func (s *Store) Close() error {
	s.mu.Lock()
	for _, l := range s.late {
		l.tx.Cancel()
	}
	s.late = nil
	s.mu.Unlock()
	return s.base.Close()
}

// hold keeps a commit under way.
func (s *Store) hold(tx kv.Transaction, f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.late = append(s.late, late{tx, f})
}

// arrive commits the transactions that were under way for that fault. A conflicting one does not happen.
func (s *Store) arrive(f Fault) {
	s.mu.Lock()
	var due, rest []late
	for _, l := range s.late {
		if l.fault == f {
			due = append(due, l)
		} else {
			rest = append(rest, l)
		}
	}
	s.late = rest
	s.mu.Unlock()
	for _, l := range due {
		_ = l.tx.Commit()
	}
}
