package kvtest

import (
	"bytes"
	"fmt"
	"sync"
	"testing"

	"github.com/sqlfdb/sqlfdb/kv"
)

func testReads(t *testing.T, h Harness) {
	s := h.open(t)
	want(t, begin(t, s), "a", absent)
	write(t, s, func(tx kv.Transaction) { set(tx, "a", "1", "empty", "") })

	t.Run("one version", func(t *testing.T) {
		tx := begin(t, s)
		v1, err := tx.ReadVersion()
		if err != nil {
			t.Fatal(err)
		}
		want(t, tx, "a", "1")
		write(t, s, func(tx kv.Transaction) { set(tx, "a", "2", "b", "2") })
		want(t, tx, "a", "1")
		want(t, tx, "b", absent)
		want(t, tx.Snapshot(), "a", "1")
		wantScan(t, tx, span("a", "c"), kv.RangeOptions{}, "a=1")
		later := begin(t, s)
		want(t, later, "a", "2")
		v2, err := later.ReadVersion()
		if err != nil {
			t.Fatal(err)
		}
		if v2 <= v1 {
			t.Fatalf("read version %d, after a commit %d", v1, v2)
		}
	})
	t.Run("empty is not absent", func(t *testing.T) {
		tx := begin(t, s)
		if v := get(t, tx, "empty"); v == nil || len(v) != 0 {
			t.Fatalf("got %#v, want an empty value", v)
		}
	})
	t.Run("the empty key", func(t *testing.T) {
		for _, w := range []string{absent, "first"} {
			tx := begin(t, s)
			for range 10 { // engines read the later ones in another way
				want(t, tx, "", w)
			}
			write(t, s, func(tx kv.Transaction) { set(tx, "", "first") })
		}
		write(t, s, func(tx kv.Transaction) { tx.Clear(nil) })
	})
	t.Run("futures", func(t *testing.T) {
		write(t, s, func(tx kv.Transaction) {
			for i := range 200 {
				set(tx, fmt.Sprintf("f%03d", i), fmt.Sprint(i))
			}
		})
		tx := begin(t, s)
		var futures []kv.FutureValue
		for i := range 200 {
			futures = append(futures, tx.Get(fmt.Appendf(nil, "f%03d", i)))
		}
		for i := len(futures) - 1; i >= 0; i-- {
			v, err := futures[i].Get()
			if err != nil || string(v) != fmt.Sprint(i) {
				t.Fatalf("future %d: %q, %v", i, v, err)
			}
		}
	})
	t.Run("goroutines", func(t *testing.T) {
		tx := begin(t, s)
		var wg sync.WaitGroup
		for g := range 8 {
			wg.Go(func() {
				for i := g; i < 200; i += 8 {
					v, err := tx.Get(fmt.Appendf(nil, "f%03d", i)).Get()
					if err != nil || string(v) != fmt.Sprint(i) {
						t.Errorf("get %d: %q, %v", i, v, err)
					}
				}
				it := tx.Range(span("f", "g"), kv.RangeOptions{Reverse: g%2 == 1})
				defer it.Close()
				n := 0
				for it.Next() {
					n++
				}
				if n != 200 || it.Err() != nil {
					t.Errorf("scan: %d pairs, %v", n, it.Err())
				}
			})
		}
		wg.Wait()
	})
}

