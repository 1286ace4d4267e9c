package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
)

func (c comparer) between(e *expression.Between) (sql.Expression, transform.TreeIdentity, error) {
	if err := c.mixed("between", e.Val, e.Lower, e.Upper); err != nil {
		return e, transform.SameTree, err
	}
	if err := c.misspelled(e.Val, e.Lower, e.Upper); err != nil {
		return e, transform.SameTree, err
	}
	if c.unlikeTemporals(e.Val, e.Lower) || c.unlikeTemporals(e.Val, e.Upper) {
		return c.betweenApart(e)
	}
	if c.unlikeBounds(e) {
		if l, ok := e.Val.(*expression.Literal); ok {
			e = expression.NewBetween(functions.DoubleLiteral(c.ctx, l), e.Lower, e.Upper)
		}
		if c.class(e.Val) == classNumber {
			return c.betweenApart(e)
		}
	}
	operands, changed := c.operands(opOrder, e.Val, e.Lower, e.Upper)
	return functions.Rebuild(e, operands, changed)
}

// unlikeBounds tells that one bound is a text and the other a number, which a value
// that is one of them is compared with as numbers.
func (c comparer) unlikeBounds(e *expression.Between) bool {
	lower, upper, value := c.class(e.Lower), c.class(e.Upper), c.class(e.Val)
	return (lower == classText && upper == classNumber || lower == classNumber && upper == classText) &&
		(value == classText || value == classNumber)
}

// betweenApart is BETWEEN as two comparisons, each of which finds its own way of
// comparing.
func (c comparer) betweenApart(e *expression.Between) (sql.Expression, transform.TreeIdentity, error) {
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
