package tables_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// openKeyed opens a collection whose primary key has the columns given by name
// and collation; "number" is a number.
func openKeyed(t testing.TB, columns ...string) *fixture {
	t.Helper()
	ctx := context.Background()
	store, err := pebblekv.Open(t.TempDir(), pebblekv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	cat, err := catalog.Open(ctx, store)
	if err != nil {
		t.Fatal(err)
	}
	if err := cat.CreateDatabase(ctx, "d", ""); err != nil {
		t.Fatal(err)
	}
	table := &catalog.Table{Database: "d", Name: "t", Open: true}
	for i, c := range columns {
		name, coll, _ := strings.Cut(c, " ")
		column := catalog.Column{Name: name, Type: "varchar(255)", Length: 255, Collation: coll}
		if coll == "number" {
			column = catalog.Column{Name: name, Type: "bigint", Class: catalog.ClassNumber}
		}
		table.Columns = append(table.Columns, column)
		table.PrimaryKey = append(table.PrimaryKey, i)
	}
	def, err := cat.CreateTable(ctx, table)
	if err != nil {
		t.Fatal(err)
	}
	c, err := tables.Open(cat, def)
	if err != nil {
		t.Fatal(err)
	}
	return &fixture{t: t, ctx: ctx, store: store, cat: cat, c: c}
}

func TestKeysThatAreEqual(t *testing.T) {
	f := openKeyed(t, "_id utf8mb4_0900_ai_ci")
	f.must(func(tx *tables.Tx) error { return f.insert(tx, `{"_id":"Straße"}`) })
	for _, id := range []string{"strasse", "STRASSE", "straße", "Strasse", "Straße"} {
		text := fmt.Sprintf(`{"_id":%q}`, id)
		if err := f.do(func(tx *tables.Tx) error { return f.insert(tx, text) }); !errors.Is(err, tables.ErrDuplicate) {
			t.Errorf("%s: %v", id, err)
		}
		pk, _ := f.parse(text)
		want, _ := f.parse(`{"_id":"Straße"}`)
		f.read(func(r kv.Reader) {
			if got, ok, err := f.c.Resolve(r, pk); err != nil || !ok || string(got) != string(want) {
				t.Errorf("%s leads to %x, %v, %v", id, got, ok, err)
			}
		})
	}
	for _, id := range []string{"stras", "strasse ", "strassen", "", "straß"} {
		f.must(func(tx *tables.Tx) error { return f.insert(tx, fmt.Sprintf(`{"_id":%q}`, id)) })
	}
	// Within one transaction too, and again once it is deleted.
	err := f.do(func(tx *tables.Tx) error {
		if err := f.insert(tx, `{"_id":"x"}`); err != nil {
			return err
		}
		return f.insert(tx, `{"_id":"X"}`)
	})
	if !errors.Is(err, tables.ErrDuplicate) {
		t.Errorf("a key twice in one transaction: %v", err)
	}
	f.must(func(tx *tables.Tx) error {
		if err := f.delete(tx, "Straße"); err != nil {
			return err
		}
		return f.insert(tx, `{"_id":"strasse"}`)
	})
	f.clean()
}

func TestEqualKeysConflict(t *testing.T) {
	for _, test := range []struct {
		columns       []string
		before        []string
		first, second string
		conflict      bool
	}{
		{[]string{"_id utf8mb4_0900_ai_ci"}, nil, `{"_id":"a"}`, `{"_id":"A"}`, true},
		{[]string{"_id utf8mb4_0900_ai_ci"}, nil, `{"_id":"a"}`, `{"_id":"b"}`, false},
		{[]string{"_id utf8mb4_0900_as_cs"}, nil, `{"_id":"a"}`, `{"_id":"A"}`, false},
		{[]string{"a utf8mb4_0900_ai_ci", "b number"}, nil, `{"a":"x","b":1}`, `{"a":"X","b":1}`, true},
		{[]string{"a utf8mb4_0900_ai_ci", "b number"}, []string{`{"a":"x","b":5}`, `{"a":"X","b":6}`}, `{"a":"x","b":1}`,
			`{"a":"X","b":1}`, true},
		{[]string{"b number", "a utf8mb4_0900_ai_ci"}, nil, `{"a":"x","b":1}`, `{"a":"X","b":2}`, false},
	} {
		f := openKeyed(t, test.columns...)
		for _, text := range test.before {
			f.must(func(tx *tables.Tx) error { return f.insert(tx, text) })
		}
		first, err := tables.Begin(f.ctx, f.store)
		if err != nil {
			t.Fatal(err)
		}
		defer first.Cancel()
		if err := f.insert(first, test.first); err != nil {
			t.Fatal(err)
		}
		f.must(func(tx *tables.Tx) error { return f.insert(tx, test.second) })
		if err := first.Commit(); errors.Is(err, kv.ErrConflict) != test.conflict {
			t.Errorf("%v: %s and %s at once: %v", test.columns, test.first, test.second, err)
		}
		f.clean()
	}
}

// TestEqualKeysModel inserts and deletes at random, beside a model that compares
// every two keys.
func TestEqualKeysModel(t *testing.T) {
	type column struct {
		name string
		coll *collation.Collation // nil: a number
	}
	shapes := [][]string{
		{"a utf8mb4_0900_ai_ci"},
		{"a utf8mb4_0900_ai_ci", "b number"},
		{"b number", "a utf8mb4_0900_as_ci"},
		{"a utf8mb4_0900_ai_ci", "b number", "c utf8mb4_da_0900_ai_ci"},
		{"a utf8mb4_0900_ai_ci", "c utf8mb4_0900_as_cs"},
	}
	for _, shape := range shapes {
		var columns []column
		for _, s := range shape {
			name, coll, _ := strings.Cut(s, " ")
			c, _ := collation.Lookup(coll)
			columns = append(columns, column{name, c})
		}
		f := openKeyed(t, shape...)
		rapid.Check(t, func(t *rapid.T) {
			var model [][]string
			equal := func(a, b []string) bool {
				for i, c := range columns {
					if c.coll == nil && a[i] != b[i] || c.coll != nil && !c.coll.Equal(a[i], b[i]) {
						return false
					}
				}
				return true
			}
			text := func(key []string) string {
				b := document.NewObject()
				for i, c := range columns {
					v := document.FromCompact([]byte(key[i]))
					if c.coll != nil {
						v, _ = document.StringValue(key[i])
					}
					b.Add(c.name, v)
				}
				d, err := b.Document()
				if err != nil {
					t.Fatal(err)
				}
				return d.Text()
			}
			tx, err := tables.Begin(f.ctx, f.store)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { tx.Cancel() }()
			for range rapid.IntRange(1, 25).Draw(t, "steps") {
				if rapid.IntRange(0, 9).Draw(t, "commit") == 0 {
					if err := tx.Commit(); err != nil {
						t.Fatal(err)
					}
					if tx, err = tables.Begin(f.ctx, f.store); err != nil {
						t.Fatal(err)
					}
				}
				key := make([]string, len(columns))
				for i, c := range columns {
					values := []string{"1", "2"}
					if c.coll != nil {
						values = []string{"", "a", "A", "á", "\u00e4", "a\u0308", "aa", "å", "Å", "b", "\x00", "a\x00", "\u200d"}
					}
					key[i] = rapid.SampledFrom(values).Draw(t, "value")
				}
				at := slices.IndexFunc(model, func(k []string) bool { return equal(k, key) })
				if rapid.IntRange(0, 3).Draw(t, "what") == 0 && len(model) > 0 {
					gone := rapid.IntRange(0, len(model)-1).Draw(t, "gone")
					pk, _ := f.parse(text(model[gone]))
					if err := f.c.Delete(f.ctx, tx, pk); err != nil {
						t.Fatal(err)
					}
					model = slices.Delete(model, gone, gone+1)
					continue
				}
				err := f.insert(tx, text(key))
				if at < 0 && err != nil || at >= 0 && !errors.Is(err, tables.ErrDuplicate) {
					t.Fatalf("%v: insert %q into %q: %v", shape, key, model, err)
				}
				if at < 0 {
					model = append(model, key)
				}
			}
			if err := tx.Commit(); err != nil {
				t.Fatal(err)
			}
			if sum := f.clean(); sum.Documents != int64(len(model)) {
				t.Fatalf("%d documents, the model has %d", sum.Documents, len(model))
			}
			f.must(func(tx *tables.Tx) error {
				for _, key := range model {
					pk, _ := f.parse(text(key))
					if err := f.c.Delete(f.ctx, tx, pk); err != nil {
						return err
					}
				}
				return nil
			})
		})
	}
}
