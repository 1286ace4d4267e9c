package pebblekv

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/kv"
)

// reader is an open transaction and what it must see.
type reader struct {
	tx   kv.Transaction
	want map[string][]byte
}

func (r reader) check(t *rapid.T) {
	for _, reverse := range []bool{false, true} {
		it := r.tx.Snapshot().Range(kv.Range{End: kv.MaxKey}, kv.RangeOptions{Reverse: reverse})
		var have, want []string
		for it.Next() {
			have = append(have, fmt.Sprintf("%s=%x", it.Key(), it.Value()))
		}
		if err := it.Err(); err != nil {
			t.Fatal(err)
		}
		it.Close()
		for _, k := range slices.Sorted(maps.Keys(r.want)) {
			want = append(want, fmt.Sprintf("%s=%x", k, r.want[k]))
		}
		if reverse {
			slices.Reverse(want)
		}
		if !slices.Equal(have, want) {
			t.Fatalf("a scan (reverse: %v) gives %s, want %s", reverse, strings.Join(have, " "), strings.Join(want, " "))
		}
	}
	for n := range 6 {
		k := fmt.Sprintf("k%d", n)
		v, err := r.tx.Snapshot().Get([]byte(k)).Get()
		w, ok := r.want[k]
		if err != nil || ok != (v != nil) || !bytes.Equal(v, w) {
			t.Fatalf("%s is %x (%v), want %x (%v)", k, v, err, w, ok)
		}
	}
}

// write does a random operation, to the transaction and to what it must leave.
func write(t *rapid.T, tx kv.Transaction, want map[string][]byte) {
	key := func(as string) []byte { return fmt.Appendf(nil, "k%d", rapid.IntRange(0, 5).Draw(t, as)) }
	value := rapid.SampledFrom([][]byte{{}, {1}, {255, 255}, {0, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9}})
	k := key("key")
	switch rapid.SampledFrom([]string{"set", "clear", "range", "add", "add", "add", "add"}).Draw(t, "operation") {
	case "set":
		v := value.Draw(t, "value")
		tx.Set(k, v)
		want[string(k)] = v
	case "clear":
		tx.Clear(k)
		delete(want, string(k))
	case "range":
		end := key("end")
		if bytes.Compare(k, end) > 0 {
			k, end = end, k
		}
		tx.ClearRange(kv.Range{Start: k, End: end})
		maps.DeleteFunc(want, func(at string, _ []byte) bool { return at >= string(k) && at < string(end) })
	case "add":
		v := value.Draw(t, "operand")
		tx.Add(k, v)
		want[string(k)] = addLittleEndian(want[string(k)], v)
	}
}

// TestJournal: whatever was added, set and cleared, at each version and on a disk that
// lost its power, in the journal or folded, all is read as it was committed.
func TestJournal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fs := vfs.NewCrashableMem()
		opts := Options{FS: fs, foldAfter: rapid.IntRange(1, 5).Draw(t, "commits between folds")}
		s, err := Open("db", opts)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { s.Close() }()
		want := map[string][]byte{}
		var readers []reader
		begin := func() kv.Transaction {
			tx, err := s.Begin(context.Background(), kv.TransactionOptions{NoReadYourWrites: rapid.Bool().Draw(t,
				"writes unseen")})
			if err != nil {
				t.Fatal(err)
			}
			return tx
		}
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			switch rapid.SampledFrom([]string{"commit", "commit", "commit", "commit", "hold", "let go", "own", "crash",
				"reopen"}).Draw(t, "step") {
			case "commit":
				tx := begin()
				for range rapid.IntRange(1, 5).Draw(t, "operations") {
					write(t, tx, want)
				}
				if err := tx.Commit(); err != nil {
					t.Fatal(err)
				}
			case "hold":
				readers = append(readers, reader{begin(), maps.Clone(want)})
			case "let go":
				if len(readers) > 0 {
					readers[0].tx.Cancel()
					readers = readers[1:]
				}
			case "own": // own writes over the sums of others
				tx, err := s.Begin(context.Background(), kv.TransactionOptions{})
				if err != nil {
					t.Fatal(err)
				}
				seen := maps.Clone(want)
				for range rapid.IntRange(1, 5).Draw(t, "operations") {
					write(t, tx, seen)
				}
				reader{tx, seen}.check(t)
				tx.Cancel()
			default:
				for _, r := range readers {
					r.tx.Cancel()
				}
				readers = nil
				crashed := fs.CrashClone(vfs.CrashCloneCfg{})
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
				if rapid.Bool().Draw(t, "without power") {
					fs = crashed
					opts.FS = fs
				}
				if s, err = Open("db", opts); err != nil {
					t.Fatal(err)
				}
			}
			reader{begin(), want}.check(t)
			for _, r := range readers {
				r.check(t)
			}
		}
		for _, r := range readers {
			r.tx.Cancel()
		}
	})
}

// TestJournalDamaged: a record that can't be read keeps the store from opening.
func TestJournalDamaged(t *testing.T) {
	for name, bad := range map[string][]byte{
		"short":       {0, 0, 0},
		"cut":         {0, 0, 0, 0, 0, 0, 0, 9, 0, 5, 'a'},
		"shares more": {0, 0, 0, 0, 0, 0, 0, 9, 3, 1, 'a', 0},
		"no value":    {0, 0, 0, 0, 0, 0, 0, 9, 0, 1, 'a', 7, 1},
	} {
		fs := vfs.NewMem()
		s, err := Open("db", Options{FS: fs})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.(*store).db.Set(journalKey(0), bad, nil); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if s, err = Open("db", Options{FS: fs}); err == nil {
			s.Close()
			t.Errorf("%s: the store opens", name)
		} else if !strings.Contains(err.Error(), "journal") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestManyCounters: more keys than are kept, and a group with more than a record holds.
func TestManyCounters(t *testing.T) {
	s, err := Open("db", Options{FS: vfs.NewMem()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	const keys, rounds = maxCounters/2 + 100, 5
	one := []byte{1, 0, 0, 0, 0, 0, 0, 0}
	for round := range rounds {
		for _, size := range []int{keys, 3} {
			if err := kv.Transact(context.Background(), s, kv.TransactOptions{}, func(tx kv.Transaction) error {
				for n := range size {
					tx.Add(fmt.Appendf(nil, "%d/%06d", round%3, n), one)
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
		}
	}
	tx, err := s.Begin(context.Background(), kv.TransactionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Cancel()
	it := tx.Range(kv.Range{End: kv.MaxKey}, kv.RangeOptions{Streaming: kv.StreamAll})
	defer it.Close()
	sum, seen := 0, 0
	for it.Next() {
		seen++
		sum += int(it.Value()[0])
	}
	if it.Err() != nil || seen != 3*keys || sum != rounds*(keys+3) {
		t.Errorf("%d keys with the sum %d (%v), want %d with %d", seen, sum, it.Err(), 3*keys, rounds*(keys+3))
	}
}
