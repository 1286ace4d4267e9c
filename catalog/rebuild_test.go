package catalog_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/collation/collationtest"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
)

// TestReindex: versions, generations and keys of an index that is rebuilt while
// it is being rebuilt.
func TestReindex(t *testing.T) {
	first := &catalog.Table{ID: 7, Database: "d", Name: "t"}
	if first.Rebuilding() || first.CurrentFrom() != 0 || first.CollatorVersion() != collation.FirstVersion {
		t.Errorf("at first: %+v", first)
	}
	second := first.Clone()
	second.Options.MaxDepth = 2
	second.Reindex(first)
	third := second.Clone()
	third.Reindex(second)
	if len(first.Formers) != 0 || len(second.Formers) != 1 || len(third.Formers) != 2 || third.IndexVersion != 3 ||
		third.CurrentFrom() != 2 {
		t.Fatalf("%+v", third)
	}
	for generation, want := range []int{0, 1, -1, -1} {
		i, ok := third.FormerOf(int64(generation))
		if !ok {
			i = -1
		}
		if i != want {
			t.Errorf("generation %d is in former version %d, want %d", generation, i, want)
		}
	}
	if got := third.Formers[0].Definition.Options.MaxDepth; got != 0 {
		t.Errorf("the first version had depth %d", got)
	}
	ranges := map[string]bool{}
	for _, k := range []*keyspace.Collection{third.Keys(), third.FormerKeys(0), third.FormerKeys(1)} {
		ranges[string(k.Index().Start)] = true
	}
	if len(ranges) != 3 || string(third.FormerKeys(0).Index().Start) != string(first.Keys().Index().Start) {
		t.Error("versions share keys")
	}
}

// TestReindexIsSmall: a definition that fills its value has room for its former versions.
func TestReindexIsSmall(t *testing.T) {
	def := &catalog.Table{Database: "d", Name: "t", PrimaryKey: []int{0}}
	for i := range 900 {
		def.Columns = append(def.Columns, catalog.Column{Name: fmt.Sprintf("column%d", i), Type: "varchar(255)", Length: 255})
	}
	before, err := json.Marshal(def)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		def.Reindex(def.Clone())
	}
	after, err := json.Marshal(def)
	if err != nil || len(after) > len(before)+2000 {
		t.Errorf("%d bytes have become %d: %v", len(before), len(after), err)
	}
}

