package tables_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// entry is one entry of the model.
type entry struct {
	value, pk string
	positions string
}

// TestEntries: a walk gives the entries that flattening the documents gives, in
// order, both ways round and within spans; the writes of its own transaction too; and
// it skips to the next value.
func TestEntries(t *testing.T) {
	f := open(t, catalog.Options{})
	enc, err := indexes.NewEncoder(f.c.Definition())
	if err != nil {
		t.Fatal(err)
	}
	model := map[string][]entry{} // by keypath
	add := func(tx *tables.Tx, i int) error {
		word := []string{`"a"`, `"a\u0000"`, `"a\u0000b"`, `"b"`, `0`, `1.0`, `1`, `null`, `true`}[i*7%9]
		if i%3 == 0 {
			word = `"often"`
		}
		pk, d := f.parse(fmt.Sprintf(`{"_id":"%03d","p":%s,"q":[%s,[1],{"x":%s},%s]}`, i, word, word, word, word))
		_ = document.Flatten(d, document.FlattenOptions{}, func(l document.Leaf) error {
			v, _, _, err := enc.AppendLeaf(nil, l)
			path := string(l.Path)
			model[path] = append(model[path], entry{string(v), string(pk), fmt.Sprint(l.Positions)})
			return err
		})
		return f.c.Insert(f.ctx, tx, pk, d)
	}
	f.must(func(tx *tables.Tx) error {
		for i := range 400 {
			if err := add(tx, i); err != nil {
				return err
			}
		}
		return nil
	})
	tx, err := tables.Begin(f.ctx, f.store)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Cancel()
	for i := 400; i < 500; i++ {
		if err := add(tx, i); err != nil {
			t.Fatal(err)
		}
	}
	for _, entries := range model {
		slices.SortFunc(entries, func(a, b entry) int {
			return slices.Compare([]string{a.value, a.pk, a.positions}, []string{b.value, b.pk, b.positions})
		})
	}
	rapid.Check(t, func(rt *rapid.T) {
		keypath := rapid.SampledFrom([]string{"_id", "p", "q", "q[*]", "q[*].x"}).Draw(rt, "keypath")
		bound := rapid.Custom(func(t *rapid.T) []byte {
			return []byte(rapid.SampledFrom(model[keypath]).Draw(t, "of").value)
		})
		spans := indexes.NewSpans(indexes.Span{Start: bound.Draw(rt, "start"), End: bound.Draw(rt, "end")},
			indexes.Point(bound.Draw(rt, "point"))[0])
		if rapid.Bool().Draw(rt, "everything") {
			spans = indexes.Everything()
		}
		var want []entry
		for _, e := range model[keypath] {
			if spans.Contains([]byte(e.value)) {
				want = append(want, e)
			}
		}
		opts := tables.ScanOptions{Reverse: rapid.Bool().Draw(rt, "reverse")}
		if opts.Reverse {
			slices.Reverse(want)
		}
		number, _, err := f.c.Dictionary().Lookup(tx, keypath)
		if err != nil {
			rt.Fatal(err)
		}
		walk := f.c.Entries(tx, number, indexes.InVersion(0, spans), opts)
		defer walk.Close()
		for at := -1; ; {
			ok := false
			if rapid.IntRange(0, 3).Draw(rt, "skip") == 0 {
				for from := at; at < len(want) && (at == from || from >= 0 && want[at].value == want[from].value); {
					at++
				}
				ok = walk.NextValue()
			} else {
				at++
				ok = walk.Next()
			}
			if ok != (at < len(want)) {
				rt.Fatalf("at %d of %d: %v, %v", at, len(want), ok, walk.Err())
			}
			if !ok {
				break
			}
			pk, err := walk.PK()
			if err != nil {
				rt.Fatal(err)
			}
			positions, err := walk.AppendPositions(nil)
			if err != nil {
				rt.Fatal(err)
			}
			got := entry{string(walk.Value()), string(pk), fmt.Sprint(positions)}
			if got != want[at] {
				rt.Fatalf("entry %d is %q, want %q", at, got, want[at])
			}
		}
		if err := walk.Err(); err != nil {
			rt.Fatal(err)
		}
	})
}

// TestEntriesSkip: the next value is found without reading the entries of this one.
func TestEntriesSkip(t *testing.T) {
	f := open(t, catalog.Options{})
	f.must(func(tx *tables.Tx) error {
		for i := range 3000 {
			if err := f.insert(tx, fmt.Sprintf(`{"_id":"%04d","n":%d}`, i, i%3)); err != nil {
				return err
			}
		}
		return nil
	})
	f.read(func(r kv.Reader) {
		number, _, err := f.c.Dictionary().Lookup(r, "n")
		if err != nil {
			t.Fatal(err)
		}
		for _, reverse := range []bool{false, true} {
			walk := f.c.Entries(r, number, indexes.InVersion(0, indexes.Everything()), tables.ScanOptions{Reverse: reverse})
			var values [][]byte
			for walk.NextValue() {
				if walk.Same() {
					t.Error("the next value is the same")
				}
				values = append(values, bytes.Clone(walk.Value()))
			}
			walk.Close()
			if work := walk.Read(); len(values) != 3 || work.Entries > 100 || work.Documents > 0 {
				t.Errorf("found %d values by reading %+v", len(values), work)
			}
		}
	})
}

// TestEntriesEach: the walk over the entries of many spans gives the keys, and the spans, that the one over their
// documents gives, and reads no document.
func TestEntriesEach(t *testing.T) {
	f := open(t, catalog.Options{})
	f.must(func(tx *tables.Tx) error {
		for i := range 100 {
			if err := f.insert(tx, fmt.Sprintf(`{"_id":"%03d","n":%d}`, i, i*7%20)); err != nil {
				return err
			}
		}
		return nil
	})
	rapid.Check(t, func(rt *rapid.T) {
		var spans indexes.Spans
		for from := 0; from < 19; {
			to := from + rapid.IntRange(1, 4).Draw(rt, "width")
			if rapid.Bool().Draw(rt, "sought") {
				spans = append(spans, numbers(from, to))
			}
			from = to
		}
		f.read(func(r kv.Reader) {
			each := func(walk tables.Each) (found []string) {
				defer walk.Close()
				for walk.Next() {
					found = append(found, fmt.Sprintf("%x in %d", walk.PK(), walk.Span()))
				}
				if walk.Err() != nil {
					rt.Fatal(walk.Err())
				}
				return found
			}
			documents := f.c.LookupEach(r, f.keypath(r, "n"), 0, spans)
			entries := f.c.EntriesEach(r, f.keypath(r, "n"), 0, spans)
			want, got := each(documents), each(entries)
			if !slices.Equal(got, want) {
				rt.Fatalf("%q, want %q", got, want)
			}
			if work := entries.Read(); work.Documents != 0 || work.Entries != documents.Read().Entries {
				rt.Fatalf("%+v for %+v", work, documents.Read())
			}
		})
	})
	f.clean()
}
