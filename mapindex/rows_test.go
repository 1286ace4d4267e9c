package mapindex_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
	"github.com/sqlfdb/sqlfdb/mapindex"
)

// longGroup is a group of one function, which emits what a document says, and a transaction of an empty store.
func longGroup(t *testing.T) (*mapindex.Group, kv.Transaction) {
	t.Helper()
	store, err := pebblekv.Open(t.TempDir(), pebblekv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tx, err := store.Begin(t.Context(), kv.TransactionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		tx.Cancel()
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	g := mapindex.Open(keyspace.NewCollectionAt(1, 1, keyspace.FirstIndexVersion), &catalog.MapGroup{Number: 1,
		Long: true, Functions: []string{`function (doc) { doc.keys.forEach(function (k, i) { emit(k, i); }); }`}})
	return g, tx
}

// put makes a document's rows those of keys.
func put(t *testing.T, g *mapindex.Group, tx kv.Transaction, id string, keys []string) {
	t.Helper()
	pk := tuple.AppendBytes(nil, []byte(id))
	e := mapindex.Emission{}
	if len(keys) > 0 {
		e = g.Run(pk, []byte(`{"keys":[`+strings.Join(keys, ",")+`]}`))
		if e.Rows() != len(keys) {
			t.Fatalf("%d rows of %d keys", e.Rows(), len(keys))
		}
	}
	if err := g.Apply(tx, pk, g.Start(tx, pk), e); err != nil {
		t.Fatal(err)
	}
}

// TestRows: rows are read in the order of their whole keys, whether these were cut or not, from either end, between any
// bounds, and as many as wanted.
func TestRows(t *testing.T) { sameRows(t, testseed.Of(t, "", 0)) }

// TestRowsLimited is what once read too few rows: those that were passed over counted in the limit.
func TestRowsLimited(t *testing.T) { sameRows(t, 222597462675495) }

func sameRows(t *testing.T, seed uint64) {
	rnd := rand.New(rand.NewPCG(seed, 825))
	g, tx := longGroup(t)
	type emitted struct {
		encoded []byte
		id      string
	}
	var all []emitted
	exact, cut := 0, 0
	take := func(id string, keys []string) {
		put(t, g, tx, id, keys)
		for _, k := range keys {
			e := encoded(t, k)
			all = append(all, emitted{e, id})
			if len(e) == 4096 {
				exact++
			}
			if len(e) > 4096 {
				cut++
			}
		}
	}
	var whole []string // keys that are just not cut
	for n := 2_000; len(whole) < 2 && n < 2_060; n++ {
		for _, form := range []string{`"%s"`, `["%s"]`, `["%s",1]`, `["%s",true]`} {
			key := fmt.Sprintf(form, strings.Repeat("x", n))
			if len(encoded(t, key)) == 4_096 {
				whole = append(whole, key)
			}
		}
	}
	take("whole", whole)
	for i := range 60 {
		var keys []string
		for range 1 + rnd.IntN(6) {
			text := strings.Repeat("x", 2_030+rnd.IntN(20))
			switch rnd.IntN(5) {
			case 0:
				text = strings.Repeat("x", 4_000) + fmt.Sprint(rnd.IntN(20))
			case 1:
				text = strings.Repeat("y", 3_000) + fmt.Sprint(rnd.IntN(20)) + strings.Repeat("y", 3_000)
			case 2:
				text = text[:rnd.IntN(len(text))]
			}
			key, _ := json.Marshal(text)
			if rnd.IntN(3) == 0 {
				key = []byte(fmt.Sprintf(`[%s,%d]`, key, rnd.IntN(3)))
			}
			keys = append(keys, string(key))
		}
		take(fmt.Sprintf("d%02d", i), keys)
	}
	// More keys that begin alike than are held at a time.
	for i := range 50 {
		var keys []string
		for j := range 6 {
			keys = append(keys, fmt.Sprintf(`["%s",%d]`, strings.Repeat("z", 5_000), j*50+i))
		}
		take(fmt.Sprintf("e%02d", i), keys)
	}
	if exact == 0 || cut == 0 {
		t.Errorf("%d keys are as long as may be, %d were cut", exact, cut)
	}
	slices.SortStableFunc(all, func(a, b emitted) int {
		if c := bytes.Compare(a.encoded, b.encoded); c != 0 {
			return c
		}
		return strings.Compare(a.id, b.id)
	})
	bound := func() []byte {
		k := slices.Clone(all[rnd.IntN(len(all))].encoded)
		switch rnd.IntN(4) {
		case 0:
			return append(k, 0)
		case 1:
			return k[:1+rnd.IntN(len(k))]
		case 2:
			return kv.PrefixEnd(k[:1+rnd.IntN(len(k))])
		}
		return k
	}
	for round := range 80 {
		start, end := bound(), bound()
		switch rnd.IntN(7) {
		case 3:
			start = append(encoded(t, whole[rnd.IntN(len(whole))]), 0)
		case 0:
			start = nil
		case 1:
			end = nil
		case 2:
			start = all[rnd.IntN(len(all))].encoded
			end = append(slices.Clone(start), 0)
		}
		if end != nil && bytes.Compare(start, end) > 0 {
			start, end = end, start
		}
		var want []string
		for _, e := range all {
			if bytes.Compare(e.encoded, start) >= 0 && (end == nil || bytes.Compare(e.encoded, end) < 0) {
				want = append(want, e.id)
			}
		}
		opts := kv.RangeOptions{Reverse: rnd.IntN(2) == 0}
		if opts.Reverse {
			slices.Reverse(want)
		}
		if rnd.IntN(3) == 0 {
			opts.Limit = 1 + rnd.IntN(20)
			want = want[:min(opts.Limit, len(want))]
		}
		if round%40 == 0 {
			start, end, opts, want = nil, nil, kv.RangeOptions{}, nil
			for _, e := range all {
				want = append(want, e.id)
			}
		}
		var got []string
		var last []byte
		it := g.Rows(tx, 0, start, end, opts)
		for it.Next() {
			key, _, err := mapindex.SplitRow(it.Value())
			if err != nil {
				t.Fatal(err)
			}
			_, id, err := tuple.DecodeBytes(it.PK())
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, string(id))
			at := encoded(t, string(key))
			if last != nil && (bytes.Compare(at, last) < 0) != opts.Reverse && !bytes.Equal(at, last) {
				t.Fatalf("a row is not in order")
			}
			last = at
		}
		if err := it.Err(); err != nil {
			t.Fatal(err)
		}
		it.Close()
		if !slices.Equal(got, want) {
			t.Fatalf("from %d bytes below %d, %+v: %d rows, want %d\n%v\n%v", len(start), len(end),
				opts, len(got), len(want),
				got, want)
		}
	}
}

// TestLongIDs: what a document has emitted may take several values; each of its rows is cleared by them, and Check
// knows them.
func TestLongIDs(t *testing.T) {
	g, tx := longGroup(t)
	var many, few []string
	for i := range 9_000 {
		many = append(many, fmt.Sprintf(`"w%d"`, i))
	}
	for i := range 4_000 {
		few = append(few, fmt.Sprintf(`"w%d"`, 2*i))
	}
	checked := func(want int64) {
		t.Helper()
		c := mapindex.NewCheck(g, tx, func(f mapindex.Fault) { t.Errorf("%+v", f) })
		if err := c.Rest(t.Context()); err != nil {
			t.Fatal(err)
		}
		n, err := g.Count(tx, 0)
		if err != nil || n.Entries != want {
			t.Errorf("%d rows, want %d; %v", n.Entries, want, err)
		}
	}
	for _, keys := range [][]string{many, few, {`"one"`}, many, nil} {
		put(t, g, tx, "a", keys)
		put(t, g, tx, "b", few)
		checked(int64(len(keys) + len(few)))
	}
	put(t, g, tx, "b", nil)
	it := tx.Range(g.Keys.IDs(), kv.RangeOptions{})
	defer it.Close()
	for it.Next() {
		t.Errorf("%x is left", it.Key())
	}
	pk := tuple.AppendBytes(nil, []byte("c"))
	put(t, g, tx, "c", many)
	tx.Clear(g.Keys.IDPart(pk, 1))
	found := 0
	if err := mapindex.NewCheck(g, tx, func(mapindex.Fault) { found++ }).Rest(t.Context()); err != nil || found == 0 {
		t.Errorf("a part that is not there: %d faults, %v", found, err)
	}
}
