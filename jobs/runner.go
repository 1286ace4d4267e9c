package jobs

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
)

// Options are the settings of a Runner; zero fields take the defaults.
type Options struct {
	// Lease is how long another process's job must have stood still before this
	// one takes it over: 10 s.
	Lease time.Duration
	// FirstWait is how long a job lies after a failure, 1 s; it doubles with
	// each further one up to LongestWait, 1 min.
	FirstWait, LongestWait time.Duration
	// Budget is the first budget of a job's steps in bytes: 256 KiB.
	Budget int64
	// Part is how many bytes of documents the first build of a map index has a job for: 16 MiB.
	Part int64
	// Held makes the runner begin held: see Hold.
	Held bool
	// Report gets failures; nil ignores them.
	Report func(error)
	// Follow is called between the rounds of the background, unless it is held: it does a bounded piece of work that is
	// no job's. worked reports whether it had something to do, again whether it wants to be called again soon. nil is
	// none.
	Follow func(ctx context.Context) (worked, again bool, err error)
	// Now is the clock that leases and waits are measured with: time.Now.
	Now func() time.Time
}

// Runner works on the jobs of one store, one step at a time. It is safe for
// concurrent use.
type Runner struct {
	store   kv.Store
	catalog *catalog.Catalog
	kinds   map[string]Kind
	holder  string
	opts    Options
	held    atomic.Bool
	busy    atomic.Pointer[func() bool] // see YieldTo
	poke    chan struct{}

	turn chan struct{} // holds one while a round goes on: one at a time, which guards the fields below
	// watched are the values of jobs, since when each has been seen so.
	watched map[int64]watched
	budgets map[int64]int64
	after   map[int64]time.Time // jobs that failed lie until then

	life   sync.Mutex
	cancel context.CancelFunc // nil when not started
	done   chan struct{}
}

type watched struct {
	raw   []byte
	since time.Time
}

// NewRunner returns a runner of the kinds given. It does nothing until Start,
// RunOnce or Drain is called.
func NewRunner(cat *catalog.Catalog, kinds map[string]Kind, opts Options) *Runner {
	defaultTo(&opts.Lease, 10*time.Second)
	defaultTo(&opts.FirstWait, time.Second)
	defaultTo(&opts.LongestWait, time.Minute)
	if opts.Budget <= 0 {
		opts.Budget = firstBudget
	}
	if opts.Part <= 0 {
		opts.Part = 16 << 20
	}
	if opts.Report == nil {
		opts.Report = func(error) {}
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	var id [8]byte
	_, _ = rand.Read(id[:]) // it never fails
	r := &Runner{
		store: cat.Store(), catalog: cat, kinds: kinds, holder: hex.EncodeToString(id[:]), opts: opts,
		poke: make(chan struct{}, 1), turn: make(chan struct{}, 1),
		watched: map[int64]watched{}, budgets: map[int64]int64{}, after: map[int64]time.Time{},
	}
	r.held.Store(opts.Held)
	return r
}

func defaultTo(d *time.Duration, otherwise time.Duration) {
	if *d <= 0 {
		*d = otherwise
	}
}

// Start works in the background until Stop.
func (r *Runner) Start() {
	r.life.Lock()
	defer r.life.Unlock()
	if r.cancel != nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	r.cancel, r.done = cancel, make(chan struct{})
	go func() {
		defer close(r.done)
		r.loop(ctx)
	}()
}

// Stop ends the work in the background. The step that runs is undone; when Stop
// returns nothing is going on. It may be called again, and before Start.
func (r *Runner) Stop() {
	r.life.Lock()
	defer r.life.Unlock()
	if r.cancel == nil {
		return
	}
	r.cancel()
	<-r.done
	r.cancel = nil
	if err := r.letGo(); err != nil && !errors.Is(err, kv.ErrClosed) {
		r.opts.Report(err)
	}
}

// letGo gives up the leases, so that the next process need not wait for them
// to grow old. Without it nothing is lost but time.
func (r *Runner) letGo() error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	return kv.Transact(ctx, r.store, kv.TransactOptions{Attempts: stepAttempts}, func(tx kv.Transaction) error {
		all, err := listRange(tx.Snapshot(), keyspace.ActiveJobs())
		if err != nil {
			return err
		}
		for _, l := range all {
			if l.job.Holder != r.holder {
				continue
			}
			tx.AddReadConflict(kv.PointRange(keyspace.ActiveJob(l.job.ID)))
			l.job.Holder, l.job.State = "", StateQueued
			if err := save(tx, keyspace.ActiveJob(l.job.ID), l.job); err != nil {
				return err
			}
			wake(tx)
		}
		return nil
	})
}

