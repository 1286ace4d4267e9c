package kernel

import (
	"math"
	"math/bits"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// arithmetic is the program of exact arithmetic.
func arithmetic(e Exact) program {
	op := ""
	switch of := e.Exactly().(type) {
	case *expression.Arithmetic:
		op = strings.ToLower(of.Op)
	case *expression.IntDiv:
		op = "div"
	case *expression.Mod:
		op = "%"
	case *expression.Div:
		op = "/"
	case *expression.UnaryMinus:
		return negative(e, compile(of.Child))
	}
	switch e.Type() {
	case types.Float64:
		return doubles(e, map[string]func(a, b float64) (float64, bool){
			"+": func(a, b float64) (float64, bool) { return finite(a + b) },
			"-": func(a, b float64) (float64, bool) { return finite(a - b) },
			"*": func(a, b float64) (float64, bool) { return finite(a * b) },
			"/": func(a, b float64) (float64, bool) { return finite(a / b) }, // by 0 it is not
		}[op])
	case types.Int64:
		return integers(e, op, false)
	case types.Uint64:
		return integers(e, op, true)
	}
	return nil
}

func finite(f float64) (float64, bool) { return f, !math.IsInf(f, 0) && !math.IsNaN(f) }

// operands are the programs of an expression's two operands.
func operands(e sql.Expression) (a, b program, ok bool) {
	children := e.Children()
	if len(children) != 2 {
		return nil, nil, false
	}
	a, b = compile(children[0]), compile(children[1])
	return a, b, a != nil && b != nil
}

// doubles computes with DOUBLEs; what f refuses is asked of the expression.
func doubles(e sql.Expression, f func(a, b float64) (float64, bool)) program {
	a, b, ok := operands(e)
	if !ok || f == nil {
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
		n, ok := f(l.double(), r.double())
		if !ok {
			return number{}, errAsk
		}
		return number{kind: double, f: n}, nil
	}
}

func (n number) double() float64 {
	if n.kind == double {
		return n.f
	}
	return float64(n.i)
}

// Integers computes an operator, + - * div or %, with integers; ok is false where the result is beyond 64 bits or there
// is none.
func Integers(op string) func(a, b int64) (n int64, ok bool) {
	switch op {
	case "+":
		return func(a, b int64) (int64, bool) {
			n := a + b
			return n, (n > a) == (b > 0)
		}
	case "-":
		return func(a, b int64) (int64, bool) {
			n := a - b
			return n, (n < a) == (b > 0)
		}
	case "*":
		return func(a, b int64) (int64, bool) {
			n := a * b
			if high, _ := bits.Mul64(magnitude(a), magnitude(b)); high != 0 {
				return 0, false
			}
			return n, a == 0 || b == 0 || n/b == a && (n < 0) == ((a < 0) != (b < 0))
		}
	case "div":
		return func(a, b int64) (int64, bool) {
			if b == 0 || a == math.MinInt64 && b == -1 {
				return 0, false
			}
			return a / b, true
		}
	case "%":
		return func(a, b int64) (int64, bool) {
			switch b {
			case 0:
				return 0, false
			case -1:
				return 0, true // the least integer's quotient would not fit
			}
			return a % b, true
		}
	}
	return nil
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

func integers(e sql.Expression, op string, unsigned bool) program {
	a, b, ok := operands(e)
	f := Integers(op)
	if !ok || f == nil {
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
		if l.kind != integer || r.kind != integer {
			return number{}, errAsk
		}
		n, ok := f(l.i, r.i)
		if !ok || unsigned && n < 0 {
			return number{}, errAsk
		}
		return number{kind: integer, i: n}, nil
	}
}

func negative(e Exact, of program) program {
	if of == nil || e.Type() != types.Int64 {
		return nil
	}
	return func(row sql.Row) (number, error) {
		n, err := of(row)
		if err != nil || n.kind == null {
			return n, err
		}
		if n.kind != integer || n.i == math.MinInt64 {
			return number{}, errAsk
		}
		return number{kind: integer, i: -n.i}, nil
	}
}
