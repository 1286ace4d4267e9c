package table

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
	"github.com/sqlfdb/sqlfdb/tables"
)

// Table is a table as one statement sees it: its columns are made for what the
// statement names.
type Table struct {
	Session *session.Session
	Def     *session.Definition
	Columns []session.Column
	Layout  sql.Schema
	Writes  statement.Writes
	// named are the lower-cased columns that an INSERT gives a value, nil when
	// that is not known: the engine fills the others with NULL.
	Named map[string]bool
	// filling is the column that ALTER TABLE has just added: its default goes
	// into documents that have no value there, and into no others.
	Filling string
	// filled: documents read as having it already, so that the engine, which reads the
	// table next, finds none that needs it.
	Filled bool
	// bound is made by constraints.
	Bound *Constraints
	// nearest are rules by which generated values become the nearest that their columns hold; nil: they are errors.
	Nearest *compare.AssignmentRules
	// walk is nil for few columns.
	Walk  *rowReader
	Place tree.Place
	// covered: a scan reads the documents' keys alone; see order.CoveredRule.
	Covered *session.Covered
	// used is what Use gave to earlier runs of a program; nil without a program.
	Used *atomic.Pointer[NamedUse]
	// walked is the keypath in whose order few rows are taken; empty: in that of none, as far as is known.
	Walked string
}

var (
	_ sql.Table            = (*Table)(nil)
	_ sql.CommentedTable   = (*Table)(nil)
	_ sql.PrimaryKeyTable  = (*Table)(nil)
	_ sql.InsertableTable  = (*Table)(nil)
	_ sql.UpdatableTable   = (*Table)(nil)
	_ sql.DeletableTable   = (*Table)(nil)
	_ sql.ReplaceableTable = (*Table)(nil)
	_ sql.CheckTable       = (*Table)(nil)
)

// NewTable makes the table of a definition for the running command.
func NewTable(s *session.Session, d *session.Definition, r kv.Reader, sh session.Shape) (*Table, error) {
	columns, schema, err := d.Layout(r, sh)
	if err != nil {
		return nil, err
	}
	if s.Rekeyed != 0 && s.Rekeyed == d.ID {
		for _, c := range schema {
			c.PrimaryKey = false
		}
	}
	return &Table{Session: s, Def: d, Columns: columns, Layout: schema, Walk: NewRowReader(columns)}, nil
}

// Name implements sql.Table.
func (t *Table) Name() string { return t.Def.Name }

// String implements sql.Table.
func (t *Table) String() string { return t.Def.Name }

// Schema implements sql.Table.
func (t *Table) Schema() sql.Schema { return t.Layout }

// Collation implements sql.Table: the collation that the engine knows the
// table's strings by.
func (t *Table) Collation() sql.CollationID {
	if id, err := sql.ParseCollation("", t.Def.Table.Collation, false); err == nil && id != sql.Collation_Unspecified {
		return id
	}
	return sql.Collation_Default
}

// Comment implements sql.CommentedTable.
func (t *Table) Comment() string { return t.Def.Comment }

// PrimaryKeySchema implements sql.PrimaryKeyTable.
func (t *Table) PrimaryKeySchema() sql.PrimaryKeySchema {
	if t.Def.Hidden() {
		return sql.PrimaryKeySchema{Schema: t.Layout, PkOrdinals: []int{}}
	}
	return sql.NewPrimaryKeySchema(t.Layout, t.Def.PrimaryKey...)
}

// GetChecks implements sql.CheckTable. A statement that writes gets no checks of whole
// documents: the engine's rows hold `_doc` only as the statement gives it. One that updates a join gets none: the
// engine looks for their columns among those of all tables. The method holds applies them.
func (t *Table) GetChecks(*sql.Context) ([]sql.CheckDefinition, error) {
	checks := make([]sql.CheckDefinition, 0, len(t.Def.Checks))
	for _, c := range t.Def.Checks {
		text := t.Def.QuoteColumns(c.Expression)
		if t.Writes.Joined || (t.Writes.Inserts || t.Writes.Changes) && t.Def.Open && readsDocument(text) {
			text = "TRUE"
		}
		checks = append(checks, sql.CheckDefinition{Name: c.Name, CheckExpression: text, Enforced: c.Enforced})
	}
	return checks, nil
}

