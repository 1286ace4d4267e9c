package changes

import (
	"errors"
	"fmt"
	"math"

	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
)

// MaxInTransaction is how many documents a transaction may change: it numbers its
// changes with 16 bits.
const MaxInTransaction = math.MaxUint16 + 1

// ErrTooManyChanges: a transaction changes more than MaxInTransaction documents.
var ErrTooManyChanges = errors.New("transaction changes more than 65,536 documents")

// Change is one row of the feed. PK belongs to the receiver.
type Change struct {
	Sequence Sequence
	PK       []byte
	Rev      Rev
	Branches int64 // edit branches; always 1 so far
	Deleted  bool
}

// changeFormat is the version of a change's value.
const changeFormat = 1

// Writer is the transaction that a change is written to: it can take back a versionstamped
// key that it has not committed yet.
type Writer interface {
	kv.Writer
	ClearVersionstampedKey(template []byte)
}

// Orders numbers the changes of one transaction. The zero value is ready; it is
// not safe for concurrent use.
type Orders struct {
	next uint32
}

func (o *Orders) take() (uint16, error) {
	if o.next > math.MaxUint16 {
		return 0, ErrTooManyChanges
	}
	o.next++
	return uint16(o.next - 1), nil
}

// last returns the order of a pending change, if it is the newest order in use: the change
// that replaces it may have the same place.
func (o *Orders) last(prev Meta) (uint16, bool) {
	user := prev.Sequence.Stamp().User
	return user, prev.Rev.Position > 0 && prev.Sequence.Pending() && uint32(user)+1 == o.next
}

// Log is the feed of one collection.
type Log struct {
	Keys        *keyspace.Collection
	Incarnation byte
}

// Append records that the document pk has become text (nil: was deleted), where prev is its
// meta so far (the zero Meta when it never was). The former change is removed from the
// feed, even a pending one of this transaction, and the new one stands at the commit's
// place. Readers who wait for changes are woken. It reads nothing.
func (l Log) Append(w Writer, o *Orders, pk []byte, prev Meta, text []byte) error {
	user, again := o.last(prev)
	if !again {
		var err error
		if user, err = o.take(); err != nil {
			return fmt.Errorf("changes: append: %w", err)
		}
	}
	if prev.Rev.Position > 0 && !again {
		if prev.Sequence.Pending() {
			template, _ := l.Keys.ChangeTemplate(prev.Sequence.Incarnation(), prev.Sequence.Stamp().User)
			w.ClearVersionstampedKey(template)
		} else {
			w.Clear(l.Keys.Change(prev.Sequence.Incarnation(), prev.Sequence.Stamp()))
		}
	}
	next := Meta{Rev: prev.Rev.Next(text), Deleted: text == nil,
		Sequence: NewSequence(l.Incarnation, tuple.Incomplete(user))}
	w.SetVersionstampedValue(l.Keys.Meta(pk), appendMeta(make([]byte, 0, metaSize), next), metaStampOffset)
	template, offset := l.Keys.ChangeTemplate(l.Incarnation, user)
	w.SetVersionstampedKey(template, offset, appendChange(nil, pk, next))
	w.SetVersionstampedValue(l.Keys.Newest(), noStamp[:], 0)
	return nil
}

// Replace is Append of a change that another store has given its place in the feed, next.Sequence, and its revision.
func (l Log) Replace(w kv.Writer, pk []byte, prev, next Meta) {
	if prev.Rev.Position > 0 {
		w.Clear(l.Keys.Change(prev.Sequence.Incarnation(), prev.Sequence.Stamp()))
	}
	w.Set(l.Keys.Meta(pk), appendMeta(make([]byte, 0, metaSize), next))
	w.Set(l.Keys.Change(next.Sequence.Incarnation(), next.Sequence.Stamp()), appendChange(nil, pk, next))
}

// noStamp is the placeholder that the commit's versionstamp replaces.
var noStamp [kv.VersionstampSize]byte

func appendChange(dst, pk []byte, m Meta) []byte {
	dst = tuple.AppendInt(dst, changeFormat)
	dst = tuple.AppendBytes(dst, pk)
	dst = tuple.AppendInt(dst, int64(m.Rev.Position))
	dst = tuple.AppendBytes(dst, m.Rev.Hash[:])
	dst = tuple.AppendInt(dst, 1)
	return tuple.AppendBool(dst, !m.Deleted)
}

