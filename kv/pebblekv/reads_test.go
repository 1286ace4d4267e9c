package pebblekv

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/kv"
)

// TestRepeatedReads: reading the same keys again and again, as a nested loop
// does, neither fills the transaction nor loses a conflict.
func TestRepeatedReads(t *testing.T) {
	ctx := context.Background()
	store, err := Open(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	key := func(i int) []byte { return fmt.Appendf(nil, "key%06d", i) }
	begin := func() kv.Transaction {
		tx, err := store.Begin(ctx, kv.TransactionOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return tx
	}
	for _, written := range []int{-1, 0, 1, 998, 1998} {
		tx := begin()
		for range 50 {
			for i := 0; i < 2000; i += 2 {
				if _, err := tx.Get(key(i)).Get(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if size := tx.Size(); size > 100_000 {
			t.Errorf("1,000 keys read 50 times count %d bytes", size)
		}
		tx.Set([]byte("mine"), nil)
		if written >= 0 {
			other := begin()
			other.Set(key(written), []byte("x"))
			if err := other.Commit(); err != nil {
				t.Fatal(err)
			}
		}
		err := tx.Commit()
		if want := written >= 0 && written%2 == 0; errors.Is(err, kv.ErrConflict) != want || !want && err != nil {
			t.Errorf("a write to key %d: %v", written, err)
		}
	}
}

// TestManyGets gets keys in any order, from several goroutines and beyond the number from which iterators do
// it, while other transactions overwrite, delete and add: each sees what was there when it began, and its own writes.
func TestManyGets(t *testing.T) {
	ctx := context.Background()
	store, err := Open("store", Options{FS: vfs.NewMem(), MemTableBytes: 256 << 10})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	begin := func() *transaction {
		tx, err := store.Begin(ctx, kv.TransactionOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return tx.(*transaction)
	}
	const keys = 2000
	key := func(i int) []byte { return fmt.Appendf(nil, "key%06d", i) }
	now := make([]string, keys) // what is committed; "" is absent
	r := rand.New(rand.NewPCG(testseed.Of(t, "", 0), 4))
	change := func() {
		tx := begin()
		for range 300 {
			i := r.IntN(keys)
			if now[i] = ""; r.IntN(3) > 0 {
				now[i] = fmt.Sprintf("%d %0*d", i, r.IntN(400), r.Int())
				tx.Set(key(i), []byte(now[i]))
			} else {
				tx.Clear(key(i))
			}
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	for range 20 {
		change()
	}
	for round := range 6 {
		tx := begin()
		then := append([]string(nil), now...)
		then[round] = "mine"
		tx.Set(key(round), []byte("mine"))
		var readers sync.WaitGroup
		for g := range 3 {
			readers.Go(func() {
				r := rand.New(rand.NewPCG(uint64(round), uint64(g)))
				i := 0
				for n := range 600 {
					if i++; n%7 == 0 || i >= keys {
						i = r.IntN(keys)
					}
					v, err := tx.Get(key(i)).Get()
					if err != nil || string(v) != then[i] || (v == nil) != (then[i] == "") {
						t.Errorf("key %d is %q, want %q: %v", i, v, then[i], err)
						return
					}
					if n%400 == 0 {
						tx.rest()
					}
				}
			})
		}
		for range 3 {
			change()
		}
		readers.Wait()
		if _, err := tx.Get(key(0)).Get(); err != nil { // what is not used for a second is let go
			t.Fatal(err)
		}
		if len(tx.points) == 0 || len(tx.points) > maxPoints {
			t.Errorf("%d iterators are left", len(tx.points))
		}
		tx.Cancel()
		if len(tx.points) != 0 {
			t.Error("iterators outlive the transaction")
		}
		if _, err := tx.Get(key(0)).Get(); err == nil {
			t.Error("a transaction that is over reads")
		}
	}
}

// TestSpareIterators: transactions at one version use the iterators of those before them, and see what is there at that
// version; a commit, and what Pebble does by itself, end them all.
func TestSpareIterators(t *testing.T) {
	ctx := context.Background()
	fs := vfs.NewMem()
	opened, err := Open("store", Options{FS: fs, MemTableBytes: 256 << 10})
	if err != nil {
		t.Fatal(err)
	}
	s := opened.(*store)
	const keys = 200
	key := func(i int) []byte { return fmt.Appendf(nil, "key%06d", i) }
	begin := func() kv.Transaction {
		tx, err := s.Begin(ctx, kv.TransactionOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return tx
	}
	write := func(round int) {
		tx := begin()
		for i := 0; i < keys; i += 2 {
			if (i/2+round)%3 == 0 {
				tx.Clear(key(i))
			} else {
				tx.Set(key(i), fmt.Appendf(nil, "%d of %d", i, round))
			}
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	spares := func() (points, ranges int) {
		s.mu.Lock()
		defer s.mu.Unlock()
		p := &s.current.spare
		p.mu.Lock()
		defer p.mu.Unlock()
		return len(p.points), len(p.ranges)
	}
	read := func(round int) {
		t.Helper()
		tx := begin()
		defer tx.Cancel()
		want := func(i int) string {
			if i%2 == 1 || (i/2+round)%3 == 0 {
				return ""
			}
			return fmt.Sprintf("%d of %d", i, round)
		}
		for _, i := range rand.Perm(keys)[:9] {
			if v, err := tx.Get(key(i)).Get(); err != nil || string(v) != want(i) || (v == nil) != (want(i) == "") {
				t.Fatalf("key %d in round %d: %q, %v", i, round, v, err)
			}
		}
		from := rand.IntN(keys)
		it := tx.Range(kv.Range{Start: key(from), End: key(from + 20)}, kv.RangeOptions{Reverse: rand.IntN(2) == 0})
		defer it.Close()
		met := 0
		for it.Next() {
			met++
			var i int
			if _, err := fmt.Sscanf(string(it.Key()), "key%d", &i); err != nil || string(it.Value()) != want(i) {
				t.Fatalf("%s in round %d: %q", it.Key(), round, it.Value())
			}
		}
		there := 0
		for i := from; i < min(from+20, keys); i++ {
			if want(i) != "" {
				there++
			}
		}
		if met != there || it.Err() != nil {
			t.Fatalf("%d keys from %d in round %d, want %d: %v", met, from, round, there, it.Err())
		}
	}
	kept := 0
	for round := range 12 {
		write(round)
		if points, ranges := spares(); points+ranges > 0 {
			t.Errorf("%d and %d iterators behind a commit", points, ranges)
		}
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() {
				for range 40 {
					read(round)
				}
			})
		}
		all.Wait()
		points, ranges := spares()
		if points > maxSpare || ranges > maxSpare {
			t.Errorf("%d and %d iterators are kept", points, ranges)
		}
		if kept += min(points, ranges); round%3 == 2 {
			was := s.current.spare.changes
			if err := s.db.Flush(); err != nil {
				t.Fatal(err)
			}
			read(round)
			s.sweep.addIterators(s.current.spare.rest(&s.work)) // as is done from time to time
			if points, ranges := spares(); points+ranges > 0 && s.current.spare.changes == was {
				t.Error("iterators outlast a flush")
			}
		}
	}
	if kept == 0 {
		t.Error("no iterators are kept")
	}
	old := begin()
	write(100)
	if _, err := old.Get(key(2)).Get(); err != nil {
		t.Fatal(err)
	}
	old.Cancel()
	read(100)
	if err := s.Close(); err != nil { // Pebble tells of iterators that are open
		t.Fatal(err)
	}
}

// BenchmarkShortReads are transactions that get one key and read a few of a range, with the iterators of those before
// them and without.
func BenchmarkShortReads(b *testing.B) {
	opened, err := Open(b.TempDir(), Options{})
	if err != nil {
		b.Fatal(err)
	}
	s := opened.(*store)
	defer s.Close()
	ctx := context.Background()
	const keys = 200_000
	key := func(i int) []byte { return fmt.Appendf(nil, "key%08d", i) }
	for i := 0; i < keys; {
		tx, err := s.Begin(ctx, kv.TransactionOptions{NoReadYourWrites: true})
		if err != nil {
			b.Fatal(err)
		}
		for range 1000 {
			tx.Set(key(i*7919%keys), make([]byte, 300))
			i++
		}
		if err := tx.Commit(); err != nil {
			b.Fatal(err)
		}
	}
	if err := s.db.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := s.db.Compact(ctx, []byte("k"), []byte("l"), false); err != nil {
		b.Fatal(err)
	}
	for _, gets := range []int{1, 10} {
		for _, spare := range []bool{true, false} {
			b.Run(fmt.Sprintf("gets=%d/spare=%v", gets, spare), func(b *testing.B) {
				s.sweep.addIterators(s.current.spare.close())
				s.current.spare.closed = !spare
				s.current.gets.Store(0)
				if !spare {
					s.current.gets.Store(-1 << 40)
				}
				for b.Loop() {
					tx, err := s.Begin(ctx, kv.TransactionOptions{NoReadYourWrites: true})
					if err != nil {
						b.Fatal(err)
					}
					from := rand.IntN(keys - 100)
					it := tx.Range(kv.Range{Start: key(from), End: key(from + 3)}, kv.RangeOptions{})
					for it.Next() {
					}
					it.Close()
					for i := range gets {
						if _, err := tx.Get(key(from + 9*i)).Get(); err != nil {
							b.Fatal(err)
						}
					}
					tx.Cancel()
				}
			})
		}
	}
}
