package pebblekv

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"github.com/sqlfdb/sqlfdb/kv"
)

const (
	maxInFlight     = 2        // groups between resolve and publish
	maxGroupBytes   = 12 << 20 // below the size at which Pebble leaves the memtable's path
	maxGroupMembers = 4096     // the order within a version has 2 bytes
	// With less than overlapBytes a group waits until the one before it is on disk, or until it has as many members:
	// more commits share a sync then. The batch of a large one is better built meanwhile.
	overlapBytes = 64 << 10
	// outcomeWait is how long a commit that is being written is waited for
	// after its context has ended, before its outcome is called unknown.
	outcomeWait = 5 * time.Second
)

// The states of a request. Only a queued one can be withdrawn.
const (
	queued int32 = iota
	taken
	withdrawn
)

// A request is one transaction in the commit pipeline.
type request struct {
	ops   []op
	reads []kv.Range // sorted, disjoint
	after int64      // reads are known to hold up to this version
	wrote *run
	small *smallClears // nil: none
	bytes int64
	held  *readState // keeps the window from forgetting

	state  atomic.Int32
	stamp  [kv.VersionstampSize]byte
	reject error         // decided by resolve, reported by publish
	err    error         // the outcome, once done is closed
	done   chan struct{} // closed by publish
}

// A group are the transactions that one Pebble batch commits.
type group struct {
	version int64
	members []*request
	taken   int           // members, including withdrawn ones
	batch   *pebble.Batch // nil when all members were rejected
	image   image         // the state after it
	runs    []*run
}

// commit puts a request into the pipeline and waits for its outcome.
func (s *store) commit(ctx context.Context, q *request) error {
	if err := s.failureError(); err != nil {
		return err
	}
	if s.opts.ReadOnly {
		return fmt.Errorf("pebblekv: %w", kv.ErrReadOnly)
	}
	if err := s.space.room(s.opts.FS, s.dir); err != nil {
		return err
	}
	s.mu.Lock()
	if s.closing {
		s.mu.Unlock()
		return kv.ErrClosed
	}
	s.queue, s.queueBytes = append(s.queue, q), s.queueBytes+q.bytes
	s.mu.Unlock()
	s.queued.Signal()

	select {
	case <-q.done:
		return q.err
	case <-ctx.Done():
		if q.state.CompareAndSwap(queued, withdrawn) {
			return ctx.Err()
		}
	case <-s.failed:
		if q.state.CompareAndSwap(queued, withdrawn) {
			return s.failureError()
		}
		return s.unknown(q)
	}
	timer := time.NewTimer(outcomeWait)
	defer timer.Stop()
	select {
	case <-q.done:
		return q.err
	case <-s.failed:
		return s.unknown(q)
	case <-timer.C:
		return fmt.Errorf("pebblekv: commit: %w: %w", kv.ErrUnknownCommit, ctx.Err())
	}
}

// unknown is the outcome of a request that was being written when the store failed.
func (s *store) unknown(q *request) error {
	select {
	case <-q.done:
		return q.err
	default:
		return fmt.Errorf("pebblekv: commit: %w: %w", kv.ErrUnknownCommit, s.failureError())
	}
}

// take waits for requests and returns a group's worth, nil when the store
// closes and nothing is left.
func (s *store) take() []*request {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.queue) == 0 || len(s.queue) < s.inFlight && s.queueBytes < overlapBytes {
		if s.closing && len(s.queue) == 0 {
			return nil
		}
		s.queued.Wait()
	}
	n, size := 0, int64(0)
	for n < len(s.queue) && n < maxGroupMembers && (n == 0 || size+s.queue[n].bytes <= maxGroupBytes) {
		size += s.queue[n].bytes
		n++
	}
	members := s.queue[:n:n]
	s.inFlight, s.queueBytes = s.inFlight+n, s.queueBytes-size
	if n == len(s.queue) {
		s.queue = nil
	} else {
		s.queue = s.queue[n:]
	}
	return members
}

// resolve is the first goroutine of the pipeline.
func (s *store) resolve(version int64) {
	defer s.done.Done()
	defer close(s.resolved)
	for {
		// The slot comes first: while none is free the queue grows, and so does the group.
		select {
		case s.slots <- struct{}{}:
		case <-s.failed:
			return
		}
		members := s.take()
		if members == nil || s.failure.Load() != nil {
			return
		}
		g := &group{version: version + 1, members: members[:0], taken: len(members)}
		for _, q := range members {
			if q.state.CompareAndSwap(queued, taken) {
				g.members = append(g.members, q)
			}
		}
		if err := s.build(g); err != nil {
			// Pebble gives the batch up after an error, and no other could
			// follow it.
			s.fail(err)
			return
		}
		if g.batch != nil {
			version = g.version
		}
		s.resolved <- g // has room: one place per slot
	}
}

