package ddl

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/tables"
)

// A table with another primary key has another collection: keys, entries, counts and the feed all depend on the key.
// The documents move there in the statement's transaction, so a table that is too large for one can't change its key.
// The feed begins again, as after TRUNCATE TABLE.

var _ sql.PrimaryKeyAlterableTable = (*table.Table)(nil)

// CreatePrimaryKey implements sql.PrimaryKeyAlterableTable.
func (Definer) CreatePrimaryKey(ctx *sql.Context, t *table.Table, columns []sql.IndexColumn) error {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
		if place, ok := t.Def.Column(c.Name); ok {
			filled := t.Def.Columns[place]
			filled.Nullable = false
			if err := refuseReferencedType(t, ctx, c.Name, filled); err != nil {
				return mysqlerr.Of(ctx, err)
			}
		}
	}
	t.Session.Rekeyed = 0
	return alter(t, ctx, alteration{moves: true, edit: func(def *catalog.Table) error {
		def.PrimaryKey = nil
		return setKey(def, names)
	}})
}

// setKey gives a table a primary key, and makes its columns NOT NULL.
func setKey(def *catalog.Table, names []string) error {
	for _, name := range names {
		i, ok := def.Column(name)
		if !ok {
			return sql.ErrKeyColumnDoesNotExist.New(name)
		}
		def.PrimaryKey = append(def.PrimaryKey, i)
		if c := &def.Columns[i]; c.Nullable {
			c.Nullable = false
			if strings.EqualFold(c.Default, "NULL") {
				c.Default = ""
			}
		}
	}
	return nil
}

// DropPrimaryKey implements sql.PrimaryKeyAlterableTable.
func (Definer) DropPrimaryKey(ctx *sql.Context, t *table.Table) error {
	view, err := t.Session.Readers.Definitions()
	if err != nil {
		return mysqlerr.Of(ctx, err)
	}
	after := t.Def.Table.Clone()
	after.PrimaryKey = nil
	later := withKeyClauses(t.Session, after)
	if err := refuseReferencedIndex(t.Session, view.Of(later), later, "PRIMARY"); err != nil {
		return mysqlerr.Of(ctx, err)
	}
	if err := hasCountedKey(later); err != nil {
		return err
	}
	if setsKeyNext(t.Session) {
		t.Session.Rekeyed, t.Session.Tables = t.Def.ID, nil
		return nil
	}
	return alter(t, ctx, alteration{moves: true, edit: func(def *catalog.Table) error {
		def.PrimaryKey = nil
		return nil
	}})
}

// setsKeyNext reports whether the running ALTER TABLE adds a primary key right after it drops the present one: the
// documents then move once.
func setsKeyNext(s *session.Session) bool {
	alter, ok := s.Parsed.Statement().(*ast.AlterTable)
	if !ok {
		return false
	}
	var before *ast.IndexSpec
	for _, d := range alter.Statements {
		x := d.IndexSpec
		if before != nil && x != nil && before.Action == ast.DropStr && before.Type == ast.PrimaryStr &&
			x.Action == ast.CreateStr && x.Type == ast.PrimaryStr {
			return true
		}
		before = x
	}
	return false
}

// withKeyClauses returns a table with the keys that the running ALTER TABLE adds to it. Columns that it drops or
// redefines count as not AUTO_INCREMENT. The clauses run one after the other, but MySQL checks the table that results
// from all of them.
func withKeyClauses(s *session.Session, def *catalog.Table) *catalog.Table {
	alter, ok := s.Parsed.Statement().(*ast.AlterTable)
	if !ok {
		return def
	}
	out := def.Clone()
	for _, d := range alter.Statements {
		if i, ok := out.Column(d.Column.String()); ok && d.ColumnAction != "" {
			out.Columns[i].AutoIncrement = false
		}
		if d.IndexSpec == nil || d.IndexSpec.Action != ast.CreateStr {
			continue
		}
		var idx catalog.Index
		for _, c := range d.IndexSpec.Columns {
			idx.Columns = append(idx.Columns, c.Column.String())
		}
		out.Indexes = append(out.Indexes, idx)
	}
	return out
}

// hasCountedKey refuses a table with an AUTO_INCREMENT column that is not the first column of a key.
func hasCountedKey(def *catalog.Table) error {
	for i := range def.Columns {
		if c := &def.Columns[i]; c.AutoIncrement && !def.HasKey([]string{c.Name}) {
			return sql.ErrInvalidAutoIncCols.New()
		}
	}
	return nil
}

