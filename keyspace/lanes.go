package keyspace

import (
	"bytes"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
)

// LanesPerBlock is how many counters of an index stand side by side in one value.
const LanesPerBlock = 32

// LanesFormat is the format number of a store that has lanes: a program of an earlier one would count wrong in it.
const LanesFormat = 3

// infoKeypath stands for a keypath's number in the counters of a whole index.
const infoKeypath = -1

// Lanes 0 and 1 of an index are its counters of documents and of entries; a keypath's follows at its number plus 2.
const (
	laneDocuments = 0
	laneEntries   = 1
	laneKeypaths  = 2
)

// Index is one version of a collection's index.
type Index struct{ Collection, Version int64 }

// Counter is one counter of an index.
type Counter struct {
	Index
	keypath, kind int64
}

// Keypath is a keypath of an index.
type Keypath struct {
	Index
	Number int64
}

// Block is LanesPerBlock counters of an index whose sums stand in one value.
type Block struct {
	Index
	Number int64
}

func (i Index) below(tags ...int64) []byte {
	return key(append([]int64{tagCollection, i.Collection, tagIndex, i.Version}, tags...)...)
}

// Lanes is the range of the kinds and sums of all blocks.
func (i Index) Lanes() kv.Range {
	return kv.Range{Start: i.below(indexLaneKinds), End: i.below(indexInfo)}
}

// Counters is the range of all counters.
func (i Index) Counters() kv.Range {
	return kv.Range{Start: i.below(indexInfo), End: kv.PrefixEnd(i.below(indexPaths))}
}

// Entries is the range of the entries of the keypaths from a number on.
func (i Index) Entries(from int64) kv.Range {
	return kv.Range{Start: i.below(indexEntries, from), End: kv.PrefixEnd(i.below(indexEntries))}
}

// Entries is the range of a keypath's entries.
func (p Keypath) Entries() kv.Range { return kv.PrefixRange(p.below(indexEntries, p.Number)) }

// Kinds is the key that says for each lane of the block which kind of values it counts.
func (b Block) Kinds() []byte { return b.below(indexLaneKinds, b.Number) }

// Sums is the key of the block's sums.
func (b Block) Sums() []byte { return b.below(indexLaneSums, b.Number) }

// Key is the counter's key.
func (c Counter) Key() []byte {
	if c.keypath == infoKeypath {
		return c.below(indexInfo, c.kind)
	}
	return c.below(indexPaths, c.keypath, c.kind)
}

// Lane is where the counter can stand: the block and the place in it.
func (c Counter) Lane() (Block, int) {
	at := c.keypath + laneKeypaths
	if c.keypath == infoKeypath {
		if at = laneDocuments; c.kind == infoEntries {
			at = laneEntries
		}
	}
	return Block{c.Index, at / LanesPerBlock}, int(at % LanesPerBlock)
}

// Kind is the byte that a block has for a lane that counts this counter's kind of values. The counters of a whole
// index have fixed lanes of their own, for which no kind is stored.
func (c Counter) Kind() byte { return byte(c.kind) }

// OfIndex reports whether the counter is of the whole index and no keypath's.
func (c Counter) OfIndex() bool { return c.keypath == infoKeypath }

// Watched is a range in which a write shows that the counter changes: its key, or all counters of the whole index.
func (c Counter) Watched() kv.Range {
	if c.OfIndex() {
		return kv.PrefixRange(c.below(indexInfo))
	}
	return kv.PointRange(c.Key())
}

// Keypath is the keypath that is counted.
func (c Counter) Keypath() Keypath { return Keypath{c.Index, c.keypath} }

// At is the counter that stands in a lane of the block when that has a kind.
func (b Block) At(lane int, kind byte) Counter {
	at := b.Number*LanesPerBlock + int64(lane)
	switch at {
	case laneDocuments:
		return Counter{b.Index, infoKeypath, infoDocuments}
	case laneEntries:
		return Counter{b.Index, infoKeypath, infoEntries}
	}
	return Counter{b.Index, at - laneKeypaths, int64(kind)}
}

// IndexPart is the part of an index that a key is in.
type IndexPart int

