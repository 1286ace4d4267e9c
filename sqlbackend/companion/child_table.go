package companion

import (
	"fmt"
	"io"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/tables"
)

// ChildTable is a child table, as t__grades, in one statement: a row for each element of the arrays at a keypath.
// The rows are made from the documents with the arrays, or from their entries. It is read-only.
type ChildTable struct {
	*child
	Session *session.Session
	Proper  string
	Columns []ChildColumn
	schema  sql.Schema
	// Elements is a table that reads keypaths out of an element. It has the same columns in the same places; columns
	// that are no keypaths are marked as documents.
	Elements *table.Table
	Place    tree.Place
}

var (
	_ sql.Table           = (*ChildTable)(nil)
	_ sql.CommentedTable  = (*ChildTable)(nil)
	_ sql.PrimaryKeyTable = (*ChildTable)(nil)
	_ sql.StatisticsTable = (*ChildTable)(nil)
)

// findChildTable finds the child table of this name; nil if there is none.
func findChildTable(database string, ctx *sql.Context, s *session.Session, view *catalog.View, name string) (sql.Table,
	error) {
	r, err := s.Readers.Plan()
	if err != nil {
		return nil, err
	}
	c, proper, err := findChild(s, r, view, database, name)
	if err != nil || c == nil {
		return nil, err
	}
	find := func(name string) (string, bool, error) { return c.index(r, name) }
	if err := table.ResolveHints(s, ctx, proper, find); err != nil {
		return nil, err
	}
	sh, err := childTableShape(s, ctx, c, r, name)
	if err != nil {
		return nil, err
	}
	return newChildTable(s, c, r, proper, sh)
}

// findChild finds the array of a child table's name, and the name by which its table is listed; nil if there is
// none.
func findChild(s *session.Session, r kv.Reader, view *catalog.View, database, name string) (*child, string, error) {
	isTable := func(name string) bool {
		_, there := view.Table(database, name)
		return there
	}
	table, path, ok := SplitChildName(name, isTable)
	if !ok {
		return nil, "", nil
	}
	t, _ := view.Table(database, table)
	if t.Bucket != nil {
		return nil, "", session.InBucket(t, "child tables: JSON_TABLE has a row for each element")
	}
	def, err := s.Backend.Definitions.Of(t)
	if err != nil {
		return nil, "", err
	}
	path, ok, err = findArray(def, r, path)
	if err != nil || !ok {
		return nil, "", err
	}
	if proper := childNameIn(view, t, path); strings.EqualFold(proper, name) {
		name = proper
	}
	return newChild(def, path), name, nil
}

// childNameIn returns a child table's name among the tables and views of its database; "" if it can have none.
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

func newChildTable(s *session.Session, c *child, r kv.Reader, name string, sh childShape) (*ChildTable, error) {
	columns, schema, err := c.layout(r, name, sh)
	if err != nil {
		return nil, err
	}
	inner := make([]session.Column, len(columns))
	for i, col := range columns {
		inner[i] = col.Column
		inner[i].Keypath, inner[i].Document = col.inner, col.Part != PartKeypath
	}
	return &ChildTable{
		child: c, Session: s, Proper: name, Columns: columns, schema: schema,
		Elements: &table.Table{Session: s, Def: c.Def, Columns: inner, Walk: table.NewRowReader(inner)},
	}, nil
}

// Name implements sql.Table.
func (t *ChildTable) Name() string { return t.Proper }

// String implements sql.Table.
func (t *ChildTable) String() string { return t.Proper }

// Schema implements sql.Table.
func (t *ChildTable) Schema() sql.Schema { return t.schema }

// Collation implements sql.Table.
func (t *ChildTable) Collation() sql.CollationID { return t.Elements.Collation() }

// Comment implements sql.CommentedTable.
func (t *ChildTable) Comment() string {
	return fmt.Sprintf("the elements of %s of %s", arrayOf(t.Path), t.Def.Name)
}

// PrimaryKeySchema implements sql.PrimaryKeyTable. The document's key and the positions identify a row.
func (t *ChildTable) PrimaryKeySchema() sql.PrimaryKeySchema {
	return sql.NewPrimaryKeySchema(t.schema)
}

// RowCount implements sql.StatisticsTable. It is the number of elements' entries; without entries, of documents.
func (t *ChildTable) RowCount(ctx *sql.Context) (uint64, bool, error) {
	if Unindexed(t.Def.Options, t.Path) != "" {
		return t.Elements.RowCount(ctx)
	}
	r, err := t.Session.Readers.Plan()
	if err != nil {
		return 0, false, mysqlerr.Of(ctx, err)
	}
	counts, err := CountsOfKeypath(t.Def, r, t.Path)
	return uint64(max(counts.Total().Entries, 0)), false, mysqlerr.Of(ctx, err)
}

