package kvtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/kv"
)

func testEstimates(t *testing.T, h Harness) {
	s := h.open(t)
	rng := rand.New(rand.NewPCG(1, 2))
	value := make([]byte, 500)
	for from := 0; from < 20_000; from += 2_000 {
		write(t, s, func(tx kv.Transaction) {
			for i := from; i < from+2_000; i++ {
				for j := range value { // half of it compresses
					value[j] = byte(rng.Uint32()) & 0x0f
				}
				tx.Set(fmt.Appendf(nil, "e%06d", i), value)
			}
		})
	}
	tx := begin(t, s)
	estimate := func(start, end string) int64 {
		n, err := tx.EstimateSize(span(start, end)).Get()
		if err != nil {
			t.Fatalf("estimate [%s, %s): %v", start, end, err)
		}
		return n
	}
	// 10 MB; any engine should be within a factor of three.
	const all = 20_000 * 507
	if n := estimate("e", "f"); n < all/3 || n > 3*all {
		t.Errorf("all of it: %d bytes, it has %d", n, all)
	}
	if n := estimate("e005000", "e010000"); n < all/12 || n > all {
		t.Errorf("a quarter: %d bytes, it has %d", n, all/4)
	}
	// A small part is estimated as well as a large one, or to a few of the store's grains.
	const part = 100 * 507
	if n, grain := estimate("e005000", "e005100"), s.EstimateGrain(); n < part/3-4*grain || n > 3*part+4*grain {
		t.Errorf("a small part: %d bytes by grains of %d, it has %d", n, grain, part)
	}
	if n := estimate("f", "g"); n > 100_000 {
		t.Errorf("an empty range: %d bytes", n)
	}
	if n := estimate("e", "e"); n != 0 {
		t.Errorf("a range of nothing: %d bytes", n)
	}
	if _, err := tx.EstimateSize(span("b", "a")).Get(); !errors.Is(err, kv.ErrReservedKey) {
		t.Errorf("an inverted range: %v", err)
	}
}

