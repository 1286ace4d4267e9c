package pebblekv

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/kv"
)

// TestCountersOfAGroup: the members of a group add, set and clear the same keys, and
// what is stored afterwards is what they make one after the other.
func TestCountersOfAGroup(t *testing.T) {
	opened, err := Open(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	s := opened.(*store)
	round := 0
	rapid.Check(t, func(t *rapid.T) {
		round++
		prefix := fmt.Sprintf("%08d", round)
		key := rapid.Custom(func(t *rapid.T) []byte {
			return append([]byte("~"+prefix),
				byte(rapid.IntRange(0, 5).Draw(t, "key")))
		})
		value := rapid.SampledFrom([][]byte{{}, {1}, {255}, {255, 255}, {2, 0}, {255, 255, 255}, {1, 2, 3, 4, 5, 6, 7, 8, 9}})
		want := map[string][]byte{}
		counters := &store{db: s.db}
		counters.counters.init(rapid.IntRange(1, 3).Draw(t, "groups between folds"))
		for version := range rapid.IntRange(1, 4).Draw(t, "groups") {
			group := make([]*request, rapid.IntRange(1, 3).Draw(t, "members"))
			for m := range group {
				group[m] = &request{}
				for range rapid.IntRange(1, 6).Draw(t, "operations") {
					o := op{kind: rapid.SampledFrom([]opKind{opSet, opClear, opClearRange, opAdd, opAdd, opAdd}).Draw(t, "kind"),
						key: key.Draw(t, "at")}
					k := string(o.key)
					switch o.kind {
					case opSet:
						o.value = value.Draw(t, "value")
						want[k] = o.value
					case opClear:
						delete(want, k)
					case opClearRange:
						if o.value = key.Draw(t, "end"); bytes.Compare(o.key, o.value) > 0 {
							o.key, o.value = o.value, o.key
							k = string(o.key)
						}
						maps.DeleteFunc(want, func(at string, _ []byte) bool { return at >= k && at < string(o.value) })
					case opAdd:
						o.value = value.Draw(t, "operand")
						sum, carry := make([]byte, len(o.value)), 0
						for i := range o.value {
							n := int(o.value[i]) + carry
							if i < len(want[k]) {
								n += int(want[k][i])
							}
							sum[i], carry = byte(n), n>>8
						}
						want[k] = sum
					}
					group[m].ops = append(group[m].ops, o)
				}
			}
			if err := counters.counters.load(s.db, group); err != nil {
				t.Fatal(err)
			}
			batch := s.db.NewBatch()
			for _, q := range group {
				for i := range q.ops {
					if err := counters.apply(batch, q, &q.ops[i]); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := counters.counters.flush(batch, int64(version+1)); err != nil {
				t.Fatal(err)
			}
			if err := batch.Commit(pebble.NoSync); err != nil {
				t.Fatal(err)
			}
			now := image{s.db.NewSnapshot(), counters.counters.now}
			for n := range 6 {
				at := append([]byte("~"+prefix), byte(n))
				have, err := now.read(at)
				if err != nil {
					t.Fatal(err)
				}
				if w, ok := want[string(at)]; ok != (have != nil) || !bytes.Equal(have, w) {
					t.Fatalf("key %d is %x, want %x (%v)", n, have, w, ok)
				}
			}
			now.snap.Close()
		}
	})
}

// TestConcurrentAdds: writers that share groups lose no add.
func TestConcurrentAdds(t *testing.T) {
	s, err := Open(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	const writers, times = 8, 40
	failed := make(chan error, writers)
	for range writers {
		go func() {
			for range times {
				if err := kv.Transact(context.Background(), s, kv.TransactOptions{}, func(tx kv.Transaction) error {
					tx.Add([]byte("n"), []byte{1, 0, 0})
					return nil
				}); err != nil {
					failed <- err
					return
				}
			}
			failed <- nil
		}()
	}
	for range writers {
		if err := <-failed; err != nil {
			t.Fatal(err)
		}
	}
	tx, err := s.Begin(context.Background(), kv.TransactionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Cancel()
	if v, err := tx.Get([]byte("n")).Get(); err != nil ||
		!bytes.Equal(v, []byte{writers * times % 256, writers * times / 256, 0}) {
		t.Errorf("the sum is %x, %v", v, err)
	}
}
