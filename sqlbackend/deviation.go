package sqlbackend

import (
	"math"
	"math/big"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// deviationFunctions are the standard deviations and variances. They are DOUBLEs,
// where the engine's are of the argument's type: those of integers are rounded to one, and
// those of dates are none.
func deviationFunctions(out map[string]sql.Function) {
	for _, name := range []string{"std", "stddev", "stddev_pop"} {
		out[name] = sql.Function1{Name: name, Fn: func(e sql.Expression) sql.Expression { return aggregation.NewStdDevPop(asDoubleNumber(e)) }}
	}
	for _, name := range []string{"var_pop", "variance"} {
		out[name] = sql.Function1{Name: name, Fn: func(e sql.Expression) sql.Expression { return aggregation.NewVarPop(asDoubleNumber(e)) }}
	}
	out["stddev_samp"] = sql.Function1{Name: "stddev_samp", Fn: func(e sql.Expression) sql.Expression { return aggregation.NewStdDevSamp(asDoubleNumber(e)) }}
	out["var_samp"] = sql.Function1{Name: "var_samp", Fn: func(e sql.Expression) sql.Expression { return aggregation.NewVarSamp(asDoubleNumber(e)) }}
}

// asDoubleNumber is the number that a value counts for, as a DOUBLE.
func asDoubleNumber(e sql.Expression) sql.Expression {
	if !e.Resolved() || e.Type() == types.Float64 || types.IsNull(e) {
		return e
	}
	switch {
	case isEnum(e):
		e = &tree.EnumNumber{UnaryExpression: expression.UnaryExpression{Child: e}}
	default:
		e = numberOfTemporal(e)
	}
	return &value.SpelledNumber{UnaryExpression: expression.UnaryExpression{Child: e}}
}

// deviationOf recognizes a standard deviation or a variance: what it is of, whether that is a sample, and whether the root is
// taken.
func deviationOf(e sql.Expression) (of sql.Expression, sample, root, ok bool) {
	switch e := e.(type) {
	case *aggregation.StdDevPop:
		return e.Child, false, true, true
	case *aggregation.StdDevSamp:
		return e.Child, true, true, true
	case *aggregation.VarPop:
		return e.Child, false, false, true
	case *aggregation.VarSamp:
		return e.Child, true, false, true
	}
	return nil, false, false, false
}

// deviationNumber is the column of numbers that a deviation is of, whose doubles are one where its values are equal.
func deviationNumber(of sql.Expression) (*expression.GetField, bool) {
	if s, ok := of.(*value.SpelledNumber); ok {
		of = s.Child
	}
	f, ok := tree.Unwrapped(of).(*expression.GetField)
	return f, ok && types.IsNumber(f.Type())
}

// deviationBuffer computes a standard deviation or a variance of one group. It adds the numbers and their squares exactly,
// and rounds once: the engine's depends on the order of rows.
type deviationBuffer struct {
	expr         sql.Expression
	sample, root bool
	count        int64
	sum, squares doubleSum
}

func newDeviationBuffer(of sql.Expression, sample, root bool) (sql.AggregationBuffer, error) {
	child, err := transform.Clone(of)
	return &deviationBuffer{expr: child, sample: sample, root: root}, err
}

// Update implements sql.AggregationBuffer.
func (b *deviationBuffer) Update(ctx *sql.Context, row sql.Row) error {
	return b.UpdateTimes(ctx, row, 1)
}

// UpdateTimes implements repeatable.
func (b *deviationBuffer) UpdateTimes(ctx *sql.Context, row sql.Row, n int64) error {
	v, err := b.expr.Eval(ctx, row)
	if err != nil || v == nil {
		return err
	}
	x := value.AsDouble(ctx, v)
	square := x * x
	b.count += n
	b.sum.add(x, n)
	b.squares.add(square, n)
	if !math.IsInf(square, 0) {
		b.squares.add(math.FMA(x, x, -square), n) // a product of two doubles is two doubles
	}
	return nil
}

// Eval implements sql.AggregationBuffer: NULL for no number, and of a sample for one.
func (b *deviationBuffer) Eval(*sql.Context) (interface{}, error) {
	of := b.count
	if b.sample {
		of--
	}
	if of < 1 {
		return nil, nil
	}
	variance := b.variance(of)
	if b.root {
		return math.Sqrt(variance), nil
	}
	return variance, nil
}

// variance is the sum of the squares of the distances from the average, divided by a number.
func (b *deviationBuffer) variance(by int64) float64 {
	if b.sum.special != 0 || b.squares.special != 0 {
		return b.sum.special + b.squares.special
	}
	exact := func() *big.Float { return new(big.Float).SetPrec(2 * wideBits) }
	count := exact().SetInt64(b.count)
	sum := b.sum.exact()
	distances := exact().Mul(count, b.squares.exact())
	distances.Sub(distances, exact().Mul(sum, sum)) // times the count
	f, _ := distances.Quo(distances, count.Mul(count, exact().SetInt64(by))).Float64()
	return max(0, f)
}

// Dispose implements sql.Disposable.
func (b *deviationBuffer) Dispose() { expression.Dispose(b.expr) }