// WholeTable is the one partition of a full scan.
type WholeTable struct{}

// Key implements sql.Partition.
func (WholeTable) Key() []byte { return []byte("all") }

// Partitions implements sql.Table.
func (t *Table) Partitions(*sql.Context) (sql.PartitionIter, error) {
	return sql.PartitionsToPartitionIter(WholeTable{}), nil
}

// driver is a statement in batches that reads a table in the order of its keys, from where the last batch ended.
type driver interface {
	Drives(t *Table) bool
	DrivingRows(ctx *sql.Context, t *Table, spans indexes.Spans) (sql.RowIter, error)
}

// Driver is the running statement in batches that reads the table; nil: there is none.
func (t *Table) Driver() driver {
	if d, ok := t.Session.Batch.(driver); ok && d.Drives(t) {
		return d
	}
	return nil
}

// PartitionRows implements sql.Table.
func (t *Table) PartitionRows(ctx *sql.Context, _ sql.Partition) (sql.RowIter, error) {
	if t.Filled {
		t.Filled = false
		return sql.RowsToRowIter(), nil
	}
	if d := t.Driver(); d != nil {
		return d.DrivingRows(ctx, t, indexes.Everything())
	}
	later, err := t.Session.BeginScan(ctx, t, t.Def)
	if err == nil && later && t.Covered != nil {
		err = t.Session.AllowScan(ctx, t.Def)
	}
	if err != nil {
		return nil, err
	}
	r, err := t.Reader(ctx)
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	if t.Covered != nil {
		walk := keysOfDocuments{t.Def.Collection.ScanKeys(r, indexes.Everything(), tables.ScanOptions{})}
		return &CoveredIter{Covered: t.Covered, Table: t, At: t, From: r, Walk: walk}, nil
	}
	return &RowIter{Table: t, At: t, Docs: t.Def.Collection.Scan(r, indexes.Everything(), tables.ScanOptions{}),
		unsettled: later}, nil
}

// Reader returns what the running statement's scans read.
func (t *Table) Reader(ctx *sql.Context) (kv.Reader, error) {
	tx, err := session.CurrentTransaction(ctx)
	if err != nil {
		return nil, err
	}
	statement, err := tx.StatementReader()
	if err != nil {
		return nil, err
	}
	t.Session.Work.NoteVersion(tx.Committed)
	tx.NoteScanned(t.Def.Table)
	if b := t.Session.Batch; b != nil && b.Ranks() {
		return &hold.StoppableReader{Reader: tx.Committed, Ctx: ctx}, nil // rows that are only looked at
	}
	return &hold.StoppableReader{Reader: statement, Ctx: ctx, Walked: &t.Session.Progress.Keys}, nil
}

// Rows turns documents into the table's rows. The iterator closes them, and
// notes what they cost for the part of the plan that asked for them.
func (t *Table) Rows(at any, docs tables.Rows) sql.RowIter {
	return &RowIter{Table: t, At: at, Docs: docs}
}

type RowIter struct {
	Table *Table
	At    any // as Work.Note takes it
	Docs  tables.Rows
	count int
	over  bool // closed
	// unsettled: whether this counts as a full scan follows from how far it goes.
	unsettled bool
}

// RowsPerCheck is how many rows that nothing is computed of are read between looks at whether the
// statement has been killed.
const RowsPerCheck = 64

// Next implements sql.RowIter.
func (i *RowIter) Next(ctx *sql.Context) (sql.Row, error) {
	if err := i.Advance(ctx); err != nil {
		return nil, err
	}
	return i.Row(ctx, i.Docs.PK(), i.Docs.Document())
}

// Row is the row of a document.
func (i *RowIter) Row(ctx *sql.Context, pk []byte, d document.Document) (sql.Row, error) {
	row, err := i.Table.row(ctx, pk, d)
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	return row, nil
}