func testRanges(t *testing.T, h Harness) {
	s := h.open(t)
	const n = 1500
	write(t, s, func(tx kv.Transaction) {
		for i := range n {
			set(tx, fmt.Sprintf("k%05d", i), fmt.Sprint("v", i))
		}
		set(tx, "a", "1", "b", "2", "c", "3", "d", "4")
	})
	tx := begin(t, s)
	wantScan(t, tx, span("a", "d"), kv.RangeOptions{}, "a=1 b=2 c=3")
	wantScan(t, tx, span("a", "d"), kv.RangeOptions{Limit: 2}, "a=1 b=2")
	wantScan(t, tx, span("a", "d"), kv.RangeOptions{Reverse: true}, "c=3 b=2 a=1")
	wantScan(t, tx, span("a", "d"), kv.RangeOptions{Reverse: true, Limit: 2}, "c=3 b=2")
	wantScan(t, tx, span("a\x00", "c\x00"), kv.RangeOptions{}, "b=2 c=3")
	wantScan(t, tx, span("b", "b"), kv.RangeOptions{}, "")
	wantScan(t, tx, span("", "b"), kv.RangeOptions{}, "a=1")
	wantScan(t, tx, span("e", "f"), kv.RangeOptions{}, "")
	for _, streaming := range []kv.Streaming{kv.StreamIterate, kv.StreamAll, kv.StreamSmall} {
		for _, reverse := range []bool{false, true} {
			for _, limit := range []int{0, 1, 33, 700} {
				it := tx.Range(span("k", "l"), kv.RangeOptions{Streaming: streaming, Reverse: reverse, Limit: limit})
				i := 0
				for ; it.Next(); i++ {
					at := i
					if reverse {
						at = n - 1 - i
					}
					if want := fmt.Sprintf("k%05d", at); string(it.Key()) != want {
						t.Fatalf("pair %d is %q, want %q", i, it.Key(), want)
					}
					if want := fmt.Sprint("v", at); string(it.Value()) != want {
						t.Fatalf("value %d is %q, want %q", i, it.Value(), want)
					}
				}
				if it.Next() {
					t.Fatal("Next after the end")
				}
				if want := min(n, max(limit, n*btoi(limit == 0))); i != want || it.Err() != nil {
					t.Fatalf("streaming %d reverse %v limit %d: %d pairs, %v", streaming, reverse, limit, i, it.Err())
				}
				it.Close()
				it.Close() // harmless
			}
		}
	}
	t.Run("large values", func(t *testing.T) {
		big := bytes.Repeat([]byte("x"), kv.MaxValueSize)
		write(t, s, func(tx kv.Transaction) {
			for i := range 20 {
				tx.Set(fmt.Appendf(nil, "z%02d", i), big)
			}
		})
		it := begin(t, s).Range(span("z", "{"), kv.RangeOptions{})
		defer it.Close()
		i := 0
		for ; it.Next(); i++ {
			if !bytes.Equal(it.Value(), big) {
				t.Fatalf("value %d differs", i)
			}
		}
		if i != 20 || it.Err() != nil {
			t.Fatalf("%d values, %v", i, it.Err())
		}
	})
	for name, r := range map[string]kv.Range{
		"inverted":   span("b", "a"),
		"above keys": span("a", "\xff\xff"),
	} {
		if _, err := scan(tx, r, kv.RangeOptions{}); err == nil {
			t.Errorf("%s range: no error", name)
		} else {
			wantErr(t, name+" range", err, kv.ErrReservedKey)
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func testReadYourWrites(t *testing.T, h Harness) {
	s := h.open(t)
	write(t, s, func(tx kv.Transaction) { set(tx, "a", "1", "c", "3", "e", "5", "g", "7") })
	all := span("a", "z")

	tx := begin(t, s)
	set(tx, "b", "2", "c", "three")
	tx.Clear([]byte("e"))
	for _, r := range []kv.Reader{tx, tx.Snapshot()} {
		want(t, r, "b", "2")
		want(t, r, "c", "three")
		want(t, r, "e", absent)
		wantScan(t, r, all, kv.RangeOptions{}, "a=1 b=2 c=three g=7")
		wantScan(t, r, all, kv.RangeOptions{Reverse: true}, "g=7 c=three b=2 a=1")
		wantScan(t, r, all, kv.RangeOptions{Limit: 3}, "a=1 b=2 c=three")
		wantScan(t, r, all, kv.RangeOptions{Limit: 2, Reverse: true}, "g=7 c=three")
	}
	set(tx, "e", "")
	if v := get(t, tx, "e"); v == nil || len(v) != 0 {
		t.Fatalf("own empty value: %#v", v)
	}
	tx.ClearRange(span("b", "f"))
	set(tx, "d", "4")
	wantScan(t, tx, all, kv.RangeOptions{}, "a=1 d=4 g=7")
	wantScan(t, tx, all, kv.RangeOptions{Reverse: true}, "g=7 d=4 a=1")
	wantScan(t, tx, span("b", "d"), kv.RangeOptions{}, "")
	commit(t, tx)
	wantScan(t, begin(t, s), all, kv.RangeOptions{}, "a=1 d=4 g=7")

	t.Run("many", func(t *testing.T) {
		tx := begin(t, s)
		for i := range 1000 {
			set(tx, fmt.Sprintf("m%04d", i), fmt.Sprint(i))
		}
		for i := 0; i < 1000; i += 3 {
			tx.Clear(fmt.Appendf(nil, "m%04d", i))
		}
		it := tx.Range(span("m", "n"), kv.RangeOptions{})
		defer it.Close()
		n := 0
		for it.Next() {
			n++
		}
		if n != 666 || it.Err() != nil {
			t.Fatalf("%d pairs, %v", n, it.Err())
		}
	})
	t.Run("slices may be reused", func(t *testing.T) {
		tx := begin(t, s)
		key, value := []byte("reuse1"), []byte("value1")
		tx.Set(key, value)
		copy(key, "xxxxx")
		copy(value, "xxxxx")
		want(t, tx, "reuse1", "value1")
		commit(t, tx)
		want(t, begin(t, s), "reuse1", "value1")
	})
}

func testNoReadYourWrites(t *testing.T, h Harness) {
	s := h.open(t)
	write(t, s, func(tx kv.Transaction) { set(tx, "a", "1", "c", "3") })
	tx := beginWith(t, s, kv.TransactionOptions{NoReadYourWrites: true})
	set(tx, "b", "2", "c", "three")
	tx.Clear([]byte("a"))
	tx.SetVersionstampedValue([]byte("v"), make([]byte, kv.VersionstampSize), 0)
	for _, r := range []kv.Reader{tx, tx.Snapshot()} {
		want(t, r, "a", "1")
		want(t, r, "v", absent)
		wantScan(t, r, span("a", "z"), kv.RangeOptions{}, "a=1 c=3")
	}
	commit(t, tx)
	tx = begin(t, s)
	wantScan(t, tx, span("a", "d"), kv.RangeOptions{}, "b=2 c=three")
	if v := get(t, tx, "v"); len(v) != kv.VersionstampSize {
		t.Fatalf("versionstamped value: %x", v)
	}
}

func testClears(t *testing.T, h Harness) {
	for _, ryw := range []bool{true, false} {
		t.Run(fmt.Sprint("read your writes ", ryw), func(t *testing.T) {
			s := h.open(t)
			opts := kv.TransactionOptions{NoReadYourWrites: !ryw}
			write(t, s, func(tx kv.Transaction) { set(tx, "a", "1", "b", "2", "c", "3", "d", "4", "e", "5") })

			tx := beginWith(t, s, opts)
			set(tx, "b", "two", "bb", "new")
			tx.ClearRange(span("b", "d"))
			set(tx, "c", "three")
			tx.Add([]byte("b"), []byte{7})  // the clear made it absent
			tx.Add([]byte("bb"), []byte{9}) // and dropped this set
			tx.ClearRange(span("e", "e"))   // nothing
			commit(t, tx)
			wantScan(t, begin(t, s), span("a", "z"), kv.RangeOptions{}, "a=1 b=\x07 bb=\x09 c=three d=4 e=5")

			tx = beginWith(t, s, opts)
			tx.Add([]byte("b"), []byte{1})
			tx.ClearRange(span("a", "c"))
			tx.Clear([]byte("d"))
			tx.Set([]byte("d"), []byte("again"))
			tx.Set([]byte("e"), []byte("x"))
			tx.Clear([]byte("e"))
			commit(t, tx)
			wantScan(t, begin(t, s), span("a", "z"), kv.RangeOptions{}, "c=three d=again")

			tx = beginWith(t, s, opts)
			tx.ClearRange(span("", "\xff"))
			commit(t, tx)
			wantScan(t, begin(t, s), span("", "\xff"), kv.RangeOptions{}, "")
		})
	}
}
