package costing

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/kv"
)

// TestSpreadKeepsApart: whatever the order in which ranges are asked about, there are a bounded number of boundaries in
// the order of keys, no part is less than it is, and once all keys have been asked about no part is much too wide.
func TestSpreadKeepsApart(t *testing.T) {
	const keys = 2000
	key := func(i int) []byte { return binary.BigEndian.AppendUint32(nil, uint32(i)) }
	up := make([]int, keys)
	for i := range up {
		up[i] = i
	}
	down := slices.Clone(up)
	slices.Reverse(down)
	rnd := rand.New(rand.NewPCG(testseed.Of(t, "", 0), 2))
	for name, order := range map[string][]int{"up": up, "down": down, "random": rnd.Perm(keys)} {
		var s spread
		for _, i := range order {
			s = s.add(key(i), float64(i)/keys).add(key(i+1), float64(i+1)/keys)
			if len(s) > maxBoundaries {
				t.Fatalf("%s: %d boundaries", name, len(s))
			}
		}
		if !slices.IsSortedFunc(s, func(a, b boundary) int { return slices.Compare(a.key, b.key) }) {
			t.Errorf("%s: boundaries out of order", name)
		}
		for i := range keys {
			part, _ := s.share(kv.Range{Start: key(i), End: key(i + 1)})
			if part < 0.999/keys || part > 2*wideShare {
				t.Errorf("%s: key %d is thought to be in a part of %.4f", name, i, part)
				break
			}
		}
	}
}
