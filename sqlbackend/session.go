package sqlbackend

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/changes"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/rewrite"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/subquery"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// Session is one client's session. go-mysql-server runs one command of a
// session at a time.
//
// Commands end through CommandEnd, which closes what go-mysql-server leaves
// open: after a failed autocommit INSERT it calls no Close, and the next
// statement would commit the remains.
type Session struct {
	*sql.BaseSession
	backend *Backend
	remote  string // the client's address and port
	// loggedIn: the session is of a client, who has the rights of an account.
	loggedIn bool
	// database is the current one, for the list of processes, which others read.
	database atomic.Pointer[string]

	// What the running command has parsed, in order: the statement itself, and
	// the definitions of the views and triggers that it meets.
	parsed    []sqlparser.Statement
	written   written               // the collations that the last definition among them names
	announced []sqlparser.Statement // parsed before the command began
	readsMaps bool                  // the command names map indexes
	looked    bool                  // it has looked which of them it has to wait for
	building  bool                  // it has met one that is being built
	impatient bool                  // it has waited for one in vain
	names     *statement.Names      // what they name; see commandNames
	// orderAliases are those that ORDER BY means by names that the command has been found to have no columns of.
	orderAliases []string
	warned       map[string]bool // keypaths that the command has been warned of
	variables    map[string]bool // that its expressions have assigned
	// tables holds what GetTableInsensitive has made for the running command.
	tables map[string]cachedTable
	// sharing is how many documents share a value, by keypath; see Table.perValue.
	sharing map[sharingAt]float64
	// undo reverts the session effects of the running command, last first.
	undo []func()
	// reading is what a command reads outside any transaction: PREPARE and
	// COM_INIT_DB bind names without beginning one.
	reading *reading
	// counts are those that planning has read last, with their version.
	counts *countsAt
	// completes says that the command runs its statement: the handler has announced it.
	announcing, completes bool
	// planned is what the rules before the engine's have left of a plain plan; see leaving.
	planned sql.Node
	// conflict is set when the running command met an error after which the
	// same statement may succeed.
	conflict    bool
	diagnostics diagnostics
	work        workLog
	progress    progress
	held        *hold.Budget
	regexps     functions.RegexpSandboxes
	distinct    map[operandOf]float64 // how many values operands of joins have, as far as they were asked for
	// scans are what the EXPLAIN that runs says of tables that it reads as a whole.
	scans map[tree.Place]*accessPath
	// evaluated are the subqueries that it has run to plan the statement, and analysis what all nodes have done.
	evaluated []evaluatedQuery
	analysis  *analysis
	dumping   dumping
	// choosing takes the place of costing.Choose in tests that try every candidate.
	choosing func(documents int64, candidates []costing.Candidate, estimates []costing.Estimate) costing.Choice
	// batch is the statement that runs in several transactions, over several commands.
	batch *batchRun
	// load is the file of the LOAD DATA that runs.
	load *loadFile
	// replaced counts the rows that the running REPLACE has deleted beside the first of each that it inserted.
	replaced int64
	// insertion is what the running INSERT of several rows counts.
	insertion insertion
	// taken is the hidden key of the row of a table without a primary key that has the values of a unique key already,
	// until ON DUPLICATE KEY UPDATE or REPLACE changes that row.
	taken []byte
	// rekeyed is the collection whose primary key the next clause of the running ALTER TABLE takes the place of.
	rekeyed int64
	// parameters are those of the running command, as a text.
	parameters    func() string
	results       value.ResultColumns
	wanted        *newProgram // the statement that is planned, if it may have a program
	wantedNow     newProgram
	programText   string // what an EXPLAIN says of its statement's program
	settings      string // see planningBy; empty: not known
	groupsChecked bool   // FullGroupRule has looked at all groupings of the statement that is planned
	evaluating    int    // how many subqueries are being planned by themselves: their results are not sent
	// resumable is the marker that an earlier run of the running statement has left.
	resumable []byte
	// oversized is set when the running command was too large for a transaction.
	oversized bool
	// outlasted is set when the running command has outlived its read version: running it
	// again would take as long.
	outlasted bool
	// continued is set when it has gone on at a newer version.
	continued bool
	// outside is set when the running command began outside any transaction; repeatable, when it commits by itself too.
	outside, repeatable bool
	command             Command
	timer               *time.Timer // of the running command's limit
	// nextAccess is what SET TRANSACTION said of the next transaction.
	nextAccess accessMode
	// preparedIn is the transaction in which the running command has prepared a statement.
	preparedIn *Transaction
	// left are transactions that the session was in during the running command, and is not any more.
	left []*Transaction
	// released is set by COMMIT RELEASE: the connection ends with the command.
	released bool
	// rewrote is set once a statement of the running command has taken what definitions said when it was parsed; anew are
	// the prepared ones that have, by their texts or names: each run parses them again.
	rewrote bool
	anew    map[string]bool
	// defined is set once the running command has changed definitions.
	defined bool
	// numbers are the AUTO_INCREMENT values that the running command has taken.
	numbers takenNumbers
	// prepared are the texts of the statements that PREPARE has named.
	prepared map[string]string
	own      ownTables
	// executed is the text of the prepared statement that the running PREPARE or EXECUTE is about; empty: it is about
	// none.
	executed string
	assigned map[any]*compare.AssignedRows // see AssignedBy
	// usedBefore is the current database as it was before the running command.
	usedBefore string
	// ofView is the database of a view that is being bound while there is no current one.
	ofView string
	// failure is an error of the running command that the engine can't be told of where it was met.
	failure error
}

