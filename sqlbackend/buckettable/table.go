// Package buckettable makes tables of collections in buckets for the engine: their rows, ways to find these by few
// requests, and changes by statements.
//
// It makes no definition of a table, and it writes no file itself: package bucket/collection does. Package table
// turns documents into rows, as for any other table. Package bucket/plan chooses the requests that find documents.
package buckettable

import (
	"cmp"
	"errors"
	"io"
	"iter"
	"strings"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/bucket/collection"
	"github.com/sqlfdb/sqlfdb/bucket/plan"
	"github.com/sqlfdb/sqlfdb/bucket/pool"
	"github.com/sqlfdb/sqlfdb/bucket/store"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/tables"
)

// Table is a table in a bucket as one statement sees it.
type Table struct {
	rows   *table.Table // its columns; it reads no document
	access *access      // how the statement finds documents; nil: it has not been planned
	joined *Joined      // how it is looked up in a join; nil: it is not
	// standsFor is the table of the plan that it reads a part of; nil: itself.
	standsFor *Table
	of        *statement
}

// statement is the state that the copies of a table share within a statement.
type statement struct {
	tally pool.Tally

	mu   sync.Mutex
	told store.Requests             // the session's figures have these
	docs map[string]*collection.Doc // documents that have been read, if the statement may change them

	changes changes
}

var (
	_ sql.Table            = (*Table)(nil)
	_ sql.CommentedTable   = (*Table)(nil)
	_ sql.PrimaryKeyTable  = (*Table)(nil)
	_ sql.InsertableTable  = (*Table)(nil)
	_ sql.UpdatableTable   = (*Table)(nil)
	_ sql.DeletableTable   = (*Table)(nil)
	_ sql.ReplaceableTable = (*Table)(nil)
	_ tree.Placeable       = (*Table)(nil)
	_ compare.Assigner     = (*Table)(nil)
)

// New makes the table of columns that a statement wants. The collection has been opened.
func New(rows *table.Table) *Table {
	return &Table{rows: rows, of: &statement{docs: map[string]*collection.Doc{}}}
}

// Name implements sql.Table.
func (t *Table) Name() string { return t.rows.Name() }

// String implements sql.Table.
func (t *Table) String() string { return t.rows.Name() }

// Schema implements sql.Table.
func (t *Table) Schema() sql.Schema { return t.rows.Layout }

// Collation implements sql.Table.
func (t *Table) Collation() sql.CollationID { return t.rows.Collation() }

// Comment implements sql.CommentedTable.
func (t *Table) Comment() string { return t.rows.Comment() }

// PrimaryKeySchema implements sql.PrimaryKeyTable.
func (t *Table) PrimaryKeySchema() sql.PrimaryKeySchema { return t.rows.PrimaryKeySchema() }

// At implements tree.Placeable.
func (t *Table) At() tree.Place { return t.rows.Place }

// PlacedAt implements tree.Placeable.
func (t *Table) PlacedAt(p tree.Place) sql.Table {
	next, rows := *t, *t.rows
	rows.Place = p
	next.rows = &rows
	return &next
}

// Takes implements compare.Assigner.
func (t *Table) Takes(name string) compare.Taker { return t.rows.Takes(name) }

// Assigning implements compare.Assigner.
func (t *Table) Assigning() sql.Table {
	next, rows := *t, *t.rows
	rows.Layout = compare.AssignedSchema(t.Name(), t.rows.Layout, t.rows.Takes)
	next.rows = &rows
	return &next
}

// MixedColumns are the columns that hold values of several types.
func (t *Table) MixedColumns() (sql.TableId, []string) { return t.rows.MixedColumns() }

// DocumentColumn is the name of the column that has the whole document.
func (*Table) DocumentColumn() string { return session.DocumentColumn }

// Partitions implements sql.Table.
func (t *Table) Partitions(*sql.Context) (sql.PartitionIter, error) {
	return sql.PartitionsToPartitionIter(table.WholeTable{}), nil
}

// PartitionRows implements sql.Table.
func (t *Table) PartitionRows(ctx *sql.Context, _ sql.Partition) (sql.RowIter, error) {
	c, err := t.open(ctx)
	if err != nil {
		return nil, err
	}
	a := t.access
	if a == nil {
		if a, err = t.accessFor(ctx, wanted{}); err != nil {
			return nil, err
		}
	}
	if a.readsAll() {
		if err := t.rows.Session.AllowReading(ctx, t.rows.Def.String(), ""); err != nil {
			return nil, err
		}
	}
	i := &rowIter{table: t}
	i.next, i.stop = iter.Pull2(t.read(ctx, c, a, &i.work))
	return i, nil
}

