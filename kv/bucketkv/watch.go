package bucketkv

import (
	"bytes"
	"context"
	"fmt"
	"sync"

	"github.com/sqlfdb/sqlfdb/kv"
)

// watch implements kv.Watch: it is over when fired is closed.
type watch struct {
	store  *engine
	key    []byte
	seen   []byte // nil: the key was absent
	blur   bool   // seen is known when the transaction has committed
	once   sync.Once
	fired  chan struct{}
	reason error // nil: it has changed
}

func (w *watch) end(reason error) {
	w.once.Do(func() {
		w.reason = reason
		close(w.fired)
	})
}

// Wait implements kv.Watch.
func (w *watch) Wait(ctx context.Context) error {
	select {
	case <-w.fired:
		return w.reason
	default:
	}
	select {
	case <-w.fired:
		return w.reason
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Cancel implements kv.Watch.
func (w *watch) Cancel() {
	w.store.mu.Lock()
	delete(w.store.watches, w)
	w.store.mu.Unlock()
	w.end(fmt.Errorf("bucketkv: watch was cancelled: %w", kv.ErrDone))
}

// arm makes a watch look at every change from now on.
func (s *engine) arm(w *watch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		w.end(kv.ErrClosed)
		return
	}
	s.watches[w] = struct{}{}
	s.look(w)
}

// look fires a watch whose key has changed. The caller holds mu.
func (s *engine) look(w *watch) {
	is, there := s.head.object.pairs.get(w.key)
	if there == (w.seen != nil) && bytes.Equal(is.value, w.seen) {
		return
	}
	delete(s.watches, w)
	w.end(nil)
}

// Watch implements kv.Transaction.
func (t *transaction) Watch(key []byte) (kv.Watch, error) {
	if err := t.live(); err != nil {
		return nil, err
	}
	if err := kv.CheckKey(key); err != nil {
		return nil, fmt.Errorf("bucketkv: watch: %w", err)
	}
	w := &watch{store: t.store, key: bytes.Clone(key), fired: make(chan struct{})}
	is, there := t.sees.get(key)
	if w.blur = is.pending || t.stamped(key); there {
		w.seen = is.value
	}
	if t.writes() {
		t.watching = append(t.watching, w)
	} else {
		t.store.arm(w)
	}
	return w, nil
}

// armAll begins the watches of a transaction that has made this state, or ends them with an error.
func (t *transaction) armAll(made *state, err error) {
	for _, w := range t.watching {
		if err != nil {
			w.end(fmt.Errorf("bucketkv: watch of a transaction that did not commit: %w", kv.ErrDone))
			continue
		}
		if w.blur {
			is, _ := made.object.pairs.get(w.key)
			w.seen = is.value
		}
		t.store.arm(w)
	}
	t.watching = nil
}
