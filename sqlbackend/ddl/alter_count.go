package ddl

import (
	"strconv"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/tables"
)

// number makes an alteration that adds an AUTO_INCREMENT column also number the present documents, in the order of
// their keys.
func number(a *alteration, collection int64, name string) {
	var last uint64
	a.retype = nil
	a.rewrite = func(ctx *sql.Context, _, to *session.Definition, d document.Document) (document.Document, error) {
		c := to.ColumnNamed(name)
		if v, there := d.Lookup(c.Keypath); there && !v.IsNull() {
			last = max(last, countedIn(d, c))
			return conform(ctx, d, c, true)
		}
		last++
		x, err := session.ConvertValue(ctx, c, last)
		if err != nil {
			return d, err
		}
		v, err := session.ToJSON(ctx, c, x)
		if err != nil {
			return d, err
		}
		return d.With(c.Keypath, v)
	}
	a.follow = func(c *catalog.Change) error { return c.RaiseAutoIncrement(collection, last+1) }
}

// countOn makes a column that becomes AUTO_INCREMENT continue after the greatest number in it.
func countOn(t *table.Table, ctx *sql.Context, c *catalog.Change, name string) error {
	w, err := session.WritesOf(ctx)
	if err != nil {
		return err
	}
	def, err := session.NewDefinition(t.Session.Backend.Catalog, definedBy(t, c))
	if err != nil {
		return err
	}
	column := def.ColumnNamed(name)
	var last uint64
	rows := def.Collection.Scan(w, indexes.Everything(), tables.ScanOptions{Reverse: true})
	defer rows.Close()
	for rows.Next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		last = max(last, countedIn(rows.Document(), column))
		if len(def.PrimaryKey) > 0 && def.PrimaryKey[0] == column.Declared {
			break // the last key has the greatest
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return c.RaiseAutoIncrement(def.ID, last+1)
}

// definedBy returns the table as the change has defined it so far.
func definedBy(t *table.Table, c *catalog.Change) *catalog.Table {
	if def, ok := c.View().Table(t.Def.Database, t.Def.Name); ok {
		return def
	}
	return t.Def.Table
}

// countedIn returns the number that a document has in a column, 0 if it has none.
func countedIn(d document.Document, c *session.Column) uint64 {
	if v, there := d.Lookup(c.Keypath); there {
		if n, err := strconv.ParseUint(v.Text(), 10, 64); err == nil {
			return n
		}
	}
	return 0
}
