package sqlbackend

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// statusPrefix begins the names of the status variables that hold the figures of
// the session's last statement.
const statusPrefix = "sqlfdb_last_"

// GetAllStatusVariables implements sql.Session: the engine's status variables,
// and the figures of the statement before this one.
func (s *Session) GetAllStatusVariables(ctx *sql.Context) map[string]sql.StatusVarValue {
	all := s.BaseSession.GetAllStatusVariables(ctx)
	for _, f := range s.work.last.named() {
		all[statusPrefix+f.name] = &sql.ImmutableStatusVarValue{
			Var: &sql.MySQLStatusVariable{Name: statusPrefix + f.name, Scope: sql.StatusVariableScope_Session},
			Val: f.value,
		}
	}
	if s.backend.traffic != nil {
		received, sent := s.backend.traffic(s.ID())
		for name, n := range map[string]uint64{"Bytes_received": received, "Bytes_sent": sent} {
			all[name] = &sql.ImmutableStatusVarValue{
				Var: &sql.MySQLStatusVariable{Name: name, Scope: sql.StatusVariableScope_Both}, Val: n,
			}
		}
	}
	kept, runs := s.backend.programs.Count(), s.backend.programs.Hits.Load()
	for _, f := range []figure{{"sqlfdb_programs_kept", fmt.Sprint(kept)}, {"sqlfdb_programs_runs", fmt.Sprint(runs)}} {
		all[f.name] = &sql.ImmutableStatusVarValue{
			Var: &sql.MySQLStatusVariable{Name: f.name, Scope: sql.StatusVariableScope_Global}, Val: f.value,
		}
	}
	return all
}

// figure is one of a statement's figures as people see it.
type figure struct {
	name, value string
}

// named are the figures with their names.
func (f *figures) named() []figure {
	count := func(name string, n int64) figure { return figure{name, fmt.Sprint(n)} }
	return []figure{
		count("keys", f.Entries), count("documents", f.Documents), count("bytes", f.Bytes), count("counters", f.Counters),
		count("rows", f.rows), count("conflicts", f.conflicts), count("retries", f.retries),
		count("read_versions", f.readVersions),
		{"seconds", fmt.Sprintf("%.6f", f.time.Seconds())},
	}
}

// asksForFigures reports whether the running command tells of the one before it:
// it then leaves no figures of its own.
func (s *Session) asksForFigures() bool {
	if s.diagnostics.recalled {
		return true
	}
	if len(s.parsed) == 0 {
		return false
	}
	show, ok := s.parsed[0].(*ast.Show)
	if !ok {
		return false
	}
	switch strings.ToLower(show.Type) {
	case "status", "warnings", "errors":
		return true
	}
	return false
}

// OnTraffic sets who knows how many bytes a connection has received and sent. It is called before the first session
// begins.
func (b *Backend) OnTraffic(f func(connection uint32) (received, sent uint64)) { b.traffic = f }

// counterOf is the status variable that counts a statement.
func counterOf(stmt ast.Statement) string {
	if injected, ok := stmt.(ast.InjectedStatement); ok {
		if control, ok := injected.Statement.(*transactionControl); ok {
			return "Com_" + strings.ToLower(control.verb)
		}
	}
	return statement.Counter(stmt)
}
