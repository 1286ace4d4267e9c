package backup

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
)

// Progress is how far a copy has come. It may be read while it runs.
type Progress struct {
	Keys  atomic.Int64
	Bytes atomic.Int64 // of keys and values
	File  atomic.Int64 // of the file
}

// Options are how a store is read; the zero value reads it at one version.
type Options struct {
	// Step is how long one version is read at, for stores whose transactions have a short life: at
	// most half of it. The copy is of one state all the same, or fails with ErrWritten. 0 reads everything
	// at one version.
	Step time.Duration
}

// Write copies the store as it is at one version. It writes to w in order, and needs
// memory for a frame; what has been written when it fails is no backup. The header's
// Made and Program are the caller's.
func Write(ctx context.Context, store kv.Store, w io.Writer, h Header, p *Progress, opts Options) (Header, error) {
	if err := write(ctx, store, &counting{w, &p.File}, &h, p, opts); err != nil {
		return h, fmt.Errorf("backup: %w", err)
	}
	return h, nil
}

func write(ctx context.Context, store kv.Store, w io.Writer, h *Header, p *Progress, opts Options) error {
	all := keyspace.Root()
	it, err := newSteady(ctx, store, all, opts.Step)
	if err != nil {
		return err
	}
	defer it.close()
	id, err := catalog.Identify(it.tx.Snapshot())
	if err != nil {
		return err
	}
	h.StoreFormat, h.Incarnation = id.Format, id.Incarnation
	if h.Version, err = it.tx.ReadVersion(); err != nil {
		return err
	}
	f, err := newFrameWriter(w, *h)
	if err != nil {
		return err
	}
	root := len(all.Start)
	var before []byte // the key before, in this frame
	for n := 0; it.Next(); n++ {
		if n%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		key, value := it.it.Key()[root:], it.it.Value()
		f.buf = appendPair(f.buf, before, key, value)
		before = append(before[:0], key...)
		p.Keys.Add(1)
		p.Bytes.Add(int64(len(key) + len(value)))
		if f.size() >= framePairs {
			if err := f.end(kindPairs); err != nil {
				return err
			}
			before = before[:0]
		}
	}
	if it.err != nil {
		return it.err
	}
	if f.size() > 0 {
		if err := f.end(kindPairs); err != nil {
			return err
		}
	}
	f.buf = binary.BigEndian.AppendUint64(f.buf, uint64(p.Keys.Load()))
	f.buf = binary.BigEndian.AppendUint64(f.buf, uint64(p.Bytes.Load()))
	return f.end(kindEnd)
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
		if used <= 0 || n > mostPayload {
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

// counting counts what is written.
type counting struct {
	io.Writer
	n *atomic.Int64
}

func (c *counting) Write(b []byte) (int, error) {
	n, err := c.Writer.Write(b)
	c.n.Add(int64(n))
	return n, err
}

// content reads the pairs of a whole file, checks that their keys rise and that none is
// missing, and gives each to take. What take gets is valid during the call.
func content(ctx context.Context, f *frameReader, p *Progress, take func(key, value []byte) error) error {
	var last []byte
	first := true
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		kind, payload, err := f.next()
		if err != nil {
			return err
		}
		switch kind {
		case kindPairs:
			in := pairs{rest: payload}
			for in.next() {
				if !first && bytes.Compare(in.key, last) <= 0 {
					return fmt.Errorf("%w: its keys don't rise", ErrDamaged)
				}
				first = false
				last = append(last[:0], in.key...)
				p.Keys.Add(1)
				p.Bytes.Add(int64(len(in.key) + len(in.value)))
				if err := take(in.key, in.value); err != nil {
					return err
				}
			}
			if in.err != nil {
				return in.err
			}
		case kindEnd:
			if len(payload) != endPayload || binary.BigEndian.Uint64(payload) != uint64(p.Keys.Load()) ||
				binary.BigEndian.Uint64(payload[8:]) != uint64(p.Bytes.Load()) {
				return fmt.Errorf("%w: it holds %d pairs of %d bytes, and should hold others", ErrDamaged, p.Keys.Load(),
					p.Bytes.Load())
			}
			var more [1]byte
			if n, err := io.ReadFull(f.from, more[:]); n > 0 {
				return fmt.Errorf("%w: something stands behind its end", ErrDamaged)
			} else if !errors.Is(err, io.EOF) {
				return err
			}
			return nil
		default:
			return fmt.Errorf("%w: frame %d is of the unknown kind %q", ErrDamaged, f.number-1, kind)
		}
	}
}

// reading counts what is read.
type reading struct {
	io.Reader
	n *atomic.Int64
}

func (r *reading) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	r.n.Add(int64(n))
	return n, err
}

// Verify reads a whole file and proves that it is complete and undamaged.
func Verify(ctx context.Context, r io.Reader, p *Progress) (Header, error) {
	f, h, err := newFrameReader(&reading{r, &p.File})
	if err == nil {
		err = content(ctx, f, p, func([]byte, []byte) error { return nil })
	}
	if err != nil {
		return h, fmt.Errorf("backup: %w", err)
	}
	return h, nil
}
