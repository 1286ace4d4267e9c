package sqlbackend

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/catalog"
)

// TestCheckDuplicates: CHECK TABLE names documents that are equal in a unique
// index, which a server killed in the middle of CREATE UNIQUE INDEX can leave.
func TestCheckDuplicates(t *testing.T) {
	b := newPredicateBench(t)
	b.must("CREATE TABLE dup (_id INT PRIMARY KEY, a INT, b VARCHAR(20) COLLATE utf8mb4_0900_ai_ci)")
	b.must("INSERT INTO dup VALUES (1, 5, 'x'), (2, 5, 'X'), (3, 6, 'x'), (4, NULL, 'x'), (5, NULL, 'x')")
	cat, err := catalog.Open(context.Background(), b.backend.Store)
	if err != nil {
		t.Fatal(err)
	}
	_, err = cat.AlterTable(context.Background(), "d", "dup", func(def *catalog.Table) error {
		def.Indexes = append(def.Indexes, catalog.Index{Name: "u", Columns: []string{"a", "b"}, Unique: true})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := b.query("CHECK TABLE dup")
	text := fmt.Sprint(rows, err)
	if !strings.Contains(text, "duplicate entry '5-X' in the unique index u") || strings.Count(text, "duplicate") != 1 ||
		!strings.Contains(text, "Corrupt") {
		t.Errorf("CHECK TABLE: %s", text)
	}
}
