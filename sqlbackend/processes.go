package sqlbackend

import (
	"cmp"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
)

// processes is the engine's list of connections and what they run, as SHOW PROCESSLIST
// and information_schema tell it.
type processes struct {
	sql.ProcessList
	backend *Backend
}

// Processes implements sql.ProcessList: in the order of their numbers, with who their clients and where they
// are; the engine knows no name of those without a database. The progress that the engine counts is of partitions, which there are none of.
func (p processes) Processes() []sql.Process {
	list := p.ProcessList.Processes()
	for i := range list {
		q := &list[i]
		q.Progress = nil
		if s, ok := p.backend.Session(q.Connection); ok {
			q.User, q.Host, q.Database = s.Client().User, s.remote, ""
			if in := s.database.Load(); in != nil {
				q.Database = *in
			}
		}
	}
	slices.SortFunc(list, func(a, b sql.Process) int { return cmp.Compare(a.Connection, b.Connection) })
	return list
}
