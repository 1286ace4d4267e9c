package changes

import (
	"context"
	"fmt"
	"time"

	"github.com/sqlfdb/sqlfdb/kv"
)

// WaitOptions are the settings of Wait.
type WaitOptions struct {
	// Patience is how long to wait at most.
	Patience time.Duration
	// Definition is the key of the definition that the feed belongs to. Current reports whether the feed is still the
	// one that it defines: when it is not, the wait is over.
	Definition []byte
	Current    func(r kv.Reader) (bool, error)
}

// Wait reports whether there is a change after a sequence, and waits for one as long as its patience
// says, or until the feed is not current any more. It reads in transactions of its own, and sleeps until the store
// signals a commit to the feed, or another definition.
func (l Log) Wait(ctx context.Context, store kv.Store, after Sequence, opts WaitOptions) (bool, error) {
	timed, cancel := context.WithTimeout(ctx, opts.Patience)
	defer cancel()
	for {
		state, err := l.watch(ctx, store, after, opts)
		if err != nil || state.over() {
			return state.newer, err
		}
		err = state.wait(timed)
		switch {
		case err == nil || kv.Retryable(err):
		case ctx.Err() == nil && timed.Err() != nil:
			return false, nil
		default:
			return false, fmt.Errorf("changes: wait: %w", err)
		}
	}
}

// waitState is the state of a feed, as read once.
type waitState struct {
	newer   bool       // there is a change after the sequence
	gone    bool       // the feed is not current any more
	watches []kv.Watch // otherwise: one of them fires with the next commit to the feed, or to the definition
}

func (s *waitState) over() bool { return s.newer || s.gone }

func (s *waitState) cancel() {
	for _, w := range s.watches {
		w.Cancel()
	}
	s.watches = nil
}

// wait returns when one of the watches fires or fails, with the failure.
func (s *waitState) wait(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	first := make(chan error, len(s.watches))
	for _, w := range s.watches {
		go func() { first <- w.Wait(ctx) }()
	}
	err := <-first
	cancel()
	for range len(s.watches) - 1 {
		<-first
	}
	s.cancel()
	return err
}

// watch looks whether there is something to wait for.
func (l Log) watch(ctx context.Context, store kv.Store, after Sequence, opts WaitOptions) (s waitState, err error) {
	err = kv.Transact(ctx, store, kv.TransactOptions{}, func(tx kv.Transaction) error {
		s.cancel()
		s = waitState{}
		current, err := opts.Current(tx.Snapshot())
		if err != nil || !current {
			s.gone = !current
			return err
		}
		last, ok, err := l.Last(tx.Snapshot())
		if err != nil || ok && string(last[:]) > string(after[:]) {
			s.newer = err == nil
			return err
		}
		for _, key := range [][]byte{l.Keys.Newest(), opts.Definition} {
			w, err := tx.Watch(key)
			if err != nil {
				return err
			}
			s.watches = append(s.watches, w)
		}
		return nil
	})
	if err != nil {
		s.cancel()
		return waitState{}, fmt.Errorf("changes: wait: %w", err)
	}
	return s, nil
}
