package sqlbackend

import (
	"fmt"
	"io"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/tables"
)

// childTable is t__grades as one statement sees it: a row for each element of
// the arrays at a keypath, made from the documents that hold them, or from their
// entries. It is read only.
type childTable struct {
	*child
	session *Session
	name    string
	columns []childColumn
	schema  sql.Schema
	// elements reads keypaths out of an element: a table whose columns stand at
	// the same places, those that are no keypaths marked as documents.
	elements *Table
	place    tree.Place
}

var (
	_ sql.Table           = (*childTable)(nil)
	_ sql.CommentedTable  = (*childTable)(nil)
	_ sql.PrimaryKeyTable = (*childTable)(nil)
	_ sql.StatisticsTable = (*childTable)(nil)
)

// childTable finds the child table of that name; nil when there is none.
func (d *Database) childTable(ctx *sql.Context, s *Session, view *catalog.View, name string) (sql.Table, error) {
	r, err := s.planReader()
	if err != nil {
		return nil, err
	}
	c, proper, err := s.findChild(r, view, d.name, name)
	if err != nil || c == nil {
		return nil, err
	}
	find := func(name string) (string, bool, error) { return c.index(r, name) }
	if err := s.resolveHints(ctx, proper, find); err != nil {
		return nil, err
	}
	sh, err := s.childShape(ctx, c, r, name)
	if err != nil {
		return nil, err
	}
	return s.newChildTable(c, r, proper, sh)
}

// findChild finds the array whose child table a name is, and the name that its
// table is listed under; nil when there is none.
func (s *Session) findChild(r kv.Reader, view *catalog.View, database, name string) (*child, string, error) {
	isTable := func(name string) bool {
		_, there := view.Table(database, name)
		return there
	}
	table, path, ok := splitChildName(name, isTable)
	if !ok {
		return nil, "", nil
	}
	t, _ := view.Table(database, table)
	def, err := s.backend.definitions.of(t)
	if err != nil {
		return nil, "", err
	}
	path, ok, err = def.findArray(r, path)
	if err != nil || !ok {
		return nil, "", err
	}
	if proper := childNameIn(view, t, path); strings.EqualFold(proper, name) {
		name = proper
	}
	return newChild(def, path), name, nil
}

// childNameIn is the name of a child table among the tables and views of its
// database; empty when it can have none.
func childNameIn(view *catalog.View, t *catalog.Table, path document.Keypath) string {
	isTable := func(name string) bool {
		_, there := view.Table(t.Database, name)
		return there
	}
	return childName(t.Name, path, isTable, func(name string) bool {
		_, there := view.View(t.Database, name)
		return there || isTable(name)
	})
}

func (s *Session) newChildTable(c *child, r kv.Reader, name string, sh childShape) (*childTable, error) {
	columns, schema, err := c.layout(r, name, sh)
	if err != nil {
		return nil, err
	}
	inner := make([]column, len(columns))
	for i, col := range columns {
		inner[i] = col.column
		inner[i].keypath, inner[i].document = col.inner, col.part != partKeypath
	}
	return &childTable{
		child: c, session: s, name: name, columns: columns, schema: schema,
		elements: &Table{session: s, def: c.def, columns: inner, walk: newRowReader(inner)},
	}, nil
}

// Name implements sql.Table.
func (t *childTable) Name() string { return t.name }

// String implements sql.Table.
func (t *childTable) String() string { return t.name }

// Schema implements sql.Table.
func (t *childTable) Schema() sql.Schema { return t.schema }

// Collation implements sql.Table.
func (t *childTable) Collation() sql.CollationID { return t.elements.Collation() }

// Comment implements sql.CommentedTable.
func (t *childTable) Comment() string {
	return fmt.Sprintf("the elements of %s of %s", arrayOf(t.path), t.def.Name)
}

// PrimaryKeySchema implements sql.PrimaryKeyTable: the document's key and the
// positions are what a row is known by.
func (t *childTable) PrimaryKeySchema() sql.PrimaryKeySchema {
	return sql.NewPrimaryKeySchema(t.schema)
}

// RowCount implements sql.StatisticsTable: every element has an entry.
func (t *childTable) RowCount(ctx *sql.Context) (uint64, bool, error) {
	if unindexed(t.def.Options, t.path) != "" {
		return t.elements.RowCount(ctx)
	}
	r, err := t.session.planReader()
	if err != nil {
		return 0, false, mysqlerr.Of(ctx, err)
	}
	counts, err := t.def.countsAt(r, t.path)
	return uint64(max(counts.Total().Entries, 0)), false, mysqlerr.Of(ctx, err)
}

// DataLength implements sql.StatisticsTable: the elements are counted with
// their documents.
func (t *childTable) DataLength(*sql.Context) (uint64, error) { return 0, nil }

