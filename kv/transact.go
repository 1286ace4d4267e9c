package kv

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// TransactOptions are the settings of Transact; zero fields take the defaults.
type TransactOptions struct {
	// Transaction is how each attempt begins.
	Transaction TransactionOptions
	// Attempts bounds how often the function runs; 0 means until the context ends.
	Attempts int
	// FirstWait is the longest wait before the second attempt, 1 ms by
	// default; it doubles with each attempt up to LongestWait, 1 s by default.
	FirstWait, LongestWait time.Duration
	// Marker is a key that belongs to this call alone. It is set in the same
	// transaction, and shows after an unknown outcome whether the commit
	// happened. It stays: the caller, its owner, clears it once Transact has
	// returned without ErrUnknownCommit, in its next transaction or later.
	// Without a marker an unknown outcome is returned.
	Marker []byte
	// Repeatable: the function reads the writes of an earlier run, and does not repeat them.
	// So it runs again after an unknown outcome: a commit that is still on its way conflicts
	// with that run, or is found by it.
	Repeatable bool
}

// MarkerLife is how long a marker stays at the least, even if its owner is found to be
// gone. A later look for it proves nothing about its commit.
const MarkerLife = time.Hour

// Transact runs do in a transaction and commits it. It repeats both while the error is
// Retryable, or the outcome is unknown and the options say what to do then. Between, it
// waits a random time in growing bounds. It is the only retry loop over the store.
//
// do may run several times and must not commit or cancel; it must set its results outside
// the transaction again each time. An error of do that is not Retryable is returned as it
// is, after the transaction was cancelled.
func Transact(ctx context.Context, store Store, opts TransactOptions, do func(Transaction) error) error {
	wait := backoff{bound: opts.FirstWait, limit: opts.LongestWait}
	for attempt := 1; ; attempt++ {
		err := attemptOnce(ctx, store, opts, do)
		if errors.Is(err, ErrUnknownCommit) && opts.Marker != nil {
			var happened bool
			if happened, err = resolve(ctx, store, opts, err); happened || err != nil {
				return err
			}
			err = fmt.Errorf("kv: commit was lost: %w", ErrUnavailable)
		}
		again := Retryable(err) || opts.Repeatable && errors.Is(err, ErrUnknownCommit)
		if err == nil || !again {
			return err
		}
		if attempt == opts.Attempts {
			return fmt.Errorf("kv: gave up after %d attempts: %w", attempt, err)
		}
		if werr := wait.next(ctx); werr != nil {
			return fmt.Errorf("kv: gave up after %d attempts: %w (last: %w)", attempt, werr, err)
		}
	}
}

func attemptOnce(ctx context.Context, store Store, opts TransactOptions, do func(Transaction) error) error {
	tx, err := store.Begin(ctx, opts.Transaction)
	if err != nil {
		return err
	}
	defer tx.Cancel()
	if err := do(tx); err != nil {
		return err
	}
	if opts.Marker != nil {
		tx.Set(opts.Marker, nil)
		// resolve writes the marker's range: from then on this commit, should
		// it still be on its way, conflicts.
		tx.AddReadConflict(PointRange(opts.Marker))
	}
	return tx.Commit()
}

// resolve finds out whether a commit of unknown outcome happened. When it
// reports false without an error the commit did not happen and never will.
func resolve(ctx context.Context, store Store, opts TransactOptions, unknown error) (bool, error) {
	wait := backoff{bound: opts.FirstWait, limit: opts.LongestWait}
	for began := time.Now(); ; {
		if time.Since(began) > MarkerLife/2 {
			return false, fmt.Errorf("kv: looking for the marker of a commit: it may be too late: %w", unknown)
		}
		happened, err := lookForMarker(ctx, store, opts.Marker)
		if err == nil {
			return happened, nil
		}
		if !Retryable(err) && !errors.Is(err, ErrUnknownCommit) {
			return false, fmt.Errorf("kv: looking for the marker of a commit: %w (%w)", unknown, err)
		}
		if werr := wait.next(ctx); werr != nil {
			return false, fmt.Errorf("kv: looking for the marker of a commit: %w (%w)", unknown, werr)
		}
	}
}

func lookForMarker(ctx context.Context, store Store, marker []byte) (bool, error) {
	tx, err := store.Begin(ctx, TransactionOptions{})
	if err != nil {
		return false, err
	}
	defer tx.Cancel()
	v, err := tx.Get(marker).Get()
	if err != nil || v != nil {
		return v != nil, err
	}
	tx.AddWriteConflict(PointRange(marker))
	return false, tx.Commit()
}

// backoff waits random times below a bound that doubles.
type backoff struct{ bound, limit time.Duration }

func (b *backoff) next(ctx context.Context) error {
	if b.bound <= 0 {
		b.bound = time.Millisecond
	}
	if b.limit <= 0 {
		b.limit = time.Second
	}
	b.bound = min(b.bound, b.limit)
	timer := time.NewTimer(time.Duration(rand.Int64N(int64(b.bound) + 1)))
	defer timer.Stop()
	b.bound *= 2
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// Resolve finds out whether a commit happened that ended with an unknown
// outcome. Its transaction must have set marker, a key that belongs to it alone,
// and read-conflicted on it. After false without an error the commit did not
// happen and never will. unknown is the commit's error.
func Resolve(ctx context.Context, store Store, marker []byte, unknown error) (bool, error) {
	return resolve(ctx, store, TransactOptions{Marker: marker}, unknown)
}
