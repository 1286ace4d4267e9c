package information

import (
	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// At implements tree.Placeable.
func (t *infoTable) At() tree.Place { return t.place }

// PlacedAt implements tree.Placeable.
func (t *infoTable) PlacedAt(p tree.Place) sql.Table {
	there := *t
	there.place = p
	return &there
}
