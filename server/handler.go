package server

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	gms "github.com/dolthub/go-mysql-server/server"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"
	"github.com/dolthub/vitess/go/vt/sqlparser"
	"github.com/sirupsen/logrus"

	"github.com/sqlfdb/sqlfdb/sqlbackend"
	"github.com/sqlfdb/sqlfdb/sqlbackend/batch"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
)

// handler wraps the engine's handler of protocol commands. It runs an autocommit statement
// that met a conflict again, and turns errors and panics into MySQL's errors. When the
// server stops, it knows the running commands.
type handler struct {
	mysql.Handler
	backend  *sqlbackend.Backend
	sessions *gms.SessionManager // set before the first command
	log      *logrus.Logger
	began    time.Time
	version  string        // of the program
	copyStep time.Duration // backup.Options.Step

	watch  *watch
	closed chan struct{} // closed by beginClosing

	mu      sync.Mutex
	idle    *sync.Cond // of running == 0 and of no clients
	running int
	clients map[uint32]*client // by connection
	closing bool
}

func newHandler(inner mysql.Handler, backend *sqlbackend.Backend, log *logrus.Logger) *handler {
	h := &handler{Handler: inner, backend: backend, log: log, clients: map[uint32]*client{},
		closed: make(chan struct{})}
	h.idle, h.watch = sync.NewCond(&h.mu), newWatch(h)
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

// run runs one command. This is the retry loop of SQL, next to kv.Transact below SQL. A
// statement runs again that was a transaction of its own, met a conflict and has sent
// nothing to the client. Its effects on the session are undone. A statement that is
// committed in batches comes here once for each.
func (h *handler) run(ctx context.Context, c *mysql.Conn, query string, sent func() bool,
	command func(context.Context) error) (failure error) {
	ctx, end, err := h.begin(ctx, c, query)
	if err != nil {
		return err
	}
	defer end()
	s, err := h.session(c)
	if err != nil {
		return err
	}
	if s != nil {
		defer s.Parsed.ForgetAliases()
		defer s.Turn.Leave()
		defer s.Memory().Leave()
	}
	announced := session.Command{Query: query, Began: time.Now(), Context: ctx,
		Interrupt: func() { h.overrun(c.ConnectionID, ctx) }}
	bound := firstWait
	var absent time.Time // since when the store has not answered; zero: it has
	defer func() { h.watch.note(s, query, time.Since(announced.Began), failure) }()
	for attempt := 1; ; attempt++ {
		if s != nil {
			s.Announce(announced)
		}
		err := h.guard(func() error {
			if s != nil {
				if err := s.Memory().EnterText(ctx, int64(len(query))); err != nil {
					return err
				}
			}
			return command(ctx)
		})
		if s != nil && s.Released() {
			h.release(c)
		}
		if err == nil && s != nil && s.NextBatch() {
			attempt, bound, absent = 0, firstWait, time.Time{}
			continue
		}
		if err == nil {
			if s != nil {
				_ = s.EndBatches(nil)
				h.logSlow(s, query)
			}
			return nil
		}
		if s != nil && !sent() && ctx.Err() == nil && (s.Parsed.AliasMeant(err) || s.Turn.IsFree(err)) {
			s.UndoEffects()
			continue
		}
		if s != nil && !sent() && ctx.Err() == nil && s.BatchWorthwhile() {
			s.UndoEffects()
			attempt = 0
			continue
		}
		if !unanswered(err) {
			absent = time.Time{}
		} else if absent.IsZero() {
			absent = time.Now()
		}
		gone := !absent.IsZero() && time.Since(absent) > longestAbsence
		if s == nil || sent() || attempt == maxAttempts || gone || !s.RetryWorthwhile(err) || ctx.Err() != nil {
			if s != nil {
				h.logSlow(s, query)
			}
			return h.failed(ctx, s, query, err)
		}
		s.RetryBatch()
		s.UndoEffects()
		timer := time.NewTimer(time.Duration(rand.Int64N(int64(bound) + 1)))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return h.failed(ctx, s, query, ctx.Err())
		}
		bound = min(2*bound, longestWait)
	}
}

