package sqlbackend

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
	"github.com/sqlfdb/sqlfdb/tables"
)

// A table with another primary key has another collection: keys, entries, counts and the feed all go by the key.
// The documents move there in the statement's transaction, so that a table that is too large for one keeps its key.
// The feed begins anew, as after TRUNCATE TABLE.

var _ sql.PrimaryKeyAlterableTable = (*Table)(nil)

// CreatePrimaryKey implements sql.PrimaryKeyAlterableTable.
func (t *Table) CreatePrimaryKey(ctx *sql.Context, columns []sql.IndexColumn) error {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
		if place, ok := t.def.Column(c.Name); ok {
			filled := t.def.Columns[place]
			filled.Nullable = false
			if err := t.refuseReferencedType(ctx, c.Name, filled); err != nil {
				return mysqlerr.Of(ctx, err)
			}
		}
	}
	t.session.rekeyed = 0
	return t.alter(ctx, alteration{moves: true, edit: func(def *catalog.Table) error {
		def.PrimaryKey = nil
		return setKey(def, names)
	}})
}

// setKey gives a table a primary key. Its columns are NOT NULL from then on.
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
func (t *Table) DropPrimaryKey(ctx *sql.Context) error {
	view, err := t.session.definitions()
	if err != nil {
		return mysqlerr.Of(ctx, err)
	}
	after := t.def.Table.Clone()
	after.PrimaryKey = nil
	later := t.session.withKeyClauses(after)
	if err := t.session.refuseReferencedIndex(view.Of(later), later, "PRIMARY"); err != nil {
		return mysqlerr.Of(ctx, err)
	}
	if err := hasCountedKey(later); err != nil {
		return err
	}
	if t.session.setsKeyNext() {
		t.session.rekeyed, t.session.tables = t.def.ID, nil
		return nil
	}
	return t.alter(ctx, alteration{moves: true, edit: func(def *catalog.Table) error {
		def.PrimaryKey = nil
		return nil
	}})
}

// setsKeyNext reports whether the running ALTER TABLE adds a primary key right after it drops the one that is there:
// the documents then move once.
func (s *Session) setsKeyNext() bool {
	alter, ok := s.statement().(*ast.AlterTable)
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

// withKeyClauses is a table with the keys that the running ALTER TABLE adds to it, where no column that it drops or
// defines anew counts itself up: clauses are done one after the other, and what MySQL asks of a table it asks of what
// all of them make of it.
func (s *Session) withKeyClauses(def *catalog.Table) *catalog.Table {
	alter, ok := s.statement().(*ast.AlterTable)
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

// hasCountedKey refuses a table whose AUTO_INCREMENT column no key begins with.
func hasCountedKey(def *catalog.Table) error {
	for i := range def.Columns {
		if c := &def.Columns[i]; c.AutoIncrement && !def.HasKey([]string{c.Name}) {
			return sql.ErrInvalidAutoIncCols.New()
		}
	}
	return nil
}

// move gives the table another collection with another primary key, and writes its documents there.
func (t *Table) move(ctx *sql.Context, c *catalog.Change, w *tables.Tx, a alteration) error {
	cat := t.session.backend.catalog
	if before, ok := c.View().Table(t.def.Database, t.def.Name); ok && before.Parting() {
		return mysqlerr.Unsupported("another key while an index of %s on expressions is built or taken away: see %s.jobs",
			t.def, systemDatabase)
	}
	return c.MoveTable(t.def.Database, t.def.Name, func(before, after *catalog.Table) error {
		if err := a.edit(after); err != nil {
			return err
		}
		keyCollations(after)
		if _, there := after.Column(tables.HiddenKey); there && len(after.PrimaryKey) == 0 {
			return mysqlerr.Unsupported("a column %s must be the primary key", tables.HiddenKey)
		}
		from, err := newDefinition(cat, before)
		if err != nil {
			return err
		}
		to, err := newDefinition(cat, after)
		if err != nil {
			return err
		}
		rewrite, err := t.following(ctx, to, a)
		if err != nil {
			return err
		}
		m := mover{from: from, to: to, rewrite: rewrite, proof: newUniqueProof(from, to, a.follows),
			misfits: map[string]bool{},
			counted: slices.IndexFunc(after.Columns, func(c catalog.Column) bool { return c.AutoIncrement })}
		for i := range before.Indexes {
			if idx := &before.Indexes[i]; idx.Unique && idx.Building != 0 && findIndex(after, idx.Name) >= 0 {
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
	from, to *definition
	rewrite  rewriting
	proof    *uniqueProof
	misfits  map[string]bool
	counted  int    // the place of the AUTO_INCREMENT column, or -1
	last     uint64 // the greatest number in it
}

func (m *mover) all(ctx *sql.Context, w *tables.Tx) error {
	restore := w.Fence()
	defer restore()
	rows := m.from.collection.Scan(w.Statement(), indexes.Everything(), tables.ScanOptions{Streaming: kv.StreamAll})
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
	if m.from.hidden() && !m.to.hidden() && !m.to.Open && m.to.column(tables.HiddenKey) == nil {
		if d, err = d.Without(document.Keypath{{Name: tables.HiddenKey}}); err != nil {
			return err
		}
	}
	for _, i := range m.to.PrimaryKey {
		c := &m.to.columns[i]
		if v, there := d.Lookup(c.keypath); !there || v.IsNull() {
			return errNullInColumn(c.name)
		}
	}
	pk, d, values, err := m.to.identify(ctx, d)
	if err != nil {
		return err
	}
	if err := m.to.typing.Misfits(d, func(x tables.Misfit) { m.misfits[x.Column] = true }); err != nil {
		return err
	}
	if err := m.proof.add(ctx, d); err != nil {
		return err
	}
	if m.counted >= 0 {
		m.last = max(m.last, countedIn(d, &m.to.columns[m.counted]))
	}
	err = m.to.collection.Insert(ctx, w, pk, d)
	if errors.Is(err, tables.ErrDuplicate) {
		text := fmt.Sprintf("Duplicate entry '%s' for key '%s.PRIMARY'", m.to.keyText(ctx, values), m.to.Name)
		return sql.NewUniqueKeyErr(text, true, nil)
	}
	return err
}
