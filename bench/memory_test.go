package bench

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
	"github.com/sqlfdb/sqlfdb/tables"
	"github.com/sqlfdb/sqlfdb/transfer"
)

var million = flag.Int("documents", 0, "how many documents TestImportMemory imports; 0 skips it")

// TestImportMemory imports many documents and reports the process's largest
// resident set, which must stay below 512 MiB, and checks the collection.
func TestImportMemory(t *testing.T) {
	if *million == 0 {
		t.Skip("a long run: -documents 1000000")
	}
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
	def, err := cat.CreateTable(ctx, &catalog.Table{Database: "d", Name: "t", Open: true,
		Columns: []catalog.Column{{Name: "_id", Type: "varchar(255)", Length: 255}}, PrimaryKey: []int{0}})
	if err != nil {
		t.Fatal(err)
	}
	sink, err := transfer.NewStoreSink(cat, def, transfer.RefuseDuplicates)
	if err != nil {
		t.Fatal(err)
	}
	lines, out := io.Pipe()
	go func() {
		for i := range *million {
			d, err := Document(i)
			if err != nil {
				out.CloseWithError(err)
				return
			}
			if _, err := out.Write(append(d.Raw(), '\n')); err != nil {
				return
			}
		}
		out.Close()
	}()
	src, err := transfer.NewSource(lines, "x.jsonl", transfer.FormatLines)
	if err != nil {
		t.Fatal(err)
	}
	var p transfer.Progress
	if err := transfer.Import(ctx, src, sink, &p, transfer.ImportOptions{MaxErrors: 0}); err != nil {
		t.Fatal(err)
	}
	peak := residentPeak(t)
	t.Logf("%d documents stored, peak resident set %d MiB", p.Stored.Load(), peak>>10)
	if peak > 512<<10 {
		t.Errorf("the peak resident set is %d MiB", peak>>10)
	}
	c, err := tables.Open(cat, def)
	if err != nil {
		t.Fatal(err)
	}
	tx, err := store.Begin(ctx, kv.TransactionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Cancel()
	sum, err := c.Check(ctx, tx.Snapshot(), func(v tables.Violation) { t.Error(v) })
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v, peak resident set %d MiB", sum, residentPeak(t)>>10)
}

// residentPeak is the process's largest resident set so far in KiB, as Linux tells it.
func residentPeak(t *testing.T) int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip("the resident set is only known on Linux: ", err)
	}
	for _, line := range strings.Split(string(status), "\n") {
		var kib int64
		if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kib); n == 1 {
			return kib
		}
	}
	t.Fatal("no VmHWM in /proc/self/status")
	return 0
}
