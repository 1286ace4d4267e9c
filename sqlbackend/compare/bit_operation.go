package compare

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// bitOperation is &, |, ^, << or >> of the 64 bits of numbers. The engine's uses DOUBLEs where only one of its
// operands is signed, and its result is signed.
type bitOperation struct {
	*expression.BitOp
}

// Type implements sql.Expression.
func (*bitOperation) Type() sql.Type { return types.Uint64 }

// PushdownOperand implements pushdown.Operand.
func (b *bitOperation) PushdownOperand() sql.Expression { return b.BitOp }

// PushdownStrict implements pushdown.Strict.
func (*bitOperation) PushdownStrict() {}

// WithChildren implements sql.Expression.
func (b *bitOperation) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	next, err := b.BitOp.WithChildren(children...)
	if err != nil {
		return nil, err
	}
	return &bitOperation{next.(*expression.BitOp)}, nil
}

// Eval implements sql.Expression.
func (b *bitOperation) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	var bits [2]uint64
	for i, operand := range b.Children() {
		v, err := operand.Eval(ctx, row)
		if err != nil || v == nil {
			return nil, err
		}
		if v, err = sql.UnwrapAny(ctx, v); err != nil {
			return nil, err
		}
		bits[i] = functions.BitsOfNumber(ctx, v)
	}
	switch strings.ToLower(b.Op) {
	case "&":
		return bits[0] & bits[1], nil
	case "|":
		return bits[0] | bits[1], nil
	case "^":
		return bits[0] ^ bits[1], nil
	case "<<":
		return bits[0] << bits[1], nil
	}
	return bits[0] >> bits[1], nil
}

// spelledInteger returns the integer that a text begins with, and whether more text follows. As in MySQL an integer
// beyond 64 bits counts as the last one.
func spelledInteger(text string) (integer string, cut bool) {
	given := strings.TrimLeft(text, " \t\r\n\v\f")
	text = given[:value.NumberPrefix(given)]
	if end := strings.IndexAny(text, ".eE"); end >= 0 {
		text = text[:end]
	}
	cut = len(text) < len(given) || text == ""
	digits := strings.TrimLeft(strings.TrimLeft(text, "+-"), "0")
	switch negative := strings.HasPrefix(text, "-"); {
	case digits == "":
		return "0", cut
	case negative && (len(digits) > 19 || len(digits) == 19 && digits > "9223372036854775808"):
		return "-9223372036854775808", true
	case len(digits) > 20 || len(digits) == 20 && digits > "18446744073709551615":
		return "18446744073709551615", true
	}
	return strings.TrimPrefix(text, "+"), cut
}
