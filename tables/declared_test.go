package tables_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// declare gives the table an index on several columns, which no document has an entry in.
func (f *fixture) declare(building int64, columns ...string) int64 {
	f.t.Helper()
	def, err := f.cat.AlterTable(f.ctx, "d", "t", func(t *catalog.Table) error {
		t.AddIndex(catalog.Index{Name: strings.Join(columns, "_"), Columns: columns})
		t.Indexes[len(t.Indexes)-1].Building = building
		return nil
	})
	if err == nil {
		f.c, err = tables.Open(f.cat, def)
	}
	if err != nil {
		f.t.Fatal(err)
	}
	return def.LastIndex
}

// built says that the index is built.
func (f *fixture) built() {
	f.t.Helper()
	def, err := f.cat.AlterTable(f.ctx, "d", "t", func(t *catalog.Table) error {
		for i := range t.Indexes {
			t.Indexes[i].Building = 0
		}
		return nil
	})
	if err == nil {
		f.c, err = tables.Open(f.cat, def)
	}
	if err != nil {
		f.t.Fatal(err)
	}
}

// violations is what Check says.
func (f *fixture) violations() (out []string) {
	f.t.Helper()
	f.read(func(r kv.Reader) {
		if _, err := f.c.Check(f.ctx, r, func(v tables.Violation) { out = append(out, v.Error()) }); err != nil {
			f.t.Fatal(err)
		}
	})
	return out
}

// keysOf lists what is stored of a declared index.
func (f *fixture) keysOf(n int64) (out [][]byte) {
	f.t.Helper()
	f.read(func(r kv.Reader) {
		for _, all := range []kv.Range{f.c.Keys().DeclaredEntries(n), f.c.Keys().OmittedFrom(n)} {
			it := r.Range(all, kv.RangeOptions{})
			for it.Next() {
				out = append(out, bytes.Clone(it.Key()))
			}
			if err := it.Err(); err != nil {
				f.t.Fatal(err)
			}
			it.Close()
		}
	})
	return out
}

// TestBuildDeclared: writers go on while an index is built in small steps that conflict
// with them, and in the end each document has its entry, once; before that there are no others.
func TestBuildDeclared(t *testing.T) {
	for _, scheme := range []string{"", catalog.KeySchemeField} {
		for seed := range uint64(6) {
			t.Run(fmt.Sprint(scheme, seed), func(t *testing.T) { buildAmongWriters(t, scheme, seed) })
		}
	}
}

