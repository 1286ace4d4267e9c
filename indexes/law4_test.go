package indexes

import (
	"bytes"
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// modelEntry is an entry by what it is made of.
type modelEntry struct {
	number    string // the value, if it is a number
	text      string // otherwise
	pk        string
	positions []int64
}

func (e modelEntry) String() string {
	return fmt.Sprintf("(%s%+q, key %+q, position %v)", e.number, e.text, e.pk, e.positions)
}

func (e modelEntry) compare(f modelEntry) int {
	value := cmp.Compare(len(f.number), 0) - cmp.Compare(len(e.number), 0) // numbers before strings
	if value == 0 && e.number != "" {
		a, _ := new(big.Rat).SetString(e.number)
		b, _ := new(big.Rat).SetString(f.number)
		value = a.Cmp(b)
	} else if value == 0 {
		value = cmp.Or(collation.Default.CompareKeys(e.text, f.text), strings.Compare(e.text, f.text))
	}
	return cmp.Or(value, strings.Compare(e.pk, f.pk), slices.Compare(e.positions, f.positions))
}

// key is the entry's key as the maintainer writes it.
func (e modelEntry) key(t *rapid.T, keys *keyspace.Collection, enc *Encoder) []byte {
	leaf := document.Leaf{Path: []byte("a"), Kind: document.KindString}
	if e.number != "" {
		v, err := document.ParseValue([]byte(e.number), document.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		leaf.Kind, leaf.Value = v.Kind(), v
	} else {
		v, err := document.StringValue(e.text)
		if err != nil {
			t.Fatal(err)
		}
		leaf.Value = v
	}
	value, version, indexed, err := enc.AppendLeaf(nil, leaf)
	if err != nil || !indexed {
		t.Fatalf("%s: %v, %v", e, indexed, err)
	}
	pk, _ := ordered.AppendString(nil, collation.Binary, e.pk, 0)
	return keys.AppendEntry(nil, 7, version, value, tuple.AppendBytes(nil, pk), e.positions)
}

// TestEntriesOrder is law 4 for whole keys: the order of entries is that of
// their values, then of the primary keys, then of the positions; and the range of
// a span of values holds the entries with those values and no others.
func TestEntriesOrder(t *testing.T) {
	keys := keyspace.NewCollection(3, 1)
	enc, err := NewEncoder(&catalog.Table{Database: "d", Name: "t"})
	if err != nil {
		t.Fatal(err)
	}
	texts := rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "A", "b", "é", "\x00", "\x00\x00", "\u00ff",
		"\u0301", "中", "\U0010ffff", "\x01"}), 0, 4), func(s []string) string { return strings.Join(s, "") })
	drawEntry := func(t *rapid.T, name string, like modelEntry) modelEntry {
		e := like
		if name == "a" || rapid.Bool().Draw(t, name+" value") {
			e.number, e.text = "", ""
			if rapid.Bool().Draw(t, name+" number") {
				e.number = rapid.OneOf(rapid.StringMatching(`-?(0|[1-9][0-9]{0,2})(\.[0-9]{1,2})?`),
					rapid.SampledFrom([]string{"1e300", "-1e300", "1e-300", "18446744073709551615", "1e99", "1e-70"})).Draw(t, name)
			} else {
				e.text = texts.Draw(t, name)
			}
		}
		if name == "a" || rapid.Bool().Draw(t, name+" other key") {
			e.pk = texts.Draw(t, name+" key")
		}
		e.positions = rapid.SliceOfN(rapid.OneOf(rapid.Int64Range(1, 3), rapid.SampledFrom([]int64{255, 256, 257, 65536})),
			len(like.positions), len(like.positions)).Draw(t, name+" position")
		return e
	}
	rapid.Check(t, func(t *rapid.T) {
		depth := modelEntry{positions: make([]int64, rapid.IntRange(0, 2).Draw(t, "arrays"))}
		a := drawEntry(t, "a", depth)
		b := drawEntry(t, "b", a)
		ka, kb := a.key(t, keys, enc), b.key(t, keys, enc)
		if got, want := bytes.Compare(ka, kb), a.compare(b); got != want {
			t.Fatalf("%s and %s compare %d, their keys %d\n% x\n% x", a, b, want, got, ka, kb)
		}
		sa, err := keys.SplitEntry(ka)
		if err != nil {
			t.Fatal(err)
		}
		sb, err := keys.SplitEntry(kb)
		if err != nil {
			t.Fatal(err)
		}
		// From a's value on, and up to it.
		within := func(start, end []byte) bool {
			r := keys.EntrySpan(7, 0, start, end)
			return bytes.Compare(kb, r.Start) >= 0 && bytes.Compare(kb, r.End) < 0
		}
		if got, want := within(sa.Value, nil), bytes.Compare(sb.Value, sa.Value) >= 0; got != want {
			t.Fatalf("%s is in the range from %s: %v, want %v", b, a, got, want)
		}
		if got, want := within([]byte{}, sa.Value), bytes.Compare(sb.Value, sa.Value) < 0; got != want {
			t.Fatalf("%s is in the range below %s: %v, want %v", b, a, got, want)
		}
	})
}
