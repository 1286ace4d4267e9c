package value

import (
	"math"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// TextNumber is the number that a text begins with, 0 if it begins with none: the text's
// value beside a number. A number beyond the range of DOUBLE becomes the largest.
func TextNumber(s string) float64 {
	s = strings.TrimLeft(s, " \t\r\n\v\f")
	f, _ := strconv.ParseFloat(s[:NumberPrefix(s)], 64)
	return min(max(f, -math.MaxFloat64), math.MaxFloat64)
}

// NumberPrefix is how many bytes of a text are a number.
func NumberPrefix(s string) int {
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

// Warnings are kept of as many texts, and of as much of each.
const (
	keptWarnings = 1024 // MySQL's max_error_count
	keptText     = 128
)

// WarnTruncated warns of a text of which a part counts for a number.
func WarnTruncated(ctx *sql.Context, text string) {
	trimmed := strings.Trim(text, " \t\r\n\v\f")
	if trimmed != "" && NumberPrefix(trimmed) == len(trimmed) || ctx == nil || ctx.Session == nil {
		return
	}
	if ctx.WarningCount() < keptWarnings {
		ctx.Warn(mysql.ERTruncatedWrongValue, "Truncated incorrect DOUBLE value: '%s'", text[:min(len(text), keptText)])
	}
}

// SpelledNumber is the value by which a text and a number are compared: the number that the
// text spells, or the number as a DOUBLE.
type SpelledNumber struct {
	expression.UnaryExpression
}

// NumberOfText is spelledNumber of a text among numbers.
type NumberOfText struct {
	SpelledNumber
}

var (
	_ sql.Expression = (*SpelledNumber)(nil)
	_ sql.Expression = (*NumberOfText)(nil)
)

// IntegerOfText is the integer that a literal of text spells. Beside integers it is compared as that one, as in MySQL:
// as a DOUBLE it would equal its neighbours.
func IntegerOfText(l *expression.Literal) (n sql.Expression, ok bool) {
	s, _ := l.Val.(string)
	spelled := strings.Trim(s, " \t\r\n\v\f")
	if n, err := strconv.ParseInt(spelled, 10, 64); err == nil {
		return expression.NewLiteral(n, types.Int64), true
	}
	u, err := strconv.ParseUint(strings.TrimPrefix(spelled, "+"), 10, 64)
	return expression.NewLiteral(u, types.Uint64), err == nil
}

// TextAsNumber replaces a literal of text that is compared with numbers. The engine
// compares it correctly if the whole text is a number; any other becomes the number that it
// begins with. A number that no DECIMAL holds becomes a DOUBLE.
func TextAsNumber(l *expression.Literal) sql.Expression {
	s, ok := l.Val.(string)
	if !ok {
		return l
	}
	if f := TextNumber(s); math.Abs(f) > 1e60 {
		return expression.NewLiteral(f, types.Float64)
	}
	if s != "" && NumberPrefix(s) == len(s) {
		if bounded := BoundedNumber(s); bounded != s {
			return expression.NewLiteral(bounded, l.Type())
		}
		return l
	}
	return expression.NewLiteral(strconv.FormatFloat(TextNumber(s), 'g', -1, 64), l.Type())
}

// PushdownAsDouble implements pushdown.AsDouble.
func (n *SpelledNumber) PushdownAsDouble() sql.Expression { return n.Child }

// Type implements sql.Expression.
func (n *SpelledNumber) Type() sql.Type { return types.Float64 }

// Eval implements sql.Expression.
func (n *SpelledNumber) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := n.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return nil, err
	}
	switch text := v.(type) {
	case string:
		WarnTruncated(ctx, text)
	case []byte:
		WarnTruncated(ctx, string(text))
	}
	return AsDouble(ctx, v) + 0, nil // never -0, which is 0 but has another hash
}

// WithChildren implements sql.Expression.
func (n *SpelledNumber) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(n, len(children), 1)
	}
	return &SpelledNumber{expression.UnaryExpression{Child: children[0]}}, nil
}

// String implements fmt.Stringer.
func (n *SpelledNumber) String() string { return n.Child.String() }

// WithChildren implements sql.Expression.
func (n *NumberOfText) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(n, len(children), 1)
	}
	return &NumberOfText{SpelledNumber{expression.UnaryExpression{Child: children[0]}}}, nil
}

// PushdownOperand gives the text: it is compared with numbers only, and ranges know how
// texts compare with numbers.
func (n *NumberOfText) PushdownOperand() sql.Expression { return n.Child }
