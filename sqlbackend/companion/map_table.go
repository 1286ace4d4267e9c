package companion

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/mapindex"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
	"github.com/sqlfdb/sqlfdb/tables"
)

// The columns of a map index besides the primary key.
const (
	MapKeyColumn      = "key"
	mapValueColumn    = "value"
	mapDocumentColumn = "doc"
)

// mapSeparator is between the table's name and the map index's name in the name of the map index's table.
const mapSeparator = "__map__"

// FoundMap is a view found by name.
type FoundMap struct {
	def   *catalog.Table
	Of    *catalog.Map
	View  *catalog.MapView
	Group *catalog.MapGroup
}

// Name is the name of the view's table: t__map__name for a map index, t__design__view for a design document's.
func (f *FoundMap) Name() string {
	if f.Of.Design == "" {
		return f.def.Name + mapSeparator + f.Of.Name
	}
	return f.def.Name + childSeparator + f.Of.Name + childSeparator + f.View.Name
}

// EachView visits the views of a table's map indexes.
func EachView(def *catalog.Table, visit func(*FoundMap) bool) {
	for i := range def.Maps {
		m := &def.Maps[i]
		group, ok := def.GroupOf(m.Group)
		for j := range m.Views {
			if ok && !visit(&FoundMap{def: def, Of: m, View: &m.Views[j], Group: group}) {
				return
			}
		}
	}
}

// findMap finds the view whose table has a name.
func findMap(view *catalog.View, database, name string) (found *FoundMap, ok bool) {
	for i := len(name) - 2; i > 0; i-- {
		if name[i:i+2] != childSeparator {
			continue
		}
		def, there := view.Table(database, name[:i])
		if !there || len(def.Maps) == 0 {
			continue
		}
		EachView(def, func(f *FoundMap) bool {
			if strings.EqualFold(f.Name(), name) {
				found = f
			}
			return found == nil
		})
		if found != nil {
			return found, true
		}
	}
	return nil, false
}

// MapTable is a map index's table, as t__map__name: the rows that its function has emitted, in the order of their
// keys.
type MapTable struct {
	*FoundMap
	Session *session.Session
	full    *session.Definition
	Rows    *mapindex.Group
	Number  int64 // of the view in its group
	schema  sql.Schema
	Path    *MapPath // nil: all rows
	// documents: the statement names `doc`, or its FROM does not name the table.
	documents bool
	place     tree.Place
}

var (
	_ sql.Table                = (*MapTable)(nil)
	_ sql.CommentedTable       = (*MapTable)(nil)
	_ sql.IndexSearchableTable = (*MapTable)(nil)
	_ sql.IndexedTable         = (*MapTable)(nil)
	_ sql.StatisticsTable      = (*MapTable)(nil)
)

// newMapTable returns the table of a map index; nil if there is none of this name.
func newMapTable(database string, s *session.Session, view *catalog.View, name string) (sql.Table, error) {
	found, ok := findMap(view, database, name)
	if !ok {
		return nil, nil
	}
	full, err := s.Backend.Definitions.Of(found.def)
	if err != nil {
		return nil, err
	}
	group, err := full.Collection.MapGroup(found.Group.Number)
	if err != nil {
		return nil, err
	}
	t := &MapTable{FoundMap: found, Session: s, full: full, Rows: group}
	if t.Number, ok = found.Group.ViewIn(found.View); !ok {
		return nil, fmt.Errorf("sqlbackend: %s: its group has no such function: %w", found.Name(), mapindex.ErrCorrupt)
	}
	n := s.Parsed.Names()
	t.documents = n.Mentions(mapDocumentColumn) || !n.Uses(strings.ToLower(found.Name()))
	add := func(name string, typ sql.Type, nullable bool) {
		t.schema = append(t.schema, &sql.Column{Name: name, Type: typ, Nullable: nullable, Source: t.Name(),
			DatabaseSource: found.def.Database})
	}
	add(MapKeyColumn, types.JSON, false)
	if full.Hidden() {
		add(tables.HiddenKey, types.LongText, false)
	}
	for _, i := range full.PrimaryKey {
		add(mapPrimaryName(full.SQLColumns[i].Name), full.SQLColumns[i].Typ, false)
	}
	add(mapValueColumn, types.JSON, false)
	if t.documents {
		add(mapDocumentColumn, types.JSON, true)
	}
	s.ReadsMaps = true
	return t, nil
}

