package pebblekv_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

func begin(t testing.TB, s kv.Store) kv.Transaction {
	t.Helper()
	tx, err := s.Begin(context.Background(), kv.TransactionOptions{NoReadYourWrites: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tx.Cancel)
	return tx
}

// TestPausedIterator pauses a scan for so long that its Pebble iterator is let
// go, while the rows are deleted.
func TestPausedIterator(t *testing.T) {
	s := open(t, "store", pebblekv.Options{FS: vfs.NewMem()})
	defer s.Close()
	const n = 3000
	tx := begin(t, s)
	for i := range n {
		tx.Set(fmt.Appendf(nil, "k%05d", i), nil)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	for _, reverse := range []bool{false, true} {
		tx := begin(t, s)
		it := tx.Range(kv.Range{End: kv.MaxKey}, kv.RangeOptions{Reverse: reverse})
		i := 0
		for ; it.Next(); i++ {
			want := i
			if reverse {
				want = n - 1 - i
			}
			if string(it.Key()) != fmt.Sprintf("k%05d", want) {
				t.Fatalf("reverse %v: row %d is %s", reverse, i, it.Key())
			}
			if i == 10 || i == 700 {
				for range 3 {
					pebblekv.Rest(s)
				}
			}
			if i == 10 && reverse {
				clear := begin(t, s)
				clear.ClearRange(kv.Range{End: kv.MaxKey})
				if err := clear.Commit(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if i != n || it.Err() != nil {
			t.Fatalf("reverse %v: %d rows, %v", reverse, i, it.Err())
		}
		it.Close()
	}
}

// TestConflictWindowBound writes more than the window holds while transactions
// are open.
func TestConflictWindowBound(t *testing.T) {
	s := open(t, "store", pebblekv.Options{FS: vfs.NewMem(), ConflictWindowBytes: 64 << 10})
	defer s.Close()
	old, blind, reader := begin(t, s), begin(t, s), begin(t, s)
	for _, tx := range []kv.Transaction{old, reader} {
		if _, err := tx.Get([]byte("x")).Get(); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 2000 {
		if err := pair(s, i, 10); err != nil {
			t.Fatal(err)
		}
	}
	old.Set([]byte("old"), nil)
	blind.Set([]byte("blind"), nil)
	if err := old.Commit(); !errors.Is(err, kv.ErrTooOld) {
		t.Errorf("commit of an old read version: %v", err)
	}
	if err := blind.Commit(); err != nil {
		t.Errorf("commit without reads: %v", err)
	}
	if err := reader.Commit(); err != nil {
		t.Errorf("commit without writes: %v", err)
	}
}

// TestWindowEmpties checks that the window keeps nothing that no one needs.
func TestWindowEmpties(t *testing.T) {
	s := open(t, "store", pebblekv.Options{FS: vfs.NewMem()})
	defer s.Close()
	for i := range 500 {
		if err := pair(s, i, 10); err != nil {
			t.Fatal(err)
		}
	}
	if n := pebblekv.WindowBytes(s); n > 4<<10 {
		t.Errorf("the window holds %d bytes with no transaction open", n)
	}
}

// TestCounterReads checks that a counter is one plain value after many adds.
func TestCounterReads(t *testing.T) {
	s := open(t, "store", pebblekv.Options{FS: vfs.NewMem()})
	defer s.Close()
	adds := 100_000
	if testing.Short() {
		adds = 10_000
	}
	var wg sync.WaitGroup
	for range 32 {
		wg.Go(func() {
			for range adds / 32 / 10 {
				tx := begin(t, s)
				for range 10 {
					tx.Add([]byte("n"), []byte{1, 0, 0, 0})
				}
				if err := tx.Commit(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	took := time.Hour
	for n := 0; n < 50 && took > 20*time.Millisecond; n++ { // a busy machine makes some take longer, not all of them
		tx := begin(t, s)
		start := time.Now()
		v, err := tx.Get([]byte("n")).Get()
		took = min(took, time.Since(start))
		if n := adds / 320 * 320; err != nil || int(v[0])|int(v[1])<<8|int(v[2])<<16 != n {
			t.Fatalf("%d adds give %x, %v", n, v, err)
		}
	}
	if took > 20*time.Millisecond {
		t.Errorf("reading it took %v at best", took)
	}
}

// TestWithdrawn ends contexts around commits: what is refused with the
// context's error has not happened.
func TestWithdrawn(t *testing.T) {
	s := open(t, "store", pebblekv.Options{FS: vfs.NewMem()})
	defer s.Close()
	acked, unknown := map[int]bool{}, map[int]bool{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := g; i < 800; i += 8 {
				ctx, cancel := context.WithCancel(context.Background())
				tx, err := s.Begin(ctx, kv.TransactionOptions{})
				if err != nil {
					t.Error(err)
				}
				tx.Set(fmt.Appendf(nil, "a%06d", i), nil)
				tx.Set(fmt.Appendf(nil, "z%06d", i), nil)
				tx.Add([]byte("count"), []byte{1, 0, 0, 0})
				go func() {
					for range i % 50 {
						runtime.Gosched()
					}
					cancel()
				}()
				err = tx.Commit()
				mu.Lock()
				switch {
				case err == nil:
					acked[i] = true
				case errors.Is(err, kv.ErrUnknownCommit):
					unknown[i] = true
				case !errors.Is(err, context.Canceled):
					t.Error(err)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	verify(t, s, acked, unknown)
	t.Logf("%d of 800 committed, %d unknown", len(acked), len(unknown))
}

// TestWatchOfOutlived: the watches of a transaction that outlived its life
// end with it, though it never commits.
func TestWatchOfOutlived(t *testing.T) {
	s := open(t, "store", pebblekv.Options{FS: pebblekv.MemoryFS(), TransactionLife: 20 * time.Millisecond})
	defer s.Close()
	tx := begin(t, s)
	tx.Set([]byte("a"), nil)
	w, err := tx.Watch([]byte("b"))
	for n := 0; n < 100 && errors.Is(err, kv.ErrTooOld); n++ { // a busy machine stands still for longer
		tx = begin(t, s)
		w, err = tx.Watch([]byte("b"))
	}
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond)
	tx.Cancel()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := w.Wait(ctx); err == nil || ctx.Err() != nil {
		t.Errorf("wait: %v", err)
	}
}

func TestMustExist(t *testing.T) {
	fs := pebblekv.MemoryFS()
	if s, err := pebblekv.Open("store", pebblekv.Options{FS: fs, MustExist: true}); err == nil {
		s.Close()
		t.Fatal("a store was made")
	}
	if err := open(t, "store", pebblekv.Options{FS: fs}).Close(); err != nil {
		t.Fatal(err)
	}
	if err := open(t, "store", pebblekv.Options{FS: fs, MustExist: true}).Close(); err != nil {
		t.Fatal(err)
	}
}
