package keyspace

import (
	"bytes"
	"fmt"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
)

// Collection joins the keys of one collection. It is immutable and safe for
// concurrent use.
type Collection struct {
	number   int64
	pkParts  int
	index    []byte
	prefix   []byte
	document []byte
	docMeta  []byte
	info     []byte
	paths    []byte
	entries  []byte
	declared []byte
	omitted  []byte
	changes  []byte
	markers  []byte
	newest   []byte
	bulks    []byte
}

// NewCollection returns the keys of the collection with this number, whose
// primary keys have pkParts elements, with the first version of its index.
func NewCollection(number int64, pkParts int) *Collection {
	return NewCollectionAt(number, pkParts, FirstIndexVersion)
}

// NewCollectionAt returns the keys of a collection with one version of its index.
func NewCollectionAt(number int64, pkParts int, indexVersion int64) *Collection {
	sub := func(tags ...int64) []byte {
		return key(append([]int64{tagCollection, number}, tags...)...)
	}
	return &Collection{
		number:   number,
		pkParts:  pkParts,
		prefix:   sub(),
		document: sub(tagDocument),
		docMeta:  sub(tagDocMeta),
		index:    sub(tagIndex, indexVersion),
		info:     sub(tagIndex, indexVersion, indexInfo),
		paths:    sub(tagIndex, indexVersion, indexPaths),
		entries:  sub(tagIndex, indexVersion, indexEntries),
		declared: sub(tagIndex, indexVersion, indexDeclared),
		omitted:  sub(tagIndex, indexVersion, indexOmitted),
		changes:  sub(tagChanges),
		markers:  sub(tagMarker),
		newest:   sub(tagNewest),
		bulks:    sub(tagBulk),
	}
}

// Number is the collection's number.
func (c *Collection) Number() int64 { return c.number }

// PrimaryKeyParts is the number of elements of a primary key.
func (c *Collection) PrimaryKeyParts() int { return c.pkParts }

// All is the range of everything the collection holds.
func (c *Collection) All() kv.Range { return kv.PrefixRange(c.prefix) }

// Index is the range of this version of the index: entries and counters.
func (c *Collection) Index() kv.Range { return kv.PrefixRange(c.index) }

// Documents is the range of all documents' chunks, in primary-key order.
func (c *Collection) Documents() kv.Range { return kv.PrefixRange(c.document) }

// Document is the key of a document's chunk.
func (c *Collection) Document(pk []byte, chunk int64) []byte {
	dst := make([]byte, 0, len(c.document)+len(pk)+4)
	return tuple.AppendInt(append(append(dst, c.document...), pk...), chunk)
}

// DocumentChunks is the range of one document's chunks.
func (c *Collection) DocumentChunks(pk []byte) kv.Range {
	return kv.PrefixRange(join(c.document, pk))
}

// DocumentSpan is the range of the documents whose first primary-key element
// lies in [start, end) as encoded by package ordered; a nil end means no end.
func (c *Collection) DocumentSpan(start, end []byte) kv.Range {
	return c.DocumentSpanBelow(nil, start, end)
}

// DocumentSpanBelow is the range of the documents whose primary key begins with the
// elements in prefix and has its next element in [start, end); a nil end means no end.
func (c *Collection) DocumentSpanBelow(prefix, start, end []byte) kv.Range {
	return valueRange(join(c.document, prefix), start, end)
}

// SplitDocument takes the primary key (a slice of k) and the chunk out of a
// document's key.
func (c *Collection) SplitDocument(k []byte) (pk []byte, chunk int64, err error) {
	pk, rest, err := c.splitPK(k, len(c.document))
	if err != nil {
		return nil, 0, err
	}
	_, chunk, err = tuple.DecodeInt(rest)
	if err != nil {
		return nil, 0, fmt.Errorf("keyspace: chunk of document key %x: %w", k, err)
	}
	return pk, chunk, nil
}

// Meta is the key of a document's revision and last sequence.
func (c *Collection) Meta(pk []byte) []byte { return join(c.docMeta, pk) }

// Metas is the range of all documents' metas, tombstones included.
func (c *Collection) Metas() kv.Range { return kv.PrefixRange(c.docMeta) }

// MetaSpan is the range of the metas of the documents whose first primary-key element lies in
// [start, end) as encoded by package ordered; a nil end means no end.
func (c *Collection) MetaSpan(start, end []byte) kv.Range { return valueRange(c.docMeta, start, end) }

// SplitMeta takes the primary key out of a meta key.
func (c *Collection) SplitMeta(k []byte) ([]byte, error) {
	pk, _, err := c.splitPK(k, len(c.docMeta))
	return pk, err
}

// InfoEntries is the counter of all entries; InfoDocuments of all documents.
func (c *Collection) InfoEntries() []byte { return tuple.AppendInt(join(c.info, nil), infoEntries) }

// InfoDocuments is the counter of the documents and their bytes.
func (c *Collection) InfoDocuments() []byte {
	return tuple.AppendInt(join(c.info, nil), infoDocuments)
}

