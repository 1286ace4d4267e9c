package delimited

import (
	"errors"
	"fmt"

	"github.com/sqlfdb/sqlfdb/document"
)

// Columns are the keypaths that documents have, except keypaths within arrays. The zero Columns is of no document.
type Columns struct {
	root  columns
	count int
}

// maxColumns bounds the width of a record.
const maxColumns = 10_000

// ErrColumns: documents with too many different keypaths for records.
var ErrColumns = errors.New("too many columns")

type columns struct {
	names  []string
	below  map[string]*columns
	values bool // some document has a value here that is neither an object with members nor null
}

// Add counts a document in.
func (c *Columns) Add(d document.Document) error {
	c.add(&c.root, d.Value)
	if c.count > maxColumns {
		return fmt.Errorf("%w: over %d keypaths: export JSON lines", ErrColumns, maxColumns)
	}
	return nil
}

func (c *Columns) add(at *columns, object document.Value) {
	for name, v := range object.Members() {
		next := at.below[name]
		if next == nil {
			if c.count++; c.count > maxColumns {
				return
			}
			if at.below == nil {
				at.below = map[string]*columns{}
			}
			next = &columns{}
			at.below[name] = next
			at.names = append(at.names, name)
		}
		switch {
		case v.Type() == document.TypeObject && !v.IsEmpty():
			c.add(next, v)
		case !v.IsNull():
			next.values = true
		}
	}
}

// Keypaths are the columns, in the order in which they were met. Where some documents have an object and others another
// value, the column has both.
func (c *Columns) Keypaths() []document.Keypath { return c.root.keypaths(nil, nil) }

func (c *columns) keypaths(found []document.Keypath, above document.Keypath) []document.Keypath {
	for _, name := range c.names {
		next := c.below[name]
		path := append(above[:len(above):len(above)], document.Step{Name: name})
		if next.values || len(next.names) == 0 {
			found = append(found, path)
		} else {
			found = next.keypaths(found, path)
		}
	}
	return found
}
