package sqlbackend

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
)

// RegexpLike is the engine's with the collation that its operands are compared in.
func (c comparer) regexpLike(e *function.RegexpLike) sql.Expression {
	folds := strings.HasSuffix(c.textCollation(e.Text, e.Pattern).Name(), "_ci")
	return &functions.RegexpLike{Text: e.Text, Pattern: e.Pattern, Flags: e.Flags, Folds: folds}
}
