package session

import (
	"errors"
	"slices"
	"time"

	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/kv"
)

// ErrCannotAddForeign is MySQL's number for a foreign key that can't be added.
const ErrCannotAddForeign = 1215

// temporaryPulse is how often a process with temporary tables renews its sign of life.
const temporaryPulse = kv.MarkerLife / 6

// errTemporaryGone is the error of a process that has not renewed its sign of life for long.
var errTemporaryGone = errors.New("the temporary table is gone: this server was not heard of for too long")

// ownTables are the temporary tables of a session.
type ownTables struct {
	session *Session
	Now     *catalog.Temporaries
	before  *catalog.Temporaries // as the running command found them
	taken   []int64              // collections made for temporary tables and not cleared yet
}

// IsTemporary reports whether a definition is about a temporary table.
func IsTemporary(stmt ast.Statement) bool {
	ddl, ok := stmt.(*ast.DDL)
	return ok && ddl.Temporary && (ddl.Action == ast.CreateStr || ddl.Action == ast.DropStr)
}

// change lets CREATE and DROP TEMPORARY TABLE change the session's tables.
func (o *ownTables) change(t *Transaction, change func(*catalog.Change) error) error {
	s := o.session
	w, err := t.Begin()
	if err != nil {
		return s.SQLError(err)
	}
	view, err := t.definitions()
	if err != nil {
		return s.SQLError(err)
	}
	c := s.Backend.Catalog.ChangeTemporaries(s.Backend.Ctx, w, view)
	c.With(o.Now, o.take)
	if err := change(c); err != nil {
		return s.SQLError(err)
	}
	o.Now = c.View().Temporaries()
	s.Tables = nil
	return nil
}

// take notes a collection that has been made for a temporary table.
func (o *ownTables) take(number int64) {
	o.taken = append(o.taken, number)
	if t, ok := o.session.GetTransaction().(*Transaction); ok {
		t.noteOwned(number)
	}
	o.session.Backend.keepTemporaries()
}

// undo gives the session the temporary tables that it had before the running command.
func (o *ownTables) undo() {
	o.Now = o.before
	o.session.Tables = nil
}

// clear clears the collections that no temporary table has any more. A failed one is tried again, at the latest when
// the process is gone.
func (o *ownTables) clear() {
	s := o.session
	if t, ok := s.GetTransaction().(*Transaction); ok && !t.over() || len(o.taken) == 0 {
		return
	}
	has := map[int64]bool{}
	for _, t := range o.Now.All() {
		has[t.ID] = true
	}
	var left, unused []int64
	for _, n := range o.taken {
		if has[n] {
			left = append(left, n)
		} else {
			unused = append(unused, n)
		}
	}
	if len(unused) == 0 || s.Backend.Catalog.DropTemporaries(s.Backend.Ctx, unused) != nil {
		return
	}
	o.taken = left
	s.Backend.Definitions.forget(unused)
}

func (ds *definitions) forget(numbers []int64) {
	ds.Mu.Lock()
	defer ds.Mu.Unlock()
	for _, n := range numbers {
		delete(ds.ByID, n)
	}
}

// keepTemporaries starts to renew this process's sign of life.
func (b *Instance) keepTemporaries() {
	b.pulse.Do(func() {
		go func() {
			for tick := time.NewTicker(temporaryPulse); ; {
				select {
				case <-tick.C:
					_ = b.Catalog.KeepTemporaries(b.Ctx) // the next renewal comes before this one is missed
				case <-b.Ctx.Done():
					tick.Stop()
					return
				}
			}
		}()
	})
}

// noteOwned notes that a collection of a temporary table is the session's.
func (t *Transaction) noteOwned(number int64) { t.owned = append(t.owned, number) }

// Owns fails where a temporary table has been removed from the session, whose writes nobody would clear.
func (t *Transaction) Owns(def *catalog.Table) error {
	if slices.Contains(t.owned, def.ID) {
		return nil
	}
	w, err := t.Begin()
	if err != nil {
		return err
	}
	there, err := t.Backend.Catalog.HasTemporary(w, def.ID)
	if err != nil {
		return err
	}
	if !there {
		return errTemporaryGone
	}
	t.noteOwned(def.ID)
	return nil
}

// RefuseSources refuses a view that reads temporary tables, which others don't have.
func (o *ownTables) RefuseSources(database string) error {
	for _, src := range o.session.Parsed.Names().Sources {
		if src.Database == "" {
			src.Database = database
		}
		if _, ok := o.Now.Table(src.Database, src.Table); ok && !src.Derived {
			return mysql.NewSQLError(1352, "HY000", "View's SELECT refers to a temporary table '%s'", src.Table)
		}
	}
	return nil
}
