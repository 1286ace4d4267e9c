package tables_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
	"github.com/sqlfdb/sqlfdb/tables"
)

// TestScanOfOneKey: a scan of one key finds its document, however long, and
// nothing where none is; a document that comes there meanwhile is a conflict.
func TestScanOfOneKey(t *testing.T) {
	f := open(t, catalog.Options{})
	long := strings.Repeat("x", 300_000)
	texts := []string{`{"_id":"a","n":1}`, `{"_id":"ab","n":2}`, `{"_id":"big","text":"` + long + `"}`}
	f.must(func(tx *tables.Tx) error {
		for _, text := range texts {
			if err := f.insert(tx, text); err != nil {
				return err
			}
		}
		return nil
	})
	spans := func(id string) indexes.Spans {
		pk, _ := f.parse(`{"_id":"` + id + `"}`)
		_, value, err := tuple.DecodeBytes(pk)
		if err != nil {
			t.Fatal(err)
		}
		return indexes.Point(value)
	}
	f.read(func(r kv.Reader) {
		for i, id := range []string{"a", "ab", "big"} {
			got := f.rows(f.c.Scan(r, spans(id), tables.ScanOptions{}))
			if len(got) != 1 || got[0] != texts[i] {
				t.Errorf("%s: %.100q", id, got)
			}
		}
		for _, s := range []indexes.Spans{spans("b"), spans(""), indexes.Point([]byte(strings.Repeat("y", 20_000)))} {
			if got := f.rows(f.c.Scan(r, s, tables.ScanOptions{})); len(got) > 0 {
				t.Errorf("found %.100q", got)
			}
		}
	})
	for _, change := range []struct {
		id   string
		what func(tx *tables.Tx) error
	}{
		{"new", func(tx *tables.Tx) error { return f.insert(tx, `{"_id":"new"}`) }},
		{"big", func(tx *tables.Tx) error {
			return f.update(tx, `{"_id":"big","text":"`+long[:len(long)-1]+`y"}`)
		}},
		{"a", func(tx *tables.Tx) error { return f.delete(tx, "a") }},
	} {
		err := f.do(func(tx *tables.Tx) error {
			f.rows(f.c.Scan(tx.Statement(), spans(change.id), tables.ScanOptions{}))
			f.must(change.what)
			return f.insert(tx, `{"_id":"other `+change.id+`"}`)
		})
		if !errors.Is(err, kv.ErrConflict) {
			t.Errorf("%s changed under the scan: %v, want a conflict", change.id, err)
		}
	}
	f.clean()
}
