package ddl

import (
	"bytes"
	"errors"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv/ahead"
	"github.com/sqlfdb/sqlfdb/sqlbackend/batch"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/tables"
)

var _ sql.TruncateableTable = (*table.Table)(nil)

// Truncate implements sql.TruncateableTable. The engine calls it for TRUNCATE TABLE, and for a DELETE without a
// condition. The latter is part of its transaction and leaves tombstones as any DELETE does.
func (Definer) Truncate(ctx *sql.Context, t *table.Table) (int, error) {
	if truncated(t.Session) == nil {
		if err := t.Session.AllowScan(ctx, t.Def); err != nil {
			return 0, err
		}
		n, err := deleteAll(t, ctx)
		return n, mysqlerr.Of(ctx, err)
	}
	if ddl := truncated(t.Session); !strings.EqualFold(ddl.Table.Name.String(), t.Def.Name) {
		return 0, sql.ErrTableNotFound.New(ddl.Table.Name.String()) // a view, which the engine looks through
	}
	r, err := t.Session.Readers.Plan()
	if err != nil {
		return 0, mysqlerr.Of(ctx, err)
	}
	documents, _, err := t.Def.Collection.Statistics(r).Documents()
	if err != nil {
		return 0, mysqlerr.Of(ctx, err)
	}
	err = session.ChangeDefinitions(ctx, func(c *catalog.Change) error {
		for _, ref := range c.View().References(t.Def.Database, t.Def.Name) {
			if ref.Child.ID != t.Def.ID && table.ChecksForeignKeys(ctx) {
				return table.ForeignKeyError(table.ErrForeignKeyTruncate,
					"Cannot truncate a table referenced in a foreign key constraint (%s.%s, %s)",
					sql.QuoteIdentifier(ref.Child.Database), sql.QuoteIdentifier(ref.Child.Name),
					table.ForeignKeyClause(ref.Child, ref.Key))
			}
		}
		return c.TruncateTable(t.Def.Database, t.Def.Name)
	})
	return int(documents), err
}

// truncated returns the running command if it is a TRUNCATE TABLE.
func truncated(s *session.Session) *ast.DDL {
	for _, stmt := range s.Parsed.All {
		if ddl, ok := stmt.(*ast.DDL); ok && strings.EqualFold(ddl.Action, ast.TruncateStr) {
			return ddl
		}
	}
	return nil
}

func deleteAll(t *table.Table, ctx *sql.Context) (int, error) {
	e := &table.Editor{Table: t}
	e.StatementBegin(ctx)
	w, err := e.Writes(ctx)
	if err != nil {
		return 0, err
	}
	if e.Err != nil {
		return 0, e.Err
	}
	b, _ := t.Driver().(*batch.Run)
	var opts tables.ScanOptions
	if b != nil {
		opts.After = b.At.After
	}
	rows := t.Def.Collection.Scan(w.Statement(), indexes.Everything(), opts)
	defer rows.Close()
	at, n := ahead.Of(w), 0
	for more := true; more && err == nil; {
		var keys [][]byte
		keys, more = nextDeleted(t, e.Tx, b, rows)
		for _, pk := range keys {
			t.Def.Collection.Start(at, pk)
		}
		for i, pk := range keys {
			if n++; n%table.RowsPerCheck == 0 {
				err = ctx.Err()
			}
			if err == nil {
				if err = e.Remove(ctx, w, pk, table.Cascade{}); errors.Is(err, tables.ErrMissing) {
					err = nil // another document's foreign key has removed it
				}
			}
			if err == nil {
				err = table.CheckSize(e.Tx)
			}
			if err != nil {
				keys = keys[:i+1]
				break
			}
		}
		for _, pk := range keys {
			t.Def.Collection.Forget(at, pk)
		}
	}
	if err == nil {
		err = rows.Err()
	}
	if err != nil {
		_ = e.DiscardChanges(ctx, err)
		return 0, err
	}
	return n, e.StatementComplete(ctx)
}

// nextDeleted returns the keys of the documents to delete next, as many as are worth reading ahead; more is false if
// there are no others, or the batch is full.
func nextDeleted(t *table.Table, tx *session.Transaction, b *batch.Run, rows tables.Rows) (keys [][]byte, more bool) {
	most := int64(table.MaxRowsAhead)
	if b != nil {
		if b.Full(tx) {
			b.Stopped = true
			return nil, false
		}
		room, _ := b.Room(tx)
		most = min(most, room)
	}
	for int64(len(keys)) < most {
		if !rows.Next() {
			return keys, false
		}
		keys = append(keys, bytes.Clone(rows.PK()))
		if b != nil {
			b.Given++
			b.Last = append(b.Last[:0], rows.PK()...)
		}
	}
	return keys, true
}
