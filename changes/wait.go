package changes

import (
	"context"
	"fmt"
	"time"

	"github.com/sqlfdb/sqlfdb/kv"
)

// Wait reports whether there is a change after a sequence, and waits for one as long as
// patience says, or until the feed has been cleared. It reads in transactions of its own, and sleeps until the store tells of
// a commit.
func (l Log) Wait(ctx context.Context, store kv.Store, after Sequence, patience time.Duration) (bool, error) {
	timed, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for fired := false; ; fired = true {
		watch, gone, err := l.watch(ctx, store, after)
		if gone && fired && err == nil {
			watch.Cancel()
			return false, nil
		}
		if err != nil || watch == nil {
			return err == nil, err
		}
		err = watch.Wait(timed)
		watch.Cancel()
		switch {
		case err == nil || kv.Retryable(err):
		case ctx.Err() == nil && timed.Err() != nil:
			return false, nil
		default:
			return false, fmt.Errorf("changes: wait: %w", err)
		}
	}
}

// watch is a watch that fires with the next commit; nil when there is a change after the
// sequence. gone: nothing has been committed to the feed, or it has been cleared.
func (l Log) watch(ctx context.Context, store kv.Store, after Sequence) (watch kv.Watch, gone bool, err error) {
	err = kv.Transact(ctx, store, kv.TransactOptions{}, func(tx kv.Transaction) error {
		if watch != nil {
			watch.Cancel()
			watch = nil
		}
		last, ok, err := l.Last(tx.Snapshot())
		if err != nil || ok && string(last[:]) > string(after[:]) {
			return err
		}
		newest, err := tx.Snapshot().Get(l.Keys.Newest()).Get()
		if err != nil {
			return err
		}
		gone = newest == nil
		watch, err = tx.Watch(l.Keys.Newest())
		return err
	})
	if err != nil {
		if watch != nil {
			watch.Cancel()
		}
		return nil, false, fmt.Errorf("changes: wait: %w", err)
	}
	return watch, gone && watch != nil, nil
}
