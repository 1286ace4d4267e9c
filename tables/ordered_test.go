package tables_test

import (
	"fmt"
	"testing"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// TestOrderedAmongEnds: a walk among few documents ends with the last of them, and does not begin among none.
func TestOrderedAmongEnds(t *testing.T) {
	f := open(t, catalog.Options{})
	f.must(func(tx *tables.Tx) error {
		for n := range 50 {
			m := 1
			if n == 3 || n == 9 {
				m = 2
			}
			if err := f.insert(tx, fmt.Sprintf(`{"_id":"k%02d","n":%d,"m":%d}`, n, n, m)); err != nil {
				return err
			}
		}
		return nil
	})
	for _, test := range []struct {
		m       int
		reverse bool
		given   string
		entries int64 // of both keypaths
	}{
		{2, false, `{"_id":"k03","n":3,"m":2} {"_id":"k09","n":9,"m":2} `, 2 + 10},
		{2, true, `{"_id":"k09","n":9,"m":2} {"_id":"k03","n":3,"m":2} `, 2 + 47},
		{7, false, "", 0},
	} {
		f.read(func(r kv.Reader) {
			rows := f.c.Ordered(r, tables.OrderedOptions{Keypath: f.keypath(r, "n"), Limit: -1, Reverse: test.reverse,
				Spans: []tables.OrderedSpan{{Span: indexes.Everything()[0]}},
				Among: &tables.KeySet{Keypath: f.keypath(r, "m"),
					Versions: indexes.InVersion(0, indexes.NewSpans(numbers(test.m, test.m+1)))}})
			defer rows.Close()
			given := ""
			for rows.Next() {
				given += rows.Document().Text() + " "
			}
			if err := rows.Err(); err != nil || given != test.given || rows.Read().Entries != test.entries {
				t.Errorf("among m = %d, reverse %v: %s, %d entries, %v; want %s, %d", test.m, test.reverse, given,
					rows.Read().Entries, err, test.given, test.entries)
			}
		})
	}
	if _, violations := f.check(); len(violations) > 0 {
		t.Error(violations)
	}
}
