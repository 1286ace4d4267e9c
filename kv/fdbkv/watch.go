//go:build fdb

package fdbkv

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/apple/foundationdb/bindings/go/src/fdb"

	"github.com/sqlfdb/sqlfdb/kv"
)

// watch implements kv.Watch. A watch of FoundationDB needs a transaction that sees its own
// writes, ends with a server, and starts from its transaction's version. So this one keeps
// the value that was seen. In transactions of its own it reads the key and watches it until
// the value is another.
type watch struct {
	store   *store
	key     fdb.Key
	seen    []byte // nil: absent
	blur    bool   // seen is not known yet: it is the key's value at version
	version int64  // of the commit; 0 when there was none

	once   sync.Once
	over   chan struct{}
	reason error // nil: changed. Set before over is closed

	mu      sync.Mutex
	pending fdb.FutureNil
}

// Watch implements kv.Transaction.
func (t *transaction) Watch(key []byte) (kv.Watch, error) {
	if err := t.live(); err != nil {
		return nil, fmt.Errorf("fdbkv: watch: %w", err)
	}
	if err := kv.CheckKey(key); err != nil {
		return nil, fmt.Errorf("fdbkv: watch: %w", err)
	}
	seen, err := t.get(key, false).Get()
	if err != nil && !errors.Is(err, kv.ErrUnreadable) {
		return nil, fmt.Errorf("fdbkv: watch: %w", err)
	}
	w := &watch{store: t.store, key: bytes.Clone(key), seen: seen, blur: err != nil, over: make(chan struct{})}
	t.store.mu.Lock()
	defer t.store.mu.Unlock()
	if t.store.closed {
		return nil, fmt.Errorf("fdbkv: watch: %w", kv.ErrClosed)
	}
	t.store.watches[w] = struct{}{}
	if t.writes == 0 {
		go w.run()
	} else {
		t.watching = append(t.watching, w)
	}
	return w, nil
}

// arm begins to wait after the commit of the transaction.
func (w *watch) arm() { go w.run() }

// finish ends the watch, with nil when the key has changed.
func (w *watch) finish(reason error) {
	w.once.Do(func() {
		w.reason = reason
		close(w.over)
		w.store.mu.Lock()
		delete(w.store.watches, w)
		w.store.mu.Unlock()
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.pending != nil {
			w.pending.Cancel()
		}
	})
}

// run waits until the value is another than the one seen.
func (w *watch) run() {
	if w.blur {
		var err error
		if w.seen, err = w.stamped(); err != nil {
			w.finish(nil) // it may have changed
			return
		}
	}
	for pause := time.Millisecond; ; pause = min(2*pause, time.Second) {
		changed, err := w.await()
		if err == nil && changed {
			w.finish(nil)
			return
		}
		if err == nil {
			pause = time.Millisecond
			continue
		}
		select {
		case <-w.over:
			return
		case <-time.After(pause):
		}
	}
}

// stamped is the value that the commit gave the key.
func (w *watch) stamped() ([]byte, error) {
	tr, err := w.store.db.CreateTransaction()
	if err != nil {
		return nil, err
	}
	tr.SetReadVersion(w.version)
	return tr.Get(w.key).Get()
}

// await reports whether the key has another value. If not, it waits for a change first.
func (w *watch) await() (bool, error) {
	tr, err := w.store.db.CreateTransaction()
	if err != nil {
		return false, err
	}
	f, changed, err := w.begin(tr)
	if err != nil || changed {
		return changed, err
	}
	w.mu.Lock()
	select {
	case <-w.over:
		w.mu.Unlock()
		return false, kv.ErrDone
	default:
		w.pending = f
	}
	w.mu.Unlock()
	// It reports a change, which the next round looks at.
	return false, f.Get()
}

func (w *watch) begin(tr fdb.Transaction) (fdb.FutureNil, bool, error) {
	now, err := tr.Snapshot().Get(w.key).Get()
	if err != nil {
		return nil, false, err
	}
	if (now == nil) != (w.seen == nil) || !bytes.Equal(now, w.seen) {
		return nil, true, nil
	}
	// A watch that waits must not end with its transaction's time.
	if err := tr.Options().SetTimeout(0); err != nil {
		return nil, false, err
	}
	f := tr.Watch(w.key)
	return f, false, tr.Commit().Get()
}

// Wait implements kv.Watch.
func (w *watch) Wait(ctx context.Context) error {
	select {
	case <-w.over:
		return w.reason
	default:
	}
	select {
	case <-w.over:
		return w.reason
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Cancel implements kv.Watch.
func (w *watch) Cancel() {
	w.finish(fmt.Errorf("fdbkv: watch was cancelled: %w", kv.ErrDone))
}