// failed makes the client's error of an error.
func (h *handler) failed(ctx context.Context, s *sqlbackend.Client, query string, err error) error {
	if s != nil {
		query = s.Parsed.Text(query)
	}
	err = mysqlerr.FinishInterrupted(syntax.FinishStatement(query, err), context.Cause(ctx))
	if s != nil {
		s.UndoCommand()
		err = s.NameMissing(s.EndBatches(s.FinishDefinition(err)))
		s.Diagnostics.NoteFailure(err)
	}
	return err
}

// session finds the session of a connection; the engine makes it with the first
// command. It is nil where there is no engine.
func (h *handler) session(c *mysql.Conn) (*sqlbackend.Client, error) {
	if s, ok := h.backend.Client(c.ConnectionID); ok {
		return s, nil
	}
	if h.known(c) {
		if _, err := h.ParserOptionsForConnection(c); err != nil {
			return nil, err
		}
	}
	s, _ := h.backend.Client(c.ConnectionID)
	return s, nil
}

// complete makes one result of the results of a statement's batches: the last batch's is final, and sums up all.
func (h *handler) complete(c *mysql.Conn, r *sqltypes.Result) (final bool, err error) {
	s, ok := h.backend.Client(c.ConnectionID)
	if !ok || r == nil {
		return true, nil
	}
	if err := s.Failure(); err != nil {
		return false, err
	}
	if len(r.Fields) == 0 {
		var all batch.Result
		if all, final = s.FinishBatch(batch.Result{Affected: r.RowsAffected, InsertID: r.InsertID,
			Info: r.Info}); !final {
			s.Work.NoteRows(int(r.RowsAffected))
			return false, nil
		}
		r.RowsAffected, r.InsertID, r.Info = all.Affected, all.InsertID, all.Info
	}
	s.Work.NoteRows(max(len(r.Rows), int(r.RowsAffected)))
	return true, nil
}

// guard turns a panic into an error: no input of a client ends the process.
func (h *handler) guard(command func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			h.log.WithField("stack", string(debug.Stack())).Errorf("panic in a command: %v", p)
			err = fmt.Errorf("internal error: %v", p)
		}
	}()
	return command()
}

// columns describes the columns of the result of a connection's statement; nil: unknown.
func (h *handler) columns(c *mysql.Conn) columnsOf {
	if s, ok := h.backend.Client(c.ConnectionID); ok {
		return s.Planning.Results.Column
	}
	return nil
}

// answer sends parts of a result as the client expects them.
func (h *handler) answer(c *mysql.Conn, sent *answered, send mysql.ResultSpoolFn) mysql.ResultSpoolFn {
	return func(r *sqltypes.Result, more bool) error {
		if final, err := h.complete(c, r); err != nil || !final {
			return err
		}
		sent.note(r, h.columns(c))
		return send(r, more)
	}
}

// plain is a text as it is spelled without the SQL modes of its session.
func (h *handler) plain(c *mysql.Conn, query string) (plain string, err error) {
	err = h.guard(func() error {
		plain, err = h.backend.Plain(c.ConnectionID, query)
		return err
	})
	return plain, syntax.FinishStatement(query, err)
}

// ComQuery implements mysql.Handler.
func (h *handler) ComQuery(ctx context.Context, c *mysql.Conn, query string, callback mysql.ResultSpoolFn) error {
	query, err := h.plain(c, query)
	if err != nil {
		return err
	}
	query = h.backend.Decoded(c, query)
	var sent answered
	err = h.run(ctx, c, query, sent.any, func(ctx context.Context) error {
		_, err := h.execute(ctx, c, query, false, nil, h.answer(c, &sent, callback))
		return err
	})
	return sent.breakOff(c, err)
}

