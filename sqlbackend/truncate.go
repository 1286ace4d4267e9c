package sqlbackend

import (
	"bytes"
	"errors"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv/ahead"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/tables"
)

var _ sql.TruncateableTable = (*Table)(nil)

// Truncate implements sql.TruncateableTable. The engine calls it for TRUNCATE
// TABLE, and for a DELETE without a condition, which is part of its
// transaction and leaves tombstones as any DELETE does.
func (t *Table) Truncate(ctx *sql.Context) (int, error) {
	if t.session.truncated() == nil {
		if err := t.session.allowScan(ctx, t.def); err != nil {
			return 0, err
		}
		n, err := t.deleteAll(ctx)
		return n, mysqlerr.Of(ctx, err)
	}
	if ddl := t.session.truncated(); !strings.EqualFold(ddl.Table.Name.String(), t.def.Name) {
		return 0, sql.ErrTableNotFound.New(ddl.Table.Name.String()) // a view, which the engine looks through
	}
	r, err := t.session.planReader()
	if err != nil {
		return 0, mysqlerr.Of(ctx, err)
	}
	documents, _, err := t.def.collection.Statistics(r).Documents()
	if err != nil {
		return 0, mysqlerr.Of(ctx, err)
	}
	err = changeDefinitions(ctx, func(c *catalog.Change) error {
		for _, ref := range c.View().References(t.def.Database, t.def.Name) {
			if ref.Child.ID != t.def.ID && checksForeignKeys(ctx) {
				return foreignKeyError(errForeignKeyTruncate,
					"Cannot truncate a table referenced in a foreign key constraint (%s.%s, %s)",
					sql.QuoteIdentifier(ref.Child.Database), sql.QuoteIdentifier(ref.Child.Name),
					foreignKeyClause(ref.Child, ref.Key))
			}
		}
		return c.TruncateTable(t.def.Database, t.def.Name)
	})
	return int(documents), err
}

// truncated is the running command if it is a TRUNCATE TABLE.
func (s *Session) truncated() *ast.DDL {
	for _, stmt := range s.parsed {
		if ddl, ok := stmt.(*ast.DDL); ok && strings.EqualFold(ddl.Action, ast.TruncateStr) {
			return ddl
		}
	}
	return nil
}

func (t *Table) deleteAll(ctx *sql.Context) (int, error) {
	e := &editor{table: t}
	e.StatementBegin(ctx)
	w, err := e.writes(ctx)
	if err != nil {
		return 0, err
	}
	if e.err != nil {
		return 0, e.err
	}
	b := t.drives()
	var opts tables.ScanOptions
	if b != nil {
		opts.After = b.at.After
	}
	rows := t.def.collection.Scan(w.Statement(), indexes.Everything(), opts)
	defer rows.Close()
	at, n := ahead.Of(w), 0
	for more := true; more && err == nil; {
		var keys [][]byte
		keys, more = t.nextDeleted(e.tx, b, rows)
		for _, pk := range keys {
			t.def.collection.Start(at, pk)
		}
		for i, pk := range keys {
			if n++; n%rowsPerCheck == 0 {
				err = ctx.Err()
			}
			if err == nil {
				if err = e.remove(ctx, w, pk, cascade{}); errors.Is(err, tables.ErrMissing) {
					err = nil // another one's foreign key has removed it
				}
			}
			if err == nil {
				err = e.tx.checkSize()
			}
			if err != nil {
				keys = keys[:i+1]
				break
			}
		}
		for _, pk := range keys {
			t.def.collection.Forget(at, pk)
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

// nextDeleted takes the keys of the documents that are deleted next, as many as are worth reading ahead; more is false
// if there are no others, or the batch is full.
func (t *Table) nextDeleted(tx *Transaction, b *batchRun, rows tables.Rows) (keys [][]byte, more bool) {
	most := int64(maxRowsAhead)
	if b != nil {
		if b.full(tx) {
			b.stopped = true
			return nil, false
		}
		room, _ := b.room(tx)
		most = min(most, room)
	}
	for int64(len(keys)) < most {
		if !rows.Next() {
			return keys, false
		}
		keys = append(keys, bytes.Clone(rows.PK()))
		if b != nil {
			b.given++
			b.last = append(b.last[:0], rows.PK()...)
		}
	}
	return keys, true
}