// mapPrimaryName is the name of a column of the primary key: in quotes if the map index has a column of that name.
func mapPrimaryName(name string) string {
	switch strings.ToLower(name) {
	case MapKeyColumn, mapValueColumn, mapDocumentColumn:
		return `"` + name + `"`
	}
	return name
}

// Name implements sql.Table.
func (t *MapTable) Name() string { return t.FoundMap.Name() }

// String implements sql.Table.
func (t *MapTable) String() string { return t.Name() }

// Schema implements sql.Table.
func (t *MapTable) Schema() sql.Schema { return t.schema }

// Collation implements sql.Table.
func (t *MapTable) Collation() sql.CollationID { return sql.Collation_Default }

// Comment implements sql.CommentedTable.
func (t *MapTable) Comment() string { return fmt.Sprintf("rows of a map index of %s", t.def.Name) }

// At implements tree.Placeable.
func (t *MapTable) At() tree.Place { return t.place }

// PlacedAt implements tree.Placeable.
func (t *MapTable) PlacedAt(p tree.Place) sql.Table {
	there := *t
	there.place = p
	return &there
}

// documentTable is the table of the documents that emitted the rows, with only the columns of the primary key.
func (t *MapTable) documentTable() *table.Table {
	d := &table.Table{Session: t.Session, Def: t.full, Place: t.place}
	for _, k := range t.full.PrimaryKey {
		d.Columns = append(d.Columns, t.full.SQLColumns[k])
	}
	return d
}

// RowCount implements sql.StatisticsTable.
func (t *MapTable) RowCount(ctx *sql.Context) (uint64, bool, error) {
	r, err := t.Session.Readers.Plan()
	if err != nil {
		return 0, false, mysqlerr.Of(ctx, err)
	}
	count, err := t.Rows.Count(r, t.Number)
	return uint64(max(0, count.Entries)), false, mysqlerr.Of(ctx, err)
}

// DataLength implements sql.StatisticsTable.
func (t *MapTable) DataLength(*sql.Context) (uint64, error) { return 0, nil }

// SkipIndexCosting implements sql.IndexSearchable.
func (t *MapTable) SkipIndexCosting() bool { return true }

// PreciseMatch implements sql.IndexAddressable.
func (t *MapTable) PreciseMatch() bool { return true }

// GetIndexes implements sql.IndexAddressable.
func (t *MapTable) GetIndexes(*sql.Context) ([]sql.Index, error) { return nil, nil }

// Partitions implements sql.Table.
func (t *MapTable) Partitions(*sql.Context) (sql.PartitionIter, error) {
	return sql.PartitionsToPartitionIter(table.WholeTable{}), nil
}

// LookupPartitions implements sql.IndexedTable.
func (t *MapTable) LookupPartitions(ctx *sql.Context, _ sql.IndexLookup) (sql.PartitionIter, error) {
	return t.Partitions(ctx)
}

// IndexedAccess implements sql.IndexAddressable.
func (t *MapTable) IndexedAccess(_ *sql.Context, lookup sql.IndexLookup) sql.IndexedTable {
	path, ok := lookup.Ranges.(*MapPath)
	if !ok {
		return nil
	}
	along := *t
	along.Path = path
	return &along
}

// PartitionRows implements sql.Table.
func (t *MapTable) PartitionRows(ctx *sql.Context, _ sql.Partition) (sql.RowIter, error) {
	i, err := t.open(ctx)
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	return i, nil
}

