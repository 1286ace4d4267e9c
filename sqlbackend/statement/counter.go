package statement

import (
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// Counter is MySQL's status variable that counts a statement. It is empty for statements that the engine counts as it
// plans them, and for statements without a variable.
func Counter(stmt ast.Statement) string {
	switch n := stmt.(type) {
	case *ast.AlterTable:
		return "Com_alter_table"
	case *ast.Analyze:
		return "Com_analyze"
	case *ast.Begin:
		return "Com_begin"
	case *ast.Commit:
		return "Com_commit"
	case *ast.DBDDL:
		return "Com_" + strings.ToLower(n.Action) + "_db"
	case *ast.DDL:
		return definitionCounter(n)
	case *ast.Deallocate:
		return "Com_dealloc_sql"
	case *ast.Execute:
		return "Com_execute_sql"
	case *ast.Explain:
		return "Com_explain_other"
	case *ast.Flush:
		return "Com_flush"
	case *ast.Kill:
		return "Com_kill"
	case *ast.Load:
		return "Com_load"
	case *ast.LockTables:
		return "Com_lock_tables"
	case *ast.Prepare:
		return "Com_prepare_sql"
	case *ast.ReleaseSavepoint:
		return "Com_release_savepoint"
	case *ast.Rollback:
		return "Com_rollback"
	case *ast.RollbackSavepoint:
		return "Com_rollback_to_savepoint"
	case *ast.Savepoint:
		return "Com_savepoint"
	case *ast.Set:
		return "Com_set_option"
	case *ast.Show:
		return "Com_show_" + shown(strings.ToLower(n.Type))
	case *ast.UnlockTables:
		return "Com_unlock_tables"
	case *ast.Use:
		return "Com_change_db"
	}
	return ""
}

func definitionCounter(d *ast.DDL) string {
	action, of := strings.ToLower(d.Action), "table"
	switch {
	case action == ast.TruncateStr:
		return "Com_truncate"
	case d.ViewSpec != nil || len(d.FromViews) > 0:
		of = "view"
	}
	return "Com_" + action + "_" + of
}

// shown is the counter's name for the subject of a SHOW.
func shown(what string) string {
	switch what {
	case "columns":
		return "fields"
	case "index", "indexes":
		return "keys"
	case "schemas":
		return "databases"
	case "create database", "create schema":
		return "create_db"
	case "collation":
		return "collations"
	case "charset", "character set":
		return "charsets"
	case "engines":
		return "storage_engines"
	}
	return strings.ReplaceAll(what, " ", "_")
}
