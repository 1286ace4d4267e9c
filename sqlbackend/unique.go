package sqlbackend

import (
	"bytes"
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/ordered"
	"github.com/sqlfdb/sqlfdb/tables"
)

// checkUnique fails when another document has the same values in the columns
// of a unique index. It reads the entries of the first column, through the
// whole transaction: two transactions that store the same value conflict.
func (e *editor) checkUnique(ctx *sql.Context, w *tables.Tx, pk []byte, d document.Document) error {
	for i := range e.table.def.Table.Indexes {
		idx := &e.table.def.Table.Indexes[i]
		if !idx.Unique {
			continue
		}
		taken, values, err := e.table.def.taken(ctx, w, idx, pk, d)
		if err != nil {
			return err
		}
		if taken != nil {
			return e.duplicate(ctx, w, taken, e.table.valueText(ctx, columnsOf(e.table.def, idx.Columns), values), idx.Name, false)
		}
	}
	return nil
}

// taken finds a document other than pk that has d's values in the index's
// columns. A NULL is equal to nothing.
func (d *definition) taken(ctx *sql.Context, r kv.Reader, idx *catalog.Index, pk []byte, doc document.Document) ([]byte, []any, error) {
	columns := make([]*column, len(idx.Columns))
	values := make([]any, len(idx.Columns))
	for i, name := range idx.Columns {
		c := d.column(name)
		if c == nil {
			return nil, nil, fmt.Errorf("sqlbackend: index %s of %s: no column %s", idx.Name, d, name)
		}
		v, ok := doc.Lookup(c.keypath)
		if !ok || v.IsNull() {
			return nil, nil, nil
		}
		value, err := fromJSON(ctx, c, v)
		if err != nil {
			return nil, nil, err
		}
		columns[i], values[i] = c, value
	}
	rows, err := d.equalTo(ctx, r, columns[0], values[0])
	if err != nil || rows == nil {
		return nil, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		if bytes.Equal(rows.PK(), pk) {
			continue
		}
		same := true
		for i, c := range columns {
			v, ok := rows.Document().Lookup(c.keypath)
			if !ok || v.IsNull() {
				same = false
				break
			}
			other, err := fromJSON(ctx, c, v)
			if err != nil {
				return nil, nil, err
			}
			order, err := c.typ.Compare(ctx, values[i], other)
			if err != nil {
				return nil, nil, err
			}
			if order != 0 {
				same = false
				break
			}
		}
		if same {
			return bytes.Clone(rows.PK()), values, nil
		}
	}
	return nil, nil, rows.Err()
}

// equalTo walks the documents whose value in a declared column is about equal
// to a value; nil when no document ever had the column.
func (d *definition) equalTo(ctx *sql.Context, r kv.Reader, c *column, value any) (tables.Rows, error) {
	path := c.keypath.String()
	number, ok, err := d.collection.Dictionary().Lookup(r, path)
	if err != nil || !ok {
		return nil, err
	}
	v, err := toJSON(ctx, c, value)
	if err != nil {
		return nil, err
	}
	spans := indexes.Spans(nil)
	if v.Type() == document.TypeString && d.encoder.Class(path) == "" {
		start, end, _ := ordered.StringSpan(d.encoder.Collation(path), v.Str(), d.encoder.Limit())
		spans = indexes.NewSpans(indexes.Span{Start: start, End: end})
	} else {
		enc, _, indexed, err := d.encoder.AppendLeaf(nil, document.Leaf{Path: []byte(path), Value: v, Kind: v.Kind()})
		if err != nil {
			return nil, err
		}
		if !indexed {
			return nil, fmt.Errorf("sqlbackend: column %s can't have a unique key: its values are not indexed", c.name)
		}
		spans = indexes.Point(enc)
	}
	return d.collection.Lookup(r, number, []int64{d.Columns[c.declared].FieldVersion}, spans, tables.LookupOptions{}), nil
}
