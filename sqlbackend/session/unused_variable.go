package session

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// usedVariables are the variables of MySQL that have their effect here, and those that clients read.
var usedVariables = strings.Fields(`
	activate_all_roles_on_login autocommit block_encryption_mode character_set_client character_set_connection
	character_set_database character_set_results character_set_server collation_connection collation_database
	collation_server connect_timeout cte_max_recursion_depth default_week_format foreign_key_checks
	group_concat_max_len innodb_lock_wait_timeout local_infile log_queries_not_using_indexes long_query_time
	mandatory_roles max_allowed_packet max_connections max_execution_time max_prepared_stmt_count
	max_user_connections min_examined_row_limit net_read_timeout net_write_timeout regexp_time_limit slow_query_log
	sql_mode sql_quote_show_create sql_select_limit time_zone timestamp transaction_isolation transaction_read_only
	validate_password.length validate_password.mixed_case_count validate_password.number_count
	validate_password.special_char_count wait_timeout`)

// promisingVariables are those that people may rely on for safety: turning them on is refused.
var promisingVariables = []string{"read_only", "super_read_only", "offline_mode",
	"require_secure_transport", "event_scheduler", "sql_safe_updates"}

// decidingVariables decide the results of statements in MySQL: setting one for a session warns, too.
var decidingVariables = []string{"div_precision_increment", "lc_time_names", "max_join_size", "sql_auto_is_null"}

// WarnOfUnused makes SET GLOBAL of a variable without effect warn that it is kept and shown, but not used. Setting
// the default gives no warning. The variables are the process's.
var WarnOfUnused = sync.OnceFunc(func() {
	for name := range sql.SystemVariables.GetAllGlobalVariables() {
		found, _, ok := sql.SystemVariables.GetGlobal(name)
		v, known := found.(*sql.MysqlSystemVariable)
		used := strings.HasPrefix(name, "sqlfdb_") || slices.Contains(usedVariables, name)
		if !ok || !known || v.NotifyChanged != nil || used {
			continue
		}
		promises := slices.Contains(promisingVariables, name)
		decides := slices.Contains(decidingVariables, name)
		v.NotifyChanged = func(ctx *sql.Context, scope sql.SystemVariableScope, to sql.SystemVarValue) error {
			if ctx == nil || ctx.Session == nil || !isGlobal(scope) && !decides || fmt.Sprint(to.Val) == fmt.Sprint(v.Default) {
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

// globals are the variables that have no session value.
var globals = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for name := range sql.SystemVariables.GetAllGlobalVariables() {
		if v, _, ok := sql.SystemVariables.GetGlobal(name); ok {
			m, is := v.(*sql.MysqlSystemVariable)
			out[strings.ToLower(name)] = is && m.Scope.Type == sql.SystemVariableScope_Global
		}
	}
	return out
})

func isGlobal(scope sql.SystemVariableScope) bool {
	s, ok := scope.(*sql.MysqlScope)
	return ok && s.Type == sql.SystemVariableScope_Global
}

// GetAllSessionVariables implements sql.Session: a global-only variable has its current value, not the one when the
// session began.
func (s *Session) GetAllSessionVariables() map[string]any {
	all := s.BaseSession.GetAllSessionVariables()
	for name := range all {
		found, now, ok := sql.SystemVariables.GetGlobal(name)
		v, known := found.(*sql.MysqlSystemVariable)
		if !ok || !known || !isGlobal(v.Scope) {
			continue
		}
		if _, set := v.Type.(sql.SetType); !set {
			all[name] = now
		}
	}
	return all
}
