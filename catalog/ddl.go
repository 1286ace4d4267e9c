package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
)

// Every function here is one transaction of its own: a change of definitions is
// seen whole or not at all, and it conflicts with every transaction that has
// read the definitions and writes.

// change runs fn on the definitions and raises the schema version.
func (c *Catalog) change(ctx context.Context, fn func(tx kv.Transaction, v *View) error) error {
	return c.Transact(ctx, kv.TransactionOptions{}, func(tx kv.Transaction) error {
		v, err := c.View(tx)
		if err != nil {
			return err
		}
		if err := fn(tx, v); err != nil {
			return err
		}
		tx.Add(keyspace.SchemaVersion(), putUint(1))
		return nil
	})
}

// CreateDatabase makes an empty database, or fails with ErrDatabaseExists.
func (c *Catalog) CreateDatabase(ctx context.Context, name, collation string) error {
	return c.change(ctx, func(tx kv.Transaction, v *View) error {
		if _, _, ok := v.Database(name); ok {
			return fmt.Errorf("catalog: create database %s: %w", name, ErrDatabaseExists)
		}
		return putDatabase(tx, &database{Name: name, Collation: collation})
	})
}

// AlterDatabase sets a database's default collation.
func (c *Catalog) AlterDatabase(ctx context.Context, name, collation string) error {
	return c.change(ctx, func(tx kv.Transaction, v *View) error {
		proper, _, ok := v.Database(name)
		if !ok {
			return fmt.Errorf("catalog: alter database %s: %w", name, ErrNoDatabase)
		}
		return putDatabase(tx, &database{Name: proper, Collation: collation})
	})
}

func putDatabase(tx kv.Transaction, d *database) error {
	b, err := json.Marshal(d)
	if err != nil {
		return fmt.Errorf("catalog: encode database %s: %w", d.Name, err)
	}
	tx.Set(keyspace.Database(strings.ToLower(d.Name)), b)
	return nil
}

// DropDatabase removes a database with its tables, their data and its views.
func (c *Catalog) DropDatabase(ctx context.Context, name string) error {
	return c.change(ctx, func(tx kv.Transaction, v *View) error {
		if _, _, ok := v.Database(name); !ok {
			return fmt.Errorf("catalog: drop database %s: %w", name, ErrNoDatabase)
		}
		for _, t := range v.Tables(name) {
			clearTable(tx, t)
		}
		for _, w := range v.Views(name) {
			tx.Clear(keyspace.View(strings.ToLower(name), strings.ToLower(w.Name)))
		}
		tx.Clear(keyspace.Database(strings.ToLower(name)))
		return nil
	})
}

// CreateTable stores a new definition and returns it with its number.
func (c *Catalog) CreateTable(ctx context.Context, def *Table) (*Table, error) {
	t := def.Clone()
	err := c.change(ctx, func(tx kv.Transaction, v *View) error {
		proper, _, ok := v.Database(t.Database)
		if !ok {
			return fmt.Errorf("catalog: create table %s: %w", t, ErrNoDatabase)
		}
		t.Database = proper
		if err := nameFree(v, t.Database, t.Name); err != nil {
			return err
		}
		id, err := nextID(tx)
		if err != nil {
			return err
		}
		t.ID, t.Collator = id, collation.Version()
		return putTable(tx, t)
	})
	if err != nil {
		return nil, err
	}
	return t, nil
}

// DropTable removes a table and everything its collection holds.
func (c *Catalog) DropTable(ctx context.Context, databaseName, name string) error {
	return c.DropTables(ctx, []Name{{databaseName, name}})
}

// Name is a table or a view of a database.
type Name struct{ Database, Name string }

func (n Name) lower() Name { return Name{strings.ToLower(n.Database), strings.ToLower(n.Name)} }

// DropTables removes tables and everything their collections hold: all, or none if one is
// missing.
func (c *Catalog) DropTables(ctx context.Context, names []Name) error {
	return c.change(ctx, func(tx kv.Transaction, v *View) error {
		for _, n := range names {
			t, err := tableOf(v, n.Database, n.Name)
			if err != nil {
				return err
			}
			clearTable(tx, t)
		}
		return nil
	})
}

