package sqlbackend

import (
	"math"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/changes"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
)

// Names of the session variables that MySQL does not have.
const (
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
		variable(setting.UseIndex, types.NewSystemBoolType(setting.UseIndex), int8(1)),
		variable(VarPrograms, types.NewSystemBoolType(VarPrograms), int8(1)),
		variable(setting.FullScans, types.NewSystemEnumType(setting.FullScans, "allow", "warn", "deny"), "allow"),
		variable(setting.LongReads, types.NewSystemEnumType(setting.LongReads, "error", "continue", "hold"), "error"),
		variable(setting.BulkWrites, types.NewSystemEnumType(setting.BulkWrites, "atomic", "batched"), "atomic"),
		variable(setting.BatchRows, types.NewSystemIntType(setting.BatchRows, 1, changes.MaxInTransaction, false),
			int64(changes.MaxInTransaction)),
		variable(VarMapUpdate, mapUpdateType{types.NewSystemEnumType(VarMapUpdate, mapFalse, mapLazy, mapWait)}, mapWait),
		variable(VarMapWait, types.NewSystemIntType(VarMapWait, 1, 86_400, false), int64(defaultMapWait)),
		variable(setting.JoinBytes, types.NewSystemIntType(setting.JoinBytes, 1, math.MaxInt32, false),
			int64(defaultJoinBytes)),
		variable(hold.VarStatementBytes, types.NewSystemIntType(hold.VarStatementBytes, 1, math.MaxInt64, false),
			int64(hold.DefaultStatementBytes)),
		jobsVariable(),
		mapBatchVariable(),
		timestampVariable(),
		variable("time_zone", zoneType{types.NewSystemStringType("time_zone")}, "SYSTEM"),
		variable(setting.Modes, modesType{types.NewSystemStringType(setting.Modes)}, sql.DefaultSqlMode),
		variable(setting.ShowCompanions, types.NewSystemBoolType(setting.ShowCompanions), int8(0)),
		variable(VarShowKeypathIndexes, types.NewSystemBoolType(VarShowKeypathIndexes), int8(0)),
		&sql.MysqlSystemVariable{
			// Nothing waits for locks; the engine knows only its own default, for all sessions.
			Name:    "innodb_lock_wait_timeout",
			Scope:   sql.GetMysqlScope(sql.SystemVariableScope_Both),
			Dynamic: true, SetVarHintApplies: true,
			Type:    types.NewSystemIntType("innodb_lock_wait_timeout", 1, 1_073_741_824, false),
			Default: int64(50),
		},
		&sql.MysqlSystemVariable{
			// MySQL's engines can be set, as CREATE TABLE may name them; there is one.
			Name:    "default_storage_engine",
			Scope:   sql.GetMysqlScope(sql.SystemVariableScope_Both),
			Dynamic: true,
			Type: types.NewSystemEnumType("default_storage_engine", "sqlfdb", "InnoDB", "MyISAM", "MEMORY", "CSV",
				"ARCHIVE", "BLACKHOLE", "FEDERATED", "MRG_MYISAM", "PERFORMANCE_SCHEMA"),
			Default: "sqlfdb",
		},
		// The engine's has another type and default: drivers that set MySQL's default set a negative limit.
		variable("sql_select_limit", types.NewSystemUintType("sql_select_limit", 0, math.MaxUint64),
			uint64(math.MaxUint64)),
		counted("error_count"),
		counted("warning_count"),
	})
	warnOfUnused()
	return sql.SystemVariables.AssignValues(map[string]interface{}{
		// Statements must not read or write the server's files: no directory has
		// this name. The engine's own default allows every one.
		"secure_file_priv": "NULL",
		// as in MySQL 8; the engine's is 1 GiB, which few texts of one statement may have
		"max_allowed_packet":      int64(64 << 20),
		"cte_max_recursion_depth": int64(operator.DefaultRecursion),
		"version":                 Version,
		"version_comment":         "sqlfdb",
	})
}
