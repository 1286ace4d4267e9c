package transfer_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/tables"
	"github.com/sqlfdb/sqlfdb/transfer"
)

// failing is a store whose commits that write fail for good once some have
// succeeded.
type failing struct {
	kv.Store
	left atomic.Int64
}

type failingTx struct {
	kv.Transaction
	s     *failing
	wrote bool
}

func (s *failing) Begin(ctx context.Context, opts kv.TransactionOptions) (kv.Transaction, error) {
	tx, err := s.Store.Begin(ctx, opts)
	if err != nil {
		return nil, err
	}
	return &failingTx{Transaction: tx, s: s}, nil
}

func (t *failingTx) Set(key, value []byte) {
	t.wrote = true
	t.Transaction.Set(key, value)
}

func (t *failingTx) Commit() error {
	if t.wrote && t.s.left.Add(-1) < 0 {
		t.Cancel()
		return fmt.Errorf("test: %w", kv.ErrFailed)
	}
	return t.Transaction.Commit()
}

// run imports the text and returns what was counted and what is there.
func run(t *testing.T, text string, commits int64) (stored, refused, there int64, err error) {
	t.Helper()
	ctx := context.Background()
	base, _, _ := openTable(t, "_id")
	s := &failing{Store: base}
	s.left.Store(commits)
	cat, err := catalog.Open(ctx, s)
	if err != nil {
		t.Fatal(err)
	}
	tx, err := base.Begin(ctx, kv.TransactionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	v, err := cat.View(tx)
	tx.Cancel()
	if err != nil {
		t.Fatal(err)
	}
	def, _ := v.Table("d", "t")
	sink, err := transfer.NewStoreSink(cat, def, transfer.RefuseDuplicates)
	if err != nil {
		t.Fatal(err)
	}
	src, err := transfer.NewSource(strings.NewReader(text), "x.jsonl", transfer.FormatAuto)
	if err != nil {
		t.Fatal(err)
	}
	var p transfer.Progress
	importErr := transfer.Import(ctx, src, sink, &p, transfer.ImportOptions{MaxErrors: -1,
		Refused: func(r transfer.Refusal) { t.Logf("line %d: %v", r.Line, r.Reason) }})
	c, err := tables.Open(cat, def)
	if err != nil {
		t.Fatal(err)
	}
	if tx, err = base.Begin(ctx, kv.TransactionOptions{}); err != nil {
		t.Fatal(err)
	}
	defer tx.Cancel()
	sum, err := c.Check(ctx, tx.Snapshot(), func(v tables.Violation) { t.Error(v) })
	if err != nil {
		t.Fatal(err)
	}
	return p.Stored.Load(), p.Refused.Load(), sum.Documents, importErr
}

// TestImportIntoFailedStore: a store that fails stops the import; no document
// is blamed for it.
func TestImportIntoFailedStore(t *testing.T) {
	var text strings.Builder
	for i := range 20 {
		fmt.Fprintf(&text, `{"_id":"%d","k%d":1}`+"\n", i, i)
	}
	stored, refused, there, err := run(t, text.String(), 0)
	if !errors.Is(err, kv.ErrFailed) || stored != 0 || refused != 0 || there != 0 {
		t.Errorf("%v, %d stored, %d refused, %d there", err, stored, refused, there)
	}
}

// TestImportCountsWhatIsStored: a batch that takes several transactions, of
// which the last fails, counts those that were stored, and tells who was refused.
func TestImportCountsWhatIsStored(t *testing.T) {
	var text strings.Builder
	text.WriteString(`{"_id":"0"}` + "\n" + `{"_id":null}` + "\n")
	for i := range 40 {
		// About 300 kB each of entries and 8 kB of text.
		fmt.Fprintf(&text, `{"_id":"a%d","v":[%s0]}`+"\n", i, strings.Repeat("1,", 4_000))
	}
	partial := false
	for commits := int64(0); ; commits++ {
		stored, refused, there, err := run(t, text.String(), commits)
		if stored != there {
			t.Errorf("after %d commits: %d counted as stored, %d are there", commits, stored, there)
		}
		if there > 0 && refused != 1 {
			t.Errorf("after %d commits: %d refused", commits, refused)
		}
		if err == nil {
			break
		}
		partial = partial || there > 0
	}
	if !partial {
		t.Error("no failure came between two transactions of a batch")
	}
}

// TestLargeNeighbours: documents that fit into a transaction each are stored,
// whatever stands before them.
func TestLargeNeighbours(t *testing.T) {
	numbers := func(n int) string { return "[" + strings.Repeat("1,", n) + "0]" }
	text := `{"_id":"a","v":` + numbers(40_000) + "}\n" + `{"_id":"b","v":` + numbers(80_000) + "}\n"
	exported, refused := load(t, text, "_id")
	if len(refused) > 0 || len(exported) != 2 {
		t.Errorf("%d stored, refused: %v", len(exported), refused)
	}
}

// TestStoreSinkRefuses: tables whose keys or rows depend on SQL types are
// imported through a server only.
func TestStoreSinkRefuses(t *testing.T) {
	_, cat, def := openTable(t, "_id")
	for name, change := range map[string]func(*catalog.Table){
		"integer key":   func(d *catalog.Table) { d.Columns[0].Type = "int" },
		"hidden key":    func(d *catalog.Table) { d.Columns, d.PrimaryKey = nil, nil },
		"other columns": func(d *catalog.Table) { d.Columns = append(d.Columns, catalog.Column{Name: "a", Type: "int"}) },
		"closed":        func(d *catalog.Table) { d.Open = false },
	} {
		d := def.Clone()
		change(d)
		if _, err := transfer.NewStoreSink(cat, d, transfer.RefuseDuplicates); !errors.Is(err, transfer.ErrNeedsServer) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
