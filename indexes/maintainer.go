package indexes

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
)

// KindOmitted counts, beside document's kinds, the entries that were left out
// because their key would exceed kv.MaxKeySize. A keypath with such a count has
// incomplete spans.
const KindOmitted document.Kind = 250

// maxKeypath is the length in bytes of the longest spelled keypath that gets a
// number: its key in the dictionary must fit. Longer ones have no entries.
const maxKeypath = 8_000

// OverlongKeypath is the number under which entries of keypaths longer than
// the dictionary takes are counted as omitted.
const OverlongKeypath = 0

// Maintainer writes the entries of one collection. It is immutable and safe
// for concurrent use.
type Maintainer struct {
	keys       *keyspace.Collection
	dictionary *catalog.Dictionary
	encoder    *Encoder
	earlier    []earlierEncoder // of documents of earlier generations, ascending
	flatten    document.FlattenOptions
	declared   declaredIndexes
}

// earlierEncoder encodes the documents of the generations below one.
type earlierEncoder struct {
	below   int64
	encoder *Encoder
}

// Versioned is a document with the generation of the table's encodings
// (catalog.Table.Generation) that its entries are in.
type Versioned struct {
	document.Document
	Generation int64
}

// NewMaintainer returns the maintainer of a table's entries: of keypaths, and of the
// declared indexes that have any.
func NewMaintainer(t *catalog.Table, d *catalog.Dictionary) (*Maintainer, error) {
	enc, err := NewEncoder(t)
	if err != nil {
		return nil, err
	}
	m := &Maintainer{
		keys:       t.Keys(),
		dictionary: d,
		encoder:    enc,
		flatten:    FlattenOptions(t.Options),
		declared:   newDeclaredIndexes(t),
	}
	for _, below := range t.Boundaries() {
		enc, err := NewEncoder(t.At(below - 1))
		if err != nil {
			return nil, err
		}
		m.earlier = append(m.earlier, earlierEncoder{below, enc})
	}
	return m, nil
}

// encoderAt is the encoder of the documents of a generation.
func (m *Maintainer) encoderAt(generation int64) *Encoder {
	for _, e := range m.earlier {
		if generation < e.below {
			return e.encoder
		}
	}
	return m.encoder
}

// FlattenOptions are a table's options of depth and exclusion.
func FlattenOptions(o catalog.Options) document.FlattenOptions {
	f := document.FlattenOptions{MaxDepth: o.Depth()}
	if len(o.Excluded) > 0 {
		excluded := make(map[string]bool, len(o.Excluded))
		for _, p := range o.Excluded {
			excluded[p] = true
		}
		f.Excluded = func(path []byte) bool { return excluded[string(path)] }
	}
	return f
}

// KindDelta is the change of one counter: of the values of one kind at one keypath.
type KindDelta struct {
	Keypath                   int64
	Kind                      document.Kind
	Documents, Entries, Bytes int64
}

// Delta is the change that an update makes to the counters, each keypath and
// kind at most once, ordered by both.
type Delta []KindDelta

// Update writes the difference between the entries of a document's old and its new version: nil old is an insert, nil
// new is a delete. Equal entries are neither cleared nor set. The entries of members that keep their value and their
// place are not even made. Each version is encoded as of its generation. Keypaths that no document had before are
// numbered first, in a transaction of the dictionary's own.
func (m *Maintainer) Update(ctx context.Context, w kv.Writer, pk []byte, old, new *Versioned) (Delta, error) {
	before, after := entrySets.Get().(*entrySet), entrySets.Get().(*entrySet)
	defer before.release()
	defer after.release()
	var otherOfOld, otherOfNew document.Document
	if old != nil && new != nil && len(m.declared.list) == 0 &&
		m.encoderAt(old.Generation) == m.encoderAt(new.Generation) {
		otherOfOld, otherOfNew = new.Document, old.Document
	}
	for {
		if old != nil {
			if err := m.collect(ctx, before, pk, *old, otherOfOld); err != nil {
				return nil, fmt.Errorf("indexes: entries of the old document: %w", err)
			}
		}
		if new != nil {
			if err := m.collect(ctx, after, pk, *new, otherOfNew); err != nil {
				return nil, fmt.Errorf("indexes: entries of the new document: %w", err)
			}
		}
		// A document counts once for all of its overlong keypaths, in whichever members they are.
		if otherOfOld.IsZero() || !before.hasOverlong() && !after.hasOverlong() {
			break
		}
		otherOfOld, otherOfNew = document.Document{}, document.Document{}
	}
	switch {
	case old == nil:
		for i := range after.entries {
			w.Set(after.key(i), nil)
		}
	case new == nil:
		for i := range before.entries {
			w.Clear(before.key(i))
		}
	default:
		before.sort()
		after.sort()
		i, j := 0, 0
		for i < len(before.entries) || j < len(after.entries) {
			c := 0
			switch {
			case i == len(before.entries):
				c = 1
			case j == len(after.entries):
				c = -1
			default:
				c = bytes.Compare(before.key(i), after.key(j))
			}
			if c < 0 {
				w.Clear(before.key(i))
				i++
			} else if c > 0 {
				w.Set(after.key(j), nil)
				j++
			} else {
				i++
				j++
			}
		}
	}
	return difference(before.totals(), after.totals()), nil
}

