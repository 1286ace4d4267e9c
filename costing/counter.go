package costing

import (
	"encoding/binary"
	"fmt"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/ahead"
)

// CounterSize is the length in bytes of a packed counter.
const CounterSize = 24

// Count is the content of a counter.
type Count struct {
	Documents int64 // documents that have the keypath with a value of the kind
	Entries   int64 // index entries; several per document below an array
	Bytes     int64 // bytes of the entries' keys
}

// Add returns the sums.
func (c Count) Add(o Count) Count {
	return Count{c.Documents + o.Documents, c.Entries + o.Entries, c.Bytes + o.Bytes}
}

// IsZero reports whether all three are zero.
func (c Count) IsZero() bool { return c == Count{} }

// AppendCounter appends the count as one 24-byte little-endian integer,
// documents + entries·2^64 + bytes·2^128 modulo 2^192. A change may be
// negative in any part: the sum of all changes made to a counter is exact,
// because the true totals are not negative.
func AppendCounter(dst []byte, c Count) []byte {
	// A negative part borrows one from the part above it.
	mid, high := c.Entries, c.Bytes
	if c.Documents < 0 {
		mid--
	}
	if mid < 0 {
		high--
	}
	dst = binary.LittleEndian.AppendUint64(dst, uint64(c.Documents))
	dst = binary.LittleEndian.AppendUint64(dst, uint64(mid))
	return binary.LittleEndian.AppendUint64(dst, uint64(high))
}

// DecodeCounter reads a counter's value; nil is a count of zero.
func DecodeCounter(b []byte) (Count, error) {
	if b == nil {
		return Count{}, nil
	}
	if len(b) != CounterSize {
		return Count{}, fmt.Errorf("costing: a counter of %d bytes: %x", len(b), b)
	}
	c := decode(b)
	if c.Documents < 0 || c.Entries < 0 || c.Bytes < 0 {
		return c, fmt.Errorf("costing: a counter below zero: %+v", c)
	}
	return c, nil
}

func decode(b []byte) Count {
	return Count{
		Documents: int64(binary.LittleEndian.Uint64(b)),
		Entries:   int64(binary.LittleEndian.Uint64(b[8:])),
		Bytes:     int64(binary.LittleEndian.Uint64(b[16:])),
	}
}

// Counts writes the counters of one collection.
type Counts struct {
	Keys *keyspace.Collection
}

// Add applies an update's difference: one atomic add per keypath and kind, and
// one for the whole index. The document's part is the number of documents (+1, 0 or -1) and of
// bytes of document text that came or went.
func (c Counts) Add(w kv.Writer, delta indexes.Delta, documents, documentBytes int64) {
	var buf [CounterSize]byte
	var at [64]byte // the writer copies keys
	var total Count
	for _, k := range delta {
		n := Count{Documents: k.Documents, Entries: k.Entries, Bytes: k.Bytes}
		total.Entries += n.Entries
		total.Bytes += n.Bytes
		if !n.IsZero() {
			w.Add(c.Keys.AppendCounter(at[:0], k.Keypath, int64(k.Kind)), AppendCounter(buf[:0], n))
		}
	}
	if !total.IsZero() {
		w.Add(c.Keys.InfoEntries(), AppendCounter(buf[:0], total))
	}
	if d := (Count{Documents: documents, Bytes: documentBytes}); !d.IsZero() {
		w.Add(c.Keys.InfoDocuments(), AppendCounter(buf[:0], d))
	}
}

// Keypath is the counts of one keypath by kind of value.
type Keypath map[document.Kind]Count

// Total adds up all kinds. Below an array a document is counted once per kind,
// so that its Documents is an upper bound there, and exact elsewhere.
func (k Keypath) Total() Count {
	var t Count
	for _, c := range k {
		t = t.Add(c)
	}
	return t
}