// DropTablesThere removes those of the tables that are there, and returns the names of the others.
func (c *Catalog) DropTablesThere(ctx context.Context, names []Name) (missing []Name, err error) {
	err = c.change(ctx, func(tx kv.Transaction, v *View) error {
		missing = nil
		for _, n := range names {
			if t, ok := v.Table(n.Database, n.Name); ok {
				clearTable(tx, t)
			} else {
				missing = append(missing, n)
			}
		}
		return nil
	})
	return missing, err
}

// RenameTable gives a table another name, perhaps in another database.
func (c *Catalog) RenameTable(ctx context.Context, databaseName, name, newDatabase, newName string) error {
	return c.Rename(ctx, []Renaming{{Name{databaseName, name}, Name{newDatabase, newName}}})
}

// Renaming gives a table or a view another name.
type Renaming struct{ From, To Name }

// Rename gives tables and views other names, one after the other, so that two can change
// theirs: all, or none. A table may go to another database, a view may not.
func (c *Catalog) Rename(ctx context.Context, list []Renaming) error {
	return c.change(ctx, func(tx kv.Transaction, v *View) error {
		tables, views := map[Name]*Table{}, map[Name]*SQLView{} // nil: gone from there
		table := func(n Name) *Table {
			if t, moved := tables[n.lower()]; moved {
				return t
			}
			t, _ := v.Table(n.Database, n.Name)
			return t
		}
		view := func(n Name) *SQLView {
			if w, moved := views[n.lower()]; moved {
				return w
			}
			if w, ok := v.View(n.Database, n.Name); ok {
				return &w
			}
			return nil
		}
		for _, r := range list {
			proper, _, ok := v.Database(r.To.Database)
			if !ok {
				return fmt.Errorf("catalog: rename %s.%s to %s.%s: %w", r.From.Database, r.From.Name, r.To.Database, r.To.Name, ErrNoDatabase)
			}
			t, w := table(r.From), view(r.From)
			if t == nil && (w == nil || !strings.EqualFold(proper, w.Database)) {
				return fmt.Errorf("catalog: %s.%s: %w", r.From.Database, r.From.Name, ErrNoTable)
			}
			if r.From.lower() != r.To.lower() && (table(r.To) != nil || view(r.To) != nil) {
				return fmt.Errorf("catalog: %s.%s: %w", proper, r.To.Name, ErrTableExists)
			}
			if t != nil {
				renamed := t.Clone()
				renamed.Database, renamed.Name = proper, r.To.Name
				tables[r.From.lower()] = nil
				tables[r.To.lower()] = renamed
				continue
			}
			renamed := *w
			renamed.Name = r.To.Name
			views[r.From.lower()] = nil
			views[r.To.lower()] = &renamed
		}
		for n, t := range tables {
			if t == nil {
				tx.Clear(keyspace.Table(n.Database, n.Name))
			} else if err := putTable(tx, t); err != nil {
				return err
			}
		}
		for n, w := range views {
			if w == nil {
				tx.Clear(keyspace.View(n.Database, n.Name))
			} else if err := putView(tx, *w); err != nil {
				return err
			}
		}
		return nil
	})
}

