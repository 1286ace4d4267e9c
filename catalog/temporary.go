package catalog

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
)

// A temporary table is a collection whose definition is in the memory of the session that has it, and nowhere else:
// to make one changes nothing for others. Its number is below 0. The store records the process it belongs to, and
// that process raises a counter as long as it lives. The sweep removes the tables of processes that are gone.

// ErrTemporaries is returned where a session would have more temporary tables than MaxTemporaries.
var ErrTemporaries = errors.New("too many temporary tables")

// MaxTemporaries bounds the temporary tables of a session.
const MaxTemporaries = 256

// Temporary reports whether this is the definition of a temporary table.
func (t *Table) Temporary() bool { return t.ID < 0 }

// Temporaries are the temporary tables of a session. They are immutable; nil is none.
type Temporaries struct {
	tables map[Name]*Table // by lower-cased name
}

// All are the tables, in no order.
func (o *Temporaries) All() []*Table {
	if o == nil {
		return nil
	}
	out := make([]*Table, 0, len(o.tables))
	for _, t := range o.tables {
		out = append(out, t)
	}
	return out
}

// Table finds a temporary table by name, ignoring case.
func (o *Temporaries) Table(databaseName, name string) (*Table, bool) {
	if o == nil {
		return nil, false
	}
	t, ok := o.tables[Name{databaseName, name}.lower()]
	return t, ok
}

// with is the tables with another one, or without the one of a name where t is nil.
func (o *Temporaries) with(n Name, t *Table) *Temporaries {
	next := &Temporaries{tables: map[Name]*Table{}}
	if o != nil {
		maps.Copy(next.tables, o.tables)
	}
	if t != nil {
		next.tables[n.lower()] = t
	} else {
		delete(next.tables, n.lower())
	}
	return next
}

// With is the view of a session that has temporary tables. Table finds them before stored tables of the same names;
// Tables does not list them.
func (v *View) With(own *Temporaries) *View {
	if own == v.own {
		return v
	}
	w := *v
	w.own = own
	return &w
}

// Of is the view in which the foreign keys of a table are found: temporary tables have none.
func (v *View) Of(t *Table) *View {
	if t.Temporary() {
		return v
	}
	return v.Stored()
}

// Stored is the view without temporary tables.
func (v *View) Stored() *View { return v.With(nil) }

// Temporaries are the temporary tables of the view.
func (v *View) Temporaries() *Temporaries { return v.own }

// With makes a session's temporary tables part of the definitions that the Change sees and changes. taken is called
// with each number of a collection that is reserved for such a table. The caller gives these numbers to
// DropTemporaries once no table has them.
func (c *Change) With(own *Temporaries, taken func(int64)) *Change {
	c.view, c.taken = c.view.With(own), taken
	return c
}

// ChangeTemporaries begins to change temporary tables, and no others, in a transaction that has the view.
func (c *Catalog) ChangeTemporaries(ctx context.Context, tx kv.Transaction, view *View) *Change {
	return &Change{catalog: c, ctx: ctx, tx: tx, view: view}
}

// CreateTemporary adds a temporary table, which may have the name of another table.
func (c *Change) CreateTemporary(def *Table) (*Table, error) {
	t := def.Clone()
	proper, _, ok := c.view.Database(t.Database)
	if !ok {
		return nil, fmt.Errorf("catalog: create temporary table %s: %w", t, ErrNoDatabase)
	}
	t.Database = proper
	if _, there := c.view.own.Table(t.Database, t.Name); there {
		return nil, fmt.Errorf("catalog: %s: %w", t, ErrTableExists)
	}
	if len(c.view.own.All()) >= MaxTemporaries {
		return nil, fmt.Errorf("catalog: %s: %w", t, ErrTemporaries)
	}
	var err error
	if t.ID, err = c.temporaryNumber(); err != nil {
		return nil, err
	}
	t.Collator = collation.Version()
	return t, c.putTable(t)
}

// temporaryNumber is the number of a new collection for a temporary table.
func (c *Change) temporaryNumber() (int64, error) {
	id, err := c.catalog.takeTemporary(c.ctx)
	if err == nil {
		c.taken(id)
	}
	return id, err
}

// removeTemporary removes the table from the session's; its collection stays.
func (c *Change) removeTemporary(t *Table) {
	c.view = c.view.With(c.view.own.with(Name{t.Database, t.Name}, nil))
}

// takeTemporary reserves a number for a temporary table and notes its process.
func (c *Catalog) takeTemporary(ctx context.Context) (int64, error) {
	id, err := c.nextID(ctx, func(tx kv.Transaction, id int64) {
		tx.Add(keyspace.TemporaryOwner(c.process), putUint(1))
		tx.Set(keyspace.Temporary(c.process, -id), nil)
	})
	return -id, err
}

// KeepTemporaries renews this process's sign of life, for its temporary tables.
func (c *Catalog) KeepTemporaries(ctx context.Context) error {
	err := kv.Transact(ctx, c.store, kv.TransactOptions{Repeatable: true}, func(tx kv.Transaction) error {
		tx.Add(keyspace.TemporaryOwner(c.process), putUint(1))
		return nil
	})
	if err != nil {
		return fmt.Errorf("catalog: temporary tables: %w", err)
	}
	return nil
}

// DropTemporaries removes collections of temporary tables, and this process's state of them.
func (c *Catalog) DropTemporaries(ctx context.Context, numbers []int64) error {
	err := kv.Transact(ctx, c.store, kv.TransactOptions{Repeatable: true}, func(tx kv.Transaction) error {
		for _, id := range numbers {
			ClearTemporary(tx, c.process, id)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("catalog: drop temporary tables: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, id := range numbers {
		delete(c.dictionaries, id)
		delete(c.sequences, id)
	}
	return nil
}

// ClearTemporary removes the collection of a temporary table.
func ClearTemporary(tx kv.Writer, process string, id int64) {
	tx.Clear(keyspace.Temporary(process, id))
	tx.ClearRange(keyspace.NewCollection(id, 1).All())
	tx.ClearRange(keyspace.Keypaths(id))
	tx.ClearRange(keyspace.AutoIncrements(id))
}

// HasTemporary reports whether a collection of a temporary table is still this process's. A transaction that writes
// to it must call it before.
func (c *Catalog) HasTemporary(r kv.Reader, id int64) (bool, error) {
	raw, err := r.Get(keyspace.Temporary(c.process, id)).Get()
	if err != nil {
		return false, fmt.Errorf("catalog: temporary table: %w", err)
	}
	return raw != nil, nil
}

// putTemporary makes t the definition of a temporary table.
func (c *Change) putTemporary(t *Table) {
	c.view = c.view.With(c.view.own.with(Name{t.Database, t.Name}, t))
}

// renameTemporary gives a temporary table another name.
func (c *Change) renameTemporary(t *Table, to Name) error {
	if _, there := c.view.own.Table(to.Database, to.Name); there && !strings.EqualFold(t.Name, to.Name) {
		return fmt.Errorf("catalog: %s.%s: %w", to.Database, to.Name, ErrTableExists)
	}
	c.removeTemporary(t)
	renamed := t.Clone()
	renamed.Database, renamed.Name = to.Database, to.Name
	c.putTemporary(renamed)
	return nil
}
