package bucketkv

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/sqlfdb/sqlfdb/bucket/store"
	"github.com/sqlfdb/sqlfdb/kv"
)

// Options are the settings of Open; zero fields take the defaults.
type Options struct {
	// Refresh is how long the known object counts as current: 1 s. It bounds how late the commits of other processes are
	// seen, and how often the object is read.
	Refresh time.Duration
	// TransactionLife is how long a transaction lives: 60 s.
	TransactionLife time.Duration
	// MaxBytes bounds the keys and values of the object, 8 MiB, and LocalBytes the local keys and values, 64 MiB.
	MaxBytes, LocalBytes int
	// Local are ranges of keys that are not in the object: only this process has them, for as long as the store is open.
	Local []kv.Range
	// MustExist: a missing object is an error. ReadOnly: it is too, and nothing is written.
	MustExist, ReadOnly bool
}

func (o Options) withDefaults() Options {
	if o.Refresh <= 0 {
		o.Refresh = time.Second
	}
	if o.TransactionLife <= 0 {
		o.TransactionLife = time.Minute
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = 8 << 20
	}
	if o.LocalBytes <= 0 {
		o.LocalBytes = 64 << 20
	}
	return o
}

// state is the store's content at a version. It is immutable.
type state struct {
	version int64 // in the order of this process; never below the object's
	object  *object
	etag    string // of the object; empty: there is none
}

type engine struct {
	objects *store.Count
	key     string
	opts    Options
	local   ranges

	turn chan struct{} // held while the object is read or written
	quit chan struct{} // closed when the store closes

	mu      sync.Mutex // short; never held over a request
	closed  bool
	head    *state
	window  window
	checked time.Time // the object was not newer than head then; zero: it must be read
	watches map[*watch]struct{}
	losses  int64 // commits that another process's came before
}

// Open opens the store that is an object, or is to become one with the first commit. It fails with kv.ErrDamaged and,
// where an object must be there, with kv.ErrIncomplete. The store must be closed.
func Open(ctx context.Context, objects store.Store, key string, opts Options) (kv.Store, error) {
	opts = opts.withDefaults()
	s := &engine{objects: store.NewCount(objects), key: key, opts: opts, local: kv.Coalesce(opts.Local),
		turn: make(chan struct{}, 1), quit: make(chan struct{}), watches: map[*watch]struct{}{}}
	s.head = &state{version: 1, object: &object{store: newIdentity(), pairs: newPairs(s.local)}}
	if err := s.load(ctx); err != nil {
		return nil, err
	}
	if s.head.etag == "" && (opts.MustExist || opts.ReadOnly) {
		return nil, fmt.Errorf("bucketkv: open: %w: there is no %s in %s", kv.ErrIncomplete, key, objects)
	}
	s.window.floor = s.head.version
	return s, nil
}

// ReadsWait implements kv.Store: all is in memory.
func (s *engine) ReadsWait() bool { return false }

// EstimateGrain implements kv.Store: estimates are exact.
func (s *engine) EstimateGrain() int64 { return 0 }

// VersionRate implements kv.Store: a version is a number of commits.
func (s *engine) VersionRate() int64 { return 0 }

// Format implements kv.Store.
func (s *engine) Format() uint64 { return 0 }

// Figures implements kv.Store.
func (s *engine) Figures() []kv.Figure {
	r := s.objects.Requests()
	s.mu.Lock()
	kept, own, losses := s.head.object.pairs.kept, s.head.object.pairs.own, s.losses
	s.mu.Unlock()
	requests := func(kind string, n int64) kv.Figure {
		return kv.Figure{Name: "requests_total", Help: "Requests for the store's object.",
			Labels: []string{"kind", kind}, Value: float64(n)}
	}
	return []kv.Figure{requests("get", r.Gets), requests("put", r.Puts), requests("delete", r.Deletes),
		{Name: "object_bytes", Help: "Bytes of keys and values in the store's object.", Value: float64(kept)},
		{Name: "local_bytes", Help: "Bytes of keys and values that are in memory alone.", Value: float64(own)},
		{Name: "lost_races_total", Help: "Commits that another process's came before.", Value: float64(losses)}}
}

