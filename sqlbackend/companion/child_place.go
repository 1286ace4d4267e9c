package companion

import (
	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// StoredRows implements tree.Stored.
func (*ChildTable) StoredRows() {}

// At implements tree.Placeable.
func (t *ChildTable) At() tree.Place { return t.Place }

// At implements tree.Placeable.
func (t *ChangesTable) At() tree.Place { return t.Place }

// PlacedAt implements tree.Placeable.
func (t *ChildTable) PlacedAt(p tree.Place) sql.Table {
	there := *t
	there.Place = p
	return &there
}

// PlacedAt implements tree.Placeable.
func (t *ChangesTable) PlacedAt(p tree.Place) sql.Table {
	there := *t
	there.Place = p
	there.Documents = t.Documents && namesDocument(t.Session, p)
	return &there
}
