package sqlbackend

import (
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
	"github.com/sqlfdb/sqlfdb/tables"
)

// Table is a table as one statement sees it: its columns are made for what the
// statement names.
type Table struct {
	session *Session
	def     *definition
	columns []column
	schema  sql.Schema
	writes  statement.Writes
	// named are the lower-cased columns that an INSERT gives a value, nil when
	// that is not known: the engine fills the others with NULL.
	named map[string]bool
	// filling is the column that ALTER TABLE has just added: its default goes
	// into documents that have no value there, and into no others.
	filling string
	// filled: documents read as having it already, so that the engine, which reads the
	// table next, finds none that needs it.
	filled bool
	// bound is made by constraints.
	bound *constraints
	// nearest are rules by which generated values become the nearest that their columns hold; nil: they are errors.
	nearest *compare.AssignmentRules
	// walk is nil for few columns.
	walk  *rowReader
	place tree.Place
	// covered: a scan reads the documents' keys alone; see coveredRule.
	covered *covered
	// used is what use has told to runs of a program before; nil where it is none's.
	used *atomic.Pointer[namedUse]
	// walked is the keypath in whose order few rows are taken; empty: in that of none, as far as is known.
	walked string
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

// newTable makes the table of a definition for the running command.
func (s *Session) newTable(d *definition, r kv.Reader, sh shape) (*Table, error) {
	columns, schema, err := d.layout(r, sh)
	if err != nil {
		return nil, err
	}
	if s.rekeyed != 0 && s.rekeyed == d.ID {
		for _, c := range schema {
			c.PrimaryKey = false
		}
	}
	return &Table{session: s, def: d, columns: columns, schema: schema, walk: newRowReader(columns)}, nil
}

// Name implements sql.Table.
func (t *Table) Name() string { return t.def.Name }

// String implements sql.Table.
func (t *Table) String() string { return t.def.Name }

// Schema implements sql.Table.
func (t *Table) Schema() sql.Schema { return t.schema }

// Collation implements sql.Table: the collation that the engine knows the
// table's strings by.
func (t *Table) Collation() sql.CollationID {
	if id, err := sql.ParseCollation("", t.def.Table.Collation, false); err == nil && id != sql.Collation_Unspecified {
		return id
	}
	return sql.Collation_Default
}

// Comment implements sql.CommentedTable.
func (t *Table) Comment() string { return t.def.Comment }

// PrimaryKeySchema implements sql.PrimaryKeyTable.
func (t *Table) PrimaryKeySchema() sql.PrimaryKeySchema {
	if t.def.hidden() {
		return sql.PrimaryKeySchema{Schema: t.schema, PkOrdinals: []int{}}
	}
	return sql.NewPrimaryKeySchema(t.schema, t.def.PrimaryKey...)
}

// GetChecks implements sql.CheckTable. A statement that writes gets no checks of whole
// documents: the engine's rows hold `_doc` only as the statement gives it. One that updates a join gets none: the
// engine looks for their columns among those of all tables. The method holds applies them.
func (t *Table) GetChecks(*sql.Context) ([]sql.CheckDefinition, error) {
	checks := make([]sql.CheckDefinition, 0, len(t.def.Checks))
	for _, c := range t.def.Checks {
		text := t.def.quoteColumns(c.Expression)
		if t.writes.Joined || (t.writes.Inserts || t.writes.Changes) && t.def.Open && readsDocument(text) {
			text = "TRUE"
		}
		checks = append(checks, sql.CheckDefinition{Name: c.Name, CheckExpression: text, Enforced: c.Enforced})
	}
	return checks, nil
}

// wholeTable is the one partition of a full scan.
type wholeTable struct{}

// Key implements sql.Partition.
func (wholeTable) Key() []byte { return []byte("all") }

// Partitions implements sql.Table.
func (t *Table) Partitions(*sql.Context) (sql.PartitionIter, error) {
	return sql.PartitionsToPartitionIter(wholeTable{}), nil
}

// PartitionRows implements sql.Table.
func (t *Table) PartitionRows(ctx *sql.Context, _ sql.Partition) (sql.RowIter, error) {
	if t.filled {
		t.filled = false
		return sql.RowsToRowIter(), nil
	}
	if b := t.drives(); b != nil {
		return t.drivingRows(ctx, b, indexes.Everything())
	}
	later, err := t.session.beginScan(ctx, t, t.def)
	if err == nil && later && t.covered != nil {
		err = t.session.allowScan(ctx, t.def)
	}
	if err != nil {
		return nil, err
	}
	r, err := t.reader(ctx)
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	if t.covered != nil {
		walk := keysOfDocuments{t.def.collection.ScanKeys(r, indexes.Everything(), tables.ScanOptions{})}
		return &coveredIter{covered: t.covered, table: t, at: t, from: r, walk: walk}, nil
	}
	return &rowIter{table: t, at: t, docs: t.def.collection.Scan(r, indexes.Everything(), tables.ScanOptions{}),
		unsettled: later}, nil
}

// reader returns what the running statement's scans read: with conflicts, and
// without the statement's own writes.
func (t *Table) reader(ctx *sql.Context) (kv.Reader, error) {
	tx, err := currentTransaction(ctx)
	if err != nil {
		return nil, err
	}
	w, err := tx.begin()
	if err != nil {
		return nil, err
	}
	t.session.noteVersion(tx.committed)
	tx.noteScanned(t.def.Table)
	if b := t.session.batch; b != nil && b.ranking {
		return &hold.StoppableReader{Reader: tx.committed, Ctx: ctx}, nil // rows that are only looked at
	}
	return &hold.StoppableReader{Reader: w.Statement(), Ctx: ctx, Walked: &t.session.progress.keys}, nil
}

// rows turns documents into the table's rows. The iterator closes them, and
// notes what they cost for the part of the plan that asked for them.
func (t *Table) rows(at any, docs tables.Rows) sql.RowIter {
	return &rowIter{table: t, at: at, docs: docs}
}

type rowIter struct {
	table *Table
	at    any // as noteWork takes it
	docs  tables.Rows
	count int
	over  bool // closed
	// unsettled: whether this is to count as a full scan is told by how far it goes.
	unsettled bool
}

// rowsPerCheck is how many rows that nothing is computed of are read between looks at whether the
// statement has been killed.
const rowsPerCheck = 64

// Next implements sql.RowIter.
func (i *rowIter) Next(ctx *sql.Context) (sql.Row, error) {
	if err := i.advance(ctx); err != nil {
		return nil, err
	}
	row, err := i.table.row(ctx, i.docs.PK(), i.docs.Document())
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	return row, nil
}

// advance goes to the next document; io.EOF behind the last.
func (i *rowIter) advance(ctx *sql.Context) error {
	if err := ctx.Err(); err != nil { // what is computed of a row may take long
		return mysqlerr.Of(ctx, err)
	}
	if i.count++; i.count%rowsPerCheck == 0 {
		i.table.session.progress.documents.Add(rowsPerCheck)
		if i.unsettled && i.count > patience {
			i.unsettled = false
			if err := i.table.session.allowScan(ctx, i.table.def); err != nil {
				return err
			}
		}
	}
	if !i.docs.Next() {
		if err := i.docs.Err(); errors.Is(err, tables.ErrGivenUp) {
			return err
		} else if err != nil {
			return mysqlerr.Of(ctx, err)
		}
		return io.EOF
	}
	return nil
}

// Close implements sql.RowIter.
func (i *rowIter) Close(*sql.Context) error {
	i.docs.Close()
	if !i.over {
		i.over = true
		i.table.session.noteWork(i.at, i.docs.Read())
	}
	return nil
}

// row makes a document's row. pk is copied where the row keeps it.
func (t *Table) row(ctx *sql.Context, pk []byte, d document.Document) (sql.Row, error) {
	row := make(sql.Row, len(t.columns))
	for i := range t.columns {
		if c := &t.columns[i]; c.document || c.key || t.walk == nil {
			var err error
			if row[i], err = t.shown(ctx, pk, d, c); err != nil {
				return nil, err
			}
		}
	}
	if t.walk != nil {
		if err := t.walk.read(ctx, t, pk, d.Value, row); err != nil {
			return nil, err
		}
	}
	return row, nil
}

// shown is the value of a column in a document's row.
func (t *Table) shown(ctx *sql.Context, pk []byte, d document.Document, c *column) (any, error) {
	switch {
	case c.document:
		return value.NewJSON(d.Value), nil
	case c.key:
		return append([]byte(nil), pk...), nil
	}
	v, ok := d.Lookup(c.keypath)
	if !ok {
		return nil, nil
	}
	x, err := t.value(ctx, pk, c, v)
	if err != nil {
		return nil, fmt.Errorf("sqlbackend: read %s: %w", t.def, err)
	}
	return x, nil
}

// IsTemporary implements sql.TemporaryTable. The engine asks it of the tables that a read-only transaction writes to.
func (t *Table) IsTemporary() bool { return t.def.Temporary() }

// DeclaredAlone reports whether a table has declared columns alone.
func (t *Table) DeclaredAlone() bool { return !t.def.Open }

// MixedColumns implements mixing.
func (t *Table) MixedColumns() (sql.TableId, []string) {
	var names []string
	for i := range t.columns {
		if t.columns[i].mixed {
			names = append(names, t.columns[i].name)
		}
	}
	return t.place.ID, names
}

// DocumentColumn is the name of the column that has the whole document.
func (*Table) DocumentColumn() string { return documentColumn }
