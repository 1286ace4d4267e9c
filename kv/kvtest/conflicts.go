package kvtest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/sqlfdb/sqlfdb/kv"
)

func testIsolation(t *testing.T, h Harness) {
	t.Run("lost update", func(t *testing.T) {
		s := h.open(t)
		write(t, s, func(tx kv.Transaction) { set(tx, "n", "0") })
		a, b := begin(t, s), begin(t, s)
		get(t, a, "n")
		get(t, b, "n")
		set(a, "n", "a")
		set(b, "n", "b")
		commit(t, a)
		wantErr(t, "second commit", b.Commit(), kv.ErrConflict)
		want(t, begin(t, s), "n", "a")
	})
	t.Run("write skew", func(t *testing.T) {
		s := h.open(t)
		write(t, s, func(tx kv.Transaction) { set(tx, "x", "1", "y", "1") })
		a, b := begin(t, s), begin(t, s)
		for _, tx := range []kv.Transaction{a, b} {
			get(t, tx, "x")
			get(t, tx, "y")
		}
		set(a, "x", "0")
		set(b, "y", "0")
		commit(t, a)
		wantErr(t, "second commit", b.Commit(), kv.ErrConflict)
	})
	t.Run("blind writes", func(t *testing.T) {
		s := h.open(t)
		a, b := begin(t, s), begin(t, s)
		set(a, "n", "a")
		set(b, "n", "b")
		commit(t, b)
		commit(t, a)
		want(t, begin(t, s), "n", "a")
	})
	t.Run("readers never fail", func(t *testing.T) {
		s := h.open(t)
		r := begin(t, s)
		get(t, r, "n")
		write(t, s, func(tx kv.Transaction) { set(tx, "n", "1") })
		want(t, r, "n", absent)
		commit(t, r)
	})
	t.Run("all or nothing", func(t *testing.T) {
		s := h.open(t)
		a := begin(t, s)
		get(t, a, "x")
		set(a, "x", "a", "y", "a")
		a.ClearRange(span("p", "q"))
		write(t, s, func(tx kv.Transaction) { set(tx, "x", "b", "pp", "b") })
		wantErr(t, "commit", a.Commit(), kv.ErrConflict)
		wantScan(t, begin(t, s), span("a", "z"), kv.RangeOptions{}, "pp=b x=b")
	})
}

