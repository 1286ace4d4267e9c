package transfer_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
	"github.com/sqlfdb/sqlfdb/tables"
	"github.com/sqlfdb/sqlfdb/transfer"
)

// read returns `line: text` or `line: error` for every item.
func read(t *testing.T, text, name string) ([]string, error) {
	t.Helper()
	src, err := transfer.NewSource(strings.NewReader(text), name, transfer.FormatAuto)
	if err != nil {
		return nil, err
	}
	var out []string
	for {
		item, err := src.Next()
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		line := json.Number(itoa(item.Line)).String() + ": "
		if item.Err != nil {
			out = append(out, line+"refused")
			continue
		}
		out = append(out, line+item.Document.Text())
	}
}

func itoa(n int64) string {
	b, _ := json.Marshal(n)
	return string(b)
}

func TestSource(t *testing.T) {
	long := strings.Repeat("x", 20<<20)
	tests := []struct {
		name, file, text string
		want             []string
		fails            bool
	}{
		{"lines", "a.jsonl", "{\"a\": 1}\n\n {\"b\":2}\r\n{\"c\":3}", []string{`1: {"a":1}`, `3: {"b":2}`, `4: {"c":3}`},
			false},
		{"bad lines", "a.jsonl", "{\"a\":1\n[1]\n{\"a\":1,\"a\":2}\n{}\nnull\n",
			[]string{"1: refused", "2: refused", "3: refused", "4: {}", "5: refused"}, false},
		{"huge line", "a.jsonl", `{"a":"` + long + "\"}\n{\"b\":1}\n", []string{"1: refused", `2: {"b":1}`}, false},
		{"byte order mark", "a.json", "\xef\xbb\xbf{\"a\":1}\n", []string{`1: {"a":1}`}, false},
		{"empty", "a.json", "", nil, true},
		{"array", "a.json", "[\n{\"a\":\n1},\n\n{\"b\":1e400},3]\n", []string{`2: {"a":1}`, `5: {"b":1e400}`, "5: refused"},
			false},
		{"array without end", "a.json", "[{\"a\":1},{\"b\"", []string{`1: {"a":1}`}, true},
		{"something after the array", "a.json", "[{\"a\":1}] {}", []string{`1: {"a":1}`}, true},
		{"array cut in its depth", "a.json", `[{"a":` + strings.Repeat("[", 20_000), nil, true},
		{"deep element", "a.json", `[{"a":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `},{"b":2}]`,
			[]string{"1: refused", `1: {"b":2}`}, false},
		{"malformed elements", "a.json", "[{\"a\":1,},\n{\"a\" 1},{\"s\":\"],[\\\"\"},,\n{\"b\":2}]",
			[]string{"1: refused", "2: refused", `2: {"s":"],[\""}`, "2: refused", `3: {"b":2}`}, false},
		{"huge element", "a.json", `[{"a":"` + long + "\"},\n{\"b\":1}]", []string{"1: refused", `2: {"b":1}`}, false},
		{"empty array", "a.json", " [ ] ", nil, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := read(t, test.text, test.file)
			if strings.Join(got, "|") != strings.Join(test.want, "|") || (err != nil) != test.fails {
				t.Errorf("got %q, %v; want %q", got, err, test.want)
			}
		})
	}
}

