package transfer_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/transfer"
)

// meddling is a store that does something before the first commit that writes.
type meddling struct {
	kv.Store
	meddle func()
}

type meddlingTx struct {
	kv.Transaction
	s     *meddling
	wrote bool
}

func (s *meddling) Begin(ctx context.Context, opts kv.TransactionOptions) (kv.Transaction, error) {
	tx, err := s.Store.Begin(ctx, opts)
	return &meddlingTx{Transaction: tx, s: s}, err
}

func (t *meddlingTx) Set(key, value []byte) {
	t.wrote = true
	t.Transaction.Set(key, value)
}

func (t *meddlingTx) Commit() error {
	if meddle := t.s.meddle; t.wrote && meddle != nil {
		t.s.meddle = nil
		meddle()
	}
	return t.Transaction.Commit()
}

// TestImportBesideServers: what another process defines while documents are stored holds for
// them, from the commit of the definition on.
func TestImportBesideServers(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name   string
		change func(server *catalog.Catalog) error
		want   error // of the import
		stored int64
	}{
		{"another table", func(server *catalog.Catalog) error {
			_, err := server.CreateTable(ctx, &catalog.Table{Database: "d", Name: "u"})
			return err
		}, nil, 2},
		{"renamed", func(server *catalog.Catalog) error { return server.RenameTable(ctx, "d", "t", "d", "v") }, nil, 2},
		{"a column", func(server *catalog.Catalog) error {
			_, err := server.AlterTable(ctx, "d", "t", func(def *catalog.Table) error {
				def.Columns = append(def.Columns, catalog.Column{Name: "n", Type: "int"})
				return nil
			})
			return err
		}, transfer.ErrNeedsServer, 0},
		{"dropped", func(server *catalog.Catalog) error { return server.DropTable(ctx, "d", "t") }, catalog.ErrNoTable, 0},
		{"truncated", func(server *catalog.Catalog) error { return server.TruncateTable(ctx, "d", "t") }, catalog.ErrNoTable,
			0},
	} {
		for _, during := range []bool{false, true} {
			base, server, _ := openTable(t, "_id")
			store := &meddling{Store: base}
			cat, err := catalog.Open(ctx, store)
			if err != nil {
				t.Fatal(err)
			}
			def := definitionOf(t, cat)
			sink, err := transfer.NewStoreSink(cat, def, transfer.RefuseDuplicates)
			if err != nil {
				t.Fatal(err)
			}
			change := func() {
				if err := c.change(server); err != nil {
					t.Fatal(err)
				}
			}
			if during {
				store.meddle = change
			} else {
				change()
			}
			src, err := transfer.NewSource(strings.NewReader(`{"_id": "a", "n": 1}`+"\n"+`{"_id": "b", "n": "x"}`+"\n"), "lines",
				transfer.FormatAuto)
			if err != nil {
				t.Fatal(err)
			}
			var p transfer.Progress
			err = transfer.Import(ctx, src, sink, &p, transfer.ImportOptions{MaxErrors: -1})
			if stored := p.Stored.Load(); !errors.Is(err, c.want) || c.want == nil && err != nil || stored != c.stored {
				t.Errorf("%s, during a commit %v: %d stored, %v", c.name, during, stored, err)
			}
			if err := sink.Close(); err != nil {
				t.Error(err)
			}
			if c.want == nil {
				verify(t, c.name, base, cat, def, 2)
			}
		}
	}
}
