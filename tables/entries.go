package tables

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/longread"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
)

// ErrRebuilding: the index does not have the entries of all documents yet.
var ErrRebuilding = errors.New("the index is being rebuilt")

// Entries walks the entries of a keypath whose values lie within spans, and reads no
// documents. It walks one field version after the other, in each in the order of values and
// then of primary keys. It must be closed; it is not safe for concurrent use.
//
// A document has several entries at a keypath through an array, and one at any other.
type Entries struct {
	c        *Collection
	r        kv.Reader
	keypath  int64
	versions []indexes.VersionSpans // still to be walked
	opts     ScanOptions
	cursor   *indexes.Cursor
	value    []byte
	begun    bool // an entry of the cursor's has been met
	same     bool
	long     *longread.Tx // nil: r reads at one version
	epoch    int64        // when the current entry was read
	work     Work
	err      error
}

// Entries starts to walk. It fails with ErrRebuilding where Rebuilding reports it.
func (c *Collection) Entries(r kv.Reader, keypath int64, versions []indexes.VersionSpans, opts ScanOptions) *Entries {
	e := &Entries{c: c, r: r, keypath: keypath, versions: versions, opts: opts, long: longread.Of(r)}
	if c.Rebuilding() {
		e.err = fmt.Errorf("tables: read entries: %w", ErrRebuilding)
		return e
	}
	e.open()
	return e
}

// EntriesWithin starts to walk the entries of one field version within spans that may bound the primary keys, as
// Entries does.
func (c *Collection) EntriesWithin(r kv.Reader, keypath, version int64, spans []OrderedSpan,
	opts ScanOptions) *Entries {
	e := c.Entries(r, keypath, nil, opts)
	if e.err == nil {
		e.cursor = indexes.NewRangeCursor(r, c.keys, c.orderedRanges(keypath, version, spans),
			indexes.CursorOptions{Reverse: opts.Reverse, Streaming: opts.Streaming})
	}
	return e
}

// open begins with the next field version, if there is one.
func (e *Entries) open() bool {
	e.end()
	if len(e.versions) == 0 {
		return false
	}
	v := e.versions[0]
	e.versions, e.begun = e.versions[1:], false
	e.cursor = indexes.NewCursor(e.r, e.c.keys, e.keypath, v.Version, v.Spans,
		indexes.CursorOptions{Reverse: e.opts.Reverse, Streaming: e.opts.Streaming})
	return true
}

// Next moves to the next entry.
func (e *Entries) Next() bool { return e.step((*indexes.Cursor).Next) }

// NextValue moves to the first entry of the next value. It seeks where the entries
// of one value are many.
func (e *Entries) NextValue() bool {
	if !e.begun {
		return e.Next()
	}
	return e.step((*indexes.Cursor).NextValue)
}

func (e *Entries) step(move func(*indexes.Cursor) bool) bool {
	if e.err != nil || e.cursor == nil {
		return false
	}
	for !move(e.cursor) {
		if e.err = e.cursor.Err(); e.err != nil || !e.open() {
			e.end()
			return false
		}
		move = (*indexes.Cursor).Next
	}
	e.begun, e.epoch = true, e.long.Epoch()
	if e.value, e.same, e.err = e.cursor.Value(); e.err != nil {
		e.end()
		return false
	}
	return true
}

// Document reads the document of the current entry. ok is false for one that does not have
// that entry any more at a newer version.
func (e *Entries) Document() (d document.Document, ok bool, err error) {
	pk, err := e.PK()
	if err != nil {
		return d, false, err
	}
	return e.c.GetNamed(e.r, e.epoch, bytes.Clone(pk), e.cursor.Key())
}

// Value is the current entry's encoded value (package ordered), valid until the walk
// reaches another value.
func (e *Entries) Value() []byte { return e.value }

// Same reports whether the value is the same as the entry's before.
func (e *Entries) Same() bool { return e.same }

// PK is the primary key of the current entry's document, valid until Next.
func (e *Entries) PK() ([]byte, error) {
	pk, _, err := e.cursor.Behind()
	return pk, err
}

// AppendPositions appends where in the arrays on the way the current entry's value
// stands, counted from 1. There are none without arrays.
func (e *Entries) AppendPositions(dst []int64) ([]int64, error) {
	_, rest, err := e.cursor.Behind()
	for err == nil && len(rest) > 0 {
		var n int64
		if rest, n, err = tuple.DecodeInt(rest); err == nil {
			dst = append(dst, n)
		}
	}
	return dst, err
}

// Err is the failure that ended the walk, if one did.
func (e *Entries) Err() error { return e.err }

// Read is the work of the reads so far.
func (e *Entries) Read() Work {
	w := e.work
	if e.cursor != nil {
		w.Entries += e.cursor.Visited()
	}
	return w
}

// Close ends the walk.
func (e *Entries) Close() {
	e.end()
	e.versions = nil
}

func (e *Entries) end() {
	if e.cursor != nil {
		e.work.Entries += e.cursor.Visited()
		e.cursor.Close()
		e.cursor = nil
	}
}
