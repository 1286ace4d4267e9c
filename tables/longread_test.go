package tables_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/faultkv"
	"github.com/sqlfdb/sqlfdb/kv/longread"
	"github.com/sqlfdb/sqlfdb/ordered"
	"github.com/sqlfdb/sqlfdb/tables"
)

// longWalk is a walk, and which documents it is to find.
type longWalk struct {
	name    string
	open    func(f *fixture, r kv.Reader) tables.Rows
	matches func(n, m int, tags []string) bool
	once    bool // each document is given once at most, whoever changes it
	// order gives what must not fall; nil: nothing
	order func(pk string, n int) string
}

func numbers(from, to int) indexes.Span {
	return indexes.Span{Start: ordered.AppendInt(nil, int64(from)), End: ordered.AppendInt(nil, int64(to))}
}

func text(s string) indexes.Spans {
	encoded, _ := ordered.AppendString(nil, collation.Default, s, 0)
	return indexes.Point(encoded)
}

func (f *fixture) keypath(r kv.Reader, name string) int64 {
	n, ok, err := f.c.Dictionary().Lookup(r, name)
	if err != nil || !ok {
		f.t.Fatalf("%s: %v, %v", name, ok, err)
	}
	return n
}

var longWalks = []longWalk{
	{"scan", func(f *fixture, r kv.Reader) tables.Rows {
		return f.c.Scan(r, indexes.Everything(), tables.ScanOptions{})
	}, func(int, int, []string) bool { return true }, true, func(pk string, _ int) string { return pk }},
	{"scan in reverse", func(f *fixture, r kv.Reader) tables.Rows {
		return f.c.Scan(r, indexes.Everything(), tables.ScanOptions{Reverse: true})
	}, func(int, int, []string) bool { return true }, true, nil},
	{"lookup", func(f *fixture, r kv.Reader) tables.Rows {
		return f.c.Lookup(r, f.keypath(r, "n"), indexes.InVersion(0, indexes.NewSpans(numbers(20, 70))),
			tables.LookupOptions{})
	}, func(n, _ int, _ []string) bool { return n >= 20 && n < 70 }, false, nil},
	{"lookup in arrays", func(f *fixture, r kv.Reader) tables.Rows {
		return f.c.Lookup(r, f.keypath(r, "tags[*]"), indexes.InVersion(0, text("a")), tables.LookupOptions{Repeats: true})
	}, func(_, _ int, tags []string) bool { return slices.Contains(tags, "a") }, true, nil},
	{"ordered", func(f *fixture, r kv.Reader) tables.Rows {
		return f.c.Ordered(r, tables.OrderedOptions{Keypath: f.keypath(r, "n"), Limit: -1,
			Spans: []tables.OrderedSpan{{Span: numbers(10, 90)}}})
	}, func(n, _ int, _ []string) bool { return n >= 10 && n < 90 }, false,
		func(_ string, n int) string { return fmt.Sprintf("%03d", n) }},
	{"ordered among", func(f *fixture, r kv.Reader) tables.Rows {
		return f.c.Ordered(r, tables.OrderedOptions{Keypath: f.keypath(r, "n"), Limit: -1,
			Among: &tables.KeySet{Keypath: f.keypath(r, "m"), Versions: indexes.InVersion(0, indexes.NewSpans(numbers(0, 5)))},
			Spans: []tables.OrderedSpan{{Span: numbers(10, 90)}}})
	}, func(n, m int, _ []string) bool { return n >= 10 && n < 90 && m < 5 }, false,
		func(_ string, n int) string { return fmt.Sprintf("%03d", n) }},
	{"union", func(f *fixture, r kv.Reader) tables.Rows {
		return tables.Union(r, func() (tables.Rows, error) {
			return f.c.Lookup(r, f.keypath(r, "n"), indexes.InVersion(0, indexes.NewSpans(numbers(0, 50))),
				tables.LookupOptions{}), nil
		}, func() (tables.Rows, error) {
			return f.c.Lookup(r, f.keypath(r, "m"), indexes.InVersion(0, indexes.NewSpans(numbers(3, 9))),
				tables.LookupOptions{}), nil
		})
	}, func(n, m int, _ []string) bool { return n < 50 || m >= 3 && m < 9 }, true, nil},
	{"intersection of values", func(f *fixture, r kv.Reader) tables.Rows {
		start := numbers(3, 4).Start
		return f.c.Intersect(r, []tables.Member{
			{{Keypath: f.keypath(r, "m"), Versions: indexes.InVersion(0, indexes.Point(start))}},
			{{Keypath: f.keypath(r, "tags[*]"), Versions: indexes.InVersion(0, text("a")), Repeats: true}},
		}, tables.IntersectOptions{})
	}, func(_, m int, tags []string) bool { return m == 3 && slices.Contains(tags, "a") }, true, nil},
	{"intersection of ranges", func(f *fixture, r kv.Reader) tables.Rows {
		return f.c.Intersect(r, []tables.Member{
			{{Keypath: f.keypath(r, "n"), Versions: indexes.InVersion(0, indexes.NewSpans(numbers(5, 80)))}},
			{{Keypath: f.keypath(r, "m"), Versions: indexes.InVersion(0, indexes.NewSpans(numbers(2, 8)))}},
		}, tables.IntersectOptions{Collected: 20})
	}, func(n, m int, _ []string) bool { return n >= 5 && n < 80 && m >= 2 && m < 8 }, false, nil},
	{"join side", func(f *fixture, r kv.Reader) tables.Rows {
		return f.c.LookupEach(r, f.keypath(r, "m"), 0, indexes.NewSpans(numbers(1, 3), numbers(5, 7)))
	}, func(_, m int, _ []string) bool { return m == 1 || m == 2 || m == 5 || m == 6 }, false, nil},
}

