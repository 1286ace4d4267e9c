package operator

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
)

// TestDeviation compares deviations with numbers worked out by hand, and rows in any order, or taken together, with
// each other.
func TestDeviation(t *testing.T) {
	field := expression.NewGetField(0, types.Float64, "x", true)
	deviation := func(sample, root bool, add func(sql.AggregationBuffer) error) any {
		t.Helper()
		b, err := functions.Deviation{Of: field, Sample: sample, Root: root}.NewBuffer()
		if err == nil {
			err = add(b)
		}
		if err != nil {
			t.Fatal(err)
		}
		v, err := b.Eval(nil)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	of := func(sample, root bool, numbers ...float64) any {
		t.Helper()
		return deviation(sample, root, func(b sql.AggregationBuffer) error {
			for _, x := range numbers {
				if err := b.Update(nil, sql.Row{x}); err != nil {
					return err
				}
			}
			return b.Update(nil, sql.Row{nil})
		})
	}
	large := 1e150
	for _, c := range []struct {
		sample, root bool
		numbers      []float64
		want         any
	}{
		{false, false, []float64{2, 4, 4, 4, 5, 5, 7, 9}, 4.0},
		{false, true, []float64{2, 4, 4, 4, 5, 5, 7, 9}, 2.0},
		{true, false, []float64{1, 2, 3, 4}, 5.0 / 3},
		{true, true, []float64{1, 2, 3, 4}, math.Sqrt(5.0 / 3)},
		{false, true, []float64{7}, 0.0},
		{true, true, []float64{7}, nil},
		{false, true, nil, nil},
		{false, false, []float64{1e15 + 1, 1e15 + 2, 1e15 + 3}, 2.0 / 3}, // where squares of doubles lose all of it
		{false, false, []float64{1e300, 1e300}, math.Inf(1)},
		{false, false, []float64{large, -large}, large * large},
	} {
		if got := of(c.sample, c.root, c.numbers...); got != c.want {
			t.Errorf("sample %t, root %t of %v: %v, want %v", c.sample, c.root, c.numbers, got, c.want)
		}
	}
	r := rand.New(rand.NewPCG(testseed.Of(t, "", 0), 1))
	for range 200 {
		numbers := make([]float64, 1+r.IntN(30))
		for i := range numbers {
			numbers[i] = math.Ldexp(r.NormFloat64(), r.IntN(80)-40)
		}
		numbers = append(numbers, numbers[:r.IntN(len(numbers))]...)
		want := of(false, true, numbers...)
		r.Shuffle(len(numbers), func(i, j int) { numbers[i], numbers[j] = numbers[j], numbers[i] })
		times := map[float64]int64{}
		for _, x := range numbers {
			times[x]++
		}
		together := deviation(false, true, func(b sql.AggregationBuffer) error {
			for x, n := range times {
				if err := b.(repeatable).UpdateTimes(nil, sql.Row{x}, n); err != nil {
					return err
				}
			}
			return nil
		})
		if got := of(false, true, numbers...); got != want || together != want {
			t.Fatalf("of %v: %v in one order, %v in another, %v together", numbers, want, got, together)
		}
	}
}