// open is the collection, opened.
func (t *Table) open(ctx *sql.Context) (*collection.Collection, error) {
	c, err := t.rows.Def.Bucket.Open(t.of.tally.Within(ctx))
	return c, Error(ctx, err)
}

// read gives the rows on an access path.
func (t *Table) read(ctx *sql.Context, c *collection.Collection, a *access,
	work *tables.Work) iter.Seq2[sql.Row, error] {
	return func(yield func(sql.Row, error) bool) {
		requests := t.of.tally.Within(ctx)
		path := a.path
		path.Skip = func(id string) bool { return t.rows.Session.Added.Has(t.rows.Def.Bucket, id) }
		if path.Covers {
			listed := 0
			err := path.IDs(requests, c, func(id string) (bool, error) {
				listed++
				work.Entries++
				return yield(t.keyRow(id), nil), nil
			})
			if err != nil {
				yield(nil, err)
			} else if path.Kind == plan.Scan {
				t.rows.Def.Bucket.Counted(listed)
			}
			return
		}
		seen, stopped := 0, false
		err := path.Read(requests, c, func(d *collection.Doc) (bool, error) {
			seen++
			work.Documents++
			work.Bytes += int64(len(d.Body.Text()))
			t.rows.Session.Progress.Documents.Add(1)
			if len(a.filters) == 0 {
				return true, nil
			}
			row, err := t.row(ctx, d)
			if err != nil {
				return false, err
			}
			return a.holds(ctx, row)
		}, func(d *collection.Doc) (bool, error) {
			row, err := t.row(ctx, d)
			if err != nil {
				return false, err
			}
			t.of.note(t, d)
			stopped = !yield(row, nil)
			return !stopped, nil
		})
		if err != nil && !stopped {
			yield(nil, err)
		} else if path.Kind == plan.Scan && path.Query.Limit == 0 && !stopped {
			t.rows.Def.Bucket.Counted(seen)
		}
	}
}

// note keeps a document that the statement may change.
func (s *statement) note(t *Table, d *collection.Doc) {
	if !t.rows.Writes.Changes {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.docs[d.ID] = d
}

// tell adds the requests since the last call to the figures of the session's statement.
func (s *statement) tell(of *session.Session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.tally.Requests()
	of.Work.NoteRequests(now.Minus(s.told))
	s.told = now
}

// forget drops documents that are written: they are not as they were read.
func (s *statement) forget(list []collection.Change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, ch := range list {
		delete(s.docs, ch.ID)
	}
}

// IDOf is the _id of a row's document.
func (t *Table) IDOf(row sql.Row) string {
	id, _ := row[t.keyAt()].(string)
	return id
}

// keyAt is where the key stands in a row.
func (t *Table) keyAt() int { return t.rows.Def.PrimaryKey[0] }

// row is a document's row.
func (t *Table) row(ctx *sql.Context, d *collection.Doc) (sql.Row, error) {
	row, err := t.rows.RowOf(ctx, d.Body)
	if err != nil {
		return nil, err
	}
	row[t.keyAt()] = d.ID // its file's name, not an _id inside the document
	return row, nil
}

// keyRow is a row of which the key alone is known.
func (t *Table) keyRow(id string) sql.Row {
	row := make(sql.Row, len(t.rows.Columns))
	row[t.keyAt()] = id
	return row
}

// rowIter is the rows of one reading.
type rowIter struct {
	table *Table
	next  func() (sql.Row, error, bool)
	stop  func()
	work  tables.Work
	over  bool
}

// Next implements sql.RowIter.
func (i *rowIter) Next(ctx *sql.Context) (sql.Row, error) {
	if err := ctx.Err(); err != nil {
		return nil, Error(ctx, err)
	}
	row, err, ok := i.next()
	if err != nil {
		return nil, Error(ctx, err)
	}
	if !ok {
		return nil, io.EOF
	}
	return row, nil
}

// Close implements sql.RowIter.
func (i *rowIter) Close(*sql.Context) error {
	i.stop()
	if !i.over {
		i.over = true
		i.table.of.tell(i.table.rows.Session)
		i.table.rows.Session.Work.Note(cmp.Or(i.table.standsFor, i.table), i.work)
	}
	return nil
}

// isEnd reports whether an error is no failure.
func isEnd(err error) bool { return errors.Is(err, io.EOF) }

// sameName reports whether two names are one.
func sameName(a, b string) bool { return strings.EqualFold(a, b) }
