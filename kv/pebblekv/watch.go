package pebblekv

import (
	"bytes"
	"context"
	"fmt"
	"sync"

	"github.com/sqlfdb/sqlfdb/kv"
)

// watch implements kv.Watch: it is over when fired is closed.
type watch struct {
	key    []byte
	seen   []byte // the value that the transaction saw; nil: absent
	blur   bool   // seen is not known: any write counts
	list   *watches
	once   sync.Once
	fired  chan struct{}
	reason error // nil: changed. Set before fired is closed
}

func (w *watch) fail(err error) {
	w.once.Do(func() {
		w.reason = err
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
	w.list.remove(w)
	w.fail(fmt.Errorf("pebblekv: watch was cancelled: %w", kv.ErrDone))
}

// watches holds the armed watches by key.
type watches struct {
	mu     sync.Mutex
	byKey  map[string]map[*watch]struct{}
	closed bool
}

func (l *watches) init() { l.byKey = map[string]map[*watch]struct{}{} }

// Watch implements kv.Transaction.
func (t *transaction) Watch(key []byte) (kv.Watch, error) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if err := kv.CheckKey(key); err != nil {
		return nil, fmt.Errorf("pebblekv: watch: %w", err)
	}
	w := &watch{key: bytes.Clone(key), list: &t.store.watches, fired: make(chan struct{})}
	seen, err := t.getLocked(key, false)
	switch {
	case err == nil:
		w.seen = seen
	case t.live() == nil && t.own != nil && t.own.unstable(key):
		w.blur = true
	default:
		return nil, fmt.Errorf("pebblekv: watch: %w", err)
	}
	if len(t.ops) == 0 && len(t.conflicts) == 0 {
		t.store.watches.arm(t.store, w)
	} else {
		t.watching = append(t.watching, w)
	}
	return w, nil
}

// unstable reports whether reading key fails for a pending versionstamp.
func (o *ownWrites) unstable(key []byte) bool {
	_, _, err := o.get(key)
	return err != nil
}

// arm makes w fire on changes from now on, and at once on one that has been.
func (l *watches) arm(s *store, w *watch) {
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		w.fail(kv.ErrClosed)
		return
	}
	select {
	case <-w.fired: // cancelled before the commit
		l.mu.Unlock()
		return
	default:
	}
	same := l.byKey[string(w.key)]
	if same == nil {
		same = map[*watch]struct{}{}
		l.byKey[string(w.key)] = same
	}
	same[w] = struct{}{}
	l.mu.Unlock()
	if w.blur {
		return
	}
	// A state published before w was in the list is seen here; a later one
	// finds w there.
	now := s.acquire()
	v, err := now.image.read(w.key)
	s.release(now)
	if err != nil || !equal(v, w.seen) {
		l.remove(w)
		w.fail(nil)
	}
}

func equal(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

func (l *watches) remove(w *watch) {
	l.mu.Lock()
	defer l.mu.Unlock()
	same := l.byKey[string(w.key)]
	delete(same, w)
	if len(same) == 0 {
		delete(l.byKey, string(w.key))
	}
}

// notify fires the watches whose keys a published group has changed.
func (l *watches) notify(s *store, g *group) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.byKey) == 0 {
		return
	}
	for key, same := range l.byKey {
		touched := false
		for _, r := range g.runs {
			if r.touched([]byte(key)) {
				touched = true
				break
			}
		}
		if !touched {
			continue
		}
		// Only publish closes this snapshot's last reference, and it runs here.
		v, err := g.image.read([]byte(key))
		for w := range same {
			if err != nil || w.blur || !equal(v, w.seen) {
				delete(same, w)
				w.fail(nil)
			}
		}
		if len(same) == 0 {
			delete(l.byKey, key)
		}
	}
}

// close ends all watches.
func (l *watches) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	for key, same := range l.byKey {
		for w := range same {
			w.fail(kv.ErrClosed)
		}
		delete(l.byKey, key)
	}
}
