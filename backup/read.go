package backup

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// ErrOrder: a file does not go on from where the one before it ends.
var ErrOrder = errors.New("it does not go on from where the copy before it ends")

// taker takes the content of a file, in its order. Its arguments are valid during the call.
type taker interface {
	section(ranges []kv.Range) error
	pair(key, value []byte) error // of a key without the root
	document(collection int64, d tables.Copied) error
}

// nobody takes everything.
type nobody struct{}

func (nobody) section([]kv.Range) error            { return nil }
func (nobody) pair([]byte, []byte) error           { return nil }
func (nobody) document(int64, tables.Copied) error { return nil }

// Source is a file of a chain: a full copy, or a copy that goes on from an earlier one.
type Source struct {
	Name string
	// Open begins to read it. It is called once, after the file before has been closed.
	Open func() (io.ReadCloser, error)
}

// pairs walks the pairs of a frame.
type pairs struct {
	rest, key, value []byte
	err              error
}

// next moves to the next pair. The key is valid until the next call, and may be kept as the
// beginning of the one after.
func (p *pairs) next() bool {
	if p.err != nil || len(p.rest) == 0 {
		return false
	}
	var lengths [3]uint64
	for i := range lengths {
		n, used := binary.Uvarint(p.rest)
		if used <= 0 || n > maxPayload {
			p.err = fmt.Errorf("%w: a pair can't be read", ErrDamaged)
			return false
		}
		lengths[i], p.rest = n, p.rest[used:]
	}
	shared, more, value := int(lengths[0]), int(lengths[1]), int(lengths[2])
	if shared > len(p.key) || more+value > len(p.rest) {
		p.err = fmt.Errorf("%w: a pair can't be read", ErrDamaged)
		return false
	}
	p.key = append(p.key[:shared:cap(p.key)], p.rest[:more]...)
	p.value = p.rest[more : more+value]
	p.rest = p.rest[more+value:]
	return true
}

// nextDocument takes a document off a frame of documents.
func nextDocument(rest []byte) (collection int64, d tables.Copied, left []byte, err error) {
	collection, used := binary.Varint(rest)
	if used <= 0 {
		return 0, d, nil, fmt.Errorf("%w: a document can't be read", ErrDamaged)
	}
	rest = rest[used:]
	for _, part := range []*[]byte{&d.PK, &d.Meta, &d.Text} {
		n, used := binary.Uvarint(rest)
		if used <= 0 || n > uint64(len(rest)-used) {
			return 0, d, nil, fmt.Errorf("%w: a document can't be read", ErrDamaged)
		}
		rest = rest[used:]
		if *part = rest[:n:n]; n == 0 {
			*part = nil
		}
		rest = rest[n:]
	}
	return collection, d, rest, nil
}

// content gives the content of a whole file to a taker. It proves that keys rise in each section, that nothing is
// missing, and that the tail agrees with the header.
type content struct {
	ctx    context.Context
	f      *frameReader
	header Header
	p      *Progress
	to     taker

	last   []byte
	any    bool // in this section
	counts ends
	tail   int
	Position
}

func (c *content) read() error {
	for {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		kind, payload, err := c.f.next()
		if err != nil {
			return err
		}
		if c.tail > 0 && kind != kindEnd {
			return fmt.Errorf("%w: a frame of kind %q stands behind the tail", ErrDamaged, kind)
		}
		switch kind {
		case kindSection:
			err = c.section(payload)
		case kindPairs:
			err = c.pairs(payload)
		case kindChanges:
			err = c.changes(payload)
		case kindTail:
			c.tail = frameHead + len(payload) + frameFoot
			if json.Unmarshal(payload, &c.Position) != nil || c.Store != c.header.Store ||
				c.Incarnation != c.header.Incarnation || c.Version < c.header.Version {
				err = fmt.Errorf("%w: its tail is not that of its header", ErrDamaged)
			}
		case kindEnd:
			return c.end(payload)
		default:
			err = fmt.Errorf("%w: frame %d is of the unknown kind %q", ErrDamaged, c.f.number-1, kind)
		}
		if err != nil {
			return err
		}
	}
}

func (c *content) section(payload []byte) error {
	root := keyspace.Root().Start
	var ranges []kv.Range
	in := pairs{rest: payload}
	for in.next() {
		r := kv.Range{Start: append(bytes.Clone(root), in.key...), End: append(bytes.Clone(root), in.value...)}
		if bytes.Compare(r.Start, r.End) >= 0 || len(in.key) == 0 || keyspace.PlaceOf(r.Start) == keyspace.PlaceMeta {
			return fmt.Errorf("%w: a section clears from %x to %x", ErrDamaged, in.key, in.value)
		}
		ranges = append(ranges, r)
	}
	if in.err != nil {
		return in.err
	}
	c.any = false
	return c.to.section(ranges)
}

