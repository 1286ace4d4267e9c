package exec

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestDoubleSum: a sum of doubles is the exact one, rounded once, in whatever order and
// however often each is added.
func TestDoubleSum(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 0))
	for round := range 2000 {
		exact := new(big.Float).SetPrec(DoubleSumBits)
		var one, times DoubleSum
		type term struct {
			x float64
			n int64
		}
		var terms []term
		limit := 40
		if round%10 == 0 {
			limit = 1023
		}
		for range 1 + r.IntN(12) {
			x := math.Ldexp(r.Float64()-0.5, r.IntN(2*limit)-limit)
			n := 1 + r.Int64N(5)
			terms = append(terms, term{x, n})
			times.Add(x, n)
			exact.Add(exact, new(big.Float).SetPrec(DoubleSumBits).Mul(big.NewFloat(x), new(big.Float).SetInt64(n)))
		}
		r.Shuffle(len(terms), func(i, j int) { terms[i], terms[j] = terms[j], terms[i] })
		for _, term := range terms {
			for range term.n {
				one.Add(term.x, 1)
			}
		}
		want, _ := exact.Float64()
		if one.Value() != want || times.Value() != want {
			t.Fatalf("seed %d, round %d: %v: %v one by one, %v by count, want %v", seed, round, terms, one.Value(),
				times.Value(), want)
		}
	}
	var many DoubleSum
	many.Add(0.1, 1<<40+1)
	exact := new(big.Float).SetPrec(DoubleSumBits).Mul(big.NewFloat(0.1), new(big.Float).SetInt64(1<<40+1))
	if want, _ := exact.Float64(); many.Value() != want {
		t.Errorf("%v, want %v", many.Value(), want)
	}
	for _, c := range []struct {
		terms []float64
		want  float64
	}{
		{[]float64{1e308, 1e308, -1e308}, 1e308},
		{[]float64{1e308, 1e308}, math.Inf(1)},
		{[]float64{math.Inf(1), 1}, math.Inf(1)},
		{[]float64{1, 1e100, 1, -1e100}, 2},
		{nil, 0},
	} {
		var s DoubleSum
		for _, x := range c.terms {
			s.Add(x, 1)
		}
		if s.Value() != c.want {
			t.Errorf("%v: %v, want %v", c.terms, s.Value(), c.want)
		}
	}
}
