package tables

import (
	"context"
	"slices"
	"testing"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

// TestCheckEqualKeys: CHECK names documents that are equal in the key, as a
// writer would leave them that doesn't look for them.
func TestCheckEqualKeys(t *testing.T) {
	ctx := context.Background()
	store, err := pebblekv.Open(t.TempDir(), pebblekv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	cat, err := catalog.Open(ctx, store)
	if err != nil {
		t.Fatal(err)
	}
	if err := cat.CreateDatabase(ctx, "d", ""); err != nil {
		t.Fatal(err)
	}
	def, err := cat.CreateTable(ctx, &catalog.Table{Database: "d", Name: "t", Open: true, PrimaryKey: []int{0, 1},
		Columns: []catalog.Column{
			{Name: "a", Type: "varchar(255)", Length: 255, Collation: "utf8mb4_0900_ai_ci"},
			{Name: "b", Type: "bigint", Class: catalog.ClassNumber}}})
	if err != nil {
		t.Fatal(err)
	}
	c, err := Open(cat, def)
	if err != nil {
		t.Fatal(err)
	}
	careless := *c
	careless.folded = nil
	tx, err := Begin(ctx, store)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{`{"a":"x","b":1}`, `{"a":"x","b":2}`, `{"a":"X","b":1}`, `{"a":"y","b":1}`} {
		d, err := document.Parse([]byte(text), document.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		pk, d, err := PrimaryKeyOf(def, d)
		if err != nil {
			t.Fatal(err)
		}
		if err := careless.Insert(ctx, tx, pk, d); err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	r, err := store.Begin(ctx, kv.TransactionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Cancel()
	var what []string
	if _, err := c.Check(ctx, r.Snapshot(), func(v Violation) { what = append(what, v.What) }); err != nil {
		t.Fatal(err)
	}
	if want := []string{"two documents have equal primary keys",
		"two documents have equal primary keys"}; !slices.Equal(what, want) {
		t.Errorf("violations %q", what)
	}
}
