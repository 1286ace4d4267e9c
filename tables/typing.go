package tables

import (
	"errors"
	"fmt"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
)

// ErrUntyped: documents of the table have to be read by rules of SQL's types,
// which Open was not given.
var ErrUntyped = errors.New("the table's documents can't be read without its SQL types")

// Typing applies the SQL types of one table definition to its documents. It is safe for
// concurrent use.
type Typing interface {
	// Upgrade converts a document that was written at an earlier generation to the
	// definition's generation. A value that can't be converted stays as it is.
	Upgrade(d document.Document, generation int64) (document.Document, error)
	// Misfits visits the declared values of a document of the definition's
	// generation that do not fit their columns.
	Misfits(d document.Document, visit func(Misfit)) error
}

// Misfit is a value that does not fit its column's type.
type Misfit struct {
	Column string
	Value  document.Value
}

// untyped is the Typing of a table none of whose columns is unsettled.
type untyped struct{ def *catalog.Table }

func (u untyped) Upgrade(d document.Document, _ int64) (document.Document, error) {
	if u.def.Upgrading() {
		return d, fmt.Errorf("tables: read %s: %w", u.def, ErrUntyped)
	}
	return d, nil
}

func (untyped) Misfits(document.Document, func(Misfit)) error { return nil }

// upgraded is a stored document as the table's definition has it now.
func (c *Collection) upgraded(v indexes.Versioned) (document.Document, error) {
	if v.Generation == c.def.Generation {
		return v.Document, nil
	}
	if v.Generation > c.def.Generation {
		return v.Document, fmt.Errorf("tables: %w: a document of generation %d, the table's is %d", ErrCorrupt, v.Generation,
			c.def.Generation)
	}
	d, err := c.typing.Upgrade(v.Document, v.Generation)
	if err != nil {
		return d, fmt.Errorf("tables: upgrade a document of generation %d: %w", v.Generation, err)
	}
	return d, nil
}
