package sqlbackend

import (
	"errors"
	"slices"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// A temporary table is an ordinary collection whose definition the session alone has: see catalog.Temporaries. CREATE
// and DROP TEMPORARY TABLE change what the session has and are no part of its transaction, which goes on; rows are.
// What else changes definitions commits, as for other tables. Collections that no table has any more are cleared once
// the session is in no transaction that may have written to them.

// errCannotAddForeign is MySQL's number of a foreign key that can't be.
const errCannotAddForeign = 1215

// temporaryPulse is how often a process that has made temporary tables tells that it lives.
const temporaryPulse = kv.MarkerLife / 6

// errTemporaryGone is met by a process that has not told so for long.
var errTemporaryGone = errors.New("the temporary table is gone: this server was not heard of for too long")

// ownTables are the temporary tables of a session.
type ownTables struct {
	now    *catalog.Temporaries
	before *catalog.Temporaries // as the running command found them
	taken  []int64              // the collections that have been made for such tables and not been cleared
}

// temporaryStatement reports whether the running command is CREATE or DROP TEMPORARY TABLE.
func (s *Session) temporaryStatement() bool {
	ddl, ok := s.statement().(*ast.DDL)
	return ok && isTemporary(ddl)
}

func isTemporary(stmt ast.Statement) bool {
	ddl, ok := stmt.(*ast.DDL)
	return ok && ddl.Temporary && (ddl.Action == ast.CreateStr || ddl.Action == ast.DropStr)
}

// changeTemporaries lets CREATE and DROP TEMPORARY TABLE change what the session has.
func (s *Session) changeTemporaries(t *Transaction, change func(*catalog.Change) error) error {
	w, err := t.begin()
	if err != nil {
		return s.SQLError(err)
	}
	view, err := t.definitions()
	if err != nil {
		return s.SQLError(err)
	}
	c := s.backend.catalog.ChangeTemporaries(s.backend.ctx, w, view)
	c.With(s.own.now, s.takeCollection)
	if err := change(c); err != nil {
		return s.SQLError(err)
	}
	s.own.now = c.View().Temporaries()
	s.tables = nil
	return nil
}

// takeCollection notes a collection that has been made for a temporary table.
func (s *Session) takeCollection(number int64) {
	s.own.taken = append(s.own.taken, number)
	if t, ok := s.GetTransaction().(*Transaction); ok {
		t.noteOwned(number)
	}
	s.backend.keepTemporaries()
}

// undoTemporaries gives the session the temporary tables that it had before the running command.
func (s *Session) undoTemporaries() {
	s.own.now = s.own.before
	s.tables = nil
}

// clearTemporaries clears the collections that no temporary table has any more. What fails is tried again: at the
// latest when the process is gone.
func (s *Session) clearTemporaries() {
	if t, ok := s.GetTransaction().(*Transaction); ok && !t.over() || len(s.own.taken) == 0 {
		return
	}
	has := map[int64]bool{}
	for _, t := range s.own.now.All() {
		has[t.ID] = true
	}
	var left, unused []int64
	for _, n := range s.own.taken {
		if has[n] {
			left = append(left, n)
		} else {
			unused = append(unused, n)
		}
	}
	if len(unused) == 0 || s.backend.catalog.DropTemporaries(s.backend.ctx, unused) != nil {
		return
	}
	s.own.taken = left
	s.backend.definitions.forget(unused)
}

func (ds *definitions) forget(numbers []int64) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	for _, n := range numbers {
		delete(ds.byID, n)
	}
}

// keepTemporaries begins to tell that this process lives.
func (b *Backend) keepTemporaries() {
	b.pulse.Do(func() {
		go func() {
			for tick := time.NewTicker(temporaryPulse); ; {
				select {
				case <-tick.C:
					_ = b.catalog.KeepTemporaries(b.ctx) // the next one comes before it is missed
				case <-b.ctx.Done():
					tick.Stop()
					return
				}
			}
		}()
	})
}

// noteOwned notes that a collection of a temporary table is the session's.
func (t *Transaction) noteOwned(number int64) { t.owned = append(t.owned, number) }

// owns fails where a temporary table has been taken from the session, which would write what nobody removes.
func (t *Transaction) owns(def *catalog.Table) error {
	if slices.Contains(t.owned, def.ID) {
		return nil
	}
	w, err := t.begin()
	if err != nil {
		return err
	}
	there, err := t.backend.catalog.HasTemporary(w, def.ID)
	if err != nil {
		return err
	}
	if !there {
		return errTemporaryGone
	}
	t.noteOwned(def.ID)
	return nil
}

// CreateTemporaryTable implements sql.TemporaryTableCreator.
func (d *Database) CreateTemporaryTable(ctx *sql.Context, name string, schema sql.PrimaryKeySchema,
	coll sql.CollationID) error {
	s, err := sessionOf(ctx)
	if err != nil {
		return err
	}
	comment := ""
	if ddl, ok := s.statement().(*ast.DDL); ok && ddl.TableSpec != nil {
		comment = optionOf(ddl.TableSpec, "comment")
	}
	return d.createTable(ctx, name, schema, coll, comment, func(c *catalog.Change, def *catalog.Table) error {
		if len(takenOf[catalog.ForeignKey](s, takenForeignKeys)) > 0 {
			return mysql.NewSQLError(errCannotAddForeign, "HY000", "Cannot add foreign key constraint")
		}
		_, err := c.CreateTemporary(def)
		if errors.Is(err, catalog.ErrTemporaries) {
			err = mysqlerr.Unsupported("a session has %d temporary tables at the most", catalog.MaxTemporaries)
		}
		return err
	})
}

// GetAllTemporaryTables implements sql.TemporaryTableDatabase.
func (d *Database) GetAllTemporaryTables(ctx *sql.Context) ([]sql.Table, error) {
	s, err := sessionOf(ctx)
	if err != nil {
		return nil, err
	}
	var out []sql.Table
	for _, def := range s.own.now.All() {
		if def.Database != d.name {
			continue
		}
		if t, ok, err := d.GetTableInsensitive(ctx, def.Name); err != nil {
			return nil, err
		} else if ok {
			out = append(out, t)
		}
	}
	return out, nil
}

// refuseTemporarySources refuses a view that reads temporary tables, which others don't have.
func (s *Session) refuseTemporarySources(database string) error {
	for _, src := range s.commandNames().Sources {
		if src.Database == "" {
			src.Database = database
		}
		if _, ok := s.own.now.Table(src.Database, src.Table); ok && !src.Derived {
			return mysql.NewSQLError(1352, "HY000", "View's SELECT refers to a temporary table '%s'", src.Table)
		}
	}
	return nil
}
