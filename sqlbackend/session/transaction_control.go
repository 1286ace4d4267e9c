package session

import (
	"cmp"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// The statements that begin, end and describe transactions are read here. The engine's parser ignores AND CHAIN,
// RELEASE and WITH CONSISTENT SNAPSHOT, knows only one characteristic, and applies SET TRANSACTION for good.

// accessMode is the access mode of START TRANSACTION or SET TRANSACTION.
type accessMode uint8

const (
	accessUnsaid accessMode = iota
	accessReadWrite
	accessReadOnly
)

// TransactionControl is START TRANSACTION, BEGIN, COMMIT, ROLLBACK, or a SET
// TRANSACTION for the next transaction alone.
type TransactionControl struct {
	verb     string // BEGIN, COMMIT, ROLLBACK or SET
	access   accessMode
	level    string // of isolation; empty if not given
	snapshot bool   // WITH CONSISTENT SNAPSHOT
	chain    bool
	release  bool
}

var (
	_ ast.Injectable    = (*TransactionControl)(nil)
	_ sql.ExecSourceRel = (*TransactionControl)(nil)
)

// ParseTransaction reads such a statement from the start of the text and returns its length. For SET SESSION or
// GLOBAL TRANSACTION it returns the statement that sets the variables, as text.
func ParseTransaction(text string) (stmt ast.Statement, translated string, length int, ok bool) {
	r := tokenReader{text: text}
	c := &TransactionControl{}
	switch {
	case r.word("BEGIN"):
		c.verb = "BEGIN"
		r.word("WORK")
	case r.words("START", "TRANSACTION"):
		c.verb = "BEGIN"
		for more := !r.ended(); more; more = r.word(",") {
			switch {
			case r.words("WITH", "CONSISTENT", "SNAPSHOT"):
				c.snapshot = true
			case !r.access(&c.access):
				return nil, "", 0, false
			}
		}
	case r.word("COMMIT"):
		c.verb = "COMMIT"
		r.completion(c)
	case r.word("ROLLBACK"):
		c.verb = "ROLLBACK"
		r.completion(c)
	case r.word("SET"):
		return r.setTransaction()
	default:
		return nil, "", 0, false
	}
	if !r.ended() {
		return nil, "", 0, false
	}
	if c.chain && c.release {
		return Failing(mysql.NewSQLError(mysql.ERParseError, "42000",
			"syntax error: %s can't both begin a transaction and end the connection", c.verb)), "", r.pos, true
	}
	return c.injected(), "", r.pos, true
}

func (c *TransactionControl) injected() ast.Statement {
	return ast.InjectedStatement{Statement: c, Auth: ast.AuthInformation{AuthType: ast.AuthType_IGNORE}}
}

// tokenReader reads words from the left of a text. Words that it does not consume stay.
type tokenReader struct {
	text string
	pos  int
}

func (r *tokenReader) word(w string) bool {
	t := statement.NextToken(r.text, r.pos)
	if !t.Is(r.text, w) {
		return false
	}
	r.pos = t.End
	return true
}

func (r *tokenReader) words(list ...string) bool {
	from := r.pos
	for _, w := range list {
		if !r.word(w) {
			r.pos = from
			return false
		}
	}
	return true
}

// ended reports whether the statement ends here.
func (r *tokenReader) ended() bool {
	t := statement.NextToken(r.text, r.pos)
	return t.Kind == statement.TokenEnd || t.Is(r.text, ";")
}

// access reads READ ONLY or READ WRITE; only one of them may be given, and once.
func (r *tokenReader) access(into *accessMode) bool {
	said := accessUnsaid
	switch {
	case r.words("READ", "ONLY"):
		said = accessReadOnly
	case r.words("READ", "WRITE"):
		said = accessReadWrite
	}
	if said == accessUnsaid || *into != accessUnsaid {
		return false
	}
	*into = said
	return true
}

// completion reads [WORK] [AND [NO] CHAIN] [[NO] RELEASE].
func (r *tokenReader) completion(c *TransactionControl) {
	r.word("WORK")
	if !r.words("AND", "NO", "CHAIN") {
		c.chain = r.words("AND", "CHAIN")
	}
	if !r.words("NO", "RELEASE") {
		c.release = r.word("RELEASE")
	}
}

// setTransaction reads the text after SET, if it is about transactions.
func (r *tokenReader) setTransaction() (stmt ast.Statement, translated string, length int, ok bool) {
	scope := ""
	switch {
	case r.word("GLOBAL"):
		scope = "GLOBAL"
	case r.word("SESSION"), r.word("LOCAL"):
		scope = "SESSION"
	}
	if !r.word("TRANSACTION") {
		return nil, "", 0, false
	}
	c := &TransactionControl{verb: "SET"}
	level := ""
	for {
		switch {
		case r.words("ISOLATION", "LEVEL"):
			found := ""
			for _, l := range isolationLevels {
				if r.words(strings.Split(l, "-")...) {
					found = l
				}
			}
			if found == "" || level != "" {
				return nil, "", 0, false
			}
			level = found
		case !r.access(&c.access):
			return nil, "", 0, false
		}
		if !r.word(",") {
			break
		}
	}
	if !r.ended() {
		return nil, "", 0, false
	}
	if scope == "" {
		c.level = level
		return c.injected(), "", r.pos, true
	}
	var sets []string
	if level != "" {
		sets = append(sets, scope+" "+setting.Isolation+" = '"+level+"'")
	}
	switch c.access {
	case accessReadOnly:
		sets = append(sets, scope+" transaction_read_only = 1")
	case accessReadWrite:
		sets = append(sets, scope+" transaction_read_only = 0")
	}
	return nil, "SET " + strings.Join(sets, ", "), r.pos, true
}

// isolationLevels are the values of transaction_isolation. The first two are alike.
var isolationLevels = []string{readUncommitted, readCommitted, "REPEATABLE-READ", serializable}

const (
	readUncommitted = "READ-UNCOMMITTED"
	readCommitted   = "READ-COMMITTED"
	serializable    = "SERIALIZABLE"
)

// IsolationVariable is transaction_isolation, whose default is SERIALIZABLE.
func IsolationVariable() sql.SystemVariable {
	return &sql.MysqlSystemVariable{Name: setting.Isolation, Scope: sql.GetMysqlScope(sql.SystemVariableScope_Both),
		Dynamic: true, Type: types.NewSystemEnumType(setting.Isolation, isolationLevels...), Default: serializable}
}

// WithResolvedChildren implements ast.Injectable.
func (c *TransactionControl) WithResolvedChildren([]any) (any, error) { return c, nil }

// Resolved implements sql.Node.
func (c *TransactionControl) Resolved() bool { return true }

// String implements sql.Node.
func (c *TransactionControl) String() string { return c.verb + " TRANSACTION" }

// Schema implements sql.Node.
func (c *TransactionControl) Schema() sql.Schema { return nil }

// Children implements sql.Node.
func (c *TransactionControl) Children() []sql.Node { return nil }

// WithChildren implements sql.Node.
func (c *TransactionControl) WithChildren(children ...sql.Node) (sql.Node, error) {
	if len(children) != 0 {
		return nil, sql.ErrInvalidChildrenNumber.New(c, len(children), 0)
	}
	return c, nil
}

// IsReadOnly implements sql.Node.
func (c *TransactionControl) IsReadOnly() bool { return true }

// RowIter implements sql.ExecSourceRel.
func (c *TransactionControl) RowIter(ctx *sql.Context, _ sql.Row) (sql.RowIter, error) {
	s, err := Of(ctx)
	if err != nil {
		return nil, err
	}
	switch c.verb {
	case "SET":
		err = s.Next.set(c.access, c.level)
	case "BEGIN":
		err = s.beginExplicit(ctx, c)
	default:
		err = s.complete(ctx, c)
	}
	if err != nil {
		return nil, err
	}
	return sql.RowsToRowIter(), nil
}

// beginExplicit begins a transaction that lasts until the client ends it. An open one has been committed before: see
// CommitsBefore.
func (s *Session) beginExplicit(ctx *sql.Context, c *TransactionControl) error {
	if open, ok := s.GetTransaction().(*Transaction); ok {
		open.cancel()
	}
	s.Readers.Close()
	s.Tables = nil
	t := s.newTransaction(c.access, c.level)
	s.Next.access, s.Next.level = accessUnsaid, ""
	if c.snapshot {
		t.checked = true
		w, err := t.Begin()
		if err == nil {
			_, err = w.ReadVersion()
		}
		if err != nil {
			t.cancel()
			s.SetTransaction(nil)
			return s.SQLError(err)
		}
	}
	ctx.SetTransaction(t)
	ctx.SetIgnoreAutoCommit(true)
	return nil
}

// complete runs COMMIT or ROLLBACK.
func (s *Session) complete(ctx *sql.Context, c *TransactionControl) error {
	access, level := accessUnsaid, ""
	if t, ok := s.GetTransaction().(*Transaction); ok {
		access, level = t.access, t.level
		var err error
		if c.verb == "COMMIT" {
			err = s.CommitTransaction(ctx, t)
		} else {
			err = s.Rollback(ctx, t)
		}
		if err != nil {
			return err
		}
	}
	ctx.SetIgnoreAutoCommit(false)
	ctx.SetTransaction(nil)
	s.released = c.release
	if c.chain {
		return s.beginExplicit(ctx, &TransactionControl{access: access, level: level})
	}
	return nil
}

// nextTransaction has the characteristics from SET TRANSACTION for a session's next transaction.
type nextTransaction struct {
	session *Session
	access  accessMode
	level   string
}

// set runs SET TRANSACTION for the next transaction.
func (n *nextTransaction) set(access accessMode, level string) error {
	s := n.session
	if t, ok := s.GetTransaction().(*Transaction); ok && !t.Ended &&
		(s.GetIgnoreAutoCommit() || t.begun() && !s.autocommit()) {
		return mysql.NewSQLError(
			1568, "25001", "Transaction characteristics can't be changed while a transaction is in progress")
	}
	if access != accessUnsaid {
		n.access = access
	}
	if level != "" {
		n.level = level
	}
	return nil
}

// Use clears the characteristics: the running command uses a table, so its transaction is the next one.
func (n *nextTransaction) Use() {
	s, access, level := n.session, n.access, n.level
	if (access != accessUnsaid || level != "") && s.Completes && s.GetTransaction() != nil {
		n.access, n.level = accessUnsaid, ""
		s.undo = append(s.undo, func() { n.access, n.level = access, level })
	}
}

// newTransaction returns a transaction. Its own characteristics take precedence over SET TRANSACTION's, and those
// over the session's settings.
func (s *Session) newTransaction(access accessMode, level string) *Transaction {
	if access == accessUnsaid {
		access = s.Next.access
	}
	if level = cmp.Or(level, s.Next.level); level == "" {
		v, err := s.BaseSession.GetSessionVariable(nil, setting.Isolation)
		if level, _ = v.(string); err != nil || level == "" {
			level = serializable
		}
	}
	t := &Transaction{Backend: s.Backend, Session: s, access: access, level: level}
	t.ReadOnly = access == accessReadOnly || access == accessUnsaid && s.readOnly()
	return t
}

// Committing is a statement of ours that may commit the session's transaction before it runs; defines says that it is
// a definition.
type Committing interface {
	CommitsBefore() (commits, defines bool)
}

func (c *TransactionControl) CommitsBefore() (commits, defines bool) { return c.verb == "BEGIN", false }

// CommitsBefore reports whether a statement first ends the session's transaction, as MySQL's statements on
// definitions, maintenance and transactions do. defines reports whether a read-only transaction refuses it.
func CommitsBefore(stmt ast.Statement, query string) (commits, defines bool) {
	switch stmt := stmt.(type) {
	case *ast.DDL, *ast.AlterTable, *ast.DBDDL:
		temporary := IsTemporary(stmt)
		return !temporary, !temporary
	case *ast.LockTables, *ast.Flush, *ast.Analyze:
		return true, false
	case ast.InjectedStatement:
		if node, ok := stmt.Statement.(Committing); ok {
			return node.CommitsBefore()
		}
	case *ast.Select:
		return strings.Contains(query, CheckPrefix), false // CHECK TABLE
	}
	return false, false
}

// commitBefore commits the session's transaction if the first statement of the running command requires it. The
// statement goes on in a new one.
func (s *Session) commitBefore(stmt ast.Statement, query string) error {
	commits, defines := CommitsBefore(stmt, query)
	t, open := s.GetTransaction().(*Transaction)
	if !commits || !open || t.Ended {
		s.Repeatable = s.Repeatable || defines
		return nil
	}
	if defines && t.ReadOnly {
		return sql.ErrReadOnlyTransaction.New()
	}
	s.Readers.Close()
	s.Tables = nil
	t.closeStatements()
	if err := t.restart(); err != nil {
		return s.SQLError(err)
	}
	s.SetIgnoreAutoCommit(false)
	fresh := s.newTransaction(accessUnsaid, "")
	t.access, t.level, t.ReadOnly = fresh.access, fresh.level, fresh.ReadOnly
	// The client's writes are committed: the definition itself may run again.
	s.Repeatable = s.Repeatable || defines
	return nil
}

// locks reports whether a statement is a SELECT … FOR UPDATE or FOR SHARE, or a SET to the result of one.
func locks(stmt ast.Statement) bool {
	found := false
	switch stmt.(type) {
	case ast.SelectStatement, *ast.Set:
		_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
			switch n := n.(type) {
			case *ast.Select:
				found = found || n.Lock != ""
			case *ast.SetOp:
				found = found || n.Lock != ""
			}
			return !found, nil
		}, stmt)
	}
	return found
}
