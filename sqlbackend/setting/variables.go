// Package setting reads the variables of a session by their names.
package setting

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
)

// The session variables that are read below the SQL side's root; docs/reference/variables.md says what each does.
const (
	Modes          = "sql_mode"
	Isolation      = "transaction_isolation"
	UseIndex       = "sqlfdb_use_index"
	FullScans      = "sqlfdb_full_scans"
	LongReads      = "sqlfdb_long_reads"
	BulkWrites     = "sqlfdb_bulk_writes"
	BatchRows      = "sqlfdb_batch_rows"
	JoinBytes      = "sqlfdb_join_bytes"
	ShowCompanions = "sqlfdb_show_companions"
	Executor       = "sqlfdb_executor"
)

// The values of Executor.
const (
	Auto        = "auto"
	Batch       = "batch"
	Interpreted = "interpreted"
)

// CurrentName is the name that MySQL 8 has for a session variable of MySQL 5.
func CurrentName(variable string) string {
	switch {
	case strings.EqualFold(variable, "tx_isolation"):
		return Isolation
	case strings.EqualFold(variable, "tx_read_only"):
		return "transaction_read_only"
	}
	return variable
}

// On reads a boolean session variable.
func On(ctx *sql.Context, name string) bool {
	v, err := ctx.GetSessionVariable(ctx, name)
	if err != nil {
		return false
	}
	on, err := sql.ConvertToBool(ctx, v)
	return err == nil && on
}

// UsesIndex reports whether statements of a session are planned with indexes.
func UsesIndex(ctx *sql.Context) bool {
	if s, ok := ctx.Session.(interface{ UsesIndex(*sql.Context) bool }); ok {
		return s.UsesIndex(ctx)
	}
	return On(ctx, UseIndex)
}

// Of reads a session variable that is one of several words.
func Of(ctx *sql.Context, name string) string { return OfSession(ctx.Session, name) }

// OfSession reads such a variable of a session without a statement.
func OfSession(session sql.Session, name string) string {
	v, err := session.GetSessionVariable(nil, name)
	if err != nil {
		return ""
	}
	s, _ := v.(string)
	return strings.ToLower(s)
}
