package indexes

import (
	"fmt"

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
	opts    CursorOptions
	it      kv.Iterator
	err     error
	visited int64
}

// NewCursor starts reading the entries of a keypath in one field version.
func NewCursor(from kv.Reader, keys *keyspace.Collection, keypath, fieldVersion int64, spans Spans, opts CursorOptions) *Cursor {
	c := &Cursor{from: from, keys: keys, opts: opts}
	for i := range spans {
		s := spans[i]
		if opts.Reverse {
			s = spans[len(spans)-1-i]
		}
		c.ranges = append(c.ranges, keys.EntrySpan(keypath, fieldVersion, s.Start, s.End))
	}
	c.open()
	return c
}

// open starts the next range, if there is one.
func (c *Cursor) open() bool {
	if len(c.ranges) == 0 {
		return false
	}
	c.it = c.from.Range(c.ranges[0], kv.RangeOptions{Reverse: c.opts.Reverse, Streaming: c.opts.Streaming})
	c.ranges = c.ranges[1:]
	return true
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
