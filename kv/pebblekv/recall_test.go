package pebblekv_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

// TestUnwritten: what is said not to have been written between two versions has not been, however it would have been,
// and right behind a commit that is known.
func TestUnwritten(t *testing.T) {
	rng := rand.New(rand.NewPCG(testseed.Of(t, "", 0), 0))
	s := open(t, "store", pebblekv.Options{FS: vfs.NewMem()})
	defer s.Close()
	const keys = 20
	key := func(i int) []byte { return fmt.Appendf(nil, "key %02d", i) }
	reading := func() (kv.Transaction, int64) {
		tx := begin(t, s)
		version, err := tx.ReadVersion()
		if err != nil {
			t.Fatal(err)
		}
		return tx, version
	}
	type held struct {
		tx      kv.Transaction
		version int64
	}
	var last [keys]int64 // the first version at which a key's last write is seen
	var open []held
	told := 0
	_, before := reading()
	for range 2000 {
		tx, _ := reading()
		from, to := rng.IntN(keys), rng.IntN(keys)
		switch rng.IntN(4) {
		case 0:
			tx.Set(key(from), []byte{byte(to)})
			to = from + 1
		case 1:
			tx.Add(key(from), []byte{1, 0, 0, 0, 0, 0, 0, 0})
			to = from + 1
		case 2:
			tx.Clear(key(from))
			to = from + 1
		case 3:
			from, to = min(from, to), max(from, to)+1
			tx.ClearRange(kv.Range{Start: key(from), End: key(to)})
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		now, version := reading()
		for i := from; i < to; i++ {
			last[i] = version
		}
		for i := range keys {
			if last[i] == version && kv.Unwritten(now, key(i), before) {
				t.Fatalf("%s was written at %d: not behind %d?", key(i), version, before)
			}
			if last[i] < version && kv.Unwritten(now, key(i), before) {
				told++
			}
		}
		if rng.IntN(3) == 0 {
			open = append(open, held{now, version})
		} else {
			now.Cancel()
		}
		for _, h := range open {
			for i := range keys {
				since := h.version - rng.Int64N(5)
				if last[i] > since && last[i] <= h.version && kv.Unwritten(h.tx, key(i), since) {
					t.Fatalf("%s was written at %d: not between %d and %d?", key(i), last[i], since, h.version)
				}
			}
		}
		if len(open) > 5 {
			open[0].tx.Cancel()
			open = open[1:]
		}
		before = version
	}
	if told < 2000 {
		t.Errorf("that a key was not written was told %d times", told)
	}
}
