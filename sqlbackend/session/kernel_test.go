package session

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/kernel"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// kernelModel makes random expressions, as the rules leave them, and rows for them.
type kernelModel struct {
	rng     *rand.Rand
	c       compare.Comparer
	columns []sql.Type
}

func (m *kernelModel) one(of ...any) any { return of[m.rng.IntN(len(of))] }

func (m *kernelModel) value(t sql.Type) any {
	if m.rng.IntN(8) == 0 {
		return nil
	}
	switch t {
	case types.Int64:
		return m.one(int64(0), int64(1), int64(-1), int64(7), int64(math.MaxInt64), int64(math.MinInt64), int64(1<<53),
			int64(1<<53+1), int64(-(1<<53)-1), int64(math.MaxInt32), m.rng.Int64(), m.rng.Int64N(100)-50)
	case types.Uint64:
		return m.one(uint64(0), uint64(1), uint64(math.MaxUint64), uint64(1<<63), uint64(math.MaxInt64), m.rng.Uint64(),
			m.rng.Uint64N(100))
	case types.Float64:
		return m.one(0.0, math.Copysign(0, -1), 1.5, -2.25, 1e308, -1e308, 5e-324, float64(1<<53), float64(1<<53+2), 0.1,
			0.3, 9.99, m.rng.NormFloat64(), float64(m.rng.IntN(100)))
	case inferredBool:
		return m.one(int8(0), int8(1), true, false)
	case decimalColumn:
		return decimal.New(m.one(int64(0), int64(-5), int64(150), int64(99999), m.rng.Int64(), m.rng.Int64N(100_000)).(int64),
			-int32(m.one(0, 2, 2, 2, 2, 4, 18).(int)))
	}
	if t == types.Int8 {
		return int8(m.rng.IntN(256) - 128)
	}
	return m.one("", "a", "A", "b", "ä", "a ", "1", "10", "\x00")
}

var decimalColumn = types.MustCreateDecimalType(30, 2)

func (m *kernelModel) literal() sql.Expression {
	switch m.rng.IntN(5) {
	case 0:
		return expression.NewLiteral(m.value(types.Float64), types.Float64)
	case 1:
		d := decimal.New(m.rng.Int64N(2_000_000)-1_000_000, -int32(m.rng.IntN(4)))
		return expression.NewLiteral(d, types.MustCreateDecimalType(10, 3))
	case 2:
		return expression.NewLiteral(int8(m.rng.IntN(100)), types.Int8)
	case 3:
		return expression.NewLiteral(uint8(m.rng.IntN(56)+200), types.Uint8)
	}
	return expression.NewLiteral(m.value(types.Int64), types.Int64)
}

func (m *kernelModel) column(text bool) sql.Expression {
	for {
		at := m.rng.IntN(len(m.columns))
		if _, is := m.columns[at].(value.TextType); is == text {
			return expression.NewGetField(at, m.columns[at], fmt.Sprintf("c%d", at), true)
		}
	}
}

func (m *kernelModel) number(depth int) sql.Expression {
	if depth == 0 || m.rng.IntN(4) == 0 {
		if m.rng.IntN(3) == 0 {
			return m.literal()
		}
		return m.column(false)
	}
	a, b := m.number(depth-1), m.number(depth-1)
	var e sql.Expression
	switch m.rng.IntN(7) {
	case 0:
		e = expression.NewPlus(a, b)
	case 1:
		e = expression.NewMinus(a, b)
	case 2:
		e = expression.NewMult(a, b)
	case 3:
		e = expression.NewIntDiv(a, b)
	case 4:
		e = expression.NewMod(a, b)
	case 5:
		e = expression.NewDiv(a, b)
	default:
		e = expression.NewUnaryMinus(a)
	}
	e, _ = compare.Exactly(e)
	return e
}

// fixed is arithmetic with decimals and integers alone.
func (m *kernelModel) fixed(depth int) sql.Expression {
	if depth == 0 {
		switch at := m.rng.IntN(len(m.columns)); {
		case m.columns[at] == decimalColumn, m.columns[at] == types.Int8, m.columns[at] == types.Int64:
			return expression.NewGetField(at, m.columns[at], fmt.Sprintf("c%d", at), true)
		case at%2 == 0:
			return expression.NewLiteral(decimal.New(m.rng.Int64N(1000)-500, -1), types.MustCreateDecimalType(5, 1))
		}
		return expression.NewLiteral(int8(m.rng.IntN(100)), types.Int8)
	}
	a, b := m.fixed(m.rng.IntN(depth)), m.fixed(m.rng.IntN(depth))
	e := []func(a, b sql.Expression) *expression.Arithmetic{expression.NewPlus, expression.NewMinus,
		expression.NewMult}[m.rng.IntN(3)](a, b)
	exactly, _ := compare.Exactly(e)
	return exactly
}

