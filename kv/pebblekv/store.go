package pebblekv

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/sqlfdb/sqlfdb/kv"
)

// versionKey holds the last commit version, 8 bytes big-endian.
var versionKey = []byte("\xff\x00version")

type store struct {
	dir  string
	opts Options
	db   *pebble.DB
	lock *pebble.Lock

	making    bool // no store is there yet
	lossy     bool // opened though something is missing
	lost      []versions
	inventory *inventory
	applied   atomic.Int64 // the last version whose batch Pebble has
	space     space
	stuck     chan error // why Pebble can't finish opening

	window    window
	counters  counters  // owned by the resolve goroutine
	unflushed unflushed // Pebble's pairs in memory only
	work      work      // of Pebble
	watches   watches
	watched   watched

	mu      sync.Mutex // short; never held over the disk
	closing bool
	current *readState
	states  readStates   // all live ones, oldest first
	open    transactions // all live ones, oldest first
	queue   []*request
	// queueBytes is how many bytes the requests in the queue write. inFlight is how many requests have left it and have
	// no outcome yet.
	queueBytes int64
	inFlight   int
	queued     *sync.Cond // on mu

	opened   atomic.Bool
	failure  atomic.Pointer[error]
	failed   chan struct{}
	failOnce sync.Once

	sweep    sweeper
	quit     chan struct{} // closed when the store closes: the reaper ends
	resolved chan *group
	slots    chan struct{} // one per group between resolve and publish
	done     sync.WaitGroup
	piped    chan struct{} // closed when publish has ended
}

// Open opens the store in a directory, which it makes when it isn't there. It
// fails with kv.ErrLocked while another store has the directory open. The
// store must be closed.
func Open(dir string, opts Options) (kv.Store, error) {
	s := &store{
		dir:      dir,
		opts:     opts.withDefaults(),
		failed:   make(chan struct{}),
		quit:     make(chan struct{}),
		resolved: make(chan *group, maxInFlight),
		slots:    make(chan struct{}, maxInFlight),
		piped:    make(chan struct{}),
		stuck:    make(chan error, 1),
	}
	s.space.reserve = s.opts.ReserveBytes
	s.window.limit = s.opts.ConflictWindowBytes
	s.counters.init(s.opts.foldAfter)
	s.unflushed.init()
	s.watches.init()
	s.states.init()
	s.open.init()
	s.sweep.init(&s.failure)
	s.queued = sync.NewCond(&s.mu)
	if err := s.openEngine(); err != nil {
		if s.lock != nil && s.db == nil {
			s.lock.Close()
		}
		return nil, fmt.Errorf("pebblekv: open %s: %w", dir, orDamaged(err))
	}
	s.opened.Store(true)
	version, err := s.begin()
	if err != nil {
		return nil, fmt.Errorf("pebblekv: open %s: %w", dir, orDamaged(err))
	}
	s.current = &readState{version: version, image: image{s.db.NewSnapshot(), s.counters.now}, refs: 1}
	s.states.push(s.current)
	s.window.floor, s.window.latest = version, version
	s.applied.Store(version)
	s.done.Add(3)
	s.done.Go(s.sweep.run)
	s.done.Go(s.keepLast)
	go s.resolve(version)
	go s.publish()
	go s.reap()
	return s, nil
}

// orDamaged makes an error of Pebble's for bytes that nobody has written one of kv's. Its comparison of the sizes of
// tables has no error of its own.
func orDamaged(err error) error {
	if err != nil && (pebble.IsCorruptionError(err) || strings.Contains(err.Error(), "object size mismatch")) {
		return fmt.Errorf("%w: %w", kv.ErrDamaged, err)
	}
	return err
}

// isLocked distinguishes a lock that someone else holds from a directory that can't be
// used. The system call's bare error means another process; this process's own
// locks are reported in words only.
func isLocked(err error) bool {
	var path *fs.PathError
	if errors.As(err, &path) {
		return false
	}
	return errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EACCES) ||
		strings.Contains(err.Error(), "lock held by current process")
}

// ReadsWait implements kv.Store: Get reads at once.
func (s *store) ReadsWait() bool { return false }

// EstimateGrain implements kv.Store: the pairs in memory only are estimated from a sample, beyond a few keys that are
// measured.
func (s *store) EstimateGrain() int64 { return sampleBytes }

// VersionRate implements kv.Store: a version is a number of commits.
func (*store) VersionRate() int64 { return 0 }

// Format implements kv.Store.
func (s *store) Format() uint64 { return 0 }

// Begin implements kv.Store.
func (s *store) Begin(ctx context.Context, opts kv.TransactionOptions) (kv.Transaction, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	t := &transaction{store: s, ctx: ctx, begun: time.Now(), hold: opts.Hold, work: s.work.changes.Load()}
	if !opts.NoReadYourWrites {
		t.own = newOwnWrites()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return nil, kv.ErrClosed
	}
	t.state = s.current
	t.state.refs++
	s.open.push(t)
	return t, nil
}

