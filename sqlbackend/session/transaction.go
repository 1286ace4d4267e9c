package session

import (
	"errors"
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/ahead"
	"github.com/sqlfdb/sqlfdb/kv/overlay"
	"github.com/sqlfdb/sqlfdb/tables"
)

// Transaction is one SQL transaction. The store's transaction begins with the
// first read or write, so a statement that needs no table costs none.
//
// Uncommitted writes live in an overlay. It undoes failed statements and savepoints, and it hides a statement's own
// writes from its scans.
type Transaction struct {
	Backend  *Instance
	Session  *Session
	access   accessMode // as the statements say
	level    string     // of isolation
	ReadOnly bool
	Ended    bool
	// locked is set once a SELECT … FOR UPDATE or FOR SHARE has read: the commit checks the reads even if nothing is
	// written.
	locked bool

	// checked is set once a statement has read what the commit checks below SERIALIZABLE, too, or the client has asked for
	// one version.
	checked bool
	// refreshed is set by refresh; savepoints are then set anew when the transaction goes on.
	refreshed  bool
	savepoints []string

	// Set once the store's transaction has begun.
	Writes    *tables.Tx
	Committed kv.Reader // without the transaction's own writes
	View      *catalog.View
	// scanned are the tables whose scans may go on at newer versions.
	scanned []*catalog.Table

	// Keys are the keys of a collection that the transaction has written to: its marker is there.
	Keys *keyspace.Collection
	// Changed counts the written rows; Target is the table that a statement writes to which may run in batches.
	Changed   int64
	WholeRows int64 // a larger number is committed in batches; 0 if the statement can't be
	Target    *Definition

	Voids map[int64]uint64 // by collection; see table's autoIncrementVoid
	owned []int64          // collections of temporary tables; see Owns

	// change is set once the running statement, a definition, has begun a change; After runs once it is committed.
	// See changing.go.
	change *catalog.Change
	After  []func(*sql.Context) error

	// command is the mark before the first write of the running command; see undoCommand.
	command *tables.Mark

	// The running statement: the number of open editors, the mark to go back to, and the fences that hide later
	// writes from scans.
	open   int
	mark   tables.Mark
	fences []func()
}

var _ sql.Transaction = (*Transaction)(nil)

// String implements sql.Transaction.
func (t *Transaction) String() string { return fmt.Sprintf("sqlfdb transaction %p", t) }

// IsReadOnly implements sql.Transaction.
func (t *Transaction) IsReadOnly() bool { return t.ReadOnly }

