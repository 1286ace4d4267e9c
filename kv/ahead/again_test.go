package ahead_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/ahead"
	"github.com/sqlfdb/sqlfdb/kv/overlay"
)

// some walks at most so many pairs and gives their keys and values.
func some(t *testing.T, it kv.Iterator, most int) []string {
	t.Helper()
	defer it.Close()
	var met []string
	for len(met) < most && it.Next() {
		met = append(met, string(it.Key())+"="+string(it.Value()))
	}
	if err := it.Err(); err != nil {
		t.Fatal(err)
	}
	return met
}

// TestReadTwice: who reads a range behind another one gets the same, asks for nothing that was met, and
// goes on behind it.
func TestReadTwice(t *testing.T) {
	s := filled(t, 3000)
	all := kv.PrefixRange([]byte("key/"))
	for _, opts := range []kv.RangeOptions{{}, {Reverse: true}, {Limit: 40}, {Streaming: kv.StreamAll}} {
		for _, met := range []int{0, 1, 32, 40, 2500, 5000} {
			tx := begin(t, s)
			over := overlay.New(tx)
			some(t, ahead.ReadTwice(over.Snapshot(), all, opts), met)
			requests := s.Requests()
			got := some(t, over.Statement().Range(all, opts), 20)
			asked := s.Requests() - requests
			want := some(t, begin(t, s).Range(all, opts), 20)
			if !slices.Equal(got, want) {
				t.Errorf("%+v: behind %d: %q, want %q", opts, met, got, want)
			}
			if asked != 0 && met > 0 && met <= 40 { // with none met, the batch behind the first is asked for now
				t.Errorf("%+v: behind %d: %d requests", opts, met, asked)
			}
			some(t, ahead.ReadTwice(tx.Snapshot(), all, opts), met)
			got, want = some(t, ahead.ReadTwice(tx.Snapshot(), all, opts), 9000), some(t, begin(t, s).Range(all, opts), 9000)
			if !slices.Equal(got, want) {
				t.Errorf("%+v: behind %d: %d pairs, want %d", opts, met, len(got), len(want))
			}
			tx.Cancel()
		}
	}
}

// TestReadTwiceRandom: many walks of some ranges, noted or not, to some point, with writes between them, are those
// of a transaction that notes nothing.
func TestReadTwiceRandom(t *testing.T) {
	for seed := range uint64(30) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		s := filled(t, 200)
		base, plainBase := begin(t, s), begin(t, s)
		over, plain := overlay.New(base), overlay.New(plainBase)
		for step := range 100 {
			if rnd.IntN(8) == 0 {
				k := key(rnd.IntN(250))
				over.Set(k, []byte("new"))
				plain.Set(k, []byte("new"))
			}
			from := rnd.IntN(4) * 50
			of := kv.Range{Start: key(from), End: key(from + 50 + rnd.IntN(2)*30)}
			opts := kv.RangeOptions{Reverse: rnd.IntN(2) == 0, Limit: rnd.IntN(2) * 10}
			most := rnd.IntN(60)
			want := some(t, plain.Range(of, opts), most)
			var it kv.Iterator
			switch rnd.IntN(3) {
			case 0:
				it = ahead.ReadTwice(over.Snapshot(), of, opts)
			case 1:
				it = over.Snapshot().Range(of, opts)
			case 2:
				it = over.Range(of, opts)
			}
			if got := some(t, it, most); !slices.Equal(got, want) {
				t.Fatalf("seed %d, step %d: %d of %s, %+v: %q, want %q", seed, step, most, of, opts, got, want)
			}
		}
	}
}

