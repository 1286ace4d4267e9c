package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
)

// Change is changes of definitions within one transaction, one after the other. Each sees the changes before it.
// Other transactions see all of them or none, once the transaction has committed. It is not safe for concurrent use.
//
// The transaction conflicts with every other one that changes definitions. After the first change nothing may ask the
// catalog for a View through the transaction: Change.View is the state that it sees.
type Change struct {
	catalog *Catalog
	ctx     context.Context // of the transactions that take numbers of collections
	tx      kv.Transaction
	view    *View
	changed bool
	taken   func(int64) // see With
}

// Change begins to change definitions within tx, which reads its own writes and which the
// caller commits. Numbers of collections are reserved in transactions of their own, within
// ctx: the numbers of a change that does not commit are lost.
func (c *Catalog) Change(ctx context.Context, tx kv.Transaction) (*Change, error) {
	v, err := c.View(tx)
	if err != nil {
		return nil, err
	}
	return &Change{catalog: c, ctx: ctx, tx: tx, view: v}, nil
}

// View is the definitions as they have been changed so far. It is immutable.
func (c *Change) View() *View { return c.view }

// Changed reports whether anything has been changed.
func (c *Change) Changed() bool { return c.changed }

// edit makes another view of the present one; the first change raises the schema version.
func (c *Change) edit(fn func(databases map[string]*database)) {
	if !c.changed {
		c.changed = true
		c.tx.Add(keyspace.SchemaVersion(), putUint(1))
	}
	s := &schema{version: c.view.s.version, accounts: c.view.s.accounts,
		databases: make(map[string]*database, len(c.view.s.databases))}
	for name, d := range c.view.s.databases {
		own := *d
		own.tables, own.views = maps.Clone(d.tables), maps.Clone(d.views)
		s.databases[name] = &own
	}
	fn(s.databases)
	c.view = &View{s: s, own: c.view.own}
}

// PutAccounts writes the record of the accounts, without looking into it.
func (c *Change) PutAccounts(record []byte) {
	c.tx.Set(keyspace.Accounts(), record)
	c.edit(func(map[string]*database) {})
	c.view.s.accounts = record
}

// CreateDatabase makes an empty database, or fails with ErrDatabaseExists.
func (c *Change) CreateDatabase(name, collation string) error {
	if _, _, ok := c.view.Database(name); ok {
		return fmt.Errorf("catalog: create database %s: %w", name, ErrDatabaseExists)
	}
	return c.putDatabase(&database{Name: name, Collation: collation})
}

// AlterDatabase sets a database's default collation.
func (c *Change) AlterDatabase(name, collation string) error {
	proper, _, ok := c.view.Database(name)
	if !ok {
		return fmt.Errorf("catalog: alter database %s: %w", name, ErrNoDatabase)
	}
	return c.putDatabase(&database{Name: proper, Collation: collation})
}

func (c *Change) putDatabase(d *database) error {
	b, err := json.Marshal(d)
	if err != nil {
		return fmt.Errorf("catalog: encode database %s: %w", d.Name, err)
	}
	lower := strings.ToLower(d.Name)
	c.tx.Set(keyspace.Database(lower), b)
	c.edit(func(databases map[string]*database) {
		d.tables, d.views = map[string]*Table{}, map[string]SQLView{}
		if was := databases[lower]; was != nil {
			d.tables, d.views = was.tables, was.views
		}
		databases[lower] = d
	})
	return nil
}

// DropDatabase removes a database with its tables, their data and its views.
func (c *Change) DropDatabase(name string) error {
	if _, _, ok := c.view.Database(name); !ok {
		return fmt.Errorf("catalog: drop database %s: %w", name, ErrNoDatabase)
	}
	lower := strings.ToLower(name)
	for _, t := range c.view.Tables(name) {
		clearTable(c.tx, t)
	}
	for _, w := range c.view.Views(name) {
		c.tx.Clear(keyspace.View(lower, strings.ToLower(w.Name)))
	}
	c.tx.Clear(keyspace.Database(lower))
	c.edit(func(databases map[string]*database) { delete(databases, lower) })
	return nil
}

