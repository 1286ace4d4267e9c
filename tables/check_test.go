package tables_test

import (
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// TestCheckNames: whatever is damaged, Check goes on, names it, and still
// sees the damage elsewhere.
func TestCheckNames(t *testing.T) {
	large := `{"_id":"large","s":"` + strings.Repeat("x", 200_000) + `"}`
	damages := map[string]struct {
		damage func(f *fixture, tx *tables.Tx, pk []byte)
		want   string
	}{
		"header": {func(f *fixture, tx *tables.Tx, pk []byte) {
			tx.Set(f.c.Keys().Document(pk, 0), []byte{9, 9})
		}, "can't be read"},
		"number of chunks": {func(f *fixture, tx *tables.Tx, pk []byte) {
			tx.Set(f.c.Keys().Document(pk, 0), append([]byte{1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f},
				`{"_id":"a"}`...))
		}, "can't be read"},
		"text": {func(f *fixture, tx *tables.Tx, pk []byte) {
			tx.Set(f.c.Keys().Document(pk, 0), append([]byte{1, 1}, `{"_id":`...))
		}, "document"},
		"first chunk is gone": {func(f *fixture, tx *tables.Tx, _ []byte) {
			pk, _ := f.parse(large)
			tx.Clear(f.c.Keys().Document(pk, 0))
		}, "without its first"},
		"last chunk is gone": {func(f *fixture, tx *tables.Tx, _ []byte) {
			pk, _ := f.parse(large)
			tx.Clear(f.c.Keys().Document(pk, 2))
		}, "chunks"},
		"chunk too many": {func(f *fixture, tx *tables.Tx, pk []byte) {
			tx.Set(f.c.Keys().Document(pk, 1), []byte("x"))
		}, "without its first"},
		"meta": {func(f *fixture, tx *tables.Tx, pk []byte) {
			tx.Set(f.c.Keys().Meta(pk), []byte("?"))
		}, "revision"},
		"change": {func(f *fixture, tx *tables.Tx, pk []byte) {
			m, _, err := f.c.Rev(tx, pk)
			if err != nil {
				f.t.Fatal(err)
			}
			tx.Set(f.c.Keys().Change(m.Sequence.Incarnation(), m.Sequence.Stamp()), []byte("?"))
		}, "change"},
		"count below zero": {func(f *fixture, tx *tables.Tx, _ []byte) {
			n, _ := f.c.Dictionary().Cached([]byte("a"))
			tx.Add(f.c.Keys().Counter(n, 30), costing.AppendCounter(nil,
				costing.Count{Documents: -50, Entries: -50, Bytes: -5000}))
		}, "count"},
		"count of another length": {func(f *fixture, tx *tables.Tx, _ []byte) {
			tx.Set(f.c.Keys().InfoDocuments(), []byte("?"))
		}, "count"},
		"key": {func(f *fixture, tx *tables.Tx, pk []byte) {
			tx.Set(f.c.Keys().Document(pk, 0), append([]byte{1, 1}, `{"_id":"z","a":1}`...))
		}, "another primary key"},
		"entry's value": {func(f *fixture, tx *tables.Tx, _ []byte) {
			it := tx.Range(f.c.Keys().Entries(), kv.RangeOptions{Limit: 1})
			defer it.Close()
			if it.Next() {
				tx.Set(append([]byte(nil), it.Key()...), []byte("x"))
			}
		}, "entry"},
	}
	for name, d := range damages {
		t.Run(name, func(t *testing.T) {
			f := open(t, catalog.Options{})
			f.must(func(tx *tables.Tx) error {
				for _, text := range []string{`{"_id":"a","a":1}`, `{"_id":"m","a":2}`, large, `{"_id":"y","a":3}`} {
					if err := f.insert(tx, text); err != nil {
						return err
					}
				}
				return nil
			})
			if _, v := f.check(); len(v) > 0 {
				t.Fatal(v)
			}
			pk, _ := f.parse(`{"_id":"m"}`)
			elsewhere, _ := f.parse(`{"_id":"zz"}`)
			f.must(func(tx *tables.Tx) error {
				d.damage(f, tx, pk)
				tx.Set(f.c.Keys().Document(elsewhere, 0), append([]byte{1, 1}, `{"_id":"zz"}`...))
				return nil
			})
			_, violations := f.check()
			all := strings.Join(violations, "\n")
			if !strings.Contains(all, d.want) {
				t.Errorf("want %q among:\n%s", d.want, all)
			}
			if !strings.Contains(all, "no revision") {
				t.Errorf("the damage elsewhere is not named:\n%s", all)
			}
		})
	}
}
