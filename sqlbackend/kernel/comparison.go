package kernel

import (
	"cmp"
	"math"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// comparison is the program of a comparison of numbers or of texts.
func comparison(e expression.Comparer, is func(int) bool) program {
	if p := texts(e, is); p != nil {
		return p
	}
	if !comparable(e.Left(), e.Right()) {
		return nil
	}
	a, b, ok := operands(e)
	if !ok {
		return nil
	}
	return func(row sql.Row) (number, error) {
		l, err := a(row)
		if err != nil {
			return l, err
		}
		r, err := b(row)
		if err != nil || l.kind == null || r.kind == null {
			return number{}, err
		}
		if l.kind == integer && r.kind == integer {
			return truth(is(cmp.Compare(l.i, r.i))), nil
		}
		if !l.isExactDouble() || !r.isExactDouble() {
			return number{}, errAsk
		}
		return truth(is(cmp.Compare(l.double(), r.double()))), nil
	}
}

// comparable reports whether two operands are compared as the numbers that they are: within a family, or exactly.
func comparable(a, b sql.Expression) bool {
	_, left := a.Type().(value.NumberType)
	_, right := b.Type().(value.NumberType)
	if left || right {
		return left && right && isNumeric(tree.Unwrapped(a)) && isNumeric(tree.Unwrapped(b))
	}
	s, t := a.Type(), b.Type()
	if !isNumber(s) || !isNumber(t) {
		return false
	}
	return s == types.Float64 && t == types.Float64 || types.IsSigned(s) && types.IsSigned(t) ||
		types.IsUnsigned(s) && types.IsUnsigned(t)
}

// isNumeric reports whether an operand that is compared exactly is a literal or of a type that has a program.
func isNumeric(e sql.Expression) bool {
	_, literal := e.(*expression.Literal)
	return literal || isNumber(e.Type())
}

// isExactDouble reports whether a number is the same as a DOUBLE.
func (n number) isExactDouble() bool {
	const most = 1 << 53
	return n.kind == double && !math.IsNaN(n.f) || n.kind == integer && n.i <= most && n.i >= -most
}

// texts is the program of a comparison of texts in one collation.
func texts(e expression.Comparer, is func(int) bool) program {
	s, ok := e.Left().Type().(value.TextType)
	if !ok {
		return nil
	}
	t, ok := e.Right().Type().(value.TextType)
	if !ok || s.Coll != t.Coll {
		return nil
	}
	a, b := textOf(e.Left()), textOf(e.Right())
	if a == nil || b == nil {
		return nil
	}
	compare := s.CompareStrings
	if _, ok := e.(*expression.Equals); ok {
		compare = func(a, b string) int {
			if s.Coll.Equal(a, b) {
				return 0
			}
			return 1
		}
	}
	return func(row sql.Row) (number, error) {
		l, ok := a(row)
		if !ok {
			return number{}, errAsk
		}
		r, ok := b(row)
		switch {
		case !ok:
			return number{}, errAsk
		case l == nil || r == nil:
			return number{}, nil
		}
		return truth(is(compare(*l, *r))), nil
	}
}

// textOf reads a text: nil is NULL; ok is false where a value is none.
func textOf(e sql.Expression) func(sql.Row) (text *string, ok bool) {
	switch e := tree.Unwrapped(e).(type) {
	case *expression.Literal:
		if s, ok := e.Val.(string); ok {
			return func(sql.Row) (*string, bool) { return &s, true }
		}
	case *expression.GetField:
		at := e.Index()
		return func(row sql.Row) (*string, bool) {
			if at >= len(row) {
				return nil, false
			}
			if row[at] == nil {
				return nil, true
			}
			s, ok := row[at].(string)
			return &s, ok
		}
	}
	return nil
}
