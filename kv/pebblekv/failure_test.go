package pebblekv_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

// pair commits one transaction of two keys that must live or die together.
func pair(s kv.Store, i int, size int) error {
	tx, err := s.Begin(context.Background(), kv.TransactionOptions{NoReadYourWrites: true})
	if err != nil {
		return err
	}
	defer tx.Cancel()
	v := make([]byte, size)
	tx.Set(fmt.Appendf(nil, "a%06d", i), v)
	tx.Set(fmt.Appendf(nil, "z%06d", i), v)
	tx.Add([]byte("count"), []byte{1, 0, 0, 0})
	return tx.Commit()
}

// verify checks that every acknowledged pair is there, that no other than those
// and the unknown ones is, that all are whole, and that the counter agrees.
func verify(t *testing.T, s kv.Store, acked, unknown map[int]bool) {
	t.Helper()
	tx, err := s.Begin(context.Background(), kv.TransactionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Cancel()
	halves := map[int]string{}
	var count int
	it := tx.Range(kv.Range{End: kv.MaxKey}, kv.RangeOptions{Streaming: kv.StreamAll})
	defer it.Close()
	for it.Next() {
		if string(it.Key()) == "count" {
			v := it.Value()
			count = int(v[0]) | int(v[1])<<8 | int(v[2])<<16
			continue
		}
		var i int
		fmt.Sscanf(string(it.Key()[1:]), "%d", &i)
		halves[i] += string(it.Key()[:1])
	}
	if it.Err() != nil {
		t.Fatal(it.Err())
	}
	for i, h := range halves {
		if h != "az" {
			t.Errorf("transaction %d is there in part: %q", i, h)
		}
		if !acked[i] && !unknown[i] {
			t.Errorf("transaction %d is there, though it was refused", i)
		}
	}
	for i := range acked {
		if halves[i] == "" {
			t.Errorf("transaction %d was acknowledged and is gone", i)
		}
	}
	if count != len(halves) {
		t.Errorf("the counter says %d, there are %d", count, len(halves))
	}
}

func TestLogSyncFails(t *testing.T) {
	for name, cause := range map[string]error{"injected": errorfs.ErrInjected, "disk full": syscall.ENOSPC} {
		for _, kind := range []errorfs.OpKind{errorfs.OpFileSync, errorfs.OpFileWrite} {
			t.Run(fmt.Sprint(name, kind), func(t *testing.T) {
				mem := vfs.NewCrashableMem()
				var broken atomic.Bool
				fs := errorfs.Wrap(mem, errorfs.InjectorFunc(func(op errorfs.Op) error {
					hit := op.Kind == kind || kind == errorfs.OpFileSync &&
						(op.Kind == errorfs.OpFileSyncData || op.Kind == errorfs.OpFileSyncTo || op.Kind == errorfs.OpFileFlush)
					if broken.Load() && hit && strings.HasSuffix(op.Path, ".log") {
						return cause
					}
					return nil
				}))
				s := open(t, "store", pebblekv.Options{FS: fs})
				acked, unknown := map[int]bool{}, map[int]bool{}
				for i := range 5 {
					if err := pair(s, i, 10); err != nil {
						t.Fatal(err)
					}
					acked[i] = true
				}
				broken.Store(true)
				err := pair(s, 5, 10)
				if !errors.Is(err, kv.ErrUnknownCommit) || !errors.Is(err, cause) || kv.Retryable(err) {
					t.Fatalf("commit into a broken log: %v", err)
				}
				unknown[5] = true
				for range 3 {
					if err := pair(s, 6, 10); !errors.Is(err, kv.ErrFailed) || errors.Is(err, kv.ErrUnknownCommit) {
						t.Fatalf("commit after a failure: %v", err)
					}
				}
				verify(t, s, acked, nil) // nobody sees what isn't durable
				start := time.Now()
				if err := s.Close(); !errors.Is(err, cause) {
					t.Errorf("close: %v", err)
				}
				if d := time.Since(start); d > 2*time.Minute {
					t.Errorf("close took %v", d)
				}
				broken.Store(false)
				again := open(t, "store", pebblekv.Options{FS: mem.CrashClone(vfs.CrashCloneCfg{})})
				defer again.Close()
				verify(t, again, acked, unknown)
				if err := pair(again, 7, 10); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

// TestFailEach breaks the disk at its i-th write operation, for good or once,
// over and over with a greater i, until a run meets no error.
func TestFailEach(t *testing.T) {
	for _, once := range []bool{true, false} {
		t.Run(fmt.Sprint("once ", once), func(t *testing.T) {
			met := map[string]int{}
			step := 1
			if testing.Short() {
				step = 7
			}
			for i := 0; ; i += step {
				outcome := failAt(t, int64(i), once)
				met[outcome]++
				if outcome == "clean" || t.Failed() {
					break
				}
			}
			t.Logf("met: %v", met)
			for _, want := range []string{"open", "unknown", "clean"} {
				if met[want] == 0 {
					t.Errorf("no run met %q: %v", want, met)
				}
			}
		})
	}
}

func failAt(t *testing.T, at int64, once bool) (outcome string) {
	mem := vfs.NewCrashableMem()
	var n atomic.Int64
	var hit, off atomic.Bool
	fs := errorfs.Wrap(mem, errorfs.InjectorFunc(func(op errorfs.Op) error {
		// A file that can't be closed or removed has lost nothing.
		if op.Kind.ReadOrWrite() == errorfs.OpIsRead || op.Kind == errorfs.OpFileClose || off.Load() {
			return nil
		}
		if i := n.Add(1) - 1; i == at || i > at && !once {
			hit.Store(true)
			return errorfs.ErrInjected
		}
		return nil
	}))
	acked, unknown := map[int]bool{}, map[int]bool{}
	outcome = "clean"
	s, err := pebblekv.Open("store", pebblekv.Options{FS: fs, MemTableBytes: 64 << 10})
	if err != nil {
		outcome = "open"
	} else {
		for i := range 12 {
			err := commitOrGiveUp(s, i)
			switch {
			case err == nil:
				acked[i] = true
			case errors.Is(err, kv.ErrUnknownCommit), errors.Is(err, context.DeadlineExceeded):
				unknown[i] = true
				outcome = "unknown"
			case !errors.Is(err, kv.ErrFailed):
				t.Errorf("operation %d fails: commit: %v", at, err)
			}
		}
		verify(t, s, acked, unknown)
	}
	clone := mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 50, RNG: newRand(at)})
	off.Store(true)
	if s != nil {
		s.Close()
	}
	again, err := pebblekv.Open("store", pebblekv.Options{FS: clone})
	if err != nil {
		t.Errorf("operation %d fails: opening again: %v", at, err)
		return outcome
	}
	defer again.Close()
	verify(t, again, acked, unknown)
	if !hit.Load() {
		return "clean"
	}
	if outcome == "clean" {
		return "survived"
	}
	return outcome
}

// TestReadersOutliveFailure fails the manifest, which leaves Pebble's mutex locked for good, while a
// transaction reads a state that Pebble has moved on from: the last reader of that state takes the
// mutex when it closes. Neither it nor others may wait for that.
func TestReadersOutliveFailure(t *testing.T) {
	var broken atomic.Bool
	fs := errorfs.Wrap(vfs.NewCrashableMem(), errorfs.InjectorFunc(func(op errorfs.Op) error {
		if broken.Load() && op.Kind == errorfs.OpFileWrite && strings.Contains(op.Path, "MANIFEST-") {
			return errorfs.ErrInjected
		}
		return nil
	}))
	s := open(t, "store", pebblekv.Options{FS: fs, MemTableBytes: 64 << 10})
	acked := map[int]bool{}
	more := func() error {
		i := len(acked)
		err := pair(s, i, 9_000)
		if err == nil {
			acked[i] = true
		}
		return err
	}
	if err := more(); err != nil {
		t.Fatal(err)
	}
	// One transaction for each way to let go of an iterator.
	var reading []kv.Transaction
	var halfway []kv.Iterator
	for range 3 {
		tx, err := s.Begin(context.Background(), kv.TransactionOptions{})
		if err != nil {
			t.Fatal(err)
		}
		it := tx.Range(kv.Range{End: kv.MaxKey}, kv.RangeOptions{})
		if !it.Next() {
			t.Fatal(it.Err())
		}
		reading, halfway = append(reading, tx), append(halfway, it)
	}
	flushed := pebblekv.Flushes(s)
	for pebblekv.Flushes(s) < flushed+2 {
		if err := more(); err != nil {
			t.Fatal(err)
		}
	}
	broken.Store(true)
	var err error
	for n := 0; err == nil; n++ {
		if n == 10_000 {
			t.Fatal("the manifest is broken, and nothing fails")
		}
		err = more()
	}
	if !errors.Is(err, kv.ErrFailed) && !errors.Is(err, kv.ErrUnknownCommit) {
		t.Fatal(err)
	}
	unknown := map[int]bool{len(acked): true}
	done := make(chan struct{})
	go func() {
		defer close(done)
		halfway[0].Close()
		reading[0].Cancel()
		reading[1].Cancel()
		pebblekv.Rest(s) // twice: the first time everything was in use lately
		pebblekv.Rest(s)
		for halfway[2].Next() {
		}
		if err := halfway[2].Err(); err != nil {
			t.Error(err)
		}
		reading[2].Cancel()
		verify(t, s, acked, unknown)
		if err := s.Close(); !errors.Is(err, kv.ErrFailed) {
			t.Errorf("close: %v", err)
		}
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("a reader waits for what a failed store never lets go")
	}
}

func commitOrGiveUp(s kv.Store, i int) error {
	done := make(chan error, 1)
	go func() { done <- pair(s, i, 9_000) }()
	select {
	case err := <-done:
		return err
	case <-time.After(time.Minute):
		return context.DeadlineExceeded
	}
}

// TestCrash takes the disk as a crash would leave it, several times under load.
func TestCrash(t *testing.T) {
	mem := vfs.NewCrashableMem()
	s := open(t, "store", pebblekv.Options{FS: mem, MemTableBytes: 256 << 10})
	var mu sync.Mutex
	acked, begun := map[int]bool{}, map[int]bool{}
	var next atomic.Int64
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				i := int(next.Add(1))
				if i > 50_000 { // what is verified does not grow with the speed of the machine
					return
				}
				mu.Lock()
				begun[i] = true
				mu.Unlock()
				if err := pair(s, i, 500); err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				acked[i] = true
				mu.Unlock()
			}
		})
	}
	for round := range 6 {
		time.Sleep(50 * time.Millisecond)
		mu.Lock()
		before := map[int]bool{}
		for i := range acked {
			before[i] = true
		}
		mu.Unlock()
		clone := mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 20 * round, RNG: newRand(int64(round))})
		mu.Lock()
		maybe := map[int]bool{}
		for i := range begun {
			maybe[i] = true
		}
		mu.Unlock()
		again := open(t, "store", pebblekv.Options{FS: clone})
		verify(t, again, before, maybe)
		if err := again.Close(); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	wg.Wait()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func newRand(seed int64) *rand.Rand { return rand.New(rand.NewPCG(uint64(seed), 0)) }