func testLimits(t *testing.T, h Harness) {
	s := h.open(t)
	key := func(n int) []byte { return bytes.Repeat([]byte("k"), n) }
	sized := func(t *testing.T, err, target error) {
		t.Helper()
		wantErr(t, "commit", err, target)
		var size *kv.SizeError
		if !errors.As(err, &size) {
			t.Fatalf("%v is no *SizeError", err)
		}
		if size.Size <= size.Limit || size.Limit == 0 {
			t.Fatalf("size %d, limit %d", size.Size, size.Limit)
		}
		if kv.Retryable(err) {
			t.Fatal("a size error is not retryable")
		}
	}
	for _, ryw := range []bool{true, false} {
		opts := kv.TransactionOptions{NoReadYourWrites: !ryw}
		tx := beginWith(t, s, opts)
		tx.Set(key(kv.MaxKeySize), bytes.Repeat([]byte("v"), kv.MaxValueSize))
		commit(t, tx)
		if v := get(t, begin(t, s), string(key(kv.MaxKeySize))); len(v) != kv.MaxValueSize {
			t.Fatalf("value has %d bytes", len(v))
		}
		for name, bad := range map[string]func(tx kv.Transaction){
			"set":   func(tx kv.Transaction) { tx.Set(key(kv.MaxKeySize+1), nil) },
			"clear": func(tx kv.Transaction) { tx.Clear(key(kv.MaxKeySize + 1)) },
			"add":   func(tx kv.Transaction) { tx.Add(key(kv.MaxKeySize+1), []byte{1}) },
			"stamp": func(tx kv.Transaction) { tx.SetVersionstampedKey(key(kv.MaxKeySize+1), 0, nil) },
		} {
			t.Run(fmt.Sprint("key ", name, ryw), func(t *testing.T) {
				tx := beginWith(t, s, opts)
				set(tx, "bystander", "1")
				bad(tx)
				sized(t, tx.Commit(), kv.ErrKeyTooLarge)
			})
		}
		t.Run(fmt.Sprint("value", ryw), func(t *testing.T) {
			tx := beginWith(t, s, opts)
			set(tx, "bystander", "1")
			tx.Set([]byte("a"), make([]byte, kv.MaxValueSize+1))
			sized(t, tx.Commit(), kv.ErrValueTooLarge)
		})
		t.Run(fmt.Sprint("transaction", ryw), func(t *testing.T) {
			tx := beginWith(t, s, opts)
			set(tx, "bystander", "1")
			for i := range 101 {
				tx.Set(fmt.Appendf(nil, "big%03d", i), make([]byte, 99_500))
			}
			if tx.Size() <= kv.MaxTransactionSize {
				t.Fatalf("size is %d", tx.Size())
			}
			sized(t, tx.Commit(), kv.ErrTooLarge)
		})
		t.Run(fmt.Sprint("many reads", ryw), func(t *testing.T) {
			reading := func() kv.Transaction {
				tx := beginWith(t, s, opts)
				for i := range 500_000 {
					key := fmt.Appendf(nil, "read%07d", 2*i)
					tx.AddReadConflict(kv.Range{Start: key, End: append(key, 0)})
				}
				set(tx, "reader", "1")
				return tx
			}
			tx := reading()
			write(t, s, func(tx kv.Transaction) { set(tx, "other", "1") })
			commit(t, tx)
			tx = reading()
			write(t, s, func(tx kv.Transaction) { set(tx, "read0543210", "1") })
			wantErr(t, "commit of who has read it", tx.Commit(), kv.ErrConflict)
		})
		t.Run(fmt.Sprint("largest transaction", ryw), func(t *testing.T) {
			tx := beginWith(t, s, opts)
			for i := range 95 {
				tx.Set(fmt.Appendf(nil, "big%03d", i), make([]byte, 99_500))
			}
			if n := tx.Size(); n < 95*99_500 || n > kv.MaxTransactionSize {
				t.Fatalf("size is %d", n)
			}
			commit(t, tx)
		})
	}
	want(t, begin(t, s), "bystander", absent)
	// A key that can't be there is not there.
	want(t, begin(t, s), string(key(kv.MaxKeySize+1)), absent)
}

func testKeys(t *testing.T, h Harness) {
	s := h.open(t)
	write(t, s, func(tx kv.Transaction) {
		set(tx, "", "empty", "\x00", "zero", "\x00\x00", "zeros", "\xfe\xff\xff", "high")
	})
	tx := begin(t, s)
	want(t, tx, "", "empty")
	wantScan(t, tx, span("", "\xff"), kv.RangeOptions{}, "=empty \x00=zero \x00\x00=zeros \xfe\xff\xff=high")
	wantScan(t, tx, span("", "\xff"), kv.RangeOptions{Reverse: true}, "\xfe\xff\xff=high \x00\x00=zeros \x00=zero =empty")
	wantScan(t, tx, span("", "\x00"), kv.RangeOptions{}, "=empty")
	set(tx, "x", "1")
	write(t, s, func(tx kv.Transaction) { tx.Clear(nil) })
	wantErr(t, "commit", tx.Commit(), kv.ErrConflict)
	want(t, begin(t, s), "", absent)

	for _, bad := range []string{"\xff", "\xff\x00", "\xff\xff"} {
		_, err := begin(t, s).Get([]byte(bad)).Get()
		wantErr(t, fmt.Sprintf("get %x", bad), err, kv.ErrReservedKey)
		for name, do := range map[string]func(tx kv.Transaction){
			"set":   func(tx kv.Transaction) { set(tx, bad, "1") },
			"clear": func(tx kv.Transaction) { tx.Clear([]byte(bad)) },
			"add":   func(tx kv.Transaction) { tx.Add([]byte(bad), []byte{1}) },
			"stamp": func(tx kv.Transaction) {
				tx.SetVersionstampedValue([]byte(bad), make([]byte, kv.VersionstampSize), 0)
			},
			"range": func(tx kv.Transaction) { tx.ClearRange(span("a", bad+"\x01")) },
		} {
			tx := begin(t, s)
			do(tx)
			wantErr(t, fmt.Sprintf("commit of %s %x", name, bad), tx.Commit(), kv.ErrReservedKey)
		}
	}
	tx = begin(t, s)
	tx.ClearRange(span("b", "a"))
	wantErr(t, "commit of an inverted clear", tx.Commit(), kv.ErrReservedKey)
}