func (c *content) pairs(payload []byte) error {
	in := pairs{rest: payload}
	for in.next() {
		if c.any && bytes.Compare(in.key, c.last) <= 0 {
			return fmt.Errorf("%w: its keys don't rise", ErrDamaged)
		}
		c.any = true
		c.last = append(c.last[:0], in.key...)
		c.counts.pairs++
		c.count(len(in.key) + len(in.value))
		if err := c.to.pair(in.key, in.value); err != nil {
			return err
		}
	}
	return in.err
}

func (c *content) changes(payload []byte) error {
	for len(payload) > 0 {
		collection, d, rest, err := nextDocument(payload)
		if err != nil {
			return err
		}
		payload = rest
		c.counts.changes++
		c.count(len(d.PK) + len(d.Meta) + len(d.Text))
		if err := c.to.document(collection, d); err != nil {
			return err
		}
	}
	return nil
}

func (c *content) count(bytes int) {
	c.counts.bytes += uint64(bytes)
	c.p.Keys.Add(1)
	c.p.Bytes.Add(int64(bytes))
}

func (c *content) end(payload []byte) error {
	want := []uint64{c.counts.pairs, c.counts.bytes, c.counts.changes, uint64(c.tail)}
	if c.f.format == firstFormat {
		want = want[:2]
	} else if c.tail == 0 {
		return fmt.Errorf("%w: it has no tail", ErrDamaged)
	}
	if len(payload) != endPayload(c.f.format) {
		return fmt.Errorf("%w: its end has %d bytes", ErrDamaged, len(payload))
	}
	for i, n := range want {
		if binary.BigEndian.Uint64(payload[8*i:]) != n {
			return fmt.Errorf("%w: it holds %d pairs and %d documents of %d bytes, and should hold others", ErrDamaged,
				c.counts.pairs, c.counts.changes, c.counts.bytes)
		}
	}
	var more [1]byte
	if n, err := io.ReadFull(c.f.from, more[:]); n > 0 {
		return fmt.Errorf("%w: something stands behind its end", ErrDamaged)
	} else if !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// follows proves that a file goes on from where the one before ends; nil: it is the first.
func follows(h Header, before *Position) error {
	switch {
	case before == nil && h.Since != 0:
		return fmt.Errorf("%w: it goes on from version %d, and there is none before it; begin with a full copy", ErrOrder,
			h.Since)
	case before == nil:
		return nil
	case h.Since == 0:
		return fmt.Errorf("%w: it is a full copy", ErrOrder)
	case h.Store == "" || h.Store != before.Store || h.Incarnation != before.Incarnation:
		return fmt.Errorf("%w: it is of another store", ErrOrder)
	case h.Since != before.Version:
		return fmt.Errorf("%w: it goes on from version %d, and the one before it ends at %d", ErrOrder, h.Since,
			before.Version)
	}
	return nil
}

// chain reads files one after the other, each into the taker that open gives for it.
func chain(ctx context.Context, files []Source, p *Progress, open func(Header) (taker, error)) (h Header, end Position,
	err error) {
	one := func(file Source, before *Position) error {
		fail := func(err error) error {
			if file.Name != "" {
				err = fmt.Errorf("%s: %w", file.Name, err)
			}
			return err
		}
		in, err := file.Open()
		if err != nil {
			return err
		}
		defer in.Close()
		f, header, err := newFrameReader(&reading{in, &p.File})
		if err == nil {
			h = header
			err = follows(h, before)
		}
		if err != nil {
			return fail(err)
		}
		to, err := open(h)
		if err != nil {
			return err
		}
		c := content{ctx: ctx, f: f, header: h, p: p, to: to}
		if err := c.read(); err != nil {
			return fail(err)
		}
		end = c.Position
		return nil
	}
	var before *Position
	for _, file := range files {
		if err := one(file, before); err != nil {
			return h, end, err
		}
		last := end
		before = &last
	}
	return h, end, nil
}

// reading counts the bytes that are read.
type reading struct {
	io.Reader
	n *atomic.Int64
}

// Read implements io.Reader.
func (r *reading) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	r.n.Add(int64(n))
	return n, err
}

// ReadHeader reads the header of a file.
func ReadHeader(r io.ReaderAt) (Header, error) {
	_, h, err := newFrameReader(io.NewSectionReader(r, 0, 1<<20))
	if err != nil {
		return h, fmt.Errorf("backup: %w", err)
	}
	return h, nil
}

// Verify reads a chain of whole files, and proves that each is complete and undamaged, and goes on from where the one
// before it ends. The header is the last file's, the position the end's.
func Verify(ctx context.Context, files []Source, p *Progress) (Header, Position, error) {
	h, end, err := chain(ctx, files, p, func(Header) (taker, error) { return nobody{}, nil })
	if err != nil {
		return h, end, fmt.Errorf("backup: %w", err)
	}
	return h, end, nil
}
