package table

import (
	"fmt"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// rowReader takes the values of many columns out of a document in one walk
// over its text; a lookup per column would walk it once for each.
type rowReader struct {
	columns []int // of the table, of which paths are the keypaths
	paths   []document.Keypath
	free    sync.Pool // of pickings: programs of several sessions share the reader
}

// picking is what one reader needs at a time.
type picking struct {
	picker *document.Picker
	values []document.Value
}

// NewRowReader reads columns out of documents.
func NewRowReader(columns []session.Column) *rowReader {
	r := &rowReader{}
	for i := range columns {
		if c := &columns[i]; !c.Document && !c.Key {
			r.columns, r.paths = append(r.columns, i), append(r.paths, c.Keypath)
		}
	}
	if len(r.columns) <= session.LookupsInstead {
		return nil
	}
	return r
}

// Read fills the row with what an object holds of the document pk.
func (r *rowReader) Read(ctx *sql.Context, t *Table, pk []byte, object document.Value, row sql.Row) error {
	p, ok := r.free.Get().(*picking)
	if !ok {
		p = &picking{document.NewPicker(r.paths), make([]document.Value, len(r.paths))}
	}
	defer func() {
		clear(p.values) // they hold the document's text
		r.free.Put(p)
	}()
	p.picker.Pick(object, p.values)
	for i, v := range p.values {
		if v.IsZero() {
			continue
		}
		value, err := t.value(ctx, pk, &t.Columns[r.columns[i]], v)
		if err != nil {
			return fmt.Errorf("sqlbackend: read %s: %w", t.Def, err)
		}
		row[r.columns[i]] = value
	}
	return nil
}
