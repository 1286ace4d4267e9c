package tables_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/overlay"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
	"github.com/sqlfdb/sqlfdb/tables"
)

// writes is a transaction that notes what the engine is told to write, by the
// name of the subspace: the second or third element of the key.
type writes struct {
	kv.Transaction
	keys  []string
	bytes int
}

func (w *writes) note(what string, key []byte, more int) {
	w.keys = append(w.keys, what+" "+subspace(key))
	w.bytes += len(key) + more
}

func (w *writes) Set(k, v []byte) {
	w.note("set", k, len(v))
	w.Transaction.Set(k, v)
}

func (w *writes) Clear(k []byte) {
	w.note("clear", k, 0)
	w.Transaction.Clear(k)
}

func (w *writes) ClearRange(r kv.Range) {
	w.note("clear range", r.Start, len(r.End))
	w.Transaction.ClearRange(r)
}

func (w *writes) Add(k, v []byte) {
	w.note("add", k, len(v))
	w.Transaction.Add(k, v)
}

func (w *writes) SetVersionstampedKey(k []byte, offset int, v []byte) {
	w.note("stamp", k, len(v))
	w.Transaction.SetVersionstampedKey(k, offset, v)
}

func (w *writes) SetVersionstampedValue(k, v []byte, offset int) {
	w.note("stamp", k, len(v))
	w.Transaction.SetVersionstampedValue(k, v, offset)
}

// subspace names the part of the collection that a key lies in.
func subspace(key []byte) string {
	elements, err := tuple.Unpack(key)
	if err != nil {
		// A versionstamp that is still open ends what can be read.
		elements, _ = tuple.Unpack(key[:strings.LastIndexByte(string(key), 0xff)])
	}
	names := make([]string, 0, len(elements))
	for _, e := range elements[1:] {
		names = append(names, fmt.Sprint(e))
	}
	return strings.Join(names, "/")
}

// oneUpdate runs fn in a transaction whose writes are noted, and commits it.
func (f *fixture) oneUpdate(fn func(tx *tables.Tx) error) *writes {
	f.t.Helper()
	base, err := f.store.Begin(f.ctx, kv.TransactionOptions{NoReadYourWrites: true})
	if err != nil {
		f.t.Fatal(err)
	}
	w := &writes{Transaction: base}
	tx := tables.NewTx(overlay.New(w))
	defer tx.Cancel()
	if err := fn(tx); err != nil {
		f.t.Fatal(err)
	}
	if err := tx.Commit(); err != nil {
		f.t.Fatal(err)
	}
	return w
}

// twenty is a document of 20 fields, the seventh with that value.
func twenty(id string, seventh int) string {
	text := fmt.Sprintf(`{"_id":%q`, id)
	for i := range 20 {
		v := 100_000 + i
		if i == 7 {
			v = seventh
		}
		text += fmt.Sprintf(`,"f%d":%d`, i, v)
	}
	return text + "}"
}

// TestUpdateWritesOneField: to change one of 20 fields the store is told to clear and set that field's entry, to
// set the document and its meta, to clear and set the change, and to wake those who wait for changes. Counters are
// added to only where a length changes.
func TestUpdateWritesOneField(t *testing.T) {
	f := open(t, catalog.Options{})
	inserted := f.oneUpdate(func(tx *tables.Tx) error { return f.insert(tx, twenty("a", 200_001)) })
	keys := f.c.Keys()
	pk, _ := f.parse(`{"_id":"a"}`)
	number, ok := int64(0), false
	f.read(func(r kv.Reader) {
		var err error
		if number, ok, err = f.c.Dictionary().Lookup(r, "f7"); err != nil || !ok {
			t.Fatal(ok, err)
		}
	})
	entries, feed := subspace(keys.KeypathEntries(number, 0).Start), subspace(keys.Changes().Start)
	always := []string{"clear " + entries, "set " + entries, "set " + subspace(keys.Document(pk, 0)),
		"stamp " + subspace(keys.Meta(pk)), "clear " + feed, "stamp " + feed, "stamp " + subspace(keys.Newest())}
	for _, test := range []struct {
		value int
		want  []string
	}{
		{200_002, always},
		{200_100, append([]string{"add " + subspace(keys.Counter(number, int64(document.KindInt53))),
			"add " + subspace(keys.InfoEntries())}, always...)},
		{200_100, nil}, // no change
	} {
		w := f.oneUpdate(func(tx *tables.Tx) error { return f.update(tx, twenty("a", test.value)) })
		t.Logf("the insert wrote %d keys and %d bytes, the update %d keys and %d bytes", len(inserted.keys), inserted.bytes,
			len(w.keys), w.bytes)
		for _, k := range test.want {
			i := slices.IndexFunc(w.keys, func(got string) bool { return got == k || strings.HasPrefix(got, k+"/") })
			if i < 0 {
				t.Errorf("f7 = %d did not %s; it wrote %q", test.value, k, w.keys)
				continue
			}
			w.keys = slices.Delete(w.keys, i, i+1)
		}
		if len(w.keys) > 0 {
			t.Errorf("f7 = %d also wrote %q", test.value, w.keys)
		}
	}
	f.clean()
}

// BenchmarkUpdateOneField compares the change of one of 20 fields with
// deleting and inserting the document: keys and bytes given to the store, and time.
func BenchmarkUpdateOneField(b *testing.B) {
	for _, way := range []string{"update", "delete+insert"} {
		b.Run(way, func(b *testing.B) {
			f := open(b, catalog.Options{})
			const documents = 1000
			f.must(func(tx *tables.Tx) error {
				for i := range documents {
					if err := f.insert(tx, twenty(fmt.Sprint(i), i)); err != nil {
						return err
					}
				}
				return nil
			})
			r := rand.New(rand.NewPCG(1, 2))
			keys, bytes := 0, 0
			b.ResetTimer()
			for i := range b.N {
				id := fmt.Sprint(r.IntN(documents))
				w := f.oneUpdate(func(tx *tables.Tx) error {
					if way == "update" {
						return f.update(tx, twenty(id, documents+i))
					}
					if err := f.delete(tx, id); err != nil {
						return err
					}
					return f.insert(tx, twenty(id, documents+i))
				})
				keys += len(w.keys)
				bytes += w.bytes
			}
			b.ReportMetric(float64(keys)/float64(b.N), "keys/op")
			b.ReportMetric(float64(bytes)/float64(b.N), "bytes/op")
			b.StopTimer()
			f.clean()
		})
	}
}
