package sqlbackend

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	sqle "github.com/dolthub/go-mysql-server"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/memo"
	"github.com/dolthub/vitess/go/mysql"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/batch"
	"github.com/sqlfdb/sqlfdb/sqlbackend/companion"
	"github.com/sqlfdb/sqlfdb/sqlbackend/ddl"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/information"
	"github.com/sqlfdb/sqlfdb/sqlbackend/join"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/plancache"
	"github.com/sqlfdb/sqlfdb/sqlbackend/privilege"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// Options are the settings of NewEngine.
type Options struct {
	// RootPassword is the password of the user root. When it is empty anybody
	// who can connect is root.
	RootPassword string
	// Encrypts: clients can have encrypted connections, so that passwords of new accounts may be such that are sent.
	Encrypts bool
	// HoldJobs makes the background work begin held: see VarJobs.
	HoldJobs bool
	// Jobs are further settings of the background work; its Held and Report are replaced by the fields above.
	Jobs jobs.Options
	// Bucket is the address of the bucket that the store is, in which new tables are made; empty: it is none.
	Bucket string
	// Databases belong to the program around the engine. They stand beside the store's, under their names.
	// Sessions are the store's: a database that casts them to its own, as go-mysql-server's in memory does, can't be one.
	Databases []sql.Database
	// Report gets the failures of background work; nil ignores them.
	Report func(error)
}

// Backend is the SQL engine over one store. It is safe for concurrent use.
type Backend struct {
	*session.Instance
	system         *information.System
	checksAccounts bool // see CheckAccounts
	programs       *plancache.Cache
}

// flushWait is how long closing waits for buckets.
const flushWait = 2 * time.Second

// making is held while an engine is made.
var making sync.Mutex

// NewEngine builds the SQL engine over a store and its catalog. The caller
// closes the engine before the store.
func NewEngine(store kv.Store, cat *catalog.Catalog, opts Options) (*Backend, error) {
	if err := addSystemVariables(); err != nil {
		return nil, fmt.Errorf("sqlbackend: system variables: %w", err)
	}
	b := &Backend{Instance: session.NewInstance(store, cat, opts.Bucket)}
	b.Hooks = sessionHooks()
	b.programs = plancache.New(b.Instance)
	b.CountPrograms = b.programs.Count
	var err error
	if b.Users, err = newUsers(opts); err != nil {
		return nil, fmt.Errorf("sqlbackend: root's password: %w", err)
	}
	b.system = information.NewSystem(b.Instance)
	background := opts.Jobs
	background.Held, background.Report = opts.HoldJobs, opts.Report
	b.Instance.Jobs = newRunner(b.Instance, background)
	p := &provider{backend: b.Instance, system: b.system, others: opts.Databases}
	rules, err := installRules(p)
	if err != nil {
		return nil, fmt.Errorf("sqlbackend: rules: %w", err)
	}
	a := rules.Build()
	a.Coster = join.Coster{Coster: memo.NewDefaultCoster()}
	a.Catalog.InfoSchema = &information.Schema{Database: a.Catalog.InfoSchema, Backend: b.Instance}
	a.ExecBuilder = table.WholeBuilder{NodeExecBuilder: newExecutor()}
	making.Lock() // the engine fills variables of the process
	b.Engine = sqle.New(a, &sqle.Config{})
	making.Unlock()
	b.Engine.ProcessList = information.NewProcesses(b.Engine.ProcessList, b.Instance)
	b.Engine.Parser = &notingParser{Parser: parserOf(sql.NewMysqlParser()), backend: b}
	// The engine would look privileges up in every statement: see privilege.Authorize.
	a.Catalog.AuthHandler = sql.NoopAuthorizationHandler{}
	return b, nil
}

