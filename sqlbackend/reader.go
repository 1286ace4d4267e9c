package sqlbackend

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/document"
)

// rowReader takes the values of many columns out of a document in one walk
// over its text; a lookup per column would walk it once for each.
type rowReader struct {
	children map[string]*rowReader
	column   int // the column that this keypath is, or -1
}

// lookupsInstead is the number of columns up to which lookups are as fast.
const lookupsInstead = 3

func newRowReader(columns []column) *rowReader {
	count := 0
	for i := range columns {
		if c := &columns[i]; !c.document && !c.key {
			count++
		}
	}
	if count <= lookupsInstead {
		return nil
	}
	root := &rowReader{column: -1}
	for i := range columns {
		c := &columns[i]
		if c.document || c.key {
			continue
		}
		n := root
		for _, step := range c.keypath {
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

// read fills the row with what lies below an object of the document pk.
func (n *rowReader) read(ctx *sql.Context, t *Table, pk []byte, object document.Value, row sql.Row) error {
	for name, v := range object.Members() {
		child := n.children[name]
		if child == nil {
			continue
		}
		if child.column >= 0 {
			value, err := t.value(ctx, pk, &t.columns[child.column], v)
			if err != nil {
				return fmt.Errorf("sqlbackend: read %s: %w", t.def, err)
			}
			row[child.column] = value
		}
		if child.children != nil && v.Type() == document.TypeObject {
			if err := child.read(ctx, t, pk, v, row); err != nil {
				return err
			}
		}
	}
	return nil
}
