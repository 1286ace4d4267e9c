package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// never is a condition on rows, FALSE if a part of it is NULL whatever the row: the engine reads nothing where a condition is FALSE, but
// asks of every row one that is NULL. With the index off it stays as it is.
func (c comparer) never(condition sql.Expression) sql.Expression {
	for _, part := range expression.SplitConjunction(condition) {
		if c.isAlwaysNull(part) && usesIndexes(c.ctx) {
			return expression.NewLiteral(false, types.Boolean)
		}
	}
	return condition
}

// isAlwaysNull reports whether what is made of a NULL that is written there, and no column, is NULL.
func (c comparer) isAlwaysNull(e sql.Expression) bool {
	null := false
	fixed := !transform.InspectExpr(e, func(e sql.Expression) bool {
		switch e := e.(type) {
		case *expression.Literal:
			null = null || e.Val == nil
		case *expression.GetField:
			return true
		}
		return !e.Resolved()
	})
	if !null || !fixed || !isRepeatable(e) {
		return false
	}
	v, err := e.Eval(c.ctx, nil)
	return err == nil && v == nil
}
