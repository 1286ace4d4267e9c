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
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// Session is one client's session. go-mysql-server runs one command of a
// session at a time.
//
// Commands end through CommandEnd, which closes what go-mysql-server leaves
// open: after a failed autocommit INSERT it calls no Close, and the next
// statement would commit the remains.
type Session struct {
	*sql.BaseSession
	Backend *Instance
	Remote  string // the client's address and port
	Login   Login
	// database is the current one, for the list of processes, which others read.
	Database atomic.Pointer[string]

	Parsed    Parsed
	ReadsMaps bool            // the command names map indexes
	Looked    bool            // it has looked which of them it has to wait for
	Unlooked  bool            // it runs again to do that
	Building  bool            // it has met one that is being built
	Impatient bool            // it has waited for one in vain
	Warned    map[string]bool // keypaths that the command has been warned of
	variables map[string]bool // that its expressions have assigned
	// tables holds what GetTableInsensitive has made for the running command.
	Tables map[string]CachedTable
	// UsesBuckets: the session has named a table in a bucket.
	UsesBuckets bool
	// Added are the documents that the running statement has put into buckets already.
	Added pool.Added
	// sharing is how many documents share a value, by keypath; see Table.perValue.
	Sharing map[SharingAt]float64
	// undo reverts the session effects of the running command, last first.
	undo    []func()
	Readers Readers
	// completes says that the command runs its statement: the handler has announced it.
	announcing, Completes bool
	// conflict is set when the running command met an error after which the
	// same statement may succeed.
	Conflict    bool
	Diagnostics diagnostics
	Work        workLog
	Planning    Planning
	Progress    progress
	Held        *hold.Budget
	regexps     functions.RegexpSandboxes
	Dumping     dumping
	// Choose chooses access paths where no hint does.
	Choose costing.Chooser
	// batch is the statement that runs in several transactions, over several commands.
	Batch batchProgress
	// load is the file of the LOAD DATA that runs.
	Load *LoadFile
	// replaced counts the rows that the running REPLACE has deleted beside the first of each that it inserted.
	Replaced int64
	// insertion is what the running INSERT of several rows counts.
	Insertion Insertion
	// taken is the hidden key of the row of a table without a primary key that has the values of a unique key already,
	// until ON DUPLICATE KEY UPDATE or REPLACE changes that row.
	Taken []byte
	// rekeyed is the collection whose primary key the next clause of the running ALTER TABLE takes the place of.
	Rekeyed int64
	// parameters are the running command's, as a text.
	Parameters  func() string
	Programs    any    // what package sqlbackend knows of programs for the running command
	ProgramText string // what an EXPLAIN says of its statement's program
	Settings    string // see planningBy; empty: not known
	// Resumable is the marker that an earlier run of the running statement has left, as of the version ResumableAt.
	Resumable   []byte
	ResumableAt int64
	// oversized is set when the running command was too large for a transaction.
	Oversized bool
	// outlasted is set when the running command has outlived its read version: running it
	// again would take as long.
	Outlasted bool
	// continued is set when it has gone on at a newer version.
	continued bool
	// outside is set when the running command began outside any transaction; repeatable, when it commits by itself too.
	outside, Repeatable bool
	Command             Command
	Turn                RowTurn
	Timer               *time.Timer // of the running command's limit
	Next                nextTransaction
	// preparedIn is the transaction in which the running command has prepared a statement.
	preparedIn *Transaction
	// left are transactions that the session was in during the running command, and is not any more.
	left []*Transaction
	// released is set by COMMIT RELEASE: the connection ends with the command.
	released bool
	// Rewrote is set once the syntax tree of a statement of the running command depends on definitions. Reparsed are the
	// prepared ones whose does, by their texts or names: each run parses them again.
	Rewrote  bool
	Reparsed map[string]bool
	// defined is set once the running command has changed definitions.
	Defined bool
	// numbers are the AUTO_INCREMENT values that the running command has taken.
	Numbers autoIncrementValues
	// prepared are the texts of the statements that PREPARE has named.
	Prepared map[string]string
	Own      ownTables
	assigned map[any]*compare.AssignedRows // see AssignedBy
	// usedBefore is the current database as it was before the running command.
	usedBefore string
	// OfView is the database of a view that is being bound while there is no current one.
	OfView string
	// failure is an error of the running command from a place that can't return one.
	Failed error
}

