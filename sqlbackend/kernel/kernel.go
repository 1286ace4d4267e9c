// Package kernel evaluates expressions over numbers, truths and texts without a conversion for each row.
//
// The engine looks at the types of operands again for each row, and computes much in decimals. A kernel is made once of
// an expression: functions over the values that rows have. It answers what the expression answers. Where a row has
// another value than its column's type lets expect, or a result is a warning or an error, the expression itself is
// asked: so a kernel never knows a rule that the expression does not know.
package kernel

import (
	"errors"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/shopspring/decimal"
)

// Exact is an expression of exact arithmetic around one of the engine's.
type Exact interface {
	sql.Expression
	// Exactly is the engine's expression, whose operator it is.
	Exactly() sql.Expression
}

// kind is what a number is.
type kind uint8

const (
	null    kind = iota
	integer      // of 64 bits with a sign
	double
	fixed // an integer of which scale digits follow the point
)

// number is a value while it is computed; a truth is the integer 0 or 1.
type number struct {
	kind  kind
	i     int64
	f     float64
	scale int32
}

// program computes an expression of one row.
type program func(row sql.Row) (number, error)

// errAsk: the expression itself is to be asked.
var errAsk = errors.New("kernel: not computed")

const (
	// warming is how many rows an expression computes by itself before a kernel is made: most statements read few.
	warming = 16
	// patience is how many rows in turn may be asked of the expression itself before it is for all.
	patience = 64
)

// Kernel is an expression that has a kernel. It is of one iterator: it is not safe for concurrent use.
type Kernel struct {
	sql.Expression
	program program
	result  func(number) any
	seen    int
	asked   int // in turn
}

var (
	_ sql.Expression         = (*Kernel)(nil)
	_ sql.CollationCoercible = (*Kernel)(nil)
)

// Of is an expression, with a kernel once it has met some rows, if it can have one. It is for who evaluates it, not
// for plans, which know expressions by their types.
func Of(e sql.Expression) sql.Expression {
	if !worthwhile(e) {
		return e
	}
	return &Kernel{Expression: e}
}

// Eval implements sql.Expression.
func (k *Kernel) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	if k.seen < warming {
		if k.seen++; k.seen == warming {
			if k.program = decimals(k.Expression); k.program == nil {
				k.program = compile(k.Expression)
			}
			k.result = resultOf(k.Expression)
		}
		return k.Expression.Eval(ctx, row)
	}
	if k.program == nil || k.result == nil {
		return k.Expression.Eval(ctx, row)
	}
	n, err := k.program(row)
	if err != nil { // errAsk, which is all that programs give
		if k.asked++; k.asked == patience {
			k.program = nil
		}
		return k.Expression.Eval(ctx, row)
	}
	k.asked = 0
	if n.kind == null {
		return nil, nil
	}
	return k.result(n), nil
}

// True reports whether the expression is true of a row, as a condition is.
func (k *Kernel) True(ctx *sql.Context, row sql.Row) (bool, error) {
	if k.seen == warming && k.program != nil {
		if n, err := k.program(row); err == nil && n.kind != fixed {
			k.asked = 0
			return n.isTrue(), nil
		}
	}
	v, err := sql.EvaluateCondition(ctx, k, row)
	return sql.IsTrue(v), err
}

// Computes reports whether the expression has a kernel by now.
func (k *Kernel) Computes() bool { return k.seen == warming && k.program != nil && k.result != nil }

// CollationCoercibility implements sql.CollationCoercible.
func (k *Kernel) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, k.Expression)
}

// WithChildren implements sql.Expression.
func (k *Kernel) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	e, err := k.Expression.WithChildren(children...)
	if err != nil {
		return nil, err
	}
	return &Kernel{Expression: e}, nil
}

func (n number) isTrue() bool {
	return n.kind == integer && n.i != 0 || n.kind == double && n.f != 0
}

func truth(b bool) number {
	if b {
		return number{kind: integer, i: 1}
	}
	return number{kind: integer}
}

// resultOf makes of a number the value that an expression gives; nil where that is not known.
func resultOf(e sql.Expression) func(number) any {
	if isTruth(e) {
		return func(n number) any { return n.i != 0 }
	}
	if _, ok := e.Type().(sql.DecimalType); ok {
		return func(n number) any { return decimal.New(n.i, -n.scale) }
	}
	switch e.Type() {
	case types.Int64:
		return func(n number) any { return n.i }
	case types.Uint64:
		return func(n number) any { return uint64(n.i) }
	case types.Float64:
		return func(n number) any { return n.f }
	}
	return nil
}
