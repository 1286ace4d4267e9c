package sqlbackend

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
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
	operands, changed := functions.Each(operands, func(o sql.Expression) sql.Expression {
		l, literal := o.(*expression.Literal)
		switch {
		case c.class(o) == classText && !computed:
			c.warnOfLiteral(l)
			return value.TextAsNumber(l)
		case c.class(o) == classText && literal || c.class(o) == classNumber && literal && computed:
			c.warnOfLiteral(l)
			return functions.DoubleLiteral(c.ctx, l)
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

// warnOfLiteral warns of a text that becomes a number before it is compared.
func (c comparer) warnOfLiteral(l *expression.Literal) {
	text, ok := l.Val.(string)
	if !ok || c.ctx == nil || c.ctx.Session == nil {
		return
	}
	told := slices.ContainsFunc(c.ctx.Session.Warnings(), func(w *sql.Warning) bool {
		return w.Code == mysql.ERTruncatedWrongValue && strings.Contains(w.Message, "'"+text+"'")
	})
	if !told {
		value.WarnTruncated(c.ctx, text)
	}
}