// move gives the table another collection with another primary key, and writes its documents there.
func move(t *table.Table, ctx *sql.Context, c *catalog.Change, w *tables.Tx, a alteration) error {
	cat := t.Session.Backend.Catalog
	if before, ok := c.View().Table(t.Def.Database, t.Def.Name); ok && before.Parting() {
		return mysqlerr.Unsupported("another key while an index of %s on expressions is built or taken away: see %s.jobs",
			t.Def, session.SystemDatabase)
	}
	return c.MoveTable(t.Def.Database, t.Def.Name, func(before, after *catalog.Table) error {
		if err := a.edit(after); err != nil {
			return err
		}
		KeyCollations(after)
		if _, there := after.Column(tables.HiddenKey); there && len(after.PrimaryKey) == 0 {
			return mysqlerr.Unsupported("a column %s must be the primary key", tables.HiddenKey)
		}
		from, err := session.NewDefinition(cat, before)
		if err != nil {
			return err
		}
		to, err := session.NewDefinition(cat, after)
		if err != nil {
			return err
		}
		rewrite, err := following(t, ctx, to, a)
		if err != nil {
			return err
		}
		m := mover{from: from, to: to, rewrite: rewrite, proof: newUniqueProof(from, to, a.follows),
			misfits: map[string]bool{},
			counted: slices.IndexFunc(after.Columns, func(c catalog.Column) bool { return c.AutoIncrement })}
		for i := range before.Indexes {
			if idx := &before.Indexes[i]; idx.Unique && idx.Building != 0 && table.FindIndex(after, idx.Name) >= 0 {
				m.proof.seen[idx.Name] = map[string]struct{}{}
			}
		}
		if err := m.all(ctx, w); errors.Is(err, kv.ErrTooLarge) {
			return mysql.NewSQLError(mysqlerr.TransactionTooLarge, "HY000",
				"the primary key of table %s can't be changed: its rows are too large for one transaction. "+
					"Make another table of them with sqlfdb_bulk_writes = 'batched'", before)
		} else if err != nil {
			return err
		}
		for i := range after.Columns {
			after.Columns[i].Misfits = m.misfits[after.Columns[i].Name]
		}
		if m.counted < 0 {
			return nil
		}
		next, err := cat.PeekAutoIncrement(w.Snapshot(), before.ID)
		if err != nil {
			return err
		}
		return c.RaiseAutoIncrement(after.ID, max(next, m.last+1))
	})
}

// mover moves documents to a collection with another primary key.
type mover struct {
	from, to *session.Definition
	rewrite  rewriting
	proof    *uniqueProof
	misfits  map[string]bool
	counted  int    // index of the AUTO_INCREMENT column, or -1
	last     uint64 // the greatest number in it
}

func (m *mover) all(ctx *sql.Context, w *tables.Tx) error {
	restore := w.Fence()
	defer restore()
	rows := m.from.Collection.Scan(w.Statement(), indexes.Everything(), tables.ScanOptions{Streaming: kv.StreamAll})
	defer rows.Close()
	for n := 1; rows.Next(); n++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := m.one(ctx, w, rows.Document()); err != nil {
			return inRow(ctx, err, n)
		}
		if err := w.CheckSize(); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (m *mover) one(ctx *sql.Context, w *tables.Tx, d document.Document) (err error) {
	if m.rewrite != nil {
		if d, err = m.rewrite(ctx, m.from, m.to, d); err != nil {
			return err
		}
	}
	if m.from.Hidden() && !m.to.Hidden() && !m.to.Open && m.to.ColumnNamed(tables.HiddenKey) == nil {
		if d, err = d.Without(document.Keypath{{Name: tables.HiddenKey}}); err != nil {
			return err
		}
	}
	for _, i := range m.to.PrimaryKey {
		c := &m.to.SQLColumns[i]
		if v, there := d.Lookup(c.Keypath); !there || v.IsNull() {
			return table.ErrNullInColumn(c.Name)
		}
	}
	pk, d, values, err := table.Identify(m.to, ctx, d)
	if err != nil {
		return err
	}
	if err := m.to.Typing.Misfits(d, func(x tables.Misfit) { m.misfits[x.Column] = true }); err != nil {
		return err
	}
	if err := m.proof.add(ctx, d); err != nil {
		return err
	}
	if m.counted >= 0 {
		m.last = max(m.last, countedIn(d, &m.to.SQLColumns[m.counted]))
	}
	err = m.to.Collection.Insert(ctx, w, pk, d)
	if errors.Is(err, tables.ErrDuplicate) {
		text := fmt.Sprintf("Duplicate entry '%s' for key '%s.PRIMARY'", m.to.KeyText(ctx, values), m.to.Name)
		return sql.NewUniqueKeyErr(text, true, nil)
	}
	return err
}
