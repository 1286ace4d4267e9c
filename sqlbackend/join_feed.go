package sqlbackend

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/changes"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/tables"
)

// batchFeed is a feed of changes that is read batch by batch, by the keys of documents.
type batchFeed struct {
	*changesTable
	way   *joinWay
	batch *batch // nil in a plan
}

// PartitionRows implements sql.Table.
func (t *batchFeed) PartitionRows(ctx *sql.Context, _ sql.Partition) (sql.RowIter, error) {
	if t.batch == nil {
		return nil, fmt.Errorf("sqlbackend: %s is read without a batch", t.Name())
	}
	spans := t.batch.spans
	if t.batch.leg == nil {
		if err := t.session.allowScanOf(ctx, t.changesTable); err != nil {
			return nil, err
		}
		spans = indexes.Everything()
	}
	i, err := t.changesTable.rows(ctx, t.way, &feedPath{byKeys: true, keys: spans})
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	i.one = true // which span a row was found in is asked after each
	t.batch.docs = feedEach{i}
	return i, nil
}

// feedEach is the walk of a batch, as joins ask of it.
type feedEach struct{ i *changesIter }

var _ tables.Each = feedEach{}

func (e feedEach) walk() *changes.KeyIterator { return e.i.walk.(*changes.KeyIterator) }

// Next implements tables.Rows; the rows are asked of the iterator.
func (e feedEach) Next() bool { return false }

// PK implements tables.Rows.
func (e feedEach) PK() []byte { return e.walk().Change().PK }

// Document implements tables.Rows.
func (e feedEach) Document() document.Document { return e.i.document }

// Err implements tables.Rows.
func (e feedEach) Err() error { return e.walk().Err() }

// Close implements tables.Rows.
func (e feedEach) Close() { e.walk().Close() }

// Read implements tables.Rows.
func (e feedEach) Read() tables.Work { return e.i.work }

// Span implements tables.Each.
func (e feedEach) Span() int { return e.walk().Span() }