// Counter is the key of the counter of one kind of values at one keypath.
func (c *Collection) Counter(keypath, kind int64) []byte {
	return tuple.AppendInt(tuple.AppendInt(join(c.paths, nil), keypath), kind)
}

// AppendCounter appends Counter to dst.
func (c *Collection) AppendCounter(dst []byte, keypath, kind int64) []byte {
	return tuple.AppendInt(tuple.AppendInt(append(dst, c.paths...), keypath), kind)
}

// Counters is the range of the counters of one keypath.
func (c *Collection) Counters(keypath int64) kv.Range {
	return kv.PrefixRange(tuple.AppendInt(join(c.paths, nil), keypath))
}

// AllCounters is the range of the counters of all keypaths.
func (c *Collection) AllCounters() kv.Range { return kv.PrefixRange(c.paths) }

// SplitCounter takes the keypath's number and the kind out of a counter's key.
func (c *Collection) SplitCounter(k []byte) (keypath, kind int64, err error) {
	if len(k) < len(c.paths) {
		return 0, 0, fmt.Errorf("keyspace: short counter key %x", k)
	}
	rest, keypath, err := tuple.DecodeInt(k[len(c.paths):])
	if err == nil {
		_, kind, err = tuple.DecodeInt(rest)
	}
	if err != nil {
		return 0, 0, fmt.Errorf("keyspace: counter key %x: %w", k, err)
	}
	return keypath, kind, nil
}

// AppendEntry appends the key of an index entry. value is package ordered's
// encoding; positions is empty for a value outside arrays.
func (c *Collection) AppendEntry(dst []byte, keypath, fieldVersion int64, value, pk []byte, positions []int64) []byte {
	dst = append(dst, c.entries...)
	dst = tuple.AppendInt(dst, keypath)
	dst = tuple.AppendInt(dst, fieldVersion)
	dst = tuple.AppendBytes(dst, value)
	dst = append(dst, pk...)
	if len(positions) == 0 {
		return tuple.AppendInt(dst, 0)
	}
	for _, p := range positions {
		dst = tuple.AppendInt(dst, p)
	}
	return dst
}

// Entries is the range of all entries of the collection.
func (c *Collection) Entries() kv.Range { return kv.PrefixRange(c.entries) }

// KeypathEntries is the range of a keypath's entries in one field version.
func (c *Collection) KeypathEntries(keypath, fieldVersion int64) kv.Range {
	return kv.PrefixRange(c.entryPrefix(keypath, fieldVersion))
}

// EntrySpan is the range of a keypath's entries whose values lie in
// [start, end) as encoded by package ordered; a nil end means no end.
func (c *Collection) EntrySpan(keypath, fieldVersion int64, start, end []byte) kv.Range {
	return valueRange(c.entryPrefix(keypath, fieldVersion), start, end)
}

// EntryKeySpan is the range of a keypath's entries of one value whose primary
// key's first column lies in [start, end), as EntrySpan has it for values.
func (c *Collection) EntryKeySpan(keypath, fieldVersion int64, value, start, end []byte) kv.Range {
	return valueRange(tuple.AppendBytes(c.entryPrefix(keypath, fieldVersion), value), start, end)
}

func (c *Collection) entryPrefix(keypath, fieldVersion int64) []byte {
	return tuple.AppendInt(tuple.AppendInt(join(c.entries, nil), keypath), fieldVersion)
}

// Entry is a decoded entry key. PK aliases the key; Value is escaped the way a
// tuple's byte string is, see EntryValue.
type Entry struct {
	Keypath, FieldVersion int64
	Value                 []byte // unescaped; may alias the key
	PK                    []byte // aliases the key
	Positions             []byte // the packed position elements; aliases the key
}

// SplitEntry decodes an entry's key.
func (c *Collection) SplitEntry(k []byte) (Entry, error) {
	var e Entry
	if len(k) < len(c.entries) {
		return e, fmt.Errorf("keyspace: short entry key %x", k)
	}
	rest, keypath, err := tuple.DecodeInt(k[len(c.entries):])
	if err == nil {
		e.Keypath = keypath
		rest, e.FieldVersion, err = tuple.DecodeInt(rest)
	}
	if err == nil {
		rest, e.Value, err = tuple.DecodeBytes(rest)
	}
	if err != nil {
		return e, fmt.Errorf("keyspace: entry key %x: %w", k, err)
	}
	e.PK, e.Positions, err = c.splitPK(k, len(k)-len(rest))
	return e, err
}

// SplitEntryPK takes only the primary key out of an entry's key.
func (c *Collection) SplitEntryPK(k []byte) ([]byte, error) {
	if len(k) < len(c.entries) {
		return nil, fmt.Errorf("keyspace: short entry key %x", k)
	}
	rest := k[len(c.entries):]
	var err error
	for i := 0; i < 3; i++ {
		if rest, err = tuple.Skip(rest); err != nil {
			return nil, fmt.Errorf("keyspace: entry key %x: %w", k, err)
		}
	}
	pk, _, err := c.splitPK(k, len(k)-len(rest))
	return pk, err
}

