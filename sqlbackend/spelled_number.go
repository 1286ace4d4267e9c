package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

var ()

// spelledOperands makes all operands DOUBLE where texts are compared with
// numbers. The engine takes a text that is not all number for 0, and joins
// columns of the two by indexes that have them in different orders.
func (c comparer) spelledOperands(operands []sql.Expression) ([]sql.Expression, bool) {
	texts, computed := 0, false
	for _, o := range operands {
		if c.class(o) == classText {
			texts++
			_, literal := o.(*expression.Literal)
			computed = computed || !literal
		}
	}
	operands, changed := each(operands, func(o sql.Expression) sql.Expression {
		l, literal := o.(*expression.Literal)
		switch {
		case c.class(o) == classText && !computed:
			return value.TextAsNumber(l)
		case c.class(o) == classText && literal || c.class(o) == classNumber && literal && computed:
			return doubleLiteral(c.ctx, l)
		case c.class(o) == classText && texts == 1:
			return &value.NumberOfText{SpelledNumber: value.SpelledNumber{UnaryExpression: expression.UnaryExpression{Child: tree.Unwrapped(o)}}}
		case c.class(o) == classText:
			return &value.SpelledNumber{UnaryExpression: expression.UnaryExpression{Child: tree.Unwrapped(o)}}
		case c.class(o) == classNumber && computed && o.Type() != types.Float64:
			return &value.SpelledNumber{UnaryExpression: expression.UnaryExpression{Child: tree.Unwrapped(o)}}
		}
		return o
	})
	for _, o := range operands {
		if c.class(o) == classText {
			return operands, changed
		}
	}
	numbers, again := c.numberOperands(operands)
	return numbers, changed || again
}

func doubleLiteral(ctx *sql.Context, l *expression.Literal) sql.Expression {
	if l.Val == nil || l.Type() == types.Float64 {
		return l
	}
	return expression.NewLiteral(value.AsDouble(ctx, l.Val), types.Float64)
}
