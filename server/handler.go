package server

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime/debug"
	"sync"
	"time"

	gms "github.com/dolthub/go-mysql-server/server"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"
	"github.com/dolthub/vitess/go/vt/sqlparser"
	"github.com/sirupsen/logrus"

	"github.com/sqlfdb/sqlfdb/sqlbackend"
)

// handler wraps the engine's handler of protocol commands: it runs an
// autocommit statement that met a conflict again, makes MySQL errors of
// errors and of panics, and knows what is running when the server stops.
type handler struct {
	mysql.Handler
	backend *sqlbackend.Backend
	log     io.Writer
	slow    *logrus.Logger // of slow statements

	mu          sync.Mutex
	idle        *sync.Cond // of running == 0 and of no connections
	running     int
	connections map[uint32]*mysql.Conn
}

func newHandler(inner mysql.Handler, backend *sqlbackend.Backend, log io.Writer) *handler {
	h := &handler{Handler: inner, backend: backend, log: log, slow: logrus.New(), connections: map[uint32]*mysql.Conn{}}
	h.slow.SetOutput(log)
	h.idle = sync.NewCond(&h.mu)
	return h
}

// How often and how patiently an autocommit statement is run again. The waits
// are random below a bound that doubles: writers of one hot document get
// through one after the other.
const (
	maxAttempts = 30
	firstWait   = time.Millisecond
	longestWait = 200 * time.Millisecond
)

// run runs one command. This is the retry loop of SQL, next to kv.Transact
// below SQL: a statement that was a transaction of its own, met a conflict and
// has sent nothing to the client runs again, its session effects undone.
func (h *handler) run(ctx context.Context, c *mysql.Conn, query string, sent func() bool, command func() error) error {
	h.begin()
	defer h.end()
	bound := firstWait
	for attempt := 1; ; attempt++ {
		h.backend.Announce(c.ConnectionID, query)
		err := h.guard(command)
		s, ok := h.backend.Session(c.ConnectionID)
		if err == nil {
			if ok {
				h.logSlow(s, query)
			}
			return nil
		}
		if !ok || sent() || attempt == maxAttempts || !s.RetryWorthwhile() {
			if ok {
				h.logSlow(s, query)
			}
			err = sqlbackend.FinishStatement(query, err)
			if ok {
				err = s.FinishDefinition(err)
				s.NoteFailure(err)
			}
			return err
		}
		s.UndoEffects()
		timer := time.NewTimer(time.Duration(rand.Int64N(int64(bound) + 1)))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return sqlbackend.FinishError(err)
		}
		bound = min(2*bound, longestWait)
	}
}

// complete adds the rows that the backend has kept back from a result.
func (h *handler) complete(c *mysql.Conn, r *sqltypes.Result) error {
	s, ok := h.backend.Session(c.ConnectionID)
	if !ok || r == nil {
		return nil
	}
	defer func() { s.NoteRows(max(len(r.Rows), int(r.RowsAffected))) }()
	ctx, rest := s.TakeRest()
	for _, row := range rest.Rows {
		out, err := gms.RowToSQL(ctx, rest.Schema, row, nil, nil)
		if err != nil {
			return err
		}
		r.Rows = append(r.Rows, out)
		r.RowsAffected++
	}
	if len(rest.Rows) > 0 {
		s.SetLastQueryInfoInt(sql.FoundRows, int64(len(r.Rows)))
	}
	return nil
}

// guard turns a panic into an error: no input of a client ends the process.
func (h *handler) guard(command func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(h.log, "panic in a command: %v\n%s\n", p, debug.Stack())
			err = fmt.Errorf("internal error: %v", p)
		}
	}()
	return command()
}

// ComQuery implements mysql.Handler.
func (h *handler) ComQuery(ctx context.Context, c *mysql.Conn, query string, callback mysql.ResultSpoolFn) error {
	sent := false
	return h.run(ctx, c, query, func() bool { return sent }, func() error {
		return h.Handler.ComQuery(ctx, c, query, func(r *sqltypes.Result, more bool) error {
			if err := h.complete(c, r); err != nil {
				return err
			}
			sent = true
			forClient(r)
			return callback(r, more)
		})
	})
}

// ComMultiQuery implements mysql.Handler.
func (h *handler) ComMultiQuery(ctx context.Context, c *mysql.Conn, query string, callback mysql.ResultSpoolFn) (string, error) {
	sent := false
	var rest string
	err := h.run(ctx, c, query, func() bool { return sent }, func() error {
		var err error
		rest, err = h.Handler.ComMultiQuery(ctx, c, query, func(r *sqltypes.Result, more bool) error {
			if err := h.complete(c, r); err != nil {
				return err
			}
			sent = true
			forClient(r)
			return callback(r, more)
		})
		return err
	})
	return rest, err
}