func testConflicts(t *testing.T, h Harness) {
	const stored = "b d f h"
	read := func(start, end string, opts kv.RangeOptions, pairs int) func(t *testing.T, tx kv.Transaction) {
		return func(t *testing.T, tx kv.Transaction) {
			it := tx.Range(span(start, end), opts)
			for range pairs {
				if !it.Next() {
					t.Fatalf("range is too short: %v", it.Err())
				}
			}
			if pairs < 0 {
				for it.Next() {
				}
			}
			it.Close()
		}
	}
	setKey := func(key string) func(tx kv.Transaction) {
		return func(tx kv.Transaction) { set(tx, key, "other") }
	}
	clearRange := func(start, end string) func(tx kv.Transaction) {
		return func(tx kv.Transaction) { tx.ClearRange(span(start, end)) }
	}
	const all = -1
	rev := kv.RangeOptions{Reverse: true}
	none := kv.RangeOptions{}
	for _, c := range []struct {
		name     string
		read     func(t *testing.T, tx kv.Transaction)
		write    func(tx kv.Transaction)
		conflict bool
	}{
		{"get, same key", func(t *testing.T, tx kv.Transaction) { get(t, tx, "b") }, setKey("b"), true},
		{"get, absent key", func(t *testing.T, tx kv.Transaction) { get(t, tx, "c") }, setKey("c"), true},
		{"get, other key", func(t *testing.T, tx kv.Transaction) { get(t, tx, "b") }, setKey("b\x00"), false},
		{"get, cleared", func(t *testing.T, tx kv.Transaction) { get(t, tx, "b") },
			func(tx kv.Transaction) { tx.Clear([]byte("b")) }, true},
		{"get, range cleared", func(t *testing.T, tx kv.Transaction) { get(t, tx, "b") }, clearRange("a", "c"), true},
		{"get, range cleared before", func(t *testing.T, tx kv.Transaction) { get(t, tx, "b") }, clearRange("a", "b"), false},
		{"get, range cleared after", func(t *testing.T, tx kv.Transaction) { get(t, tx, "b") }, clearRange("b\x00", "c"),
			false},
		{"get, added to", func(t *testing.T, tx kv.Transaction) { get(t, tx, "b") },
			func(tx kv.Transaction) { tx.Add([]byte("b"), []byte{1}) }, true},
		{"get, stamped value", func(t *testing.T, tx kv.Transaction) { get(t, tx, "b") },
			func(tx kv.Transaction) {
				tx.SetVersionstampedValue([]byte("b"), make([]byte, kv.VersionstampSize), 0)
			}, true},
		{"get, write conflict", func(t *testing.T, tx kv.Transaction) { get(t, tx, "b") },
			func(tx kv.Transaction) { tx.AddWriteConflict(span("a", "c")) }, true},
		{"get, write conflict on the key", func(t *testing.T, tx kv.Transaction) { get(t, tx, "b") },
			func(tx kv.Transaction) { tx.AddWriteConflict(kv.PointRange([]byte("b"))) }, true},
		{"snapshot get", func(t *testing.T, tx kv.Transaction) { get(t, tx.Snapshot(), "b") }, setKey("b"), false},
		{"snapshot range", func(t *testing.T, tx kv.Transaction) {
			if _, err := scan(tx.Snapshot(), span("a", "z"), none); err != nil {
				t.Fatal(err)
			}
		}, setKey("b"), false},
		{"estimate", func(t *testing.T, tx kv.Transaction) {
			if _, err := tx.EstimateSize(span("a", "z")).Get(); err != nil {
				t.Fatal(err)
			}
		}, setKey("b"), false},
		{"range, key in it", read("a", "z", none, all), setKey("d"), true},
		{"range, gap in it", read("a", "z", none, all), setKey("c"), true},
		{"range, before its first key", read("a", "z", none, all), setKey("a"), true},
		{"range, after its last key", read("a", "z", none, all), setKey("y"), true},
		{"range, its end", read("a", "d", none, all), setKey("d"), false},
		{"range, before it", read("c", "z", none, all), setKey("b"), false},
		{"empty range", read("i", "k", none, all), setKey("j"), true},
		{"range, cleared in it", read("a", "z", none, all), clearRange("c", "e"), true},
		{"range, cleared around it", read("c", "e", none, all), clearRange("a", "z"), true},
		{"range, cleared beside it", read("c", "e", none, all), clearRange("e", "z"), false},
		{"two pairs, the second", read("a", "z", none, 2), setKey("d"), true},
		{"two pairs, the gap between", read("a", "z", none, 2), setKey("c"), true},
		{"two pairs, the gap before", read("a", "z", none, 2), setKey("a"), true},
		{"two pairs, just after the second", read("a", "z", none, 2), setKey("d\x00"), false},
		{"two pairs, the third", read("a", "z", none, 2), setKey("f"), false},
		{"limit, within", read("a", "z", kv.RangeOptions{Limit: 2}, all), setKey("c"), true},
		{"limit, beyond", read("a", "z", kv.RangeOptions{Limit: 2}, all), setKey("e"), false},
		{"limit not reached", read("a", "z", kv.RangeOptions{Limit: 9}, all), setKey("y"), true},
		{"reverse, key", read("a", "z", rev, all), setKey("b"), true},
		{"reverse, gap at the start", read("a", "z", rev, all), setKey("a"), true},
		{"reverse, two pairs, the second", read("a", "z", rev, 2), setKey("f"), true},
		{"reverse, two pairs, gap after", read("a", "z", rev, 2), setKey("y"), true},
		{"reverse, two pairs, gap between", read("a", "z", rev, 2), setKey("g"), true},
		{"reverse, two pairs, just before", read("a", "z", rev, 2), setKey("e\xff"), false},
		{"reverse limit, within", read("a", "z", kv.RangeOptions{Reverse: true, Limit: 1}, all), setKey("h\x00"), true},
		{"reverse limit, beyond", read("a", "z", kv.RangeOptions{Reverse: true, Limit: 1}, all), setKey("g"), false},
		{"reverse, its end", read("a", "h", rev, all), setKey("h"), false},
		{"explicit", func(_ *testing.T, tx kv.Transaction) { tx.AddReadConflict(span("c", "e")) }, setKey("d"), true},
		{"explicit, outside", func(_ *testing.T, tx kv.Transaction) { tx.AddReadConflict(span("c", "e")) }, setKey("e"),
			false},
		{"explicit, point", func(_ *testing.T, tx kv.Transaction) { tx.AddReadConflict(kv.PointRange([]byte("c"))) },
			setKey("c"), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, ryw := range []bool{true, false} {
				s := h.open(t)
				write(t, s, func(tx kv.Transaction) {
					for i := 0; i < len(stored); i += 2 {
						set(tx, stored[i:i+1], "1")
					}
				})
				tx := beginWith(t, s, kv.TransactionOptions{NoReadYourWrites: !ryw})
				c.read(t, tx)
				set(tx, "result", "x")
				write(t, s, c.write)
				err := tx.Commit()
				if c.conflict {
					wantErr(t, "commit", err, kv.ErrConflict)
				} else if err != nil {
					t.Fatalf("commit: %v", err)
				}
			}
		})
	}
	t.Run("iterator left open", func(t *testing.T) {
		s := h.open(t)
		write(t, s, func(tx kv.Transaction) { set(tx, "b", "1", "d", "1") })
		tx := begin(t, s)
		it := tx.Range(span("a", "z"), none)
		it.Next()
		set(tx, "result", "x")
		write(t, s, setKey("b"))
		wantErr(t, "commit", tx.Commit(), kv.ErrConflict)
		it.Close()
	})
	t.Run("read and written", func(t *testing.T) {
		// A write, or a declared one, behind a read of the same key does not undo the read.
		for name, write2 := range map[string]func(tx kv.Transaction){
			"set":            func(tx kv.Transaction) { set(tx, "b", "2") },
			"clear":          func(tx kv.Transaction) { tx.Clear([]byte("b")) },
			"clear range":    func(tx kv.Transaction) { tx.ClearRange(span("a", "c")) },
			"write conflict": func(tx kv.Transaction) { tx.AddWriteConflict(kv.PointRange([]byte("b"))) },
		} {
			for _, ryw := range []bool{true, false} {
				for _, ranged := range []bool{true, false} {
					s := h.open(t)
					tx := beginWith(t, s, kv.TransactionOptions{NoReadYourWrites: !ryw})
					if ranged {
						if _, err := scan(tx, span("a", "c"), none); err != nil {
							t.Fatal(err)
						}
					} else {
						get(t, tx, "b")
					}
					write2(tx)
					write(t, s, setKey("b"))
					wantErr(t, fmt.Sprint("commit after ", name, ryw, ranged), tx.Commit(), kv.ErrConflict)
				}
			}
		}
	})
	t.Run("explicit, after an own write", func(t *testing.T) {
		for _, ryw := range []bool{true, false} {
			s := h.open(t)
			tx := beginWith(t, s, kv.TransactionOptions{NoReadYourWrites: !ryw})
			set(tx, "b", "2")
			tx.AddReadConflict(kv.PointRange([]byte("b")))
			write(t, s, setKey("b"))
			wantErr(t, fmt.Sprint("commit", ryw), tx.Commit(), kv.ErrConflict)
		}
	})
	t.Run("own writes are no conflict", func(t *testing.T) {
		s := h.open(t)
		tx := begin(t, s)
		get(t, tx, "a")
		set(tx, "a", "1")
		if _, err := scan(tx, span("a", "b"), none); err != nil {
			t.Fatal(err)
		}
		commit(t, tx)
	})
	t.Run("versionstamped key", func(t *testing.T) {
		s := h.open(t)
		tx := begin(t, s)
		if _, err := scan(tx, span("log", "loh"), none); err != nil {
			t.Fatal(err)
		}
		set(tx, "result", "x")
		write(t, s, func(tx kv.Transaction) {
			tx.SetVersionstampedKey(append([]byte("log"), make([]byte, kv.VersionstampSize)...), 3, nil)
		})
		wantErr(t, "commit", tx.Commit(), kv.ErrConflict)
	})
	t.Run("far back", func(t *testing.T) {
		// Many commits lie between a read and its commit.
		s := h.open(t)
		clean, dirty := begin(t, s), begin(t, s)
		for _, tx := range []kv.Transaction{clean, dirty} {
			get(t, tx, "k0100x")
			set(tx, "result", "x")
		}
		for i := range 50 {
			key := fmt.Sprintf("k%04d", (i*37)%200)
			get(t, dirty, key)
		}
		for i := range 200 {
			write(t, s, func(tx kv.Transaction) {
				set(tx, fmt.Sprintf("k%04d", (i*73)%200), "1")
				tx.ClearRange(span(fmt.Sprintf("c%04d", i), fmt.Sprintf("c%04d", i+2)))
			})
		}
		commit(t, clean)
		if err := dirty.Commit(); !errors.Is(err, kv.ErrConflict) {
			t.Fatalf("commit: %v", err)
		}
	})
}