// Memory is what the session's statement holds.
func (s *Session) Memory() *hold.Budget { return s.held }

// RegexpSandboxes are those of the session's regular expressions.
func (s *Session) RegexpSandboxes() *functions.RegexpSandboxes { return &s.regexps }

var (
	_ sql.Session               = (*Session)(nil)
	_ sql.TransactionSession    = (*Session)(nil)
	_ sql.LifecycleAwareSession = (*Session)(nil)
)

func newSession(b *Backend, base *sql.BaseSession) *Session {
	return &Session{BaseSession: base, backend: b, held: hold.NewBudget(b.memory)}
}

var (
	_ rewrite.Planner  = (*Session)(nil)
	_ subquery.Session = (*Session)(nil)
)

// PlanAlone implements subquery.Session.
func (s *Session) PlanAlone(plan func() error) error {
	s.evaluating++
	defer func() { s.evaluating-- }()
	return plan()
}

// Evaluating implements rewrite.Planner.
func (s *Session) Evaluating() bool { return s.evaluating > 0 }

// CheckedGroups implements rewrite.Planner.
func (s *Session) CheckedGroups() *bool { return &s.groupsChecked }

// SetCurrentDatabase implements sql.Session.
func (s *Session) SetCurrentDatabase(name string) {
	s.database.Store(&name)
	s.BaseSession.SetCurrentDatabase(name)
}

// sessionOf returns the session of a context that the engine has made.
func sessionOf(ctx *sql.Context) (*Session, error) {
	s, ok := ctx.Session.(*Session)
	if !ok {
		return nil, fmt.Errorf("sqlbackend: a session of type %T", ctx.Session)
	}
	return s, nil
}

