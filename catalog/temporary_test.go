package catalog_test

import (
	"testing"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/kv"
)

// TestTemporaries: a view with temporary tables finds them before others and does not list them; foreign keys are never
// theirs; the view without them is as it was.
func TestTemporaries(t *testing.T) {
	store, cat := open(t, t.TempDir())
	defer store.Close()
	ctx := t.Context()
	begin := func() kv.Transaction {
		tx, err := store.Begin(ctx, kv.TransactionOptions{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(tx.Cancel)
		return tx
	}
	if err := cat.CreateDatabase(ctx, "d", ""); err != nil {
		t.Fatal(err)
	}
	if _, err := cat.CreateTable(ctx, &catalog.Table{Database: "d", Name: "t", DocumentColumn: -1}); err != nil {
		t.Fatal(err)
	}
	c, err := cat.Change(ctx, begin())
	if err != nil {
		t.Fatal(err)
	}
	var taken []int64
	c.With(nil, func(n int64) { taken = append(taken, n) })
	made, err := c.CreateTemporary(&catalog.Table{Database: "D", Name: "T", DocumentColumn: -1})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.TruncateTable("d", "t"); err != nil {
		t.Fatal(err)
	}
	v := c.View()
	got, _ := v.Table("d", "t")
	stored, _ := v.Stored().Table("d", "t")
	if len(taken) != 2 || made.ID != taken[0] || got.ID != taken[1] || !got.Temporary() || stored.Temporary() ||
		c.Changed() {
		t.Errorf("made %d, truncated %d, taken %v, stored %d, changed %t", made.ID, got.ID, taken, stored.ID, c.Changed())
	}
	if all := v.Tables("d"); len(all) != 1 || all[0].Temporary() {
		t.Errorf("%v", all)
	}
	if err := c.DropTable("d", "t"); err != nil || len(c.View().Temporaries().All()) != 0 {
		t.Error(err)
	}
	if now, ok := c.View().Table("d", "t"); !ok || now.Temporary() {
		t.Error("the table behind it is gone")
	}
	if err := cat.DropTemporaries(ctx, taken[:1]); err != nil {
		t.Fatal(err)
	}
	after := begin()
	for i, want := range []bool{false, true} {
		if has, err := cat.HasTemporary(after, taken[i]); has != want || err != nil {
			t.Errorf("collection %d: %t, %v", taken[i], has, err)
		}
	}
}
