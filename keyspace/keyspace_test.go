package keyspace

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
)

func genPK(t *rapid.T, parts int) []byte {
	var pk []byte
	for range parts {
		pk = tuple.AppendBytes(pk, rapid.SliceOfN(rapid.SampledFrom([]byte{0, 1, 'a', 0xff}), 0, 3).Draw(t, "pk"))
	}
	return pk
}

func genValue(t *rapid.T, label string) []byte {
	return rapid.SliceOfN(rapid.SampledFrom([]byte{0, 1, 2, 0x30, 0xfe, 0xff}), 0, 4).Draw(t, label)
}

// TestEntryRoundTrip: what AppendEntry joins, SplitEntry takes apart.
func TestEntryRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.IntRange(1, 3).Draw(t, "parts")
		c := NewCollection(rapid.Int64Range(1, 1<<40).Draw(t, "collection"), parts)
		pk, value := genPK(t, parts), genValue(t, "value")
		keypath, version := rapid.Int64Range(0, 1<<30).Draw(t, "keypath"), rapid.Int64Range(0, 300).Draw(t, "version")
		positions := rapid.SliceOfN(rapid.Int64Range(1, 1000), 0, 3).Draw(t, "positions")
		k := c.AppendEntry(nil, keypath, version, value, pk, positions)
		e, err := c.SplitEntry(k)
		if err != nil {
			t.Fatal(err)
		}
		if e.Keypath != keypath || e.FieldVersion != version || !bytes.Equal(e.Value, value) || !bytes.Equal(e.PK, pk) {
			t.Fatalf("%x: %+v", k, e)
		}
		if only, err := c.SplitEntryPK(k); err != nil || !bytes.Equal(only, pk) {
			t.Fatalf("%x: primary key %x, %v", k, only, err)
		}
		for cut := range len(k) {
			_, _ = c.SplitEntry(k[:cut]) // a cut key is refused or read, but never a panic
		}
	})
}

// TestSpansHoldTheirValues: a key lies in the range of [start, end) exactly
// when its value lies in [start, end).
func TestSpansHoldTheirValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := NewCollection(7, 1)
		value, start, end := genValue(t, "value"), genValue(t, "start"), genValue(t, "end")
		if rapid.Bool().Draw(t, "open") {
			end = nil
		}
		want := bytes.Compare(value, start) >= 0 && (end == nil || bytes.Compare(value, end) < 0)
		in := func(r kv.Range, k []byte) bool {
			return bytes.Compare(k, r.Start) >= 0 && bytes.Compare(k, r.End) < 0
		}
		pk := genPK(t, 1)
		if got := in(c.EntrySpan(3, 0, start, end), c.AppendEntry(nil, 3, 0, value, pk, nil)); got != want {
			t.Fatalf("entry of %x in [%x, %x): %t", value, start, end, got)
		}
		if got := in(c.DocumentSpan(start, end), c.Document(tuple.AppendBytes(nil, value), 0)); got != want {
			t.Fatalf("document %x in [%x, %x): %t", value, start, end, got)
		}
	})
}

// TestRangesAreDisjoint: no shape of key lies in another shape's range.
func TestRangesAreDisjoint(t *testing.T) {
	c, other := NewCollection(1, 1), NewCollection(256, 1)
	pk := tuple.AppendBytes(nil, []byte("x"))
	template, _ := c.ChangeTemplate(0, 1)
	keys := map[string][]byte{
		"format": FormatVersion(), "schema": SchemaVersion(), "incarnation": Incarnation(), "next id": NextID(),
		"database": Database("d"), "table": Table("d", "t"), "view": View("d", "v"),
		"keypath by name": KeypathByName(1, "a"), "keypath by number": KeypathByNumber(1, 1), "next keypath": KeypathNext(1),
		"auto increment": AutoIncrement(1), "document": c.Document(pk, 0), "meta": c.Meta(pk), "counter": c.Counter(1, 10),
		"info entries": c.InfoEntries(), "info documents": c.InfoDocuments(),
		"entry":  c.AppendEntry(nil, 1, 0, []byte{0x10}, pk, nil),
		"change": template, "marker": c.Marker([]byte("m")), "next job": JobNext(), "wake": JobWake(),
		"active job": ActiveJob(1), "finished job": FinishedJob(1), "other document": other.Document(pk, 0),
	}
	ranges := map[string]kv.Range{
		"database": Databases(), "table": Tables(), "view": Views(), "keypath by number": KeypathsFrom(1, 0),
		"document": c.Documents(), "meta": c.Metas(), "counter": c.AllCounters(), "entry": c.Entries(), "change": c.Changes(),
		"other document": other.Documents(), "active job": ActiveJobs(), "finished job": FinishedJobs(),
	}
	for rangeName, r := range ranges {
		for keyName, k := range keys {
			in := bytes.Compare(k, r.Start) >= 0 && bytes.Compare(k, r.End) < 0
			if in != (rangeName == keyName) {
				t.Errorf("key of %s in the range of %s: %t", keyName, rangeName, in)
			}
		}
	}
	for name, k := range keys {
		if r := Root(); bytes.Compare(k, r.Start) < 0 || bytes.Compare(k, r.End) >= 0 {
			t.Errorf("%s lies outside the root", name)
		}
	}
}

// TestCollectionNumbers: a collection's number is taken out of any of its keys.
func TestCollectionNumbers(t *testing.T) {
	c := NewCollection(300, 1)
	for _, k := range [][]byte{c.Document(tuple.AppendBytes(nil, []byte("x")), 0), c.InfoEntries(), c.Marker([]byte("m")),
		CollectionsFrom(300).Start} {
		if n, err := CollectionOf(k); err != nil || n != 300 {
			t.Errorf("%x: %d, %v", k, n, err)
		}
		if r := CollectionsFrom(301); bytes.Compare(k, r.Start) >= 0 {
			t.Errorf("%x is in the range of later collections", k)
		}
	}
	for _, k := range [][]byte{KeypathNext(300), KeypathByName(300, "a"), KeypathByNumber(300, 1)} {
		if n, err := DictionaryOf(k); err != nil || n != 300 {
			t.Errorf("%x: %d, %v", k, n, err)
		}
		if r := DictionariesFrom(300); bytes.Compare(k, r.Start) < 0 || bytes.Compare(k, r.End) >= 0 {
			t.Errorf("%x is not in the range of dictionaries", k)
		}
	}
	if _, err := CollectionOf([]byte("x")); err == nil {
		t.Error("a number in nonsense")
	}
}
