package systemschema

import (
	"slices"
	"strings"
	"testing"
)

// TestTables: every table has columns of known types, the tables are sorted, and no name is there twice.
func TestTables(t *testing.T) {
	for _, database := range Databases() {
		all := Tables(database)
		names := func(x *Table) string { return x.Name }
		if len(all) == 0 || !slices.IsSortedFunc(all, func(a, b *Table) int { return strings.Compare(names(a), names(b)) }) {
			t.Errorf("%s: %d tables, not sorted", database, len(all))
		}
		for _, table := range all {
			seen := map[string]bool{}
			for _, c := range table.Columns {
				word, _, _ := strings.Cut(c.Type, "(")
				word, _, _ = strings.Cut(word, " ")
				if lower := strings.ToLower(c.Name); seen[lower] || !typeWords[word] || strings.ContainsAny(c.Name, "*!(',") {
					t.Errorf("%s.%s: column %q of type %q", database, table.Name, c.Name, c.Type)
				} else {
					seen[lower] = true
				}
			}
			if len(table.Columns) == 0 {
				t.Errorf("%s.%s has no columns", database, table.Name)
			}
		}
	}
	for _, c := range []struct {
		table, column, typ string
		nullable, key      bool
	}{
		{"user", "Host", "char(255)", false, true},
		{"slow_log", "lock_time", "time(6)", false, false},
		{"tables_priv", "Column_priv", "set('Select','Insert','Update','References')", false, false},
		{"user", "authentication_string", "text", true, false},
	} {
		table := Find("mysql", strings.ToUpper(c.table))
		i := slices.IndexFunc(table.Columns, func(x Column) bool { return x.Name == c.column })
		if got := table.Columns[i]; got != (Column{c.column, c.typ, c.nullable, c.key}) {
			t.Errorf("%s: %+v", c.table, got)
		}
	}
	if Is("MySQL") != "mysql" || Is("d") != "" || Find("sys", "none") != nil || !slices.Contains(Zones(), "Europe/Paris") {
		t.Error("names are not found")
	}
}