// build checks the members of a group and writes the ones that pass.
func (s *store) build(g *group) (err error) {
	defer func() {
		// Pebble panics where it can't write to its log.
		if r := recover(); r != nil {
			err = fmt.Errorf("writing a batch: %v", r)
			if cause, ok := r.(error); ok {
				err = fmt.Errorf("writing a batch: %w", cause)
			}
		}
	}()
	passed := s.check(g)
	if len(passed) == 0 {
		return nil
	}
	if err := s.counters.load(s.db, passed); err != nil {
		return fmt.Errorf("reading a counter: %w", err)
	}
	size := int64(64)
	for _, q := range passed {
		size += q.bytes + int64(8*len(q.ops))
	}
	g.batch = s.db.NewBatchWithSize(int(size))
	for order, q := range passed {
		binary.BigEndian.PutUint64(q.stamp[:8], uint64(g.version))
		binary.BigEndian.PutUint16(q.stamp[8:], uint16(order))
		for i := range q.ops {
			if err := s.apply(g.batch, q, &q.ops[i]); err != nil {
				return err
			}
		}
	}
	if err := s.counters.flush(g.batch, g.version); err != nil {
		return err
	}
	var last [8]byte
	binary.BigEndian.PutUint64(last[:], uint64(g.version))
	if err := g.batch.Set(versionKey, last[:], nil); err != nil {
		return err
	}
	s.mu.Lock()
	oldest := s.states.oldest().version
	s.mu.Unlock()
	s.window.append(g.version, g.runs, oldest)
	if err := s.db.ApplyNoSyncWait(g.batch, pebble.Sync); err != nil {
		return err
	}
	s.applied.Store(g.version)
	g.image = image{s.db.NewSnapshot(), s.counters.now}
	s.unflushed.note(g.version, passed)
	return nil
}

// check decides which members of a group commit, and collects their writes.
func (s *store) check(g *group) (passed []*request) {
	for _, q := range g.members {
		if len(q.reads) > 0 {
			conflict, known := s.window.conflicts(q.reads, q.after, g.version)
			for i := 0; known && !conflict && i < len(g.runs); i++ {
				conflict = g.runs[i].touches(q.reads, q.after)
			}
			if conflict {
				q.reject = errConflict
				continue
			}
			if !known {
				q.reject = errForgot
				continue
			}
		}
		if q.small != nil && !q.small.hold(&s.window, g) {
			q.small = nil
		}
		order := len(passed)
		passed = append(passed, q)
		q.wrote.at(g.version)
		g.runs = append(g.runs, q.wrote)
		if r := stampedKeys(q, g.version, order); r != nil {
			g.runs = append(g.runs, r)
		}
	}
	return passed
}

// at gives a fresh run its version.
func (r *run) at(version int64) {
	r.min, r.max = version, version
	for i := range r.segments {
		r.segments[i].version = version
	}
}

// stampedKeys fills in the versionstamped keys of a request and returns them
// as a run, nil when there are none.
func stampedKeys(q *request, version int64, order int) *run {
	var r *run
	for i := range q.ops {
		o := &q.ops[i]
		if o.kind != opStampedKey {
			continue
		}
		binary.BigEndian.PutUint64(o.key[o.offset:], uint64(version))
		binary.BigEndian.PutUint16(o.key[o.offset+8:], uint16(order))
		if r == nil {
			r = &run{}
		}
		r.points = append(r.points, o.key)
	}
	if r != nil {
		sortPoints(r)
		r.weigh()
		r.at(version)
	}
	return r
}

// apply writes one operation of a member that commits.
func (s *store) apply(b *pebble.Batch, q *request, o *op) error {
	switch o.kind {
	case opClear:
		s.counters.put(o.key, nil)
		return b.Delete(o.key, nil)
	case opClearRange:
		s.counters.clear(o.key, o.value)
		if q.small != nil {
			if keys, ok := q.small.keys[o.order]; ok {
				for _, key := range keys {
					if err := b.Delete(key, nil); err != nil {
						return err
					}
				}
				return nil
			}
		}
		return b.DeleteRange(o.key, o.value, nil)
	case opAdd:
		s.counters.add(o.key, o.value)
		return nil
	case opStampedValue:
		copy(o.value[o.offset:], q.stamp[:])
	}
	s.counters.put(o.key, o.value)
	return b.Set(o.key, o.value, nil)
}

// publish is the second goroutine of the pipeline.
func (s *store) publish() {
	defer s.done.Done()
	defer close(s.piped)
	for g := range s.resolved {
		s.publishGroup(g)
		s.mu.Lock()
		s.inFlight -= g.taken
		s.mu.Unlock()
		s.queued.Signal()
		if s.failure.Load() == nil {
			<-s.slots
		}
	}
}

// publishGroup waits until a group is on disk, and gives its members their outcomes.
func (s *store) publishGroup(g *group) {
	if g.batch != nil {
		if err := g.batch.SyncWait(); err != nil {
			s.fail(fmt.Errorf("syncing the log: %w", err))
		}
		if s.failure.Load() != nil {
			// The outcome is unknown; the waiting callers see the failure.
			s.sweep.add(g.image.snap)
			return
		}
		if err := s.inventory.acknowledged(g.version); err != nil {
			s.opts.Logger.Error("pebblekv: noting the last commit", "directory", s.dir, "error", err)
		}
		g.batch.Close()
		next := &readState{version: g.version, image: g.image, refs: 1}
		s.mu.Lock()
		last := s.current
		s.current = next
		s.states.push(next)
		dead := s.unref(last)
		s.mu.Unlock()
		s.sweep.addIterators(last.spare.close())
		if dead != nil {
			s.sweep.add(dead)
		}
	}
	for _, q := range g.members {
		q.err = q.reject
		close(q.done)
	}
	if g.batch != nil {
		s.watches.notify(s, g)
	}
}

// touched reports whether a fresh run writes key.
func (r *run) touched(key []byte) bool {
	return r.touches([]kv.Range{{Start: key, End: append(bytes.Clone(key), 0)}}, r.min-1)
}
