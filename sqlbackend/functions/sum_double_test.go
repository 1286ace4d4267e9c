package functions

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
		exact := new(big.Float).SetPrec(wideBits)
		var one, times doubleSum
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
			times.add(x, n)
			exact.Add(exact, new(big.Float).SetPrec(wideBits).Mul(big.NewFloat(x), new(big.Float).SetInt64(n)))
		}
		r.Shuffle(len(terms), func(i, j int) { terms[i], terms[j] = terms[j], terms[i] })
		for _, term := range terms {
			for range term.n {
				one.add(term.x, 1)
			}
		}
		want, _ := exact.Float64()
		if one.value() != want || times.value() != want {
			t.Fatalf("seed %d, round %d: %v: %v one by one, %v by count, want %v", seed, round, terms, one.value(),
				times.value(), want)
		}
	}
	var many doubleSum
	many.add(0.1, 1<<40+1)
	exact := new(big.Float).SetPrec(wideBits).Mul(big.NewFloat(0.1), new(big.Float).SetInt64(1<<40+1))
	if want, _ := exact.Float64(); many.value() != want {
		t.Errorf("%v, want %v", many.value(), want)
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
		var s doubleSum
		for _, x := range c.terms {
			s.add(x, 1)
		}
		if s.value() != c.want {
			t.Errorf("%v: %v, want %v", c.terms, s.value(), c.want)
		}
	}
}