// CreateTable stores a new definition and returns it with its number.
func (c *Change) CreateTable(def *Table) (*Table, error) {
	t := def.Clone()
	proper, _, ok := c.view.Database(t.Database)
	if !ok {
		return nil, fmt.Errorf("catalog: create table %s: %w", t, ErrNoDatabase)
	}
	t.Database = proper
	if err := nameFree(c.view, t.Database, t.Name); err != nil {
		return nil, err
	}
	id, err := c.catalog.nextID(c.ctx)
	if err != nil {
		return nil, err
	}
	t.ID, t.Collator = id, collation.Version()
	return t, c.putTable(t)
}

// DropTable removes a table and everything that its collection holds.
func (c *Change) DropTable(databaseName, name string) error {
	t, err := tableOf(c.view, databaseName, name)
	if err != nil {
		return err
	}
	if t.Temporary() {
		c.removeTemporary(t)
		return nil
	}
	clearTable(c.tx, t)
	c.edit(func(databases map[string]*database) {
		delete(databases[strings.ToLower(t.Database)].tables, strings.ToLower(t.Name))
	})
	return nil
}

// DropTables removes tables and everything that their collections hold: all, or none if one is
// missing.
func (c *Change) DropTables(names []Name) error {
	for _, n := range names {
		if _, err := tableOf(c.view, n.Database, n.Name); err != nil {
			return err
		}
	}
	for _, n := range names {
		if err := c.DropTable(n.Database, n.Name); err != nil {
			return err
		}
	}
	return nil
}

// DropTablesThere removes the tables that exist, and returns the names of the others.
func (c *Change) DropTablesThere(names []Name) (missing []Name, err error) {
	for _, n := range names {
		if _, ok := c.view.Table(n.Database, n.Name); !ok {
			missing = append(missing, n)
		} else if err := c.DropTable(n.Database, n.Name); err != nil {
			return nil, err
		}
	}
	return missing, nil
}

// Rename gives tables and views other names, one after the other, so that two can change theirs. A table may go to
// another database, a view may not. If it fails, earlier renamings stay within the transaction.
func (c *Change) Rename(list []Renaming) error {
	for _, r := range list {
		if err := c.rename(r); err != nil {
			return err
		}
	}
	return nil
}

func (c *Change) rename(r Renaming) error {
	proper, _, ok := c.view.Database(r.To.Database)
	if !ok {
		return fmt.Errorf("catalog: rename %s.%s to %s.%s: %w", r.From.Database, r.From.Name, r.To.Database, r.To.Name,
			ErrNoDatabase)
	}
	t, isTable := c.view.Table(r.From.Database, r.From.Name)
	if isTable && t.Temporary() {
		return c.renameTemporary(t, Name{proper, r.To.Name})
	}
	w, isView := c.view.View(r.From.Database, r.From.Name)
	if !isTable && (!isView || !strings.EqualFold(proper, w.Database)) {
		return fmt.Errorf("catalog: %s.%s: %w", r.From.Database, r.From.Name, ErrNoTable)
	}
	if r.From.lower() != r.To.lower() {
		if err := nameFree(c.view, proper, r.To.Name); err != nil {
			return err
		}
	}
	if !isTable {
		c.dropView(w)
		w.Name = r.To.Name
		return c.putView(w)
	}
	c.tx.Clear(tableKey(t))
	c.edit(func(databases map[string]*database) {
		delete(databases[strings.ToLower(t.Database)].tables, strings.ToLower(t.Name))
	})
	renamed := t.Clone()
	renamed.Database, renamed.Name = proper, r.To.Name
	if err := c.putTable(renamed); err != nil {
		return err
	}
	return c.followRenaming(Renaming{Name{t.Database, t.Name}, Name{proper, r.To.Name}})
}

