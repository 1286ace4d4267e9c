package sqlbackend

import (
	"math"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/changes"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
)

// Names of the session variables that MySQL does not have.
const (
	VarUseIndex           = "sqlfdb_use_index"
	VarFullScans          = "sqlfdb_full_scans"
	VarLongReads          = "sqlfdb_long_reads"
	VarBulkWrites         = "sqlfdb_bulk_writes"
	VarBatchRows          = "sqlfdb_batch_rows"
	VarJoinBytes          = "sqlfdb_join_bytes"
	VarShowCompanions     = "sqlfdb_show_companions"
	VarShowKeypathIndexes = "sqlfdb_show_keypath_indexes"
)

// addSystemVariables makes the session variables known to go-mysql-server,
// whose registry is global. Adding them again does no harm.
func addSystemVariables() error {
	variable := func(name string, typ sql.Type, value any) sql.SystemVariable {
		return &sql.MysqlSystemVariable{
			Name:              name,
			Scope:             sql.GetMysqlScope(sql.SystemVariableScope_Both),
			Dynamic:           true,
			SetVarHintApplies: true,
			Type:              typ,
			Default:           value,
		}
	}
	counted := func(name string) sql.SystemVariable { // see Session.GetSessionVariable
		return &sql.MysqlSystemVariable{
			Name:  name,
			Scope: sql.GetMysqlScope(sql.SystemVariableScope_Session),
			Type:  types.NewSystemIntType(name, 0, math.MaxInt64, false),
		}
	}
	sql.SystemVariables.AddSystemVariables([]sql.SystemVariable{
		variable(VarUseIndex, types.NewSystemBoolType(VarUseIndex), int8(1)),
		variable(VarPrograms, types.NewSystemBoolType(VarPrograms), int8(1)),
		variable(VarFullScans, types.NewSystemEnumType(VarFullScans, "allow", "warn", "deny"), "allow"),
		variable(VarLongReads, types.NewSystemEnumType(VarLongReads, "error", "continue", "hold"), "error"),
		variable(VarBulkWrites, types.NewSystemEnumType(VarBulkWrites, "atomic", "batched"), "atomic"),
		variable(VarBatchRows, types.NewSystemIntType(VarBatchRows, 1, changes.MaxInTransaction, false), int64(changes.MaxInTransaction)),
		variable(VarJoinBytes, types.NewSystemIntType(VarJoinBytes, 1, math.MaxInt32, false), int64(defaultJoinBytes)),
		variable(hold.VarStatementBytes, types.NewSystemIntType(hold.VarStatementBytes, 1, math.MaxInt64, false), int64(hold.DefaultStatementBytes)),
		jobsVariable(),
		timestampVariable(),
		variable("time_zone", zoneType{types.NewSystemStringType("time_zone")}, "SYSTEM"),
		variable(varModes, modesType{types.NewSystemStringType(varModes)}, sql.DefaultSqlMode),
		variable(VarShowCompanions, types.NewSystemBoolType(VarShowCompanions), int8(0)),
		variable(VarShowKeypathIndexes, types.NewSystemBoolType(VarShowKeypathIndexes), int8(0)),
		&sql.MysqlSystemVariable{
			// Nothing waits for locks; the engine knows only its own default, for all sessions.
			Name:    "innodb_lock_wait_timeout",
			Scope:   sql.GetMysqlScope(sql.SystemVariableScope_Both),
			Dynamic: true, SetVarHintApplies: true,
			Type:    types.NewSystemIntType("innodb_lock_wait_timeout", 1, 1_073_741_824, false),
			Default: int64(50),
		},
		counted("error_count"),
		counted("warning_count"),
	})
	warnOfUnused()
	return sql.SystemVariables.AssignValues(map[string]interface{}{
		// Statements must not read or write the server's files: no directory has
		// this name. The engine's own default allows every one.
		"secure_file_priv":        "NULL",
		"max_allowed_packet":      int64(64 << 20), // as in MySQL 8; the engine's is 1 GiB, which few texts of one statement may have
		"cte_max_recursion_depth": int64(defaultRecursion),
		"version":                 Version,
		"version_comment":         "sqlfdb",
	})
}

// currentName is the name that MySQL 8 has for a session variable of MySQL 5.
func currentName(variable string) string {
	switch {
	case strings.EqualFold(variable, "tx_isolation"):
		return "transaction_isolation"
	case strings.EqualFold(variable, "tx_read_only"):
		return "transaction_read_only"
	}
	return variable
}

// isOn reads a boolean session variable.
func isOn(ctx *sql.Context, name string) bool {
	v, err := ctx.GetSessionVariable(ctx, name)
	if err != nil {
		return false
	}
	on, err := sql.ConvertToBool(ctx, v)
	return err == nil && on
}

// setting reads a session variable that is one of several words.
func setting(ctx *sql.Context, name string) string { return settingOf(ctx.Session, name) }

func settingOf(session sql.Session, name string) string {
	v, err := session.GetSessionVariable(nil, name)
	if err != nil {
		return ""
	}
	s, _ := v.(string)
	return strings.ToLower(s)
}