// YieldTo makes the background go slower while busy says that others have work.
func (r *Runner) YieldTo(busy func() bool) { r.busy.Store(&busy) }

// Hold keeps the background from beginning another step, for tests and for
// operators, in this process alone. RunOnce and Drain work all the same.
func (r *Runner) Hold() { r.held.Store(true) }

// Release ends Hold.
func (r *Runner) Release() {
	r.held.Store(false)
	r.wakeUp()
}

// Running reports whether the background has been started and not stopped.
func (r *Runner) Running() bool {
	r.life.Lock()
	defer r.life.Unlock()
	return r.cancel != nil
}

// Part is Options.Part.
func (r *Runner) Part() int64 { return r.opts.Part }

// Held reports whether Hold is in effect.
func (r *Runner) Held() bool { return r.held.Load() }

func (r *Runner) wakeUp() {
	select {
	case r.poke <- struct{}{}:
	default:
	}
}

// Pauses of the background. After a step it rests as long as the step took, so
// that it takes half of one core at most; several times as long while others are busy.
const (
	busyFactor    = 4
	shortestPause = time.Millisecond
	longestPause  = time.Second
	longestIdle   = time.Minute
)

func (r *Runner) loop(ctx context.Context) {
	for ctx.Err() == nil {
		began := time.Now()
		round, err := r.round(ctx, roundOptions{})
		if err != nil && ctx.Err() == nil {
			r.opts.Report(err)
		}
		worked, again := r.follow(ctx)
		took := time.Since(began)
		if round.stepped > 0 || worked {
			if busy := r.busy.Load(); busy != nil && (*busy)() {
				took *= busyFactor
			}
			sleep(ctx, min(max(took, shortestPause), longestPause), nil)
			continue
		}
		if err != nil && round.watch == nil {
			sleep(ctx, r.opts.FirstWait, r.poke)
			continue
		}
		if again {
			round.look = min(round.look, followPause)
		}
		r.idle(ctx, round)
	}
}

// followPause is how long the work of Follow may be delayed when there is nothing else to do.
const followPause = time.Second

func (r *Runner) follow(ctx context.Context) (worked, again bool) {
	if r.opts.Follow == nil || r.Held() || ctx.Err() != nil {
		return false, false
	}
	worked, again, err := r.opts.Follow(ctx)
	if err != nil && ctx.Err() == nil {
		r.opts.Report(err)
	}
	return worked, again
}

// idle waits for the store's wake key to change, for Release, or for the time
// when another look is due.
func (r *Runner) idle(ctx context.Context, round round) {
	ctx, cancel := context.WithTimeout(ctx, round.look)
	defer cancel()
	woken := make(chan struct{})
	if round.watch != nil {
		defer round.watch.Cancel()
		go func() {
			defer close(woken)
			_ = round.watch.Wait(ctx)
		}()
	}
	select {
	case <-ctx.Done():
	case <-r.poke:
	case <-woken:
	}
	cancel()
	if round.watch != nil {
		<-woken
	}
}

func sleep(ctx context.Context, d time.Duration, poke <-chan struct{}) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-poke:
	case <-timer.C:
	}
}

// RunOnce does one step of each job that is free, and reports whether it did
// any. It returns the errors of the steps.
func (r *Runner) RunOnce(ctx context.Context) (worked bool, err error) {
	round, err := r.round(ctx, roundOptions{unwatched: true, force: true})
	return round.stepped > 0, err
}

// Advance is RunOnce for the jobs of one collection alone: the errors of other jobs don't
// concern its caller.
func (r *Runner) Advance(ctx context.Context, collection int64) (worked bool, err error) {
	round, err := r.round(ctx, roundOptions{unwatched: true, force: true, only: collection})
	return round.stepped > 0, err
}

// Drain works until no job is left but resting ones. It returns the error of a
// step that fails, at once, and waits for the jobs of other processes.
func (r *Runner) Drain(ctx context.Context) error {
	for {
		round, err := r.round(ctx, roundOptions{unwatched: true, force: true})
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if round.stepped > 0 {
			continue
		}
		if round.others == 0 {
			return nil
		}
		sleep(ctx, min(round.look, 50*time.Millisecond), nil)
	}
}

type roundOptions struct {
	unwatched bool  // no watch is needed
	force     bool  // also when held, and also jobs that have failed a moment ago
	only      int64 // the collection whose jobs are wanted; 0: all
}

