package exec

import (
	"math/big"
	"math/bits"
	"strings"
)

// Aggregate makes one value of the rows of each group.
type Aggregate interface {
	// Add adds the selected rows to their groups, of which there are so many by now: rows[i] is of group[i]. It is
	// false where a row is not computed here.
	Add(b *Batch, rows, group []int32, groups int) bool
}

// grown is a slice with room for all groups.
func grown[T any](s []T, groups int) []T {
	if len(s) < groups {
		s = append(s, make([]T, groups-len(s))...)
	}
	return s
}

// Count is COUNT.
type Count struct {
	Of *Expression // nil: of all rows
	N  []int64     // by group
}

// Add implements Aggregate.
func (c *Count) Add(b *Batch, rows, group []int32, groups int) bool {
	c.N = grown(c.N, groups)
	if c.Of == nil {
		for i, r := range rows {
			c.N[group[i]] += b.weight(r)
		}
		return true
	}
	of, ok := c.Of.Eval(b, rows)
	if !ok {
		return false
	}
	for i, r := range rows {
		if !of.IsNull(r) {
			c.N[group[i]] += b.weight(r)
		}
	}
	return true
}

// wide is an integer of 128 bits with a sign.
type wide struct {
	high int64
	low  uint64
}

// add adds n so many times.
func (w *wide) add(n, times int64) {
	high, low := n>>63, uint64(n)
	if times != 1 {
		var over uint64
		over, low = bits.Mul64(uint64(n), uint64(times))
		high = int64(over) + n>>63*times
	}
	var carry uint64
	w.low, carry = bits.Add64(w.low, low, 0)
	w.high += high + int64(carry)
}

// Sum is the sum of integers, decimals or DOUBLEs, exact until it is asked for.
type Sum struct {
	Of      *Expression
	N       []int64 // by group: how many were added
	whole   []wide
	doubles []DoubleSum
}

// Add implements Aggregate.
func (s *Sum) Add(b *Batch, rows, group []int32, groups int) bool {
	of, ok := s.Of.Eval(b, rows)
	if !ok {
		return false
	}
	s.N = grown(s.N, groups)
	if s.Of.Type.Kind == Float {
		s.doubles = grown(s.doubles, groups)
		for i, r := range rows {
			if g := group[i]; !of.IsNull(r) {
				s.N[g] += b.weight(r)
				s.doubles[g].Add(of.Floats[r], b.weight(r))
			}
		}
		return true
	}
	s.whole = grown(s.whole, groups)
	for i, r := range rows {
		if g := group[i]; !of.IsNull(r) {
			s.N[g] += b.weight(r)
			s.whole[g].add(of.Ints[r], b.weight(r))
		}
	}
	return true
}

// Whole is the sum of a group: of decimals without their point.
func (s *Sum) Whole(group int) *big.Int {
	w := s.whole[group]
	n := big.NewInt(w.high)
	return n.Lsh(n, 64).Add(n, new(big.Int).SetUint64(w.low))
}

// Double is the sum of DOUBLEs of a group.
func (s *Sum) Double(group int) float64 { return s.doubles[group].Value() }

// Extreme is MIN or MAX. Of equal values the first stays.
type Extreme struct {
	Of  *Expression
	Max bool
	// Compare compares texts.
	Compare func(a, b string) int
	Met     []bool // by group: whether there is a value
	Ints    []int64
	Floats  []float64
	Texts   []string
}

// Add implements Aggregate.
func (x *Extreme) Add(b *Batch, rows, group []int32, groups int) bool {
	of, ok := x.Of.Eval(b, rows)
	if !ok {
		return false
	}
	x.Met = grown(x.Met, groups)
	switch x.Of.Type.Kind {
	case Float:
		x.Floats = grown(x.Floats, groups)
		extreme(x, of, of.Floats, x.Floats, rows, group, func(a, b float64) bool { return a < b }, nil)
	case Text:
		x.Texts = grown(x.Texts, groups)
		extreme(x, of, of.Texts, x.Texts, rows, group, func(a, b string) bool { return a != b && x.Compare(a, b) < 0 },
			strings.Clone)
	default:
		x.Ints = grown(x.Ints, groups)
		extreme(x, of, of.Ints, x.Ints, rows, group, func(a, b int64) bool { return a < b }, nil)
	}
	return true
}

// extreme keeps the best value of each group, owned if it would keep a document.
func extreme[T any](x *Extreme, of *Column, from, best []T, rows, group []int32, less func(a, b T) bool,
	owned func(T) T) {
	for i, r := range rows {
		if of.IsNull(r) {
			continue
		}
		v, g := from[r], group[i]
		if !x.Met[g] || x.Max && less(best[g], v) || !x.Max && less(v, best[g]) {
			if owned != nil {
				v = owned(v)
			}
			x.Met[g], best[g] = true, v
		}
	}
}

// First is the value in the first row of each group.
type First struct {
	Of     *Expression
	Null   []bool // by group
	Ints   []int64
	Floats []float64
	Texts  []string
}

// Add implements Aggregate.
func (f *First) Add(b *Batch, rows, group []int32, groups int) bool {
	of, ok := f.Of.Eval(b, rows)
	if !ok {
		return false
	}
	met := int32(len(f.Null))
	f.Null = grown(f.Null, groups)
	switch f.Of.Type.Kind {
	case Float:
		f.Floats = grown(f.Floats, groups)
	case Text:
		f.Texts = grown(f.Texts, groups)
	default:
		f.Ints = grown(f.Ints, groups)
	}
	for i, r := range rows {
		g := group[i]
		if g < met {
			continue
		}
		met = g + 1 // groups are numbered as their first rows come
		f.Null[g] = of.IsNull(r)
		switch f.Of.Type.Kind {
		case Float:
			f.Floats[g] = of.Floats[r]
		case Text:
			f.Texts[g] = strings.Clone(of.Texts[r])
		default:
			f.Ints[g] = of.Ints[r]
		}
	}
	return true
}
