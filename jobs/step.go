package jobs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// Step does a bounded piece of a job's work in tx and notes in the job where to go on. It
// may run several times for one piece of work: it must set its results outside the
// transaction and the job again each time, and it neither commits nor cancels. done ends
// the job. An error undoes the piece; it is tried again later unless it wraps ErrPermanent.
type Step func(ctx context.Context, tx *tables.Tx, job *Job) (done bool, err error)

// Kind holds a runner's functions and settings for one kind of jobs.
type Kind struct {
	Step Step
	// Quiet jobs are not kept for people to see once they are done, unless
	// something of them failed.
	Quiet bool
	// Lost, if it is not nil, notes the undone work in the transaction that ends a job because of ErrPermanent.
	Lost func(tx *tables.Tx, job *Job) error
}

// keptJobs is how many ended jobs stay visible.
const keptJobs = 100

// longestError bounds the error that a job shows, in bytes.
const longestError = 4_000

// outcome is the outcome of an attempt at a step.
type outcome int

const (
	outcomeSkipped outcome = iota // another process's, or gone
	outcomeStepped
	outcomeEnded
)

// The budget of bytes of a step.
const (
	firstBudget = 256 << 10
	leastBudget = 1
	maxBudget   = 512 << 10
)

// stepAttempts bounds how often a step's transaction runs at once when it
// conflicts; the budget is smaller the next time.
const stepAttempts = 4

// step runs one step of a job that looked free in a list.
func (r *Runner) step(ctx context.Context, seen listed) (outcome, error) {
	kind, ok := r.kinds[seen.job.Kind]
	if !ok {
		return outcomeSkipped, nil // a newer program's
	}
	id := seen.job.ID
	budget := r.budgets[id]
	if budget == 0 {
		budget = r.opts.Budget
	}
	var result outcome
	err := kv.Transact(ctx, r.store, kv.TransactOptions{
		Transaction: kv.TransactionOptions{NoReadYourWrites: true}, Attempts: stepAttempts,
	}, func(base kv.Transaction) error {
		tx := tables.Within(base)
		var err error
		if result, err = r.within(ctx, tx, kind, seen, budget); err != nil || result == outcomeSkipped {
			return err
		}
		return tx.Commit()
	})
	switch {
	case err == nil:
		r.budgets[id] = min(maxBudget, budget+budget/4+1)
		if result == outcomeEnded {
			delete(r.budgets, id)
		}
		return result, nil
	case errors.Is(err, kv.ErrUnknownCommit):
		// The next step reads the outcome: a commit still on its way would conflict with that.
		return outcomeStepped, nil
	case errors.Is(err, tables.ErrCollator):
		// A newer program's table, or one that can't be used: not for this process.
		r.after[id] = r.opts.Now().Add(r.opts.LongestWait)
		return outcomeSkipped, nil
	case ctx.Err() != nil:
		return outcomeSkipped, ctx.Err()
	case (kv.Retryable(err) || errors.Is(err, kv.ErrTooLarge)) && budget > leastBudget:
		r.budgets[id] = max(leastBudget, budget/4)
		return outcomeStepped, nil
	}
	return r.failed(ctx, seen, err)
}

// within is the contents of a step's transaction.
func (r *Runner) within(ctx context.Context, tx *tables.Tx, kind Kind, seen listed, budget int64) (outcome, error) {
	raw, err := tx.Get(keyspace.ActiveJob(seen.job.ID)).Get()
	if err != nil || raw == nil {
		return outcomeSkipped, err
	}
	job, err := decode(raw)
	if err != nil {
		return outcomeSkipped, err
	}
	if job.Holder != r.holder && !bytes.Equal(raw, seen.raw) {
		return outcomeSkipped, nil // another process was faster
	}
	view, err := r.catalog.ViewIn(tx)
	if err != nil {
		return outcomeSkipped, err
	}
	job.State, job.Holder, job.Rest = StateRunning, r.holder, 0
	job.Beat++
	if job.Collection != 0 {
		def, ok := view.TableByID(job.Collection)
		if !ok {
			job.State, job.Progress.Message, job.Error = StateDone, "the collection is gone", ""
			return outcomeEnded, r.finish(tx, job, kind)
		}
		job.Definition = def
	}
	job.Budget = budget
	done, err := guarded(ctx, kind.Step, tx, job)
	if err != nil {
		return outcomeSkipped, err
	}
	job.Attempts, job.Error = 0, ""
	if done {
		job.State = StateDone
		if job.Failure != "" {
			job.State, job.Error = StateFailed, job.Failure[:min(len(job.Failure), longestError)]
		}
		return outcomeEnded, r.finish(tx, job, kind)
	}
	if job.Rest > 0 {
		job.State, job.Holder = StateQueued, ""
	}
	return outcomeStepped, save(tx, keyspace.ActiveJob(job.ID), job)
}

