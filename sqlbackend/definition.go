package sqlbackend

import (
	"fmt"
	"strings"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
	"github.com/sqlfdb/sqlfdb/ordered"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/tables"
)

// documentColumn is the name of the column that holds the whole document.
const documentColumn = "_doc"

// hiddenKeyColumn carries the key of a table without a primary key through
// UPDATE and DELETE; no other statement sees it.
const hiddenKeyColumn = "_sqlfdb_key"

// definition is a table's definition with what follows from it: it is made
// once per definition and shared by all statements. It is immutable.
type definition struct {
	*catalog.Table
	collection *tables.Collection
	encoder    *indexes.Encoder
	columns    []column // the declared ones, as the definition lists them
	collation  *collation.Collation
	typing     *typing
	computed   map[string]int // see computedOf
	grain      int64          // of the store's estimates (kv.Store.EstimateGrain)
}

// column is one column of a table.
type column struct {
	name     string
	keypath  document.Keypath
	typ      sql.Type
	declared int  // its place in the definition's columns; -1 when inferred
	document bool // `_doc`
	key      bool // the hidden key
	unit     unit
	// unsettled: documents may hold values that do not fit, or are in a former type.
	unsettled bool
	// undeclared: the column as it stood in documents before it was declared.
	undeclared bool
	takes      compare.Taker // of an inferred column
	mixed      bool          // an inferred column of scalars that is JSON
	keepsNull  bool          // see catalog.Column
}

// definitions caches the newest definition of each collection.
type definitions struct {
	catalog *catalog.Catalog
	mu      sync.Mutex
	byID    map[int64]*definition
}

// of returns what follows from a definition that a catalog view handed out.
func (ds *definitions) of(t *catalog.Table) (*definition, error) {
	ds.mu.Lock()
	d := ds.byID[t.ID]
	ds.mu.Unlock()
	if d != nil && d.Table == t {
		return d, nil
	}
	d, err := newDefinition(ds.catalog, t)
	if err != nil {
		return nil, err
	}
	ds.mu.Lock()
	ds.byID[t.ID] = d
	ds.mu.Unlock()
	return d, nil
}

func newDefinition(cat *catalog.Catalog, t *catalog.Table) (*definition, error) {
	enc, err := indexes.NewEncoder(t)
	if err != nil {
		return nil, err
	}
	d := &definition{Table: t, encoder: enc, collation: undeclaredCollation(t), computed: computedOf(t),
		grain: cat.Store().EstimateGrain()}
	for i := range t.Columns {
		c, err := columnAt(t, i)
		if err != nil {
			return nil, err
		}
		d.columns = append(d.columns, c)
	}
	if d.typing, err = newTyping(t, d.columns); err != nil {
		return nil, err
	}
	if d.collection, err = tables.OpenTyped(cat, t, d.typing); err != nil {
		return nil, err
	}
	return d, nil
}

// columnKeypath is document.NamedKeypath for a name that may be a column's.
func columnKeypath(name string) (document.Keypath, error) {
	path := document.NamedKeypath(name)
	if path.HasArray() {
		return nil, fmt.Errorf(
			"sqlbackend: %w: a column can't lead through the elements of an array; _doc->'$.%s' does, and the array's own table has a row for each", document.ErrKeypath, name)
	}
	return path, nil
}

// isKey reports whether the declared column is part of the primary key.
func (d *definition) isKey(declared int) bool {
	for _, k := range d.PrimaryKey {
		if k == declared {
			return true
		}
	}
	return false
}

// hidden reports whether the table has no primary key of its own.
func (d *definition) hidden() bool { return len(d.PrimaryKey) == 0 }

// appendKey appends one element of a primary key: a SQL value of the column.
func (d *definition) appendKey(ctx *sql.Context, dst []byte, c *column, v any) ([]byte, error) {
	value, err := toJSON(ctx, c, v)
	if err != nil {
		return nil, err
	}
	return tables.AppendKeyValue(dst, &d.Columns[c.declared], value)
}

// column finds a declared column by name, ignoring case.
func (d *definition) column(name string) *column {
	for i := range d.columns {
		if strings.EqualFold(d.columns[i].name, name) {
			return &d.columns[i]
		}
	}
	return nil
}

// decodeKey is the values of the primary key's columns in an encoded key; of a
// hidden key its text.
func (d *definition) decodeKey(ctx *sql.Context, pk []byte) ([]any, error) {
	if d.hidden() {
		x, err := d.decodeKeyElement(&pk, collation.Binary)
		return []any{x.Text}, err
	}
	values := make([]any, 0, len(d.PrimaryKey))
	for _, i := range d.PrimaryKey {
		c := &d.columns[i]
		x, err := d.decodeKeyElement(&pk, d.encoder.Collation(c.name))
		if err != nil {
			return nil, err
		}
		var value any
		if x.Class == ordered.ClassBytes {
			value, err = convertValue(ctx, c, []byte(x.Text))
		} else {
			var v document.Value
			if x.Class == ordered.ClassNumber {
				v, err = document.NumberValue(x.Text)
			} else {
				v, err = document.StringValue(x.Text)
			}
			if err == nil {
				value, err = fromJSON(ctx, c, v)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("sqlbackend: primary key of %s: %w", d, err)
		}
		values = append(values, value)
	}
	return values, nil
}

// decodeKeyElement takes the first element off an encoded key.
func (d *definition) decodeKeyElement(pk *[]byte, c *collation.Collation) (ordered.Decoded, error) {
	rest, enc, err := tuple.DecodeBytes(*pk)
	if err != nil {
		return ordered.Decoded{}, fmt.Errorf("sqlbackend: primary key of %s: %w", d, err)
	}
	*pk = rest
	x, err := ordered.Decode(enc, ordered.DecodeOptions{Collation: c, Limit: tables.MaxPrimaryKey})
	if err != nil {
		return x, fmt.Errorf("sqlbackend: primary key of %s: %w", d, err)
	}
	return x, nil
}
