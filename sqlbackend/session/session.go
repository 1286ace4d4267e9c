package session

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/bucket/pool"
	"github.com/sqlfdb/sqlfdb/changes"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions/regexps"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// Session is one client's session. go-mysql-server runs one command of a
// session at a time.
//
// Commands end through CommandEnd, which closes what go-mysql-server leaves open. After a failed autocommit INSERT it
// calls no Close, and the next statement would commit the remains.
type Session struct {
	*sql.BaseSession
	Backend *Instance
	Remote  string // the client's address and port
	Login   Login
	// Database is the current database, for the list of processes, which other sessions read.
	Database atomic.Pointer[string]

	Parsed    Parsed
	ReadsMaps bool            // the command names map indexes
	Looked    bool            // it has checked which of them it must wait for
	Unlooked  bool            // it runs again to check that
	Building  bool            // it has found one that is being built
	Impatient bool            // it has waited for one in vain
	Warned    map[string]bool // keypaths that the command has warned of
	variables map[string]bool // that its expressions have assigned
	// Tables holds the tables that GetTableInsensitive has made for the running command.
	Tables map[string]CachedTable
	// UsesBuckets says that the session has named a table in a bucket.
	UsesBuckets bool
	// Added has the documents that the running statement has already written to buckets.
	Added pool.Added
	// Sharing has what earlier commands estimated, by keypath; package join sets it.
	Sharing map[SharingAt]Shared
	// undo reverts the session effects of the running command, last first.
	undo    []func()
	Readers Readers
	// Completes says that the command runs its statement: the handler has announced it.
	announcing, Completes bool
	// Conflict is set when the running command met an error after which the same statement may succeed.
	Conflict    bool
	Diagnostics diagnostics
	Work        workLog
	Planning    Planning
	Progress    progress
	Held        *hold.Budget
	regexps     regexps.Sandboxes
	Dumping     dumping
	// Choose chooses access paths where no hint does.
	Choose costing.Chooser
	// Batch is the statement that runs in several transactions, over several commands.
	Batch batchProgress
	// Load is the file of the running LOAD DATA.
	Load *LoadFile
	// Replaced counts the rows that the running REPLACE has deleted, without the first one for each inserted row.
	Replaced int64
	// Insertion has the counts of the running INSERT of several rows.
	Insertion Insertion
	// Taken is the hidden key of the row, in a table without a primary key, that already has the values of a unique
	// key. It is set until ON DUPLICATE KEY UPDATE or REPLACE changes that row.
	Taken []byte
	// Rekeyed is the collection whose primary key the next clause of the running ALTER TABLE replaces.
	Rekeyed int64
	// Parameters returns the running command's parameters as a text.
	Parameters  func() string
	Programs    any    // the programs of package sqlbackend for the running command
	ProgramText string // EXPLAIN's text on its statement's program
	Settings    string // see plancache's planningBy; empty if not known
	// Resumable is the marker of an earlier run of the running statement, at the version ResumableAt.
	Resumable   []byte
	ResumableAt int64
	// Oversized is set when the running command was too large for a transaction.
	Oversized bool
	// Outlasted is set when the running command has outlived its read version: another run would take as long.
	Outlasted bool
	// continued is set when the running command has gone on at a newer version.
	continued bool
	// outside is set when the running command began outside any transaction; Repeatable, when it also commits by
	// itself.
	outside, Repeatable bool
	Command             Command
	Turn                RowTurn
	Timer               *time.Timer // for the running command's time limit
	Next                nextTransaction
	// preparedIn is the transaction in which the running command has prepared a statement.
	preparedIn *Transaction
	// left are transactions that the session has left during the running command.
	left []*Transaction
	// released is set by COMMIT RELEASE: the connection ends with the command.
	released bool
	// Rewrote is set once the syntax tree of a statement of the running command depends on definitions. Reparsed has
	// such prepared statements, by their texts or names: each run parses them again.
	Rewrote  bool
	Reparsed map[string]bool
	// Defined is set once the running command has changed definitions.
	Defined bool
	// Numbers are the AUTO_INCREMENT values that the running command has drawn.
	Numbers autoIncrementValues
	// Prepared has the texts of the statements that PREPARE has named.
	Prepared map[string]string
	Own      ownTables
	assigned map[any]*compare.AssignedRows // see AssignedBy
	// usedBefore is the current database before the running command.
	usedBefore string
	// OfView is the database of a view that is being bound without a current database.
	OfView string
	// Views counts the views that the statement has read while it is bound.
	Views int
	// Failed is an error of the running command from a place that can't return one.
	Failed error
}

