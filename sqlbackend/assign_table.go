package sqlbackend

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
)

var (
	_ compare.Assigner = (*Table)(nil)
	_ tableFinder      = (*Session)(nil)
)

// Takes implements assigner.
func (t *Table) Takes(name string) compare.Taker {
	for i := range t.columns {
		c := &t.columns[i]
		if strings.EqualFold(c.name, name) {
			if c.declared < 0 && !c.document && !c.key {
				return max(c.takes, compare.TakesAny)
			}
			return compare.TakesDeclared
		}
	}
	return compare.TakesDeclared
}

// Assigning implements assigner.
func (t *Table) Assigning() sql.Table {
	next := *t
	next.schema = compare.AssignedSchema(t.Name(), t.schema, t.Takes)
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
