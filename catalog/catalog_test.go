package catalog_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

func open(t *testing.T, dir string) (kv.Store, *catalog.Catalog) {
	t.Helper()
	store, err := pebblekv.Open(dir, pebblekv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cat, err := catalog.Open(context.Background(), store)
	if err != nil {
		t.Fatal(err)
	}
	return store, cat
}

func view(t *testing.T, cat *catalog.Catalog) *catalog.View {
	t.Helper()
	tx, err := cat.Store().Begin(context.Background(), kv.TransactionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Cancel()
	v, err := cat.View(tx)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestDefinitions(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	store, cat := open(t, dir)
	step := func(what string, err, want error) {
		t.Helper()
		if !errors.Is(err, want) {
			t.Fatalf("%s: %v, want %v", what, err, want)
		}
	}
	table := func(name string) error {
		_, err := cat.CreateTable(ctx, &catalog.Table{Database: "Shop", Name: name, Open: true})
		return err
	}
	step("no database", table("Orders"), catalog.ErrNoDatabase)
	step("create database", cat.CreateDatabase(ctx, "Shop", ""), nil)
	step("twice", cat.CreateDatabase(ctx, "sHOP", ""), catalog.ErrDatabaseExists)
	step("create table", table("Orders"), nil)
	step("same but for case", table("orders"), catalog.ErrTableExists)
	step("view of that name", cat.PutView(ctx, catalog.SQLView{Database: "shop", Name: "ORDERS"},
		catalog.PutViewOptions{}), catalog.ErrTableExists)
	step("view", cat.PutView(ctx, catalog.SQLView{Database: "shop", Name: "v", TextDefinition: "SELECT 1"},
		catalog.PutViewOptions{}), nil)
	step("view again", cat.PutView(ctx, catalog.SQLView{Database: "shop", Name: "v", TextDefinition: "SELECT 2"},
		catalog.PutViewOptions{Replace: true}), nil)
	first, _ := view(t, cat).Table("shop", "orders")
	step("truncate", cat.TruncateTable(ctx, "shop", "orders"), nil)
	second, _ := view(t, cat).Table("shop", "orders")
	if second.ID <= first.ID {
		t.Errorf("TRUNCATE kept the collection's number %d", second.ID)
	}
	step("rename", cat.RenameTable(ctx, "shop", "orders", "shop", "Sales"), nil)
	step("rename of none", cat.RenameTable(ctx, "shop", "orders", "shop", "x"), catalog.ErrNoTable)
	if _, err := cat.AlterTable(ctx, "shop", "sales",
		func(t *catalog.Table) error { t.Comment = "c"; t.ID = 99; return nil }); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	store, cat = open(t, dir)
	defer store.Close()
	v := view(t, cat)
	got, ok := v.Table("SHOP", "SALES")
	if !ok || got.Name != "Sales" || got.Comment != "c" || got.ID != second.ID {
		t.Errorf("after reopening: %+v", got)
	}
	if w, ok := v.View("shop", "V"); !ok || w.TextDefinition != "SELECT 2" {
		t.Errorf("view after reopening: %+v", w)
	}
	step("drop table", cat.DropTable(ctx, "shop", "sales"), nil)
	step("drop again", cat.DropTable(ctx, "shop", "sales"), catalog.ErrNoTable)
	step("drop database", cat.DropDatabase(ctx, "shop"), nil)
	if len(view(t, cat).Databases()) != 0 {
		t.Error("the database is still there")
	}
}

// TestDefinitionsConflict: a transaction that has read the definitions and writes
// must not commit across a change of them.
func TestDefinitionsConflict(t *testing.T) {
	ctx := context.Background()
	store, cat := open(t, t.TempDir())
	defer store.Close()
	tx, err := store.Begin(ctx, kv.TransactionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Cancel()
	if _, err := cat.View(tx); err != nil {
		t.Fatal(err)
	}
	tx.Set([]byte("x"), nil)
	if err := cat.CreateDatabase(ctx, "d", ""); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(); !errors.Is(err, kv.ErrConflict) {
		t.Errorf("commit across CREATE DATABASE: %v", err)
	}
}

// TestForeignStore: a store that holds something else is refused, not overwritten.
func TestForeignStore(t *testing.T) {
	ctx := context.Background()
	store, err := pebblekv.Open(t.TempDir(), pebblekv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	err = kv.Transact(ctx, store, kv.TransactOptions{}, func(tx kv.Transaction) error {
		tx.Set([]byte("somebody's key"), []byte("x"))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := catalog.Open(ctx, store); !errors.Is(err, catalog.ErrNotEmpty) {
		t.Errorf("opened a foreign store: %v", err)
	}
}

// TestDictionary: concurrent writers of the same and of different new keypaths
// agree on the numbers, which have no gaps, and another process reads the same.
func TestDictionary(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	store, cat := open(t, dir)
	other, err := catalog.Open(ctx, store) // a second process's cache
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			d := cat.Dictionary(1)
			if g%2 == 0 {
				d = other.Dictionary(1)
			}
			for i := range 20 {
				if err := d.Assign(ctx, []string{fmt.Sprintf("shared%d", i), fmt.Sprintf("own%d.%d", g, i)}); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	wg.Wait()
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	store, fresh := open(t, dir)
	defer store.Close()
	tx, err := store.Begin(ctx, kv.TransactionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Cancel()
	all, err := fresh.Dictionary(1).All(tx)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 20+8*20 {
		t.Fatalf("%d keypaths", len(all))
	}
	for i, name := range all {
		for _, d := range []*catalog.Dictionary{cat.Dictionary(1), other.Dictionary(1)} {
			if n, ok := d.Cached([]byte(name)); ok && n != int64(i+1) {
				t.Errorf("%s is %d in one cache and %d in the store", name, n, i+1)
			}
		}
	}
	if n, ok, err := fresh.Dictionary(1).Lookup(tx, "never"); ok || err != nil {
		t.Errorf("a keypath that no document has: %d, %v", n, err)
	}
	sorted := slices.Clone(all)
	slices.Sort(sorted)
	if len(slices.Compact(sorted)) != len(all) {
		t.Error("a keypath has two numbers")
	}
}

func TestAutoIncrement(t *testing.T) {
	ctx := context.Background()
	store, cat := open(t, t.TempDir())
	defer store.Close()
	seen := map[uint64]bool{}
	take := func() uint64 {
		n, err := cat.NextAutoIncrement(ctx, 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		if seen[n] {
			t.Fatalf("%d twice", n)
		}
		seen[n] = true
		return n
	}
	for want := uint64(1); want <= 200; want++ {
		if n := take(); n != want {
			t.Fatalf("took %d, want %d", n, want)
		}
	}
	if err := cat.RaiseAutoIncrement(ctx, 1, 1000); err != nil {
		t.Fatal(err)
	}
	if err := cat.RaiseAutoIncrement(ctx, 1, 5); err != nil {
		t.Fatal(err)
	}
	if n := take(); n != 1000 {
		t.Errorf("after raising to 1000: %d", n)
	}
	other, err := catalog.Open(ctx, store)
	if err != nil {
		t.Fatal(err)
	}
	n, err := other.NextAutoIncrement(ctx, 1, 0)
	if err != nil || seen[n] || n <= 1000 {
		t.Errorf("another process took %d, %v", n, err)
	}
}
