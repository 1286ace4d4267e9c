package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// nullSafe is a <=> b by way of a = b, for the types whose constants the
// engine's = converts and its <=> does not: ENUM, SET and TIME; and where one
// side is converted to the other's kind, which may give NULL.
func (c comparer) nullSafe(e sql.Expression, left, right sql.Expression) (sql.Expression, bool, error) {
	if _, ok := e.(*expression.NullSafeEquals); !ok || !restrictive(left) && !restrictive(right) && !c.unlikeTemporals(left, right) {
		return nil, false, nil
	}
	equal, err := c.scalars(expression.NewEquals(left, right), left, right)
	if err != nil {
		return nil, false, err
	}
	return expression.NewOr(
		expression.NewIsTrue(equal),
		expression.NewAnd(expression.NewIsNull(left), expression.NewIsNull(right)),
	), true, nil
}

func restrictive(e sql.Expression) bool {
	if !e.Resolved() {
		return false
	}
	switch e.Type().(type) {
	case sql.EnumType, sql.SetType, types.TimeType:
		return true
	}
	return false
}
