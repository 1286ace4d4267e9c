package backup

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// Progress is the progress of a copy. It may be read while it runs.
type Progress struct {
	Keys  atomic.Int64 // and documents of changes
	Bytes atomic.Int64 // of keys and values
	File  atomic.Int64 // of the file
}

// Options are the settings of a copy; the zero value reads the whole store at one version.
type Options struct {
	// Step is how long one version is read at, for stores whose transactions have a short life: at
	// most half of it. The copy is of one state all the same. 0 reads everything at one version.
	Step time.Duration
	// Rate bounds the bytes that are written in a second; 0 is no bound.
	Rate int64
	// Since, unless it is nil, is the position of the copy that this one goes on from: the changes since then are
	// written.
	Since *Position
	// Open opens the collection of a table. It is needed for Since, and for Step while the store is written to: without
	// it such a copy fails with ErrWritten.
	Open func(def *catalog.Table) (*tables.Collection, error)
}

// Write copies the store as it is at one version. It writes to w in order, and needs memory
// for a frame; if it fails, the written part is no backup. The header's Made and Program
// are the caller's.
func Write(ctx context.Context, store kv.Store, w io.Writer, h Header, p *Progress, opts Options) (Header, error) {
	to := &writer{to: &counting{Writer: w, n: &p.File, ctx: ctx, rate: opts.Rate, began: time.Now()}, p: p, header: &h}
	var err error
	if opts.Open != nil && (opts.Since != nil || opts.Step > 0) {
		err = (&live{ctx: ctx, store: store, to: to, opts: opts}).write()
	} else {
		err = write(ctx, store, to, opts)
	}
	if err != nil {
		return h, fmt.Errorf("backup: %w", err)
	}
	return h, nil
}

// write copies all keys.
func write(ctx context.Context, store kv.Store, w *writer, opts Options) error {
	all := keyspace.Root()
	it, err := newSteady(ctx, store, all, opts.Step)
	if err != nil {
		return err
	}
	defer it.close()
	r := it.tx.Snapshot()
	position, _, err := survey(r, true)
	if err != nil {
		return err
	}
	if position.Version, err = it.tx.ReadVersion(); err != nil {
		return err
	}
	position.At = time.Now().UTC()
	if err := w.begin(r, position); err != nil {
		return err
	}
	for n := 0; it.Next(); n++ {
		if n%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := w.pair(it.it.Key(), it.it.Value()); err != nil {
			return err
		}
	}
	if it.err != nil {
		return it.err
	}
	return w.end(position)
}

// writer writes a file's frames.
type writer struct {
	to     io.Writer
	p      *Progress
	header *Header

	f      *frameWriter
	kind   byte   // of the frame that is being filled; 0 for none
	before []byte // the key before, in this frame
	counts ends
}

// ends are the counts in the last frame.
type ends struct{ pairs, bytes, changes uint64 }

// begin writes the header.
func (w *writer) begin(r kv.Reader, p Position) (err error) {
	id, err := catalog.Identify(r)
	if err != nil {
		return err
	}
	w.header.StoreFormat, w.header.Incarnation = id.Format, id.Incarnation
	w.header.Store, w.header.Version = p.Store, p.Version
	w.f, err = newFrameWriter(w.to, *w.header)
	return err
}

// fill makes the frame that is being filled one of a kind.
func (w *writer) fill(kind byte) error {
	if w.kind == kind && w.f.size() < framePairs {
		return nil
	}
	err := w.flush()
	w.kind = kind
	return err
}

// flush ends the frame that is being filled.
func (w *writer) flush() error {
	w.before = w.before[:0]
	if w.kind == 0 || w.f.size() == 0 && w.kind != kindSection {
		return nil
	}
	kind := w.kind
	w.kind = 0
	return w.f.end(kind)
}

// section begins a section: the ranges are cleared before the section's content is written.
func (w *writer) section(ranges []kv.Range) error {
	if err := w.flush(); err != nil {
		return err
	}
	root := len(keyspace.Root().Start)
	w.kind = kindSection
	for _, r := range ranges {
		w.f.buf = appendPair(w.f.buf, nil, r.Start[root:], r.End[root:])
	}
	return w.flush()
}

// pair writes a key of the store.
func (w *writer) pair(key, value []byte) error {
	if err := w.fill(kindPairs); err != nil {
		return err
	}
	key = key[len(keyspace.Root().Start):]
	w.f.buf = appendPair(w.f.buf, w.before, key, value)
	w.before = append(w.before[:0], key...)
	w.counts.pairs++
	w.count(len(key) + len(value))
	return nil
}

// document writes a document of a collection.
func (w *writer) document(collection int64, d tables.Copied) error {
	if err := w.fill(kindChanges); err != nil {
		return err
	}
	b := binary.AppendVarint(w.f.buf, collection)
	for _, part := range [][]byte{d.PK, d.Meta, d.Text} {
		b = append(binary.AppendUvarint(b, uint64(len(part))), part...)
	}
	w.f.buf = b
	w.counts.changes++
	w.count(len(d.PK) + len(d.Meta) + len(d.Text))
	return nil
}

func (w *writer) count(bytes int) {
	w.counts.bytes += uint64(bytes)
	w.p.Keys.Add(1)
	w.p.Bytes.Add(int64(bytes))
}

// end writes the tail and the end.
func (w *writer) end(p Position) error {
	if err := w.flush(); err != nil {
		return err
	}
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	if len(text) > maxPayload/2 {
		return errors.New("there are too many tables")
	}
	w.f.buf = append(w.f.buf, text...)
	length := frameHead + len(text) + frameFoot
	if err := w.f.end(kindTail); err != nil {
		return err
	}
	for _, n := range []uint64{w.counts.pairs, w.counts.bytes, w.counts.changes, uint64(length)} {
		w.f.buf = binary.BigEndian.AppendUint64(w.f.buf, n)
	}
	return w.f.end(kindEnd)
}

// appendPair appends a pair that stands behind the key before.
func appendPair(dst, before, key, value []byte) []byte {
	shared := 0
	for shared < len(before) && shared < len(key) && before[shared] == key[shared] {
		shared++
	}
	dst = binary.AppendUvarint(dst, uint64(shared))
	dst = binary.AppendUvarint(dst, uint64(len(key)-shared))
	dst = binary.AppendUvarint(dst, uint64(len(value)))
	return append(append(dst, key[shared:]...), value...)
}

// counting counts the bytes that are written, and bounds their rate.
type counting struct {
	io.Writer
	n     *atomic.Int64
	ctx   context.Context
	rate  int64
	began time.Time
	all   int64
}

// due is how long so many bytes take at a rate; a century where it is longer.
func due(all, rate int64) time.Duration {
	const century = 100 * 365 * 24 * time.Hour
	return time.Duration(min(float64(all)/float64(rate)*float64(time.Second), float64(century)))
}

// Write implements io.Writer.
func (c *counting) Write(b []byte) (int, error) {
	n, err := c.Writer.Write(b)
	c.n.Add(int64(n))
	if c.all += int64(n); err != nil || c.rate <= 0 {
		return n, err
	}
	timer := time.NewTimer(due(c.all, c.rate) - time.Since(c.began))
	defer timer.Stop()
	select {
	case <-timer.C:
		return n, nil
	case <-c.ctx.Done():
		return n, c.ctx.Err()
	}
}