// AlterTable applies edit to the present definition of a table. Its number, name
// and database stay.
func (c *Catalog) AlterTable(ctx context.Context, databaseName, name string, edit func(*Table) error) (*Table, error) {
	var out *Table
	err := c.change(ctx, func(tx kv.Transaction, v *View) error {
		t, err := tableOf(v, databaseName, name)
		if err != nil {
			return err
		}
		out = t.Clone()
		if err := edit(out); err != nil {
			return err
		}
		out.ID, out.Database, out.Name = t.ID, t.Database, t.Name
		return putTable(tx, out)
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// TruncateTable gives a table a new, empty collection and removes the old one.
func (c *Catalog) TruncateTable(ctx context.Context, databaseName, name string) error {
	return c.change(ctx, func(tx kv.Transaction, v *View) error {
		t, err := tableOf(v, databaseName, name)
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
		fresh.Formers, fresh.Collator = nil, collation.Version()
		clearTable(tx, t)
		if fresh.ID, err = nextID(tx); err != nil {
			return err
		}
		return putTable(tx, fresh)
	})
}

// PutView stores a SQL view; Replace allows one of the same name to be there.
func (c *Catalog) PutView(ctx context.Context, w SQLView, opts PutViewOptions) error {
	return c.change(ctx, func(tx kv.Transaction, v *View) error {
		proper, _, ok := v.Database(w.Database)
		if !ok {
			return fmt.Errorf("catalog: create view %s.%s: %w", w.Database, w.Name, ErrNoDatabase)
		}
		w.Database = proper
		if _, there := v.View(proper, w.Name); !there || !opts.Replace {
			if err := nameFree(v, proper, w.Name); err != nil {
				return err
			}
		}
		return putView(tx, w)
	})
}

func putView(tx kv.Transaction, w SQLView) error {
	b, err := json.Marshal(w)
	if err != nil {
		return fmt.Errorf("catalog: encode view %s.%s: %w", w.Database, w.Name, err)
	}
	tx.Set(keyspace.View(strings.ToLower(w.Database), strings.ToLower(w.Name)), b)
	return nil
}

// PutViewOptions are the settings of PutView.
type PutViewOptions struct {
	Replace bool
}

// DropView removes a SQL view.
func (c *Catalog) DropView(ctx context.Context, databaseName, name string) error {
	return c.change(ctx, func(tx kv.Transaction, v *View) error {
		if _, ok := v.View(databaseName, name); !ok {
			return fmt.Errorf("catalog: drop view %s.%s: %w", databaseName, name, ErrNoTable)
		}
		tx.Clear(keyspace.View(strings.ToLower(databaseName), strings.ToLower(name)))
		return nil
	})
}

func tableOf(v *View, databaseName, name string) (*Table, error) {
	if t, ok := v.Table(databaseName, name); ok {
		return t, nil
	}
	return nil, fmt.Errorf("catalog: %s.%s: %w", databaseName, name, ErrNoTable)
}

func nameFree(v *View, databaseName, name string) error {
	_, isTable := v.Table(databaseName, name)
	_, isView := v.View(databaseName, name)
	if isTable || isView {
		return fmt.Errorf("catalog: %s.%s: %w", databaseName, name, ErrTableExists)
	}
	return nil
}

func tableKey(t *Table) []byte {
	return keyspace.Table(strings.ToLower(t.Database), strings.ToLower(t.Name))
}

func putTable(tx kv.Transaction, t *Table) error {
	if err := t.Understood(); err != nil {
		return err
	}
	if t.Format = t.format(); t.Format > FormatVersion {
		tx.Set(keyspace.FormatVersion(), putUint(NewestFormatVersion))
	}
	b, err := t.marshal()
	if err != nil {
		return err
	}
	tx.Set(tableKey(t), b)
	return nil
}

func clearTable(tx kv.Transaction, t *Table) {
	tx.Clear(tableKey(t))
	tx.ClearRange(t.Keys().All())
	tx.ClearRange(keyspace.Keypaths(t.ID))
	tx.ClearRange(keyspace.AutoIncrements(t.ID))
}

func nextID(tx kv.Transaction) (int64, error) {
	raw, err := tx.Get(keyspace.NextID()).Get()
	if err != nil {
		return 0, fmt.Errorf("catalog: read next collection number: %w", err)
	}
	id := getUint(raw)
	tx.Set(keyspace.NextID(), putUint(id+1))
	return int64(id), nil
}

// AlterTableWithin is AlterTable as a part of tx, which also writes what the
// change makes of the documents. Nothing may read the definitions through tx
// after it, and the caller commits tx next.
func (c *Catalog) AlterTableWithin(tx kv.Transaction, databaseName, name string, edit func(*Table) error) (*Table, error) {
	v, err := c.View(tx)
	if err != nil {
		return nil, err
	}
	t, err := tableOf(v, databaseName, name)
	if err != nil {
		return nil, err
	}
	out := t.Clone()
	if err := edit(out); err != nil {
		return nil, err
	}
	out.ID, out.Database, out.Name = t.ID, t.Database, t.Name
	if err := putTable(tx, out); err != nil {
		return nil, err
	}
	tx.Add(keyspace.SchemaVersion(), putUint(1))
	return out, nil
}