// ended checks that nothing can be done with a transaction any more.
func ended(t *testing.T, tx kv.Transaction, target error) {
	t.Helper()
	_, err := tx.Get([]byte("a")).Get()
	wantErr(t, "get", err, target)
	_, err = tx.Snapshot().Get([]byte("a")).Get()
	wantErr(t, "snapshot get", err, target)
	_, err = scan(tx, span("a", "z"), kv.RangeOptions{})
	wantErr(t, "scan", err, target)
	_, err = tx.EstimateSize(span("a", "z")).Get()
	wantErr(t, "estimate", err, target)
	_, err = tx.ReadVersion()
	wantErr(t, "read version", err, target)
	_, err = tx.Watch([]byte("a"))
	wantErr(t, "watch", err, target)
	set(tx, "a", "late")
	wantErr(t, "commit", tx.Commit(), target)
	tx.Cancel()
}

func testEnds(t *testing.T, h Harness) {
	s := h.open(t)
	t.Run("committed", func(t *testing.T) {
		tx := begin(t, s)
		set(tx, "x", "1")
		commit(t, tx)
		ended(t, tx, kv.ErrDone)
	})
	t.Run("read only, committed", func(t *testing.T) {
		tx := begin(t, s)
		get(t, tx, "x")
		commit(t, tx)
		ended(t, tx, kv.ErrDone)
	})
	t.Run("cancelled", func(t *testing.T) {
		tx := begin(t, s)
		set(tx, "y", "1")
		tx.Cancel()
		ended(t, tx, kv.ErrDone)
		want(t, begin(t, s), "y", absent)
	})
	t.Run("failed", func(t *testing.T) {
		tx := begin(t, s)
		get(t, tx, "x")
		set(tx, "y", "1")
		write(t, s, func(tx kv.Transaction) { set(tx, "x", "2") })
		wantErr(t, "commit", tx.Commit(), kv.ErrConflict)
		ended(t, tx, kv.ErrDone)
	})
	want(t, begin(t, s), "a", absent)
}

func testLife(t *testing.T, h Harness) {
	if h.TransactionLife == 0 {
		t.Skip("the engine's transactions have no end")
	}
	if testing.Short() && h.TransactionLife > time.Second {
		t.Skip("takes as long as a transaction lives")
	}
	if h.OpenShortLived != nil {
		h.Open = h.OpenShortLived
	}
	s := h.open(t)
	write(t, s, func(tx kv.Transaction) {
		for i := range 2000 {
			set(tx, fmt.Sprintf("k%04d", i), "1")
		}
	})
	var old, writer, blind kv.Transaction
	var it kv.Iterator
	youth := func() error { // the checks before their lives end
		old, writer, blind = begin(t, s), begin(t, s), begin(t, s)
		for _, tx := range []kv.Transaction{old, writer} {
			if v, err := tx.Get([]byte("k0001")).Get(); err != nil || string(v) != "1" {
				return fmt.Errorf("%q, %w", v, err)
			}
		}
		set(writer, "a", "1")
		set(blind, "b", "1")
		if _, err := blind.ReadVersion(); err != nil {
			return err
		}
		it = old.Range(span("k", "l"), kv.RangeOptions{Streaming: kv.StreamSmall})
		if !it.Next() {
			return fmt.Errorf("no first key: %w", it.Err())
		}
		return nil
	}
	err := youth()
	for n := 0; n < 100 && errors.Is(err, kv.ErrTooOld); n++ { // a busy machine stands still for longer
		err = youth()
	}
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(h.TransactionLife + h.TransactionLife/2 + 20*time.Millisecond)
	// An engine may see late that a reader's life is over.
	for began := time.Now(); err == nil && time.Since(began) < patience; time.Sleep(time.Millisecond) {
		_, err = old.Get([]byte("k0001")).Get()
	}
	wantErr(t, "get", err, kv.ErrTooOld)
	// The pairs that an iterator holds may still be read, but it does not reach the end.
	for it.Next() {
	}
	wantErr(t, "iterator", it.Err(), kv.ErrTooOld)
	it.Close()
	wantErr(t, "commit", writer.Commit(), kv.ErrTooOld)
	if err := blind.Commit(); err != nil && !errors.Is(err, kv.ErrTooOld) {
		t.Fatalf("commit: %v", err)
	}
	write(t, s, func(tx kv.Transaction) { // tried again if it outlives its life
		if v, err := tx.Get([]byte("a")).Get(); err == nil && v != nil {
			t.Error("what was committed too late is there")
		}
	})
}