// acquire returns the newest read state, to be given back with release.
func (s *store) acquire() *readState {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current.refs++
	return s.current
}

func (s *store) release(r *readState) {
	s.mu.Lock()
	dead := s.unref(r)
	s.mu.Unlock()
	if dead != nil {
		s.sweep.add(dead)
	}
}

// unref needs mu. It returns a snapshot that nobody uses any more.
func (s *store) unref(r *readState) *pebble.Snapshot {
	r.refs--
	if r.refs > 0 {
		return nil
	}
	s.states.remove(r)
	s.sweep.addIterators(r.spare.close()) // before the snapshot
	return r.image.snap
}

// newestVersion is the last published version.
func (s *store) newestVersion() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current.version
}

// fail makes the store refuse commits from now on.
func (s *store) fail(cause error) {
	s.failOnce.Do(func() {
		s.failure.Store(&cause)
		close(s.failed)
		s.opts.Logger.Error("pebblekv: the store takes no more writes", "directory", s.dir, "error", cause)
	})
}

// failureError is the refusal of a commit after a failure, nil before.
func (s *store) failureError() error {
	if p := s.failure.Load(); p != nil {
		return fmt.Errorf("pebblekv: %s: %w: %w", s.dir, kv.ErrFailed, *p)
	}
	return nil
}

// backgroundError gets failed flushes and compactions, which Pebble
// tries again. A full disk would stall commits silently; they are refused.
func (s *store) backgroundError(err error) {
	if !s.opened.Load() {
		s.openStuck(err) // Pebble would try again for good, and Open wait
		return
	}
	s.opts.Logger.Error("pebblekv: background work", "directory", s.dir, "error", err)
	if vfs.IsNoSpaceError(err) {
		s.fail(err)
	}
}

// tooOld is the end of a transaction that has outlived its life.
func (s *store) tooOld() error {
	return fmt.Errorf("pebblekv: %w", &kv.LifeError{Limit: s.opts.TransactionLife})
}

// reap ends transactions that have outlived their life, and closes Pebble iterators that
// have not moved for a while: they keep memtables and deleted files alive.
func (s *store) reap() {
	defer s.done.Done()
	tick := min(max(s.opts.TransactionLife/8, 2*time.Millisecond), time.Second)
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for {
		select {
		case <-s.quit:
			return
		case <-ticker.C:
		}
		limit := time.Now().Add(-s.opts.TransactionLife)
		s.mu.Lock()
		var old, rest []*transaction
		for t := s.open.first(); t != nil; t = s.open.next(t) {
			if t.begun.Before(limit) && !t.hold {
				old = append(old, t)
			} else {
				rest = append(rest, t)
			}
		}
		spare := s.current.spare.rest(&s.work)
		s.mu.Unlock()
		s.sweep.addIterators(spare)
		for _, t := range old {
			t.end(s.tooOld())
		}
		for _, t := range rest {
			t.rest()
		}
	}
}

// Close implements kv.Store.
func (s *store) Close() error {
	s.mu.Lock()
	if s.closing {
		s.mu.Unlock()
		return kv.ErrClosed
	}
	s.closing = true
	s.queued.Broadcast()
	s.mu.Unlock()
	close(s.quit)

	select {
	case <-s.piped:
	case <-s.failed:
	}
	s.mu.Lock()
	var live []*transaction
	for t := s.open.first(); t != nil; t = s.open.next(t) {
		live = append(live, t)
	}
	s.mu.Unlock()
	for _, t := range live {
		t.end(kv.ErrClosed)
	}
	s.watches.close()

	if err := s.failureError(); err != nil {
		return s.closeFailed(err)
	}
	s.release(s.current)
	s.sweep.close()
	s.done.Wait()
	err := s.db.Close()
	return errors.Join(err, s.inventory.close(), s.lock.Close())
}

// closeFailed closes as far as that goes. A goroutine of Pebble's may be
// stuck; then the lock stays, so that nobody opens a directory that is
// perhaps still written to before this process ends.
func (s *store) closeFailed(failure error) error {
	closed := make(chan struct{})
	go func() {
		defer func() {
			// Pebble's Close panics on some of the states a failure leaves.
			if recover() == nil {
				close(closed)
			}
		}()
		<-s.piped
		s.release(s.current)
		s.sweep.close()
		s.done.Wait()
		s.db.Close()
		s.lock.Close()
	}()
	select {
	case <-closed:
	case <-time.After(closeFailedWait):
	}
	return failure
}

// closeFailedWait is how long the Close of a failed store tries.
var closeFailedWait = 500 * time.Millisecond
