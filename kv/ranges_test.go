package kv_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/kv"
)

// TestJoinReads: what has been read stays read, what is far from it does not become so, and many take no room.
func TestJoinReads(t *testing.T) {
	random := rand.New(rand.NewPCG(testseed.Of(t, "seed", 0), 1))
	for _, n := range []int{0, 1, 100, 120_000, 400_000} {
		var read []kv.Range
		for range n {
			start := fmt.Appendf(nil, "collection%d/%08d", random.IntN(3), random.IntN(1_000_000))
			read = append(read, kv.Range{Start: start, End: append(bytes.Clone(start), byte(random.IntN(3)))})
		}
		joined := kv.JoinReads(slices.Clone(read), 24)
		var size int
		at := 0
		for i, r := range joined {
			size += len(r.Start) + len(r.End) + 24
			if i > 0 && bytes.Compare(joined[i-1].End, r.Start) >= 0 {
				t.Fatalf("%d ranges: %q is not behind %q", n, r, joined[i-1])
			}
			if !bytes.Equal(r.Start[:11], r.End[:11]) {
				t.Errorf("%d ranges: %q is of two collections", n, r)
			}
		}
		if size > 2<<20 {
			t.Errorf("%d ranges: %d bytes are left of them", n, size)
		}
		read = kv.Coalesce(read)
		if n <= 100 && len(joined) != len(read) {
			t.Errorf("of %d ranges %d are left", len(read), len(joined))
		}
		for _, r := range read {
			for at < len(joined)-1 && bytes.Compare(joined[at].End, r.Start) <= 0 {
				at++
			}
			if bytes.Compare(joined[at].Start, r.Start) > 0 || bytes.Compare(joined[at].End, r.End) < 0 {
				t.Fatalf("%d ranges: %q is not covered", n, r)
			}
		}
	}
}
