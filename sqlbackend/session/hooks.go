package session

import (
	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/subquery"
)

// Hooks are what packages above do at points of a session's life. NewEngine sets them.
type Hooks struct {
	// AwaitPrepared has a prepared statement wait for the map indexes that it reads, before its version is chosen.
	AwaitPrepared func(*Session) error
	// Foresee starts reading what the running command will be planned by.
	Foresee func(*Transaction)
	// Definer is a table's: see package table.
	Definer any
	// OpenTable makes a table of a definition for the running statement.
	OpenTable func(*sql.Context, *Session, *Definition) (sql.Table, error)
	// LookForMarker compares the marker of the running statement in batches with what is known of it, before the
	// transaction writes to a table.
	LookForMarker func(*Transaction, *Definition) error
	// SetOptions changes the table options that clauses of the running statement name; SetsOptions: there are any.
	SetOptions  func(*sql.Context, *Session) error
	SetsOptions func(*Session) bool
	// TooLarge is the error of a statement whose writes exceed a transaction; nil: err is none.
	TooLarge func(s *Session, err error) error
	// Batchable: the running statement can be committed in batches.
	Batchable     func(*Session) bool
	WarnOfBatches func(*Session)
	// Resume ends the attempt where an earlier run of the statement in batches was interrupted.
	Resume func(*sql.Context, *Session) error
	// Watch begins to watch the plans of a subquery, for EXPLAIN ANALYZE.
	Watch func(*Session) subquery.Watcher
}
