package sqlbackend

import (
	"math"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// textNumber is the number that a text begins with, 0 if it begins with none:
// what a text counts for beside a number. One beyond the range of DOUBLE counts
// for the largest.
func textNumber(s string) float64 {
	s = strings.TrimLeft(s, " \t\r\n\v\f")
	f, _ := strconv.ParseFloat(s[:numberPrefix(s)], 64)
	return min(max(f, -math.MaxFloat64), math.MaxFloat64)
}

// numberPrefix is how many bytes of a text are a number.
func numberPrefix(s string) int {
	i := 0
	sign := func() {
		if i < len(s) && (s[i] == '-' || s[i] == '+') {
			i++
		}
	}
	digits := func() (n int) {
		for i < len(s) && statement.IsDigitByte(s[i]) {
			i, n = i+1, n+1
		}
		return n
	}
	sign()
	n := digits()
	if i < len(s) && s[i] == '.' {
		i++
		n += digits()
	}
	if n == 0 {
		return 0
	}
	end := i
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		sign()
		if digits() > 0 {
			end = i
		}
	}
	return end
}

// spelledNumber is the number that a text counts for, or a number as a DOUBLE:
// what is compared when one is beside the other.
type spelledNumber struct {
	expression.UnaryExpression
}

// numberOfText is spelledNumber of a text among numbers.
type numberOfText struct {
	spelledNumber
}

var (
	_ sql.Expression = (*spelledNumber)(nil)
	_ sql.Expression = (*numberOfText)(nil)
)

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
			return wholeNumber(l)
		case c.class(o) == classText && literal || c.class(o) == classNumber && literal && computed:
			return doubleLiteral(c.ctx, l)
		case c.class(o) == classText && texts == 1:
			return &numberOfText{spelledNumber{expression.UnaryExpression{Child: unwrapped(o)}}}
		case c.class(o) == classText:
			return &spelledNumber{expression.UnaryExpression{Child: unwrapped(o)}}
		case c.class(o) == classNumber && computed && o.Type() != types.Float64:
			return &spelledNumber{expression.UnaryExpression{Child: unwrapped(o)}}
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

// wholeNumber is a literal of text beside numbers. The engine compares one that
// is a number rightly, so that of others it gets the number; one that no DECIMAL
// holds becomes a DOUBLE.
func wholeNumber(l *expression.Literal) sql.Expression {
	s, ok := l.Val.(string)
	if !ok {
		return l
	}
	if f := textNumber(s); math.Abs(f) > 1e60 {
		return expression.NewLiteral(f, types.Float64)
	}
	if s != "" && numberPrefix(s) == len(s) {
		return l
	}
	return expression.NewLiteral(strconv.FormatFloat(textNumber(s), 'g', -1, 64), l.Type())
}

func doubleLiteral(ctx *sql.Context, l *expression.Literal) sql.Expression {
	if l.Val == nil || l.Type() == types.Float64 {
		return l
	}
	return expression.NewLiteral(asDouble(ctx, l.Val), types.Float64)
}

// PushdownAsDouble implements pushdown.AsDouble.
func (n *spelledNumber) PushdownAsDouble() sql.Expression { return n.Child }

// Type implements sql.Expression.
func (n *spelledNumber) Type() sql.Type { return types.Float64 }

// Eval implements sql.Expression.
func (n *spelledNumber) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := n.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return nil, err
	}
	return asDouble(ctx, v) + 0, nil // never -0, which is 0 but has another hash
}

// WithChildren implements sql.Expression.
func (n *spelledNumber) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(n, len(children), 1)
	}
	return &spelledNumber{expression.UnaryExpression{Child: children[0]}}, nil
}

// String implements fmt.Stringer.
func (n *spelledNumber) String() string { return n.Child.String() }

// WithChildren implements sql.Expression.
func (n *numberOfText) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(n, len(children), 1)
	}
	return &numberOfText{spelledNumber{expression.UnaryExpression{Child: children[0]}}}, nil
}

// PushdownOperand gives the text: all that it is compared with are numbers, and
// ranges know how texts compare with those.
func (n *numberOfText) PushdownOperand() sql.Expression { return n.Child }