func buildAmongWriters(t *testing.T, scheme string, seed uint64) {
	f := open(t, catalog.Options{KeyScheme: scheme, StringLimit: 4096})
	r := rand.New(rand.NewPCG(seed, 1))
	there := map[string]bool{}
	values := []string{"1", "1.0", "null", `"x"`, `"X"`, `""`, "[]", `{"c":1}`, "true",
		`"` + strings.Repeat("long ", 900) + `"`}
	text := func(id string) string {
		s := fmt.Sprintf(`{"_id":%q`, id)
		for _, name := range []string{"a", "b", "c"} {
			if r.IntN(4) > 0 {
				s += fmt.Sprintf(`,%q:%s`, name, values[r.IntN(len(values))])
			}
		}
		return s + "}"
	}
	write := func(tx *tables.Tx) error {
		id := fmt.Sprintf("k%02d", r.IntN(40))
		var err error
		switch {
		case !there[id]:
			err = f.insert(tx, text(id))
			there[id] = true
		case r.IntN(4) == 0:
			err = f.delete(tx, id)
			there[id] = false
		default:
			err = f.update(tx, text(id))
		}
		return err
	}
	for range 60 {
		f.must(write)
	}
	n := f.declare(7, "a", "b", "c")
	var next []byte
	entered, conflicts := int64(0), 0
	for done := false; !done; {
		if v := f.violations(); len(v) > 0 {
			t.Fatal(v)
		}
		if r.IntN(2) == 0 {
			f.must(write)
			continue
		}
		var out tables.Built
		err := f.do(func(tx *tables.Tx) error {
			var err error
			out, err = f.c.BuildDeclared(f.ctx, tx, n, next, tables.UpgradeBudget{Documents: 1 + r.IntN(5)})
			if err == nil && r.IntN(2) == 0 {
				f.must(write)
			}
			return err
		})
		if errors.Is(err, kv.ErrConflict) {
			conflicts++
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		next, entered = out.Next, entered+out.Entered
		done = next == nil
	}
	f.built()
	documents := 0
	for _, is := range there {
		if is {
			documents++
		}
	}
	if v := f.violations(); len(v) > 0 || len(f.keysOf(n)) != documents || entered == 0 {
		t.Errorf("%d keys of %d documents, %d entered, %d conflicts: %v", len(f.keysOf(n)), documents, entered, conflicts, v)
	}
}

// TestCheckDeclared: what is missing, left over or malformed in a declared index is named;
// while the index is built nothing is missing.
func TestCheckDeclared(t *testing.T) {
	for name, damage := range map[string]struct {
		do       func(f *fixture, tx *tables.Tx, key []byte)
		building bool
		want     string
	}{
		"missing": {func(_ *fixture, tx *tables.Tx, key []byte) { tx.Clear(key) }, false,
			"an entry of a declared index is missing"},
		"not there yet": {func(_ *fixture, tx *tables.Tx, key []byte) { tx.Clear(key) }, true, ""},
		"a value":       {func(_ *fixture, tx *tables.Tx, key []byte) { tx.Set(key, []byte("x")) }, true, "has a value"},
		"dangling": {func(_ *fixture, tx *tables.Tx,
			key []byte) {
			tx.Set(append(key[:len(key)-2:len(key)-2], 'z', 0), nil)
		}, true, "has no document"},
		"malformed": {func(_ *fixture, tx *tables.Tx, key []byte) { tx.Set(key[:len(key)-6], nil) }, true, "malformed"},
		"of no index": {func(f *fixture, tx *tables.Tx, _ []byte) { tx.Set(f.c.Keys().DeclaredEntries(99).Start, nil) },
			false, "that is not there"},
		"omitted for no reason": {func(f *fixture, tx *tables.Tx, _ []byte) {
			pk, _ := f.parse(`{"_id":"a"}`)
			tx.Set(f.c.Keys().Omitted(1, pk), nil)
		}, true, "has no document"},
	} {
		t.Run(name, func(t *testing.T) {
			f := open(t, catalog.Options{})
			building := int64(0)
			if damage.building {
				building = 1
			}
			n := f.declare(building, "a", "b")
			f.must(func(tx *tables.Tx) error { return f.insert(tx, `{"_id":"a","a":1,"b":"two"}`) })
			if v := f.violations(); len(v) > 0 {
				t.Fatal(v)
			}
			f.must(func(tx *tables.Tx) error { damage.do(f, tx, f.keysOf(n)[0]); return nil })
			v := f.violations()
			if damage.want == "" && len(v) > 0 || damage.want != "" &&
				!slices.ContainsFunc(v, func(s string) bool { return strings.Contains(s, damage.want) }) {
				t.Errorf("%v, want %q", v, damage.want)
			}
		})
	}
}

// TestDeclaredDifference: an update that leaves the columns of a declared index as they
// are writes nothing there.
func TestDeclaredDifference(t *testing.T) {
	f := open(t, catalog.Options{})
	n := f.declare(0, "a", "b")
	f.must(func(tx *tables.Tx) error { return f.insert(tx, `{"_id":"a","a":1,"b":"two","c":1}`) })
	for text, writes := range map[string]int{`{"_id":"a","a":1.0,"b":"two","c":2}`: 0, `{"_id":"a","a":1,"c":2}`: 2} {
		counted := 0
		if err := f.do(func(tx *tables.Tx) error {
			pk, old := f.parse(`{"_id":"a","a":1,"b":"two","c":1}`)
			_, new := f.parse(text)
			m, err := indexes.NewMaintainer(f.c.Definition(), f.c.Dictionary())
			if err != nil {
				return err
			}
			w := &countingWriter{Writer: tx, within: f.c.Keys().DeclaredEntries(n), n: &counted}
			if _, err := m.Update(f.ctx, w, pk, &indexes.Versioned{Document: old},
				&indexes.Versioned{Document: new}); err != nil {
				return err
			}
			return errors.New("not meant to be")
		}); err == nil || counted != writes {
			t.Errorf("%s: %d writes, want %d", text, counted, writes)
		}
	}
	if v := f.violations(); len(v) > 0 {
		t.Error(v)
	}
}

type countingWriter struct {
	kv.Writer
	within kv.Range
	n      *int
}

func (w *countingWriter) count(key []byte) {
	if bytes.Compare(key, w.within.Start) >= 0 && bytes.Compare(key, w.within.End) < 0 {
		*w.n++
	}
}

func (w *countingWriter) Set(key, value []byte) { w.count(key); w.Writer.Set(key, value) }
func (w *countingWriter) Clear(key []byte)      { w.count(key); w.Writer.Clear(key) }

// TestFold: entries of strings that are equal in a collation are the same in a declared
// index, and the spans of such strings find them.
func TestFold(t *testing.T) {
	ci, _ := collation.Lookup("utf8mb4_0900_ai_ci")
	f := open(t, catalog.Options{Collation: "utf8mb4_0900_ai_ci"})
	n := f.declare(0, "a", "b")
	f.must(func(tx *tables.Tx) error {
		for i, a := range []string{"x", "X", "y"} {
			if err := f.insert(tx, fmt.Sprintf(`{"_id":"%d","a":%q,"b":%d}`, i, a, 9-i)); err != nil {
				return err
			}
		}
		return nil
	})
	enc, err := indexes.NewEncoder(f.c.Definition())
	if err != nil {
		t.Fatal(err)
	}
	value := func(text string) []byte {
		v, err := document.StringValue(text)
		if err != nil {
			t.Fatal(err)
		}
		b, _, _, err := enc.AppendLeaf(nil, document.Leaf{Path: []byte("a"), Value: v, Kind: v.Kind()})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for span, want := range map[*indexes.Span]string{
		{Start: value("x"), End: append(value("x"), 0)}: "1 0",
		{Start: value("y")}:                             "2",
		{End: value("x")}:                               "1 0",
	} {
		spans, exact := indexes.FoldSpans(indexes.Spans{*span}, ci)
		if exact {
			t.Errorf("%x: exact", span.Start)
		}
		var got []string
		f.read(func(r kv.Reader) {
			rows := f.c.LookupDeclared(r, tables.Declared{Number: n, Columns: 2,
				Ranges: []indexes.DeclaredRange{{Span: spans[0]}}}, tables.ScanOptions{})
			defer rows.Close()
			for rows.Next() {
				v, _ := rows.Document().Lookup(document.Keypath{{Name: "_id"}})
				got = append(got, v.Str())
			}
			if err := rows.Err(); err != nil {
				t.Error(err)
			}
		})
		if strings.Join(got, " ") != want {
			t.Errorf("%x to %x: %v, want %s", span.Start, span.End, got, want)
		}
	}
}
