package sqlbackend

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	sqle "github.com/dolthub/go-mysql-server"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/memo"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/ahead"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/program"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
)

// Version is the version that clients are told, also as @@version. Tools decide by it what they may send.
const Version = "8.0.31-sqlfdb"

// Options are the settings of NewEngine.
type Options struct {
	// RootPassword is the password of the user root. When it is empty anybody
	// who can connect is root.
	RootPassword string
	// Encrypts: clients can have encrypted connections, so that passwords of new accounts may be such that are sent.
	Encrypts bool
	// HoldJobs makes the background work begin held: see VarJobs.
	HoldJobs bool
	// Jobs are further settings of the background work; Held and Report are those above.
	Jobs jobs.Options
	// Databases are those of the program that the engine is a part of. They stand beside the store's, under their names.
	// Sessions are the store's: a database that casts them to its own, as go-mysql-server's in memory does, can't be one.
	Databases []sql.Database
	// Report is told of failures of the background work; nil is nowhere.
	Report func(error)
}

// Backend is the SQL engine over one store. It is safe for concurrent use.
type Backend struct {
	// Engine is go-mysql-server's; package server serves it.
	Engine *sqle.Engine

	store       kv.Store
	catalog     *catalog.Catalog
	definitions *definitions
	system      *systemDB
	users       *users
	jobs        *jobs.Runner
	awaiting    atomic.Int64    // see Awaiting
	ctx         context.Context // of transactions: ends with Close
	cancel      context.CancelFunc

	closing        context.Context // of waits: ends when the server begins to close, or with Close
	endWaits       context.CancelCauseFunc
	kill           func(connection uint32, kill Kill) bool         // see OnKill
	checksAccounts bool                                            // see CheckAccounts
	traffic        func(connection uint32) (received, sent uint64) // see OnTraffic

	ahead atomic.Pointer[ahead.Options] // how transactions read ahead; nil: not at all, for BenchmarkReadAhead

	programs program.Kept[*tableProgram]
	maps     knownMaps

	counts atomic.Pointer[countsAt] // of the newest version that a session has planned at

	memory *hold.Process // what the sessions hold

	pulse sync.Once // see keepTemporaries

	mu       sync.Mutex
	sessions map[uint32]*Session
	batches  map[string]struct{} // the statements in batches that run here
	spent    [][]byte            // markers of commits whose outcome is known
}

// making is held while an engine is made.
var making sync.Mutex

// NewEngine builds the SQL engine over a store and its catalog. The caller
// closes the engine before the store.
func NewEngine(store kv.Store, cat *catalog.Catalog, opts Options) (*Backend, error) {
	if err := addSystemVariables(); err != nil {
		return nil, fmt.Errorf("sqlbackend: system variables: %w", err)
	}
	b := &Backend{
		store:       store,
		catalog:     cat,
		definitions: &definitions{catalog: cat, byID: map[int64]*definition{}},
		sessions:    map[uint32]*Session{},
		memory:      hold.NewProcess(),
		batches:     map[string]struct{}{},
	}
	var err error
	if b.users, err = newUsers(opts); err != nil {
		return nil, fmt.Errorf("sqlbackend: root's password: %w", err)
	}
	b.ahead.Store(&ahead.Options{OnlyAgain: !store.ReadsWait()})
	b.ctx, b.cancel = context.WithCancel(context.Background())
	b.closing, b.endWaits = context.WithCancelCause(b.ctx)
	b.system = &systemDB{readOnlyDatabase{name: systemDatabase}, b}
	b.jobs = b.newRunner(opts)
	p := &provider{backend: b, others: opts.Databases}
	a := installRules(p).Build()
	a.Coster = joinCoster{memo.NewDefaultCoster()}
	a.Catalog.InfoSchema = &infoDatabase{Database: a.Catalog.InfoSchema, backend: b}
	a.ExecBuilder = wholeBuilder{newExecutor()}
	making.Lock() // the engine fills variables of the process
	b.Engine = sqle.New(a, &sqle.Config{})
	making.Unlock()
	b.Engine.ProcessList = processes{b.Engine.ProcessList, b}
	b.Engine.Parser = &notingParser{Parser: parserOf(sql.NewMysqlParser()), backend: b}
	// The engine would look privileges up in every statement: see authorize.
	a.Catalog.AuthHandler = sql.NoopAuthorizationHandler{}
	return b, nil
}

// Close ends all transactions and the engine's background work. It does not
// close the store.
func (b *Backend) Close() error {
	b.jobs.Stop()
	cleared := b.clearSpent()
	b.cancel()
	// The engine reports that it ended its own context.
	if err := b.Engine.Close(); err != nil && !errors.Is(err, context.Canceled) {
		return errors.Join(cleared, err)
	}
	return cleared
}

// Catalog is the catalog of the store.
func (b *Backend) Catalog() *catalog.Catalog { return b.catalog }

