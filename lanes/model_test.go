package lanes_test

import (
	"bytes"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/overlay"
	"github.com/sqlfdb/sqlfdb/lanes"
)

// pair of stores that get the same: one with lanes, one without.
type twins struct {
	t       *rapid.T
	stores  [2]kv.Store
	version int64 // of the index that is used: one that was cleared is never filled again
}

// open begins a transaction in both.
func (w *twins) begin(ownWrites bool, bracket bool) [2]kv.Transaction {
	var out [2]kv.Transaction
	for i, s := range w.stores {
		tx, err := s.Begin(w.t.Context(), kv.TransactionOptions{NoReadYourWrites: !ownWrites || bracket})
		if err != nil {
			w.t.Fatal(err)
		}
		if _, err := tx.ReadVersion(); err != nil {
			w.t.Fatal(err)
		}
		if bracket {
			tx = overlay.New(tx)
		}
		out[i] = tx
	}
	return out
}

func (w *twins) counter() []byte {
	return counter(w.version, rapid.Int64Range(-2, 45).Draw(w.t, "keypath"),
		rapid.SampledFrom([]int64{30, 50, 250}).Draw(w.t, "kind"))
}

func (w *twins) key() []byte {
	switch rapid.IntRange(0, 4).Draw(w.t, "key") {
	case 0:
		return entry(w.version, rapid.Int64Range(0, 45).Draw(w.t, "keypath"), "x")
	case 1:
		return keyspace.NewCollection(7, 1).Document([]byte("\x01d\x00"), 0)
	case 2:
		return []byte("z")
	}
	return w.counter()
}

func (w *twins) bound() []byte {
	c := keyspace.NewCollectionAt(7, 1, w.version)
	return rapid.SampledFrom([][]byte{nil, c.All().Start, c.Index().Start, c.AllCounters().Start, c.AllCounters().End,
		c.InfoDocuments(),
		keyspace.Index{Collection: 7, Version: w.version}.Lanes().Start,
		keyspace.Index{Collection: 7, Version: w.version}.Counters().Start,
		c.Entries().Start, c.Entries().End, c.Index().End, c.All().End, kv.MaxKey, w.key(), w.key()}).Draw(w.t, "bound")
}

func (w *twins) bounds() kv.Range {
	r := kv.Range{Start: w.bound(), End: w.bound()}
	if bytes.Compare(r.Start, r.End) > 0 {
		r.Start, r.End = r.End, r.Start
	}
	return r
}

// document is a write of many counters, as an insert is or its contrary.
func (w *twins) document(txs [2]kv.Transaction) {
	first, sign := rapid.Int64Range(-2, 30).Draw(w.t, "first"), rapid.SampledFrom([]int64{1, -1}).Draw(w.t, "sign")
	for keypath := first; keypath < first+8; keypath++ {
		kind := rapid.SampledFrom([]int64{30, 50, 50, 50}).Draw(w.t, "kind")
		bytes, told := rapid.Int64Range(0, 3).Draw(w.t, "bytes"), rapid.Bool().Draw(w.t, "told")
		for _, tx := range txs {
			tx.Add(counter(w.version, keypath, kind), n(sign, sign*2, sign*bytes))
			if told && keypath >= 0 {
				tx.Set(entry(w.version, keypath, "x"), nil)
			}
		}
	}
}

// write does one write in both; it reports whether it was one after which the index is not used any more.
func (w *twins) write(txs [2]kv.Transaction) (gone bool) {
	switch rapid.IntRange(0, 9).Draw(w.t, "write") {
	case 0:
		k, v := w.key(), n(rapid.Int64Range(0, 9).Draw(w.t, "set"), 0, 0)
		for _, tx := range txs {
			tx.Set(k, v)
		}
	case 1:
		k := w.key()
		for _, tx := range txs {
			tx.Clear(k)
		}
	case 2:
		r := w.bounds()
		lanes := keyspace.Index{Collection: 7, Version: w.version}.Lanes()
		for _, tx := range txs {
			tx.ClearRange(r)
		}
		return bytes.Compare(r.Start, lanes.Start) <= 0 && bytes.Compare(r.End, lanes.End) >= 0
	case 3:
		k := w.counter()
		for _, tx := range txs {
			tx.Add(k, n(1, 1, 5))
		}
	default:
		w.document(txs)
	}
	return false
}

