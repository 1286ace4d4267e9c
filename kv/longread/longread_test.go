package longread_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/faultkv"
	"github.com/sqlfdb/sqlfdb/kv/longread"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

func open(t *testing.T, life time.Duration) *faultkv.Store {
	t.Helper()
	base, err := pebblekv.Open("store", pebblekv.Options{FS: pebblekv.MemoryFS(), TransactionLife: life})
	if err != nil {
		t.Fatal(err)
	}
	s := faultkv.New(base)
	t.Cleanup(func() { s.Close() })
	return s
}

func key(n int) []byte { return fmt.Appendf(nil, "k%04d", n) }

func write(t *testing.T, s kv.Store, do func(kv.Writer)) {
	t.Helper()
	if err := kv.Transact(context.Background(), s, kv.TransactOptions{}, func(tx kv.Transaction) error {
		do(tx)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

func fill(t *testing.T, s kv.Store, n int) {
	t.Helper()
	write(t, s, func(w kv.Writer) {
		for i := range n {
			w.Set(key(i), fmt.Appendf(nil, "v%d", i))
		}
	})
}

// read walks a range and gets each key once more.
func read(r kv.Reader, keys kv.Range, opts kv.RangeOptions) (pairs []string, err error) {
	it := r.Range(keys, opts)
	defer it.Close()
	for it.Next() {
		k, v := string(it.Key()), string(it.Value())
		again, err := r.Get([]byte(k)).Get()
		if err != nil {
			return nil, err
		}
		if string(again) != v {
			return nil, fmt.Errorf("%s is %q in the range and %q alone", k, v, again)
		}
		pairs = append(pairs, k+"="+v)
	}
	return pairs, it.Err()
}

// TestEveryRead: whichever read finds its version too old, and whichever two do, what is
// read is what one version holds while nobody writes.
func TestEveryRead(t *testing.T) {
	s := open(t, 0)
	fill(t, s, 12)
	whole := kv.Range{Start: key(0), End: key(9999)}
	for _, opts := range []kv.RangeOptions{{}, {Reverse: true}, {Limit: 5}, {Limit: 5, Reverse: true},
		{Streaming: kv.StreamAll}} {
		tx, err := longread.Begin(context.Background(), s, longread.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := read(tx, whole, opts)
		if err != nil || tx.Epoch() != 0 {
			t.Fatalf("%v, epoch %d", err, tx.Epoch())
		}
		tx.Cancel()
		for first := int64(2); ; first++ {
			for second := first; second < first+4; second++ {
				renewals := 0
				tx, err := longread.Begin(context.Background(), s, longread.Options{Renewed: func(at kv.Reader) error {
					renewals++
					_, err := at.Get(key(0)).Get()
					return err
				}})
				if err != nil {
					t.Fatal(err)
				}
				s.Inject(func(c faultkv.Call) faultkv.Fault {
					if c.Number == first || c.Number == second {
						return faultkv.TooOld
					}
					return faultkv.None
				})
				have, err := read(tx, whole, opts)
				_, met := s.Inject(nil)
				if err != nil {
					t.Fatalf("%+v, too old at %d and %d: %v", opts, first, second, err)
				}
				if !slices.Equal(have, want) {
					t.Fatalf("%+v, too old at %d and %d: %v, want %v", opts, first, second, have, want)
				}
				if tx.Epoch() != met || int64(renewals) != met {
					t.Fatalf("%d faults, epoch %d, %d renewals", met, tx.Epoch(), renewals)
				}
				tx.Cancel()
				if met == 0 && first == second {
					goto done
				}
			}
		}
	done:
	}
}

// TestWriters: while others write, keys come in order and once, those that nobody touches
// all come, and what was read within one epoch stands at one version.
func TestWriters(t *testing.T) {
	s := open(t, 0)
	random := rand.New(rand.NewPCG(testseed.Of(t, "", 0), 2))
	for range 200 {
		fill(t, s, 40)
		tx, err := longread.Begin(context.Background(), s, longread.Options{})
		if err != nil {
			t.Fatal(err)
		}
		it := tx.Range(kv.Range{Start: key(0), End: key(9999)}, kv.RangeOptions{})
		touched := map[string]bool{}
		var met []string
		for it.Next() {
			met = append(met, string(it.Key()))
			if random.IntN(4) == 0 {
				victim := key(random.IntN(60))
				touched[string(victim)] = true
				write(t, s, func(w kv.Writer) {
					if random.IntN(2) == 0 {
						w.Clear(victim)
					} else {
						w.Set(victim, []byte("new"))
					}
				})
			}
			if random.IntN(4) == 0 {
				s.Inject(func(c faultkv.Call) faultkv.Fault {
					if c.Number == 1 {
						return faultkv.TooOld
					}
					return faultkv.None
				})
			}
		}
		if err := it.Err(); err != nil {
			t.Fatal(err)
		}
		it.Close()
		tx.Cancel()
		s.Inject(nil)
		if !slices.IsSorted(met) || len(slices.Compact(slices.Clone(met))) != len(met) {
			t.Fatalf("not in order, or twice: %v", met)
		}
		for i := range 40 {
			if k := string(key(i)); !touched[k] && !slices.Contains(met, k) {
				t.Fatalf("%s is missing", k)
			}
		}
		write(t, s, func(w kv.Writer) { w.ClearRange(kv.Range{Start: key(0), End: key(9999)}) })
	}
}

// TestLife: a walk goes on for longer than a transaction of the store lives, and one that
// makes no headway ends.
func TestLife(t *testing.T) {
	s := open(t, 20*time.Millisecond)
	fill(t, s, 10)
	tx, err := longread.Begin(context.Background(), s, longread.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Cancel()
	it := tx.Range(kv.Range{Start: key(0), End: key(9999)}, kv.RangeOptions{})
	defer it.Close()
	n := 0
	for ; it.Next(); n++ {
		if n%3 == 0 {
			time.Sleep(45 * time.Millisecond)
		}
		if _, err := tx.Get(it.Key()).Get(); err != nil {
			t.Fatal(err)
		}
	}
	if n != 10 || it.Err() != nil || tx.Epoch() < 3 {
		t.Fatalf("%d keys, epoch %d: %v", n, tx.Epoch(), it.Err())
	}
	s.Inject(func(c faultkv.Call) faultkv.Fault {
		if c.Op == faultkv.Get {
			return faultkv.TooOld
		}
		return faultkv.None
	})
	if _, err := tx.Get(key(1)).Get(); !errors.Is(err, kv.ErrTooOld) {
		t.Fatalf("a read that is always too old: %v", err)
	}
}

// TestEnds: an error of Renewed ends the transaction, so does Cancel, and other errors
// of reads are the reader's.
func TestEnds(t *testing.T) {
	s := open(t, 0)
	fill(t, s, 2)
	refusal := errors.New("no")
	tx, err := longread.Begin(context.Background(), s, longread.Options{Renewed: func(kv.Reader) error { return refusal }})
	if err != nil {
		t.Fatal(err)
	}
	inject := func(f faultkv.Fault) {
		s.Inject(func(c faultkv.Call) faultkv.Fault {
			if c.Number == 1 {
				return f
			}
			return faultkv.None
		})
	}
	inject(faultkv.TooOld)
	for range 2 {
		if _, err := tx.Get(key(0)).Get(); !errors.Is(err, refusal) {
			t.Fatalf("%v, want %v", err, refusal)
		}
	}
	tx.Cancel()
	if tx, err = longread.Begin(context.Background(), s, longread.Options{}); err != nil {
		t.Fatal(err)
	}
	inject(faultkv.Unavailable)
	if _, err := tx.Get(key(0)).Get(); !errors.Is(err, kv.ErrUnavailable) || tx.Epoch() != 0 {
		t.Fatalf("%v, epoch %d", err, tx.Epoch())
	}
	tx.Cancel()
	if _, err := tx.Get(key(0)).Get(); !errors.Is(err, kv.ErrDone) {
		t.Fatalf("%v, want %v", err, kv.ErrDone)
	}
	if tx, err = longread.Begin(context.Background(), s, longread.Options{}); err != nil {
		t.Fatal(err)
	}
	tx.Set(key(0), nil)
	if err := tx.Commit(); err == nil {
		t.Fatal("a write was committed")
	}
}

type wrapped struct{ kv.Reader }

func (w wrapped) Unwrap() kv.Reader { return w.Reader }

// TestOf: a reader is known through what wraps it.
func TestOf(t *testing.T) {
	s := open(t, 0)
	tx, err := longread.Begin(context.Background(), s, longread.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Cancel()
	if longread.Of(wrapped{wrapped{tx.Snapshot()}}) != tx {
		t.Error("the transaction is not found")
	}
	plain, err := s.Begin(context.Background(), kv.TransactionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Cancel()
	if of := longread.Of(wrapped{plain}); of != nil || of.Epoch() != 0 {
		t.Error("a transaction of the store reads longer")
	}
}