// TestFormats: a store keeps the first format until a table needs the second; a
// table of a newer program is refused.
func TestFormats(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	store, cat := open(t, dir)
	format := func() (n uint64) {
		t.Helper()
		err := kv.Transact(ctx, store, kv.TransactOptions{}, func(tx kv.Transaction) error {
			raw, err := tx.Get(keyspace.FormatVersion()).Get()
			n = binary.LittleEndian.Uint64(raw)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if err := cat.CreateDatabase(ctx, "d", ""); err != nil {
		t.Fatal(err)
	}
	if _, err := cat.CreateTable(ctx, &catalog.Table{Database: "d", Name: "t"}); err != nil {
		t.Fatal(err)
	}
	alter := func(edit func(*catalog.Table)) error {
		_, err := cat.AlterTable(ctx, "d", "t", func(def *catalog.Table) error { edit(def); return nil })
		return err
	}
	if err := alter(func(def *catalog.Table) { def.Comment = "c" }); err != nil || format() != catalog.FormatVersion {
		t.Errorf("format %d: %v", format(), err)
	}
	if err := alter(func(def *catalog.Table) { def.Reindex(def.Clone()) }); err != nil ||
		format() != catalog.DefinitionsFormat {
		t.Errorf("format %d: %v", format(), err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	store, cat = open(t, dir)
	defer store.Close()
	restore := collationtest.Pretend("UCA 99")
	if _, err := cat.CreateTable(ctx, &catalog.Table{Database: "d", Name: "newer"}); err != nil {
		t.Fatal(err)
	}
	restore()
	newer, _ := view(t, cat).Table("d", "newer")
	if err := newer.Understood(); !errors.Is(err, catalog.ErrNewer) {
		t.Errorf("a table of a newer collator: %v", err)
	}
	if _, err := cat.AlterTable(ctx, "d", "newer", func(*catalog.Table) error { return nil }); !errors.Is(err,
		catalog.ErrNewer) {
		t.Errorf("changed a table of a newer collator: %v", err)
	}
	def := newer.Clone()
	def.Collator, def.Format = "", 99
	if err := def.Understood(); !errors.Is(err, catalog.ErrNewer) {
		t.Errorf("a definition of a newer format: %v", err)
	}
	if err := cat.DropTable(ctx, "d", "newer"); err != nil {
		t.Error(err)
	}
	err := kv.Transact(ctx, store, kv.TransactOptions{}, func(tx kv.Transaction) error {
		tx.Set(keyspace.FormatVersion(), binary.LittleEndian.AppendUint64(nil, catalog.NewestFormatVersion+1))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := catalog.Open(ctx, store); !errors.Is(err, catalog.ErrFormat) {
		t.Errorf("opened a store of a newer format: %v", err)
	}
}

// TestFormatOfBytes: programs that give byte strings no entries refuse a table that
// has them.
func TestFormatOfBytes(t *testing.T) {
	ctx := context.Background()
	store, cat := open(t, t.TempDir())
	defer store.Close()
	if err := cat.CreateDatabase(ctx, "d", ""); err != nil {
		t.Fatal(err)
	}
	def := &catalog.Table{Database: "d", Name: "t", Columns: []catalog.Column{{Name: "k", Type: "varbinary(9)",
		Class: catalog.ClassBytes}}}
	for i, index := range []catalog.Index{{Name: "k", Columns: []string{"K"}},
		{Name: "k", Columns: []string{"K"}, Bytes: true}} {
		def.Name, def.Indexes = fmt.Sprintf("t%d", i), []catalog.Index{index}
		if _, err := cat.CreateTable(ctx, def); err != nil {
			t.Fatal(err)
		}
		stored, _ := view(t, cat).Table("d", def.Name)
		if want := 1 + 2*i; stored.Format != want {
			t.Errorf("%+v: format %d, want %d", index, stored.Format, want)
		}
	}
}

// TestFormatOfTimes: programs that know TIME(6) alone refuse a table whose times have fewer digits.
func TestFormatOfTimes(t *testing.T) {
	ctx := context.Background()
	store, cat := open(t, t.TempDir())
	defer store.Close()
	if err := cat.CreateDatabase(ctx, "d", ""); err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		typ    string
		format int
	}{{"time(6)", 1}, {"time", 10}, {"time(3)", 10}, {"timestamp", 1}} {
		name := fmt.Sprintf("t%d", i)
		def := &catalog.Table{Database: "d", Name: name, Columns: []catalog.Column{{Name: "a", Type: c.typ}}}
		if _, err := cat.CreateTable(ctx, def); err != nil {
			t.Fatal(err)
		}
		if stored, _ := view(t, cat).Table("d", name); stored.Format != c.format {
			t.Errorf("%s: format %d, want %d", c.typ, stored.Format, c.format)
		}
	}
}

// TestFormatOfHidden: programs that know no hidden columns refuse a table that has one. They stand behind the others.
func TestFormatOfHidden(t *testing.T) {
	ctx := context.Background()
	store, cat := open(t, t.TempDir())
	defer store.Close()
	if err := cat.CreateDatabase(ctx, "d", ""); err != nil {
		t.Fatal(err)
	}
	def := &catalog.Table{Database: "d", Name: "t", Columns: []catalog.Column{{Name: "v", Type: "varchar(9)"},
		{Name: "p", Type: "varchar(3)", Hidden: true, PrefixOf: "v", PrefixLength: 3}},
		Indexes: []catalog.Index{{Name: "i", Columns: []string{"p"}, Unique: true}}}
	if _, err := cat.CreateTable(ctx, def); err != nil {
		t.Fatal(err)
	}
	stored, _ := view(t, cat).Table("d", "t")
	if stored.Format != 6 || stored.Visible() != 1 || stored.Columns[1].PrefixLength != 3 {
		t.Errorf("format %d of %+v", stored.Format, stored.Columns)
	}
}

// keptApart is a store that has a way of its own to keep keys.
type keptApart struct{ kv.Store }

// Format is the format of such a store.
func (keptApart) Format() uint64 { return catalog.NewestFormatVersion }

// TestFormatOfStore: a store that keeps keys in a way of its own has its format as soon as it is opened, and keeps it
// whatever is defined; it can be read without that way, too.
func TestFormatOfStore(t *testing.T) {
	ctx := context.Background()
	store, _ := open(t, t.TempDir())
	defer store.Close()
	format := func() uint64 {
		tx, err := store.Begin(ctx, kv.TransactionOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Cancel()
		id, err := catalog.Identify(tx)
		if err != nil {
			t.Fatal(err)
		}
		return id.Format
	}
	if format() != catalog.FormatVersion {
		t.Fatalf("a new store has format %d", format())
	}
	cat, err := catalog.Open(ctx, keptApart{store})
	if err != nil || format() != catalog.NewestFormatVersion {
		t.Fatalf("format %d: %v", format(), err)
	}
	if err := cat.CreateDatabase(ctx, "d", ""); err != nil {
		t.Fatal(err)
	}
	def := &catalog.Table{Database: "d", Name: "t"}
	def.Generation = 1
	if _, err := cat.CreateTable(ctx, def); err != nil || format() != catalog.NewestFormatVersion {
		t.Errorf("with a definition of the second format the store has %d: %v", format(), err)
	}
	if _, err := catalog.Open(ctx, store); err != nil || format() != catalog.NewestFormatVersion {
		t.Errorf("opened without the way of its own: format %d: %v", format(), err)
	}
}
