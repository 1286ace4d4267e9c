package sqlbackend

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
)

var (
	_ assigner    = (*Table)(nil)
	_ tableFinder = (*Session)(nil)
)

// takes implements assigner.
func (t *Table) takes(name string) taker {
	for i := range t.columns {
		c := &t.columns[i]
		if strings.EqualFold(c.name, name) {
			if c.declared < 0 && !c.document && !c.key {
				return max(c.takes, takesAny)
			}
			return takesDeclared
		}
	}
	return takesDeclared
}

// assigning implements assigner.
func (t *Table) assigning() sql.Table {
	next := *t
	next.schema = assignedSchema(t.Name(), t.schema, t.takes)
	return &next
}

// maintains implements tableFinder.
func (s *Session) maintains(database, table string) (bool, error) {
	view, err := s.definitions()
	if err != nil {
		return false, s.SQLError(err)
	}
	_, ok := view.Table(database, table)
	return ok, nil
}

func (s *Session) describes(ctx *sql.Context, database, table string) bool {
	return s.backend.describes(ctx, database, table)
}
