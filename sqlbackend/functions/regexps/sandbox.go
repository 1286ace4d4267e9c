package regexps

import (
	"context"
	"sync"
	"unsafe"

	regex "github.com/dolthub/go-icu-regex"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/tetratelabs/wazero/api"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions/icu"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// A sandbox of the regular expressions' library takes 64 MiB, however short the pattern. So the patterns of one
// statement share one.

// MaxPatterns bounds the regular expressions that a statement holds at the same time: so many fit into a sandbox,
// with the matched text.
const MaxPatterns = 500

// icuModules returns the pool of the library's sandboxes; the first call compiles the library.
var icuModules = sync.OnceValue(func() (pool *regex.Pool) {
	icu.Load(func() unsafe.Pointer {
		pool = regex.NewPool()
		return unsafe.Pointer(pool)
	})
	return pool
})

// sandbox is a sandbox that several patterns share.
type sandbox struct {
	mu       sync.Mutex // for all calls
	Module   api.Module
	patterns int
	trapped  bool // a call failed halfway: the state is not reliable
	ended    bool // the statement has ended
}

// Sandboxes holds the sandbox of a session's running command.
type Sandboxes struct {
	mu      sync.Mutex
	current *sandbox
}

// takeSandbox returns the sandbox of the running statement, or one for a single pattern where none runs.
func takeSandbox(ctx context.Context) (*sandbox, error) {
	if c, ok := ctx.(*sql.Context); ok {
		if s, ok := c.Session.(interface{ RegexpSandboxes() *Sandboxes }); ok {
			return s.RegexpSandboxes().take()
		}
	}
	return &sandbox{Module: icuModules().Get(), patterns: 1, ended: true}, nil
}

func (s *Sandboxes) take() (*sandbox, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil || !s.current.usable() {
		s.current = &sandbox{Module: icuModules().Get()}
	}
	return s.current, s.current.enter()
}

// End ends the sandbox of the running command.
func (s *Sandboxes) End() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != nil {
		s.current.end()
		s.current = nil
	}
}

// usable reports whether further patterns may use the sandbox.
func (b *sandbox) usable() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return !b.trapped && !b.ended
}

// enter adds a pattern.
func (b *sandbox) enter() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.patterns >= MaxPatterns {
		return mysqlerr.FinishError(statement.TooComplex("regular expressions", MaxPatterns))
	}
	b.patterns++
	return nil
}

// leave removes a pattern, which has freed its memory.
func (b *sandbox) leave() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.patterns--
	b.letGo()
}

// end notes that there will be no more patterns.
func (b *sandbox) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = true
	b.letGo()
}

// letGo returns the sandbox to the pool once it is unused, or closes it if a call has failed halfway: the pool learns
// of that at garbage collection.
func (b *sandbox) letGo() {
	switch {
	case b.patterns > 0 || !b.ended && !b.trapped || b.Module == nil:
		return
	case b.trapped:
		_ = b.Module.Close(context.Background())
	default:
		icuModules().Put(b.Module)
	}
	b.Module, b.ended = nil, true
}

// call calls a function of the library. code, if not 0, is the address where the library writes error codes.
func (b *sandbox) call(ctx context.Context, code uint32, function string, args ...uint64) (result uint64,
	failure int32, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	memory := b.Module.Memory()
	if code != 0 {
		memory.WriteUint32Le(code, 0)
	}
	results, err := b.Module.ExportedFunction(function).Call(ctx, args...)
	if err != nil {
		b.trapped = true
		return 0, 0, err
	}
	if len(results) > 0 {
		result = results[0]
	}
	if code != 0 {
		told, _ := memory.ReadUint32Le(code)
		failure = int32(told)
	}
	return result, failure, nil
}
