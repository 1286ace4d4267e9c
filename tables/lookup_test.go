package tables_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// TestLookup: a lookup finds the documents that flattening them one by one
// finds, in the order of their values, once each, and the estimate counts them.
func TestLookup(t *testing.T) {
	f := open(t, catalog.Options{StringLimit: 12})
	word := rapid.SampledFrom([]string{`"a"`, `"ab"`, `"é"`, `"E"`, `""`, `"a long string that is cut"`,
		`"a long string that is cut too"`,
		"null", "true", "false", "0", "-1", "1.5", "1e400", "[]", "{}", `["a","ab","a"]`, `[1,[2],{"x":1}]`, `{"x":"a"}`})
	var documents []document.Document
	var pks [][]byte
	f.must(func(tx *tables.Tx) error {
		for i := range 300 {
			text := fmt.Sprintf(`{"_id":"%03d"`, i)
			for _, k := range []string{"p", "q"} {
				if v := word.Example(i*2 + len(k)); i%7 != 0 {
					text += fmt.Sprintf(`,%q:%s`, k, v)
				}
			}
			pk, d := f.parse(text + "}")
			documents, pks = append(documents, d), append(pks, pk)
			if err := f.c.Insert(f.ctx, tx, pk, d); err != nil {
				return err
			}
		}
		return nil
	})
	f.clean()
	enc, err := indexes.NewEncoder(f.c.Definition())
	if err != nil {
		t.Fatal(err)
	}
	encoded := func(leaf document.Leaf) []byte {
		v, _, _, err := enc.AppendLeaf(nil, leaf)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	// Every value there is, as a bound of spans.
	var values [][]byte
	for _, d := range documents {
		_ = document.Flatten(d, document.FlattenOptions{}, func(l document.Leaf) error {
			values = append(values, encoded(l))
			return nil
		})
	}
	slices.SortFunc(values, bytes.Compare)
	values = slices.CompactFunc(values, bytes.Equal)
	rapid.Check(t, func(rt *rapid.T) {
		keypath := rapid.SampledFrom([]string{"_id", "p", "q", "p[*]", "q[*]", "p.x", "p[*].x"}).Draw(rt, "keypath")
		var raw []indexes.Span
		for range rapid.IntRange(1, 3).Draw(rt, "spans") {
			s := indexes.Span{Start: rapid.SampledFrom(values).Draw(rt, "start"), End: rapid.SampledFrom(values).Draw(rt, "end")}
			if rapid.IntRange(0, 4).Draw(rt, "point") == 0 {
				s = indexes.Point(s.Start)[0]
			}
			raw = append(raw, s)
		}
		spans := indexes.NewSpans(raw...)
		type hit struct{ value, pk []byte }
		var hits []hit
		var want []string
		for i, d := range documents {
			in := false
			_ = document.Flatten(d, document.FlattenOptions{}, func(l document.Leaf) error {
				if v := encoded(l); string(l.Path) == keypath && spans.Contains(v) {
					hits = append(hits, hit{v, pks[i]})
					in = true
				}
				return nil
			})
			if in {
				want = append(want, d.Text())
			}
		}
		f.read(func(r kv.Reader) {
			number, ok, err := f.c.Dictionary().Lookup(r, keypath)
			if err != nil {
				rt.Fatal(err)
			}
			if !ok {
				if len(want) > 0 {
					rt.Fatalf("%s has no number", keypath)
				}
				return
			}
			reverse := rapid.Bool().Draw(rt, "reverse")
			rows := f.c.Lookup(r, number, indexes.InVersion(0, spans),
				tables.LookupOptions{ScanOptions: tables.ScanOptions{Reverse: reverse}, Repeats: strings.Contains(keypath, "[*]")})
			got := f.rows(rows)
			if int(rows.Read().Entries) != len(hits) || int(rows.Read().Documents) != len(want) {
				rt.Errorf("read %+v, want %d entries and %d documents", rows.Read(), len(hits), len(want))
			}
			slices.SortStableFunc(hits, func(a, b hit) int {
				if c := bytes.Compare(a.value, b.value); c != 0 {
					return c
				}
				return bytes.Compare(a.pk, b.pk)
			})
			if reverse {
				slices.Reverse(hits)
			}
			var order [][]byte
			for _, h := range hits {
				if !slices.ContainsFunc(order, func(pk []byte) bool { return bytes.Equal(pk, h.pk) }) {
					order = append(order, h.pk)
				}
			}
			for i, text := range got {
				d, _, err := f.c.Get(r, order[min(i, len(order)-1)]).Get()
				if err != nil {
					rt.Fatal(err)
				}
				if d.Text() != text {
					rt.Fatalf("row %d is %s, want %s", i, text, d.Text())
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				rt.Fatalf("%d documents, want %d", len(got), len(want))
			}
			e := costing.Estimator{Statistics: f.c.Statistics(r),
				Number: func(p string) (int64, bool, error) { return f.c.Dictionary().Lookup(r, p) }}
			est, err := e.Estimate(costing.Candidate{Keypath: keypath, Spans: spans})
			if err != nil {
				rt.Fatal(err)
			}
			if est.Bound < int64(len(hits)) || est.Exact && est.Keys != int64(len(hits)) {
				rt.Fatalf("estimate %+v, there are %d", est, len(hits))
			}
		})
	})
}

// TestTransactionTooLarge: a document whose entries don't fit a transaction is
// refused at commit with its size, and leaves nothing.
func TestTransactionTooLarge(t *testing.T) {
	f := open(t, catalog.Options{})
	var b strings.Builder
	b.WriteString(`{"_id":"a","n":[0`)
	for i := range 300_000 {
		fmt.Fprintf(&b, ",%d", i)
	}
	b.WriteString("]}")
	err := f.do(func(tx *tables.Tx) error { return f.insert(tx, b.String()) })
	var size *kv.SizeError
	if !errors.As(err, &size) || !errors.Is(err, kv.ErrTooLarge) || size.Size <= size.Limit {
		t.Fatalf("commit: %v", err)
	}
	if sum := f.clean(); sum.Documents != 0 {
		t.Errorf("%+v", sum)
	}
}