// NewSession is the session of a new connection.
func (b *Backend) NewSession(_ context.Context, conn *mysql.Conn, address string) (sql.Session, error) {
	client := sql.Client{Address: conn.RemoteAddr().String(), Capabilities: conn.Capabilities}
	if user, ok := conn.UserData.(sql.MysqlConnectionUser); ok {
		client.User = user.User
		client.Address = user.Host
	} else {
		client.User = conn.User
	}
	s := newSession(b, sql.NewBaseSessionWithClientServer(address, client, conn.ConnectionID))
	s.loggedIn = b.checksAccounts
	s.remote = conn.RemoteAddr().String()
	if conn.RemoteAddr().Network() == "unix" {
		s.remote = "localhost"
	}
	b.mu.Lock()
	b.sessions[conn.ConnectionID] = s
	b.mu.Unlock()
	return s, nil
}

// Memory is what the sessions hold together.
func (b *Backend) Memory() *hold.Process { return b.memory }

// Session finds the session of a connection.
func (b *Backend) Session(connection uint32) (*Session, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s, ok := b.sessions[connection]
	return s, ok
}

// setRunning notes that a statement in batches runs here, or does no more.
func (b *Backend) setRunning(run string, on bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if on {
		b.batches[run] = struct{}{}
	} else {
		delete(b.batches, run)
	}
}

// isRunning reports whether a statement in batches runs here.
func (b *Backend) isRunning(run string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, ok := b.batches[run]
	return ok
}

// forget drops a session that has ended; its connection may have a new one.
func (b *Backend) forget(s *Session) {
	s.held.Close()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.sessions[s.ID()] == s {
		delete(b.sessions, s.ID())
	}
}

// notingParser tells the session of each statement that is parsed for it, and
// lets it answer some statements by others.
type notingParser struct {
	sql.Parser
	backend *Backend
}

func (p *notingParser) note(ctx context.Context, stmt ast.Statement, query string, err error) (ast.Statement, error) {
	c, ok := ctx.(*sql.Context)
	if !ok || stmt == nil || err != nil {
		return stmt, err
	}
	s, ok := c.Session.(*Session)
	if !ok {
		return stmt, nil
	}
	if len(s.parsed) > 0 {
		if _, preparing := s.parsed[0].(*ast.Prepare); preparing {
			if err := preparable(stmt); err != nil {
				return nil, err
			}
		}
	}
	if leavesOut(c, stmt) {
		return leaveOut(1290, "the database mysql is read-only: what a dump has of it is left out"), nil
	}
	if x, ok := stmt.(*ast.Execute); ok {
		p.prepareAnew(c, s, x.Name)
	}
	err = s.authorizeParsed(c, stmt)
	if err == nil && s.keyIsThere(c, stmt) {
		return leaveOut(mysql.ERMultiplePriKey, "the primary key is there already"), nil
	}
	if err == nil {
		err = s.refused(c, stmt)
	}
	if err != nil {
		stmt = failing(mysqlerr.Of(c, err))
	}
	if prepare, ok := stmt.(*ast.Prepare); ok {
		s.notePrepare(c, prepare)
	}
	if s.completes && len(s.parsed) == 0 {
		sql.IncrementStatusVariable(c, counterOf(stmt), 1)
	}
	shown, err := s.showAsSelect(c, p.Parser, stmt)
	if err != nil {
		return failing(mysqlerr.Of(c, err)), nil
	}
	stmt = shown
	if e, ok := stmt.(*ast.Explain); ok {
		if err := syntax.ExplainFormat(e); err != nil {
			return failing(mysqlerr.Of(c, err)), nil
		}
	}
	syntax.LiteralUnions(stmt)
	syntax.OrderAliases(stmt, s.orderAliases)
	stmt = syntax.UnionFound(renaming(stmt))
	syntax.RenamesApart(stmt)
	syntax.KeyClauses(stmt)
	for _, check := range []func(ast.Statement) error{syntax.WholeKey, syntax.RefusedKey} {
		if err := check(stmt); err != nil {
			return failing(mysqlerr.Of(c, err)), nil
		}
	}
	syntax.KeepLongNumbers(stmt, query)
	s.selectDumped(c, stmt, query)
	if ddl, ok := stmt.(*ast.DDL); ok {
		syntax.TakeKeyExpressions(ddl)
		takeKeypathIndexes(ddl)
		takeForeignKeys(ddl)
	}
	s.joinStars(c, stmt, query)
	if stmt, err = s.byViews(c, stmt); err != nil {
		return failing(mysqlerr.Of(c, err)), nil
	}
	if insert, ok := stmt.(*ast.Insert); ok {
		s.completeInsert(c, insert)
	}
	s.defaultsOfGenerated(c, stmt)
	if stmt, err = s.defaultValues(c, stmt, query); err != nil {
		return failing(mysqlerr.Of(c, err)), nil
	}
	s.noteCollations(stmt)
	first := len(s.parsed) == 0
	s.NoteStatement(stmt)
	runs := stmt
	if x, ok := stmt.(*ast.Execute); ok {
		if prepared, ok := p.backend.Engine.PreparedDataCache.GetCachedStmt(s.ID(), x.Name); ok {
			syntax.OrderAliases(prepared, s.orderAliases)
			s.NoteStatement(prepared)
			runs = prepared
		}
	}
	if first {
		if s.completes {
			if err := s.awaitMaps(c, runs); err != nil {
				return failing(err), nil
			}
		}
		if err := s.beginStatement(runs, query); err != nil {
			return failing(err), nil
		}
	}
	return stmt, nil
}