// ComMultiQuery implements mysql.Handler.
func (h *handler) ComMultiQuery(ctx context.Context, c *mysql.Conn, query string, callback mysql.ResultSpoolFn) (string,
	error) {
	query, err := h.plain(c, query)
	if err != nil {
		return "", err
	}
	// Each statement is read by itself: to read the text behind it each time would take the square of the text's length.
	cut := statement.First
	if h.backend.Decodes(c) { // the text behind it is in the character set that the first statement may set
		cut = statement.Cut
	}
	first, behind := cut(query)
	first, behind = h.backend.Decoded(c, first), strings.TrimSpace(behind)
	var sent answered
	var rest string
	answer := h.answer(c, &sent, callback)
	send := func(r *sqltypes.Result, more bool) error { return answer(r, more || behind != "") }
	err = h.run(ctx, c, query, sent.any, func(ctx context.Context) error {
		var err error
		rest, err = h.execute(ctx, c, first, true, nil, send)
		return err
	})
	if behind != "" {
		rest = behind
	}
	if err != nil {
		rest = "" // an error is the last result
	}
	return rest, sent.breakOff(c, err)
}

// ComStmtExecute implements mysql.Handler.
func (h *handler) ComStmtExecute(ctx context.Context, c *mysql.Conn, prepare *mysql.PrepareData,
	callback func(*sqltypes.Result) error) error {
	if wire := wireOf(c); wire != nil && wire.overlong.Swap(false) {
		return mysql.NewSQLError(errPacketTooLarge, "08S01", "Parameters are longer than 'max_allowed_packet' bytes")
	}
	if err := checkParameters(prepare.BindVars); err != nil {
		return err
	}
	spellTemporals(prepare)
	h.backend.DecodeParameters(c, prepare)
	if s, ok := h.backend.Client(c.ConnectionID); ok {
		s.NoteParameters(func() string { return parameterText(prepare.BindVars) })
	}
	var sent answered
	err := h.run(ctx, c, prepare.PrepareStmt, sent.any, func(ctx context.Context) error {
		send := func(r *sqltypes.Result, _ bool) error { return callback(r) }
		_, err := h.execute(ctx, c, prepare.PrepareStmt, false, prepare.BindVars, h.answer(c, &sent, send))
		return err
	})
	return sent.breakOff(c, err)
}

// ComInitDB implements mysql.Handler.
func (h *handler) ComInitDB(c *mysql.Conn, schema string) error {
	_, end, err := h.begin(context.Background(), c, "")
	if err != nil {
		return err
	}
	defer end()
	s, err := h.session(c)
	if err != nil {
		return err
	}
	if err := h.backend.MayUse(c.ConnectionID, schema); err != nil {
		return mysqlerr.FinishError(err)
	}
	err = mysqlerr.FinishError(h.guard(func() error { return h.Handler.ComInitDB(c, schema) }))
	if s != nil && err != nil {
		err = s.NameMissing(err)
	}
	return err
}

// ComResetConnection implements mysql.Handler, also for COM_CHANGE_USER: nobody becomes
// another user than the one whose password was checked. An error ends the connection; the protocol's implementation
// would send an OK behind it.
func (h *handler) ComResetConnection(c *mysql.Conn) error {
	err := h.resetConnection(c)
	if wire := wireOf(c); wire != nil && err != nil {
		var refused *mysql.SQLError
		if errors.As(err, &refused) {
			_, _ = wire.Write(errorPacket(1, refused))
		}
		c.Close()
	}
	return err
}

func (h *handler) resetConnection(c *mysql.Conn) error {
	_, end, err := h.begin(context.Background(), c, "")
	if err != nil {
		return err
	}
	defer end()
	user := h.takeOtherUser(c)
	if user != nil {
		wire := wireOf(c)
		if user.name != c.User {
			err = mysql.NewSQLError(mysql.ERAccessDeniedError, mysql.SSAccessDeniedError,
				"Access denied for user '%s': connect anew", user.name)
		} else if wire != nil && wire.check != nil {
			err = wire.check(user.name, user.answer)
		}
		if err != nil {
			return err
		}
	}
	c.StatusFlags = initialStatus()
	err = mysqlerr.FinishError(h.guard(func() error {
		if _, err := h.session(c); err != nil { // as the first command it finds none
			return err
		}
		if err := h.Handler.ComResetConnection(c); err != nil || user == nil {
			return err
		}
		if err := h.backend.MayUse(c.ConnectionID, user.database); err != nil {
			return err
		}
		return h.Handler.ComInitDB(c, user.database)
	}))
	if wire := wireOf(c); wire != nil && err == nil {
		wire.reset.Store(uint32(c.StatusFlags))
	}
	return err
}

