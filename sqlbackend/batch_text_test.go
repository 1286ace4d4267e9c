package sqlbackend

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/batch"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// TestRowTexts: rows are found wherever parentheses, quotes and comments stand, or not at all.
func TestRowTexts(t *testing.T) {
	for text, want := range map[string][]string{
		"INSERT INTO t VALUES (1,'a'),(2,'b')":                              {"(1,'a')", "(2,'b')"},
		"insert ignore t (`values`, b) value (1, ')'), (2, '(\\'('''), (3)": {"(1, ')')", "(2, '(\\'(''')", "(3)"},
		"INSERT INTO t VALUES (f(1, (2)), \"x)\") /* (9) */ , -- (8)\n (3) ON DUPLICATE KEY UPDATE a = (VALUES(a));": {
			"(f(1, (2)), \"x)\")", "(3)"},
		"INSERT INTO t (id, value, w) VALUES (1, 2, 3), (4, 5, 6)":   {"(1, 2, 3)", "(4, 5, 6)"},
		"INSERT INTO t (id, value) VALUE ROW (1, 2), ROW(3, value)":  {"(1, 2)", "(3, value)"},
		"INSERT INTO value VALUES (1), (2)":                          {"(1)", "(2)"},
		"INSERT INTO value VALUES ROW(1), ROW(2)":                    {"(1)", "(2)"},
		"INSERT INTO d.value (value) VALUES (1), (2)":                {"(1)", "(2)"},
		"INSERT INTO value PARTITION (p) (id, b) VALUES (1,2),(3,4)": {"(1,2)", "(3,4)"},
		"REPLACE INTO t VALUES ROW(1), ROW (2)":                      {"(1)", "(2)"},
		"INSERT INTO t VALUES (1), (2); SELECT 1":                    nil,
		"INSERT INTO t VALUES (1), (2":                               nil,
		"INSERT INTO t VALUES (1), DEFAULT":                          nil,
		"INSERT INTO t SELECT 1":                                     nil,
		"INSERT INTO t (a) SELECT * FROM (VALUES 1, 2) x":            nil,
	} {
		var got []string
		if texts := batch.RowTextsOf(text, max(2, len(want))); texts != nil {
			for _, r := range texts.Rows {
				got = append(got, text[r[0]:r[1]])
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	if batch.RowTextsOf("INSERT INTO t VALUES (1), (2)", 3) != nil {
		t.Error("two rows are taken for three")
	}
}

// TestBatchTexts: each batch is parsed with the rows behind those of the batches before, and no more of them than it
// may come to; together they are all.
func TestBatchTexts(t *testing.T) {
	p := newInProcess(t, "store", inMemory())
	const rows = 10_000
	var all []string
	for i := range rows {
		all = append(all, fmt.Sprintf("(%d, '%s')", i, strings.Repeat("x", 100)))
	}
	query := "INSERT INTO t VALUES " + strings.Join(all, ",") + " ON DUPLICATE KEY UPDATE a = a"
	if err := p.command(func(ctx *sql.Context) error {
		b := &batch.Run{Shape: table.BatchShape{By: table.ByTuples}, Bytes: batch.BulkBytes, Documents: 700, Rows: rows}
		p.session.Batch = b
		defer func() { p.session.Batch = nil }()
		length, met := 0, 0
		for batches := 0; ; batches++ {
			text := batch.Text(ctx, query)
			length += len(text)
			head := strings.HasPrefix(text, "INSERT INTO t VALUES (")
			tail := strings.HasSuffix(text, ") ON DUPLICATE KEY UPDATE a = a")
			n := strings.Count(text, "'),(") + 1
			if !head || !tail || n > 2_800 || b.From != b.At.Met || !strings.Contains(text, all[met]) || batches > rows {
				t.Errorf("batch %d has %d rows: %.60s…", batches, n, text)
				return nil
			}
			if !b.More {
				if met+n != rows {
					t.Errorf("the last batch ends behind %d rows", met+n)
				}
				break
			}
			took := int64(n)
			if batches%3 == 0 {
				took = 300 // it was full before
			}
			b.Taken = took
			b.At.Met += took
			met += int(took)
		}
		if length > 3*len(query) {
			t.Errorf("%d bytes are parsed of a statement of %d", length, len(query))
		}
		if text := batch.Text(ctx, "SELECT 1"); text != "SELECT 1" {
			t.Errorf("another text becomes %s", text)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}
