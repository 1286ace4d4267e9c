package session

import (
	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/tables"
)

// ChangeDefinitions lets the running statement change definitions.
func ChangeDefinitions(ctx *sql.Context, change func(*catalog.Change) error) error {
	s, err := Of(ctx)
	if err != nil {
		return err
	}
	t, err := CurrentTransaction(ctx)
	if err != nil {
		return err
	}
	if t.ReadOnly {
		return sql.ErrReadOnlyTransaction.New()
	}
	s.Readers.Close()
	if s.Parsed.IsTemporary() {
		return s.Own.change(t, change)
	}
	if t.change == nil {
		w, err := t.Begin()
		if err != nil {
			return s.SQLError(err)
		}
		if t.change, err = s.Backend.Catalog.Change(s.Backend.Ctx, w); err != nil {
			return s.SQLError(err)
		}
		t.change.With(s.Own.Now, s.Own.take)
		if err := s.Backend.Hooks.SetOptions(ctx, s); err != nil {
			return s.SQLError(err)
		}
	}
	err = change(t.change)
	s.Tables = nil
	return s.SQLError(err)
}

// WritesOf returns the store's transaction in which the running statement changes definitions.
func WritesOf(ctx *sql.Context) (*tables.Tx, error) {
	t, err := CurrentTransaction(ctx)
	if err != nil {
		return nil, err
	}
	return t.Begin()
}

// commitOwn commits a transaction, and then runs the functions that its change of definitions has added.
func (s *Session) commitOwn(ctx *sql.Context, t *Transaction) error {
	if t.change == nil && !t.Ended && s.Backend.Hooks.SetsOptions(s) { // table options are its only change
		if err := ChangeDefinitions(ctx, func(*catalog.Change) error { return nil }); err != nil {
			return err
		}
	}
	changed, after := t.change != nil && t.change.Changed(), t.After
	own := s.Own.Now
	if t.change != nil {
		own = t.change.View().Temporaries()
		changed = changed || own != s.Own.Now
	}
	if err := t.commit(); err != nil {
		if changed {
			s.SetCurrentDatabase(s.usedBefore) // DROP DATABASE has left it
		}
		return err
	}
	s.Defined = s.Defined || changed
	if own != s.Own.Now {
		s.Own.Now, s.Own.before = own, own
	}
	for _, do := range after {
		if err := do(ctx); err != nil {
			return err
		}
	}
	return nil
}

// CommitDefinitions ends the change of a statement that is no definition to the engine. The session goes on in a
// transaction that sees the change.
func CommitDefinitions(ctx *sql.Context) error {
	s, err := Of(ctx)
	if err != nil {
		return err
	}
	t, err := CurrentTransaction(ctx)
	if err != nil || t.change == nil {
		return err
	}
	s.Tables = nil
	t.closeStatements()
	if err := s.commitOwn(ctx, t); err != nil {
		return s.SQLError(err)
	}
	t.renew()
	return nil
}

// endChange discards a definition's changes that were not committed.
func (s *Session) endChange() {
	if t, ok := s.GetTransaction().(*Transaction); ok && t.change != nil {
		s.Tables = nil
		s.abandon(t)
	}
}

// DefinesMore reports whether the running statement is an ALTER TABLE with more than one change. UNIQUE is then
// proved within its transaction, since no part of it can be undone later.
func DefinesMore(s *Session) bool {
	alter, ok := s.Parsed.Statement().(*ast.AlterTable)
	if !ok {
		return false
	}
	return len(alter.Statements) > 1 || len(alter.Statements) == 1 && alter.Statements[0].ColumnAction != ""
}