// Close ends all transactions and the engine's background work. It does not
// close the store.
func (b *Backend) Close() error {
	b.Instance.Jobs.Stop()
	flushing, done := context.WithTimeout(context.Background(), flushWait)
	defer done()
	// A writer's mark that stays behind runs out by itself.
	_ = b.Buckets.Close(flushing)
	cleared := b.ClearSpent()
	b.Cancel()
	// The engine reports that it ended its own context.
	if err := b.Engine.Close(); err != nil && !errors.Is(err, context.Canceled) {
		return errors.Join(cleared, err)
	}
	return cleared
}

// Catalog is the catalog of the store.
func (b *Backend) Catalog() *catalog.Catalog { return b.Instance.Catalog }

// NewSession is the session of a new connection.
func (b *Backend) NewSession(_ context.Context, conn *mysql.Conn, address string) (sql.Session, error) {
	client := sql.Client{Address: conn.RemoteAddr().String(), Capabilities: conn.Capabilities}
	if user, ok := conn.UserData.(sql.MysqlConnectionUser); ok {
		client.User = user.User
		client.Address = user.Host
	} else {
		client.User = conn.User
	}
	s := session.New(b.Instance, sql.NewBaseSessionWithClientServer(address, client, conn.ConnectionID))
	s.Login.Required = b.checksAccounts
	s.Remote = conn.RemoteAddr().String()
	if conn.RemoteAddr().Network() == "unix" {
		s.Remote = "localhost"
	}
	b.Mu.Lock()
	b.Sessions[conn.ConnectionID] = s
	b.Mu.Unlock()
	return s, nil
}

// Memory counts the bytes that the sessions hold together.
func (b *Backend) Memory() *hold.Process { return b.Instance.Memory }

