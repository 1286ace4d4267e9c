package sqlbackend

import (
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/changes"
	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
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
	if t, err := d.mapTable(s, view, name); t != nil || err != nil {
		return t, err
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
	for _, name := range mapNames(t) {
		if listed[strings.ToLower(name)] = true; utf8.RuneCountInString(name) <= maxIdentifier {
			names = append(names, name)
		}
	}
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
	path    *feedPath // nil: all of it, in order
	// documents: the statement names `_doc`, or says *.
	documents bool
	place     tree.Place
}

var _ sql.Table = (*changesTable)(nil)

func newChangesTable(s *Session, def *definition) *changesTable {
	n := s.commandNames()
	t := &changesTable{session: s, def: def, documents: n.Starred(strings.ToLower(def.Name)+changesSuffix) ||
		n.Mentions(documentColumn)}
	add := func(name string, typ sql.Type, nullable bool) {
		t.schema = append(t.schema, &sql.Column{Name: name, Type: typ, Nullable: nullable, Source: t.Name(),
			DatabaseSource: def.Database})
	}
	add(sequenceColumn, value.Collated(types.MustCreateStringWithDefaults(sqltypes.VarChar, 2*changes.SequenceSize),
		collation.Binary), false)
	if def.hidden() {
		add(tables.HiddenKey, types.LongText, false)
	}
	for _, i := range def.PrimaryKey {
		add(feedKeyName(def.columns[i].name), def.columns[i].typ, false)
	}
	add(revisionColumn, types.LongText, false)
	add(deletedColumn, types.Boolean, false)
	add(documentColumn, types.JSON, true)
	return t
}

// The columns of a feed beside the primary key and the document.
const (
	sequenceColumn = "seq"
	revisionColumn = "rev"
	deletedColumn  = "deleted"
)

// feedKeyName is the name of a column of the primary key in the feed: in quotes where the feed has
// a column of that name itself.
func feedKeyName(name string) string {
	switch strings.ToLower(name) {
	case sequenceColumn, revisionColumn, deletedColumn, documentColumn:
		return `"` + name + `"`
	}
	return name
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