// same reads the same in both, as a counter's users do: absent and zero are alike. Only a store with conflicts is left
// out of it.
func (w *twins) same(txs [2]kv.Transaction, snapshot bool) {
	get, r, opts := w.counter(), w.bounds(), kv.RangeOptions{Reverse: rapid.Bool().Draw(w.t, "reverse")}
	one := rapid.Bool().Draw(w.t, "one")
	var values [2][]byte
	var pairs [2][]kv.KeyValue
	for i, tx := range txs {
		var from kv.Reader = tx
		if snapshot {
			from = tx.Snapshot()
		}
		if one {
			v, err := from.Get(get).Get()
			if err != nil {
				w.t.Fatal(err)
			}
			values[i] = bytes.Trim(v, "\x00")
			continue
		}
		it := from.Range(r, opts)
		for it.Next() {
			if len(bytes.Trim(it.Value(), "\x00")) > 0 || len(it.Value()) == 0 {
				pairs[i] = append(pairs[i], kv.KeyValue{Key: bytes.Clone(it.Key()), Value: bytes.Clone(it.Value())})
			}
		}
		if it.Err() != nil {
			w.t.Fatal(it.Err())
		}
		it.Close()
	}
	if !bytes.Equal(values[0], values[1]) {
		w.t.Fatalf("%x is %x, and %x without lanes", get, values[0], values[1])
	}
	if !equal(pairs[0], pairs[1]) {
		w.t.Fatalf("[%x, %x) holds\n%x, without lanes\n%x", r.Start, r.End, pairs[0], pairs[1])
	}
}

// limited compares walks that end early: with counters that are zero left out they are not comparable, so it is of the
// pairs that the store with lanes gives without a limit.
func (w *twins) limited() {
	txs := w.begin(true, false)
	defer txs[0].Cancel()
	defer txs[1].Cancel()
	r, limit := w.bounds(), rapid.IntRange(1, 6).Draw(w.t, "limit")
	opts := kv.RangeOptions{Reverse: rapid.Bool().Draw(w.t, "reverse")}
	all := pairsOf(w.t, txs[0].Range(r, opts))
	opts.Limit = limit
	some := pairsOf(w.t, txs[0].Range(r, opts))
	if !equal(some, all[:min(limit, len(all))]) {
		w.t.Fatalf("[%x, %x) with a limit of %d: %x of %x", r.Start, r.End, limit, some, all)
	}
}

func pairsOf(t *rapid.T, it kv.Iterator) (out []kv.KeyValue) {
	defer it.Close()
	for it.Next() {
		out = append(out, kv.KeyValue{Key: bytes.Clone(it.Key()), Value: bytes.Clone(it.Value())})
	}
	if it.Err() != nil {
		t.Fatal(it.Err())
	}
	return out
}

// TestModel: with lanes and without them, the same is read after the same writes, in the transaction and behind it, and
// a conflict without them is one with them.
func TestModel(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		base := memory(t, 0)
		w := &twins{t: r, stores: [2]kv.Store{lanes.New(base), memory(t, 0)}, version: 1}
		defer w.stores[0].Close()
		defer w.stores[1].Close()
		for range rapid.IntRange(1, 8).Draw(r, "transactions") {
			ownWrites, bracket := rapid.Bool().Draw(r, "own writes"), rapid.Bool().Draw(r, "overlay")
			txs := w.begin(ownWrites, bracket)
			gone := false
			if rapid.Bool().Draw(r, "reads") {
				w.same(txs, false)
			}
			if rapid.Bool().Draw(r, "another") {
				other := w.begin(false, true)
				gone = w.write(other) || gone
				w.commit(other)
			}
			for range rapid.IntRange(1, 4).Draw(r, "writes") {
				gone = !gone && w.write(txs) || gone
				if ownWrites || bracket {
					w.same(txs, rapid.Bool().Draw(r, "snapshot"))
				}
			}
			w.commit(txs)
			if gone {
				w.version++
			}
			after := w.begin(true, false)
			w.same(after, true)
			for _, tx := range after {
				tx.Cancel()
			}
			w.limited()
		}
	})
}

// commit commits both. What only the store with lanes refuses is done again there, as its writer would.
func (w *twins) commit(txs [2]kv.Transaction) {
	with, without := txs[0].Commit(), txs[1].Commit()
	for _, err := range []error{with, without} {
		if err != nil && !errors.Is(err, kv.ErrConflict) {
			w.t.Fatal(err)
		}
	}
	switch {
	case without != nil && with == nil:
		w.t.Fatalf("only without lanes: %v", without)
	case without == nil && with != nil:
		w.t.Skip("a conflict more than without lanes: the stores differ from here")
	}
}
