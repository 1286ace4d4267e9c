package sqlbackend

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
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
	"github.com/sqlfdb/sqlfdb/tables"
)

// The columns of a map index beside the primary key.
const (
	mapKeyColumn      = "key"
	mapValueColumn    = "value"
	mapDocumentColumn = "doc"
)

// mapSeparator stands before the name of a map index in its table's name, behind the table's own.
const mapSeparator = "__map__"

// foundMap is a view that a name leads to.
type foundMap struct {
	def   *catalog.Table
	of    *catalog.Map
	view  *catalog.MapView
	group *catalog.MapGroup
}

// name is that of its table: t__map__name of a map index, t__design__view of a design document.
func (f *foundMap) name() string {
	if f.of.Design == "" {
		return f.def.Name + mapSeparator + f.of.Name
	}
	return f.def.Name + childSeparator + f.of.Name + childSeparator + f.view.Name
}

// eachView visits the views of a table's map indexes.
func eachView(def *catalog.Table, visit func(*foundMap) bool) {
	for i := range def.Maps {
		m := &def.Maps[i]
		group, ok := def.GroupOf(m.Group)
		for j := range m.Views {
			if ok && !visit(&foundMap{def: def, of: m, view: &m.Views[j], group: group}) {
				return
			}
		}
	}
}