// batchProgress is how far a statement has come that runs in several transactions.
type batchProgress interface {
	Begin()                                  // an attempt at a batch begins
	Mark(t *Transaction) error               // the transaction is about to commit the batch
	Committed(file *LoadFile)                // it has
	Room(t *Transaction) (rows, bytes int64) // left in the running batch
	Ranks() bool                             // the attempt looks for where the rows end that ORDER BY and LIMIT take
	Driven() bool                            // rows come in the order of their keys, from where the last batch ended
	// scalar are the values that the next subquery of the statement has given in its first batch; KeepScalar notes them.
	Scalar(ctx *sql.Context, columns sql.Schema) (row []any, ok bool, err error)
	KeepScalar(row []any) error
}

// Memory is what the session's statement holds.
func (s *Session) Memory() *hold.Budget { return s.Held }

// RegexpSandboxes hold the session's regular expressions.
func (s *Session) RegexpSandboxes() *functions.RegexpSandboxes { return &s.regexps }

var (
	_ sql.Session               = (*Session)(nil)
	_ sql.TransactionSession    = (*Session)(nil)
	_ sql.LifecycleAwareSession = (*Session)(nil)
)

// New is the session of a connection.
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

// Warnings implements sql.Session: the oldest first, as SHOW WARNINGS lists them.
// The engine, once it has bound a statement, takes the last ones for those of the
// statement and forgets the others.
func (s *Session) Warnings() []*sql.Warning {
	w := s.BaseSession.Warnings()
	slices.Reverse(w)
	if s.Diagnostics.Listing && s.Diagnostics.Earlier != nil {
		w = append(w, s.Diagnostics.Earlier)
	}
	return w
}

// GetPrivilegeSet implements sql.Session: the engine hides nothing; see sees.
func (s *Session) GetPrivilegeSet() (sql.PrivilegeSet, uint64) {
	_, counter := s.BaseSession.GetPrivilegeSet()
	return mysql_db.NewPrivilegeSetWithAllPrivileges(), counter
}

// AssignedBy is what the running command has assigned by some rules: see compare.AssignedBy.
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

// SessionEnd implements sql.LifecycleAwareSession: a client that is gone
// commits nothing.
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

// SetTransaction implements sql.Session. The engine lets go of the transaction of an autocommit
// statement that fails before it runs, and ends it nowhere: the end of the command does.
func (s *Session) SetTransaction(tx sql.Transaction) {
	if t, ok := s.GetTransaction().(*Transaction); ok && tx != sql.Transaction(t) && !t.over() {
		s.left = append(s.left, t)
	}
	s.BaseSession.SetTransaction(tx)
}

// cancelLeft ends the transactions that the session is not in any more.
func (s *Session) cancelLeft() {
	current := s.GetTransaction()
	for _, t := range s.left {
		if current != sql.Transaction(t) {
			t.cancel()
		}
	}
	s.left = nil
}

// UndoCommand undoes what the last command, which has failed, has written; the
// transaction that it is part of goes on.
func (s *Session) UndoCommand() {
	if t, ok := s.GetTransaction().(*Transaction); ok {
		t.undoCommand()
	}
	s.Own.undo()
}

// Failure is an error that the running command has met where the engine takes none: its answer is not to be
// sent.
func (s *Session) Failure() error { return s.SQLError(s.Failed) }

// RetryWorthwhile reports whether the command that just ended with an error was an autocommit
// statement that met a conflict, so that it may simply run again. A LOAD DATA
// may not where more of its file has come than is kept: the client sends it once. Nor may a command
// that has committed a change of definitions: it would meet its own change.
func (s *Session) RetryWorthwhile(err error) bool {
	if s.Impatient || s.Building && s.Looked {
		return false // it would wait as long again
	}
	var e *mysql.SQLError
	if errors.As(mysqlerr.FinishError(err), &e) && (e.Num == mysql.ERLockDeadlock || e.Num == mysqlerr.LockWait) &&
		!s.Conflict && !s.Outlasted {
		// Planning has met it, and the engine has made text of it: nobody had noted it when the command ended.
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

// UndoEffects reverts what the last command did to user variables, session
// variables, LAST_INSERT_ID and warnings, before the command runs again.
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

// SetUserVariable implements sql.Session. A variable is held for as long as the session lives.
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

// AssignVariable implements functions.Assigner. What a variable held before the command comes back if it is undone.
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

// Maintains reports whether a table of that name is one of documents.
func (s *Session) Maintains(database, table string) (bool, error) {
	view, err := s.Readers.Definitions()
	if err != nil {
		return false, s.SQLError(err)
	}
	_, ok := view.Table(database, table)
	return ok, nil
}

// SQLError makes a MySQL error of err, and remembers a conflict for the retry
// of autocommit statements.
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
