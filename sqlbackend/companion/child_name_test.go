package companion

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/document"
)

func TestChildNames(t *testing.T) {
	for _, c := range []struct{ suffix, path string }{
		{"grades", "grades[*]"},
		{"address.tags", "address.tags[*]"},
		{"grades__history", "grades[*].history[*]"},
		{"a.b__c.d__e", "a.b[*].c.d[*].e[*]"},
		{`"a__b"`, "a__b[*]"},
		{`"_tags"`, "_tags[*]"},
		{`"tags_"__x`, "tags_[*].x[*]"},
		{`a."_b"`, "a._b[*]"},
		{"a_b", "a_b[*]"},
		{`"changes"`, "changes[*]"},
		{`"Changes"`, "Changes[*]"},
		{"changes__x", "changes[*].x[*]"},
		{"a.changes", "a.changes[*]"},
		{`"a.b"`, `"a.b"[*]`},
		{`"say \"__\""`, `"say \"__\""[*]`},
		{`""`, `""[*]`},
		{"größe und mehr", "größe und mehr[*]"},
	} {
		path, err := document.ParseKeypath(c.path)
		if err != nil {
			t.Fatal(err)
		}
		if got := childSuffix(path); got != c.suffix {
			t.Errorf("childSuffix(%s) = %s, want %s", c.path, got, c.suffix)
		}
		if got, ok := parseChildSuffix(c.suffix); !ok || !slices.Equal(got, path) {
			t.Errorf("parseChildSuffix(%s) = %s, %t", c.suffix, got, ok)
		}
	}
	for _, bad := range []string{"", "a__", "__a", "a____b", "_a", "a_", "a___b", "a[*]", "a.", `"a`, `a"b"`, "a._b",
		"a_.b", "\xff"} {
		if path, ok := parseChildSuffix(bad); ok {
			t.Errorf("parseChildSuffix(%q) = %s", bad, path)
		}
	}
}

// TestChildNamesAreReversible: an array has one name, a name one array, and no
// two tables' children share one.
func TestChildNamesAreReversible(t *testing.T) {
	key := rapid.OneOf(
		rapid.StringOfN(rapid.SampledFrom([]rune(`ab_.["\`)), 0, 5, -1),
		rapid.SampledFrom([]string{"changes", "CHANGES", "a", "b", "a__b", "_", "__", "é", "\x01", "x y"}),
	)
	keypath := rapid.Custom(func(t *rapid.T) document.Keypath {
		var k document.Keypath
		for range rapid.IntRange(1, 4).Draw(t, "steps") {
			k = append(k, document.Step{Name: key.Draw(t, "key"), Array: rapid.Bool().Draw(t, "array")})
		}
		k[len(k)-1].Array = true
		return k
	})
	table := rapid.SampledFrom([]string{"a", "a_", "a__", "a__b", "a__b__a", "_a", `a__"b"`, "b", "T"})
	rapid.Check(t, func(t *rapid.T) {
		p, q := keypath.Draw(t, "p"), keypath.Draw(t, "q")
		suffix := childSuffix(p)
		if back, ok := parseChildSuffix(suffix); !ok || !slices.Equal(back, p) {
			t.Fatalf("%s is spelled %s, which reads as %s, %t", p, suffix, back, ok)
		}
		if back, ok := parseChildSuffix(quotedSuffix(p)); !ok || !slices.Equal(back, p) {
			t.Fatalf("%s is spelled %s, which reads as %s, %t", p, quotedSuffix(p), back, ok)
		}
		if suffix == childSuffix(q) && !slices.Equal(p, q) {
			t.Fatalf("%s and %s are both spelled %s", p, q, suffix)
		}
		tables := rapid.SliceOfN(table, 1, 4).Draw(t, "tables")
		isTable := func(name string) bool {
			return slices.ContainsFunc(tables, func(t string) bool { return strings.EqualFold(t, name) })
		}
		names := map[string]string{}
		for _, tab := range tables {
			for _, path := range []document.Keypath{p, q} {
				name := childName(tab, path, isTable, isTable)
				if name == "" {
					continue
				}
				if isTable(name) {
					t.Fatalf("%s is a table", name)
				}
				id := tab + " " + path.String()
				if other, taken := names[name]; taken && other != id {
					t.Fatalf("%s is both %s and %s", name, other, id)
				}
				names[name] = id
			}
		}
	})
}

// Tables win over children, and the longest table's child wins; the others are
// reached with more quotes.
func TestChildNamesAmongTables(t *testing.T) {
	tables := []string{"a", "a__b", "a__c", "stg__orders"}
	isTable := func(name string) bool {
		return slices.ContainsFunc(tables, func(t string) bool { return strings.EqualFold(t, name) })
	}
	for _, c := range []struct{ table, path, name string }{
		{"a", "x[*]", "a__x"},
		{"a", "b[*]", `a__"b"`},
		{"a", "b[*].x[*]", `a__"b"__x`},
		{"a__b", "x[*]", "a__b__x"},
		{"a", "c[*]", `a__"c"`},
		{"stg__orders", "items[*]", "stg__orders__items"},
	} {
		path, err := document.ParseKeypath(c.path)
		if err != nil {
			t.Fatal(err)
		}
		if got := childName(c.table, path, isTable, isTable); got != c.name {
			t.Errorf("childName(%s, %s) = %s, want %s", c.table, c.path, got, c.name)
		}
		if table, back, ok := SplitChildName(c.name, isTable); !ok || table != c.table || !slices.Equal(back, path) {
			t.Errorf("splitChildName(%s) = %s, %s, %t", c.name, table, back, ok)
		}
	}
	if _, _, ok := SplitChildName("a__changes", isTable); ok {
		t.Error("a__changes is taken for a child table")
	}
	if table, _, ok := SplitChildName("A__X", isTable); !ok || table != "A" {
		t.Errorf("A__X is a child of %q, %t", table, ok)
	}
}