// notingParser notes in the session each statement that is parsed for it, and
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
	s, ok := c.Session.(*session.Session)
	if !ok {
		return stmt, nil
	}
	if len(s.Parsed.All) > 0 {
		if _, preparing := s.Parsed.All[0].(*ast.Prepare); preparing {
			if err := preparable(stmt); err != nil {
				return nil, err
			}
		}
	}
	if information.LeavesOut(c, stmt) {
		return information.LeaveOut(1290, "the database mysql is read-only: what a dump has of it is left out"), nil
	}
	if x, ok := stmt.(*ast.Execute); ok {
		p.reparse(c, s, x.Name)
	}
	err = privilege.AuthorizeParsed(s, c, stmt)
	if err == nil && information.KeyIsThere(s, c, stmt) {
		return information.LeaveOut(mysql.ERMultiplePriKey, "the primary key is there already"), nil
	}
	if err == nil {
		err = refused(s, c, stmt)
	}
	if err != nil {
		stmt = session.Failing(mysqlerr.Of(c, err))
	}
	switch p := stmt.(type) {
	case *ast.Prepare:
		if err := notePrepare(s, c, p); err != nil {
			stmt = session.Failing(mysqlerr.Of(c, err))
		}
	case *ast.Deallocate:
		forgetPrepared(s, c, p.Name)
	}
	if s.Completes && len(s.Parsed.All) == 0 {
		sql.IncrementStatusVariable(c, session.CounterOf(stmt), 1)
	}
	shown, err := information.ShowAsSelect(s, c, p.Parser, stmt)
	if err != nil {
		return session.Failing(mysqlerr.Of(c, err)), nil
	}
	stmt = shown
	if e, ok := stmt.(*ast.Explain); ok {
		if err := syntax.ExplainFormat(e); err != nil {
			return session.Failing(mysqlerr.Of(c, err)), nil
		}
	}
	syntax.LiteralUnions(stmt)
	syntax.OrderAliases(stmt, s.Parsed.OrderAliases)
	stmt = syntax.UnionFound(ddl.Renaming(stmt))
	syntax.SplitChanges(stmt)
	syntax.KeyClauses(stmt)
	for _, check := range []func(ast.Statement) error{syntax.WholeKey, syntax.RefusedKey} {
		if err := check(stmt); err != nil {
			return session.Failing(mysqlerr.Of(c, err)), nil
		}
	}
	syntax.KeepLongNumbers(stmt, query)
	information.SelectDumped(s, c, stmt, query)
	if defines, ok := stmt.(*ast.DDL); ok {
		syntax.TakeKeyExpressions(defines)
		ddl.TakeKeypathIndexes(defines)
		ddl.TakeForeignKeys(defines)
	}
	join.Stars(s, c, stmt, query)
	if stmt, err = ddl.ByViews(s, c, stmt); err != nil {
		return session.Failing(mysqlerr.Of(c, err)), nil
	}
	if insert, ok := stmt.(*ast.Insert); ok {
		table.CompleteInsert(s, c, insert)
		syntax.InsertedValues(insert)
	}
	table.DefaultsOfGenerated(s, c, stmt)
	if stmt, err = ddl.DefaultValues(s, c, stmt, query); err != nil {
		return session.Failing(mysqlerr.Of(c, err)), nil
	}
	ddl.NoteCollations(s, stmt)
	first := len(s.Parsed.All) == 0
	s.Parsed.Note(stmt)
	runs := stmt
	if x, ok := stmt.(*ast.Execute); ok {
		if prepared, ok := p.backend.Engine.PreparedDataCache.GetCachedStmt(s.ID(), x.Name); ok {
			syntax.OrderAliases(prepared, s.Parsed.OrderAliases)
			s.Parsed.Note(prepared)
			runs = prepared
		}
	}
	if first {
		if s.Completes {
			if err := companion.AwaitMaps(s, c, runs); err != nil {
				return session.Failing(err), nil
			}
		}
		if err := s.BeginStatement(runs, query); err != nil {
			return session.Failing(err), nil
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
	s, ok := c.Session.(*session.Session)
	if !ok {
		return "", false
	}
	return executedDefinition(s, stmt)
}

// Parse implements sql.Parser.
func (p *notingParser) Parse(ctx *sql.Context, query string, multi bool) (ast.Statement, string, string, error) {
	if translated, ok := information.TranslateCheck(query); ok {
		query = translated
	}
	if stmt, ok := ddl.ParseAlterOption(query); ok {
		stmt, err := p.note(ctx, stmt, query, nil)
		return stmt, query, "", err
	}
	if stmt, rest, ok := ddl.ParseOwn(query); ok {
		query = query[:len(query)-len(rest)]
		stmt, err := p.note(ctx, stmt, query, nil)
		return stmt, query, strings.TrimSpace(rest), err
	}
	if rows := batch.Text(ctx, query); len(rows) < len(query) {
		stmt, _, _, err := p.Parser.Parse(ctx, rows, false)
		stmt, err = p.note(ctx, stmt, rows, err)
		return stmt, query, "", err
	}
	stmt, parsed, rest, err := p.Parser.Parse(ctx, query, multi)
	if text, ok := executed(ctx, stmt, err); ok {
		stmt, parsed, _, err = p.Parser.Parse(ctx, text, false)
		query = text
	}
	// comments, as behind a dump's last statement
	if multi && err == ast.ErrEmpty && strings.Trim(query, " \t\r\n;") != "" {
		return information.LeaveOut(0, ""), parsed, rest, nil
	}
	stmt, err = p.note(ctx, stmt, query, err)
	return stmt, parsed, rest, err
}

// ParseWithOptions implements sql.Parser.
func (p *notingParser) ParseWithOptions(ctx context.Context, query string, delimiter rune, multi bool,
	options ast.ParserOptions) (ast.Statement, string, string, error) {
	if translated, ok := information.TranslateCheck(query); ok {
		query = translated
	}
	if stmt, ok := ddl.ParseAlterOption(query); ok {
		stmt, err := p.note(ctx, stmt, query, nil)
		return stmt, query, "", err
	}
	if stmt, rest, ok := ddl.ParseOwn(query); ok {
		query = query[:len(query)-len(rest)]
		stmt, err := p.note(ctx, stmt, query, nil)
		return stmt, query, strings.TrimSpace(rest), err
	}
	if rows := batch.Text(ctx, query); len(rows) < len(query) {
		stmt, _, _, err := p.Parser.ParseWithOptions(ctx, rows, delimiter, false, options)
		stmt, err = p.note(ctx, stmt, rows, err)
		return stmt, query, "", err
	}
	stmt, parsed, rest, err := p.Parser.ParseWithOptions(ctx, query, delimiter, multi, options)
	if text, ok := executed(ctx, stmt, err); ok {
		stmt, parsed, _, err = p.Parser.ParseWithOptions(ctx, text, delimiter, false, options)
		query = text
	}
	// comments, as behind a dump's last statement
	if multi && err == ast.ErrEmpty && strings.Trim(query, " \t\r\n;") != "" {
		return information.LeaveOut(0, ""), parsed, rest, nil
	}
	stmt, err = p.note(ctx, stmt, query, err)
	return stmt, parsed, rest, err
}

// ParseOneWithOptions implements sql.Parser.
func (p *notingParser) ParseOneWithOptions(ctx context.Context, query string, options ast.ParserOptions) (ast.Statement,
	int, error) {
	if translated, ok := information.TranslateCheck(query); ok {
		stmt, _, err := p.Parser.ParseOneWithOptions(ctx, translated, options)
		stmt, err = p.note(ctx, stmt, query, err)
		return stmt, len(query), err
	}
	if stmt, ok := ddl.ParseAlterOption(query); ok {
		stmt, err := p.note(ctx, stmt, query, nil)
		return stmt, len(query), err
	}
	if stmt, rest, ok := ddl.ParseOwn(query); ok {
		stmt, err := p.note(ctx, stmt, query, nil)
		return stmt, len(query) - len(rest), err
	}
	if rows := batch.Text(ctx, query); len(rows) < len(query) {
		stmt, _, err := p.Parser.ParseOneWithOptions(ctx, rows, options)
		stmt, err = p.note(ctx, stmt, rows, err)
		return stmt, len(query), err
	}
	stmt, n, err := p.Parser.ParseOneWithOptions(ctx, query, options)
	stmt, err = p.note(ctx, stmt, query, err)
	if c, ok := ctx.(*sql.Context); ok && err == nil {
		if s, ok := c.Session.(*session.Session); ok && s.Rewrote {
			noteReparse(s, query)
		}
	}
	return stmt, n, err
}

// parserOf wraps the engine's parser with the parsers of our own statements.
func parserOf(inner sql.Parser) sql.Parser {
	return syntax.NewParser(inner, parseMaintenance, session.ParseTransaction)
}

// Programs are how many programs are kept, and how often one was run.
func (b *Backend) Programs() (kept, runs int64) {
	n, runs := b.programs.Count()
	return int64(n), runs
}

// RunProgram runs a statement by its program; ran is false if it has none.
func (b *Backend) RunProgram(ctx *sql.Context, query string, parameters map[string]*querypb.BindVariable,
	flags *sql.QueryFlags) (schema sql.Schema, rows sql.RowIter, ran bool, err error) {
	return b.programs.Run(ctx, query, parameters, flags)
}

// Description is what a client is told of a statement that it prepares, and Basis what that rests on.
type (
	Description = plancache.Description
	Basis       = plancache.Basis
)

// Described is the description of a statement that the session has prepared before, if it is the same now. Otherwise
// it is what the description rests on that preparing it gives now.
func (b *Backend) Described(ctx *sql.Context, query string) (is *Description, on Basis, err error) {
	return b.programs.Described(ctx, query)
}

// Remember remembers the description of a statement that a client has prepared.
func (b *Backend) Remember(c *Client, query string, is Description, on Basis) {
	b.programs.Remember(c.Session, query, is, on)
}

// Query runs a statement as the engine's QueryWithBindings does, and keeps a program of it if it can have one.
func (b *Backend) Query(ctx *sql.Context, query string, parsed ast.Statement, bindings map[string]ast.Expr,
	flags *sql.QueryFlags) (sql.Schema, sql.RowIter, error) {
	return b.programs.Query(ctx, query, parsed, bindings, flags)
}
