package table

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// rowReader takes the values of many columns out of a document in one walk
// over its text; a lookup per column would walk it once for each.
type rowReader struct {
	children map[string]*rowReader
	column   int // the column that this keypath is, or -1
}

// NewRowReader reads columns out of documents.
func NewRowReader(columns []session.Column) *rowReader {
	count := 0
	for i := range columns {
		if c := &columns[i]; !c.Document && !c.Key {
			count++
		}
	}
	if count <= session.LookupsInstead {
		return nil
	}
	root := &rowReader{column: -1}
	for i := range columns {
		c := &columns[i]
		if c.Document || c.Key {
			continue
		}
		n := root
		for _, step := range c.Keypath {
			if n.children == nil {
				n.children = map[string]*rowReader{}
			}
			child := n.children[step.Name]
			if child == nil {
				child = &rowReader{column: -1}
				n.children[step.Name] = child
			}
			n = child
		}
		n.column = i
	}
	return root
}

// Read fills the row with what lies below an object of the document pk.
func (n *rowReader) Read(ctx *sql.Context, t *Table, pk []byte, object document.Value, row sql.Row) error {
	for name, v := range object.Members() {
		child := n.children[name]
		if child == nil {
			continue
		}
		if child.column >= 0 {
			value, err := t.value(ctx, pk, &t.Columns[child.column], v)
			if err != nil {
				return fmt.Errorf("sqlbackend: read %s: %w", t.Def, err)
			}
			row[child.column] = value
		}
		if child.children != nil && v.Type() == document.TypeObject {
			if err := child.Read(ctx, t, pk, v, row); err != nil {
				return err
			}
		}
	}
	return nil
}
