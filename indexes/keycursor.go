package indexes

import (
	"bytes"
	"fmt"

	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
)

// Value is one encoded value at a keypath in one field version. Its entries are in the
// order of primary keys.
type Value struct {
	Keypath, Version int64
	Value            []byte
}

// KeyCursor walks the primary keys of the documents that have an entry of one of
// several values, in the order of keys, each once. It must be closed.
type KeyCursor struct {
	from    kv.Reader
	keys    *keyspace.Collection
	walks   []keyWalk
	pk      []byte
	visited int64
	err     error
}

// keyWalk is the walk over the entries of one value.
type keyWalk struct {
	Value
	it kv.Iterator // nil: not opened, or over
	pk []byte      // of the entry that it stands on, valid until it moves
	// ended: there are no more entries.
	ended bool
}

// NewKeyCursor starts before the first key. Nothing is read yet.
func NewKeyCursor(from kv.Reader, keys *keyspace.Collection, values []Value) *KeyCursor {
	c := &KeyCursor{from: from, keys: keys}
	for _, v := range values {
		c.walks = append(c.walks, keyWalk{Value: v})
	}
	return c
}

// stepsBeforeKeySeek is how many entries are stepped over before the cursor seeks a key,
// which costs about as much.
const stepsBeforeKeySeek = 32

// Next moves to the next key.
func (c *KeyCursor) Next() bool {
	return c.move(func(pk []byte) bool { return c.pk != nil && bytes.Compare(pk, c.pk) <= 0 })
}

// Seek moves to the first key that is not less than pk, and never back.
func (c *KeyCursor) Seek(pk []byte) bool {
	for i := range c.walks {
		if w := &c.walks[i]; c.err == nil && !w.ended && w.it == nil {
			c.open(w, pk)
		}
	}
	return c.move(func(at []byte) bool { return bytes.Compare(at, pk) < 0 }, pk)
}

// move advances each walk past the entries that are behind, and stands on the least key.
// Where there is a key to look for, a walk with a wide gap before it is opened again there.
func (c *KeyCursor) move(behind func(pk []byte) bool, target ...[]byte) bool {
	least := -1
	for i := range c.walks {
		w := &c.walks[i]
		if !w.ended && w.it == nil && c.err == nil {
			c.open(w, nil)
		}
		for steps := 0; c.err == nil && !w.ended && (w.pk == nil || behind(w.pk)); steps++ {
			if steps == stepsBeforeKeySeek && len(target) > 0 {
				w.it.Close()
				c.open(w, target[0])
			}
			c.step(w)
		}
		if c.err != nil {
			return false
		}
		if !w.ended && (least < 0 || bytes.Compare(w.pk, c.walks[least].pk) < 0) {
			least = i
		}
	}
	if least < 0 {
		return false
	}
	c.pk = append(c.pk[:0], c.walks[least].pk...)
	return true
}

// open begins the walk at a key, or for nil at the first.
func (c *KeyCursor) open(w *keyWalk, pk []byte) {
	point := Point(w.Value.Value)[0]
	r := c.keys.EntrySpan(w.Keypath, w.Version, point.Start, point.End)
	if pk != nil {
		r.Start = c.keys.AppendEntry(nil, w.Keypath, w.Version, w.Value.Value, pk, nil)
	}
	w.it, w.pk = c.from.Range(r, kv.RangeOptions{}), nil
}

// step moves a walk to its next entry.
func (c *KeyCursor) step(w *keyWalk) {
	if w.it.Next() {
		c.visited++
		w.pk, c.err = c.keys.SplitEntryPK(w.it.Key())
		return
	}
	c.err = w.it.Err()
	w.it.Close()
	w.it, w.ended = nil, true
}

// Again is a cursor over the same keys, before the first.
func (c *KeyCursor) Again() *KeyCursor {
	values := make([]Value, len(c.walks))
	for i := range c.walks {
		values[i] = c.walks[i].Value
	}
	return NewKeyCursor(c.from, c.keys, values)
}

// PK is the current primary key, valid until Next or Seek; nil before the first.
func (c *KeyCursor) PK() []byte { return c.pk }

// Visited is the number of entries read so far.
func (c *KeyCursor) Visited() int64 { return c.visited }

// Err is the failure that ended the walk, if one did.
func (c *KeyCursor) Err() error {
	if c.err != nil {
		return fmt.Errorf("indexes: read entries: %w", c.err)
	}
	return nil
}

// Close ends the walk.
func (c *KeyCursor) Close() {
	for i := range c.walks {
		if w := &c.walks[i]; w.it != nil {
			w.it.Close()
			w.it, w.ended = nil, true
		}
	}
}
