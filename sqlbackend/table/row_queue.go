package table

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/kv"
)

// await lets a statement that is a transaction of its own wait for those that write its first row now. If it had to,
// it begins again: what it has read is old.
func (e *Editor) await(ctx *sql.Context, pk []byte) error {
	s := e.Table.Session
	waited, err := s.Turn.Await(ctx, e.Table.Def.ID, pk)
	if err == nil && waited {
		s.Turn.ReadTooEarly()
		err = fmt.Errorf("sqlbackend: %s: another statement has written the row: %w", e.Table.Def, kv.ErrConflict)
	}
	return err
}

// keyOf is the primary key of a row that was read, or that insert found to be in the way, which is written next.
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
