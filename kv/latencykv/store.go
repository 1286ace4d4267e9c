package latencykv

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sqlfdb/sqlfdb/kv"
)

// Store is a store that is far away. It is safe for concurrent use.
type Store struct {
	base    kv.Store
	latency atomic.Int64 // nanoseconds
	cluster atomic.Pointer[Cluster]

	mu       sync.Mutex
	now      int64 // round trips that were waited for
	requests int64
	watch    func(Wait)
}

var _ kv.Store = (*Store)(nil)

// New is the store with a latency of zero. Closing it closes base.
func New(base kv.Store) *Store { return &Store{base: base} }

// SetLatency makes each round trip that begins from now on take so long.
func (s *Store) SetLatency(d time.Duration) { s.latency.Store(int64(d)) }

// Trips is how many round trips were waited for, one after the other.
func (s *Store) Trips() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// Requests is how many questions were asked; questions at the same time count one by one.
func (s *Store) Requests() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

// Wait is a wait for a round trip that nobody had waited for.
type Wait struct {
	Op  Op
	Key []byte // the key, or the start of the range; nil for a version or a commit
}

// Op is the kind of a question to the store.
type Op string

// The questions that take a round trip.
const (
	Version  Op = "version"
	Get      Op = "get"
	Range    Op = "range"
	Batch    Op = "batch" // a later one of a range
	Estimate Op = "estimate"
	Commit   Op = "commit"
)

// Watch calls f from now on for every wait that Trips counts, in the goroutine that
// waits; nil ends that.
func (s *Store) Watch(f func(Wait)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watch = f
}

// answer is the time when an answer arrives.
type answer struct {
	trip int64     // by the clock of Trips
	at   time.Time // by the machine's clock
}

// ask begins a round trip, after another one where that must be over first. It is about a key, or where a range starts;
// nil: about a version.
func (s *Store) ask(after answer, key []byte) answer {
	var at time.Time
	if latency, c := time.Duration(s.latency.Load()), s.cluster.Load(); latency > 0 || c != nil {
		at = time.Now()
		if after.at.After(at) {
			at = after.at
		}
		if c != nil && key != nil {
			at = c.read(key, at)
		}
		at = at.Add(latency)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	return answer{max(s.now, after.trip) + 1, at}
}

// wait waits for an answer. If the context ends first it returns: the store below then
// fails the read.
func (s *Store) wait(ctx context.Context, a answer, op Op, key []byte) {
	s.mu.Lock()
	waited := s.now < a.trip
	var watch func(Wait)
	if waited {
		s.now = a.trip
		watch = s.watch
	}
	s.mu.Unlock()
	if watch != nil {
		watch(Wait{op, key})
	}
	if a.at.IsZero() {
		return
	}
	if d := time.Until(a.at); d > 0 {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
	}
}

// ReadsWait implements kv.Store: true with any latency.
func (s *Store) ReadsWait() bool { return true }

// EstimateGrain implements kv.Store.
func (s *Store) EstimateGrain() int64 { return s.base.EstimateGrain() }

// VersionRate implements kv.Store.
func (s *Store) VersionRate() int64 { return s.base.VersionRate() }

// Figures implements kv.Store.
func (s *Store) Figures() []kv.Figure { return s.base.Figures() }

// Format implements kv.Store.
func (s *Store) Format() uint64 { return s.base.Format() }

// Begin implements kv.Store.
func (s *Store) Begin(ctx context.Context, opts kv.TransactionOptions) (kv.Transaction, error) {
	base, err := s.base.Begin(ctx, opts)
	if err != nil {
		return nil, err
	}
	return &transaction{Transaction: base, store: s, ctx: ctx, version: s.ask(answer{}, nil)}, nil
}

// Close implements kv.Store.
func (s *Store) Close() error { return s.base.Close() }