// Begin makes sure that the store's transaction has begun.
func (t *Transaction) Begin() (*tables.Tx, error) {
	if t.Ended {
		return nil, fmt.Errorf("sqlbackend: %w", kv.ErrDone)
	}
	if t.Writes == nil {
		// Not the command's context: the transaction may outlive the command.
		var base kv.Transaction
		var err error
		if t.Session.mayContinue() {
			base, err = t.beginLong()
		} else {
			base, err = t.Backend.Store.Begin(t.Backend.Ctx, kv.TransactionOptions{NoReadYourWrites: true})
			if opts := t.Backend.Ahead.Load(); err == nil && opts != nil {
				base = ahead.New(base, *opts)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("sqlbackend: begin transaction: %w", err)
		}
		t.Committed = base.Snapshot()
		t.Writes = tables.NewTx(overlay.New(base))
		for _, name := range t.savepoints {
			t.Writes.Savepoint(name)
		}
		t.savepoints = nil
	}
	return t.Writes, nil
}

// definitions returns the catalog as the transaction sees it. Its reads take part in conflict detection: a
// transaction that writes does not commit if a definition that it has used has changed.
func (t *Transaction) definitions() (*catalog.View, error) {
	w, err := t.Begin()
	if err != nil {
		return nil, err
	}
	if t.change != nil {
		return t.change.View(), nil
	}
	if t.View == nil {
		t.Backend.Hooks.Foresee(t)
		if t.View, err = t.Backend.Catalog.ViewIn(w); err != nil {
			return nil, err
		}
	}
	t.View = t.View.With(t.Session.Own.Now)
	return t.View, nil
}

// BeginStatement opens a statement bracket. Brackets nest, and only the
// outermost one can be undone: an inner statement that fails takes the outer
// one with it.
func (t *Transaction) BeginStatement() error {
	w, err := t.Begin()
	if err != nil {
		return err
	}
	if t.command == nil {
		m := w.Begin()
		t.command = &m
	}
	if t.open == 0 {
		t.mark = w.Begin()
	}
	t.open++
	return nil
}

// CompleteStatement closes a bracket and keeps its writes.
func (t *Transaction) CompleteStatement() {
	if t.open == 0 || t.Writes == nil {
		return
	}
	if t.open--; t.open == 0 {
		t.Writes.Release(t.mark)
	}
}

// DiscardStatement closes a bracket and undoes everything written since the
// outermost one opened.
func (t *Transaction) DiscardStatement() {
	if t.open == 0 || t.Writes == nil {
		return
	}
	t.Writes.RollbackTo(t.mark)
	if t.open--; t.open == 0 {
		t.Writes.Release(t.mark)
		return
	}
}

// closeStatements undoes the writes of a statement that the engine left without completing it, and removes its
// fences.
func (t *Transaction) closeStatements() {
	if t.Writes == nil {
		return
	}
	if t.open > 0 {
		t.Writes.RollbackTo(t.mark)
		t.Writes.Release(t.mark)
		t.open = 0
	}
	for len(t.fences) > 0 {
		t.LowerFence()
	}
}

// beginCommand keeps the writes of the earlier command.
func (t *Transaction) beginCommand() {
	if t.command != nil && t.Writes != nil {
		t.Writes.Release(*t.command)
	}
	t.command = nil
}

// undoCommand undoes all writes of the last command. Brackets belong to the editors, not to the command: one of
// several may have completed, and the engine completes them also where the command is killed.
func (t *Transaction) undoCommand() {
	if t.command != nil && t.Writes != nil && !t.Ended {
		t.Writes.RollbackTo(*t.command)
	}
	t.beginCommand()
}

// RaiseFence makes scans that open later see the current writes.
func (t *Transaction) RaiseFence() {
	t.fences = append(t.fences, t.Writes.Fence())
}

// LowerFence puts the former fence back.
func (t *Transaction) LowerFence() {
	if n := len(t.fences); n > 0 {
		t.fences[n-1]()
		t.fences = t.fences[:n-1]
	}
}

func (t *Transaction) over() bool { return t.Ended }

// cancel ends the transaction without writing anything.
func (t *Transaction) cancel() {
	if t.Writes != nil && !t.Ended {
		t.Writes.Cancel()
	}
	t.Ended = true
}

// commit writes everything or nothing. The transaction is over afterwards.
func (t *Transaction) commit() error {
	if t.Ended {
		return fmt.Errorf("sqlbackend: commit: %w", kv.ErrDone)
	}
	t.Ended = true
	if t.Writes == nil {
		return nil
	}
	switch {
	case t.Writes.Wrote():
		return t.Backend.commit(t.Writes, t.marks())
	case t.locked:
		return t.Backend.checkReads(t.Writes)
	}
	t.Writes.Cancel()
	return nil
}

// restart commits the transaction's writes and lets it go on at a newer version.
func (t *Transaction) restart() error {
	if err := t.commit(); err != nil {
		return err
	}
	t.renew()
	return nil
}

// renew makes the transaction read at a newer version. There must be no writes.
func (t *Transaction) renew() {
	if t.Writes != nil && !t.Ended {
		t.Writes.Cancel()
	}
	t.Ended = false
	t.locked, t.checked, t.refreshed, t.savepoints = false, false, false, nil
	t.Writes = nil
	t.View, t.scanned = nil, nil
	t.Keys, t.Voids, t.owned = nil, nil, nil
	t.change, t.After = nil, nil
	t.command = nil
	t.Changed, t.WholeRows, t.Target = 0, 0, nil
	t.open = 0
	t.fences = nil
}

// refresh makes the statement that begins read a version of its own, as READ COMMITTED promises: until the transaction
// has written or read something that its commit checks. From then on it keeps its version.
func (t *Transaction) refresh() {
	if t.level != readCommitted && t.level != readUncommitted || t.Ended || t.Writes == nil || t.Writes.Wrote() ||
		t.locked || t.checked || t.change != nil {
		return
	}
	savepoints := t.Writes.Savepoints()
	t.renew()
	t.savepoints, t.refreshed = savepoints, true
}

// Checks notes that the running statement reads what the commit checks at every level.
func (t *Transaction) Checks() { t.checked = true }

// begun reports whether the transaction has read or written.
func (t *Transaction) begun() bool { return t.Writes != nil || t.refreshed }

// StartTransaction implements sql.TransactionSession.
func (s *Session) StartTransaction(_ *sql.Context, c sql.TransactionCharacteristic) (sql.Transaction, error) {
	if c == sql.ReadOnly {
		return s.newTransaction(accessReadOnly, ""), nil
	}
	return s.newTransaction(accessUnsaid, ""), nil
}

// CommitTransaction implements sql.TransactionSession. The engine leaves a transaction whose commit failed in the
// session; here it is gone in either case.
func (s *Session) CommitTransaction(ctx *sql.Context, tx sql.Transaction) error {
	s.Tables = nil
	t, err := transactionOf(tx)
	if err != nil {
		return err
	}
	if len(s.Parsed.All) > 0 {
		if _, prepares := s.Parsed.All[0].(*ast.Prepare); prepares && (s.GetIgnoreAutoCommit() || !s.autocommit()) {
			// The engine takes the preparation of a committing statement for a commit, and forgets the transaction
			// next.
			s.preparedIn = t
			return nil
		}
	}
	t.closeStatements()
	b := s.Batch
	switch {
	case b == nil && s.Resumable != nil:
		err = ErrResume
	case b != nil && t.Target != nil:
		err = b.Mark(t)
	}
	if err != nil {
		t.cancel()
	} else if err = s.commitOwn(ctx, t); err == nil && b != nil {
		b.Committed(s.Load)
	}
	if err != nil {
		ctx.SetTransaction(nil)
		ctx.SetIgnoreAutoCommit(false)
		return s.SQLError(err)
	}
	s.Turn.Leave()
	return nil
}

// Rollback implements sql.TransactionSession.
func (s *Session) Rollback(_ *sql.Context, tx sql.Transaction) error {
	s.Tables = nil
	t, err := transactionOf(tx)
	if err != nil {
		return err
	}
	t.cancel()
	return nil
}

// CreateSavepoint implements sql.TransactionSession.
func (s *Session) CreateSavepoint(_ *sql.Context, tx sql.Transaction, name string) error {
	t, err := transactionOf(tx)
	if err != nil {
		return err
	}
	w, err := t.Begin()
	if err != nil {
		return s.SQLError(err)
	}
	w.Savepoint(name)
	return nil
}

// RollbackToSavepoint implements sql.TransactionSession.
func (s *Session) RollbackToSavepoint(_ *sql.Context, tx sql.Transaction, name string) error {
	s.Tables = nil
	t, err := transactionOf(tx)
	if err != nil {
		return err
	}
	w, err := t.Begin()
	if err == nil {
		err = w.RollbackToSavepoint(name)
	}
	return s.savepointError(err, name)
}

// ReleaseSavepoint implements sql.TransactionSession.
func (s *Session) ReleaseSavepoint(_ *sql.Context, tx sql.Transaction, name string) error {
	t, err := transactionOf(tx)
	if err != nil {
		return err
	}
	w, err := t.Begin()
	if err == nil {
		err = w.ReleaseSavepoint(name)
	}
	return s.savepointError(err, name)
}

func (s *Session) savepointError(err error, name string) error {
	if errors.Is(err, overlay.ErrNoSavepoint) {
		return sql.ErrSavepointDoesNotExist.New(name)
	}
	return s.SQLError(err)
}

func transactionOf(tx sql.Transaction) (*Transaction, error) {
	t, ok := tx.(*Transaction)
	if !ok {
		return nil, fmt.Errorf("sqlbackend: a transaction of type %T", tx)
	}
	return t, nil
}

// CurrentTransaction returns the transaction of the running command, and makes
// one if the engine has not.
func CurrentTransaction(ctx *sql.Context) (*Transaction, error) {
	s, err := Of(ctx)
	if err != nil {
		return nil, err
	}
	if t, ok := s.GetTransaction().(*Transaction); ok {
		return t, nil
	}
	t := s.newTransaction(accessUnsaid, "")
	s.SetTransaction(t)
	return t, nil
}

// ReadsFreely reports whether changes of the data that the running command reads don't affect the transaction: it is
// a plain SELECT, at a level below SERIALIZABLE. Reads for changes and locks are checked at every level.
func (t *Transaction) ReadsFreely() bool {
	return t.level != serializable && t.Session.Parsed.OnlySelects() && !locks(t.Session.Parsed.Statement())
}

// StatementReader returns the reader of the running statement: with conflicts, and without its own writes.
func (t *Transaction) StatementReader() (kv.Reader, error) {
	w, err := t.Begin()
	switch {
	case err != nil:
		return nil, err
	case t.ReadsFreely():
		return w.StatementSnapshot(), nil
	}
	t.checked = true
	return w.Statement(), nil
}