// errBuilding is the error for reading a map index that is being built, or could not be built.
func (t *MapTable) errBuilding(ctx *sql.Context) error {
	if why := t.Group.Error; why != "" {
		return mysql.NewSQLError(mysqlerr.Unknown, "HY000",
			"The map index %s could not be built: %s; DROP it and create it again", t.Name(), why)
	}
	t.Session.Building = true
	progress := "see " + session.SystemDatabase + ".jobs"
	if r, err := t.Session.Readers.Plan(); err == nil {
		if all, err := jobs.List(r); err == nil {
			if p, ok := table.TogetherOf(all, t.Group.Builders()); ok {
				progress = fmt.Sprintf("%d of %d documents, %s", p.Done, p.Of, progress)
			}
		}
	}
	return mysql.NewSQLError(mysqlerr.LockWait, "HY000",
		"The map index %s is being built: %s; try restarting transaction", t.Name(), progress)
}

// Reader returns the reader of the rows: the transaction if it writes them itself, else one of committed rows.
func (t *MapTable) Reader(ctx *sql.Context) (kv.Reader, error) {
	if t.Group.Building != 0 && (t.Rows.Interactive || setting.Of(ctx, table.VarMapUpdate) == table.MapWait) {
		return nil, t.errBuilding(ctx)
	}
	if t.Rows.Interactive {
		return t.documentTable().Reader(ctx)
	}
	r, err := t.Session.Readers.Committed()
	if err != nil {
		return nil, err
	}
	t.Session.Work.NoteVersion(r)
	if tx, ok := t.Session.GetTransaction().(*session.Transaction); ok {
		tx.NoteScanned(t.full.Table)
	}
	if err := t.warnLate(ctx, r); err != nil {
		return nil, err
	}
	return &hold.StoppableReader{Reader: r, Ctx: ctx}, nil
}

// warnLate warns that rows are missing if the transaction reads an older version than the one that it could wait
// for. It fails if the statement has waited in vain. It also fails if the statement has not looked for changes to
// wait for, as the process did not know the map index yet: then the statement runs again.
func (t *MapTable) warnLate(ctx *sql.Context, r kv.Reader) error {
	s := t.Session
	if setting.Of(ctx, table.VarMapUpdate) != table.MapWait || !s.GetIgnoreAutoCommit() && !s.Impatient && s.Looked {
		return nil
	}
	upTo, err := t.full.Collection.MapUpTo(r, t.Rows)
	if err != nil {
		return err
	}
	last, ok, err := t.full.Collection.Log().Last(r)
	late := ok && bytes.Compare(upTo[:], last[:]) < 0
	again := late && !s.GetIgnoreAutoCommit() && !s.Looked && !s.Unlooked
	if s.Unlooked = again; again || late && s.Impatient {
		return mysql.NewSQLError(mysqlerr.LockWait, "HY000",
			"The rows of %s are up to the change %s, the last one is %s; try restarting transaction", t.Name(), upTo, last)
	} else if late {
		ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: mysqlerr.Unknown, Message: fmt.Sprintf(
			"The rows of %s are up to the change %s, and the transaction sees %s", t.Name(), upTo, last)})
	}
	return err
}

