package tables_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/ordered"
	"github.com/sqlfdb/sqlfdb/tables"
)

// TestUnion: documents that several walks lead to, or one walk several times,
// come once; what was read is counted; a walk that fails ends it.
func TestUnion(t *testing.T) {
	f := open(t, catalog.Options{})
	f.must(func(tx *tables.Tx) error {
		for i := range 60 {
			tags := []string{`"x"`, `["x"]`, `["x","y","x"]`, `["y"]`, `[]`, `"y"`}[i%6]
			pk, d := f.parse(fmt.Sprintf(`{"_id":"%02d","tags":%s,"n":%d}`, i, tags, i%10))
			if err := f.c.Insert(f.ctx, tx, pk, d); err != nil {
				return err
			}
		}
		return nil
	})
	encoded, _ := ordered.AppendString(nil, collation.Default, "x", 0)
	key, _ := ordered.AppendString(nil, collation.Binary, "07", 0)
	f.read(func(r kv.Reader) {
		lookup := func(keypath string) func() (tables.Rows, error) {
			return func() (tables.Rows, error) {
				number, ok, err := f.c.Dictionary().Lookup(r, keypath)
				if err != nil || !ok {
					return nil, err
				}
				return f.c.Lookup(r, number, indexes.InVersion(0, indexes.Point(encoded)),
					tables.LookupOptions{Repeats: strings.Contains(keypath, "[*]")}), nil
			}
		}
		scan := func() (tables.Rows, error) { return f.c.Scan(r, indexes.Point(key), tables.ScanOptions{}), nil }
		var want []string
		for i := range 60 {
			if i%6 < 3 {
				want = append(want, fmt.Sprintf("%02d", i))
			}
		}
		for _, walks := range [][]func() (tables.Rows, error){
			{lookup("tags"), lookup("tags[*]")},
			{lookup("tags[*]"), lookup("never"), lookup("tags")},
			{scan, lookup("tags[*]"), lookup("tags"), lookup("tags[*]"), scan},
		} {
			var got []string
			rows := tables.Union(r, walks...)
			for rows.Next() {
				id, _ := rows.Document().Member("_id")
				got = append(got, id.Str())
			}
			if err := rows.Err(); err != nil {
				t.Error(err)
			}
			rows.Close()
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
			if w := rows.Read(); w.Documents < 30 || w.Entries != 40 && w.Entries != 70 {
				t.Errorf("read %+v", w)
			}
		}
		broken := errors.New("broken")
		rows := tables.Union(r, lookup("tags"), func() (tables.Rows, error) { return nil, broken }, lookup("tags[*]"))
		n := 0
		for rows.Next() {
			n++
		}
		if n != 10 || !errors.Is(rows.Err(), broken) || rows.Next() {
			t.Errorf("%d rows, then %v", n, rows.Err())
		}
		rows.Close()
		early := tables.Union(r, lookup("tags"), lookup("tags[*]"))
		early.Next()
		early.Close()
		if early.Read().Documents == 0 {
			t.Error("what was read is not counted")
		}
		empty := tables.Union(r)
		if empty.Next() || empty.Err() != nil {
			t.Error("a union of nothing")
		}
		empty.Close()
	})
	f.clean()
}
