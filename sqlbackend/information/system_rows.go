package information

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/systemschema"
)

// systemRows fill the system tables that have rows; the others are empty.
var systemRows = map[string]func(*systemReading) error{
	"mysql.user":                           readUsers,
	"mysql.db":                             readDatabaseUsers,
	"mysql.tables_priv":                    readTableGrants,
	"mysql.columns_priv":                   readColumnGrants,
	"mysql.role_edges":                     readRoleEdges,
	"mysql.default_roles":                  readDefaultRoles,
	"mysql.time_zone":                      (*systemReading).zones,
	"mysql.time_zone_name":                 (*systemReading).zones,
	"performance_schema.global_variables":  (*systemReading).globalVariables,
	"performance_schema.session_variables": (*systemReading).sessionVariables,
	"performance_schema.variables_info":    (*systemReading).variableSources,
	"performance_schema.global_status":     (*systemReading).globalStatus,
	"performance_schema.session_status":    (*systemReading).sessionStatus,
	"performance_schema.processlist":       (*systemReading).processes,
	"performance_schema.threads":           (*systemReading).threads,
	"performance_schema.accounts":          (*systemReading).accounts,
	"performance_schema.users":             (*systemReading).accounts,
	"performance_schema.hosts":             (*systemReading).accounts,
	"sys.version":                          (*systemReading).version,
	"sys.processlist":                      (*systemReading).connections,
	"sys.session":                          (*systemReading).connections,
	"sys.schema_auto_increment_columns":    (*systemReading).autoIncrements,
	"sys.sys_config":                       (*systemReading).config,
}

// zones are the time zones that the machine knows by the names that IANA gives them.
func (r *systemReading) zones() error {
	number := 0
	for _, name := range systemschema.Zones() {
		if _, err := time.LoadLocation(name); err == nil {
			number++
			r.row(map[string]any{"Name": name, "Time_zone_id": number, "Use_leap_seconds": "N"})
		}
	}
	return r.ctx.Err()
}

// variables emits variables in the order of their names.
func variables[T any](r *systemReading, all map[string]T, text func(name string, v T) any) error {
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		r.row(map[string]any{"VARIABLE_NAME": name, "VARIABLE_VALUE": text(name, all[name]),
			"VARIABLE_SOURCE": "COMPILED", "MIN_VALUE": "0", "MAX_VALUE": "0"})
	}
	return nil
}

// variableText is the value of a variable as MySQL shows it.
func variableText(name string, v any) any {
	if v == nil {
		return ""
	}
	if known, _, ok := sql.SystemVariables.GetGlobal(name); ok {
		if _, switches := known.GetType().(types.SystemBoolType); switches {
			if on, err := sql.ConvertToBool(nil, v); err == nil && on {
				return "ON"
			}
			return "OFF"
		}
	}
	return fmt.Sprint(v)
}

func (r *systemReading) globalVariables() error {
	return variables(r, sql.SystemVariables.GetAllGlobalVariables(), variableText)
}

func (r *systemReading) sessionVariables() error {
	return variables(r, r.ctx.GetAllSessionVariables(), variableText)
}

func (r *systemReading) variableSources() error { return r.globalVariables() }

func statusText(_ string, v sql.StatusVarValue) any { return fmt.Sprint(v.Value()) }

func (r *systemReading) globalStatus() error {
	return variables(r, sql.StatusVariables.NewGlobalMap(), statusText)
}

func (r *systemReading) sessionStatus() error {
	all := sql.StatusVariables.NewGlobalMap()
	for name, v := range r.ctx.Session.GetAllStatusVariables(r.ctx) {
		all[name] = v
	}
	return variables(r, all, statusText)
}

// process is the database, state and text of a process as the list shows them: NULL where there is none.
func process(p sql.Process) (database, state, info any) {
	if p.Database != "" {
		database = p.Database
	}
	if p.Query != "" {
		info = p.Query
	}
	if p.Command == sql.ProcessCommandQuery {
		state = "running"
	}
	return database, state, info
}

func (r *systemReading) processes() error {
	for _, p := range r.ctx.ProcessList.Processes() {
		database, state, info := process(p)
		r.row(map[string]any{"ID": p.Connection, "USER": p.User, "HOST": p.Host, "DB": database,
			"COMMAND": string(p.Command), "TIME": p.Seconds(), "STATE": state, "INFO": info, "EXECUTION_ENGINE": "PRIMARY"})
	}
	return nil
}