// ComStmtExecute implements mysql.Handler.
func (h *handler) ComStmtExecute(ctx context.Context, c *mysql.Conn, prepare *mysql.PrepareData, callback func(*sqltypes.Result) error) error {
	if err := checkParameters(prepare.BindVars); err != nil {
		return err
	}
	sent := false
	return h.run(ctx, c, prepare.PrepareStmt, func() bool { return sent }, func() error {
		return h.Handler.ComStmtExecute(ctx, c, prepare, func(r *sqltypes.Result) error {
			if err := h.complete(c, r); err != nil {
				return err
			}
			sent = true
			forClient(r)
			return callback(r)
		})
	})
}

// ComPrepare implements mysql.Handler.
func (h *handler) ComPrepare(ctx context.Context, c *mysql.Conn, query string, prepare *mysql.PrepareData) (fields []*querypb.Field, err error) {
	if err := checkPlaceholders(query); err != nil {
		return nil, err
	}
	h.begin()
	defer h.end()
	err = h.guard(func() error {
		options, err := h.Handler.ParserOptionsForConnection(c)
		if err != nil {
			return err
		}
		countParameters(ctx, query, options, prepare)
		fields, err = h.Handler.ComPrepare(ctx, c, query, prepare)
		return err
	})
	return fields, sqlbackend.FinishError(err)
}

// ComInitDB implements mysql.Handler.
func (h *handler) ComInitDB(c *mysql.Conn, schema string) error {
	h.begin()
	defer h.end()
	return sqlbackend.FinishError(h.guard(func() error { return h.Handler.ComInitDB(c, schema) }))
}

// ComResetConnection implements mysql.Handler.
func (h *handler) ComResetConnection(c *mysql.Conn) error {
	h.begin()
	defer h.end()
	return sqlbackend.FinishError(h.guard(func() error { return h.Handler.ComResetConnection(c) }))
}

// ParserOptionsForConnection implements mysql.Handler.
func (h *handler) ParserOptionsForConnection(c *mysql.Conn) (options sqlparser.ParserOptions, err error) {
	err = h.guard(func() error {
		options, err = h.Handler.ParserOptionsForConnection(c)
		return err
	})
	return options, sqlbackend.FinishError(err)
}

// NewConnection implements mysql.Handler.
func (h *handler) NewConnection(c *mysql.Conn) {
	unwrap(c)
	h.mu.Lock()
	h.connections[c.ConnectionID] = c
	h.mu.Unlock()
	h.Handler.NewConnection(c)
}

// ConnectionClosed implements mysql.Handler. The engine ends the session, which
// rolls its transaction back.
func (h *handler) ConnectionClosed(c *mysql.Conn) {
	defer func() {
		h.mu.Lock()
		delete(h.connections, c.ConnectionID)
		h.idle.Broadcast()
		h.mu.Unlock()
	}()
	_ = h.guard(func() error {
		h.Handler.ConnectionClosed(c)
		return nil
	})
}

func (h *handler) begin() {
	h.mu.Lock()
	h.running++
	h.mu.Unlock()
}

func (h *handler) end() {
	h.mu.Lock()
	h.running--
	h.idle.Broadcast()
	h.mu.Unlock()
}

// commands is the number of commands that run.
func (h *handler) commands() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.running
}

// drain waits until no command runs, or the context ends.
func (h *handler) drain(ctx context.Context) {
	stop := context.AfterFunc(ctx, func() {
		h.mu.Lock()
		h.idle.Broadcast()
		h.mu.Unlock()
	})
	defer stop()
	h.mu.Lock()
	defer h.mu.Unlock()
	for h.running > 0 && ctx.Err() == nil {
		h.idle.Wait()
	}
}

// disconnect closes all connections and waits until their sessions have ended,
// for a bounded time.
func (h *handler) disconnect(patience time.Duration) {
	h.mu.Lock()
	open := make([]*mysql.Conn, 0, len(h.connections))
	for _, c := range h.connections {
		open = append(open, c)
	}
	h.mu.Unlock()
	for _, c := range open {
		c.Close()
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	stop := context.AfterFunc(ctx, func() {
		h.mu.Lock()
		h.idle.Broadcast()
		h.mu.Unlock()
	})
	defer stop()
	h.mu.Lock()
	defer h.mu.Unlock()
	for len(h.connections) > 0 && ctx.Err() == nil {
		h.idle.Wait()
	}
}