// TestLongWalks: while others write and versions are left at random, a walk gives each
// document that nobody touches once, if it matches; whatever it gives stood somewhen, whole,
// and matched; and the order stays.
func TestLongWalks(t *testing.T) {
	for _, scheme := range []string{"document", catalog.KeySchemeField} {
		f := open(t, catalog.Options{KeyScheme: scheme})
		for seed := range uint64(5) {
			for _, w := range longWalks {
				f.walkLong(t, w, fmt.Sprintf("%s, scheme %s, seed %d", w.name, scheme, seed), rand.New(rand.NewPCG(seed, 7)))
			}
		}
	}
}

func (f *fixture) walkLong(t *testing.T, w longWalk, what string, random *rand.Rand) {
	store := faultkv.New(f.store)
	type state struct {
		n, m int
		tags []string
	}
	stood := map[string]state{} // by the document's text
	now := map[string]string{}
	touched := map[string]bool{}
	make := func(id string) string {
		s := state{random.IntN(100), random.IntN(10), nil}
		for range random.IntN(4) {
			s.tags = append(s.tags, string(rune('a'+random.IntN(3))))
		}
		long := ""
		if random.IntN(8) == 0 {
			long = strings.Repeat(string(rune('p'+random.IntN(8))), 100_000+random.IntN(150_000))
		}
		doc := fmt.Sprintf(`{"_id":"%s","n":%d,"m":%d,"tags":["%s"],"unique":%d,"long":"%s"}`, id, s.n, s.m,
			strings.Join(s.tags, `","`), random.Uint64(), long)
		stood[doc] = s
		return doc
	}
	f.must(func(tx *tables.Tx) error {
		for i := range 40 {
			id := fmt.Sprintf("%03d", 2*i)
			now[id] = make(id)
			if err := f.insert(tx, now[id]); err != nil {
				return err
			}
		}
		return nil
	})
	write := func() {
		id := fmt.Sprintf("%03d", random.IntN(80))
		touched[id] = true
		f.must(func(tx *tables.Tx) error {
			_, there := now[id]
			switch {
			case !there:
				now[id] = make(id)
				return f.insert(tx, now[id])
			case random.IntN(3) == 0:
				delete(now, id)
				return f.delete(tx, id)
			}
			now[id] = make(id)
			return f.update(tx, now[id])
		})
	}
	tx, err := longread.Begin(context.Background(), store, longread.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Cancel()
	rows := w.open(f, tx)
	defer rows.Close()
	given := map[string]int{}
	last := ""
	for {
		// A version is left at one of the operations of the next step, after a write.
		if random.IntN(3) == 0 {
			for range 1 + random.IntN(3) {
				write()
			}
			at := int64(1 + random.IntN(12))
			store.Inject(func(c faultkv.Call) faultkv.Fault {
				if c.Number == at {
					return faultkv.TooOld
				}
				return faultkv.None
			})
		}
		if !rows.Next() {
			break
		}
		doc := rows.Document()
		s, ok := stood[doc.Text()]
		if !ok {
			t.Fatalf("%s: a document that never stood: %.300s", what, doc.Text())
		}
		if !w.matches(s.n, s.m, s.tags) {
			t.Fatalf("%s: a document that does not match: %.300s", what, doc.Text())
		}
		member, _ := doc.Member("_id")
		id := member.Str()
		given[id]++
		if w.order != nil {
			at := w.order(id, s.n)
			if at < last {
				t.Fatalf("%s: %s after %s", what, at, last)
			}
			last = at
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	store.Inject(nil)
	for id, doc := range now {
		if s := stood[doc]; !touched[id] && given[id] == 0 && w.matches(s.n, s.m, s.tags) {
			t.Fatalf("%s: %s, which nobody has touched, is missing", what, id)
		}
	}
	for id, n := range given {
		if n > 1 && (!touched[id] || w.once) {
			t.Fatalf("%s: %s is given %d times", what, id, n)
		}
	}
	f.must(func(tx *tables.Tx) error {
		for id := range now {
			if err := f.delete(tx, id); err != nil {
				return err
			}
		}
		return nil
	})
}