// batchProgress is the progress of a statement that runs in several transactions.
type batchProgress interface {
	Begin()                                  // an attempt at a batch begins
	Mark(t *Transaction) error               // the transaction is about to commit the batch
	Committed(file *LoadFile)                // the batch is committed
	Room(t *Transaction) (rows, bytes int64) // left in the running batch
	Ranks() bool                             // the attempt looks for the last row that ORDER BY and LIMIT select
	Driven() bool                            // rows come in the order of their keys, from where the last batch ended
	// Scalar returns the values that the statement's next subquery had in its first batch; KeepScalar notes them.
	Scalar(ctx *sql.Context, columns sql.Schema) (row []any, ok bool, err error)
	KeepScalar(row []any) error
}

// Memory returns the memory budget of the session's statement.
func (s *Session) Memory() *hold.Budget { return s.Held }

// ViewsRead returns how many views the statement has read while it is bound.
func (s *Session) ViewsRead() int { return s.Views }

// RegexpSandboxes hold the session's regular expressions.
func (s *Session) RegexpSandboxes() *regexps.Sandboxes { return &s.regexps }

var (
	_ sql.Session               = (*Session)(nil)
	_ sql.TransactionSession    = (*Session)(nil)
	_ sql.LifecycleAwareSession = (*Session)(nil)
)

// New returns the session of a connection.
func New(b *Instance, base *sql.BaseSession) *Session {
	s := &Session{BaseSession: base, Backend: b, Held: hold.NewBudget(b.Memory), Choose: costing.Choose}
	s.Planning.session, s.Login.session, s.Readers.session, s.Turn.session = s, s, s, s
	s.Own.session, s.Next.session, s.Diagnostics.session = s, s, s
	return s
}

// SetCurrentDatabase implements sql.Session.
func (s *Session) SetCurrentDatabase(name string) {
	s.Database.Store(&name)
	s.BaseSession.SetCurrentDatabase(name)
}

// Of returns the session of a context that the engine has made.
func Of(ctx *sql.Context) (*Session, error) {
	s, ok := ctx.Session.(*Session)
	if !ok {
		return nil, fmt.Errorf("sqlbackend: a session of type %T", ctx.Session)
	}
	return s, nil
}

// BeginStatement is called with the statement that a command runs, once it is parsed.
func (s *Session) BeginStatement(stmt ast.Statement, query string) error {
	if !s.Completes {
		return nil // it is only prepared
	}
	s.limitTime(stmt)
	if err := s.commitBefore(stmt, query); err != nil {
		// No CommandEnd follows where CommandBegin fails.
		if t, ok := s.GetTransaction().(*Transaction); ok && t.over() {
			s.SetTransaction(nil)
			s.SetIgnoreAutoCommit(false)
		}
		return err
	}
	return nil
}

// Warnings implements sql.Session: the oldest first, as SHOW WARNINGS lists them. The engine, once it has bound a
// statement, takes the last ones for the statement's and forgets the others.
func (s *Session) Warnings() []*sql.Warning {
	w := s.BaseSession.Warnings()
	slices.Reverse(w)
	if s.Diagnostics.Listing && s.Diagnostics.Earlier != nil {
		w = append(w, s.Diagnostics.Earlier)
	}
	return w
}