func testContext(t *testing.T, h Harness) {
	s := h.open(t)
	write(t, s, func(tx kv.Transaction) {
		for i := range 5000 {
			set(tx, fmt.Sprintf("k%04d", i), "1")
		}
	})
	ctx, cancel := context.WithCancel(context.Background())
	tx, err := s.Begin(ctx, kv.TransactionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Cancel()
	it := tx.Range(span("k", "l"), kv.RangeOptions{})
	defer it.Close()
	if !it.Next() {
		t.Fatal(it.Err())
	}
	set(tx, "a", "1")
	cancel()
	_, err = tx.Get([]byte("k0001")).Get()
	wantErr(t, "get", err, context.Canceled)
	for it.Next() {
	}
	wantErr(t, "iterator", it.Err(), context.Canceled)
	wantErr(t, "commit", tx.Commit(), context.Canceled)
	want(t, begin(t, s), "a", absent)
	if _, err := s.Begin(ctx, kv.TransactionOptions{}); err != nil {
		wantErr(t, "begin", err, context.Canceled)
	}
}

func testClosed(t *testing.T, h Harness) {
	s := h.Open(t)
	tx := begin(t, s)
	set(tx, "x", "1")
	reader := begin(t, s)
	it := reader.Range(span("a", "z"), kv.RangeOptions{})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	ended(t, tx, kv.ErrClosed)
	if it.Next() {
		t.Fatal("a pair after Close")
	}
	wantErr(t, "iterator", it.Err(), kv.ErrClosed)
	it.Close()
	_, err := s.Begin(context.Background(), kv.TransactionOptions{})
	wantErr(t, "begin", err, kv.ErrClosed)
	wantErr(t, "second close", s.Close(), kv.ErrClosed)
}

func testDurability(t *testing.T, h Harness) {
	if h.Reopen == nil {
		t.Skip("the engine is not reopened")
	}
	s := h.open(t)
	var version int64
	var last [kv.VersionstampSize]byte
	for round := range 4 {
		tx := begin(t, s)
		v, err := tx.ReadVersion()
		if err != nil {
			t.Fatal(err)
		}
		if v < version {
			t.Fatalf("read version %d after reopening, %d before", v, version)
		}
		for i := range round {
			want(t, tx, fmt.Sprintf("k%d", i), fmt.Sprint(i))
		}
		want(t, tx, "gone", absent)
		if round > 0 {
			want(t, tx, "n", string([]byte{byte(round), 0}))
		}
		set(tx, fmt.Sprintf("k%d", round), fmt.Sprint(round), "gone", "1")
		tx.Clear([]byte("gone"))
		tx.Add([]byte("n"), []byte{1, 0})
		commit(t, tx)
		stamp, err := tx.Versionstamp()
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Compare(stamp[:], last[:]) <= 0 {
			t.Fatalf("stamp %x after %x", stamp, last)
		}
		last = stamp
		if version, err = begin(t, s).ReadVersion(); err != nil {
			t.Fatal(err)
		}
		dangling := begin(t, s)
		set(dangling, "dangling", "1")
		s = h.Reopen(t, s)
		t.Cleanup(func() { s.Close() })
		want(t, begin(t, s), "dangling", absent)
	}
}