// executed is the text of the definition that an EXECUTE is about, which takes the place of the client's.
func executed(ctx context.Context, stmt ast.Statement, err error) (text string, ok bool) {
	c, ok := ctx.(*sql.Context)
	if !ok || err != nil {
		return "", false
	}
	s, ok := c.Session.(*Session)
	if !ok {
		return "", false
	}
	return s.executedDefinition(stmt)
}

// Parse implements sql.Parser.
func (p *notingParser) Parse(ctx *sql.Context, query string, multi bool) (ast.Statement, string, string, error) {
	if translated, ok := translateCheck(query); ok {
		query = translated
	}
	if stmt, ok := parseAlterOption(query); ok {
		stmt, err := p.note(ctx, stmt, query, nil)
		return stmt, query, "", err
	}
	if stmt, rest, ok := parseOwn(query); ok {
		query = query[:len(query)-len(rest)]
		stmt, err := p.note(ctx, stmt, query, nil)
		return stmt, query, strings.TrimSpace(rest), err
	}
	stmt, parsed, rest, err := p.Parser.Parse(ctx, query, multi)
	if text, ok := executed(ctx, stmt, err); ok {
		stmt, parsed, _, err = p.Parser.Parse(ctx, text, false)
		query = text
	}
	// comments, as behind a dump's last statement
	if multi && err == ast.ErrEmpty && strings.Trim(query, " \t\r\n;") != "" {
		return leaveOut(0, ""), parsed, rest, nil
	}
	stmt, err = p.note(ctx, stmt, query, err)
	return stmt, parsed, rest, err
}

// ParseWithOptions implements sql.Parser.
func (p *notingParser) ParseWithOptions(ctx context.Context, query string, delimiter rune, multi bool,
	options ast.ParserOptions) (ast.Statement, string, string, error) {
	if translated, ok := translateCheck(query); ok {
		query = translated
	}
	if stmt, ok := parseAlterOption(query); ok {
		stmt, err := p.note(ctx, stmt, query, nil)
		return stmt, query, "", err
	}
	if stmt, rest, ok := parseOwn(query); ok {
		query = query[:len(query)-len(rest)]
		stmt, err := p.note(ctx, stmt, query, nil)
		return stmt, query, strings.TrimSpace(rest), err
	}
	stmt, parsed, rest, err := p.Parser.ParseWithOptions(ctx, query, delimiter, multi, options)
	if text, ok := executed(ctx, stmt, err); ok {
		stmt, parsed, _, err = p.Parser.ParseWithOptions(ctx, text, delimiter, false, options)
		query = text
	}
	// comments, as behind a dump's last statement
	if multi && err == ast.ErrEmpty && strings.Trim(query, " \t\r\n;") != "" {
		return leaveOut(0, ""), parsed, rest, nil
	}
	stmt, err = p.note(ctx, stmt, query, err)
	return stmt, parsed, rest, err
}

// ParseOneWithOptions implements sql.Parser.
func (p *notingParser) ParseOneWithOptions(ctx context.Context, query string, options ast.ParserOptions) (ast.Statement,
	int, error) {
	if translated, ok := translateCheck(query); ok {
		stmt, _, err := p.Parser.ParseOneWithOptions(ctx, translated, options)
		stmt, err = p.note(ctx, stmt, query, err)
		return stmt, len(query), err
	}
	if stmt, ok := parseAlterOption(query); ok {
		stmt, err := p.note(ctx, stmt, query, nil)
		return stmt, len(query), err
	}
	if stmt, rest, ok := parseOwn(query); ok {
		stmt, err := p.note(ctx, stmt, query, nil)
		return stmt, len(query) - len(rest), err
	}
	stmt, n, err := p.Parser.ParseOneWithOptions(ctx, query, options)
	stmt, err = p.note(ctx, stmt, query, err)
	if c, ok := ctx.(*sql.Context); ok && err == nil {
		if s, ok := c.Session.(*Session); ok && s.rewrote {
			s.keepAnew(query)
		}
	}
	return stmt, n, err
}

// parserOf wraps the engine's parser with what reads our statements.
func parserOf(inner sql.Parser) sql.Parser {
	return syntax.NewParser(inner, parseMaintenance, parseTransaction)
}
