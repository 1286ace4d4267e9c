package kv_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

// script is a store whose n-th commit does what the n-th step says.
type script struct {
	kv.Store
	steps []func(tx kv.Transaction) error
	begun int
}

type scripted struct {
	kv.Transaction
	s *script
}

func (s *script) Begin(ctx context.Context, opts kv.TransactionOptions) (kv.Transaction, error) {
	s.begun++
	tx, err := s.Store.Begin(ctx, opts)
	if err != nil {
		return nil, err
	}
	return &scripted{tx, s}, nil
}

func (t *scripted) Commit() error {
	if len(t.s.steps) == 0 {
		return t.Transaction.Commit()
	}
	do := t.s.steps[0]
	t.s.steps = t.s.steps[1:]
	return do(t.Transaction)
}

// Cancel leaves a transaction that is still on its way alone.
func (t *scripted) Cancel() {}

func plain(tx kv.Transaction) error { return tx.Commit() }

func refused(err error) func(tx kv.Transaction) error {
	return func(tx kv.Transaction) error {
		tx.Cancel()
		return fmt.Errorf("test: %w", err)
	}
}

func unknownDone(tx kv.Transaction) error {
	if err := tx.Commit(); err != nil {
		return err
	}
	return kv.ErrUnknownCommit
}

func unknownLost(tx kv.Transaction) error {
	tx.Cancel()
	return kv.ErrUnknownCommit
}

func TestTransact(t *testing.T) {
	var late kv.Transaction
	unknownLate := func(tx kv.Transaction) error { late = tx; return kv.ErrUnknownCommit }
	thenLate := func(tx kv.Transaction) error {
		// The first commit arrives before the one that looks for its marker.
		if err := late.Commit(); err != nil {
			return err
		}
		return tx.Commit()
	}
	afterwards := func(tx kv.Transaction) error {
		// It arrives after that: it must not count any more.
		if err := tx.Commit(); err != nil {
			return err
		}
		if err := late.Commit(); !errors.Is(err, kv.ErrConflict) {
			return fmt.Errorf("late commit: %v", err)
		}
		return nil
	}
	fatal := errors.New("fatal")
	type steps = []func(kv.Transaction) error
	for _, c := range []struct {
		name     string
		steps    steps
		noMarker bool
		attempts int
		want     error
		count    byte // how often the function's effect is there
	}{
		{name: "at once", steps: steps{plain}, count: 1},
		{name: "conflicts", steps: steps{refused(kv.ErrConflict), refused(kv.ErrTooOld), refused(kv.ErrUnavailable)},
			count: 1},
		{name: "fatal", steps: steps{refused(fatal)}, want: fatal},
		{name: "failed store", steps: steps{refused(kv.ErrFailed)}, want: kv.ErrFailed},
		{name: "attempts", steps: steps{refused(kv.ErrConflict), refused(kv.ErrConflict)}, attempts: 2, want: kv.ErrConflict},
		{name: "unknown and done", steps: steps{unknownDone}, count: 1},
		{name: "unknown and lost", steps: steps{unknownLost}, count: 1},
		{name: "unknown and lost, attempts", steps: steps{unknownLost}, attempts: 1, want: kv.ErrUnavailable},
		{name: "unknown twice", steps: steps{unknownLost, plain, unknownDone}, count: 1},
		{name: "unknown, and so is the search", steps: steps{unknownLost, unknownDone, unknownLost}, count: 1},
		{name: "unknown and late", steps: steps{unknownLate, thenLate}, count: 1},
		{name: "unknown and too late", steps: steps{unknownLate, afterwards}, count: 1},
		{name: "unknown, done, no marker", steps: steps{unknownDone}, noMarker: true, want: kv.ErrUnknownCommit, count: 1},
		{name: "unknown, lost, no marker", steps: steps{unknownLost}, noMarker: true, want: kv.ErrUnknownCommit},
		{name: "unknown, the search fails", steps: steps{unknownLost, refused(fatal)}, want: kv.ErrUnknownCommit},
	} {
		t.Run(c.name, func(t *testing.T) {
			base, err := pebblekv.Open("store", pebblekv.Options{FS: pebblekv.MemoryFS()})
			if err != nil {
				t.Fatal(err)
			}
			defer base.Close()
			s := &script{Store: base, steps: c.steps}
			opts := kv.TransactOptions{Attempts: c.attempts}
			if !c.noMarker {
				opts.Marker = []byte("marker")
			}
			err = kv.Transact(context.Background(), s, opts, func(tx kv.Transaction) error {
				tx.Add([]byte("count"), []byte{1})
				return nil
			})
			if !errors.Is(err, c.want) {
				t.Fatalf("got error %v, want %v", err, c.want)
			}
			if kv.Retryable(err) && errors.Is(err, kv.ErrUnknownCommit) {
				t.Fatalf("%v: an unknown outcome is not retryable", err)
			}
			if len(s.steps) > 0 {
				t.Fatalf("%d steps are left", len(s.steps))
			}
			tx, err := base.Begin(context.Background(), kv.TransactionOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer tx.Cancel()
			v, err := tx.Get([]byte("count")).Get()
			if err != nil {
				t.Fatal(err)
			}
			if got := append(v, 0)[0]; got != c.count {
				t.Fatalf("the effect is there %d times, want %d", got, c.count)
			}
		})
	}
}

func TestTransactContext(t *testing.T) {
	base, err := pebblekv.Open("store", pebblekv.Options{FS: pebblekv.MemoryFS()})
	if err != nil {
		t.Fatal(err)
	}
	defer base.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	runs := 0
	err = kv.Transact(ctx, base, kv.TransactOptions{}, func(kv.Transaction) error {
		if runs++; runs == 3 {
			cancel()
		}
		return kv.ErrConflict
	})
	if !errors.Is(err, context.Canceled) || runs != 3 {
		t.Fatalf("%d runs, %v", runs, err)
	}
}

// silent is a store that can't be reached.
type silent struct{ kv.Store }

func (silent) Begin(context.Context, kv.TransactionOptions) (kv.Transaction, error) {
	return nil, fmt.Errorf("test: %w", kv.ErrUnavailable)
}

// TestResolveTooLate: who could not look for a marker as long as it is sure to be there has learned nothing.
func TestResolveTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		happened, err := kv.Resolve(context.Background(), silent{}, []byte("marker"), kv.ErrUnknownCommit)
		if happened || !errors.Is(err, kv.ErrUnknownCommit) || kv.Retryable(err) {
			t.Errorf("%v, %v", happened, err)
		}
		if took := time.Since(began); took < kv.MarkerLife/4 || took >= kv.MarkerLife {
			t.Errorf("it gives up after %v, a marker lives %v", took, kv.MarkerLife)
		}
	})
}
