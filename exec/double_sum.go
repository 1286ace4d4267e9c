package exec

import (
	"math"
	"math/big"
	"slices"
)

// DoubleSum adds doubles exactly and rounds once, so that the sum doesn't depend on the
// order in which a path gives the rows. It holds the sum as doubles of which none overlaps another
// (Shewchuk, "Adaptive Precision Floating-Point Arithmetic", 1997), the smallest first.
type DoubleSum struct {
	parts   []float64
	wide    *big.Float // once parts could overflow: the whole sum
	special float64    // the sum of infinities and NaNs
}

// wideFrom is where a part could overflow, DoubleSumBits the bits that any sum of doubles fits.
const (
	wideFrom      = 0x1p1000
	DoubleSumBits = 2400
)

// Add adds x so many times.
func (s *DoubleSum) Add(x float64, times int64) {
	switch {
	case x == 0 || times == 0:
	case math.IsInf(x, 0) || math.IsNaN(x):
		s.special += x
	case s.wide != nil || math.Abs(x) > wideFrom/math.MaxInt64:
		s.widen()
		product := new(big.Float).SetPrec(DoubleSumBits).SetFloat64(x)
		s.wide.Add(s.wide, product.Mul(product, new(big.Float).SetInt64(times)))
	case times == 1:
		s.one(x)
	default:
		// A product of two doubles is two doubles, and a count up to 2^53 is one.
		for _, n := range [2]int64{times &^ (1<<32 - 1), times & (1<<32 - 1)} {
			if n == 0 {
				continue
			}
			product := x * float64(n)
			s.one(product)
			s.one(math.FMA(x, float64(n), -product))
		}
	}
}

func (s *DoubleSum) one(x float64) {
	kept := s.parts[:0]
	for _, y := range s.parts {
		if math.Abs(x) < math.Abs(y) {
			x, y = y, x
		}
		high := x + y
		if low := y - (high - x); low != 0 {
			kept = append(kept, low)
		}
		x = high
	}
	if s.parts = kept; x != 0 {
		s.parts = append(kept, x)
	}
	if math.Abs(x) > wideFrom {
		s.widen()
	}
}

// widen goes over to a number without limits.
func (s *DoubleSum) widen() {
	if s.wide == nil {
		s.wide = new(big.Float).SetPrec(DoubleSumBits)
		for _, x := range s.parts {
			s.wide.Add(s.wide, new(big.Float).SetFloat64(x))
		}
		s.parts = nil
	}
}

// Clone is a sum that can be added to alone.
func (s *DoubleSum) Clone() DoubleSum {
	c := DoubleSum{parts: slices.Clone(s.parts), special: s.special}
	if s.wide != nil {
		c.wide = new(big.Float).Copy(s.wide)
	}
	return c
}

// Special is the sum of infinities and NaNs: 0 if there are none.
func (s *DoubleSum) Special() float64 { return s.special }

// Exact is the sum as it is. It must be finite.
func (s *DoubleSum) Exact() *big.Float {
	c := s.Clone()
	c.widen()
	return c.wide
}

// Value is the sum, rounded.
func (s *DoubleSum) Value() float64 {
	switch {
	case s.special != 0: // a NaN too
		return s.special
	case s.wide != nil:
		f, _ := s.wide.Float64()
		return f
	case len(s.parts) == 0:
		return 0
	}
	n := len(s.parts) - 1
	high, low := s.parts[n], 0.0
	for n > 0 && low == 0 {
		x := high
		n--
		high = x + s.parts[n]
		low = s.parts[n] - (high - x)
	}
	// Half an even last digit's worth was rounded down or up without the rest.
	if n > 0 && (low < 0) == (s.parts[n-1] < 0) {
		if y := 2 * low; y == (high+y)-high {
			high += y
		}
	}
	return high
}
