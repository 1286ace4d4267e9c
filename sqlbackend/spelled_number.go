package sqlbackend

import (
	"math"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// spelledNumber is the number that a string spells: what a string counts for
// beside a number.
type spelledNumber struct {
	expression.UnaryExpression
}

var _ sql.Expression = (*spelledNumber)(nil)

// spelledOperands makes DOUBLEs of numbers and strings that are compared with
// each other, as MySQL does. The engine's reading of a string takes no number that
// something follows, and it joins the two by indexes that have them in different
// orders. Literals beside columns of numbers stay strings, of their numbers
// alone: ranges are found for those.
func (c comparer) spelledOperands(operands []sql.Expression) ([]sql.Expression, bool) {
	text := false
	for _, o := range operands {
		if _, literal := o.(*expression.Literal); !literal && c.class(o) == classText {
			text = true
		}
	}
	return each(operands, func(o sql.Expression) sql.Expression {
		l, literal := o.(*expression.Literal)
		switch class := c.class(o); {
		case class == classNull:
			return o
		case literal && text:
			return expression.NewLiteral(asDouble(c.ctx, l.Val), types.Float64)
		case literal && class == classText:
			return spelledLiteral(l)
		case !text:
			return o
		case class == classText:
			return &spelledNumber{expression.UnaryExpression{Child: unwrapped(o)}}
		}
		return converted(o, types.Float64)
	})
}

// spelledLiteral is a string literal without what its number is followed by.
func spelledLiteral(l *expression.Literal) sql.Expression {
	s, ok := l.Val.(string)
	if !ok {
		return l
	}
	number, end := numberAtStart(s)
	if end == len(s) && !math.IsInf(number, 0) {
		return l
	}
	return expression.NewLiteral(strconv.FormatFloat(clamped(number), 'g', -1, 64), l.Type())
}

// numberAtStart is the number that a string begins with, as MySQL reads it, and
// where it ends; 0 if there is none.
func numberAtStart(s string) (float64, int) {
	start := len(s) - len(strings.TrimLeft(s, " \t\r\n\v\f"))
	i := start
	digits := func() (n int) {
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i, n = i+1, n+1
		}
		return n
	}
	sign := func() {
		if i < len(s) && (s[i] == '-' || s[i] == '+') {
			i++
		}
	}
	sign()
	n := digits()
	if i < len(s) && s[i] == '.' {
		i++
		n += digits()
	}
	if n == 0 {
		return 0, 0
	}
	if mantissa := i; i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		sign()
		if digits() == 0 {
			i = mantissa
		}
	}
	f, _ := strconv.ParseFloat(strings.TrimSuffix(s[start:i], "."), 64) // infinite beyond the range
	return f, i
}

// clamped is the nearest DOUBLE of an infinite number.
func clamped(f float64) float64 { return max(-math.MaxFloat64, min(f, math.MaxFloat64)) }

// PushdownOperand returns the string: a path into a document finds the numbers
// that it spells.
func (n *spelledNumber) PushdownOperand() sql.Expression { return n.Child }

// Type implements sql.Expression.
func (n *spelledNumber) Type() sql.Type { return types.Float64 }

// Eval implements sql.Expression.
func (n *spelledNumber) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := n.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	return asDouble(ctx, v), nil
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