// Begin implements kv.Store.
func (s *engine) Begin(ctx context.Context, opts kv.TransactionOptions) (kv.Transaction, error) {
	if err := s.refresh(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, kv.ErrClosed
	}
	return &transaction{store: s, ctx: ctx, begun: time.Now(), hold: opts.Hold, own: !opts.NoReadYourWrites,
		at: s.head, sees: s.head.object.pairs}, nil
}

// fresh reports whether the object need not be read again.
func (s *engine) fresh() (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false, kv.ErrClosed
	}
	// A machine that slept has a clock that did too, beside the clock of the time of day.
	day := time.Now().Round(0).Sub(s.checked.Round(0))
	return time.Since(s.checked) < s.opts.Refresh && day >= 0 && day < s.opts.Refresh, nil
}

// refresh reads the object if that has not been done for a while.
func (s *engine) refresh(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if fresh, err := s.fresh(); fresh || err != nil {
		return err
	}
	if err := s.takeTurn(ctx); err != nil {
		return err
	}
	defer s.endTurn()
	if fresh, err := s.fresh(); fresh || err != nil {
		return err
	}
	return s.load(ctx)
}

func (s *engine) takeTurn(ctx context.Context) error {
	select {
	case s.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-s.quit:
		return kv.ErrClosed
	}
}

func (s *engine) endTurn() { <-s.turn }

// requestTime bounds a request.
const requestTime = 10 * time.Second

// load reads the object, and takes over its content if it is newer. The caller has the turn.
func (s *engine) load(ctx context.Context) error {
	head := s.now()
	began := time.Now()
	within, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	got, err := s.objects.Get(within, s.key, head.etag)
	switch {
	case errors.Is(err, store.ErrNotModified), errors.Is(err, store.ErrNotFound) && head.etag == "":
		s.mu.Lock()
		defer s.mu.Unlock()
		s.checked = began
		return nil
	case errors.Is(err, store.ErrNotFound):
		return fmt.Errorf("bucketkv: %w: %s is gone from %s", kv.ErrIncomplete, s.key, s.objects)
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && store.Refused(err):
		return fmt.Errorf("bucketkv: read definitions: %w", err)
	case err != nil:
		return fmt.Errorf("bucketkv: read definitions: %w: %w", kv.ErrUnavailable, err)
	}
	o, err := decode(got.Body, s.local)
	if err != nil {
		return fmt.Errorf("bucketkv: %s in %s: %w", s.key, s.objects, err)
	}
	changed, known := o.since(head.object.number)
	if o.store != head.object.store && head.etag != "" {
		return fmt.Errorf("bucketkv: %w: %s in %s is another store's now; start again", kv.ErrIncomplete, s.key, s.objects)
	}
	var ranges []kv.Range
	for _, l := range changed {
		ranges = append(ranges, l.ranges...)
	}
	if !known {
		ranges = append(ranges[:0], everything...)
	}
	for _, r := range s.local {
		head.object.pairs.tree.AscendRange(pair{key: r.Start}, pair{key: r.End}, func(p pair) bool {
			o.pairs.put(p)
			return true
		})
	}
	next := &state{version: max(head.version+1, o.version), object: o, etag: got.ETag}
	s.publish(next, kv.Coalesce(append([]kv.Range(nil), ranges...)), began)
	return nil
}

// now is the newest state that is known.
func (s *engine) now() *state {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.head
}

// publish makes a state the newest one. checked is when the object was no newer, or zero if that is not known.
func (s *engine) publish(next *state, ranges []kv.Range, checked time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.head = next
	s.window.add(written{version: next.version, at: time.Now(), ranges: ranges}, s.opts.TransactionLife)
	if !checked.IsZero() {
		s.checked = checked
	}
	for w := range s.watches {
		s.look(w)
	}
}

// doubt makes the next transaction read the object when it begins.
func (s *engine) doubt() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.checked = time.Time{}
}

// Close implements kv.Store.
func (s *engine) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return kv.ErrClosed
	}
	s.closed = true
	close(s.quit)
	for w := range s.watches {
		w.end(kv.ErrClosed)
	}
	clear(s.watches)
	s.mu.Unlock()
	s.turn <- struct{}{} // the present write has ended
	return nil
}
