package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/tables"
)

// A statement that defines something is one transaction, the session's: what the client had open is committed
// before it, and what it changes itself, definitions and documents, is committed at its end. The engine runs
// the clauses of an ALTER TABLE one after the other and looks the table up before each: until then the session
// sees the definitions as they have been changed, and nobody else does. Whatever fails takes all of it back. A
// conflict, with another definition or with writers of documents that it has read, makes the statement run
// again from its text, as any autocommit statement does. Work in the background begins once it is committed.

// changeDefinitions lets the running statement change definitions.
func changeDefinitions(ctx *sql.Context, change func(*catalog.Change) error) error {
	s, err := sessionOf(ctx)
	if err != nil {
		return err
	}
	t, err := currentTransaction(ctx)
	if err != nil {
		return err
	}
	if t.readOnly {
		return sql.ErrReadOnlyTransaction.New()
	}
	s.closeReading()
	if s.temporaryStatement() {
		return s.changeTemporaries(t, change)
	}
	if t.change == nil {
		w, err := t.begin()
		if err != nil {
			return s.SQLError(err)
		}
		if t.change, err = s.backend.catalog.Change(s.backend.ctx, w); err != nil {
			return s.SQLError(err)
		}
		t.change.With(s.own.now, s.takeCollection)
		if err := s.setClauseOptions(ctx); err != nil {
			return s.SQLError(err)
		}
	}
	err = change(t.change)
	s.tables = nil
	return s.SQLError(err)
}

// writesOf is the transaction of the store in which the running statement changes definitions.
func writesOf(ctx *sql.Context) (*tables.Tx, error) {
	t, err := currentTransaction(ctx)
	if err != nil {
		return nil, err
	}
	return t.begin()
}

// afterCommit has something done once the change of definitions is committed, before the client is answered.
func afterCommit(ctx *sql.Context, do func(*sql.Context) error) {
	if t, err := currentTransaction(ctx); err == nil {
		t.after = append(t.after, do)
	}
}

// commitOwn commits a transaction, and then does what its change of definitions has asked for.
func (s *Session) commitOwn(ctx *sql.Context, t *Transaction) error {
	if t.change == nil && !t.ended && len(s.optionsAmong()) > 0 { // they are all that it changes
		if err := changeDefinitions(ctx, func(*catalog.Change) error { return nil }); err != nil {
			return err
		}
	}
	changed, after := t.change != nil && t.change.Changed(), t.after
	own := s.own.now
	if t.change != nil {
		own = t.change.View().Temporaries()
		changed = changed || own != s.own.now
	}
	if err := t.commit(); err != nil {
		if changed {
			s.SetCurrentDatabase(s.usedBefore) // DROP DATABASE has left it
		}
		return err
	}
	s.defined = s.defined || changed
	if own != s.own.now {
		s.own.now, s.own.before = own, own
	}
	for _, do := range after {
		if err := do(ctx); err != nil {
			return err
		}
	}
	return nil
}

// commitDefinitions ends the change of a statement that the engine does not know for a definition. The session goes on
// in a transaction that sees it.
func commitDefinitions(ctx *sql.Context) error {
	s, err := sessionOf(ctx)
	if err != nil {
		return err
	}
	t, err := currentTransaction(ctx)
	if err != nil || t.change == nil {
		return err
	}
	s.tables = nil
	t.closeStatements()
	if err := s.commitOwn(ctx, t); err != nil {
		return s.SQLError(err)
	}
	t.renew()
	return nil
}

// endChange takes back what a definition has changed that was not committed.
func (s *Session) endChange() {
	if t, ok := s.GetTransaction().(*Transaction); ok && t.change != nil {
		s.tables = nil
		s.abandon(t)
	}
}

// definesMore reports whether the running statement is an ALTER TABLE of more than one change: UNIQUE is then proved
// within its transaction, since nothing of it may be taken back later.
func (s *Session) definesMore() bool {
	alter, ok := s.statement().(*ast.AlterTable)
	if !ok {
		return false
	}
	return len(alter.Statements) > 1 || len(alter.Statements) == 1 && alter.Statements[0].ColumnAction != ""
}
