package hold

import (
	"sync"
	"sync/atomic"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// Process counts the bytes that the sessions of a server hold together.
type Process struct {
	limit    atomic.Int64         // bytes; 0 for none
	received atomic.Int64         // bytes of commands that come in; see Receiving
	gate     atomic.Pointer[gate] // nil: none

	mu       sync.Mutex
	sessions map[*Budget]struct{}
}

// NewProcess has no sessions, and no limit.
func NewProcess() *Process { return &Process{sessions: map[*Budget]struct{}{}} }

// SetLimit sets how many bytes the sessions may hold together; 0 for any number.
func (p *Process) SetLimit(bytes int64) {
	p.limit.Store(bytes)
	p.gate.Store(newGate(bytes))
}

// Limit is the limit that SetLimit has set, in bytes.
func (p *Process) Limit() int64 { return p.limit.Load() }

func (p *Process) join(b *Budget) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sessions[b] = struct{}{}
}

func (p *Process) leave(b *Budget) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.sessions, b)
}

// Held is about how many bytes all sessions hold, with the commands that come in.
func (p *Process) Held() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	sum := p.received.Load()
	for b := range p.sessions {
		sum += b.Held()
	}
	return sum
}

// allows is an error where all sessions together hold more than they may.
func (p *Process) allows() error {
	limit := p.limit.Load()
	if limit <= 0 || p.Held() <= limit || collected(func() bool { return p.Held() <= limit }) {
		return nil
	}
	return mysqlerr.ErrMemory
}