func openTable(t *testing.T, key string) (kv.Store, *catalog.Catalog, *catalog.Table) {
	t.Helper()
	ctx := context.Background()
	store, err := pebblekv.Open(t.TempDir(), pebblekv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	cat, err := catalog.Open(ctx, store)
	if err != nil {
		t.Fatal(err)
	}
	if err := cat.CreateDatabase(ctx, "d", ""); err != nil {
		t.Fatal(err)
	}
	key, coll, _ := strings.Cut(key, " COLLATE ")
	def, err := cat.CreateTable(ctx, &catalog.Table{Database: "d", Name: "t", Open: true,
		Columns: []catalog.Column{{Name: key, Type: "varchar(255)", Length: 255, Collation: coll}}, PrimaryKey: []int{0}})
	if err != nil {
		t.Fatal(err)
	}
	return store, cat, def
}

// load imports the text into a fresh table and checks it.
func load(t *testing.T, text, key string) (exported []string, refused map[int64]error) {
	t.Helper()
	ctx := context.Background()
	store, cat, def := openTable(t, key)
	src, err := transfer.NewSource(strings.NewReader(text), "x.jsonl", transfer.FormatAuto)
	if err != nil {
		t.Fatal(err)
	}
	sink, err := transfer.NewStoreSink(cat, def, transfer.RefuseDuplicates)
	if err != nil {
		t.Fatal(err)
	}
	refused = map[int64]error{}
	var p transfer.Progress
	err = transfer.Import(ctx, src, sink, &p, transfer.ImportOptions{MaxErrors: -1,
		Refused: func(r transfer.Refusal) { refused[r.Line] = r.Reason }})
	if err != nil {
		t.Fatal(err)
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
	var out bytes.Buffer
	to, err := transfer.NewEncoder(&out, transfer.FormatLines)
	if err != nil {
		t.Fatal(err)
	}
	n, err := transfer.ExportStore(ctx, c, tx.Snapshot(), to)
	if err := errors.Join(err, to.Close()); err != nil {
		t.Fatal(err)
	}
	if n != sum.Documents || n != p.Stored.Load() || int(p.Refused.Load()) != len(refused) {
		t.Errorf("%d exported, %d checked, %d stored, %d refused", n, sum.Documents, p.Stored.Load(), p.Refused.Load())
	}
	s := bufio.NewScanner(&out)
	s.Buffer(nil, 8<<20)
	for s.Scan() {
		exported = append(exported, s.Text())
	}
	return exported, refused
}

func TestImportRefusals(t *testing.T) {
	text := `{"_id":"a","n":1e400}
{"_id":"a"}
{"_id":null}
{"_id":{"x":1}}
{"_id":"` + strings.Repeat("k", 300) + `"}
{"_id":7,"big":12345678901234567890123,"":{"":0},"a.b":1,"$x":2,"K":1,"k":2}
{"no":"id"}
`
	exported, refused := load(t, text, "_id")
	if len(exported) != 3 {
		t.Fatalf("exported %q", exported)
	}
	for line, want := range map[int64]error{2: tables.ErrDuplicate, 3: tables.ErrBadKey, 4: tables.ErrBadKey,
		5: tables.ErrBadKey} {
		if !errors.Is(refused[line], want) {
			t.Errorf("line %d: %v, want %v", line, refused[line], want)
		}
	}
	if !strings.HasPrefix(exported[0], `{"_id":"01`) && !strings.HasPrefix(exported[0], `{"_id":"0`) {
		t.Errorf("the document without a key: %s", exported[0])
	}
	if exported[1] != `{"_id":7,"big":12345678901234567890123,"":{"":0},"a.b":1,"$x":2,"K":1,"k":2}` {
		t.Errorf("the odd document: %s", exported[1])
	}
}

// TestImportEqualKeys: keys that the column's collation takes for equal are one.
func TestImportEqualKeys(t *testing.T) {
	text := `{"_id":"a"}
{"_id":"A"}
{"_id":"b"}
{"_id":"\u00e1"}
{"_id":"ab"}
`
	exported, refused := load(t, text, "_id COLLATE utf8mb4_0900_ai_ci")
	if len(exported) != 3 || !errors.Is(refused[2], tables.ErrDuplicate) || !errors.Is(refused[4], tables.ErrDuplicate) {
		t.Errorf("exported %q, refused %v", exported, refused)
	}
	if exported, refused = load(t, text, "_id COLLATE utf8mb4_0900_as_cs"); len(exported) != 5 || len(refused) > 0 {
		t.Errorf("exported %q, refused %v", exported, refused)
	}
}

// TestRealDocuments: real files come back byte for byte but for white space.
func TestRealDocuments(t *testing.T) {
	keys := map[string]string{"mongo_primer_restaurants": "restaurant_id", "osv_golang_vulndb": "id",
		"world_countries": "cca3", "vega_movies": "_id"}
	for name, key := range keys {
		t.Run(name, func(t *testing.T) {
			raw, err := os.ReadFile(filepath.Join("..", "..", "shared", "data", name+".jsonl"))
			if err != nil {
				t.Skip("the file of real documents is not here: ", err)
			}
			exported, refused := load(t, string(raw), key)
			for line, reason := range refused {
				t.Logf("line %d: %v", line, reason)
			}
			want := map[string]int{}
			for i, line := range bytes.Split(bytes.TrimSpace(raw), []byte("\n")) {
				if refused[int64(i+1)] != nil {
					continue
				}
				var compact bytes.Buffer
				if err := json.Compact(&compact, line); err != nil {
					t.Fatal(err)
				}
				want[compact.String()]++
			}
			for _, text := range exported {
				if key == "_id" {
					_, rest, _ := strings.Cut(text, ",")
					text = "{" + rest
				}
				if want[text]--; want[text] < 0 {
					t.Fatalf("an exported document that was not imported: %.200s", text)
				}
			}
			if len(exported) < 200 {
				t.Errorf("only %d documents", len(exported))
			}
		})
	}
}
