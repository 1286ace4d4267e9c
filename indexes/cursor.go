package indexes

import (
	"fmt"
	"slices"

	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
)

// CursorOptions are the settings of a Cursor.
type CursorOptions struct {
	Reverse   bool // from the greatest value down, and within a value from the greatest primary key
	Streaming kv.Streaming
}

// Cursor walks the entries of one keypath that lie in a set of spans, in the
// order of values and then of primary keys. It must be closed.
type Cursor struct {
	from    kv.Reader
	keys    *keyspace.Collection
	ranges  []kv.Range // still to be walked
	at      kv.Range   // what it walks
	opts    CursorOptions
	it      kv.Iterator
	err     error
	visited int64
	head    []byte // of the entry whose value was asked for last
	value   []byte
}

// NewCursor starts reading the entries of a keypath in one field version.
func NewCursor(from kv.Reader, keys *keyspace.Collection, keypath, fieldVersion int64, spans Spans, opts CursorOptions) *Cursor {
	ranges := make([]kv.Range, len(spans))
	for i, s := range spans {
		ranges[i] = keys.EntrySpan(keypath, fieldVersion, s.Start, s.End)
	}
	return NewRangeCursor(from, keys, ranges, opts)
}

// NewRangeCursor starts reading the entries in ranges of keys, which are sorted and
// don't overlap.
func NewRangeCursor(from kv.Reader, keys *keyspace.Collection, ranges []kv.Range, opts CursorOptions) *Cursor {
	c := &Cursor{from: from, keys: keys, opts: opts, ranges: ranges}
	if opts.Reverse {
		c.ranges = slices.Clone(ranges)
		slices.Reverse(c.ranges)
	}
	c.open()
	return c
}

// open starts the next range, if there is one.
func (c *Cursor) open() bool {
	if len(c.ranges) == 0 {
		return false
	}
	c.at, c.ranges = c.ranges[0], c.ranges[1:]
	c.read()
	return true
}

func (c *Cursor) read() {
	c.it = c.from.Range(c.at, kv.RangeOptions{Reverse: c.opts.Reverse, Streaming: c.opts.Streaming})
}

// Next moves to the next entry.
func (c *Cursor) Next() bool {
	for c.err == nil && c.it != nil {
		if c.it.Next() {
			c.visited++
			return true
		}
		c.err = c.it.Err()
		c.it.Close()
		c.it = nil
		if c.err == nil {
			c.open()
		}
	}
	return false
}

// Value is the encoded value of the current entry, valid until Value finds another
// one. same tells that it is the one that Value gave the last time, for an entry before.
func (c *Cursor) Value() (value []byte, same bool, err error) {
	k := c.it.Key()
	if len(c.head) > 0 && keyspace.SharesHead(k, c.head) {
		return c.value, true, nil
	}
	head, value, err := c.keys.EntryHead(k)
	if err != nil {
		return nil, false, err
	}
	c.head = append(c.head[:0], head...)
	c.value = append(c.value[:0], value...)
	return c.value, false, nil
}

// Behind is the current entry's primary key and its positions, as PK and Entry
// give them, for a caller who has asked for its value; valid until Next.
func (c *Cursor) Behind() (pk, positions []byte, err error) {
	return c.keys.SplitBehindHead(c.it.Key(), len(c.head))
}

// stepsBeforeSeek is how many entries of one value are stepped over before the
// next value is looked for: about what that costs.
const stepsBeforeSeek = 24

// NextValue moves to the first entry whose value is not the one that Value gave
// last.
func (c *Cursor) NextValue() bool {
	for range stepsBeforeSeek {
		if !c.Next() {
			return false
		}
		if !keyspace.SharesHead(c.it.Key(), c.head) {
			return true
		}
	}
	c.it.Close()
	if c.opts.Reverse {
		c.at.End = append([]byte(nil), c.head...)
	} else {
		c.at.Start = keyspace.BehindHead(c.head)
	}
	c.read()
	return c.Next()
}

// PK is the primary key of the current entry's document, valid until Next.
func (c *Cursor) PK() ([]byte, error) { return c.keys.SplitEntryPK(c.it.Key()) }

// Entry decodes the current entry, valid until Next.
func (c *Cursor) Entry() (keyspace.Entry, error) { return c.keys.SplitEntry(c.it.Key()) }

// Visited is the number of entries read so far.
func (c *Cursor) Visited() int64 { return c.visited }

// Err is the failure that ended the walk, if one did.
func (c *Cursor) Err() error {
	if c.err != nil {
		return fmt.Errorf("indexes: read entries: %w", c.err)
	}
	return nil
}

// Close ends the walk.
func (c *Cursor) Close() {
	if c.it != nil {
		c.it.Close()
		c.it = nil
	}
}
