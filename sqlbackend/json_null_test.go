package sqlbackend

import (
	"context"
	"fmt"
	"testing"

	"github.com/sqlfdb/sqlfdb/catalog"
)

// TestJSONNullOfBefore: a table of before RFC 0020 reads a JSON null as NULL, whatever happens to its other columns;
// columns that are declared in it later keep the two apart.
func TestJSONNullOfBefore(t *testing.T) {
	b := newPredicateBench(t)
	rows := func(query, want string) {
		t.Helper()
		got, err := b.query(query)
		if text := fmt.Sprint(got); err != nil || text != want {
			t.Errorf("%s: %s %v, want %s", query, text, err, want)
		}
	}
	b.must("CREATE TABLE old (id INT PRIMARY KEY, j JSON)")
	cat, err := catalog.Open(context.Background(), b.backend.Store)
	if err != nil {
		t.Fatal(err)
	}
	_, err = cat.AlterTable(context.Background(), "d", "old", func(def *catalog.Table) error {
		if !def.Columns[1].KeepsNull || def.Format < 8 {
			t.Errorf("a new table: %+v", def)
		}
		def.Columns[1].KeepsNull = false
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	b.must("INSERT INTO old VALUES (1, 'null'), (2, NULL), (3, '1')")
	rows("SELECT id FROM old WHERE j IS NULL ORDER BY id", "[1 2]")
	rows("SELECT COUNT(j) FROM old", "[1]")
	b.must("ALTER TABLE old MODIFY j JSON COMMENT 'c', ADD k JSON")
	rows("SELECT id FROM old WHERE j IS NULL AND k IS NULL ORDER BY id", "[1 2]")
	b.must("UPDATE old SET j = 'null', k = 'null' WHERE id = 3")
	rows("SELECT id FROM old WHERE j IS NULL ORDER BY id", "[1 2 3]")
	rows("SELECT id FROM old WHERE k IS NOT NULL ORDER BY id", "[3]")
	b.must("CREATE TABLE young LIKE old")
	b.must("INSERT INTO young VALUES (1, 'null', NULL)")
	rows("SELECT COUNT(j), COUNT(k) FROM young", "[1 0]")
	b.must("ALTER TABLE old MODIFY j TEXT")
	b.must("UPDATE old SET j = 'null' WHERE id = 2")
	b.must("ALTER TABLE old MODIFY j JSON")
	rows("SELECT id FROM old WHERE j IS NULL ORDER BY id", "[1 3]")
	rows("SELECT COUNT(j) FROM old", "[1]")
}
