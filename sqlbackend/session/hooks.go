package session

import (
	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/subquery"
)

// Hooks are the functions of packages above for points of a session's life. NewEngine sets them.
type Hooks struct {
	// AwaitPrepared makes a prepared statement wait for the map indexes that it reads, before its version is chosen.
	AwaitPrepared func(*Session) error
	// Foresee starts reading the counts that planning the running command needs.
	Foresee func(*Transaction)
	// Definer changes definitions of tables: see package table.
	Definer any
	// OpenTable returns the table of a definition for the running statement.
	OpenTable func(*sql.Context, *Session, *Definition) (sql.Table, error)
	// LookForMarker compares the marker of the running statement in batches with its known state, before the
	// transaction writes to a table.
	LookForMarker func(*Transaction, *Definition) error
	// SetOptions changes the table options that clauses of the running statement name; SetsOptions reports whether
	// there are any.
	SetOptions  func(*sql.Context, *Session) error
	SetsOptions func(*Session) bool
	// TooLarge returns the error of a statement whose writes exceed a transaction; nil for other errors.
	TooLarge func(s *Session, err error) error
	// Batchable reports whether the running statement can be committed in batches.
	Batchable     func(*Session) bool
	WarnOfBatches func(*Session)
	// Resume ends the attempt if an earlier run of the statement in batches was interrupted.
	Resume func(*sql.Context, *Session) error
	// Watch begins to watch the plans of a subquery, for EXPLAIN ANALYZE.
	Watch func(*Session) subquery.Watcher
}