// IsTemporary is asked of the tables that a read-only transaction writes to.
func (t *childTable) IsTemporary() bool { return false }

// Partitions implements sql.Table.
func (t *childTable) Partitions(*sql.Context) (sql.PartitionIter, error) {
	return sql.PartitionsToPartitionIter(wholeTable{}), nil
}

// PartitionRows implements sql.Table.
func (t *childTable) PartitionRows(ctx *sql.Context, _ sql.Partition) (sql.RowIter, error) {
	path, err := t.plan(ctx, nil)
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	return t.open(ctx, t, path)
}

// open starts reading along a path; nil is a scan of the collection. What it
// costs is noted for a part of the plan.
func (t *childTable) open(ctx *sql.Context, at any, path *childPath) (sql.RowIter, error) {
	if path == nil || path.readsAll() {
		later, err := t.session.beginScan(ctx, t, t.def)
		if err == nil && later {
			err = t.session.allowScan(ctx, t.def)
		}
		if err != nil {
			return nil, err
		}
	}
	r, err := t.elements.reader(ctx)
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	if path != nil && path.entries {
		rows, err := path.rows(t, at, r)
		return rows, mysqlerr.Of(ctx, err)
	}
	docs, err := path.documents(t, r)
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	if docs == nil {
		return sql.RowsToRowIter(), nil
	}
	return &childIter{table: t, at: at, docs: docs}, nil
}

// childIter makes rows of the elements of documents.
type childIter struct {
	table *childTable
	at    any // as noteWork takes it
	docs  tables.Rows
	over  bool // closed

	key       []any // of the document that is being taken apart
	elements  []document.Value
	positions []int64 // of the elements, one after the other
	next      int
}

// Next implements sql.RowIter.
func (i *childIter) Next(ctx *sql.Context) (sql.Row, error) {
	if err := ctx.Err(); err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	for i.next >= len(i.elements) {
		if !i.docs.Next() {
			if err := i.docs.Err(); err != nil {
				return nil, mysqlerr.Of(ctx, err)
			}
			return nil, io.EOF
		}
		if err := i.document(ctx, i.docs.PK(), i.docs.Document()); err != nil {
			return nil, mysqlerr.Of(ctx, err)
		}
	}
	arrays := len(i.positions) / len(i.elements)
	n := i.next
	i.next++
	row, err := i.table.row(ctx, i.key, i.positions[n*arrays:(n+1)*arrays], i.elements[n])
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	return row, nil
}

// document takes the elements out of a document.
func (i *childIter) document(ctx *sql.Context, pk []byte, d document.Document) error {
	i.elements, i.positions, i.next = i.elements[:0], i.positions[:0], 0
	for positions, v := range d.All(i.table.path) {
		i.elements = append(i.elements, v)
		i.positions = append(i.positions, positions...)
	}
	if len(i.elements) == 0 {
		return nil
	}
	var err error
	i.key, err = i.table.key(ctx, d)
	return err
}

// Close implements sql.RowIter.
func (i *childIter) Close(*sql.Context) error {
	i.docs.Close()
	if !i.over {
		i.over = true
		i.table.session.noteWork(i.at, i.docs.Read())
	}
	return nil
}

// key is the values of the key's columns in a document.
func (t *childTable) key(ctx *sql.Context, d document.Document) ([]any, error) {
	var key []any
	for i := range t.reserved {
		c := &t.reserved[i].column
		if t.reserved[i].part != partKey {
			break
		}
		v, _ := d.Lookup(c.keypath)
		value, err := fromJSON(ctx, c, v)
		if err != nil {
			return nil, fmt.Errorf("sqlbackend: read %s: %w", t.def, err)
		}
		key = append(key, value)
	}
	return key, nil
}

// row makes an element's row.
func (t *childTable) row(ctx *sql.Context, key []any, positions []int64, element document.Value) (sql.Row, error) {
	row := make(sql.Row, len(t.columns))
	for i := range t.columns {
		c := &t.columns[i]
		v := element
		switch c.part {
		case partKey:
			row[i] = key[c.at]
			continue
		case partPosition:
			row[i] = positions[c.at] - 1
			continue
		case partKeypath:
			if t.elements.walk != nil {
				continue
			}
			var ok bool
			if v, ok = (document.Document{Value: element}).Lookup(c.inner); !ok {
				continue
			}
		}
		var err error
		if row[i], err = fromJSON(ctx, &c.column, v); err != nil {
			return nil, fmt.Errorf("sqlbackend: read %s: %w", t.name, err)
		}
	}
	if t.elements.walk != nil {
		if err := t.elements.walk.read(ctx, t.elements, nil, element, row); err != nil {
			return nil, err
		}
	}
	return row, nil
}