// Statistics reads the counters of one collection. Through a snapshot reader
// it causes no conflicts.
type Statistics struct {
	Keys *keyspace.Collection
	From kv.Reader
	// Formers are the former versions of an index that is being rebuilt: their
	// counters are added. Documents and entries are exact all the same; of the
	// bytes of former entries no more is known than that they are stored.
	Formers []*keyspace.Collection
}

// Documents returns the number of documents and the bytes of their text.
func (s Statistics) Documents() (documents, bytes int64, err error) {
	known := knownOf(s.From)
	if c, ok := known.documentsOf(s.Keys.Number()); ok {
		return c.Documents, c.Bytes, nil
	}
	c, err := s.sum((*keyspace.Collection).InfoDocuments)
	if err == nil {
		known.putDocuments(s.Keys.Number(), c)
	}
	return c.Documents, c.Bytes, err
}

// Entries returns the number of entries and the bytes of their keys.
func (s Statistics) Entries() (entries, bytes int64, err error) {
	c, err := s.sum((*keyspace.Collection).InfoEntries)
	return c.Entries, c.Bytes, err
}

// sum adds up one counter of all versions of the index.
func (s Statistics) sum(key func(*keyspace.Collection) []byte) (Count, error) {
	raw, err := s.From.Get(key(s.Keys)).Get()
	if err != nil {
		return Count{}, fmt.Errorf("costing: read counter: %w", err)
	}
	c, err := DecodeCounter(raw)
	for _, f := range s.Formers {
		if err != nil {
			return c, err
		}
		var raw []byte
		if raw, err = s.From.Get(key(f)).Get(); err != nil {
			return c, fmt.Errorf("costing: read counter: %w", err)
		}
		var more Count
		more, err = DecodeFormerCounter(raw)
		c = c.Add(more)
	}
	return c, err
}

// DecodeFormerCounter reads a counter of a former version of an index. A part that has
// become less than zero counts as zero. Whether an entry was left out because of its key's
// size may have depended on a collator that is gone.
func DecodeFormerCounter(b []byte) (Count, error) {
	if b == nil {
		return Count{}, nil
	}
	if len(b) != CounterSize {
		return Count{}, fmt.Errorf("costing: a counter of %d bytes: %x", len(b), b)
	}
	c := decode(b)
	return Count{max(0, c.Documents), max(0, c.Entries), max(0, c.Bytes)}, nil
}

// ofFormers adds the counts that the former versions have of a keypath. Kinds that
// no document has any more are left out, though bytes may be stored.
func (s Statistics) ofFormers(number int64, out Keypath) error {
	for _, f := range s.Formers {
		values := make([]kv.FutureValue, len(counted))
		for i, kind := range counted {
			values[i] = s.From.Get(f.Counter(number, int64(kind)))
		}
		for i, kind := range counted {
			raw, err := values[i].Get()
			if err != nil {
				return fmt.Errorf("costing: read counters: %w", err)
			}
			c, err := DecodeFormerCounter(raw)
			if err != nil {
				return err
			}
			if c.Documents > 0 || c.Entries > 0 {
				out[kind] = out[kind].Add(c)
			}
		}
	}
	return nil
}

// counted lists the kinds that counters exist for.
var counted = append(document.Kinds(), indexes.KindOmitted)

// Absent is where the counters of the kinds would be that no document has at a keypath, but
// for NULL. The ranges may be shared and must not be changed.
func (s Statistics) Absent(number int64, counts Keypath) []kv.Range {
	known, key := knownOf(s.From), knownKey{s.Keys.Number(), number}
	if out, ok := known.absentOf(key); ok {
		return out
	}
	var out []kv.Range
	open := false // the last range goes on
	for _, kind := range counted {
		if !counts[kind].IsZero() || kind == document.KindNull {
			open = false
			continue
		}
		at := kv.PointRange(s.Keys.Counter(number, int64(kind)))
		if open {
			out[len(out)-1].End = at.End
		} else {
			out = append(out, at)
		}
		open = true
	}
	known.putAbsent(key, out)
	return out
}

