package bucketkv

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sqlfdb/sqlfdb/bucket/store"
	"github.com/sqlfdb/sqlfdb/kv"
)

// How often a commit tries again when other processes are faster, and when a request is not answered.
const (
	commitRounds = 50
	putAttempts  = 3
	putPause     = 100 * time.Millisecond
)

// commit makes a transaction's writes. A caller that gives up waiting does not know whether they are made.
func (s *engine) commit(t *transaction) (*state, error) {
	if err := s.takeTurn(t.ctx); err != nil {
		return nil, err
	}
	type outcome struct {
		made *state
		err  error
	}
	done := make(chan outcome, 1)
	reads := t.read()
	go func() {
		defer s.endTurn()
		made, err := s.commitInTurn(context.WithoutCancel(t.ctx), t, reads)
		done <- outcome{made, err}
	}()
	select {
	case o := <-done:
		return o.made, o.err
	case <-t.ctx.Done():
		return nil, fmt.Errorf("%w: %w", kv.ErrUnknownCommit, t.ctx.Err())
	}
}

func (s *engine) commitInTurn(ctx context.Context, t *transaction, reads []kv.Range) (*state, error) {
	for range commitRounds {
		head, err := s.validated(t, reads)
		if err != nil {
			return nil, err
		}
		next, ranges := s.apply(head, t)
		if ranges == nil {
			return next, s.checkRoom(next)
		}
		if s.local.coverAll(ranges) {
			if err := s.checkRoom(next); err != nil {
				return nil, err
			}
			s.publish(next, ranges, time.Time{})
			return next, nil
		}
		id := newIdentity()
		o := next.object
		o.number, o.version = o.number+1, next.version
		o.list(listed{id: id, ranges: slices.DeleteFunc(slices.Clone(ranges), s.local.cover)})
		if err := s.checkRoom(next); err != nil {
			return nil, err
		}
		won, err := s.put(ctx, head, next, ranges, id)
		if won || err != nil {
			return next, err
		}
		s.mu.Lock()
		s.losses++
		s.mu.Unlock()
	}
	return nil, fmt.Errorf("%w: others were faster %d times", kv.ErrConflict, commitRounds)
}

// validated is the newest state, if nothing that was read has been written since.
func (s *engine) validated(t *transaction, reads []kv.Range) (*state, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return nil, kv.ErrClosed
	case t.at.version < s.window.floor:
		return nil, &kv.LifeError{Limit: s.opts.TransactionLife}
	case s.window.touches(reads, t.at.version):
		return nil, kv.ErrConflict
	}
	return s.head, nil
}

// apply is the state after the transaction's writes, and the ranges that it has written.
func (s *engine) apply(head *state, t *transaction) (*state, []kv.Range) {
	o := *head.object
	s.mu.Lock()
	o.pairs = o.pairs.clone()
	s.mu.Unlock()
	next := &state{version: head.version + 1, object: &o, etag: head.etag}
	stamp := stampOf(next.version)
	ranges := slices.Clone(t.conflicts)
	for i := range t.ops {
		ranges = append(ranges, t.ops[i].apply(&o.pairs, stamp[:]))
	}
	return next, kv.Coalesce(ranges)
}

// coverAll reports whether all ranges are within one of them.
func (rs ranges) coverAll(in []kv.Range) bool {
	return !slices.ContainsFunc(in, func(r kv.Range) bool { return !rs.cover(r) })
}

// checkRoom refuses a state that is too large to be written as one object, or held in memory.
func (s *engine) checkRoom(next *state) error {
	p := &next.object.pairs
	if p.kept > s.opts.MaxBytes {
		return fmt.Errorf("%w: %d bytes of definitions, the limit is %d", kv.ErrNoRoom, p.kept, s.opts.MaxBytes)
	}
	if p.own > s.opts.LocalBytes {
		return fmt.Errorf("%w: %d bytes in temporary tables, the limit is %d", kv.ErrNoRoom, p.own, s.opts.LocalBytes)
	}
	return nil
}

// put writes the object, and makes next the newest state. If another process was faster, it takes over that one's
// object and reports false.
func (s *engine) put(ctx context.Context, head, next *state, ranges []kv.Range, id identity) (won bool, err error) {
	cond := store.Condition{Match: head.etag}
	if head.etag == "" {
		cond = store.Condition{Absent: true}
		if err := s.probe(ctx); err != nil {
			return false, err
		}
	}
	body := next.object.encode()
	unsure := false // whether a request that was not answered has been carried out
	for attempt := 0; ; attempt++ {
		began := time.Now()
		within, cancel := context.WithTimeout(ctx, requestTime)
		next.etag, err = s.objects.Put(within, s.key, body, cond)
		cancel()
		switch {
		case err == nil:
			s.publish(next, ranges, began)
			return true, nil
		case errors.Is(err, store.ErrPrecondition):
			return s.overtaken(ctx, head, next, id, unsure)
		case store.Refused(err) && !unsure:
			return false, fmt.Errorf("write definitions: %w", err)
		case !store.Refused(err):
			unsure = true
		}
		if attempt+1 == putAttempts {
			s.doubt()
			return false, fmt.Errorf("write definitions: %w: %w", kv.ErrUnknownCommit, err)
		}
		time.Sleep(putPause << attempt)
	}
}

// overtaken takes over an object that is not as this process knew it. If its own request may have made it so, the
// latest commits show. A request that is still under way changes nothing any more: the object has another ETag.
func (s *engine) overtaken(ctx context.Context, head, next *state, id identity, unsure bool) (won bool, err error) {
	for attempt := 0; ; attempt++ {
		if err = s.load(ctx); err == nil {
			break
		}
		if attempt+1 == putAttempts || !errors.Is(err, kv.ErrUnavailable) {
			s.doubt()
			if unsure {
				err = fmt.Errorf("%w: %w", kv.ErrUnknownCommit, err)
			}
			return false, err
		}
		time.Sleep(putPause << attempt)
	}
	if !unsure {
		return false, nil
	}
	behind, all := s.now().object.since(head.object.number)
	if slices.ContainsFunc(behind, func(l listed) bool { return l.id == id }) {
		return true, nil
	}
	if !all {
		return false, fmt.Errorf("%w: others have written very often since", kv.ErrUnknownCommit)
	}
	return false, nil
}

// probe finds out whether the object store keeps to conditions, before the first object is made.
func (s *engine) probe(ctx context.Context) error {
	within, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	err := store.Probe(within, s.objects, s.key+".probe-")
	switch {
	case errors.Is(err, store.ErrUnconditional):
		return fmt.Errorf("definitions can't be kept there: %w", err)
	case err != nil && store.Refused(err):
		return fmt.Errorf("write definitions: %w", err)
	case err != nil:
		return fmt.Errorf("%w: %w", kv.ErrUnavailable, err)
	}
	return nil
}