// EntryHead cuts an entry's key behind its value. The head is shared by the entries of
// that value in its keypath and field version, and by no others: see SharesHead. The
// value shares the memory of k unless it holds a zero byte.
func (c *Collection) EntryHead(k []byte) (head, value []byte, err error) {
	if len(k) < len(c.entries) {
		return nil, nil, fmt.Errorf("keyspace: short entry key %x", k)
	}
	rest, err := tuple.Skip(k[len(c.entries):])
	if err == nil {
		rest, err = tuple.Skip(rest)
	}
	if err == nil {
		rest, value, err = tuple.DecodeBytes(rest)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("keyspace: entry key %x: %w", k, err)
	}
	return k[:len(k)-len(rest)], value, nil
}

// SharesHead reports whether an entry's key has the head.
func SharesHead(k, head []byte) bool {
	// The zero that ends the value in the head would be one within a longer
	// value if an escape followed.
	return bytes.HasPrefix(k, head) && len(k) > len(head) && k[len(head)] != 0xff
}

// AfterHead is the first key behind the keys that begin with head.
func AfterHead(head []byte) []byte { return append(head[:len(head):len(head)], 0xff) }

// SplitAfterHead returns the primary key and the positions of an entry's key with a head of that length.
func (c *Collection) SplitAfterHead(k []byte, head int) (pk, positions []byte, err error) {
	return c.splitPK(k, head)
}

// Change is the key of a change whose versionstamp is known.
func (c *Collection) Change(incarnation byte, stamp tuple.Versionstamp) []byte {
	return tuple.AppendVersionstamp(tuple.AppendInt(join(c.changes, nil), int64(incarnation)), stamp)
}

// ChangeTemplate is a change's key with room for the versionstamp, which
// begins at offset.
func (c *Collection) ChangeTemplate(incarnation byte, user uint16) (k []byte, offset int) {
	k = c.Change(incarnation, tuple.Incomplete(user))
	return k, len(k) - kv.VersionstampSize - 2
}

// Changes is the range of the whole feed.
func (c *Collection) Changes() kv.Range { return kv.PrefixRange(c.changes) }

// SplitChange takes the sequence out of a change's key.
func (c *Collection) SplitChange(k []byte) (incarnation byte, stamp tuple.Versionstamp, err error) {
	if len(k) < len(c.changes) {
		return 0, stamp, fmt.Errorf("keyspace: short change key %x", k)
	}
	rest, inc, err := tuple.DecodeInt(k[len(c.changes):])
	if err == nil {
		_, stamp, err = tuple.DecodeVersionstamp(rest)
	}
	if err != nil {
		return 0, stamp, fmt.Errorf("keyspace: change key %x: %w", k, err)
	}
	return byte(inc), stamp, nil
}

// Beside is the range of the keys that neither belong to one document nor follow from documents: Newest and Bulks.
func (c *Collection) Beside() kv.Range { return kv.Range{Start: c.newest, End: kv.PrefixEnd(c.bulks)} }

// Newest is the key whose value every commit that changes a document replaces. Readers who
// wait for changes watch it.
func (c *Collection) Newest() []byte { return join(c.newest, nil) }

// Bulk is the key of the progress of the statement in batches that has this digest.
func (c *Collection) Bulk(digest []byte) []byte { return tuple.AppendBytes(join(c.bulks, nil), digest) }

// Bulks is the range of the Bulk keys of all statements that write to the collection.
func (c *Collection) Bulks() kv.Range { return kv.PrefixRange(c.bulks) }

// Marker is the key of a commit's idempotency marker.
func (c *Collection) Marker(id []byte) []byte { return tuple.AppendBytes(join(c.markers, nil), id) }

// splitPK cuts the primary key that begins at from out of k.
func (c *Collection) splitPK(k []byte, from int) (pk, rest []byte, err error) {
	if len(k) < from {
		return nil, nil, fmt.Errorf("keyspace: short key %x", k)
	}
	rest = k[from:]
	for i := 0; i < c.pkParts; i++ {
		if rest, err = tuple.Skip(rest); err != nil {
			return nil, nil, fmt.Errorf("keyspace: primary key in %x: %w", k, err)
		}
	}
	return k[from : len(k)-len(rest)], rest, nil
}

// valueRange is the range of the keys below prefix whose next element is a byte string in
// [start, end). The bounds are written without the element's terminator. A byte string that
// sorts below start sorts below that key too, since the terminator 0x00 is followed by a
// type code, never by 0xff.
func valueRange(prefix, start, end []byte) kv.Range {
	r := kv.Range{Start: unterminated(prefix, start)}
	if end == nil {
		r.End = kv.PrefixEnd(prefix)
	} else {
		r.End = unterminated(prefix, end)
	}
	return r
}

func unterminated(prefix, value []byte) []byte {
	k := tuple.AppendBytes(append(make([]byte, 0, len(prefix)+len(value)+2), prefix...), value)
	return k[:len(k)-1]
}

func join(a, b []byte) []byte {
	dst := make([]byte, 0, len(a)+len(b)+16)
	return append(append(dst, a...), b...)
}
