package information

import (
	"cmp"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/accounts"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// Processes is the engine's list of connections and their statements, for SHOW PROCESSLIST
// and information_schema.
type Processes struct {
	sql.ProcessList
	backend *session.Instance
}

// Processes implements sql.ProcessList: in the order of their numbers, with their clients' names and addresses. The
// engine knows no names for connections without a database. The progress that the engine counts is of partitions,
// which don't exist here.
func (p Processes) Processes() []sql.Process {
	list := p.ProcessList.Processes()
	for i := range list {
		q := &list[i]
		q.Progress = nil
		if s, ok := p.backend.Session(q.Connection); ok {
			q.Query = accounts.Discreet(q.Query)
			q.User, q.Host, q.Database = s.Client().User, s.Remote, ""
			if in := s.Database.Load(); in != nil {
				q.Database = *in
			}
		}
	}
	slices.SortFunc(list, func(a, b sql.Process) int { return cmp.Compare(a.Connection, b.Connection) })
	return list
}

// ownProcesses are one user's processes.
type ownProcesses struct {
	sql.ProcessList
	user string
}

// Processes implements sql.ProcessList.
func (p ownProcesses) Processes() []sql.Process {
	return slices.DeleteFunc(p.ProcessList.Processes(), func(q sql.Process) bool { return q.User != p.user })
}

// HideProcesses makes a statement see only the processes of its user, if that user may not see the others'.
func HideProcesses(s *session.Session, ctx *sql.Context) {
	if a, err := s.Login.Account(); err != nil || !a.Global().Has(accounts.Process) {
		ctx.ProcessList = ownProcesses{ctx.ProcessList, s.Client().User}
	}
}

// processesTable is sqlfdb.processes: the running statements, and their progress.
func processesTable(d *System) *systemTable {
	text := func(n string) systemColumn { return systemColumn{n, types.LongText} }
	number := func(n string) systemColumn { return systemColumn{n, types.Int64} }
	return NewSystemTable(session.SystemDatabase, "processes",
		func(ctx *sql.Context, emit func(sql.Row)) error { return eachProcess(d, ctx, emit) }, number("id"), text("user"),
		text("database"),
		number("seconds"), number("keys_read"), number("documents_read"), text("statement"))
}

func eachProcess(d *System, ctx *sql.Context, emit func(sql.Row)) error {
	for _, p := range ctx.ProcessList.Processes() {
		s, ok := d.backend.Session(p.Connection)
		if !ok || p.Command != sql.ProcessCommandQuery {
			continue
		}
		database, _, statement := process(p)
		emit(sql.Row{int64(p.Connection), p.User, database, int64(p.Seconds()), s.Progress.Keys.Load(),
			s.Progress.Documents.Load(), statement})
	}
	return nil
}

// NewProcesses makes a list of processes that shows users their own ones.
func NewProcesses(all sql.ProcessList, b *session.Instance) Processes { return Processes{all, b} }
