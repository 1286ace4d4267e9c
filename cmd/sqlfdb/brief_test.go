package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/kvopen"
	"github.com/sqlfdb/sqlfdb/transfer"
)

// brief is a store that keeps no version for longer than a transaction lives, as a cluster.
type brief struct{ kv.Store }

// Begin implements kv.Store.
func (s brief) Begin(ctx context.Context, opts kv.TransactionOptions) (kv.Transaction, error) {
	opts.Hold = false
	return s.Store.Begin(ctx, opts)
}

// slow waits before some of the documents that it writes.
type slow struct {
	transfer.Encoder
	written int
}

func (e *slow) Write(d document.Document) error {
	if e.written++; e.written%1000 == 0 {
		time.Sleep(2 * briefLife)
	}
	return e.Encoder.Write(d)
}

// briefLife is how long a transaction of a brief store lives.
const briefLife = 20 * time.Millisecond

// TestBrief: a check and an export go on where they take longer than a transaction of the store lives.
func TestBrief(t *testing.T) {
	store := "pebble:" + filepath.Join(t.TempDir(), "store")
	var lines strings.Builder
	const documents = 5000
	for i := range documents {
		fmt.Fprintf(&lines, `{"_id":"%06d","n":%d,"s":"text %d","list":[1,{"a":2},"three"]}`+"\n", i, i%70, i%900)
	}
	in := files(t, map[string]string{"in": lines.String()})("in")
	if _, err := command(t, "import", "--store", store, "--table", "d.t", in); err != nil {
		t.Fatal(err)
	}
	base, cat, err := openStore(t.Context(), store, kvopen.Options{TransactionLife: briefLife})
	if err != nil {
		t.Fatal(err)
	}
	defer base.Close()
	s := brief{base}
	var out, told bytes.Buffer
	cmd := newRoot()
	cmd.SetOut(&out)
	cmd.SetErr(&told)
	cmd.SetContext(t.Context())
	if err := check(cmd, s, cat, "", inspect(false, s)); err != nil ||
		!strings.Contains(out.String(), "5000 documents") {
		t.Errorf("check: %v: %s", err, out.String())
	}
	var written bytes.Buffer
	to, err := transfer.NewEncoder(&written, transfer.FormatLines)
	if err != nil {
		t.Fatal(err)
	}
	n, err := exportOpen(cmd, s, cat, "d", "t", &slow{Encoder: to})
	if n != documents || err != nil || to.Close() != nil || written.String() != lines.String() {
		t.Errorf("export: %d documents, %v", n, err)
	}
	if !strings.Contains(told.String(), " versions: ") {
		t.Errorf("one version was enough: %s", told.String())
	}
}
