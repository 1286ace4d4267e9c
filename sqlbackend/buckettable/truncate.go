package buckettable

import (
	"context"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/bucket/collection"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
)

var _ sql.TruncateableTable = (*Table)(nil)

// Truncate implements sql.TruncateableTable. The engine calls it for TRUNCATE TABLE, which deletes in pieces, and for a
// DELETE without a condition, which is a statement like others.
func (t *Table) Truncate(ctx *sql.Context) (int, error) {
	ddl, truncates := t.rows.Session.Parsed.Statement().(*ast.DDL)
	if truncates = truncates && ddl.Action == ast.TruncateStr; truncates && !sameName(ddl.Table.Name.String(), t.Name()) {
		return 0, sql.ErrTableNotFound.New(ddl.Table.Name.String()) // a view, which the engine looks through
	}
	e := &editor{table: t}
	if !truncates {
		if err := t.rows.Session.AllowReading(ctx, t.rows.Def.String(), ""); err != nil {
			return 0, err
		}
		if err := e.mayWrite(ctx); err != nil {
			return 0, Error(ctx, err)
		}
	}
	c, err := t.open(ctx)
	if err != nil {
		return 0, err
	}
	requests := t.of.tally.Within(ctx)
	var ids []string
	if err := c.List(requests, "", func(id string) error { ids = append(ids, id); return nil }); err != nil {
		return 0, Error(ctx, err)
	}
	if len(ids) > collection.MaxChanges && !truncates && setting.Of(ctx, setting.BulkWrites) != "batched" {
		return 0, mysql.NewSQLError(mysqlerr.TransactionTooLarge, "HY000", "A statement changes at most %d documents in "+
			"a bucket at once; nothing was written. SET %s = batched writes any number in pieces, and TRUNCATE TABLE "+
			"deletes all", collection.MaxChanges, setting.BulkWrites)
	}
	defer t.of.tell(t.rows.Session)
	deleted := 0
	size := batchChanges
	if len(ids) <= collection.MaxChanges {
		size = collection.MaxChanges // at once
	}
	for batch := range slices.Chunk(ids, size) {
		n, err := t.deleteAll(requests, c, batch)
		deleted += n
		t.rows.Def.Bucket.Grown(-n)
		if err != nil {
			t.rows.Session.Repeatable = t.rows.Session.Repeatable && deleted == 0
			return deleted, Error(ctx, err)
		}
		t.rows.Session.Repeatable = false
	}
	return deleted, nil
}

// deleteAll deletes the documents with these ids that exist, all or none.
func (t *Table) deleteAll(ctx context.Context, c *collection.Collection, ids []string) (int, error) {
	docs, err := c.Get(ctx, ids)
	if err != nil {
		return 0, err
	}
	var list []collection.Change
	for _, d := range docs {
		if d != nil {
			list = append(list, collection.Change{ID: d.ID, Old: d})
		}
	}
	if len(list) == 0 {
		return 0, nil
	}
	return len(list), c.WriteIf(ctx, list, t.stillHere)
}
