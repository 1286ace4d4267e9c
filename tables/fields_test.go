package tables_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// schemes are two views of one table: documents whole, and a key for each field.
func schemes(f *fixture) [2]*tables.Collection {
	f.t.Helper()
	def := f.c.Definition().Clone()
	def.Options.KeyScheme = catalog.KeySchemeField
	byField, err := tables.Open(f.cat, def)
	if err != nil {
		f.t.Fatal(err)
	}
	return [2]*tables.Collection{f.c, byField}
}

// fieldText draws a document's text, its keys and values as odd as JSON allows.
func fieldText(t *rapid.T, id string) string {
	names := []string{`"a"`, `"b"`, `"c"`, `""`, `"a.b"`, `"\u0061x"`, `"q\"q"`, `"{"`, `"}"`, `","`, `"\\"`}
	var object func(depth int) string
	value := func(depth int) string {
		switch rapid.IntRange(0, 9).Draw(t, "value") {
		case 0:
			return `{}`
		case 1:
			return `[1,{"a":[]},"],}"]`
		case 2:
			return `"` + strings.Repeat(rapid.SampledFrom([]string{"x", "é", `\"`, "\\u0000"}).Draw(t, "letter"),
				rapid.SampledFrom([]int{0, 1, 5, 30_000, 50_000}).Draw(t, "length")) + `"`
		case 3:
			return rapid.SampledFrom([]string{"null", "true", "-0", "1E5", "12345678901234567890.10"}).Draw(t, "scalar")
		case 4, 5:
			if depth < 3 {
				return object(depth + 1)
			}
		}
		return fmt.Sprint(rapid.IntRange(0, 9).Draw(t, "number"))
	}
	object = func(depth int) string {
		var members []string
		if depth == 0 {
			members = append(members, `"_id":"`+id+`"`)
		}
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 5, rapid.ID).Draw(t, "names") {
			members = append(members, name+":"+value(depth))
		}
		if depth == 0 && rapid.Bool().Draw(t, "turned") {
			slices.Reverse(members)
		}
		return "{" + strings.Join(members, ",") + "}"
	}
	return object(0)
}

// TestKeySchemes: a document comes back as it went in, whichever scheme it was written and
// changed in, and both read what the other has written.
func TestKeySchemes(t *testing.T) {
	f := open(t, catalog.Options{})
	both := schemes(f)
	rapid.Check(t, func(rt *rapid.T) {
		model := map[string]string{}
		for range rapid.IntRange(1, 4).Draw(rt, "transactions") {
			f.must(func(tx *tables.Tx) error {
				for range rapid.IntRange(1, 3).Draw(rt, "writes") {
					c := both[rapid.IntRange(0, 1).Draw(rt, "scheme")]
					id := rapid.SampledFrom([]string{"a", "b"}).Draw(rt, "id")
					_, there := model[id]
					text := fieldText(rt, id)
					pk, d := f.parse(text)
					switch {
					case !there:
						model[id] = text
						if err := c.Insert(f.ctx, tx, pk, d); err != nil {
							return err
						}
					case rapid.IntRange(0, 4).Draw(rt, "delete") == 0:
						delete(model, id)
						if err := c.Delete(f.ctx, tx, pk); err != nil {
							return err
						}
					default:
						model[id] = text
						err := c.Update(f.ctx, tx, pk, func(document.Document) (document.Document, error) { return d, nil })
						if err != nil {
							return err
						}
					}
				}
				return nil
			})
			f.read(func(r kv.Reader) {
				var want []string
				for _, id := range slices.Sorted(maps.Keys(model)) {
					want = append(want, model[id])
				}
				for _, c := range both {
					if got := f.rows(c.Scan(r, indexes.Everything(), tables.ScanOptions{})); !slices.Equal(got, want) {
						rt.Fatalf("documents %.300q, want %.300q", got, want)
					}
					got := f.rows(c.Scan(r, indexes.Everything(), tables.ScanOptions{Reverse: true}))
					if slices.Reverse(got); !slices.Equal(got, want) {
						rt.Fatalf("documents from the end %.300q, want %.300q", got, want)
					}
					for id, text := range model {
						pk, _ := f.parse(`{"_id":"` + id + `"}`)
						if d, ok, err := c.Get(r, pk).Get(); err != nil || !ok || d.Text() != text {
							rt.Fatalf("document %s is %.300s, want %.300s (%v)", id, d.Text(), text, err)
						}
					}
				}
			})
			if _, violations := f.check(); len(violations) > 0 {
				rt.Fatal(violations)
			}
		}
		f.must(func(tx *tables.Tx) error {
			for id := range model {
				if err := f.delete(tx, id); err != nil {
					return err
				}
			}
			return nil
		})
		f.read(func(r kv.Reader) {
			it := r.Range(f.c.Keys().Documents(), kv.RangeOptions{})
			defer it.Close()
			if it.Next() {
				rt.Fatalf("%x is left behind", it.Key())
			}
		})
	})
}