// Parts of an index.
const (
	PartOther    IndexPart = iota // of no index, or entries
	PartLanes                     // Index.Lanes
	PartCounters                  // Index.Counters
)

// IndexOf finds the index and the part that a key belongs to. A prefix of such keys belongs to them too.
func IndexOf(k []byte) (Index, IndexPart) {
	i, tag, _, ok := splitIndex(k)
	switch {
	case !ok:
		return Index{}, PartOther
	case tag < indexInfo:
		return i, PartLanes
	case tag <= indexPaths:
		return i, PartCounters
	}
	return i, PartOther
}

// splitIndex decodes the first elements of a key in an index, up to the tag of the part. rest are the bytes behind
// them.
func splitIndex(k []byte) (i Index, tag int64, rest []byte, ok bool) {
	collection, at, rest, ok := splitCollection(k)
	if !ok || at != tagIndex {
		return i, 0, nil, false
	}
	rest, version, err := tuple.DecodeInt(rest)
	if err != nil {
		return i, 0, nil, false
	}
	rest, tag, err = tuple.DecodeInt(rest)
	return Index{collection, version}, tag, rest, err == nil
}

func splitCollection(k []byte) (collection, tag int64, rest []byte, ok bool) {
	rest, ok = bytes.CutPrefix(k, collectionPrefix)
	if !ok {
		return 0, 0, nil, false
	}
	rest, collection, err := tuple.DecodeInt(rest)
	if err != nil {
		return 0, 0, nil, false
	}
	rest, tag, err = tuple.DecodeInt(rest)
	return collection, tag, rest, err == nil
}

// CounterOf finds the counter that a key is of; it is false for other keys.
func CounterOf(k []byte) (Counter, bool) {
	i, tag, rest, ok := splitIndex(k)
	c := Counter{Index: i, keypath: infoKeypath}
	var err error
	switch {
	case !ok:
		return c, false
	case tag == indexInfo:
		rest, c.kind, err = tuple.DecodeInt(rest)
		return c, err == nil && len(rest) == 0 && (c.kind == infoDocuments || c.kind == infoEntries)
	case tag != indexPaths:
		return c, false
	}
	if rest, c.keypath, err = tuple.DecodeInt(rest); err == nil {
		rest, c.kind, err = tuple.DecodeInt(rest)
	}
	return c, err == nil && len(rest) == 0 && c.keypath >= 0 && c.kind > 0 && c.kind <= 0xff
}

// BlockOf finds the block that a key of an index's lanes belongs to; sums says that it is the key of its sums.
func BlockOf(k []byte) (b Block, sums, ok bool) {
	i, tag, rest, ok := splitIndex(k)
	if !ok || tag != indexLaneKinds && tag != indexLaneSums {
		return b, false, false
	}
	rest, number, err := tuple.DecodeInt(rest)
	return Block{i, number}, tag == indexLaneSums, err == nil && len(rest) == 0
}

// KeypathOf finds the keypath of an entry's key; it is false for other keys.
func KeypathOf(k []byte) (Keypath, bool) {
	i, tag, rest, ok := splitIndex(k)
	if !ok || tag != indexEntries {
		return Keypath{}, false
	}
	_, number, err := tuple.DecodeInt(rest)
	return Keypath{i, number}, err == nil
}

// MayHoldCounters reports whether counters or lanes may stand in a range.
func MayHoldCounters(r kv.Range) bool { return bytes.Compare(r.End, withoutCounters(r.Start)) > 0 }

// withoutCounters is a key up to which neither counters nor lanes stand from k on.
func withoutCounters(k []byte) []byte {
	if bytes.Compare(k, collectionPrefix) < 0 {
		return collectionPrefix
	}
	if !bytes.HasPrefix(k, collectionPrefix) {
		return kv.MaxKey
	}
	collection, tag, _, ok := splitCollection(k)
	switch {
	case !ok:
		return k
	case tag < tagIndex:
		return key(tagCollection, collection, tagIndex)
	case tag > tagIndex:
		return kv.PrefixEnd(key(tagCollection, collection))
	}
	if i, part, _, ok := splitIndex(k); ok && part >= indexEntries {
		return kv.PrefixEnd(i.below())
	}
	return k
}