func (r *systemReading) threads() error {
	for _, p := range r.ctx.ProcessList.Processes() {
		database, state, info := process(p)
		r.row(map[string]any{"THREAD_ID": p.Connection, "NAME": "thread/sql/one_connection", "TYPE": "FOREGROUND",
			"PROCESSLIST_ID": p.Connection, "PROCESSLIST_USER": p.User, "PROCESSLIST_HOST": hostOf(p),
			"PROCESSLIST_DB": database, "PROCESSLIST_COMMAND": string(p.Command), "PROCESSLIST_TIME": p.Seconds(),
			"PROCESSLIST_STATE": state,
			"PROCESSLIST_INFO":  info, "INSTRUMENTED": "NO", "HISTORY": "NO", "CONNECTION_TYPE": "TCP/IP",
			"EXECUTION_ENGINE": "PRIMARY", "TELEMETRY_ACTIVE": "NO"})
	}
	return nil
}

// hostOf is where a process's client is, without the port.
func hostOf(p sql.Process) string {
	if i := strings.LastIndexByte(p.Host, ':'); i >= 0 {
		return p.Host[:i]
	}
	return p.Host
}

// accounts counts the open connections of each user, host, or both, as the table has columns.
func (r *systemReading) accounts() error {
	user := r.schema.IndexOf("USER", r.schema[0].Source) >= 0
	host := r.schema.IndexOf("HOST", r.schema[0].Source) >= 0
	type account struct{ user, host string }
	counts := map[account]int{}
	var order []account
	for _, p := range r.ctx.ProcessList.Processes() {
		var a account
		if user {
			a.user = p.User
		}
		if host {
			a.host = hostOf(p)
		}
		if counts[a]++; counts[a] == 1 {
			order = append(order, a)
		}
	}
	for _, a := range order {
		r.row(map[string]any{"USER": a.user, "HOST": a.host,
			"CURRENT_CONNECTIONS": counts[a], "TOTAL_CONNECTIONS": counts[a]})
	}
	return nil
}

func (r *systemReading) version() error {
	r.row(map[string]any{"sys_version": "2.1.2", "mysql_version": session.Version})
	return nil
}

// connections is sys.processlist, and sys.session.
func (r *systemReading) connections() error {
	for _, p := range r.ctx.ProcessList.Processes() {
		database, state, info := process(p)
		r.row(map[string]any{"thd_id": p.Connection, "conn_id": p.Connection, "user": p.User + "@" + hostOf(p),
			"db": database, "command": string(p.Command), "state": state, "time": p.Seconds(), "current_statement": info,
			"execution_engine": "PRIMARY", "full_scan": "NO"})
	}
	return nil
}

// autoIncrements is sys.schema_auto_increment_columns: the AUTO_INCREMENT columns of integer types.
func (r *systemReading) autoIncrements() error {
	s, err := session.Of(r.ctx)
	if err != nil {
		return err
	}
	from, err := s.Readers.Answer()
	if err != nil {
		return err
	}
	return eachTable(r.ctx, func(def *session.Definition) error {
		for i := range def.Columns {
			c := &def.Columns[i]
			if !c.AutoIncrement || !types.IsInteger(def.SQLColumns[i].Typ) {
				continue
			}
			next, err := r.backend.Catalog.PeekAutoIncrement(from, def.ID)
			if err != nil {
				return err
			}
			kind, _, _ := strings.Cut(def.SQLColumns[i].Typ.String(), " ")
			most, unsigned := maxOf(def.SQLColumns[i].Typ)
			r.row(map[string]any{"table_schema": def.Database, "table_name": def.Name, "column_name": c.Name,
				"data_type":   kind,
				"column_type": def.SQLColumns[i].Typ.String(), "is_signed": !unsigned, "is_unsigned": unsigned,
				"max_value":      most,
				"auto_increment": next, "auto_increment_ratio": fmt.Sprintf("%.4f", float64(next)/float64(most))})
		}
		return nil
	})
}

// maxOf is the greatest value of an integer type.
func maxOf(t sql.Type) (most uint64, unsigned bool) {
	bits := map[string]int{"tinyint": 8, "smallint": 16, "mediumint": 24, "int": 32}
	kind, _, _ := strings.Cut(t.String(), " ")
	kind, _, _ = strings.Cut(kind, "(")
	n, ok := bits[kind]
	if !ok {
		n = 64
	}
	unsigned = types.IsUnsigned(t)
	most = ^uint64(0) >> (64 - n)
	if !unsigned {
		most >>= 1
	}
	return most, unsigned
}

// config is sys.sys_config with MySQL's defaults.
func (r *systemReading) config() error {
	for _, c := range [][2]any{{"diagnostics.allow_i_s_tables", "OFF"}, {"diagnostics.include_raw", "OFF"},
		{"ps_thread_trx_info.max_length", "65535"}, {"statement_performance_analyzer.limit", "100"},
		{"statement_performance_analyzer.view", nil}, {"statement_truncate_len", "64"}} {
		r.row(map[string]any{"variable": c[0], "value": c[1]})
	}
	return nil
}
