package compare

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// byteOperands converts all operands to DOUBLE where byte strings are compared with numbers: they count as the number
// that they begin with, as texts do. The engine takes their bytes for the digits of a number, which is right only for
// hexadecimal literals.
func (c Comparer) byteOperands(operands []sql.Expression) ([]sql.Expression, bool) {
	if numbers, ok := c.hexadecimalNumbers(operands); ok {
		return numbers, true
	}
	numbers, strings := 0, 0
	for _, o := range operands {
		_, literal := o.(*expression.Literal)
		switch class := c.Class(o); {
		case class == ClassNull:
		case class == ClassNumber:
			numbers++
		case value.IsBytes(o) && !literal:
			strings++
		default:
			return operands, false
		}
	}
	if numbers == 0 || strings == 0 {
		return operands, false
	}
	return functions.Each(operands, func(o sql.Expression) sql.Expression {
		switch l, literal := o.(*expression.Literal); {
		case c.Class(o) == ClassNull || o.Type() == types.Float64:
			return o
		case literal:
			return functions.DoubleLiteral(c.Ctx, l)
		}
		return &value.SpelledNumber{UnaryExpression: expression.UnaryExpression{Child: tree.Unwrapped(o)}}
	})
}

// hexadecimalNumbers converts hexadecimal literals to numbers if all other operands are numbers: 0x10 is 16 beside
// them, and a string elsewhere.
func (c Comparer) hexadecimalNumbers(operands []sql.Expression) ([]sql.Expression, bool) {
	numbers, found := 0, false
	for _, o := range operands {
		switch class := c.Class(o); {
		case class == ClassNumber:
			numbers++
		case class == ClassNull:
		default:
			if _, ok := hexadecimal(o); !ok {
				return operands, false
			}
			found = true
		}
	}
	if numbers == 0 || !found {
		return operands, false
	}
	return functions.Each(operands, func(o sql.Expression) sql.Expression {
		if n, ok := hexadecimal(o); ok {
			return expression.NewLiteral(n, types.Uint64)
		}
		return o
	})
}

// hexadecimal returns the number of a literal of at most eight bytes.
func hexadecimal(e sql.Expression) (uint64, bool) {
	l, ok := e.(*expression.Literal)
	if !ok || !value.IsBytes(e) {
		return 0, false
	}
	b, ok := l.Val.([]byte)
	if !ok || len(b) > 8 {
		return 0, false
	}
	n := uint64(0)
	for _, digit := range b {
		n = n<<8 | uint64(digit)
	}
	return n, true
}

// numberOfBytes returns the number that a byte string counts as in arithmetic.
func numberOfBytes(e sql.Expression) sql.Expression {
	if _, literal := e.(*expression.Literal); literal || !value.IsBytes(e) {
		return e
	}
	return &value.SpelledNumber{UnaryExpression: expression.UnaryExpression{Child: e}}
}