// beginStatement is called with the statement that a command runs, once it is parsed.
func (s *Session) beginStatement(stmt sqlparser.Statement, query string) error {
	if !s.completes {
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

// NoteStatement records a statement that the running command is about to bind.
// The parser calls it for text, the protocol handler for prepared statements.
func (s *Session) NoteStatement(stmt sqlparser.Statement) {
	s.parsed = append(s.parsed, stmt)
}

// Warnings implements sql.Session: the oldest first, as SHOW WARNINGS lists them.
// The engine, once it has bound a statement, takes the last ones for those of the
// statement and forgets the others.
func (s *Session) Warnings() []*sql.Warning {
	w := s.BaseSession.Warnings()
	slices.Reverse(w)
	if s.diagnostics.listing && s.diagnostics.earlier != nil {
		w = append(w, s.diagnostics.earlier)
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

// CommandBegin implements sql.LifecycleAwareSession.
func (s *Session) CommandBegin() error {
	s.closeReading()
	s.beginDiagnostics()
	s.beginWork()
	s.progress.keys.Store(0)
	s.progress.documents.Store(0)
	s.parsed, s.names, s.warned, s.written = s.announced, nil, nil, written{}
	s.executed, s.assigned, s.readsMaps = "", nil, false
	s.looked, s.building, s.impatient = false, false, false
	s.variables = nil
	s.announced = nil
	s.completes, s.announcing = s.announcing, false
	s.planned, s.programText, s.wanted = nil, "", nil
	s.tables = nil
	s.held.Begin()
	s.distinct = nil
	s.undo, s.scans = nil, nil
	s.evaluated, s.analysis = nil, nil
	s.failure = nil
	s.conflict, s.outlasted, s.continued, s.oversized = false, false, false, false
	if s.resumable = nil; s.batch != nil {
		s.batch.beginBatch()
	}
	s.insertion = insertion{}
	if s.load != nil {
		s.load.rewind()
	}
	s.replaced, s.taken, s.rekeyed = 0, nil, 0
	s.own.before = s.own.now
	s.defined, s.rewrote = false, false
	s.numbers.begin()
	s.released = false
	s.ofView = ""
	s.usedBefore = s.GetCurrentDatabase()
	if t, ok := s.GetTransaction().(*Transaction); ok {
		t.beginCommand()
	}
	s.outside = s.GetTransaction() == nil && !s.GetIgnoreAutoCommit()
	s.repeatable = s.outside && s.autocommit()
	if len(s.parsed) > 0 {
		if err := s.awaitPrepared(); err != nil {
			return err
		}
		return s.beginStatement(s.parsed[0], "")
	}
	return nil
}

// CommandEnd implements sql.LifecycleAwareSession: a transaction that the
// client did not begin does not outlive its command, whatever path the engine
// took out of it.
func (s *Session) CommandEnd() {
	defer s.clearTemporaries()
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
	s.regexps.End()
	s.endWork()
	s.endDiagnostics()
	s.closeReading()
	if s.preparedIn != nil {
		s.SetTransaction(s.preparedIn)
		s.preparedIn = nil
	}
	s.cancelLeft()
	s.endChange()
	tx, ok := s.GetTransaction().(*Transaction)
	if !ok {
		return
	}
	// After a conflict the transaction can't commit any more; as in MySQL it is
	// rolled back as a whole, and the client begins anew.
	if tx.over() || s.conflict || (!s.GetIgnoreAutoCommit() && s.autocommit()) || s.outside && s.readsNoTable() {
		s.abandon(tx)
		return
	}
	tx.closeStatements()
	if len(s.parsed) > 0 && locks(s.parsed[0]) {
		tx.locked = true
	}
}

// readsNoTable reports whether the running command is a SELECT or SET of no table. Without autocommit, too, it begins
// no transaction: what is read later is as of then.
func (s *Session) readsNoTable() bool {
	if len(s.parsed) != 1 {
		return false
	}
	switch s.parsed[0].(type) {
	case *sqlparser.Select, *sqlparser.Set:
		return !s.GetIgnoreAutoCommit() && len(s.commandNames().Sources) == 0
	}
	return false
}

// abandon rolls a transaction back and lets the session be without one.
func (s *Session) abandon(tx *Transaction) {
	tx.cancel()
	s.SetTransaction(nil)
	s.SetIgnoreAutoCommit(false)
}

// SessionEnd implements sql.LifecycleAwareSession: a client that is gone
// commits nothing.
func (s *Session) SessionEnd() {
	s.closeReading()
	s.preparedIn = nil
	s.SetTransaction(nil)
	s.cancelLeft()
	s.tables = nil
	s.own.now = nil
	s.clearTemporaries()
	s.backend.forget(s)
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
	s.undoTemporaries()
}

// Failure is an error that the running command has met where the engine takes none: its answer is not to be
// sent.
func (s *Session) Failure() error { return s.SQLError(s.failure) }

// RetryWorthwhile reports whether the command that just ended with an error was an autocommit
// statement that met a conflict, so that it may simply run again. A LOAD DATA
// may not where more of its file has come than is kept: the client sends it once. Nor may a command
// that has committed a change of definitions: it would meet its own change.
func (s *Session) RetryWorthwhile(err error) bool {
	if s.impatient || s.building && s.looked {
		return false // it would wait as long again
	}
	var e *mysql.SQLError
	if errors.As(mysqlerr.FinishError(err), &e) && (e.Num == mysql.ERLockDeadlock || e.Num == mysqlerr.LockWait) &&
		!s.conflict && !s.outlasted {
		// Planning has met it, and the engine has made text of it: nobody had noted it when the command ended.
		s.conflict = true
		if tx, ok := s.GetTransaction().(*Transaction); ok {
			s.abandon(tx)
		}
	}
	if !s.conflict || s.outlasted || !s.repeatable || s.defined || s.GetTransaction() != nil {
		return false
	}
	return s.load == nil || !s.load.lost
}

// UndoEffects reverts what the last command did to user variables, session
// variables, LAST_INSERT_ID and warnings, before the command runs again.
func (s *Session) UndoEffects() {
	for i := len(s.undo) - 1; i >= 0; i-- {
		s.undo[i]()
	}
	s.undo = nil
	s.undoTemporaries()
	s.numbers.undone()
	s.ClearWarnings()
	s.repeatWork()
}

// SetUserVariable implements sql.Session. A variable is held for as long as the session lives.
func (s *Session) SetUserVariable(ctx *sql.Context, name string, value interface{}, typ sql.Type) error {
	oldType, old, err := s.BaseSession.GetUserVariable(ctx, name)
	bytes := hold.ValueBytes(value) - hold.ValueBytes(old)
	if old == nil && value != nil {
		bytes += hold.KeyBytes + len(name)
	}
	if err := s.held.Keep(ctx, bytes); err != nil {
		return err
	}
	if err == nil {
		s.undo = append(s.undo, func() {
			_ = s.held.Keep(ctx, -bytes)
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
	if err := s.held.Keep(ctx, hold.ValueBytes(v)-hold.ValueBytes(old)); err != nil {
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
		value += s.replaced
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
		s.conflict = true
	}
	if errors.Is(err, kv.ErrTooLarge) || errors.Is(err, changes.ErrTooManyChanges) {
		s.oversized = true
	}
	if errors.As(err, new(*kv.LifeError)) {
		s.outlasted = true
	}
}