// ParserOptionsForConnection implements mysql.Handler.
func (h *handler) ParserOptionsForConnection(c *mysql.Conn) (options sqlparser.ParserOptions, err error) {
	err = h.guard(func() error {
		options, err = h.Handler.ParserOptionsForConnection(c)
		return err
	})
	return options, mysqlerr.FinishError(err)
}

// NewConnection implements mysql.Handler.
func (h *handler) NewConnection(c *mysql.Conn) {
	cl := &client{conn: c, wire: wireOf(c)}
	h.mu.Lock()
	h.clients[c.ConnectionID] = cl
	h.mu.Unlock()
	c.StatusFlags = initialStatus()
	h.Handler.NewConnection(c)
}

// initialStatus are the status flags of a session that has done nothing yet. The greeting has them, and drivers believe
// them: a client that wants no autocommit does not ask for it when the server says it is on.
func initialStatus() uint16 {
	if _, on, ok := sql.SystemVariables.GetGlobal(sql.AutoCommitSessionVar); ok {
		if auto, err := sql.ConvertToBool(nil, on); err == nil && !auto {
			return 0
		}
	}
	return uint16(mysql.ServerStatusAutocommit)
}

// ConnectionClosed implements mysql.Handler. The engine ends the session, which
// rolls its transaction back.
func (h *handler) ConnectionClosed(c *mysql.Conn) {
	defer func() {
		h.mu.Lock()
		delete(h.clients, c.ConnectionID)
		h.idle.Broadcast()
		h.mu.Unlock()
	}()
	_ = h.guard(func() error {
		if _, began := h.backend.Client(c.ConnectionID); !began && h.sessions != nil {
			// It has sent no command, and most likely did not log in: the engine would make a session to end it.
			h.sessions.RemoveConn(c)
			return nil
		}
		h.Handler.ConnectionClosed(c)
		return nil
	})
}

// known reports whether the connection was announced by NewConnection.
func (h *handler) known(c *mysql.Conn) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.clients[c.ConnectionID] != nil
}

// release ends a connection once its command has been answered.
func (h *handler) release(c *mysql.Conn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if cl := h.clients[c.ConnectionID]; cl != nil {
		cl.hangUp()
	}
}

// takeOtherUser is the COM_CHANGE_USER that a COM_RESET_CONNECTION was made of; nil
// if it is one.
func (h *handler) takeOtherUser(c *mysql.Conn) *otherUser {
	h.mu.Lock()
	defer h.mu.Unlock()
	cl := h.clients[c.ConnectionID]
	if cl == nil || cl.wire == nil {
		return nil
	}
	return cl.wire.user.Swap(nil)
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

// endRunning ends the commands that run.
func (h *handler) endRunning() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, cl := range h.clients {
		if cl.cancel != nil {
			cl.cancel(mysqlerr.ErrClosing)
		}
	}
}

// disconnect waits after beginClosing until all connections have ended, since their clients
// may still be reading. Behind patience it closes the others.
func (h *handler) disconnect(patience time.Duration) {
	if h.awaitNone(patience) {
		return
	}
	h.mu.Lock()
	open := make([]*mysql.Conn, 0, len(h.clients))
	for _, cl := range h.clients {
		open = append(open, cl.conn)
	}
	h.mu.Unlock()
	for _, c := range open {
		c.Close()
	}
	h.awaitNone(patience)
}

// awaitNone waits for all clients to be gone and reports whether they are.
func (h *handler) awaitNone(patience time.Duration) bool {
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
	for len(h.clients) > 0 && ctx.Err() == nil {
		h.idle.Wait()
	}
	return len(h.clients) == 0
}
