package sqlbackend

import (
	"math"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/changes"
	"github.com/sqlfdb/sqlfdb/sqlbackend/buckettable"
	"github.com/sqlfdb/sqlfdb/sqlbackend/companion"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/information"
	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/plancache"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
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
		variable(plancache.VarPrograms, types.NewSystemBoolType(plancache.VarPrograms), int8(1)),
		variable(setting.Executor, types.NewSystemEnumType(setting.Executor, setting.Auto, setting.Batch,
			setting.Interpreted), setting.Auto),
		variable(setting.FullScans, types.NewSystemEnumType(setting.FullScans, "allow", "warn", "deny"), "allow"),
		variable(setting.LongReads, types.NewSystemEnumType(setting.LongReads, "error", "continue", "hold"), "error"),
		variable(setting.BulkWrites, types.NewSystemEnumType(setting.BulkWrites, "atomic", "batched"), "atomic"),
		variable(setting.BatchRows, types.NewSystemIntType(setting.BatchRows, 1, changes.MaxInTransaction, false),
			int64(changes.MaxInTransaction)),
		variable(table.VarMapUpdate, companion.MapUpdateType{SystemVariableType: types.NewSystemEnumType(table.VarMapUpdate,
			companion.MapFalse, companion.MapLazy,
			table.MapWait)}, table.MapWait),
		variable(companion.VarMapWait, types.NewSystemIntType(companion.VarMapWait, 1, 86_400, false),
			int64(companion.DefaultMapWait)),
		variable(setting.JoinBytes, types.NewSystemIntType(setting.JoinBytes, 1, math.MaxInt32, false),
			int64(session.DefaultJoinBytes)),
		variable(hold.VarStatementBytes, types.NewSystemIntType(hold.VarStatementBytes, 1, math.MaxInt64, false),
			int64(hold.DefaultStatementBytes)),
		jobsVariable(),
		companion.MapBatchVariable(),
		session.TimestampVariable(),
		session.IsolationVariable(),
		variable("time_zone", session.ZoneType{SystemVariableType: types.NewSystemStringType("time_zone")}, "SYSTEM"),
		variable(setting.Modes, session.ModesType{SystemVariableType: types.NewSystemStringType(setting.Modes)},
			sql.DefaultSqlMode),
		variable(buckettable.Prices, buckettable.PricesType(), buckettable.DefaultPrices()),
		variable(setting.ShowCompanions, types.NewSystemBoolType(setting.ShowCompanions), int8(0)),
		variable(information.VarShowKeypathIndexes, types.NewSystemBoolType(information.VarShowKeypathIndexes), int8(0)),
		&sql.MysqlSystemVariable{
			// It bounds waits for a row; the engine knows only its own default, for all sessions.
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
		// as in MySQL 8; the engine's is 1 GiB, which few texts of one statement may have
		variable("max_allowed_packet", types.NewSystemUintType("max_allowed_packet", 1024, 1<<30), uint64(64<<20)),
		variable("cte_max_recursion_depth", types.NewSystemIntType("cte_max_recursion_depth", 0, math.MaxUint32, false),
			int64(operator.DefaultRecursion)),
		session.MandatoryRolesVariable(),
		counted("error_count"),
		counted("warning_count"),
	})
	session.WarnOfUnused()
	return sql.SystemVariables.AssignValues(map[string]interface{}{
		// Statements must not read or write the server's files: no directory has
		// this name. The engine's own default allows every one.
		"secure_file_priv": "NULL",
		"version":          session.Version,
		"version_comment":  "sqlfdb",
	})
}
