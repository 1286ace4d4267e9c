package indexes

import (
	"bytes"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// An entry of a declared index has one value for each column: the value in the keypath's
// own entry, with two exceptions. A document without the keypath has a null, so that every
// document has an entry. A string in a collation in which different strings can be equal
// has its sort key alone, so that the next column orders within equal ones.

// declaredIndex is a declared index that has entries.
type declaredIndex struct {
	number  int64
	columns int
}

// declaredSlot is one column of a declared index.
type declaredSlot struct{ index, column int }

// declaredIndexes are the declared indexes of a table that have entries.
type declaredIndexes struct {
	list  []declaredIndex
	slots map[string][]declaredSlot // by spelled keypath
}

func newDeclaredIndexes(t *catalog.Table) declaredIndexes {
	var out declaredIndexes
	for i := range t.Indexes {
		idx := &t.Indexes[i]
		if idx.Number == 0 {
			continue
		}
		if out.slots == nil {
			out.slots = map[string][]declaredSlot{}
		}
		for n, name := range idx.Columns {
			path := DeclaredKeypath(t, name)
			out.slots[path] = append(out.slots[path], declaredSlot{len(out.list), n})
		}
		out.list = append(out.list, declaredIndex{idx.Number, len(idx.Columns)})
	}
	return out
}

// DeclaredKeypath is the spelled keypath that a column of a declared index stands for.
func DeclaredKeypath(t *catalog.Table, name string) string {
	if i, ok := t.Column(name); ok {
		name = t.Columns[i].Name
	}
	return document.NamedKeypath(name).String()
}

// FoldValue is a declared index's form of an encoded value in the collation: the value
// itself, or the beginning that equal strings share. It aliases value.
func FoldValue(value []byte, c *collation.Collation) []byte {
	if len(value) == 0 || value[0] != ordered.ClassString || c.IsIdentity() {
		return value
	}
	// Sort keys have no byte 01 but the one that ends them (RFC 0001, section 3.2).
	if end := bytes.IndexByte(value[1:], 0x01); end >= 0 {
		return value[:end+2]
	}
	return value
}

// FoldSpans are spans of folded values that hold the folded values of the given spans;
// exact reports that they hold no others.
func FoldSpans(spans Spans, c *collation.Collation) (out Spans, exact bool) {
	if c.IsIdentity() {
		return spans, true
	}
	exact = true
	folded := make([]Span, len(spans))
	for i, s := range spans {
		folded[i] = s
		if start := FoldValue(s.Start, c); len(start) < len(s.Start) {
			folded[i].Start, exact = start, false
		}
		if s.End == nil {
			continue
		}
		if end := FoldValue(s.End, c); len(end) < len(s.End) {
			end = bytes.Clone(end)
			end[len(end)-1]++ // behind all strings with that sort key
			folded[i].End, exact = end, false
		}
	}
	return NewSpans(folded...), exact
}

// declaredValues are the values of a document at the keypaths of declared indexes.
type declaredValues struct {
	buf   []byte
	found []declaredValue
}

type declaredValue struct {
	declaredSlot
	start, end int // in buf
}

func (v *declaredValues) reset() { v.buf, v.found = v.buf[:0], v.found[:0] }

// add takes the value at a keypath.
func (v *declaredValues) add(slots []declaredSlot, value []byte) {
	start := len(v.buf)
	v.buf = append(v.buf, value...)
	for _, s := range slots {
		v.found = append(v.found, declaredValue{s, start, len(v.buf)})
	}
}

// of is the value in a column of an index; a null if there is none.
func (v *declaredValues) of(at declaredSlot) []byte {
	for _, f := range v.found {
		if f.declaredSlot == at {
			return v.buf[f.start:f.end]
		}
	}
	return nullValue
}

var nullValue = ordered.AppendNull(nil)

// declaredKey marks the keys of declared indexes in an entrySet, which count for nothing.
const declaredKey = -1

// addDeclared adds the entries of the declared indexes to a set, or for entries whose keys
// are too long the Omitted keys.
func (m *Maintainer) addDeclared(set *entrySet, pk []byte) {
	for i, idx := range m.declared.list {
		set.value = set.value[:0]
		for column := range idx.columns {
			set.value = tuple.AppendBytes(set.value, set.declared.of(declaredSlot{i, column}))
		}
		start := len(set.buf)
		set.buf = m.keys.AppendDeclared(set.buf, idx.number, set.value, pk)
		if len(set.buf)-start > kv.MaxKeySize {
			set.buf = append(set.buf[:start], m.keys.Omitted(idx.number, pk)...)
		}
		set.entries = append(set.entries, entry{start: start, end: len(set.buf), keypath: declaredKey, declared: idx.number})
	}
}
