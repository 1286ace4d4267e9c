package table

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/kv"
)

// await makes a statement that is its own transaction wait for other statements that are writing its first row. If
// it had to wait, it fails with a conflict and runs again, as it has read old data.
func (e *Editor) await(ctx *sql.Context, pk []byte) error {
	s := e.Table.Session
	waited, err := s.Turn.Await(ctx, e.Table.Def.ID, pk)
	if err == nil && waited {
		s.Turn.ReadTooEarly()
		err = fmt.Errorf("sqlbackend: %s: another statement has written the row: %w", e.Table.Def, kv.ErrConflict)
	}
	return err
}

// keyOf returns the primary key of a row that will be written. The row was read, or insert has found its key in use.
func (e *Editor) keyOf(ctx *sql.Context, row sql.Row) ([]byte, error) {
	if pk := e.Table.Session.Taken; pk != nil {
		e.Table.Session.Taken = nil
		return pk, nil
	}
	pk, err := e.Table.KeyOf(ctx, row)
	if err == nil {
		err = e.await(ctx, pk)
	}
	return pk, err
}