// Advance goes to the next document; io.EOF behind the last.
func (i *RowIter) Advance(ctx *sql.Context) error {
	if err := ctx.Err(); err != nil { // what is computed of a row may take long
		return mysqlerr.Of(ctx, err)
	}
	if i.count++; i.count%RowsPerCheck == 0 {
		i.Table.Session.Progress.Documents.Add(RowsPerCheck)
		if i.unsettled && i.count > session.Patience {
			i.unsettled = false
			if err := i.Table.Session.AllowScan(ctx, i.Table.Def); err != nil {
				return err
			}
		}
	}
	if !i.Docs.Next() {
		if err := i.Docs.Err(); errors.Is(err, tables.ErrGivenUp) {
			return err
		} else if err != nil {
			return mysqlerr.Of(ctx, err)
		}
		return io.EOF
	}
	return nil
}

// Close implements sql.RowIter.
func (i *RowIter) Close(*sql.Context) error {
	i.Docs.Close()
	if !i.over {
		i.over = true
		i.Table.Session.Work.Note(i.At, i.Docs.Read())
	}
	return nil
}

// row makes a document's row. pk is copied where the row keeps it.
func (t *Table) row(ctx *sql.Context, pk []byte, d document.Document) (sql.Row, error) {
	row := make(sql.Row, len(t.Columns))
	for i := range t.Columns {
		if c := &t.Columns[i]; c.Document || c.Key || t.Walk == nil {
			var err error
			if row[i], err = t.Shown(ctx, pk, d, c); err != nil {
				return nil, err
			}
		}
	}
	if t.Walk != nil {
		if err := t.Walk.Read(ctx, t, pk, d.Value, row); err != nil {
			return nil, err
		}
	}
	return row, nil
}

// Shown is the value of a column in a document's row.
func (t *Table) Shown(ctx *sql.Context, pk []byte, d document.Document, c *session.Column) (any, error) {
	switch {
	case c.Document:
		return value.NewJSON(d.Value), nil
	case c.Key:
		return append([]byte(nil), pk...), nil
	}
	v, ok := d.Lookup(c.Keypath)
	if !ok {
		return nil, nil
	}
	x, err := t.value(ctx, pk, c, v)
	if err != nil {
		return nil, fmt.Errorf("sqlbackend: read %s: %w", t.Def, err)
	}
	return x, nil
}

// IsTemporary implements sql.TemporaryTable. The engine asks it of the tables that a read-only transaction writes to.
func (t *Table) IsTemporary() bool { return t.Def.Temporary() }

// ClosedTable reports whether the table is closed: it has declared columns only.
func (t *Table) ClosedTable() bool { return !t.Def.Open }

// MixedColumns implements mixing.
func (t *Table) MixedColumns() (sql.TableId, []string) {
	var names []string
	for i := range t.Columns {
		if t.Columns[i].Mixed {
			names = append(names, t.Columns[i].Name)
		}
	}
	return t.Place.ID, names
}

// DocumentColumn is the name of the column that has the whole document.
func (*Table) DocumentColumn() string { return session.DocumentColumn }

var _ sql.StatisticsTable = (*Table)(nil)

// RowCount implements sql.StatisticsTable. The count is exact at the
// transaction's version, but is not called so: the engine would answer
// COUNT(*) with it by a rule of its own, past the conflicts that an answer
// which rests on a counter must cause.
func (t *Table) RowCount(ctx *sql.Context) (uint64, bool, error) {
	documents, _, err := t.Counted(ctx)
	return uint64(documents), false, err
}

// DataLength implements sql.StatisticsTable: the bytes of the documents' text.
func (t *Table) DataLength(ctx *sql.Context) (uint64, error) {
	_, bytes, err := t.Counted(ctx)
	return uint64(bytes), err
}

// Counted is how many documents a table has, and their bytes.
func (t *Table) Counted(ctx *sql.Context) (documents, bytes int64, err error) {
	r, err := t.Session.Readers.Plan()
	if err != nil {
		return 0, 0, mysqlerr.Of(ctx, err)
	}
	documents, bytes, err = t.Def.Collection.Statistics(r).Documents()
	return documents, bytes, mysqlerr.Of(ctx, err)
}

var (
	_ compare.Assigner = (*Table)(nil)
)

