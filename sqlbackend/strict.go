package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
)

// What the rules put around operands is NULL if what it converts is.
var (
	_ pushdown.Strict = (*conversion)(nil)

	_ pushdown.Strict = (*numberFromJSON)(nil)
	_ pushdown.Strict = (*numberText)(nil)

	_ pushdown.Strict = (*temporalDigits)(nil)
	_ pushdown.Strict = (*functions.TemporalNumber)(nil)
	_ pushdown.Strict = (*temporalValue)(nil)
)

// PushdownStrict implements pushdown.Strict.
func (c *conversion) PushdownStrict() {}

// PushdownStrict implements pushdown.Strict.
func (n *numberFromJSON) PushdownStrict() {}

// PushdownStrict implements pushdown.Strict.
func (t *numberText) PushdownStrict() {}

// PushdownStrict implements pushdown.Strict.
func (t *temporalDigits) PushdownStrict() {}

// PushdownStrict implements pushdown.Strict.
func (t *temporalValue) PushdownStrict() {}

var (
	_ pushdown.Number = (*numberFromJSON)(nil)
	_ pushdown.Number = (*numberText)(nil)
	_ pushdown.Number = (*functions.SQLScalar)(nil)
)

// PushdownNumber implements pushdown.Number.
func (n *numberFromJSON) PushdownNumber() (sql.Expression, bool) { return n.Child, false }

// PushdownNumber implements pushdown.Number.
func (t *numberText) PushdownNumber() (sql.Expression, bool) { return t.Child, types.IsInteger(t.to) }
