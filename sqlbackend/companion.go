package sqlbackend

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/changes"
	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// changesSuffix makes the name of a table's feed of changes.
const changesSuffix = "__changes"

// isCompanionName reports whether a name is kept for companion tables.
func isCompanionName(name string) bool {
	return strings.HasSuffix(strings.ToLower(name), changesSuffix)
}

// companion finds a companion table by name; nil when there is none.
func (d *Database) companion(ctx *sql.Context, s *Session, view *catalog.View, name string) (sql.Table, error) {
	// The engine asks several times; what a name means to a command can change
	// only with what it names itself.
	key := "companion\x00" + strings.ToLower(d.name) + "\x00" + name
	c := s.tables[key]
	if c.table == nil || c.statements != len(s.parsed) {
		t, err := d.findCompanion(ctx, s, view, name)
		if err != nil || t == nil {
			return nil, err
		}
		c = cachedTable{statements: len(s.parsed), table: t}
		if s.tables == nil {
			s.tables = map[string]cachedTable{}
		}
		s.tables[key] = c
	}
	t := c.table
	if used, err := s.usesCompanion(d.name, t.Name()); err != nil || !used {
		return nil, err
	}
	return t, nil
}

func (d *Database) findCompanion(ctx *sql.Context, s *Session, view *catalog.View, name string) (sql.Table, error) {
	if isCompanionName(name) {
		if def, ok := view.Table(d.name, name[:len(name)-len(changesSuffix)]); ok {
			full, err := d.backend.definitions.of(def)
			if err != nil {
				return nil, err
			}
			return newChangesTable(s, full), nil
		}
	}
	return d.childTable(ctx, s, view, name)
}

// companionsOf lists the companion tables of a table: its feed of changes, and a
// child table for each keypath where some document has an array, in the order
// of their first appearance. Names beyond MySQL's length are left out, and of
// names that differ only in case the later ones; they can be read all the same.
func (s *Session) companionsOf(view *catalog.View, t *catalog.Table) ([]string, error) {
	r, err := s.planReader()
	if err != nil {
		return nil, err
	}
	def, err := s.backend.definitions.of(t)
	if err != nil {
		return nil, err
	}
	spelled, err := def.collection.Dictionary().All(r)
	if err != nil {
		return nil, err
	}
	counts, err := def.collection.Statistics(r).Keypaths()
	if err != nil {
		return nil, err
	}
	names := []string{t.Name + changesSuffix}
	listed := map[string]bool{}
	for i, p := range spelled {
		if counts[int64(i+1)][document.KindArray].IsZero() {
			continue
		}
		path, err := document.ParseKeypath(p)
		if err != nil || path[len(path)-1].Array { // of an array within an array
			continue
		}
		path[len(path)-1].Array = true
		name := childNameIn(view, t, path)
		lower := strings.ToLower(name)
		if name == "" || listed[lower] || utf8.RuneCountInString(name) > maxIdentifier {
			continue
		}
		listed[lower] = true
		names = append(names, name)
	}
	return names, nil
}

// changesTable is t__changes: each document at its last change, in the order
// of commits. It reads committed rows only, and causes no conflicts: a reader
// at the feed's end must not conflict with every writer.
type changesTable struct {
	session *Session
	def     *definition
	schema  sql.Schema
	bounds  changes.Bounds
	lookup  *feedRange // that the bounds come from
	reverse bool       // from the last change to the first
	// documents: the statement names `_doc`, or says *.
	documents bool
	place     place
}

var _ sql.Table = (*changesTable)(nil)

func newChangesTable(s *Session, def *definition) *changesTable {
	n := s.commandNames()
	t := &changesTable{session: s, def: def, documents: n.starred(strings.ToLower(def.Name)+changesSuffix) || n.mentions(documentColumn)}
	add := func(name string, typ sql.Type, nullable bool) {
		t.schema = append(t.schema, &sql.Column{Name: name, Type: typ, Nullable: nullable, Source: t.Name(), DatabaseSource: def.Database})
	}
	add("seq", collated(types.MustCreateStringWithDefaults(sqltypes.VarChar, 2*changes.SequenceSize), collation.Binary), false)
	if def.hidden() {
		add(tables.HiddenKey, types.LongText, false)
	}
	for _, i := range def.PrimaryKey {
		add(def.columns[i].name, def.columns[i].typ, false)
	}
	add("rev", types.LongText, false)
	add("deleted", types.Boolean, false)
	add(documentColumn, types.JSON, true)
	return t
}

// Name implements sql.Table.
func (t *changesTable) Name() string { return t.def.Name + changesSuffix }

// String implements sql.Table.
func (t *changesTable) String() string { return t.Name() }

// Schema implements sql.Table.
func (t *changesTable) Schema() sql.Schema { return t.schema }

// Collation implements sql.Table.
func (t *changesTable) Collation() sql.CollationID { return sql.Collation_Default }

// Partitions implements sql.Table.
func (t *changesTable) Partitions(*sql.Context) (sql.PartitionIter, error) {
	return sql.PartitionsToPartitionIter(wholeTable{}), nil
}

// PartitionRows implements sql.Table.
func (t *changesTable) PartitionRows(ctx *sql.Context, _ sql.Partition) (sql.RowIter, error) {
	r, err := t.session.committedReader()
	if err != nil {
		return nil, sqlError(ctx, err)
	}
	t.session.noteVersion(r)
	return &changesIter{table: t, from: r, feed: t.def.collection.Log().Read(r, changes.ReadOptions{Bounds: t.bounds, Reverse: t.reverse})}, nil
}

type changesIter struct {
	table *changesTable
	from  kv.Reader
	feed  *changes.Iterator
	count int
	work  tables.Work
	over  bool // closed
}

// Next implements sql.RowIter.
func (i *changesIter) Next(ctx *sql.Context) (sql.Row, error) {
	if i.count++; i.count%rowsPerCheck == 0 {
		if err := ctx.Err(); err != nil {
			return nil, sqlError(ctx, err)
		}
	}
	if !i.feed.Next() {
		if err := i.feed.Err(); err != nil {
			return nil, sqlError(ctx, err)
		}
		return nil, io.EOF
	}
	i.work.Entries++
	row, err := i.row(ctx, i.feed.Change())
	if err != nil {
		return nil, sqlError(ctx, err)
	}
	return row, nil
}

func (i *changesIter) row(ctx *sql.Context, c changes.Change) (sql.Row, error) {
	def := i.table.def
	row := make(sql.Row, 0, len(i.table.schema))
	row = append(row, c.Sequence.String())
	var doc any
	var d document.Document
	if !c.Deleted && i.table.documents {
		var ok bool
		var err error
		if d, ok, err = def.collection.Get(i.from, c.PK).Get(); err != nil {
			return nil, err
		}
		if ok {
			i.work.Documents++
			i.work.Bytes += int64(d.Len())
			doc = NewJSON(d.Value)
		}
	}
	key, err := def.decodeKey(ctx, c.PK)
	if err != nil {
		return nil, err
	}
	row = append(row, key...)
	deleted := int8(0)
	if c.Deleted {
		deleted = 1
	}
	return append(row, c.Rev.String(), deleted, doc), nil
}

// Close implements sql.RowIter.
func (i *changesIter) Close(*sql.Context) error {
	i.feed.Close()
	if !i.over {
		i.over = true
		if i.table.lookup != nil {
			i.table.session.noteWork(i.table.lookup, i.work)
		} else {
			i.table.session.noteWork(i.table, i.work)
		}
	}
	return nil
}