// GetPrivilegeSet implements sql.Session: the engine hides nothing; see privilege.Sees.
func (s *Session) GetPrivilegeSet() (sql.PrivilegeSet, uint64) {
	_, counter := s.BaseSession.GetPrivilegeSet()
	return mysql_db.NewPrivilegeSetWithAllPrivileges(), counter
}

// AssignedBy returns the rows that the running command has assigned by some rules: see compare.AssignedBy.
func (s *Session) AssignedBy(rules any) *compare.AssignedRows {
	rows := s.assigned[rules]
	if rows == nil {
		if s.assigned == nil {
			s.assigned = map[any]*compare.AssignedRows{}
		}
		rows = new(compare.AssignedRows)
		s.assigned[rules] = rows
	}
	return rows
}

// SessionEnd implements sql.LifecycleAwareSession: the open transaction of a client that is gone is not committed.
func (s *Session) SessionEnd() {
	s.Turn.Leave()
	s.Readers.Close()
	s.preparedIn = nil
	s.SetTransaction(nil)
	s.cancelLeft()
	s.Tables = nil
	s.Own.Now = nil
	s.Own.clear()
	s.Backend.forget(s)
}

// SetTransaction implements sql.Session. The engine drops the transaction of an autocommit statement that fails
// before it runs, and does not end it: the end of the command does.
func (s *Session) SetTransaction(tx sql.Transaction) {
	if t, ok := s.GetTransaction().(*Transaction); ok && tx != sql.Transaction(t) && !t.over() {
		s.left = append(s.left, t)
	}
	s.BaseSession.SetTransaction(tx)
}

// cancelLeft ends the transactions that the session has left.
func (s *Session) cancelLeft() {
	current := s.GetTransaction()
	for _, t := range s.left {
		if current != sql.Transaction(t) {
			t.cancel()
		}
	}
	s.left = nil
}

// UndoCommand undoes the writes of the last command, which has failed; its transaction goes on.
func (s *Session) UndoCommand() {
	if t, ok := s.GetTransaction().(*Transaction); ok {
		t.undoCommand()
	}
	s.Own.undo()
}

// Failure returns an error that the running command has met where the engine accepts none: its answer must not be
// sent.
func (s *Session) Failure() error { return s.SQLError(s.Failed) }

// RetryWorthwhile reports whether the command that just ended with an error was an autocommit statement that met a
// conflict, so that it may simply run again. A LOAD DATA may not if more of its file was read than is kept: the
// client sends it once. Nor may a command that has committed a change of definitions: it would meet its own change.
func (s *Session) RetryWorthwhile(err error) bool {
	if s.Impatient || s.Building && s.Looked {
		return false // it would wait as long again
	}
	var e *mysql.SQLError
	if errors.As(mysqlerr.FinishError(err), &e) && (e.Num == mysql.ERLockDeadlock || e.Num == mysqlerr.LockWait) &&
		!s.Conflict && !s.Outlasted {
		// Planning met it, and the engine turned it into text, so it was not noted when the command ended.
		s.Conflict = true
		if tx, ok := s.GetTransaction().(*Transaction); ok {
			s.abandon(tx)
		}
	}
	if !s.Conflict || s.Outlasted || !s.Repeatable || s.Defined || s.GetTransaction() != nil {
		return false
	}
	return s.Load == nil || !s.Load.lost
}

// UndoEffects reverts the last command's effects on user variables, session variables, LAST_INSERT_ID and warnings,
// before the command runs again.
func (s *Session) UndoEffects() {
	for i := len(s.undo) - 1; i >= 0; i-- {
		s.undo[i]()
	}
	s.undo = nil
	s.Own.undo()
	s.Numbers.undone()
	s.ClearWarnings()
	s.Work.repeat(!s.Turn.waited)
}