// TestReadTwiceConflicts: the one that comes second conflicts on what it has walked over.
func TestReadTwiceConflicts(t *testing.T) {
	all := kv.PrefixRange([]byte("key/"))
	for _, reverse := range []bool{false, true} {
		for _, open := range []bool{false, true} {
			for met := range 7 {
				for written := range 5 {
					name := fmt.Sprintf("reverse %v, open %v: %d met, %d written", reverse, open, met, written)
					s := filled(t, 5)
					tx := begin(t, s)
					opts := kv.RangeOptions{Reverse: reverse}
					some(t, ahead.ReadTwice(tx.Snapshot(), all, opts), 3)
					it := tx.Range(all, opts)
					for range met {
						it.Next()
					}
					if !open {
						it.Close()
					}
					write(t, s, func(tx kv.Transaction) { tx.Set(key(written), nil) })
					tx.Set([]byte("other"), nil)
					at := written
					if reverse {
						at = 4 - written
					}
					if err := tx.Commit(); errors.Is(err, kv.ErrConflict) != (at < met) {
						t.Errorf("%s: %v", name, err)
					}
					it.Close()
				}
			}
		}
	}
}

// TestReadTwiceBounds: what is kept is bounded, and nothing is after the end.
func TestReadTwiceBounds(t *testing.T) {
	s := filled(t, 8000)
	tx := begin(t, s)
	all, opts := kv.PrefixRange([]byte("key/")), kv.RangeOptions{Streaming: kv.StreamAll}
	some(t, ahead.ReadTwice(tx.Snapshot(), all, opts), 9000)
	before := s.Requests()
	if got := some(t, tx.Range(all, opts), 9000); len(got) != 8000 {
		t.Errorf("%d pairs", len(got))
	}
	if s.Requests() == before {
		t.Error("160 kB of pairs were kept")
	}
	opts = kv.RangeOptions{}
	for i := range 3000 {
		some(t, ahead.ReadTwice(tx.Snapshot(), kv.PointRange(key(i)), opts), 1)
	}
	before = s.Requests()
	for i := range 3000 {
		some(t, tx.Range(kv.PointRange(key(i)), opts), 1)
	}
	if kept := 3000 - (s.Requests() - before); kept < 1 || kept > 64 {
		t.Errorf("%d ranges were kept", kept)
	}
	it := ahead.ReadTwice(tx.Snapshot(), all, opts)
	tx.Cancel()
	it.Close()
	it.Close()
	if it = tx.Range(all, opts); it.Next() || !errors.Is(it.Err(), kv.ErrDone) {
		t.Errorf("after the end: %v", it.Err())
	}
}

// TestOnlyAgain: where reads don't wait nothing is started, and what is read again is read once all the same.
func TestOnlyAgain(t *testing.T) {
	s := filled(t, 80)
	base, err := s.Begin(context.Background(), kv.TransactionOptions{NoReadYourWrites: true})
	if err != nil {
		t.Fatal(err)
	}
	tx := ahead.New(base, ahead.Options{OnlyAgain: true})
	defer tx.Cancel()
	of, opts := kv.PrefixRange([]byte("key/")), kv.RangeOptions{}
	asked := func(want int64, what string, do func()) {
		t.Helper()
		before := s.Requests()
		do()
		if n := s.Requests() - before; n != want {
			t.Errorf("%s: %d requests, want %d", what, n, want)
		}
	}
	var none *ahead.Tx
	if tx.Starts() || none.Starts() {
		t.Error("reads are started")
	}
	asked(0, "what is started", func() {
		tx.Start(key(1))
		tx.StartRange(of, opts)
		tx.EnsureRange(of, opts)
		tx.Starter().Get(key(2))
	})
	asked(2, "two keys", func() {
		wantValue(t, tx, 1)
		wantValue(t, tx, 2)
	})
	tx.Keep()
	asked(1, "a key that is read twice", func() {
		wantValue(t, overlay.New(tx), 3)
		tx.Leave()
		wantValue(t, tx, 3)
	})
	tx.Forget(key(3))
	asked(1, "a key that is forgotten", func() { wantValue(t, tx, 3) })
	asked(1, "a range that is read twice", func() {
		some(t, ahead.ReadTwice(tx.Snapshot(), of, opts), 40)
		some(t, tx.Range(of, opts), 40)
	})
}
