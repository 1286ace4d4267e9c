package ordered_test

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// TestInt64: an integer of up to 18 digits is read as Decode reads it, and nothing else is one, damaged or not.
func TestInt64(t *testing.T) {
	rng := rand.New(rand.NewPCG(testseed.Of(t, "", 0), 0))
	read := 0
	check := func(b []byte) {
		t.Helper()
		n, ok := ordered.Int64(b)
		d, err := ordered.Decode(b, ordered.DecodeOptions{})
		want, parsed := strconv.ParseInt(d.Text, 10, 64)
		is := err == nil && d.Class == ordered.ClassNumber && parsed == nil
		if ok && (!is || n != want) {
			t.Fatalf("% x: %d, decoded %q (%v)", b, n, d.Text, err)
		}
		if !ok && is && want > -1e18 && want < 1e18 {
			t.Fatalf("% x: not read, decoded %q", b, d.Text)
		}
		if ok {
			read++
		}
	}
	for range 20_000 {
		text := strconv.FormatInt(rng.Int64()>>rng.IntN(64), 10)
		switch rng.IntN(8) {
		case 0:
			text += "." + strconv.Itoa(rng.IntN(100))
		case 1:
			text += "e" + strconv.Itoa(rng.IntN(12)-4)
		}
		b, err := ordered.AppendNumber(nil, text)
		if err != nil {
			t.Fatal(err)
		}
		check(b)
		b[rng.IntN(len(b))] = byte(rng.IntN(256))
		check(b)
		check(b[:rng.IntN(len(b))])
	}
	if read < 10_000 {
		t.Errorf("%d were integers", read)
	}
}