func decodeChange(b []byte) (c Change, err error) {
	fail := func(err error) (Change, error) {
		return Change{}, fmt.Errorf("changes: change %x: %w: %w", b, ErrFormat, err)
	}
	rest, format, err := tuple.DecodeInt(b)
	if err != nil {
		return fail(err)
	}
	if format != changeFormat {
		return fail(fmt.Errorf("format %d", format))
	}
	rest, pk, err := tuple.DecodeBytes(rest)
	if err != nil {
		return fail(err)
	}
	c.PK = append([]byte(nil), pk...)
	rest, position, err := tuple.DecodeInt(rest)
	if err != nil {
		return fail(err)
	}
	c.Rev.Position = uint64(position)
	rest, hash, err := tuple.DecodeBytes(rest)
	if err != nil {
		return fail(err)
	}
	if len(hash) != HashSize {
		return fail(fmt.Errorf("a hash of %d bytes", len(hash)))
	}
	copy(c.Rev.Hash[:], hash)
	if rest, c.Branches, err = tuple.DecodeInt(rest); err != nil {
		return fail(err)
	}
	_, alive, err := tuple.DecodeBool(rest)
	if err != nil {
		return fail(err)
	}
	c.Deleted = !alive
	return c, nil
}

// Bounds are the ends of a read of the feed.
type Bounds struct {
	After *Sequence // only changes after it; nil: from the first
	Upto  *Sequence // only changes up to and with it; nil: to the last
}

// ReadOptions are the settings of Read.
type ReadOptions struct {
	Bounds
	Reverse bool
	Limit   int // at most this many changes; 0 means no limit
}

// Iterator walks changes in commit order. It must be closed.
type Iterator struct {
	log Log
	it  kv.Iterator
	cur Change
	err error
}

// Span is the range of the keys of the feed within bounds; it may be empty or inverted.
func (l Log) Span(b Bounds) kv.Range {
	all := l.Keys.Changes()
	if b.After != nil {
		k := l.Keys.Change(b.After.Incarnation(), b.After.Stamp())
		all.Start = append(k, 0)
	}
	if b.Upto != nil {
		k := l.Keys.Change(b.Upto.Incarnation(), b.Upto.Stamp())
		all.End = append(k, 0)
	}
	return all
}

// Read walks the committed changes that the reader sees. Give it a snapshot
// reader: a reader at the feed's end must not conflict with every writer.
func (l Log) Read(r kv.Reader, opts ReadOptions) *Iterator {
	all := l.Span(opts.Bounds)
	i := &Iterator{log: l}
	if string(all.Start) >= string(all.End) {
		return i
	}
	i.it = r.Range(all, kv.RangeOptions{Reverse: opts.Reverse, Limit: opts.Limit})
	return i
}

// Next moves to the next change.
func (i *Iterator) Next() bool {
	if i.it == nil || i.err != nil || !i.it.Next() {
		return false
	}
	if i.cur, i.err = i.log.Decode(kv.KeyValue{Key: i.it.Key(), Value: i.it.Value()}); i.err != nil {
		return false
	}
	return true
}

// Decode reads a pair of the feed.
func (l Log) Decode(pair kv.KeyValue) (Change, error) {
	c, err := decodeChange(pair.Value)
	if err != nil {
		return c, err
	}
	inc, stamp, err := l.Keys.SplitChange(pair.Key)
	c.Sequence = NewSequence(inc, stamp)
	return c, err
}

// Change is the current change.
func (i *Iterator) Change() Change { return i.cur }

// Err is the failure that ended the walk, if one did.
func (i *Iterator) Err() error {
	if i.err != nil || i.it == nil {
		return i.err
	}
	if err := i.it.Err(); err != nil {
		return fmt.Errorf("changes: read: %w", err)
	}
	return nil
}

// Close ends the walk.
func (i *Iterator) Close() {
	if i.it != nil {
		i.it.Close()
	}
}

// Last is the newest sequence that the reader sees; ok is false for an empty feed.
func (l Log) Last(r kv.Reader) (s Sequence, ok bool, err error) {
	it := l.Read(r, ReadOptions{Reverse: true, Limit: 1})
	defer it.Close()
	if it.Next() {
		return it.Change().Sequence, true, nil
	}
	return s, false, it.Err()
}