// findMap finds the view that a name stands for.
func findMap(view *catalog.View, database, name string) (found *foundMap, ok bool) {
	for i := len(name) - 2; i > 0; i-- {
		if name[i:i+2] != childSeparator {
			continue
		}
		def, there := view.Table(database, name[:i])
		if !there || len(def.Maps) == 0 {
			continue
		}
		eachView(def, func(f *foundMap) bool {
			if strings.EqualFold(f.name(), name) {
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

// mapTable is t__map__name: the rows that the function of a map index has emitted, in the order of their keys.
type mapTable struct {
	*foundMap
	session *Session
	full    *definition
	rows    *mapindex.Group
	number  int64 // the view in its group
	schema  sql.Schema
	path    *mapPath // nil: all of it
	// documents: the statement names `doc`.
	documents bool
	place     tree.Place
}

var (
	_ sql.Table                = (*mapTable)(nil)
	_ sql.CommentedTable       = (*mapTable)(nil)
	_ sql.IndexSearchableTable = (*mapTable)(nil)
	_ sql.IndexedTable         = (*mapTable)(nil)
	_ sql.StatisticsTable      = (*mapTable)(nil)
)

// mapTable finds the table of a map index; nil when there is none of that name.
func (d *Database) mapTable(s *Session, view *catalog.View, name string) (sql.Table, error) {
	found, ok := findMap(view, d.name, name)
	if !ok {
		return nil, nil
	}
	full, err := d.backend.definitions.of(found.def)
	if err != nil {
		return nil, err
	}
	group, err := full.collection.MapGroup(found.group.Number)
	if err != nil {
		return nil, err
	}
	t := &mapTable{foundMap: found, session: s, full: full, rows: group}
	if t.number, ok = found.group.ViewIn(found.view); !ok {
		return nil, fmt.Errorf("sqlbackend: %s: its group has no such function: %w", found.name(), mapindex.ErrCorrupt)
	}
	n := s.commandNames()
	t.documents = n.Mentions(mapDocumentColumn) || !n.Uses(strings.ToLower(found.name()))
	add := func(name string, typ sql.Type, nullable bool) {
		t.schema = append(t.schema, &sql.Column{Name: name, Type: typ, Nullable: nullable, Source: t.Name(),
			DatabaseSource: found.def.Database})
	}
	add(mapKeyColumn, types.JSON, false)
	if full.hidden() {
		add(tables.HiddenKey, types.LongText, false)
	}
	for _, i := range full.PrimaryKey {
		add(mapPrimaryName(full.columns[i].name), full.columns[i].typ, false)
	}
	add(mapValueColumn, types.JSON, false)
	if t.documents {
		add(mapDocumentColumn, types.JSON, true)
	}
	s.readsMaps = true
	return t, nil
}

// mapPrimaryName is the name of a column of the primary key: in quotes where the table has a column of that name
// itself.
func mapPrimaryName(name string) string {
	switch strings.ToLower(name) {
	case mapKeyColumn, mapValueColumn, mapDocumentColumn:
		return `"` + name + `"`
	}
	return name
}

// Name implements sql.Table.
func (t *mapTable) Name() string { return t.foundMap.name() }

// String implements sql.Table.
func (t *mapTable) String() string { return t.Name() }

// Schema implements sql.Table.
func (t *mapTable) Schema() sql.Schema { return t.schema }

// Collation implements sql.Table.
func (t *mapTable) Collation() sql.CollationID { return sql.Collation_Default }

// Comment implements sql.CommentedTable.
func (t *mapTable) Comment() string { return fmt.Sprintf("rows of a map index of %s", t.def.Name) }

func (t *mapTable) At() tree.Place { return t.place }

func (t *mapTable) PlacedAt(p tree.Place) sql.Table {
	there := *t
	there.place = p
	return &there
}

// documentTable is the table whose documents have emitted the rows, with the columns of the primary key.
func (t *mapTable) documentTable() *Table {
	d := &Table{session: t.session, def: t.full, place: t.place}
	for _, k := range t.full.PrimaryKey {
		d.columns = append(d.columns, t.full.columns[k])
	}
	return d
}

// RowCount implements sql.StatisticsTable.
func (t *mapTable) RowCount(ctx *sql.Context) (uint64, bool, error) {
	r, err := t.session.planReader()
	if err != nil {
		return 0, false, mysqlerr.Of(ctx, err)
	}
	count, err := t.rows.Count(r, t.number)
	return uint64(max(0, count.Entries)), false, mysqlerr.Of(ctx, err)
}

// DataLength implements sql.StatisticsTable.
func (t *mapTable) DataLength(*sql.Context) (uint64, error) { return 0, nil }

// SkipIndexCosting implements sql.IndexSearchable.
func (t *mapTable) SkipIndexCosting() bool { return true }

// PreciseMatch implements sql.IndexAddressable.
func (t *mapTable) PreciseMatch() bool { return true }

// GetIndexes implements sql.IndexAddressable.
func (t *mapTable) GetIndexes(*sql.Context) ([]sql.Index, error) { return nil, nil }

// Partitions implements sql.Table.
func (t *mapTable) Partitions(*sql.Context) (sql.PartitionIter, error) {
	return sql.PartitionsToPartitionIter(wholeTable{}), nil
}

// LookupPartitions implements sql.IndexedTable.
func (t *mapTable) LookupPartitions(ctx *sql.Context, _ sql.IndexLookup) (sql.PartitionIter, error) {
	return t.Partitions(ctx)
}

// IndexedAccess implements sql.IndexAddressable.
func (t *mapTable) IndexedAccess(_ *sql.Context, lookup sql.IndexLookup) sql.IndexedTable {
	path, ok := lookup.Ranges.(*mapPath)
	if !ok {
		return nil
	}
	along := *t
	along.path = path
	return &along
}

// PartitionRows implements sql.Table.
func (t *mapTable) PartitionRows(ctx *sql.Context, _ sql.Partition) (sql.RowIter, error) {
	i, err := t.open(ctx)
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	return i, nil
}

// errBuilding: a map index that is being built can't be read.
func (t *mapTable) errBuilding(ctx *sql.Context) error {
	if why := t.group.Error; why != "" {
		return mysql.NewSQLError(mysqlerr.Unknown, "HY000",
			"The map index %s could not be built: %s; DROP it and create it again", t.Name(), why)
	}
	t.session.building = true
	progress := "see " + systemDatabase + ".jobs"
	if r, err := t.session.planReader(); err == nil {
		if all, err := jobs.List(r); err == nil {
			if p, ok := togetherOf(all, t.group.Builders()); ok {
				progress = fmt.Sprintf("%d of %d documents, %s", p.Done, p.Of, progress)
			}
		}
	}
	return mysql.NewSQLError(mysqlerr.LockWait, "HY000",
		"The map index %s is being built: %s; try restarting transaction", t.Name(), progress)
}

// reader is what the rows are read through: the transaction itself where it keeps them, what is committed otherwise.
func (t *mapTable) reader(ctx *sql.Context) (kv.Reader, error) {
	if t.group.Building != 0 && (t.rows.Interactive || setting.Of(ctx, VarMapUpdate) == mapWait) {
		return nil, t.errBuilding(ctx)
	}
	if t.rows.Interactive {
		return t.documentTable().reader(ctx)
	}
	r, err := t.session.committedReader()
	if err != nil {
		return nil, err
	}
	t.session.noteVersion(r)
	if tx, ok := t.session.GetTransaction().(*Transaction); ok {
		tx.noteScanned(t.full.Table)
	}
	if err := t.warnLate(ctx, r); err != nil {
		return nil, err
	}
	return &hold.StoppableReader{Reader: r, Ctx: ctx}, nil
}

// warnLate tells that rows are missing where the statement's transaction reads an older version than it could wait at.
// It fails where the statement has waited in vain.
func (t *mapTable) warnLate(ctx *sql.Context, r kv.Reader) error {
	if setting.Of(ctx, VarMapUpdate) != mapWait || !t.session.GetIgnoreAutoCommit() && !t.session.impatient {
		return nil
	}
	upTo, err := t.full.collection.MapUpTo(r, t.rows)
	if err != nil {
		return err
	}
	last, ok, err := t.full.collection.Log().Last(r)
	if late := ok && bytes.Compare(upTo[:], last[:]) < 0; late && t.session.impatient {
		return mysql.NewSQLError(mysqlerr.LockWait, "HY000",
			"The rows of %s are up to the change %s, the last one is %s; try restarting transaction", t.Name(), upTo, last)
	} else if late {
		ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: mysqlerr.Unknown, Message: fmt.Sprintf(
			"The rows of %s are up to the change %s, and the transaction sees %s", t.Name(), upTo, last)})
	}
	return err
}

// open begins to read along the path.
func (t *mapTable) open(ctx *sql.Context) (*mapIter, error) {
	i := &mapIter{table: t, at: t, spans: indexes.Everything()}
	if t.path != nil {
		i.at, i.spans, i.reverse, i.left = t.path.accessPath, t.path.spans, t.path.reverse, t.path.limit
	}
	if i.spans.IsEverything() && i.left == 0 {
		if later, err := t.session.beginScan(ctx, t, t.full); err != nil || later {
			if err == nil {
				err = t.session.allowScan(ctx, t.full)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	i.limit = i.left > 0
	var err error
	i.r, err = t.reader(ctx)
	i.spans = slices.Clone(i.spans)
	if i.reverse {
		slices.Reverse(i.spans)
	}
	return i, err
}

// mapIter makes rows of the rows of a map index.
type mapIter struct {
	table   *mapTable
	at      any // as noteWork takes it
	r       kv.Reader
	spans   indexes.Spans // to come
	reverse bool
	limit   bool
	left    int64 // rows that are still given, with limit

	it     kv.Iterator
	count  int
	window int
	ahead  []fetchedRow
	work   tables.Work
	over   bool
}

// fetchedRow is a row whose document is being read; nil where none is.
type fetchedRow struct {
	key, value, pk []byte
	document       *tables.Pending
}

// Next implements sql.RowIter.
func (i *mapIter) Next(ctx *sql.Context) (sql.Row, error) {
	if i.count++; i.count%rowsPerCheck == 0 {
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

// fill reads further rows, and begins to read their documents if they are wanted.
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
			if i.limit {
				opts.Limit = int(min(i.left, 1<<20))
			}
			span := i.spans[0]
			i.spans = i.spans[1:]
			i.it = i.r.Range(i.table.rows.Keys.RowSpan(i.table.number, span.Start, span.End), opts)
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
		_, _, pk, _, err := i.table.rows.Keys.SplitRow(i.it.Key())
		if err != nil {
			return err
		}
		key, v, err := mapindex.SplitRow(i.it.Value())
		if err != nil {
			return err
		}
		f := fetchedRow{key: bytes.Clone(key), value: bytes.Clone(v), pk: bytes.Clone(pk)}
		if i.table.documents {
			f.document = i.table.full.collection.Get(i.r, f.pk)
		}
		i.ahead = append(i.ahead, f)
	}
	return nil
}

func (i *mapIter) row(ctx *sql.Context, f fetchedRow) (sql.Row, error) {
	row := append(make(sql.Row, 0, len(i.table.schema)), value.NewJSON(document.FromCompact(f.key)))
	pk, err := i.table.full.decodeKey(ctx, f.pk)
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
	shown, err := i.table.full.withoutHidden(d)
	return append(row, value.NewJSON(shown.Value)), err
}

// Close implements sql.RowIter.
func (i *mapIter) Close(*sql.Context) error {
	if i.it != nil {
		i.it.Close()
	}
	if !i.over {
		i.over = true
		i.table.session.noteWork(i.at, i.work)
	}
	return nil
}
