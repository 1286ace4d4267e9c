package functions

import (
	"math"
	"math/big"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/exec"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// Deviation is a standard deviation or a variance.
type Deviation struct {
	Of     sql.Expression
	Sample bool // of a sample, not of a population
	Root   bool // the standard deviation, not the variance
}

// DeviationOf recognizes a standard deviation or a variance.
func DeviationOf(e sql.Expression) (Deviation, bool) {
	switch e := e.(type) {
	case *aggregation.StdDevPop:
		return Deviation{Of: e.Child, Root: true}, true
	case *aggregation.StdDevSamp:
		return Deviation{Of: e.Child, Sample: true, Root: true}, true
	case *aggregation.VarPop:
		return Deviation{Of: e.Child}, true
	case *aggregation.VarSamp:
		return Deviation{Of: e.Child, Sample: true}, true
	}
	return Deviation{}, false
}

// DeviationNumber returns the column of numbers under a deviation, whose equal values have equal doubles.
func DeviationNumber(of sql.Expression) (*expression.GetField, bool) {
	if s, ok := of.(*value.SpelledNumber); ok {
		of = s.Child
	}
	f, ok := tree.Unwrapped(of).(*expression.GetField)
	return f, ok && types.IsNumber(f.Type())
}

// deviationBuffer computes a standard deviation or a variance of one group. It adds the numbers and their squares
// exactly, and rounds once: the engine's result depends on the order of rows.
type deviationBuffer struct {
	expr         sql.Expression
	sample, root bool
	count        int64
	sum, squares exec.DoubleSum
}

// NewBuffer collects the numbers of one group.
func (d Deviation) NewBuffer() (sql.AggregationBuffer, error) {
	child, err := transform.Clone(d.Of)
	return &deviationBuffer{expr: child, sample: d.Sample, root: d.Root}, err
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
	b.sum.Add(x, n)
	b.squares.Add(square, n)
	if !math.IsInf(square, 0) {
		b.squares.Add(math.FMA(x, x, -square), n) // the exact product of two doubles is the sum of two doubles
	}
	return nil
}

// Eval implements sql.AggregationBuffer: NULL for no numbers, and for a sample of one.
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

// variance returns the sum of the squared distances from the average, divided by a number.
func (b *deviationBuffer) variance(by int64) float64 {
	if special := b.sum.Special() + b.squares.Special(); special != 0 {
		return special
	}
	exact := func() *big.Float { return new(big.Float).SetPrec(2 * exec.DoubleSumBits) }
	count := exact().SetInt64(b.count)
	sum := b.sum.Exact()
	distances := exact().Mul(count, b.squares.Exact())
	distances.Sub(distances, exact().Mul(sum, sum)) // times the count
	f, _ := distances.Quo(distances, count.Mul(count, exact().SetInt64(by))).Float64()
	return max(0, f)
}

// Dispose implements sql.Disposable.
func (b *deviationBuffer) Dispose() { expression.Dispose(b.expr) }
