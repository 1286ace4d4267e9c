package catalog

import (
	"context"
	"fmt"
	"strings"

	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
)

// The functions of Catalog that change definitions are one transaction each. A change is seen whole or not at all,
// and it conflicts with every transaction that has used one of the definitions concerned and writes. Change does the
// same within a transaction of the caller's.

// change runs fn in a transaction.
func (c *Catalog) change(ctx context.Context, fn func(*Change) error) error {
	return c.Transact(ctx, kv.TransactionOptions{}, func(tx kv.Transaction) error {
		ch, err := c.Change(ctx, tx)
		if err != nil {
			return err
		}
		return fn(ch)
	})
}

// CreateDatabase makes an empty database, or fails with ErrDatabaseExists.
func (c *Catalog) CreateDatabase(ctx context.Context, name, collation string) error {
	return c.change(ctx, func(ch *Change) error { return ch.CreateDatabase(name, collation) })
}

// AlterDatabase sets a database's default collation.
func (c *Catalog) AlterDatabase(ctx context.Context, name, collation string) error {
	return c.change(ctx, func(ch *Change) error { return ch.AlterDatabase(name, collation) })
}

// DropDatabase removes a database with its tables, their data and its views.
func (c *Catalog) DropDatabase(ctx context.Context, name string) error {
	return c.change(ctx, func(ch *Change) error { return ch.DropDatabase(name) })
}

// CreateTable stores a new definition and returns it with its number.
func (c *Catalog) CreateTable(ctx context.Context, def *Table) (*Table, error) {
	var t *Table
	err := c.change(ctx, func(ch *Change) (err error) {
		t, err = ch.CreateTable(def)
		return err
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
	return c.change(ctx, func(ch *Change) error { return ch.DropTables(names) })
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
	return c.change(ctx, func(ch *Change) error { return ch.Rename(list) })
}

// AlterTable applies edit to the present definition of a table. Its number, name
// and database stay.
func (c *Catalog) AlterTable(ctx context.Context, databaseName, name string, edit func(*Table) error) (*Table, error) {
	var out *Table
	err := c.change(ctx, func(ch *Change) (err error) {
		out, err = ch.AlterTable(databaseName, name, edit)
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// TruncateTable gives a table a new, empty collection and removes the old one.
func (c *Catalog) TruncateTable(ctx context.Context, databaseName, name string) error {
	return c.change(ctx, func(ch *Change) error { return ch.TruncateTable(databaseName, name) })
}

// PutView stores a SQL view; Replace allows one of the same name to be there.
func (c *Catalog) PutView(ctx context.Context, w SQLView, opts PutViewOptions) error {
	return c.change(ctx, func(ch *Change) error { return ch.PutView(w, opts) })
}

// PutViewOptions are the settings of PutView.
type PutViewOptions struct {
	Replace bool
}

// DropView removes a SQL view.
func (c *Catalog) DropView(ctx context.Context, databaseName, name string) error {
	return c.change(ctx, func(ch *Change) error { return ch.DropView(databaseName, name) })
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
		if err := raiseFormat(tx); err != nil {
			return err
		}
	}
	b, err := t.marshal()
	if err != nil {
		return err
	}
	if err := kv.CheckValue(b); err != nil {
		return fmt.Errorf("the definition of %s.%s: %w", t.Database, t.Name, err)
	}
	tx.Set(tableKey(t), b)
	return nil
}

// raiseFormat makes the store one that a program of the first format refuses.
func raiseFormat(tx kv.Transaction) error {
	raw, err := tx.Get(keyspace.FormatVersion()).Get()
	if err != nil {
		return fmt.Errorf("catalog: %w", err)
	}
	if getUint(raw) < DefinitionsFormat {
		tx.Set(keyspace.FormatVersion(), putUint(DefinitionsFormat))
	}
	return nil
}

func clearTable(tx kv.Transaction, t *Table) {
	tx.Clear(tableKey(t))
	tx.ClearRange(t.Keys().All())
	tx.ClearRange(keyspace.Keypaths(t.ID))
	tx.ClearRange(keyspace.AutoIncrements(t.ID))
}

// NextNumber is the number that the next collection gets.
func (c *Catalog) NextNumber(r kv.Reader) (int64, error) {
	raw, err := r.Get(keyspace.NextID()).Get()
	if err != nil {
		return 0, fmt.Errorf("catalog: read the next collection number: %w", err)
	}
	return int64(getUint(raw)), nil
}

// nextID reserves the number of a collection, in a transaction of its own. Keypaths' numbers and AUTO_INCREMENT
// values are kept by that number outside the transaction that makes the collection; so they don't become another
// collection's. also are further writes of that transaction.
func (c *Catalog) nextID(ctx context.Context, also ...func(tx kv.Transaction, id int64)) (int64, error) {
	var id int64
	err := kv.Transact(ctx, c.store, kv.TransactOptions{Repeatable: true, Attempts: numberAttempts,
		LongestWait: numberLongestWait}, func(tx kv.Transaction) error {
		next, err := c.NextNumber(tx)
		if err != nil {
			return err
		}
		id = next
		tx.Set(keyspace.NextID(), putUint(uint64(id+1)))
		for _, do := range also {
			do(tx, id)
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("catalog: take the next collection number: %w", err)
	}
	return id, nil
}

// AlterTableWithin is AlterTable as a part of tx, which also writes the documents as
// changed. Nothing may read the definitions through tx after it, and the caller commits tx
// next.
func (c *Catalog) AlterTableWithin(tx kv.Transaction, databaseName, name string, edit func(*Table) error) (*Table,
	error) {
	v, err := c.View(tx)
	if err != nil {
		return nil, err
	}
	return (&Change{catalog: c, tx: tx, view: v}).AlterTable(databaseName, name, edit)
}