// Entries visits the key of every entry that a document must have at its keypaths, in the
// order of the document; CHECK compares them with the stored ones. The slice is reused.
func (m *Maintainer) Entries(ctx context.Context, pk []byte, d Versioned, visit func(key []byte) error) (Delta, error) {
	return m.All(ctx, pk, d, func(declared int64, key []byte) error {
		if declared != 0 {
			return nil
		}
		return visit(key)
	})
}

// All is Entries with the entries of declared indexes too, or the keys that mark that there
// is none. These are visited with the index's number; 0 is for a keypath's.
func (m *Maintainer) All(ctx context.Context, pk []byte, d Versioned,
	visit func(declared int64, key []byte) error) (Delta, error) {
	set := entrySets.Get().(*entrySet)
	defer set.release()
	if err := m.collect(ctx, set, pk, d, document.Document{}); err != nil {
		return nil, err
	}
	for i := range set.entries {
		if err := visit(set.entries[i].declared, set.key(i)); err != nil {
			return nil, err
		}
	}
	return difference(nil, set.totals()), nil
}

// collect fills the set with the entries of a document, without the entries of members that the document beside it
// has too.
func (m *Maintainer) collect(ctx context.Context, set *entrySet, pk []byte, d Versioned,
	beside document.Document) error {
	encoder, flatten := m.encoderAt(d.Generation), m.flatten
	flatten.Beside = beside
	for attempt := 0; ; attempt++ {
		set.reset()
		var missing []string
		var asked map[string]bool // missing, as a set: an array has a keypath many times
		err := document.Flatten(d.Document, flatten, func(leaf document.Leaf) error {
			if len(leaf.Path) > maxKeypath {
				set.omit(OverlongKeypath)
				return nil
			}
			number, ok := m.dictionary.Cached(leaf.Path)
			if !ok {
				if asked[string(leaf.Path)] {
					return nil
				}
				if asked == nil {
					asked = map[string]bool{}
				}
				missing = append(missing, string(leaf.Path))
				asked[missing[len(missing)-1]] = true
				return nil
			}
			if len(missing) > 0 {
				return nil
			}
			return m.add(set, encoder, number, pk, leaf)
		})
		if err != nil {
			return err
		}
		if len(missing) == 0 {
			m.addDeclared(set, pk)
			return nil
		}
		if attempt > 0 {
			return fmt.Errorf("indexes: keypath %q has no number after it was given one", missing[0])
		}
		if err := m.dictionary.Assign(ctx, missing); err != nil {
			return err
		}
	}
}

