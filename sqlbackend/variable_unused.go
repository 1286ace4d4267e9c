package sqlbackend

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// usedVariables are the variables of MySQL that do here what they say, those that make nothing weaker than it is
// (transaction_isolation: all transactions are serializable), and those that clients are told of.
var usedVariables = strings.Fields(`
	autocommit block_encryption_mode character_set_client character_set_connection character_set_database
	character_set_results character_set_server collation_connection collation_database collation_server connect_timeout
	cte_max_recursion_depth default_week_format foreign_key_checks group_concat_max_len innodb_lock_wait_timeout
	local_infile log_queries_not_using_indexes long_query_time max_allowed_packet max_connections max_execution_time
	max_prepared_stmt_count max_user_connections min_examined_row_limit net_write_timeout regexp_time_limit
	slow_query_log sql_mode sql_quote_show_create sql_select_limit time_zone timestamp transaction_isolation
	transaction_read_only validate_password.length validate_password.mixed_case_count validate_password.number_count
	validate_password.special_char_count wait_timeout`)

// promisingVariables are those on which somebody may rely for safety: what they promise is refused.
var promisingVariables = []string{"read_only", "super_read_only", "offline_mode",
	"require_secure_transport", "event_scheduler", "sql_safe_updates"}

// warnOfUnused makes SET GLOBAL of a variable that has no effect say so: it is kept and shown, and nothing reads it.
// To set what is the default already is no news. The variables are the process's.
var warnOfUnused = sync.OnceFunc(func() {
	for name := range sql.SystemVariables.GetAllGlobalVariables() {
		found, _, ok := sql.SystemVariables.GetGlobal(name)
		v, known := found.(*sql.MysqlSystemVariable)
		used := strings.HasPrefix(name, "sqlfdb_") || slices.Contains(usedVariables, name)
		if !ok || !known || v.NotifyChanged != nil || used {
			continue
		}
		promises := slices.Contains(promisingVariables, name)
		v.NotifyChanged = func(ctx *sql.Context, scope sql.SystemVariableScope, to sql.SystemVarValue) error {
			if ctx == nil || ctx.Session == nil || !isGlobal(scope) || fmt.Sprint(to.Val) == fmt.Sprint(v.Default) {
				return nil
			}
			text := fmt.Sprintf("Variable '%s' has no effect in sqlfdb", v.Name)
			if promises {
				return mysql.NewSQLError(mysqlerr.NotSupported, "42000", "%s", text)
			}
			ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: mysqlerr.NotSupported, Message: text})
			return nil
		}
	}
})

func isGlobal(scope sql.SystemVariableScope) bool {
	s, ok := scope.(*sql.MysqlScope)
	return ok && s.Type == sql.SystemVariableScope_Global
}