// open starts reading along the path.
func (t *MapTable) open(ctx *sql.Context) (*mapIter, error) {
	i := &mapIter{table: t, at: t, spans: indexes.Everything()}
	if t.Path != nil {
		i.at, i.spans, i.reverse, i.left = t.Path.AccessPath, t.Path.Spans, t.Path.Reverse, t.Path.Limit
	}
	if i.spans.IsEverything() && i.left == 0 {
		if later, err := t.Session.BeginScan(ctx, t, t.full); err != nil || later {
			if err == nil {
				err = t.Session.AllowScan(ctx, t.full)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	i.limit = i.left > 0
	var err error
	i.r, err = t.Reader(ctx)
	i.spans = slices.Clone(i.spans)
	if i.reverse {
		slices.Reverse(i.spans)
	}
	return i, err
}

// mapIter returns the rows of a map index.
type mapIter struct {
	table   *MapTable
	at      any // the part of the plan, for Work.Note
	r       kv.Reader
	spans   indexes.Spans // still to be read
	reverse bool
	limit   bool
	left    int64 // number of rows still to be returned, with limit

	it     *mapindex.Rows
	count  int
	window int
	ahead  []fetchedRow
	work   tables.Work
	over   bool
}

// fetchedRow is a row whose document is being read; document is nil if it is not.
type fetchedRow struct {
	key, value, pk []byte
	document       *tables.Pending
}

// Next implements sql.RowIter.
func (i *mapIter) Next(ctx *sql.Context) (sql.Row, error) {
	if i.count++; i.count%table.RowsPerCheck == 0 {
		if err := ctx.Err(); err != nil {
			return nil, mysqlerr.Of(ctx, err)
		}
	}
	if i.limit && i.left == 0 {
		return nil, io.EOF
	}
	if len(i.ahead) == 0 {
		if err := i.fill(); err != nil {
			return nil, mysqlerr.Of(ctx, err)
		}
		if len(i.ahead) == 0 {
			return nil, io.EOF
		}
	}
	f := i.ahead[0]
	i.ahead = i.ahead[1:]
	if i.limit {
		i.left--
	}
	row, err := i.row(ctx, f)
	return row, mysqlerr.Of(ctx, err)
}

// fill reads further rows, and starts reading their documents if the statement needs them.
func (i *mapIter) fill() error {
	want := 1
	if i.table.documents {
		i.window = min(max(1, 2*i.window), 256)
		want = i.window
		if i.limit {
			want = int(min(i.left, 256))
		}
	}
	for len(i.ahead) < want {
		if i.it == nil {
			if len(i.spans) == 0 {
				return nil
			}
			opts := kv.RangeOptions{Reverse: i.reverse}
			if i.limit && i.left < 1<<20 {
				opts.Limit = int(i.left)
			}
			span := i.spans[0]
			i.spans = i.spans[1:]
			i.it = i.table.Rows.Rows(i.r, i.table.Number, span.Start, span.End, opts)
		}
		if !i.it.Next() {
			err := i.it.Err()
			i.it.Close()
			if i.it = nil; err != nil {
				return fmt.Errorf("sqlbackend: read %s: %w", i.table.Name(), err)
			}
			continue
		}
		i.work.Entries++
		key, v, err := mapindex.SplitRow(i.it.Value())
		if err != nil {
			return err
		}
		f := fetchedRow{key: bytes.Clone(key), value: bytes.Clone(v), pk: bytes.Clone(i.it.PK())}
		if i.table.documents {
			f.document = i.table.full.Collection.Get(i.r, f.pk)
		}
		i.ahead = append(i.ahead, f)
	}
	return nil
}

func (i *mapIter) row(ctx *sql.Context, f fetchedRow) (sql.Row, error) {
	row := append(make(sql.Row, 0, len(i.table.schema)), value.NewJSON(document.FromCompact(f.key)))
	pk, err := i.table.full.DecodeKey(ctx, f.pk)
	if err != nil {
		return nil, err
	}
	row = append(append(row, pk...), value.NewJSON(document.FromCompact(f.value)))
	if !i.table.documents {
		return row, nil
	}
	d, there, err := f.document.Get()
	if err != nil || !there {
		return append(row, nil), err
	}
	i.work.Documents++
	i.work.Bytes += int64(d.Len())
	shown, err := table.WithoutHidden(i.table.full, d)
	return append(row, value.NewJSON(shown.Value)), err
}

// Close implements sql.RowIter.
func (i *mapIter) Close(*sql.Context) error {
	if i.it != nil {
		i.it.Close()
	}
	if !i.over {
		i.over = true
		i.table.Session.Work.Note(i.at, i.work)
	}
	return nil
}

// mapNames returns the names of the tables of a table's map indexes.
func mapNames(def *catalog.Table) (names []string) {
	EachView(def, func(f *FoundMap) bool {
		names = append(names, f.Name())
		return true
	})
	return names
}
