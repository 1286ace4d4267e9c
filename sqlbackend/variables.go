package sqlbackend

import (
	"math"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// Names of the session variables that MySQL does not have.
const (
	VarUseIndex       = "sqlfdb_use_index"
	VarFullScans      = "sqlfdb_full_scans"
	VarLongReads      = "sqlfdb_long_reads"
	VarBulkWrites     = "sqlfdb_bulk_writes"
	VarShowCompanions = "sqlfdb_show_companions"
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
		variable(VarFullScans, types.NewSystemEnumType(VarFullScans, "allow", "warn", "deny"), "allow"),
		variable(VarLongReads, types.NewSystemEnumType(VarLongReads, "error", "continue"), "error"),
		variable(VarBulkWrites, types.NewSystemEnumType(VarBulkWrites, "atomic", "batched"), "atomic"),
		jobsVariable(),
		variable(VarShowCompanions, types.NewSystemBoolType(VarShowCompanions), int8(0)),
		counted("error_count"),
		counted("warning_count"),
	})
	return sql.SystemVariables.AssignValues(map[string]interface{}{
		// Statements must not read or write the server's files: no directory has
		// this name. The engine's own default allows every one.
		"secure_file_priv": "NULL",
		"version_comment":  "sqlfdb",
	})
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
func setting(ctx *sql.Context, name string) string {
	v, err := ctx.GetSessionVariable(ctx, name)
	if err != nil {
		return ""
	}
	s, _ := v.(string)
	return strings.ToLower(s)
}
