package pebblekv

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// shuffled are operations on some keys, as a transaction has them: in order, of all kinds but cleared ranges.
func shuffled(n, keys int, r *rand.Rand) []op {
	ops := make([]op, n)
	for i := range ops {
		ops[i] = op{order: int32(i), key: fmt.Appendf(nil, "the same for all of a collection %09d", r.IntN(keys))}
	}
	return ops
}

// TestSortOps: operations are sorted by their keys, and those on one key stay in order; nothing passes a cleared range.
func TestSortOps(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 200 {
		ops := shuffled(n, 1+n/2, r)
		var clears []int
		for i := range ops {
			if r.IntN(40) == 0 {
				ops[i].kind, clears = opClearRange, append(clears, i)
			}
		}
		want, from := slices.Clone(ops), 0
		for _, end := range append(slices.Clone(clears), n) {
			slices.SortStableFunc(want[from:end], func(a, b op) int { return bytes.Compare(a.key, b.key) })
			from = end + 1
		}
		sortOps(ops)
		for i := range ops {
			if ops[i].order != want[i].order || !bytes.Equal(ops[i].key, want[i].key) {
				t.Fatalf("%d operations, cleared ranges at %v: at %d there is %d, want %d", n, clears, i, ops[i].order,
					want[i].order)
			}
		}
	}
}

// BenchmarkSortOps sorts what an INSERT of a document with 20 scalars writes.
func BenchmarkSortOps(b *testing.B) {
	given := shuffled(70, 1_000_000, rand.New(rand.NewPCG(1, 2)))
	ops := make([]op, len(given))
	b.ReportAllocs()
	for b.Loop() {
		copy(ops, given)
		sortOps(ops)
	}
}
