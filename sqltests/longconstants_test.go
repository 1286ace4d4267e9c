package sqltests

import (
	"fmt"
	"strings"
	"testing"
)

// TestLongConstants: constants of a megabyte beside columns of some documents. Each of these took minutes when something read
// the constant again for each of its characters, or for each document.
func TestLongConstants(t *testing.T) {
	b := newBadInput(t)
	b.exec(openTable[:len(openTable)-1] + ", s TEXT, n DOUBLE, d DATETIME)")
	const documents, n = 300, 1_000_000
	var rows []string
	for i := range documents {
		rows = append(rows, fmt.Sprintf(`('%d', 'abc', %[1]d, '2020-02-02', '{"o": {"a": %[1]d}, "l": [1, "abc"], "j": "abc"}')`, i))
	}
	b.exec("INSERT INTO t (_id, s, n, d, _doc) VALUES " + strings.Join(rows, ", "))
	long := func(s string) string { return strings.Repeat(s, n/len(s)) }
	members := make([]string, n/20)
	for i := range members {
		members[i] = fmt.Sprintf(`"member%06d": 1`, i)
	}
	object := "{" + strings.Join(members, ", ") + "}"
	for where, want := range map[string]int64{
		"s = '" + long("a") + "'":                                        0,
		"s < '" + long("b") + "'":                                        documents,
		"UPPER(s) = '" + long("A") + "'":                                 0,
		"UPPER(s) = 'ABC' OR UPPER(s) = 'I" + long("A") + "'":            documents,
		"LOWER(s) <> '" + long("a") + "'":                                documents,
		"s REGEXP '^" + long("a") + "'":                                  0,
		"_doc->>'$.j' REGEXP '^ab[" + strings.Repeat("c", 10_000) + "]'": documents,
		"DATE_FORMAT(d, '%Y') < '2020" + long("-") + "'":                 documents,
		"s LIKE '" + long("%a") + "'":                                    0,
		"s LIKE 'a" + long("%") + "'":                                    documents,
		"JSON_SEARCH(_doc, 'one', '" + long("%a") + "') IS NULL":         documents,
		"_doc->'$.\"" + long("a") + "\"' IS NULL":                        documents,
		"_doc->'$.o' < CAST('" + object + "' AS JSON)":                   documents,
		"_doc->'$.o' = CAST('" + object + "' AS JSON)":                   0,
		"JSON_CONTAINS(_doc, '" + object + "')":                          0,
		"JSON_OVERLAPS(l, '[\"abc\", \"" + long("a") + "\"]')":           documents,
		"n = '0." + long("3") + "'":                                      0,
	} {
		if got := b.number("SELECT COUNT(*) FROM t WHERE " + where); got != want {
			t.Errorf("%.60s…: %d documents, want %d", where, got, want)
		}
	}
	b.refuse("HY000", []uint16{1436}, "SELECT COUNT(*) FROM t WHERE n = 0."+long("3"))
	b.refuse("HY000", []uint16{1436}, "SELECT "+strings.Repeat("NULLIF(", 100)+"s"+strings.Repeat(", 'abc')", 100)+" FROM t")
}
