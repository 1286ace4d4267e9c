package costing

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestCounterSums: any changes, added as 24-byte little-endian integers, give
// their exact sums when the totals are not negative.
func TestCounterSums(t *testing.T) {
	modulus := new(big.Int).Lsh(big.NewInt(1), 8*CounterSize)
	rapid.Check(t, func(t *rapid.T) {
		sum := new(big.Int)
		var total Count
		part := rapid.Int64Range(-1000, 1000)
		changes := rapid.SliceOf(rapid.Custom(func(t *rapid.T) Count {
			return Count{part.Draw(t, "documents"), part.Draw(t, "entries"), part.Draw(t, "bytes")}
		})).Draw(t, "changes")
		add := func(c Count) {
			b := AppendCounter(nil, c)
			slices.Reverse(b)
			sum.Add(sum, new(big.Int).SetBytes(b))
			sum.Mod(sum, modulus)
			total = total.Add(c)
		}
		for _, c := range changes {
			add(c)
		}
		// Bring each total to zero or more, as true totals are.
		add(Count{max(0, -total.Documents), max(0, -total.Entries), max(0, -total.Bytes)})
		stored := make([]byte, CounterSize)
		sum.FillBytes(stored)
		slices.Reverse(stored)
		got, err := DecodeCounter(stored)
		if err != nil || got != total {
			t.Fatalf("%+v, %v; want %+v", got, err, total)
		}
	})
}

func TestDecodeCounter(t *testing.T) {
	if c, err := DecodeCounter(nil); err != nil || !c.IsZero() {
		t.Errorf("absent: %+v, %v", c, err)
	}
	if _, err := DecodeCounter(make([]byte, 8)); err == nil {
		t.Error("a short counter is accepted")
	}
	if _, err := DecodeCounter(AppendCounter(nil, Count{Documents: -1})); err == nil {
		t.Error("a negative counter is accepted")
	}
}