// SetUserVariable implements sql.Session. A variable counts as held memory as long as the session exists.
func (s *Session) SetUserVariable(ctx *sql.Context, name string, value interface{}, typ sql.Type) error {
	oldType, old, err := s.BaseSession.GetUserVariable(ctx, name)
	bytes := hold.ValueBytes(value) - hold.ValueBytes(old)
	if old == nil && value != nil {
		bytes += hold.KeyBytes + len(name)
	}
	if err := s.Held.Keep(ctx, bytes); err != nil {
		return err
	}
	if err == nil {
		s.undo = append(s.undo, func() {
			_ = s.Held.Keep(ctx, -bytes)
			_ = s.BaseSession.SetUserVariable(ctx, name, old, oldType)
		})
	}
	return s.BaseSession.SetUserVariable(ctx, name, value, typ)
}

// AssignVariableOnce implements functions.Assigner.
func (s *Session) AssignVariableOnce(ctx *sql.Context, name string, v any, t sql.Type) error {
	if s.variables[name] {
		return nil
	}
	return s.AssignVariable(ctx, name, v, t)
}

// AssignVariable implements functions.Assigner. If the command is undone, a variable gets its earlier value back.
func (s *Session) AssignVariable(ctx *sql.Context, name string, v any, t sql.Type) error {
	if !s.variables[name] {
		if s.variables == nil {
			s.variables = map[string]bool{}
		}
		s.variables[name] = true
		return s.SetUserVariable(ctx, name, v, t)
	}
	_, old, err := s.BaseSession.GetUserVariable(ctx, name)
	if err != nil {
		return err
	}
	if err := s.Held.Keep(ctx, hold.ValueBytes(v)-hold.ValueBytes(old)); err != nil {
		return err
	}
	return s.BaseSession.SetUserVariable(ctx, name, v, t)
}

// SetLastQueryInfoInt implements sql.Session.
func (s *Session) SetLastQueryInfoInt(key string, value int64) {
	if key == sql.LastInsertId {
		old := s.BaseSession.GetLastQueryInfoInt(key)
		s.undo = append(s.undo, func() { s.BaseSession.SetLastQueryInfoInt(key, old) })
	}
	if key == sql.RowCount {
		value += s.Replaced
	}
	s.BaseSession.SetLastQueryInfoInt(key, value)
}

// autocommit reports whether statements outside BEGIN commit by themselves.
func (s *Session) autocommit() bool {
	v, err := s.BaseSession.GetSessionVariable(nil, sql.AutoCommitSessionVar)
	if err != nil {
		return true
	}
	on, err := sql.ConvertToBool(nil, v)
	return err != nil || on
}

// readOnly reports whether the session's transactions may not write.
func (s *Session) readOnly() bool {
	v, err := s.BaseSession.GetSessionVariable(nil, "transaction_read_only")
	if err != nil {
		return false
	}
	on, err := sql.ConvertToBool(nil, v)
	return err == nil && on
}

// noteError remembers a conflict for the retry of autocommit statements.
func (s *Session) noteError(err error) {
	if kv.Retryable(err) {
		s.Conflict = true
	}
	if errors.Is(err, kv.ErrTooLarge) || errors.Is(err, changes.ErrTooManyChanges) {
		s.Oversized = true
	}
	if errors.As(err, new(*kv.LifeError)) {
		s.Outlasted = true
	}
}

// GetCurrentDatabase implements sql.Session.
func (s *Session) GetCurrentDatabase() string {
	if s.OfView != "" {
		return s.OfView
	}
	return s.BaseSession.GetCurrentDatabase()
}

// Maintains reports whether the definitions have a table of that name.
func (s *Session) Maintains(database, table string) (bool, error) {
	view, err := s.Readers.Definitions()
	if err != nil {
		return false, s.SQLError(err)
	}
	_, ok := view.Table(database, table)
	return ok, nil
}

// SQLError returns err as a MySQL error, and remembers a conflict for the retry of autocommit statements.
func (s *Session) SQLError(err error) error {
	if err == nil {
		return nil
	}
	s.noteError(err)
	if outlived := s.outlived(err); outlived != nil {
		return outlived
	}
	if large := s.Backend.Hooks.TooLarge(s, err); large != nil {
		return large
	}
	return mysqlerr.From(err)
}
