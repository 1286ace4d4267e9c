package lanes_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/faultkv"
	"github.com/sqlfdb/sqlfdb/kv/kvtest"
	"github.com/sqlfdb/sqlfdb/kv/overlay"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
	"github.com/sqlfdb/sqlfdb/lanes"
)

func memory(t testing.TB, life time.Duration) kv.Store {
	t.Helper()
	s, err := pebblekv.Open("store", pebblekv.Options{TransactionLife: life, FS: pebblekv.MemoryFS()})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func open(t testing.TB) (s *lanes.Store, base kv.Store) {
	t.Helper()
	base = memory(t, 0)
	s = lanes.New(base)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, base
}

// TestSuite: a store whose counters share values is what is below it.
func TestSuite(t *testing.T) {
	const life = 200 * time.Millisecond
	kvtest.Run(t, kvtest.Harness{
		Open:            func(t *testing.T) kv.Store { return lanes.New(memory(t, 0)) },
		OpenShortLived:  func(t *testing.T) kv.Store { return lanes.New(memory(t, life)) },
		TransactionLife: life,
	})
}

// counter is a key of a counter in an index; keypath -1 and -2 are the index's own two.
func counter(version, keypath, kind int64) []byte {
	c := keyspace.NewCollectionAt(7, 1, version)
	switch keypath {
	case -1:
		return c.InfoDocuments()
	case -2:
		return c.InfoEntries()
	}
	return c.Counter(keypath, kind)
}

func entry(version, keypath int64, pk string) []byte {
	return keyspace.NewCollectionAt(7, 1, version).AppendEntry(nil, keypath, 0, []byte("v"), []byte("\x01"+pk+"\x00"), nil)
}

func n(documents, entries, bytes int64) []byte {
	return costing.AppendCounter(nil, costing.Count{Documents: documents, Entries: entries, Bytes: bytes})
}

func write(t testing.TB, s kv.Store, do func(tx kv.Transaction)) {
	t.Helper()
	tx := begin(t, s)
	do(tx)
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
}

// begin starts a transaction as those begin that write documents.
func begin(t testing.TB, s kv.Store) kv.Transaction {
	t.Helper()
	tx, err := s.Begin(context.Background(), kv.TransactionOptions{NoReadYourWrites: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tx.Cancel)
	return overlay.New(tx)
}

// insert adds as a document does whose keypaths 1 to 9 have values of one kind.
func insert(tx kv.Transaction, pk string, kind int64) {
	for keypath := range int64(9) {
		tx.Set(entry(1, keypath+1, pk), nil)
		tx.Add(counter(1, keypath+1, kind), n(1, 1, 20))
	}
	tx.Add(counter(1, -1, 0), n(1, 0, 100))
	tx.Add(counter(1, -2, 0), n(0, 9, 180))
}

func dump(t testing.TB, s kv.Store) []kv.KeyValue {
	t.Helper()
	tx := begin(t, s)
	return walk(t, tx.Range(kv.Range{End: kv.MaxKey}, kv.RangeOptions{}))
}

func walk(t testing.TB, it kv.Iterator) []kv.KeyValue {
	t.Helper()
	defer it.Close()
	var out []kv.KeyValue
	for it.Next() {
		out = append(out, kv.KeyValue{Key: bytes.Clone(it.Key()), Value: bytes.Clone(it.Value())})
	}
	if it.Err() != nil {
		t.Fatal(it.Err())
	}
	return out
}

func equal(a, b []kv.KeyValue) bool {
	return slices.EqualFunc(a, b, func(a, b kv.KeyValue) bool {
		return bytes.Equal(a.Key, b.Key) && bytes.Equal(a.Value, b.Value)
	})
}

func value(t testing.TB, s kv.Store, key []byte) costing.Count {
	t.Helper()
	raw, err := begin(t, s).Get(key).Get()
	if err != nil {
		t.Fatal(err)
	}
	c, err := costing.DecodeCounter(raw)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestBlocks: the counters of a document's keypaths are one value, and a second kind of a keypath has a key of its own.
func TestBlocks(t *testing.T) {
	s, base := open(t)
	write(t, s, func(tx kv.Transaction) { insert(tx, "a", 50) })
	write(t, s, func(tx kv.Transaction) { insert(tx, "b", 50); insert(tx, "c", 60) })
	stored, apart := 0, 0
	for _, p := range dump(t, base) {
		_, part := keyspace.IndexOf(p.Key)
		switch {
		case part == keyspace.PartLanes:
			stored++
		case part == keyspace.PartCounters:
			apart++
		}
	}
	if stored != 2 || apart != 9 {
		t.Errorf("%d keys of blocks and %d counters, want one block of two keys, and the nine counters of the second kind",
			stored, apart)
	}
	if got := value(t, s, counter(1, 3, 50)); got != (costing.Count{Documents: 2, Entries: 2, Bytes: 40}) {
		t.Errorf("a counter in a lane is %+v", got)
	}
	if got := value(t, s, counter(1, -1, 0)); got != (costing.Count{Documents: 3, Bytes: 300}) {
		t.Errorf("the count of documents is %+v", got)
	}
	if got := len(walk(t, begin(t, s).Range(keyspace.NewCollection(7, 1).AllCounters(),
		kv.RangeOptions{Streaming: kv.StreamAll}))); got != 18 {
		t.Errorf("%d counters are walked over, want 18", got)
	}
}

// TestFewCounters: what changes few counters changes them at their keys.
func TestFewCounters(t *testing.T) {
	s, base := open(t)
	write(t, s, func(tx kv.Transaction) {
		for keypath := range int64(3) {
			tx.Add(counter(1, keypath*40+1, 50), n(1, 1, 20))
		}
	})
	if got, want := dump(t, base), dump(t, s); len(got) != 3 || !equal(got, want) {
		t.Errorf("stored are %d keys, %d are seen", len(got), len(want))
	}
}

// TestWholeIndex: an index that is cleared takes its blocks with it, and what the same transaction adds then is there.
func TestWholeIndex(t *testing.T) {
	s, base := open(t)
	write(t, s, func(tx kv.Transaction) { insert(tx, "a", 50) })
	write(t, s, func(tx kv.Transaction) {
		tx.ClearRange(keyspace.NewCollection(7, 1).Index())
		insert(tx, "b", 60)
	})
	if got, want := dump(t, base), dump(t, s); len(got) != 9+9+2 || !equal(got, want) {
		t.Errorf("stored are %d keys, %d are seen, want entries and counters of one document", len(got), len(want))
	}
	write(t, s, func(tx kv.Transaction) { tx.ClearRange(keyspace.NewCollection(7, 1).All()) })
	if got := dump(t, base); len(got) != 0 {
		t.Errorf("%d keys are left", len(got))
	}
}

// TestFormat: a store with blocks is refused by programs that know none.
func TestFormat(t *testing.T) {
	s, base := open(t)
	format := func() uint64 {
		raw, err := begin(t, base).Get(keyspace.FormatVersion()).Get()
		if err != nil {
			t.Fatal(err)
		}
		return binary.LittleEndian.Uint64(raw)
	}
	write(t, base, func(tx kv.Transaction) { tx.Set(keyspace.FormatVersion(), binary.LittleEndian.AppendUint64(nil, 1)) })
	write(t, s, func(tx kv.Transaction) { tx.Add(counter(1, 1, 50), n(1, 1, 1)) })
	if format() != 1 {
		t.Errorf("without blocks the format is %d", format())
	}
	write(t, s, func(tx kv.Transaction) { insert(tx, "a", 50) })
	if format() != keyspace.LanesFormat {
		t.Errorf("with blocks the format is %d", format())
	}
}

// TestDamage: a lane that has a sum and no kind is an error for whoever walks over the counters, as CHECK TABLE does.
func TestDamage(t *testing.T) {
	s, base := open(t)
	write(t, s, func(tx kv.Transaction) { insert(tx, "a", 50) })
	write(t, base, func(tx kv.Transaction) {
		tx.Clear(keyspace.Block{Index: keyspace.Index{Collection: 7, Version: 1}}.Kinds())
	})
	it := begin(t, s).Range(keyspace.NewCollection(7, 1).AllCounters(), kv.RangeOptions{})
	defer it.Close()
	for it.Next() {
	}
	if it.Err() == nil {
		t.Error("counters of a block without kinds are walked over")
	}
}

// TestProcesses: several processes that add to the same counters, and give lanes their kinds at the same time, lose
// nothing and double nothing, whatever their operations meet.
func TestProcesses(t *testing.T) {
	base := memory(t, 0)
	const processes, rounds = 4, 30
	var all sync.WaitGroup
	for p := range processes {
		faults := faultkv.New(base)
		s := lanes.New(faults)
		commits := 0
		faults.Inject(func(c faultkv.Call) faultkv.Fault {
			if c.Op != faultkv.Commit {
				return faultkv.None
			}
			if commits++; commits%4 != 0 {
				return faultkv.None
			}
			return faultkv.Faults()[(commits/4+p)%len(faultkv.Faults())]
		})
		all.Go(func() {
			for i := range rounds {
				opts := kv.TransactOptions{FirstWait: time.Microsecond, LongestWait: time.Millisecond,
					Marker:      fmt.Appendf(nil, "marker/%d/%d", p, i),
					Transaction: kv.TransactionOptions{NoReadYourWrites: true}}
				err := kv.Transact(context.Background(), s, opts, func(tx kv.Transaction) error {
					insert(tx, fmt.Sprint(p, i), int64(50+10*((p+i/10)%2)))
					return nil
				})
				if err != nil {
					t.Errorf("process %d, round %d: %v", p, i, err)
				}
			}
			faults.Inject(nil)
		})
	}
	all.Wait()
	s := lanes.New(base)
	defer s.Close()
	if got := value(t, s, counter(1, -1, 0)); got != (costing.Count{Documents: processes * rounds,
		Bytes: 100 * processes * rounds}) {
		t.Errorf("the count of documents is %+v", got)
	}
	for keypath := range int64(9) {
		if got := value(t, s, counter(1, keypath+1, 50)).Add(value(t, s,
			counter(1, keypath+1, 60))); got.Entries != processes*rounds {
			t.Errorf("keypath %d has %+v", keypath+1, got)
		}
	}
}

// TestConflicts: who rests on a counter conflicts with who changes it, wherever it stands, and not with others.
func TestConflicts(t *testing.T) {
	keys := keyspace.NewCollection(7, 1)
	get := func(k []byte) func(kv.Transaction) {
		return func(tx kv.Transaction) { _, _ = tx.Get(k).Get() }
	}
	all := func(tx kv.Transaction) {
		it := tx.Range(keys.AllCounters(), kv.RangeOptions{})
		for it.Next() {
		}
		it.Close()
	}
	rests := func(r kv.Range) func(kv.Transaction) {
		return func(tx kv.Transaction) { tx.AddReadConflict(r) }
	}
	inserts := func(kind int64) func(kv.Transaction) {
		return func(tx kv.Transaction) { insert(tx, "new", kind) }
	}
	// A value of another kind with the same entry.
	retyped := func(tx kv.Transaction) {
		for keypath := range int64(9) {
			tx.Add(counter(1, keypath+1, 50), n(-1, -1, -20))
			tx.Add(counter(1, keypath+1, 60), n(1, 1, 20))
		}
	}
	absent := kv.Range{Start: counter(1, 3, 60), End: kv.PointRange(counter(1, 3, 70)).End}
	for name, c := range map[string]struct {
		rest, other func(kv.Transaction)
		want        bool
	}{
		"a lane, an insert":                      {get(counter(1, 3, 50)), inserts(50), true},
		"a lane, an insert of another kind":      {get(counter(1, 4, 60)), inserts(60), true},
		"a lane, another kind with its entry":    {get(counter(1, 3, 50)), retyped, true},
		"another kind, a value that becomes one": {get(counter(1, 3, 60)), retyped, true},
		"all documents, an insert":               {get(counter(1, -1, 0)), inserts(50), true},
		"all entries, an insert":                 {get(counter(1, -2, 0)), inserts(50), true},
		"all counters, an insert":                {all, inserts(50), true},
		"all counters, other kinds":              {all, retyped, true},
		"kinds that there are not, an insert":    {rests(absent), inserts(50), false},
		"kinds that there are not, one of them":  {rests(absent), inserts(60), true},
		"a keypath that has no lane, an insert":  {get(counter(1, 20, 50)), inserts(50), false},
		"a keypath that no document has, its lane": {get(counter(1, 20, 50)), func(tx kv.Transaction) {
			for keypath := range int64(9) {
				tx.Set(entry(1, keypath+15, "new"), nil)
				tx.Add(counter(1, keypath+15, 50), n(1, 1, 20))
			}
		}, true},
		"a counter that is set, an insert": {func(tx kv.Transaction) { tx.Set(counter(1, 3, 50), n(1, 1, 1)) },
			inserts(50), true},
		"counters that are cleared, an insert": {func(tx kv.Transaction) { tx.ClearRange(keys.AllCounters()) }, inserts(50),
			true},
		"nothing, an insert":   {func(kv.Transaction) {}, inserts(50), false},
		"an insert, an insert": {func(tx kv.Transaction) { insert(tx, "mine", 50) }, inserts(50), false},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := open(t)
			write(t, s, inserts(50))
			tx := begin(t, s)
			tx.Set([]byte("x"), nil)
			c.rest(tx)
			_, _ = tx.ReadVersion()
			write(t, s, c.other)
			if err := tx.Commit(); errors.Is(err, kv.ErrConflict) != c.want || err != nil && !c.want {
				t.Errorf("%v, want a conflict: %t", err, c.want)
			}
		})
	}
}

// TestOwnLanes: a transaction that rests on a counter without a lane, which its own writes would be given one for,
// conflicts with nobody.
func TestOwnLanes(t *testing.T) {
	s, _ := open(t)
	for range 2 {
		write(t, s, func(tx kv.Transaction) {
			_, _ = tx.Get(counter(1, 3, 50)).Get()
			insert(tx, "a", 50)
		})
	}
	if got := value(t, s, counter(1, 3, 50)); got.Documents != 2 {
		t.Errorf("the count is %+v", got)
	}
}

// TestMayHoldCounters: a range that holds a counter, or a key of a block, may hold one.
func TestMayHoldCounters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := func() []byte { return rapid.SampledFrom(places()).Draw(t, "key") }
		r := kv.Range{Start: part(), End: part()}
		if rapid.Bool().Draw(t, "cut") {
			r.Start = r.Start[:rapid.IntRange(0, len(r.Start)).Draw(t, "to")]
		}
		for _, k := range places() {
			_, at := keyspace.IndexOf(k)
			if at != keyspace.PartOther && bytes.Compare(r.Start, k) <= 0 && bytes.Compare(k, r.End) < 0 &&
				!keyspace.MayHoldCounters(r) {
				t.Fatalf("[%x, %x) holds %x", r.Start, r.End, k)
			}
		}
	})
}

// places are keys of every sort, in and around two indexes.
func places() [][]byte {
	out := [][]byte{{}, {1}, []byte("a"), keyspace.SchemaVersion(), keyspace.Root().End, kv.MaxKey}
	for _, collection := range []int64{7, 300} {
		for version := range int64(2) {
			c := keyspace.NewCollectionAt(collection, 1, version+1)
			i := keyspace.Index{Collection: collection, Version: version + 1}
			b := keyspace.Block{Index: i, Number: 1}
			out = append(out, c.All().Start, c.All().End, c.Index().Start, c.Index().End, c.Documents().Start, c.Changes().Start,
				c.Changes().End,
				c.AllCounters().Start, c.AllCounters().End, c.InfoDocuments(), c.InfoEntries(), c.Counter(3, 50),
				c.Counter(300, 250),
				c.Entries().Start, c.Entries().End, i.Lanes().Start, i.Lanes().End, b.Kinds(), b.Sums(), c.Newest())
		}
	}
	return out
}
