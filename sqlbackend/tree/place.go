package tree

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
)

// Place is where in its statement a table stands. The engine asks a table for lookups
// without giving its place. A filter above it may also read fields of an outer query's
// tables, the same table under another name among them.
type Place struct {
	ID   sql.TableId
	Name string // alias or name, lower-cased
	// Called is its name in the statement, where a rule has given it another name.
	Called string
}

// Holds reports whether a field is one of the table's at that place.
func (p Place) Holds(f *expression.GetField) bool {
	return p.ID != 0 && f.TableId() == p.ID && strings.EqualFold(f.Table(), p.Name)
}

// Placeable is a table that can be given its place.
type Placeable interface {
	sql.Table
	At() Place
	PlacedAt(Place) sql.Table
}
