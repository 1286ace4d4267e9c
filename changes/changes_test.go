package changes

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
)

func genMeta(t *rapid.T) Meta {
	var m Meta
	copy(m.Sequence[:], rapid.SliceOfN(rapid.Byte(), SequenceSize, SequenceSize).Draw(t, "sequence"))
	copy(m.Rev.Hash[:], rapid.SliceOfN(rapid.Byte(), HashSize, HashSize).Draw(t, "hash"))
	m.Rev.Position = rapid.Uint64Range(1, 1<<62).Draw(t, "position")
	m.Deleted = rapid.Bool().Draw(t, "deleted")
	return m
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := genMeta(t)
		if got, ok, err := DecodeMeta(appendMeta(nil, m)); err != nil || !ok || got != m {
			t.Fatalf("meta %+v, %t, %v; want %+v", got, ok, err, m)
		}
		if got, err := ParseSequence(m.Sequence.String()); err != nil || got != m.Sequence {
			t.Fatalf("sequence %v, %v", got, err)
		}
		if got := NewSequence(m.Sequence.Incarnation(), m.Sequence.Stamp()); got != m.Sequence {
			t.Fatalf("sequence of its parts: %v, want %v", got, m.Sequence)
		}
		if got, err := ParseRev(m.Rev.String()); err != nil || got != m.Rev {
			t.Fatalf("revision %v, %v", got, err)
		}
		pk := rapid.SliceOf(rapid.Byte()).Draw(t, "pk")
		c, err := decodeChange(appendChange(nil, pk, m))
		if err != nil || string(c.PK) != string(pk) || c.Rev != m.Rev || c.Deleted != m.Deleted || c.Branches != 1 {
			t.Fatalf("change %+v, %v", c, err)
		}
		junk := rapid.SliceOf(rapid.Byte()).Draw(t, "junk")
		_, _ = decodeChange(junk) // an error at most
		_, _, _ = DecodeMeta(junk)
	})
}

// TestSequenceOrder: sequences, their text and their keys sort alike: by
// incarnation, then versionstamp, then the order within the transaction.
func TestSequenceOrder(t *testing.T) {
	keys := keyspace.NewCollection(1, 1)
	sign := func(less, equal bool) int {
		switch {
		case less:
			return -1
		case equal:
			return 0
		}
		return 1
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := genMeta(t).Sequence, genMeta(t).Sequence
		if rapid.Bool().Draw(t, "same incarnation") {
			b[0] = a[0]
		}
		want := sign(string(a[:]) < string(b[:]), a == b)
		if got := sign(a.String() < b.String(), a.String() == b.String()); got != want {
			t.Fatalf("%s and %s: text %d, bytes %d", a, b, got, want)
		}
		ka, kb := string(keys.Change(a.Incarnation(), a.Stamp())), string(keys.Change(b.Incarnation(), b.Stamp()))
		if got := sign(ka < kb, ka == kb); got != want {
			t.Fatalf("%s and %s: keys %d, bytes %d", a, b, got, want)
		}
	})
}

func TestMalformed(t *testing.T) {
	for _, text := range []string{"", "00", "zz000000000000000000000000", "0000000000000000000000000"} {
		if _, err := ParseSequence(text); !errors.Is(err, ErrFormat) {
			t.Errorf("ParseSequence(%q): %v", text, err)
		}
	}
	for _, text := range []string{"", "1", "-", "1-00", "x-00000000000000000000000000000000",
		"1-zz000000000000000000000000000000"} {
		if _, err := ParseRev(text); !errors.Is(err, ErrFormat) {
			t.Errorf("ParseRev(%q): %v", text, err)
		}
	}
}

// TestRev: the same edits of the same document give the same revision; another
// document, another predecessor or a deletion gives another.
func TestRev(t *testing.T) {
	first := Rev{}.Next([]byte(`{"a":1}`))
	if first != (Rev{}.Next([]byte(`{"a":1}`))) || first.Position != 1 {
		t.Error("the same edit gives another revision")
	}
	others := []Rev{Rev{}.Next([]byte(`{"a":2}`)), first.Next([]byte(`{"a":1}`)), Rev{}.Next(nil), Rev{}.Next([]byte{}),
		{}}
	for i, o := range others {
		if o.Hash == first.Hash {
			t.Errorf("%d has the same hash", i)
		}
	}
	if Rev.Next(Rev{}, nil) == Rev.Next(Rev{}, []byte{}) {
		t.Error("a deletion and an empty text have the same revision")
	}
}

// counted counts what a change writes.
type counted struct {
	kv.Writer
	sets, clears, forgotten int
}

func (c *counted) Clear([]byte)                               { c.clears++ }
func (c *counted) SetVersionstampedKey([]byte, int, []byte)   { c.sets++ }
func (c *counted) SetVersionstampedValue([]byte, []byte, int) {}
func (c *counted) ClearVersionstampedKey([]byte)              { c.forgotten++ }

// TestOperationsPerWrite: an insert adds one key to the feed, an update clears
// one and adds one, a second update in a transaction takes the first back; nothing is read.
func TestOperationsPerWrite(t *testing.T) {
	l := Log{Keys: keyspace.NewCollection(1, 1)}
	var o Orders
	insert := &counted{}
	if err := l.Append(insert, &o, nil, Meta{}, []byte("{}")); err != nil || *insert != (counted{sets: 1}) {
		t.Errorf("insert: %+v, %v", insert, err)
	}
	committed := Meta{Rev: Rev{Position: 1}}
	update := &counted{}
	if err := l.Append(update, &o, nil, committed, []byte("{}")); err != nil || *update != (counted{sets: 1, clears: 1}) {
		t.Errorf("update: %+v, %v", update, err)
	}
	pending := Meta{Rev: Rev{Position: 1}, Sequence: NewSequence(0, tuple.Incomplete(3))}
	again := &counted{}
	if err := l.Append(again, &o, nil, pending, nil); err != nil || *again != (counted{sets: 1, forgotten: 1}) {
		t.Errorf("second change in a transaction: %+v, %v", again, err)
	}
	o.next = 1 << 16
	if err := l.Append(again, &o, nil, pending, nil); !errors.Is(err, ErrTooManyChanges) {
		t.Errorf("the 65,537th change: %v", err)
	}
}