func (m *kernelModel) condition(depth int) (sql.Expression, error) {
	if depth > 0 {
		switch m.rng.IntN(5) {
		case 0, 1:
			a, err := m.condition(depth - 1)
			if err != nil {
				return nil, err
			}
			b, err := m.condition(depth - 1)
			if m.rng.IntN(2) == 0 {
				return expression.NewAnd(a, b), err
			}
			return expression.NewOr(a, b), err
		case 2:
			a, err := m.condition(depth - 1)
			return expression.NewNot(a), err
		}
	}
	a, b := m.number(2), m.number(2)
	switch m.rng.IntN(4) {
	case 0:
		return expression.NewIsNull(a), nil
	case 1:
		e, _, err := m.c.Compared(expression.NewBetween(a, b, m.number(1)))
		return e, err
	case 2:
		a, b = m.column(true), m.column(true)
		if m.rng.IntN(2) == 0 {
			b = expression.NewLiteral(m.one("a", "A", "ä", "1"), value.NewTextType(collation.Default))
		}
	}
	e := []func(a, b sql.Expression) sql.Expression{
		func(a, b sql.Expression) sql.Expression { return expression.NewEquals(a, b) },
		func(a, b sql.Expression) sql.Expression { return expression.NewLessThan(a, b) },
		func(a, b sql.Expression) sql.Expression { return expression.NewLessThanOrEqual(a, b) },
		func(a, b sql.Expression) sql.Expression { return expression.NewGreaterThan(a, b) },
		func(a, b sql.Expression) sql.Expression { return expression.NewGreaterThanOrEqual(a, b) },
	}[m.rng.IntN(5)](a, b)
	compared, _, err := m.c.Compared(e)
	return compared, err
}

// TestKernels: an expression with a kernel gives what it gives without, the errors and the warnings too.
func TestKernels(t *testing.T) {
	seed := testseed.Of(t, "", 0)
	accent, _ := collation.Lookup("utf8mb4_0900_as_cs")
	text := value.NewTextType(collation.Default)
	m := &kernelModel{rng: rand.New(rand.NewPCG(seed, 0)), columns: []sql.Type{types.Int64, types.Int64, types.Float64,
		types.Float64, types.Uint64, inferredBool, decimalColumn, decimalColumn, types.Int8,
		text, text, value.NewTextType(accent)}}
	computed, fixed := 0, 0
	for range 3000 {
		ctx := sql.NewEmptyContext()
		m.c = compare.Comparer{Ctx: ctx}
		e, err := m.condition(2)
		if m.rng.IntN(3) == 0 {
			e, err = m.number(3), nil
		}
		if m.rng.IntN(6) == 0 {
			e, err = m.fixed(3), nil
		}
		if err != nil {
			continue // operands that don't compare
		}
		k := kernel.Of(e)
		for range 60 {
			row := make(sql.Row, len(m.columns))
			for i, t := range m.columns {
				row[i] = m.value(t)
			}
			ctx.ClearWarnings()
			want, wantErr := e.Eval(ctx, row)
			warned := ctx.WarningCount()
			ctx.ClearWarnings()
			got, gotErr := k.Eval(ctx, row)
			if d, ok := want.(decimal.Decimal); ok && wantErr == nil {
				of, _ := got.(decimal.Decimal)
				if of.Exponent() != d.Exponent() {
					t.Fatalf("%s of %v: %d digits behind the point, its kernel %d", sql.DebugString(e), row, -d.Exponent(),
						-of.Exponent())
				}
			}
			if fmt.Sprintf("%T %v %v", want, want, wantErr) != fmt.Sprintf("%T %v %v", got, got, gotErr) ||
				warned != ctx.WarningCount() {
				t.Fatalf("%s of %v: %T %v (%v, %d warnings), its kernel %T %v (%v, %d warnings)",
					sql.DebugString(e), row, want, want, wantErr, warned, got, got, gotErr, ctx.WarningCount())
			}
		}
		if own, ok := k.(*kernel.Kernel); ok && own.Computes() {
			computed++
			if _, ok := e.Type().(sql.DecimalType); ok {
				fixed++
			}
		}
	}
	if computed < 800 || fixed < 200 {
		t.Errorf("%d expressions of 3000 have kernels, %d decimals", computed, fixed)
	}
	t.Logf("%d expressions of 3000 have kernels, %d decimals", computed, fixed)
}
