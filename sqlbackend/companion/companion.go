package companion

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
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
	"github.com/sqlfdb/sqlfdb/tables"
)

// IsName reports whether a name is reserved for change feeds.
func IsName(name string) bool {
	return strings.HasSuffix(strings.ToLower(name), table.ChangesSuffix)
}

// Find finds a companion table by name; nil if there is none.
func Find(database string, ctx *sql.Context, s *session.Session, view *catalog.View, name string) (sql.Table, error) {
	// The engine looks a table up several times. Within a command, a name's meaning can only change with its
	// statements.
	key := "companion\x00" + strings.ToLower(database) + "\x00" + name
	c := s.Tables[key]
	if c.Table == nil || c.Statements != len(s.Parsed.All) {
		t, err := findCompanion(database, ctx, s, view, name)
		if err != nil || t == nil {
			return nil, err
		}
		c = session.CachedTable{Statements: len(s.Parsed.All), Table: t}
		if s.Tables == nil {
			s.Tables = map[string]session.CachedTable{}
		}
		s.Tables[key] = c
	}
	t := c.Table
	if used, err := usesCompanion(s, database, t.Name()); err != nil || !used {
		return nil, err
	}
	return t, nil
}

func findCompanion(database string, ctx *sql.Context, s *session.Session, view *catalog.View, name string) (sql.Table,
	error) {
	if IsName(name) {
		if def, ok := view.Table(database, name[:len(name)-len(table.ChangesSuffix)]); ok {
			if def.Bucket != nil {
				return nil, session.InBucket(def, "feed of changes: other programs write there, in no order")
			}
			full, err := s.Backend.Definitions.Of(def)
			if err != nil {
				return nil, err
			}
			return newChangesTable(s, full), nil
		}
	}
	if t, err := newMapTable(database, s, view, name); t != nil || err != nil {
		return t, err
	}
	return findChildTable(database, ctx, s, view, name)
}

// Names lists the companion tables of a table: its change feed, its map indexes, and a child table for each keypath
// where some document has an array. Child tables are in the order of their arrays' first appearance. Names longer
// than MySQL allows are left out. So are later names that differ from an earlier one only in case. Their tables can
// still be read.
func Names(s *session.Session, view *catalog.View, t *catalog.Table) ([]string, error) {
	r, err := s.Readers.Plan()
	if err != nil {
		return nil, err
	}
	if t.Bucket != nil {
		return nil, nil
	}
	def, err := s.Backend.Definitions.Of(t)
	if err != nil {
		return nil, err
	}
	spelled, err := def.Collection.Dictionary().All(r)
	if err != nil {
		return nil, err
	}
	counts, err := def.Collection.Statistics(r).Keypaths()
	if err != nil {
		return nil, err
	}
	names := []string{t.Name + table.ChangesSuffix}
	listed := map[string]bool{}
	for _, name := range mapNames(t) {
		if listed[strings.ToLower(name)] = true; utf8.RuneCountInString(name) <= session.MaxIdentifier {
			names = append(names, name)
		}
	}
	for i, p := range spelled {
		if counts[int64(i+1)][document.KindArray].IsZero() {
			continue
		}
		path, err := document.ParseKeypath(p)
		if err != nil || path[len(path)-1].Array { // an array within an array
			continue
		}
		path[len(path)-1].Array = true
		name := childNameIn(view, t, path)
		lower := strings.ToLower(name)
		if name == "" || listed[lower] || utf8.RuneCountInString(name) > session.MaxIdentifier {
			continue
		}
		listed[lower] = true
		names = append(names, name)
	}
	return names, nil
}

// ChangesTable is a change feed, as t__changes: each document with its last change, in the order of commits. It
// reads only committed rows, and causes no conflicts: a reader at the feed's end must not conflict with every
// writer.
type ChangesTable struct {
	Session *session.Session
	def     *session.Definition
	schema  sql.Schema
	path    *FeedPath // nil: the whole feed, in order
	// Documents: the statement names `_doc`, or *.
	Documents bool
	Place     tree.Place
}

var _ sql.Table = (*ChangesTable)(nil)

func newChangesTable(s *session.Session, def *session.Definition) *ChangesTable {
	n := s.Parsed.Names()
	t := &ChangesTable{Session: s, def: def, Documents: n.Starred(strings.ToLower(def.Name)+table.ChangesSuffix) ||
		n.Mentions(session.DocumentColumn)}
	add := func(name string, typ sql.Type, nullable bool) {
		t.schema = append(t.schema, &sql.Column{Name: name, Type: typ, Nullable: nullable, Source: t.Name(),
			DatabaseSource: def.Database})
	}
	add(table.SequenceColumn, value.Collated(types.MustCreateStringWithDefaults(sqltypes.VarChar, 2*changes.SequenceSize),
		collation.Binary), false)
	if def.Hidden() {
		add(tables.HiddenKey, types.LongText, false)
	}
	for _, i := range def.PrimaryKey {
		add(FeedKeyName(def.SQLColumns[i].Name), def.SQLColumns[i].Typ, false)
	}
	add(revisionColumn, types.LongText, false)
	add(deletedColumn, types.Boolean, false)
	add(session.DocumentColumn, types.JSON, true)
	return t
}

// The columns of a feed besides the primary key and the document.
const (
	revisionColumn = "rev"
	deletedColumn  = "deleted"
)

// FeedKeyName is the name in the feed of a column of the primary key: in quotes if the feed has a column of that
// name.
func FeedKeyName(name string) string {
	switch strings.ToLower(name) {
	case table.SequenceColumn, revisionColumn, deletedColumn, session.DocumentColumn:
		return `"` + name + `"`
	}
	return name
}

// Name implements sql.Table.
func (t *ChangesTable) Name() string { return t.def.Name + table.ChangesSuffix }

// String implements sql.Table.
func (t *ChangesTable) String() string { return t.Name() }

// Schema implements sql.Table.
func (t *ChangesTable) Schema() sql.Schema { return t.schema }

// Collation implements sql.Table.
func (t *ChangesTable) Collation() sql.CollationID { return sql.Collation_Default }

// Partitions implements sql.Table.
func (t *ChangesTable) Partitions(*sql.Context) (sql.PartitionIter, error) {
	return sql.PartitionsToPartitionIter(table.WholeTable{}), nil
}
