package join

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/changes"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/sqlbackend/companion"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/tables"
)

// BatchFeed is a change feed that is read batch by batch, by the keys of documents.
type BatchFeed struct {
	*companion.ChangesTable
	Way   *Way
	batch *batch // nil in a plan
}

// PartitionRows implements sql.Table.
func (t *BatchFeed) PartitionRows(ctx *sql.Context, _ sql.Partition) (sql.RowIter, error) {
	if t.batch == nil {
		return nil, fmt.Errorf("sqlbackend: %s is read without a batch", t.Name())
	}
	spans := t.batch.spans
	if t.batch.leg == nil {
		if err := companion.AllowScanOf(t.Session, ctx, t.ChangesTable); err != nil {
			return nil, err
		}
		spans = indexes.Everything()
	}
	i, err := t.ChangesTable.Rows(ctx, t.Way, &companion.FeedPath{ByKeys: true, Keys: spans})
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	i.One = true // the caller asks for the current span after each row
	t.batch.docs = feedEach{i}
	return i, nil
}

// feedEach is the walk of a batch of changes.
type feedEach struct{ i *companion.ChangesIter }

var _ tables.Each = feedEach{}

func (e feedEach) walk() *changes.KeyIterator { return e.i.Walk.(*changes.KeyIterator) }

// Next implements tables.Rows; the rows are read from the iterator instead.
func (e feedEach) Next() bool { return false }

// PK implements tables.Rows.
func (e feedEach) PK() []byte { return e.walk().Change().PK }

// Document implements tables.Rows.
func (e feedEach) Document() document.Document { return e.i.Document }

// Err implements tables.Rows.
func (e feedEach) Err() error { return e.walk().Err() }

// Close implements tables.Rows.
func (e feedEach) Close() { e.walk().Close() }

// Read implements tables.Rows.
func (e feedEach) Read() tables.Work { return e.i.Work }

// Span implements tables.Each.
func (e feedEach) Span() int { return e.walk().Span() }