// Takes implements assigner.
func (t *Table) Takes(name string) compare.Taker {
	for i := range t.Columns {
		c := &t.Columns[i]
		if strings.EqualFold(c.Name, name) {
			if c.Declared < 0 && !c.Document && !c.Key {
				return max(c.Takes, compare.TakesAny)
			}
			return compare.TakesDeclared
		}
	}
	return compare.TakesDeclared
}

// Assigning implements assigner.
func (t *Table) Assigning() sql.Table {
	next := *t
	next.Layout = compare.AssignedSchema(t.Name(), t.Layout, t.Takes)
	return &next
}

// value is the SQL value of a column in a document that was read: NULL, with a
// warning, for a value that could not be converted when the column's type changed.
func (t *Table) value(ctx *sql.Context, pk []byte, c *session.Column, v document.Value) (any, error) {
	if !c.Unsettled {
		return session.FromJSON(ctx, c, v)
	}
	x, err := session.ReadStored(ctx, c, v)
	if err != nil {
		t.misfit(ctx, pk, c, v)
		return nil, nil
	}
	return x, nil
}

// misfit warns of a value that reads as NULL because it does not fit its column.
func (t *Table) misfit(ctx *sql.Context, pk []byte, c *session.Column, v document.Value) {
	s, err := session.Of(ctx)
	if err != nil || pk == nil {
		return
	}
	// Declared columns are read whether a statement names them or not.
	if n := s.Parsed.Names(); len(n.Stars) == 0 && !n.Mentions(c.Name) {
		return
	}
	key := "\x00misfit\x00" + t.Def.Database + "\x00" + t.Def.Name + "\x00" + c.Name + "\x00" + string(pk)
	if s.Warned[key] || len(s.Warned) >= session.MaxMisfitWarnings {
		return
	}
	if s.Warned == nil {
		s.Warned = map[string]bool{}
	}
	s.Warned[key] = true
	text := v.Text()
	if v.Type() == document.TypeString {
		text = v.Str()
	}
	functions.Warn(ctx, mysql.ERTruncatedWrongValueForField,
		"Incorrect %s value: '%.100s' for column '%s' of the document with the primary key '%s'; it reads as NULL",
		session.TypeName(c.Typ), text, c.Name, t.Def.KeyName(ctx, pk))
}

// WholeBuilder is the engine's builder of iterators; it notes the plan that runs.
type WholeBuilder struct {
	sql.NodeExecBuilder
}

// Build implements sql.NodeExecBuilder.
func (b WholeBuilder) Build(ctx *sql.Context, n sql.Node, row sql.Row) (sql.RowIter, error) {
	if s, ok := ctx.Session.(*session.Session); ok && !s.Work.Executed {
		s.Work.Executed, s.Work.Plan = true, n
	}
	return b.NodeExecBuilder.Build(ctx, n, row)
}

// TableAt is a table that a program has run with. As long as what its columns are made of is the same, so are they.
type TableAt struct {
	Table  Table          // without a session
	Counts *costing.Known // of the version at which it was made; nil: no column rests on counts
}

// Alike reports whether another table of a definition has the same columns.
func (t *Table) Alike(other *Table) bool {
	if t.Def != other.Def || len(t.Columns) != len(other.Columns) || other.Covered != nil {
		return false
	}
	for i := range t.Columns {
		a, b := &t.Columns[i], &other.Columns[i]
		if a.Name != b.Name || !a.Typ.Equals(b.Typ) || a.Unit != b.Unit || a.Takes != b.Takes || a.Mixed != b.Mixed ||
			a.Unsettled != b.Unsettled || a.Undeclared != b.Undeclared || !slices.Equal(a.Keypath, b.Keypath) {
			return false
		}
	}
	return true
}

// placedPlain is PlaceRule for a plan that is plain.
func placedPlain(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	var child sql.Node
	switch at := n.(type) {
	case *plan.Project:
		child = at.Child
	case *plan.Filter:
		child = at.Child
	default:
		return placeNode(n)
	}
	placed, same, err := placedPlain(child)
	if err != nil || same {
		return n, transform.SameTree, err
	}
	next, err := n.WithChildren(placed)
	if err != nil {
		return n, transform.SameTree, err
	}
	return next, transform.NewTree, nil
}
