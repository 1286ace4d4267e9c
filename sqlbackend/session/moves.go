package session

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Moves are the collections whose documents are about to move elsewhere. Writers wait until the move ends, since each
// write would make it begin again. The zero Moves has none.
type Moves struct {
	count atomic.Int64
	mu    sync.Mutex
	ends  map[int64]chan struct{} // by collection
}

// longestMove bounds how long a writer waits.
const longestMove = 20 * time.Second

// Begin makes writers to a collection wait until end is called.
func (m *Moves) Begin(collection int64) (end func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.ends == nil {
		m.ends = map[int64]chan struct{}{}
	}
	if m.ends[collection] != nil {
		return func() {} // somebody else is moving it
	}
	ended := make(chan struct{})
	m.ends[collection] = ended
	m.count.Add(1)
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.ends, collection)
		m.count.Add(-1)
		close(ended)
	}
}

// Wait waits while a collection is moved.
func (m *Moves) Wait(ctx context.Context, collection int64) {
	if m.count.Load() == 0 {
		return
	}
	m.mu.Lock()
	ended := m.ends[collection]
	m.mu.Unlock()
	if ended == nil {
		return
	}
	select {
	case <-ended:
	case <-ctx.Done():
	case <-time.After(longestMove):
	}
}