// DataLength implements sql.StatisticsTable. It is 0: the elements' bytes are counted with their documents.
func (t *ChildTable) DataLength(*sql.Context) (uint64, error) { return 0, nil }

// IsTemporary reports whether a read-only transaction may write to the table.
func (t *ChildTable) IsTemporary() bool { return false }

// Partitions implements sql.Table.
func (t *ChildTable) Partitions(*sql.Context) (sql.PartitionIter, error) {
	return sql.PartitionsToPartitionIter(table.WholeTable{}), nil
}

// PartitionRows implements sql.Table.
func (t *ChildTable) PartitionRows(ctx *sql.Context, _ sql.Partition) (sql.RowIter, error) {
	path, err := t.Plan(ctx, nil)
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	return t.open(ctx, t, path)
}

// open starts reading along a path; nil is a scan of the collection. Its work is noted for at, a part of the plan.
func (t *ChildTable) open(ctx *sql.Context, at any, path *ChildPath) (sql.RowIter, error) {
	if path == nil || path.readsAll() {
		later, err := t.Session.BeginScan(ctx, t, t.Def)
		if err == nil && later {
			err = t.Session.AllowScan(ctx, t.Def)
		}
		if err != nil {
			return nil, err
		}
	}
	r, err := t.Elements.Reader(ctx)
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	if path != nil && path.Entries {
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
	return &ChildIter{Table: t, At: at, Docs: docs}, nil
}

// ChildIter makes rows from the elements of documents.
type ChildIter struct {
	Table *ChildTable
	At    any // the part of the plan, for Work.Note
	Docs  tables.Rows
	over  bool // Close has been called

	key       []any // of the current document
	elements  []document.Value
	positions []int64 // of all elements, one element's after the other's
	next      int
}

// Next implements sql.RowIter.
func (i *ChildIter) Next(ctx *sql.Context) (sql.Row, error) {
	if err := ctx.Err(); err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	for i.next >= len(i.elements) {
		if !i.Docs.Next() {
			if err := i.Docs.Err(); err != nil {
				return nil, mysqlerr.Of(ctx, err)
			}
			return nil, io.EOF
		}
		if err := i.document(ctx, i.Docs.PK(), i.Docs.Document()); err != nil {
			return nil, mysqlerr.Of(ctx, err)
		}
	}
	arrays := len(i.positions) / len(i.elements)
	n := i.next
	i.next++
	row, err := i.Table.row(ctx, i.key, i.positions[n*arrays:(n+1)*arrays], i.elements[n])
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	return row, nil
}

// document collects the elements of a document.
func (i *ChildIter) document(ctx *sql.Context, pk []byte, d document.Document) error {
	i.elements, i.positions, i.next = i.elements[:0], i.positions[:0], 0
	for positions, v := range d.All(i.Table.Path) {
		i.elements = append(i.elements, v)
		i.positions = append(i.positions, positions...)
	}
	if len(i.elements) == 0 {
		return nil
	}
	var err error
	i.key, err = i.Table.key(ctx, d)
	return err
}

// Close implements sql.RowIter.
func (i *ChildIter) Close(*sql.Context) error {
	i.Docs.Close()
	if !i.over {
		i.over = true
		i.Table.Session.Work.Note(i.At, i.Docs.Read())
	}
	return nil
}

// key returns the values of the key's columns in a document.
func (t *ChildTable) key(ctx *sql.Context, d document.Document) ([]any, error) {
	var key []any
	for i := range t.reserved {
		c := &t.reserved[i].Column
		if t.reserved[i].Part != PartKey {
			break
		}
		v, _ := d.Lookup(c.Keypath)
		value, err := session.FromJSON(ctx, c, v)
		if err != nil {
			return nil, fmt.Errorf("sqlbackend: read %s: %w", t.Def, err)
		}
		key = append(key, value)
	}
	return key, nil
}

// row makes an element's row.
func (t *ChildTable) row(ctx *sql.Context, key []any, positions []int64, element document.Value) (sql.Row, error) {
	row := make(sql.Row, len(t.Columns))
	for i := range t.Columns {
		c := &t.Columns[i]
		v := element
		switch c.Part {
		case PartKey:
			row[i] = key[c.At]
			continue
		case PartPosition:
			row[i] = positions[c.At] - 1
			continue
		case PartKeypath:
			if t.Elements.Walk != nil {
				continue
			}
			var ok bool
			if v, ok = (document.Document{Value: element}).Lookup(c.inner); !ok {
				continue
			}
		}
		var err error
		if row[i], err = session.FromJSON(ctx, &c.Column, v); err != nil {
			return nil, fmt.Errorf("sqlbackend: read %s: %w", t.Proper, err)
		}
	}
	if t.Elements.Walk != nil {
		if err := t.Elements.Walk.Read(ctx, t.Elements, nil, element, row); err != nil {
			return nil, err
		}
	}
	return row, nil
}
