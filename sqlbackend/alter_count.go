package sqlbackend

import (
	"strconv"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/tables"
)

// number makes an alteration that adds an AUTO_INCREMENT column number the documents that are there, in the order of
// their keys.
func number(a *alteration, collection int64, name string) {
	var last uint64
	a.retype = nil
	a.rewrite = func(ctx *sql.Context, _, to *definition, d document.Document) (document.Document, error) {
		c := to.column(name)
		if v, there := d.Lookup(c.keypath); there && !v.IsNull() {
			last = max(last, countedIn(d, c))
			return conform(ctx, d, c, true)
		}
		last++
		x, err := convertValue(ctx, c, last)
		if err != nil {
			return d, err
		}
		v, err := toJSON(ctx, c, x)
		if err != nil {
			return d, err
		}
		return d.With(c.keypath, v)
	}
	a.follow = func(c *catalog.Change) error { return c.RaiseAutoIncrement(collection, last+1) }
}

// countOn makes a column that counts itself up from now on begin behind the greatest number in it.
func (t *Table) countOn(ctx *sql.Context, c *catalog.Change, name string) error {
	w, err := writesOf(ctx)
	if err != nil {
		return err
	}
	def, err := newDefinition(t.session.backend.catalog, t.definedBy(c))
	if err != nil {
		return err
	}
	column := def.column(name)
	var last uint64
	rows := def.collection.Scan(w, indexes.Everything(), tables.ScanOptions{Reverse: true})
	defer rows.Close()
	for rows.Next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		last = max(last, countedIn(rows.Document(), column))
		if len(def.PrimaryKey) > 0 && def.PrimaryKey[0] == column.declared {
			break // the last key has the greatest
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return c.RaiseAutoIncrement(def.ID, last+1)
}

// definedBy is the table as it is defined by then.
func (t *Table) definedBy(c *catalog.Change) *catalog.Table {
	if def, ok := c.View().Table(t.def.Database, t.def.Name); ok {
		return def
	}
	return t.def.Table
}

// countedIn is the number that a document has in a column, 0 if it has none.
func countedIn(d document.Document, c *column) uint64 {
	if v, there := d.Lookup(c.keypath); there {
		if n, err := strconv.ParseUint(v.Text(), 10, 64); err == nil {
			return n
		}
	}
	return 0
}
