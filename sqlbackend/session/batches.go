package session

import (
	"errors"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
)

// ErrResume ends an attempt to run a statement as a whole because an earlier run of it has left a marker.
var ErrResume = errors.New("sqlbackend: an earlier run of the statement has not come to its end")

// UsesIndex reports whether statements are planned with indexes. They are not if sqlfdb_use_index is OFF, nor in
// batches that read in the order of the primary key and stop between two rows.
func (s *Session) UsesIndex(ctx *sql.Context) bool {
	return setting.On(ctx, setting.UseIndex) && (s.Batch == nil || !s.Batch.Driven())
}

// Insertion has the counts of an INSERT, a REPLACE or a LOAD DATA of several rows for the text of its answer.
type Insertion struct {
	Several                 bool // it has several rows, or loads a file
	Loads, Ignores, Updates bool
	Given, Inserted         uint64 // rows in the statement, and rows that replaced no other
}
