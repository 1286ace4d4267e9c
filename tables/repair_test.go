package tables_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// pairs reads all keys of a range.
func (f *fixture) pairs(of kv.Range) (all []kv.KeyValue) {
	f.read(func(r kv.Reader) {
		it := r.Range(of, kv.RangeOptions{Streaming: kv.StreamAll})
		defer it.Close()
		for it.Next() {
			all = append(all, kv.KeyValue{Key: bytes.Clone(it.Key()), Value: bytes.Clone(it.Value())})
		}
		if err := it.Err(); err != nil {
			f.t.Fatal(err)
		}
	})
	return all
}

// TestRepair damages all that is made from documents, key by key: afterwards nothing disagrees, the documents are
// what they were, and each mended place was named.
func TestRepair(t *testing.T) {
	seed := testseed.Of(t, "", 0)
	rng := rand.New(rand.NewPCG(seed, 0))
	for round := range 12 {
		f := open(t, catalog.Options{})
		f.declare(0, "a", "b")
		f.must(func(tx *tables.Tx) error {
			for i := range 30 {
				text := fmt.Sprintf(`{"_id":"%02d","a":%d,"b":["x%d",null],"c":{"d":true,"s":"%s"}}`, i, i%7, i%3,
					strings.Repeat("s", rng.IntN(3000)))
				if err := f.insert(tx, text); err != nil {
					return err
				}
			}
			return nil
		})
		f.must(func(tx *tables.Tx) error { return f.delete(tx, "03") })
		f.clean()
		documents := f.pairs(f.c.Keys().Documents())
		k := f.c.Keys()
		damaged := 0
		f.must(func(tx *tables.Tx) error {
			for _, r := range []kv.Range{k.Entries(), k.Metas(), k.AllCounters(), k.Changes(), k.AllDeclared(), k.AllOmitted(),
				kv.PointRange(k.InfoEntries()), kv.PointRange(k.InfoDocuments())} {
				for _, p := range f.pairs(r) {
					if rng.IntN(100) >= 1+round*8 {
						continue
					}
					damaged++
					switch rng.IntN(4) {
					case 0:
						tx.Clear(p.Key)
					case 1:
						v := bytes.Clone(p.Value)
						if len(v) > 0 {
							v[rng.IntN(len(v))] ^= byte(1 + rng.IntN(255))
						}
						tx.Set(p.Key, v)
					case 2:
						tx.Set(p.Key, []byte("?"))
					case 3:
						key := bytes.Clone(p.Key)
						key[len(key)-1-rng.IntN(min(4, len(key)-len(r.Start)+1))] ^= byte(1 + rng.IntN(255))
						if bytes.Compare(key, r.Start) >= 0 && bytes.Compare(key, r.End) < 0 {
							tx.Set(key, p.Value)
						}
					}
				}
			}
			return nil
		})
		_, before := f.check()
		mended := 0
		sum, err := f.c.Repair(context.Background(), f.store, func(tables.Violation) { mended++ }, func(v tables.Violation) {
			if v.Misfit == nil {
				t.Errorf("left: %v", v)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if sum.Violations > 0 || len(before) > 0 && mended == 0 {
			t.Errorf("%d violations before, %d mended, %d left", len(before), mended, sum.Violations)
		}
		f.clean()
		if after := f.pairs(k.Documents()); fmt.Sprint(after) != fmt.Sprint(documents) {
			t.Error("the documents are not what they were")
		}
		t.Logf("%d keys damaged, %d violations, %d mended", damaged, len(before), mended)
	}
}

// TestRepairOfKinds: a counter of no kind of values is taken away, whatever its number is.
func TestRepairOfKinds(t *testing.T) {
	f := open(t, catalog.Options{})
	f.must(func(tx *tables.Tx) error { return f.insert(tx, `{"_id":"a","a":1}`) })
	f.must(func(tx *tables.Tx) error {
		for _, kind := range []int64{-185, 71, 256 + 3} { // a kind is a byte: 71 is what -185 leaves of itself
			tx.Add(f.c.Keys().Counter(1, kind), costing.AppendCounter(nil, costing.Count{Documents: 1, Entries: 1, Bytes: 9}))
		}
		tx.Set(append(f.c.Keys().Counter(1, 3), 0), costing.AppendCounter(nil, costing.Count{}))
		return nil
	})
	if _, before := f.check(); len(before) != 4 {
		t.Errorf("%d violations of 4", len(before))
	}
	if _, err := f.c.Repair(context.Background(), f.store, func(tables.Violation) {},
		func(v tables.Violation) { t.Errorf("left: %v", v) }); err != nil {
		t.Fatal(err)
	}
	f.clean()
}

// TestRepairDocuments: a document that is gone becomes a deletion; one that is there in part is left, and named.
func TestRepairDocuments(t *testing.T) {
	f := open(t, catalog.Options{})
	large := `{"_id":"large","s":"` + strings.Repeat("x", 200_000) + `"}`
	f.must(func(tx *tables.Tx) error {
		for _, text := range []string{`{"_id":"a","a":1}`, `{"_id":"m","a":2}`, large} {
			if err := f.insert(tx, text); err != nil {
				return err
			}
		}
		return nil
	})
	gone, _ := f.parse(`{"_id":"a"}`)
	part, _ := f.parse(`{"_id":"large"}`)
	f.must(func(tx *tables.Tx) error {
		tx.ClearRange(f.c.Keys().DocumentChunks(gone))
		tx.Clear(f.c.Keys().Document(part, 1))
		return nil
	})
	var left []string
	sum, err := f.c.Repair(context.Background(), f.store, func(tables.Violation) {},
		func(v tables.Violation) { left = append(left, v.Error()) })
	if err != nil || sum.Documents != 1 || len(left) == 0 || !strings.Contains(strings.Join(left, "\n"), "can't be read") {
		t.Errorf("%+v, %v, left: %q", sum, err, left)
	}
	f.read(func(r kv.Reader) {
		if m, ok, err := f.c.Rev(r, gone); err != nil || !ok || !m.Deleted {
			t.Errorf("the revision of what is gone: %+v, %t, %v", m, ok, err)
		}
		if m, ok, err := f.c.Rev(r, part); err != nil || !ok || m.Deleted {
			t.Errorf("the revision of what is there in part: %+v, %t, %v", m, ok, err)
		}
	})
	if n := len(f.pairs(f.c.Keys().DocumentChunks(part))); n < 2 {
		t.Errorf("%d keys are left of the damaged document", n)
	}
}