// OfAllKinds is where the counters of one keypath are.
func (s Statistics) OfAllKinds(number int64) kv.Range {
	first, last := s.Keys.Counter(number, int64(counted[0])), s.Keys.Counter(number, int64(counted[len(counted)-1]))
	return kv.Range{Start: first, End: kv.PointRange(last).End}
}

// Keypath returns the counts of one keypath by kind; kinds that no document has are
// left out. The map may be shared and must not be changed.
func (s Statistics) Keypath(number int64) (Keypath, error) {
	known, key := knownOf(s.From), knownKey{s.Keys.Number(), number}
	if c, ok := known.keypath(key); ok {
		return c, nil
	}
	out := Keypath{}
	add := func(kind document.Kind, raw []byte) error {
		c, err := DecodeCounter(raw)
		if err != nil {
			return fmt.Errorf("costing: keypath %d kind %d: %w", number, kind, err)
		}
		if !c.IsZero() {
			out[kind] = c
		}
		return nil
	}
	read := s.walked
	if ahead.Of(s.From).Starts() {
		read = s.got // they are being read, or are all read at once
	}
	if err := read(number, add); err != nil {
		return nil, err
	}
	if err := s.ofFormers(number, out); err != nil {
		return nil, err
	}
	known.putKeypath(key, out)
	return out, nil
}

// got gives the counters of one keypath, each by its key.
func (s Statistics) got(number int64, add func(document.Kind, []byte) error) error {
	values := make([]kv.FutureValue, len(counted))
	for i, kind := range counted {
		values[i] = s.From.Get(s.Keys.Counter(number, int64(kind)))
	}
	for i, kind := range counted {
		raw, err := values[i].Get()
		if err != nil {
			return fmt.Errorf("costing: read counters: %w", err)
		}
		if raw == nil {
			continue
		}
		if err := add(kind, raw); err != nil {
			return err
		}
	}
	return nil
}

// walked reads the counters by a walk of their range: most kinds have none, and to get a missing key costs as much as
// any.
func (s Statistics) walked(number int64, add func(document.Kind, []byte) error) error {
	it := s.From.Range(s.OfAllKinds(number), kv.RangeOptions{})
	defer it.Close()
	for it.Next() {
		_, kind, err := s.Keys.SplitCounter(it.Key())
		if err != nil {
			return err
		}
		if err := add(document.Kind(kind), it.Value()); err != nil {
			return err
		}
	}
	if err := it.Err(); err != nil {
		return fmt.Errorf("costing: read counters: %w", err)
	}
	return nil
}

// Keypaths returns the counts of every keypath of the collection by number.
func (s Statistics) Keypaths() (map[int64]Keypath, error) {
	out := map[int64]Keypath{}
	add := func(number int64, kind document.Kind, c Count) {
		k := out[number]
		if k == nil {
			k = Keypath{}
			out[number] = k
		}
		k[kind] = k[kind].Add(c)
	}
	if err := s.walk(s.Keys, DecodeCounter, add); err != nil {
		return out, err
	}
	for _, f := range s.Formers {
		err := s.walk(f, DecodeFormerCounter, func(number int64, kind document.Kind, c Count) {
			if c.Documents > 0 || c.Entries > 0 {
				add(number, kind, c)
			}
		})
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

func (s Statistics) walk(keys *keyspace.Collection, decode func([]byte) (Count, error),
	visit func(number int64, kind document.Kind, c Count)) error {
	it := s.From.Range(keys.AllCounters(), allCounters)
	defer it.Close()
	for it.Next() {
		number, kind, err := keys.SplitCounter(it.Key())
		if err != nil {
			return err
		}
		c, err := decode(it.Value())
		if err != nil {
			return fmt.Errorf("costing: keypath %d kind %d: %w", number, kind, err)
		}
		if !c.IsZero() {
			visit(number, document.Kind(kind), c)
		}
	}
	if err := it.Err(); err != nil {
		return fmt.Errorf("costing: read counters: %w", err)
	}
	return nil
}