// round is the result of one look at the jobs.
type round struct {
	stepped int
	others  int           // jobs that other processes hold
	look    time.Duration // when to look again without being woken
	watch   kv.Watch      // set when nothing was stepped
}

// round looks at all jobs and does one step of each that is free.
func (r *Runner) round(ctx context.Context, opts roundOptions) (round, error) {
	out := round{look: longestIdle}
	select {
	case r.turn <- struct{}{}:
	case <-ctx.Done():
		return out, ctx.Err()
	}
	defer func() { <-r.turn }()
	all, watch, err := r.look(ctx, opts)
	if err != nil {
		return out, fmt.Errorf("jobs: look for work: %w", err)
	}
	out.watch = watch
	busy := map[int64]string{} // collections whose first job is not over, with that job's Beside
	mine := map[string]int64{} // of jobs beside each other the one that this process works on
	for _, l := range all {
		if l.job.Beside != "" && l.job.Holder == r.holder {
			mine[l.job.Beside] = l.job.ID
		}
	}
	var errs []error
	for _, l := range all {
		if ctx.Err() != nil {
			break
		}
		if opts.only != 0 && l.job.Collection != opts.only {
			continue
		}
		if beside, is := busy[l.job.Collection]; is && l.job.Collection != 0 && (beside == "" || beside != l.job.Beside) {
			continue
		}
		busy[l.job.Collection] = l.job.Beside
		if id, one := mine[l.job.Beside]; one && id != l.job.ID {
			continue // one at a time: the others are for other processes
		}
		if _, known := r.kinds[l.job.Kind]; !known {
			continue
		}
		if wait := r.notYet(l, opts); wait > 0 {
			out.look = min(out.look, wait)
			if l.job.Holder != "" && l.job.Holder != r.holder {
				out.others++
			}
			continue
		}
		if r.held.Load() && !opts.force {
			continue
		}
		result, err := r.step(ctx, l)
		if err != nil {
			errs = append(errs, err)
		}
		if result != outcomeSkipped {
			if out.stepped++; l.job.Beside != "" {
				mine[l.job.Beside] = l.job.ID
			}
		}
	}
	if out.stepped > 0 && out.watch != nil {
		out.watch.Cancel()
		out.watch = nil
	}
	return out, errors.Join(errs...)
}

// look reads the jobs and takes note of which have changed.
func (r *Runner) look(ctx context.Context, opts roundOptions) ([]listed, kv.Watch, error) {
	tx, err := r.store.Begin(ctx, kv.TransactionOptions{})
	if err != nil {
		return nil, nil, err
	}
	defer tx.Cancel()
	all, err := listRange(tx.Snapshot(), keyspace.ActiveJobs())
	if err != nil {
		return nil, nil, err
	}
	var watch kv.Watch
	if !opts.unwatched {
		if watch, err = tx.Watch(keyspace.JobWake()); err != nil {
			return nil, nil, err
		}
		if err := tx.Commit(); err != nil {
			watch.Cancel()
			return nil, nil, err
		}
	}
	now := r.opts.Now()
	next := make(map[int64]watched, len(all))
	for _, l := range all {
		w, ok := r.watched[l.job.ID]
		if !ok || !bytes.Equal(w.raw, l.raw) {
			w = watched{raw: l.raw, since: now}
		}
		next[l.job.ID] = w
	}
	r.watched = next
	for id := range r.budgets {
		if _, ok := next[id]; !ok {
			delete(r.budgets, id)
		}
	}
	for id := range r.after {
		if _, ok := next[id]; !ok {
			delete(r.after, id)
		}
	}
	return all, watch, nil
}

// notYet is how long to leave a job alone: another process holds it, it rests
// or it has failed. 0 means that it is free.
func (r *Runner) notYet(l listed, opts roundOptions) time.Duration {
	still := r.opts.Now().Sub(r.watched[l.job.ID].since)
	switch {
	case l.job.Rest > 0:
		return max(0, time.Duration(l.job.Rest)*time.Second-still)
	case l.job.Holder != "" && l.job.Holder != r.holder:
		// A job that has failed lies as long as it would with its holder.
		lies := r.opts.Lease
		if l.job.Attempts > 0 {
			lies = max(lies, r.wait(l.job.Attempts))
		}
		return max(0, lies-still)
	case opts.force:
		return 0
	}
	return max(0, r.after[l.job.ID].Sub(r.opts.Now()))
}
