package kvtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/big"
	"sync"
	"testing"

	"github.com/sqlfdb/sqlfdb/kv"
)

// little returns n in size bytes, little-endian two's complement.
func little(n *big.Int, size int) []byte {
	m := new(big.Int).Lsh(big.NewInt(1), uint(8*size))
	b := new(big.Int).Mod(n, m).FillBytes(make([]byte, size))
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return b
}

func testAdds(t *testing.T, h Harness) {
	t.Run("lengths", func(t *testing.T) {
		for _, size := range []int{1, 2, 7, 8, 9, 16, 24, 100} {
			s := h.open(t)
			sum := new(big.Int)
			for i, n := range []int64{5, 250, -3, 1 << 40, -(1 << 41), 255, -1} {
				write(t, s, func(tx kv.Transaction) { tx.Add([]byte("n"), little(big.NewInt(n), size)) })
				sum.Add(sum, big.NewInt(n))
				if got, want := get(t, begin(t, s), "n"), little(sum, size); !bytes.Equal(got, want) {
					t.Fatalf("%d bytes, after %d adds: %x, want %x", size, i+1, got, want)
				}
			}
		}
	})
	t.Run("three counts in one", func(t *testing.T) {
		// Documents, entries and bytes share 24 bytes; each may go down.
		s := h.open(t)
		operand := func(docs, entries, size int64) []byte {
			n := big.NewInt(size)
			n.Lsh(n, 64).Add(n, big.NewInt(entries))
			n.Lsh(n, 64).Add(n, big.NewInt(docs))
			return little(n, 24)
		}
		for _, c := range [][3]int64{{10, 30, 1000}, {-3, -9, -300}, {0, -1, 17}, {-7, -20, -717}} {
			write(t, s, func(tx kv.Transaction) { tx.Add([]byte("n"), operand(c[0], c[1], c[2])) })
		}
		if got := get(t, begin(t, s), "n"); !bytes.Equal(got, make([]byte, 24)) {
			t.Fatalf("counts are %x, want zero", got)
		}
	})
	t.Run("other length than the value", func(t *testing.T) {
		s := h.open(t)
		write(t, s, func(tx kv.Transaction) { set(tx, "long", "\x01\x02\x03\x04", "short", "\xff") })
		write(t, s, func(tx kv.Transaction) {
			tx.Add([]byte("long"), []byte{1, 1})
			tx.Add([]byte("short"), []byte{1, 0, 0})
		})
		tx := begin(t, s)
		want(t, tx, "long", "\x02\x03")
		want(t, tx, "short", "\x00\x01\x00")
	})
	t.Run("read in the transaction", func(t *testing.T) {
		s := h.open(t)
		write(t, s, func(tx kv.Transaction) { set(tx, "n", "\x05\x00", "m", "\x01") })
		tx := begin(t, s)
		tx.Add([]byte("n"), []byte{1, 0})
		tx.Add([]byte("n"), []byte{0xff, 0xff})
		tx.Add([]byte("n"), []byte{3, 0})
		tx.Add([]byte("new"), []byte{9})
		want(t, tx, "n", "\x08\x00")
		want(t, tx, "new", "\x09")
		wantScan(t, tx, span("a", "z"), kv.RangeOptions{}, "m=\x01 n=\x08\x00 new=\x09")
		wantScan(t, tx, span("a", "z"), kv.RangeOptions{Reverse: true}, "new=\x09 n=\x08\x00 m=\x01")
		tx.Add([]byte("n"), []byte{1})
		want(t, tx, "n", "\x09")
		tx.Set([]byte("m"), []byte{7})
		tx.Add([]byte("m"), []byte{1})
		want(t, tx, "m", "\x08")
		tx.Clear([]byte("new"))
		tx.Add([]byte("new"), []byte{2})
		want(t, tx, "new", "\x02")
		commit(t, tx)
		wantScan(t, begin(t, s), span("a", "z"), kv.RangeOptions{}, "m=\x08 n=\x09 new=\x02")
	})
	t.Run("no conflicts", func(t *testing.T) {
		s := h.open(t)
		a, b := begin(t, s), begin(t, s)
		a.Add([]byte("n"), []byte{1, 0, 0})
		b.Add([]byte("n"), []byte{2, 0, 0})
		commit(t, a)
		commit(t, b)
		want(t, begin(t, s), "n", "\x03\x00\x00")
	})
	t.Run("concurrent", func(t *testing.T) {
		s := h.open(t)
		var wg sync.WaitGroup
		const goroutines, each = 16, 40
		for g := range goroutines {
			wg.Go(func() {
				for i := range each {
					tx, err := s.Begin(context.Background(), kv.TransactionOptions{NoReadYourWrites: g%2 == 0})
					if err != nil {
						t.Error(err)
						return
					}
					tx.Add([]byte("n"), little(big.NewInt(1), 24))
					tx.Add([]byte("m"), little(big.NewInt(int64(-i)), 24))
					if i == each-1 {
						tx.Set(fmt.Appendf(nil, "done%02d", g), nil)
					}
					if err := tx.Commit(); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		wg.Wait()
		tx := begin(t, s)
		want(t, tx, "n", string(little(big.NewInt(goroutines*each), 24)))
		want(t, tx, "m", string(little(big.NewInt(-goroutines*each*(each-1)/2), 24)))
	})
	t.Run("sets and clears between", func(t *testing.T) {
		s := h.open(t)
		n := []byte("n")
		for _, step := range []struct {
			do   func(tx kv.Transaction)
			want string
		}{
			{func(tx kv.Transaction) { tx.Add(n, []byte{1}) }, "\x01"},
			{func(tx kv.Transaction) { tx.Set(n, []byte{10}) }, "\x0a"},
			{func(tx kv.Transaction) { tx.Add(n, []byte{1}) }, "\x0b"},
			{func(tx kv.Transaction) { tx.Clear(n) }, absent},
			{func(tx kv.Transaction) { tx.Add(n, []byte{1}) }, "\x01"},
			{func(tx kv.Transaction) { tx.ClearRange(span("m", "o")) }, absent},
			{func(tx kv.Transaction) { tx.Add(n, []byte{1}); tx.Add(n, []byte{1}) }, "\x02"},
			{func(tx kv.Transaction) { tx.Set(n, nil); tx.Add(n, []byte{5}) }, "\x05"},
			{func(tx kv.Transaction) { tx.Add(n, []byte{5}); tx.Set(n, nil) }, ""},
		} {
			write(t, s, step.do)
			want(t, begin(t, s), "n", step.want)
		}
	})
}

func testVersionstamps(t *testing.T, h Harness) {
	stampKey := func(prefix string, suffix ...byte) ([]byte, int) {
		k := append([]byte(prefix), bytes.Repeat([]byte{0xff}, kv.VersionstampSize)...)
		return append(k, suffix...), len(prefix)
	}
	t.Run("keys and values", func(t *testing.T) {
		s := h.open(t)
		tx := begin(t, s)
		for i := range 3 {
			k, at := stampKey("log/", 0, byte(i))
			tx.SetVersionstampedKey(k, at, fmt.Append(nil, "entry", i))
		}
		tx.SetVersionstampedValue([]byte("last"), append([]byte("at:"), make([]byte, kv.VersionstampSize+2)...), 3)
		if _, err := tx.Versionstamp(); err == nil {
			t.Fatal("a versionstamp before the commit")
		}
		commit(t, tx)
		stamp, err := tx.Versionstamp()
		if err != nil {
			t.Fatal(err)
		}
		r := begin(t, s)
		want(t, r, "last", "at:"+string(stamp[:])+"\x00\x00")
		for i := range 3 {
			want(t, r, "log/"+string(stamp[:])+string([]byte{0, byte(i)}), fmt.Sprint("entry", i))
		}
	})
	t.Run("rise in commit order", func(t *testing.T) {
		s := h.open(t)
		var last [kv.VersionstampSize]byte
		for i := range 20 {
			tx := begin(t, s)
			k, at := stampKey("log/")
			tx.SetVersionstampedKey(k, at, []byte{byte(i)})
			commit(t, tx)
			stamp, err := tx.Versionstamp()
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Compare(stamp[:], last[:]) <= 0 {
				t.Fatalf("stamp %x after %x", stamp, last)
			}
			last = stamp
		}
		it := begin(t, s).Range(kv.PrefixRange([]byte("log/")), kv.RangeOptions{})
		defer it.Close()
		i := 0
		for ; it.Next(); i++ {
			if it.Value()[0] != byte(i) {
				t.Fatalf("entry %d holds %d", i, it.Value()[0])
			}
		}
		if i != 20 {
			t.Fatalf("%d entries", i)
		}
	})
	t.Run("concurrent", func(t *testing.T) {
		// A reader that has seen a stamp never later finds a smaller new one.
		s := h.open(t)
		var wg sync.WaitGroup
		stop := make(chan struct{})
		for g := range 8 {
			wg.Go(func() {
				for i := range 30 {
					tx, err := s.Begin(context.Background(), kv.TransactionOptions{NoReadYourWrites: true})
					if err != nil {
						t.Error(err)
						return
					}
					k, at := stampKey("log/")
					tx.SetVersionstampedKey(k, at, []byte{byte(g), byte(i)})
					if err := tx.Commit(); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		go func() { wg.Wait(); close(stop) }()
		seen := 0
		after := []byte("log/")
		for running := true; running; {
			select {
			case <-stop:
				running = false
			default:
			}
			tx := begin(t, s)
			whole := 0
			it := tx.Range(kv.PrefixRange([]byte("log/")), kv.RangeOptions{Streaming: kv.StreamAll})
			for it.Next() {
				whole++
			}
			it.Close()
			it = tx.Range(kv.Range{Start: after, End: kv.PrefixEnd([]byte("log/"))}, kv.RangeOptions{})
			for it.Next() {
				seen++
				after = append(append(after[:0:0], it.Key()...), 0)
			}
			it.Close()
			tx.Cancel()
			if whole != seen {
				t.Fatalf("read %d entries one after the other, but there are %d", seen, whole)
			}
		}
		if seen != 240 {
			t.Fatalf("%d entries, want 240", seen)
		}
	})
	t.Run("unreadable", func(t *testing.T) {
		s := h.open(t)
		write(t, s, func(tx kv.Transaction) { set(tx, "a", "1", "v", "old") })
		tx := begin(t, s)
		tx.SetVersionstampedValue([]byte("v"), make([]byte, kv.VersionstampSize), 0)
		_, err := tx.Get([]byte("v")).Get()
		wantErr(t, "get", err, kv.ErrUnreadable)
		_, err = scan(tx, span("a", "z"), kv.RangeOptions{})
		wantErr(t, "scan", err, kv.ErrUnreadable)
		want(t, tx, "a", "1")
		tx = begin(t, s)
		k, at := stampKey("log/")
		tx.SetVersionstampedKey(k, at, nil)
		_, err = scan(tx, kv.PrefixRange([]byte("log/")), kv.RangeOptions{})
		wantErr(t, "scan", err, kv.ErrUnreadable)
		_, err = scan(tx, kv.PrefixRange([]byte("log/")), kv.RangeOptions{Reverse: true})
		wantErr(t, "reverse scan", err, kv.ErrUnreadable)
		wantScan(t, tx, span("a", "b"), kv.RangeOptions{}, "a=1")
	})
	t.Run("overwritten", func(t *testing.T) {
		s := h.open(t)
		tx := begin(t, s)
		tx.SetVersionstampedValue([]byte("v"), make([]byte, kv.VersionstampSize), 0)
		set(tx, "v", "plain")
		want(t, tx, "v", "plain")
		commit(t, tx)
		want(t, begin(t, s), "v", "plain")
	})
	t.Run("offsets", func(t *testing.T) {
		s := h.open(t)
		for _, offset := range []int{-1, 1, 100} {
			tx := begin(t, s)
			tx.SetVersionstampedKey(make([]byte, kv.VersionstampSize), offset, nil)
			wantErr(t, "commit of a stamp outside the key", tx.Commit(), kv.ErrBadOffset)
			tx = begin(t, s)
			tx.SetVersionstampedValue([]byte("k"), make([]byte, kv.VersionstampSize), offset)
			wantErr(t, "commit of a stamp outside the value", tx.Commit(), kv.ErrBadOffset)
		}
	})
	t.Run("none without writes", func(t *testing.T) {
		s := h.open(t)
		tx := begin(t, s)
		get(t, tx, "a")
		commit(t, tx)
		if _, err := tx.Versionstamp(); err == nil {
			t.Fatal("a versionstamp of a transaction that only read")
		}
	})
}

func testTransact(t *testing.T, h Harness) {
	s := h.open(t)
	ctx := context.Background()
	t.Run("retries conflicts", func(t *testing.T) {
		runs := 0
		err := kv.Transact(ctx, s, kv.TransactOptions{}, func(tx kv.Transaction) error {
			runs++
			get(t, tx, "n")
			set(tx, "n", fmt.Sprint(runs))
			if runs < 3 {
				write(t, s, func(tx kv.Transaction) { set(tx, "n", "other") })
			}
			return nil
		})
		if err != nil || runs != 3 {
			t.Fatalf("%d runs, %v", runs, err)
		}
		want(t, begin(t, s), "n", "3")
	})
	t.Run("returns errors", func(t *testing.T) {
		mine := errors.New("mine")
		err := kv.Transact(ctx, s, kv.TransactOptions{}, func(tx kv.Transaction) error {
			set(tx, "gone", "1")
			return mine
		})
		wantErr(t, "transact", err, mine)
		want(t, begin(t, s), "gone", absent)
	})
	t.Run("marker", func(t *testing.T) {
		err := kv.Transact(ctx, s, kv.TransactOptions{Marker: []byte("marker")}, func(tx kv.Transaction) error {
			set(tx, "m", "1")
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		want(t, begin(t, s), "marker", "")
	})
}
