package compare

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
)

func (c Comparer) between(e *expression.Between) (sql.Expression, transform.TreeIdentity, error) {
	if err := c.mixed("between", e.Val, e.Lower, e.Upper); err != nil {
		return e, transform.SameTree, err
	}
	if err := c.misspelled(e.Val, e.Lower, e.Upper); err != nil {
		return e, transform.SameTree, err
	}
	if c.unlikeTemporals(e.Val, e.Lower) || c.unlikeTemporals(e.Val, e.Upper) {
		return c.splitBetween(e)
	}
	if c.unlikeBounds(e) {
		if l, ok := e.Val.(*expression.Literal); ok {
			e = expression.NewBetween(functions.DoubleLiteral(c.Ctx, l), e.Lower, e.Upper)
		}
		if c.Class(e.Val) == ClassNumber {
			return c.splitBetween(e)
		}
	}
	operands, changed := c.operands(opOrder, e.Val, e.Lower, e.Upper)
	return functions.Rebuild(e, operands, changed)
}

// unlikeBounds reports whether one bound is a text and the other a number. A text or number between them is compared
// with both as a number.
func (c Comparer) unlikeBounds(e *expression.Between) bool {
	lower, upper, value := c.Class(e.Lower), c.Class(e.Upper), c.Class(e.Val)
	return (lower == ClassText && upper == ClassNumber || lower == ClassNumber && upper == ClassText) &&
		(value == ClassText || value == ClassNumber)
}

// splitBetween returns BETWEEN as two comparisons, each of which is planned for its own operands.
func (c Comparer) splitBetween(e *expression.Between) (sql.Expression, transform.TreeIdentity, error) {
	lower, err := c.scalars(expression.NewGreaterThanOrEqual(e.Val, e.Lower), e.Val, e.Lower)
	if err != nil {
		return e, transform.SameTree, err
	}
	upper, err := c.scalars(expression.NewLessThanOrEqual(e.Val, e.Upper), e.Val, e.Upper)
	if err != nil {
		return e, transform.SameTree, err
	}
	return expression.NewAnd(lower, upper), transform.NewTree, nil
}

// nullSafe returns a <=> b in terms of a = b, for the types whose constants the engine's = converts and its <=> does
// not: ENUM, SET and TIME. It also does so where one side is converted to the other's kind, which may give NULL.
func (c Comparer) nullSafe(e sql.Expression, left, right sql.Expression) (sql.Expression, bool, error) {
	if _, ok := e.(*expression.NullSafeEquals); !ok || !restrictive(left) && !restrictive(right) &&
		!c.unlikeTemporals(left, right) {
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
