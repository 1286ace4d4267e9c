package tables_test

import (
	"fmt"
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

// TestIntersect: the documents of an intersection are those that each member leads to by
// itself, each once, whatever is merged and collected.
func TestIntersect(t *testing.T) {
	f := open(t, catalog.Options{})
	enc, err := indexes.NewEncoder(f.c.Definition())
	if err != nil {
		t.Fatal(err)
	}
	keypaths := []string{"a", "b", "c", "tags[*]"}
	values := map[string]map[string][]string{} // by keypath, then by value: documents
	insert := func(tx *tables.Tx, i int) error {
		text := fmt.Sprintf(`{"_id":"%04d","a":%d,"b":%d,"tags":[%d,%d,%d]`, i, i%2, i*7%11, i%5, i*3%7, i%5)
		if i%3 > 0 {
			text += fmt.Sprintf(`,"c":%d`, i*i%4)
		}
		pk, d := f.parse(text + "}")
		if err := f.c.Insert(f.ctx, tx, pk, d); err != nil {
			return err
		}
		return document.Flatten(d, document.FlattenOptions{}, func(l document.Leaf) error {
			v, _, _, err := enc.AppendLeaf(nil, l)
			path := string(l.Path)
			if values[path] == nil {
				values[path] = map[string][]string{}
			}
			values[path][string(v)] = append(values[path][string(v)], d.Text())
			return err
		})
	}
	f.must(func(tx *tables.Tx) error {
		for i := range 200 {
			if err := insert(tx, i); err != nil {
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
	for i := 200; i < 300; i++ {
		if err := insert(tx, i); err != nil {
			t.Fatal(err)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		var members []tables.Member
		var want []string
		for n := range rapid.IntRange(2, 4).Draw(rt, "members") {
			var m tables.Member
			var found []string
			for range rapid.IntRange(1, 2).Draw(rt, "parts") {
				keypath := rapid.SampledFrom(keypaths).Draw(rt, "keypath")
				number, _, err := f.c.Dictionary().Lookup(tx, keypath)
				if err != nil {
					rt.Fatal(err)
				}
				var known []string
				for v := range values[keypath] {
					known = append(known, v)
				}
				slices.Sort(known)
				spans := indexes.Point([]byte(rapid.SampledFrom(known).Draw(rt, "value")))
				switch rapid.IntRange(0, 3).Draw(rt, "kind") {
				case 0:
					spans = spans.Union(indexes.Point([]byte(rapid.SampledFrom(known).Draw(rt, "other value"))))
				case 1:
					spans = indexes.NewSpans(indexes.Span{Start: []byte(rapid.SampledFrom(known).Draw(rt, "start"))})
				}
				for _, v := range known {
					if spans.Contains([]byte(v)) {
						found = append(found, values[keypath][v]...)
					}
				}
				m = append(m, tables.MemberPart{Keypath: number, Versions: indexes.InVersion(0, spans),
					Repeats: strings.Contains(keypath, "[*]")})
			}
			slices.Sort(found)
			found = slices.Compact(found)
			if members = append(members, m); n == 0 {
				want = found
			} else {
				want = slices.DeleteFunc(want, func(d string) bool { return !slices.Contains(found, d) })
			}
		}
		opts := tables.IntersectOptions{Collected: rapid.SampledFrom([]int{0, 40, 150}).Draw(rt, "collected")}
		rows := f.c.Intersect(tx, members, opts)
		got := f.rows(rows)
		if n := int(rows.Read().Documents); n != len(got) {
			rt.Errorf("%d documents read for %d", n, len(got))
		}
		walk := f.c.IntersectKeys(tx, members, opts)
		defer walk.Close()
		var named []string // the documents of the keys
		for walk.Next() {
			pk, err := walk.PK()
			if err != nil {
				rt.Fatal(err)
			}
			d, _, err := f.c.Get(tx, pk).Get()
			if err != nil {
				rt.Fatal(err)
			}
			named = append(named, d.Text())
		}
		if work := walk.Read(); walk.Err() != nil || !slices.Equal(named, got) || work.Documents != 0 {
			rt.Fatalf("keys of %q for %q: %+v, %v", named, got, work, walk.Err())
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			rt.Fatalf("%d documents, want %d: %q, want %q", len(got), len(want), got, want)
		}
	})
}

// TestIntersectSkips: where one value has few documents, the entries of another that
// has very many are not all read.
func TestIntersectSkips(t *testing.T) {
	f := open(t, catalog.Options{})
	const documents = 6000
	f.must(func(tx *tables.Tx) error {
		for i := range documents {
			if err := f.insert(tx, fmt.Sprintf(`{"_id":"%05d","most":%t,"few":%d}`, i, i%10 > 0, i%1500)); err != nil {
				return err
			}
		}
		return nil
	})
	f.read(func(r kv.Reader) {
		member := func(keypath string, d string) tables.Member {
			number, _, err := f.c.Dictionary().Lookup(r, keypath)
			if err != nil {
				t.Fatal(err)
			}
			enc, err := indexes.NewEncoder(f.c.Definition())
			if err != nil {
				t.Fatal(err)
			}
			_, doc := f.parse(d)
			var spans indexes.Spans
			if err := document.Flatten(doc, document.FlattenOptions{}, func(l document.Leaf) error {
				if string(l.Path) != keypath {
					return nil
				}
				v, _, _, err := enc.AppendLeaf(nil, l)
				spans = indexes.Point(v)
				return err
			}); err != nil {
				t.Fatal(err)
			}
			return tables.Member{{Keypath: number, Versions: indexes.InVersion(0, spans)}}
		}
		rows := f.c.Intersect(r, []tables.Member{member("few", `{"_id":"","few":7}`),
			member("most", `{"_id":"","most":true}`)}, tables.IntersectOptions{})
		got := f.rows(rows)
		if work := rows.Read(); len(got) != 4 || work.Entries > 8+4*40 {
			t.Errorf("%d documents for %+v", len(got), work)
		}
	})
}