func (m *Maintainer) add(set *entrySet, encoder *Encoder, number int64, pk []byte, leaf document.Leaf) error {
	value, version, indexed, err := encoder.AppendLeaf(set.value[:0], leaf)
	if err != nil {
		return fmt.Errorf("indexes: keypath %s: %w", leaf.Path, err)
	}
	set.value = value
	if !indexed {
		return nil
	}
	if len(m.declared.slots) > 0 {
		if slots := m.declared.slots[string(leaf.Path)]; slots != nil {
			set.declared.add(slots, FoldValue(value, encoder.Collation(string(leaf.Path))))
		}
	}
	start := len(set.buf)
	set.buf = m.keys.AppendEntry(set.buf, number, version, value, pk, leaf.Positions)
	if len(set.buf)-start > kv.MaxKeySize {
		set.buf = set.buf[:start]
		set.omit(number)
		return nil
	}
	set.entries = append(set.entries, entry{start: start, end: len(set.buf), keypath: number, kind: leaf.Kind})
	return nil
}

// entry is one entry of a set: its key is buf[start:end].
type entry struct {
	start, end int
	keypath    int64 // or declaredKey
	kind       document.Kind
	declared   int64 // the number of the declared index; 0 for a keypath's entry
}

// entrySet is the entries of one version of a document. It is reused through a pool.
type entrySet struct {
	buf     []byte
	value   []byte
	entries []entry
	omitted []int64 // keypaths with an entry left out, once per entry
	counts  []KindDelta

	declared declaredValues
}

var entrySets = sync.Pool{New: func() any { return new(entrySet) }}

func (s *entrySet) reset() {
	s.buf, s.value = s.buf[:0], s.value[:0]
	s.entries, s.omitted, s.counts = s.entries[:0], s.omitted[:0], s.counts[:0]
	s.declared.reset()
}

// release gives the set back unless a huge document has made it large.
func (s *entrySet) release() {
	if cap(s.buf) > 1<<20 {
		return
	}
	s.reset()
	entrySets.Put(s)
}

func (s *entrySet) key(i int) []byte { return s.buf[s.entries[i].start:s.entries[i].end] }

func (s *entrySet) omit(keypath int64) { s.omitted = append(s.omitted, keypath) }

func (s *entrySet) hasOverlong() bool { return slices.Contains(s.omitted, OverlongKeypath) }

func (s *entrySet) sort() {
	slices.SortFunc(s.entries, func(a, b entry) int {
		return bytes.Compare(s.buf[a.start:a.end], s.buf[b.start:b.end])
	})
}

// totals counts the set by keypath and kind, ordered by both. The slice is
// valid until the set is reset.
func (s *entrySet) totals() []KindDelta {
	out := s.counts[:0]
	for _, e := range s.entries {
		if e.keypath == declaredKey {
			continue
		}
		out = append(out, KindDelta{Keypath: e.keypath, Kind: e.kind, Documents: 1, Entries: 1,
			Bytes: int64(e.end - e.start)})
	}
	for _, k := range s.omitted {
		out = append(out, KindDelta{Keypath: k, Kind: KindOmitted, Documents: 1, Entries: 0})
	}
	slices.SortFunc(out, compareKindDeltas)
	n := 0
	for _, d := range out {
		if n > 0 && compareKindDeltas(out[n-1], d) == 0 {
			out[n-1].Entries += d.Entries
			out[n-1].Bytes += d.Bytes
			continue
		}
		out[n] = d
		n++
	}
	s.counts = out
	return out[:n]
}

func compareKindDeltas(a, b KindDelta) int {
	if a.Keypath != b.Keypath {
		if a.Keypath < b.Keypath {
			return -1
		}
		return 1
	}
	return int(a.Kind) - int(b.Kind)
}

// difference is after minus before, without kinds that did not change.
func difference(before, after []KindDelta) Delta {
	out := make(Delta, 0, len(after)+len(before))
	keep := func(d KindDelta) {
		if d.Documents != 0 || d.Entries != 0 || d.Bytes != 0 {
			out = append(out, d)
		}
	}
	i, j := 0, 0
	for i < len(before) || j < len(after) {
		c := 0
		switch {
		case i == len(before):
			c = 1
		case j == len(after):
			c = -1
		default:
			c = compareKindDeltas(before[i], after[j])
		}
		var d KindDelta
		if c >= 0 {
			d = after[j]
			j++
		}
		if c <= 0 {
			b := before[i]
			i++
			d.Keypath, d.Kind = b.Keypath, b.Kind
			d.Documents -= b.Documents
			d.Entries -= b.Entries
			d.Bytes -= b.Bytes
		}
		keep(d)
	}
	return out
}