// AlterTable applies edit to the present definition of a table. Its number, name
// and database stay.
func (c *Change) AlterTable(databaseName, name string, edit func(*Table) error) (*Table, error) {
	t, err := tableOf(c.view, databaseName, name)
	if err != nil {
		return nil, err
	}
	out := t.Clone()
	if err := edit(out); err != nil {
		return nil, err
	}
	out.ID, out.Database, out.Name = t.ID, t.Database, t.Name
	return out, c.putTable(out)
}

// TruncateTable gives a table a new, empty collection and removes the old one.
func (c *Change) TruncateTable(databaseName, name string) error {
	return c.MoveTable(databaseName, name, func(_, _ *Table) error { return nil })
}

// MoveTable gives a table a new collection and removes the old one. In between fill edits the second definition, which
// is the new one, and writes the documents.
func (c *Change) MoveTable(databaseName, name string, fill func(before, after *Table) error) error {
	t, err := tableOf(c.view, databaseName, name)
	if err != nil {
		return err
	}
	fresh := t.Clone()
	for i := range fresh.Columns {
		fresh.Columns[i].Earlier, fresh.Columns[i].Misfits = nil, false
	}
	for i := range fresh.Indexes {
		fresh.Indexes[i].Building = 0
	}
	fresh.Columns = slices.DeleteFunc(fresh.Columns, func(c Column) bool { return c.Dead() })
	fresh.Formers, fresh.Collator = nil, collation.Version()
	fresh.restartMaps()
	number := c.temporaryNumber
	if !t.Temporary() {
		number = func() (int64, error) { return c.catalog.nextID(c.ctx) }
	}
	if fresh.ID, err = number(); err != nil {
		return err
	}
	if err := fill(t, fresh); err != nil {
		return err
	}
	if !t.Temporary() {
		clearTable(c.tx, t)
	}
	return c.putTable(fresh)
}

// RaiseAutoIncrement makes the next AUTO_INCREMENT value of a collection, whichever process takes it, at least next.
func (c *Change) RaiseAutoIncrement(collection int64, next uint64) error {
	_, err := c.catalog.raiseWithin(c.tx, collection, next)
	return err
}

// PutView stores a SQL view; Replace allows one of the same name to be there.
func (c *Change) PutView(w SQLView, opts PutViewOptions) error {
	proper, _, ok := c.view.Database(w.Database)
	if !ok {
		return fmt.Errorf("catalog: create view %s.%s: %w", w.Database, w.Name, ErrNoDatabase)
	}
	w.Database = proper
	if _, there := c.view.View(proper, w.Name); !there || !opts.Replace {
		if err := nameFree(c.view, proper, w.Name); err != nil {
			return err
		}
	}
	return c.putView(w)
}

func (c *Change) putView(w SQLView) error {
	b, err := json.Marshal(w)
	if err != nil {
		return fmt.Errorf("catalog: encode view %s.%s: %w", w.Database, w.Name, err)
	}
	of, name := strings.ToLower(w.Database), strings.ToLower(w.Name)
	c.tx.Set(keyspace.View(of, name), b)
	c.edit(func(databases map[string]*database) { databases[of].views[name] = w })
	return nil
}

// DropView removes a SQL view.
func (c *Change) DropView(databaseName, name string) error {
	w, ok := c.view.View(databaseName, name)
	if !ok {
		return fmt.Errorf("catalog: drop view %s.%s: %w", databaseName, name, ErrNoTable)
	}
	c.dropView(w)
	return nil
}

func (c *Change) dropView(w SQLView) {
	of, name := strings.ToLower(w.Database), strings.ToLower(w.Name)
	c.tx.Clear(keyspace.View(of, name))
	c.edit(func(databases map[string]*database) { delete(databases[of].views, name) })
}

func (c *Change) putTable(t *Table) error {
	if t.Temporary() {
		c.putTemporary(t)
		return t.Understood()
	}
	c.newlyReferred(t)
	if err := putTable(c.tx, t); err != nil {
		return err
	}
	c.edit(func(databases map[string]*database) {
		databases[strings.ToLower(t.Database)].tables[strings.ToLower(t.Name)] = t
	})
	return nil
}