// TestFieldSchemeWritesOneField: a change of one field of a document of 3 MB writes that field's text, its
// entry, the document's meta, the change and that there is a newer one, and no other key.
func TestFieldSchemeWritesOneField(t *testing.T) {
	f := open(t, catalog.Options{KeyScheme: catalog.KeySchemeField})
	text := func(n int) string {
		return fmt.Sprintf(`{"_id":"a","big":{"x":"%s","n":%d},"y":"%s"}`, strings.Repeat("x", 1_500_000), n,
			strings.Repeat("y", 1_500_000))
	}
	f.must(func(tx *tables.Tx) error { return f.insert(tx, text(1)) })
	w := f.oneUpdate(func(tx *tables.Tx) error { return f.update(tx, text(2)) })
	if len(w.keys) != 7 || w.bytes > 1000 {
		t.Errorf("%d keys and %d bytes were written: %q", len(w.keys), w.bytes, w.keys)
	}
	w = f.oneUpdate(func(tx *tables.Tx) error { return f.update(tx, strings.Replace(text(2), `"n":2`, `"n":2,"m":3`, 1)) })
	if w.bytes > 2000 {
		t.Errorf("another field: %d keys and %d bytes were written: %q", len(w.keys), w.bytes, w.keys)
	}
	f.clean()
}

// TestDamagedFields: CHECK names a document whose fields are damaged, and reading it is an error.
func TestDamagedFields(t *testing.T) {
	for name, damage := range map[string]func(tx *tables.Tx, keys [][]byte){
		"a field is gone":        func(tx *tables.Tx, keys [][]byte) { tx.Clear(keys[2]) },
		"the last field is gone": func(tx *tables.Tx, keys [][]byte) { tx.Clear(keys[len(keys)-1]) },
		"the skeleton is gone":   func(tx *tables.Tx, keys [][]byte) { tx.Clear(keys[0]) },
		"a field too many": func(tx *tables.Tx, keys [][]byte) {
			tx.Set(append(slices.Clone(keys[1][:len(keys[1])-1]), 0xfe), []byte("1"))
		},
		"the skeleton is no JSON": func(tx *tables.Tx, keys [][]byte) { tx.Set(keys[0], []byte{3, 0, 4, 1, '{', '"'}) },
		"a number of no field": func(tx *tables.Tx, keys [][]byte) {
			tx.Set(keys[0], []byte("\x03\x00\x04\x01{\"_id\":1,\"a\":2,\"b\":77}"))
		},
		"a header with no numbers": func(tx *tables.Tx, keys [][]byte) { tx.Set(keys[0], []byte{3, 0xff}) },
	} {
		t.Run(name, func(t *testing.T) {
			f := open(t, catalog.Options{KeyScheme: catalog.KeySchemeField})
			f.must(func(tx *tables.Tx) error { return f.insert(tx, `{"_id":"a","a":1,"b":2}`) })
			var keys [][]byte
			f.read(func(r kv.Reader) {
				it := r.Range(f.c.Keys().Documents(), kv.RangeOptions{})
				defer it.Close()
				for it.Next() {
					keys = append(keys, slices.Clone(it.Key()))
				}
			})
			if len(keys) != 4 {
				t.Fatalf("%d keys", len(keys))
			}
			f.must(func(tx *tables.Tx) error { damage(tx, keys); return nil })
			if _, violations := f.check(); len(violations) == 0 {
				t.Error("CHECK finds nothing")
			}
			f.read(func(r kv.Reader) {
				rows := f.c.Scan(r, indexes.Everything(), tables.ScanOptions{})
				defer rows.Close()
				for rows.Next() {
				}
				if rows.Err() == nil {
					t.Error("reading it is no error")
				}
			})
		})
	}
}
