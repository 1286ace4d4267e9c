package indexes

import (
	"fmt"
	"slices"

	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/ahead"
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
	at      kv.Range   // the range that it walks
	opts    CursorOptions
	it      kv.Iterator
	err     error
	visited int64
	head    []byte // of the entry whose value was read last
	value   []byte
	columns int // of the declared index that is walked; 0: a keypath's entries are
	started int // how many of the first of ranges are being read already
}

// DeclaredRange is the entries of a declared index whose first columns have the packed
// elements in Prefix, and whose next column's value lies in the span.
type DeclaredRange struct {
	Prefix []byte
	Span
}

// NewDeclaredCursor starts reading entries of the declared index of that number, which
// has so many columns. The ranges are sorted and don't overlap. An entry's value is then the
// packed elements of its columns.
func NewDeclaredCursor(from kv.Reader, keys *keyspace.Collection, number int64, columns int, ranges []DeclaredRange,
	opts CursorOptions) *Cursor {
	c := &Cursor{from: from, keys: keys, opts: opts, columns: columns}
	for _, r := range ranges {
		c.ranges = append(c.ranges, keys.DeclaredSpan(number, r.Prefix, r.Start, r.End))
	}
	if opts.Reverse {
		slices.Reverse(c.ranges)
	}
	c.open()
	return c
}

// NewCursor starts reading the entries of a keypath in one field version.
func NewCursor(from kv.Reader, keys *keyspace.Collection, keypath, fieldVersion int64, spans Spans,
	opts CursorOptions) *Cursor {
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
	if c.started == 0 {
		c.started = StartRanges(c.from, c.ranges, c.reading())
	}
	c.at, c.ranges = c.ranges[0], c.ranges[1:]
	c.started--
	c.read()
	return true
}

func (c *Cursor) reading() kv.RangeOptions {
	return kv.RangeOptions{Reverse: c.opts.Reverse, Streaming: c.opts.Streaming}
}

func (c *Cursor) read() { c.it = c.from.Range(c.at, c.reading()) }

// rangesAtOnce is how many ranges are read at the same time.
const rangesAtOnce = 32

// StartRanges begins to read the first of several ranges that are read one after the other, and returns
// how many.
func StartRanges(from kv.Reader, ranges []kv.Range, opts kv.RangeOptions) int {
	if len(ranges) == 1 {
		return 1
	}
	n := min(len(ranges), rangesAtOnce)
	if at := ahead.Of(from); at.Starts() {
		for _, r := range ranges[:n] {
			at.StartRange(r, opts)
		}
	}
	return n
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
// one. same reports that it is the one that Value gave the last time, for an entry before.
func (c *Cursor) Value() (value []byte, same bool, err error) {
	k := c.it.Key()
	if len(c.head) > 0 && keyspace.SharesHead(k, c.head) {
		return c.value, true, nil
	}
	head, value, err := c.split(k)
	if err != nil {
		return nil, false, err
	}
	c.head = append(c.head[:0], head...)
	c.value = append(c.value[:0], value...)
	return c.value, false, nil
}

// split cuts an entry's key behind its value.
func (c *Cursor) split(k []byte) (head, value []byte, err error) {
	if c.columns == 0 {
		return c.keys.EntryHead(k)
	}
	value, pk, err := c.keys.SplitDeclared(k, c.columns)
	return k[:len(k)-len(pk)], value, err
}

// Behind is the current entry's primary key and its positions, as PK and Entry give them,
// for a caller that has read its value; valid until Next.
func (c *Cursor) Behind() (pk, positions []byte, err error) {
	return c.keys.SplitAfterHead(c.it.Key(), len(c.head))
}

// stepsBeforeSeek is how many entries of one value are stepped over before the cursor seeks
// the next value, which costs about as much.
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
		c.at.Start = keyspace.AfterHead(c.head)
	}
	c.read()
	return c.Next()
}

// Key is the current entry's key, valid until Next.
func (c *Cursor) Key() []byte { return c.it.Key() }

// PK is the primary key of the current entry's document, valid until Next.
func (c *Cursor) PK() ([]byte, error) {
	if c.columns > 0 {
		_, pk, err := c.keys.SplitDeclared(c.it.Key(), c.columns)
		return pk, err
	}
	return c.keys.SplitEntryPK(c.it.Key())
}

// Entry decodes the current entry of a keypath, valid until Next.
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