// guarded makes a panic of a step its error.
func guarded(ctx context.Context, step Step, tx *tables.Tx, job *Job) (done bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("jobs: panic in a step of job %d (%s): %v\n%s", job.ID, job.Kind, p, debug.Stack())
		}
	}()
	return step(ctx, tx, job)
}

// finish moves a job to the ended ones and removes the oldest of these.
func (r *Runner) finish(tx Transaction, job *Job, kind Kind) error {
	job.Holder, job.Rest = "", 0
	tx.Clear(keyspace.ActiveJob(job.ID))
	wake(tx) // the collection's next job may begin, in another process perhaps
	if kind.Quiet && job.State == StateDone && job.Progress.Failed == 0 {
		return nil
	}
	job.Checkpoint = nil
	it := tx.Range(keyspace.FinishedJobs(), kv.RangeOptions{Streaming: kv.StreamAll})
	defer it.Close()
	var kept [][]byte
	for it.Next() {
		kept = append(kept, bytes.Clone(it.Key()))
	}
	if err := it.Err(); err != nil {
		return fmt.Errorf("jobs: list ended jobs: %w", err)
	}
	for len(kept) >= keptJobs {
		tx.Clear(kept[0])
		kept = kept[1:]
	}
	return save(tx, keyspace.FinishedJob(job.ID), job)
}

// failed records a step's failure and lets the job lie for a while, or ends it. The failure
// itself is returned when it could be recorded. A job that another process has taken over
// meanwhile is left to that.
func (r *Runner) failed(ctx context.Context, seen listed, failure error) (outcome, error) {
	id, result := seen.job.ID, outcomeStepped
	err := kv.Transact(ctx, r.store, kv.TransactOptions{
		Transaction: kv.TransactionOptions{NoReadYourWrites: true}, Attempts: stepAttempts,
	}, func(base kv.Transaction) error {
		tx := tables.Within(base)
		raw, err := tx.Get(keyspace.ActiveJob(id)).Get()
		if err != nil || raw == nil {
			return err
		}
		job, err := decode(raw)
		if err != nil || job.Holder != r.holder && !bytes.Equal(raw, seen.raw) {
			return err
		}
		job.Holder, job.State = r.holder, StateRunning
		job.Beat++
		job.Attempts++
		job.Error = failure.Error()
		job.Error = job.Error[:min(len(job.Error), longestError)]
		r.after[id] = r.opts.Now().Add(r.wait(job.Attempts))
		if errors.Is(failure, ErrPermanent) {
			job.State, result = StateFailed, outcomeEnded
			if lost := r.kinds[job.Kind].Lost; lost != nil {
				err = lost(tx, job)
			}
			if err == nil {
				err = r.finish(tx, job, r.kinds[job.Kind])
			}
		} else {
			err = save(tx, keyspace.ActiveJob(id), job)
		}
		if err != nil {
			return err
		}
		return tx.Commit()
	})
	if err != nil {
		r.after[id] = r.opts.Now().Add(r.opts.FirstWait)
	}
	return result, errors.Join(failure, err)
}

// wait is how long a job that failed so many times in a row lies.
func (r *Runner) wait(attempts int) time.Duration {
	w := r.opts.FirstWait
	for i := 1; i < attempts && w < r.opts.LongestWait; i++ {
		w *= 2
	}
	return min(w, r.opts.LongestWait)
}
