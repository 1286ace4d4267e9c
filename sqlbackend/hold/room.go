package hold

import (
	"context"
	"errors"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// The bytes that a statement holds are counted once they exist. Some copies are not counted at all: a long text's
// tokens, and a long value's copy that is sent. There is room for one statement's copies, but not for the copies of
// very many at once. So statements with long texts or values go through a gate, which lets in as many as there is
// room for.

const (
	// LargeWork: values of at least so many bytes are made behind the gate.
	LargeWork = 1 << 20
	// LongText: statements whose text has at least so many bytes go through the gate.
	LongText = 64 << 10
	// HugeText: texts of at least so many bytes wait with large values and files. Shorter texts have a room of their
	// own.
	HugeText = 1 << 20

	timesOfText  = 32        // bytes that a byte of a text takes, parsed and planned
	timesOfValue = 8         // and a byte of a value, with its copies
	timesOfFile  = 4         // and a byte of a file
	timesPlanned = 6         // bytes that a byte of a text takes once it is planned, in copies
	bytesOfWord  = 1 << 10   // and a word of it
	maxWork      = 384 << 20 // the most that one statement counts for

	// workShare: one statement counts for at most this part, a third, of the bytes that all may hold.
	workShare = 3
	// shortShare: this part of the room, an eighth, is for the texts shorter than HugeText.
	shortShare = 8
)

// BytesOfPrepared is how many bytes a byte of a prepared statement's text takes until the statement is closed.
const BytesOfPrepared = 8

// gatePatience is how long a statement waits at the gate.
const gatePatience = 10 * time.Second

// gate lets in statements that work on much.
type gate struct {
	room  *semaphore.Weighted
	most  int64 // of one statement
	short *gate // of shorter texts, which do not wait behind large work; nil: this is it
}

func newGate(limit int64) *gate {
	if limit <= 0 {
		return nil
	}
	short := max(1, limit/shortShare)
	limit = max(1, limit-short)
	return &gate{semaphore.NewWeighted(limit), min(maxWork, max(1, limit/workShare)),
		&gate{semaphore.NewWeighted(short), min(maxWork, short), nil}}
}

// Visit is a statement's way through the gate. The zero value is outside.
type Visit struct {
	mu     sync.Mutex
	of     *gate
	inside int64
	text   bool // for a text alone
}

// EnterText waits until there is room for a statement whose text has so many bytes.
func (b *Budget) EnterText(ctx context.Context, bytes int64) error {
	if bytes < LongText {
		return nil
	}
	g := b.process.gate.Load()
	if g != nil && bytes < HugeText {
		g = g.short
	}
	return b.visit.enter(ctx, g, bytes*timesOfText, true)
}

// Planned gives back the room that a text of so many bytes and words no longer takes once its statement is planned.
// The statement may sleep then, or wait for its client. Values that it makes have room of their own.
func (b *Budget) Planned(bytes int64, words func() int64) {
	v := &b.visit
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.inside == 0 || !v.text {
		return
	}
	if left := bytes*timesPlanned + words()*bytesOfWord; left < v.inside {
		v.of.room.Release(v.inside - left)
		v.inside = left
	}
}

// EnterValue waits until there is room for a value of so many bytes.
func (b *Budget) EnterValue(ctx context.Context, bytes int64) error {
	if bytes < LargeWork {
		return nil
	}
	return b.visit.enter(ctx, b.process.gate.Load(), bytes*timesOfValue, false)
}

// EnterFile makes room for so many bytes of a file that comes in. It waits for the first bytes only: nothing else
// counts a file's received bytes.
func (b *Budget) EnterFile(ctx context.Context, bytes int64) error {
	if bytes < LargeWork {
		return nil
	}
	return b.visit.grow(ctx, b.process.gate.Load(), bytes*timesOfFile)
}

// Leave ends the statement's visit.
func (b *Budget) Leave() { b.visit.leave() }

func (v *Visit) enter(ctx context.Context, g *gate, bytes int64, text bool) error {
	if g == nil {
		return nil
	}
	bytes = min(bytes, g.most)
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.inside >= bytes {
		return nil
	}
	// Statements that had room and waited for more would wait for each other.
	v.release()
	waiting, cancel := context.WithTimeout(ctx, gatePatience)
	defer cancel()
	if err := g.room.Acquire(waiting, bytes); err != nil {
		if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
			return mysqlerr.ErrMemory
		}
		return err
	}
	v.of, v.inside, v.text = g, bytes, text
	return nil
}

// grow takes more room, at once or not at all, for a statement that is inside.
func (v *Visit) grow(ctx context.Context, g *gate, bytes int64) error {
	if g == nil {
		return nil
	}
	bytes = min(bytes, g.most)
	v.mu.Lock()
	more := bytes - v.inside
	if v.inside == 0 || v.of != g {
		v.mu.Unlock()
		return v.enter(ctx, g, bytes, false)
	}
	defer v.mu.Unlock()
	if more <= 0 {
		return nil
	}
	if !g.room.TryAcquire(more) {
		return mysqlerr.ErrMemory
	}
	v.inside, v.text = bytes, false
	return nil
}

func (v *Visit) leave() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.release()
}

func (v *Visit) release() {
	if v.inside > 0 {
		v.of.room.Release(v.inside)
		v.inside = 0
	}
}

// KeepPrepared notes how many bytes of text the statements have that a client has prepared. It counts nothing more
// where there is no room.
func (b *Budget) KeepPrepared(bytes int64) error {
	bytes *= BytesOfPrepared
	before := b.prepared.Swap(bytes)
	b.values.Add(bytes - before)
	if bytes <= before {
		return nil
	}
	err := b.process.allows()
	if limit := b.process.limit.Load(); err == nil && limit > 0 && bytes > limit/statementShare {
		err = mysqlerr.ErrMemory
	}
	if err != nil {
		b.prepared.Store(before)
		b.values.Add(before - bytes)
	}
	return err
}

// Receiving counts the bytes that a connection keeps of incoming commands. The zero value keeps nothing and counts
// nothing.
type Receiving struct {
	Of *Process

	mu    sync.Mutex
	bytes int64
	over  bool
}

const (
	// copiesReceived is how many copies of a command exist while its packets are put together.
	copiesReceived = 2
	// receivedShare: this part, half, of the bytes that statements may hold may be commands that are being received.
	receivedShare = 2
	// leastReceived: commands of fewer bytes are not counted.
	leastReceived = 64 << 10
	// receivePatience is how long a connection waits for room.
	receivePatience = 5 * time.Second
)

// Set notes how many bytes of commands the connection has. It waits for room, and reports false where there is none.
func (r *Receiving) Set(bytes int64) bool {
	if r.Of == nil {
		return true
	}
	if bytes < leastReceived {
		bytes = 0
	}
	bytes *= copiesReceived
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		if r.try(bytes) {
			return true
		}
		if time.Since(began) > receivePatience {
			return false
		}
	}
}

func (r *Receiving) try(bytes int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over {
		return true
	}
	more := bytes - r.bytes
	if more > 0 && !r.Of.receive(more) {
		return false
	}
	if more < 0 {
		r.Of.received.Add(more)
	}
	r.bytes = bytes
	return true
}

// End notes that the connection is gone.
func (r *Receiving) End() {
	if r.Of == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over = true
	r.Of.received.Add(-r.bytes)
	r.bytes = 0
}

// receive counts bytes that come in, if there is room.
func (p *Process) receive(bytes int64) bool {
	limit := p.limit.Load()
	if now := p.received.Add(bytes); limit <= 0 || now <= limit/receivedShare {
		return true
	}
	p.received.Add(-bytes)
	return false
}
