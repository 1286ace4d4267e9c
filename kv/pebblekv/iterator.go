package pebblekv

import (
	"bytes"
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"github.com/sqlfdb/sqlfdb/kv"
)

const (
	chunkBytes = 64 << 10
	chunkRows  = 512

	// A chunk's room at first: a dozen entries.
	firstBytes = 512
	firstRows  = 12
)

// iterator implements kv.Iterator. It copies pairs out of Pebble in chunks, so that a row
// costs no lock, and the caller's pairs stay valid if the transaction is ended meanwhile.
type iterator struct {
	t         *transaction
	r         kv.Range
	reverse   bool
	limit     int // 0: none
	conflicts bool
	own       *ownView // nil: no own writes in the range

	key, value []byte
	returned   int
	finished   bool // Next has returned false
	ended      bool // by reaching the end of the range
	covered    bool // the conflict range has been added
	closed     bool
	err        error

	// The chunk.
	buf  []byte
	rows []row
	at   int // the row that comes next
	size int // rows of the next chunk

	// The source of chunks; transaction.mu guards it.
	pit    *pebble.Iterator // nil: to be opened
	used   bool             // since the last rest
	resume []byte           // the last key in a chunk, where pit stands
	begun  bool
	dry    bool // nothing after the chunk
}

// row is a pair in the buffer: the key ends at key, the value at value.
type row struct{ start, key, value int }

func (t *transaction) iterate(r kv.Range, opts kv.RangeOptions, conflicts bool) kv.Iterator {
	it := &iterator{t: t, reverse: opts.Reverse, limit: max(opts.Limit, 0), conflicts: conflicts}
	switch opts.Streaming {
	case kv.StreamAll:
		it.size = chunkRows
	case kv.StreamSmall:
		it.size = 4
	default:
		it.size = 32
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	err := t.live()
	if err == nil {
		err = kv.CheckRange(r)
	}
	if err != nil {
		it.fail(err)
		it.closed = true
		return it
	}
	r = r.Clip()
	n := len(r.Start)
	bounds := append(append(make([]byte, 0, n+len(r.End)), r.Start...), r.End...)
	it.r = kv.Range{Start: bounds[:n:n], End: bounds[n:]}
	it.dry = bytes.Equal(r.Start, r.End)
	it.own = t.view(it.r, opts.Reverse)
	t.readMu.Lock()
	if t.iterators == nil {
		t.iterators = map[*iterator]struct{}{}
	}
	t.iterators[it] = struct{}{}
	t.readMu.Unlock()
	return it
}

func (it *iterator) fail(err error) {
	it.finished = true
	it.err = fmt.Errorf("pebblekv: range: %w", orDamaged(err))
}

// Next implements kv.Iterator.
func (it *iterator) Next() bool {
	if it.finished || it.closed {
		return false
	}
	if it.limit > 0 && it.returned == it.limit {
		it.finished = true
		return false
	}
	var ok bool
	if it.own != nil {
		ok = it.nextMerged()
	} else {
		ok = it.nextBase()
		if ok {
			it.key, it.value = it.base()
			it.at++
		}
	}
	if !ok {
		it.finished = true
		it.ended = it.err == nil
		return false
	}
	it.returned++
	return true
}

// nextBase makes sure that base has a pair; false at the end and on an error.
func (it *iterator) nextBase() bool {
	if it.at < len(it.rows) {
		if it.at&63 == 63 {
			if err := it.t.ctx.Err(); err != nil {
				it.fail(err)
				return false
			}
		}
		return true
	}
	if it.dry {
		return false
	}
	if err := it.fill(); err != nil {
		it.fail(err)
		return false
	}
	return len(it.rows) > 0
}

func (it *iterator) base() (key, value []byte) {
	w := it.rows[it.at]
	return it.buf[w.start:w.key:w.key], it.buf[w.key:w.value:w.value]
}

// fill reads the next chunk.
func (it *iterator) fill() error {
	t := it.t
	t.mu.RLock()
	defer t.mu.RUnlock()
	if err := t.live(); err != nil {
		return err
	}
	rows := it.size
	if it.limit > 0 && it.own == nil {
		rows = min(rows, it.limit-it.returned)
	}
	it.size = min(4*it.size, chunkRows)
	if it.rows == nil {
		it.buf, it.rows = make([]byte, 0, firstBytes), make([]row, 0, min(rows, firstRows))
	}
	it.buf, it.rows, it.at = it.buf[:0], it.rows[:0], 0
	ok, err := it.step()
	if err != nil {
		return err
	}
	for ok {
		start := len(it.buf)
		it.buf = append(it.buf, it.pit.Key()...)
		key := len(it.buf)
		v, err := it.pit.ValueAndErr()
		if err != nil {
			return err
		}
		it.buf = append(it.buf, v...)
		it.rows = append(it.rows, row{start, key, len(it.buf)})
		if len(it.rows) >= rows || len(it.buf) >= chunkBytes {
			it.resume = append(it.resume[:0], it.buf[start:key]...)
			it.used = true
			return nil
		}
		if it.reverse {
			ok = it.pit.Prev()
		} else {
			ok = it.pit.Next()
		}
	}
	it.dry = true
	p := it.pit
	if err := p.Error(); err != nil {
		return err
	}
	it.pit = nil
	t.closePebble(p)
	return nil
}

// step moves pit to the first pair of the next chunk.
func (it *iterator) step() (bool, error) {
	if it.pit != nil {
		if it.reverse {
			return it.pit.Prev(), nil
		}
		return it.pit.Next(), nil
	}
	p, err := it.t.openPebble(it.r)
	if err != nil {
		return false, err
	}
	it.pit = p
	switch {
	case !it.begun && it.reverse:
		it.begun = true
		return p.Last(), nil
	case !it.begun:
		it.begun = true
		return p.First(), nil
	case it.reverse:
		return p.SeekLT(it.resume), nil
	}
	if ok := p.SeekGE(it.resume); !ok || !bytes.Equal(p.Key(), it.resume) {
		return ok, nil
	}
	return p.Next(), nil
}

// drop closes the source; needs transaction.mu exclusively.
func (it *iterator) drop() {
	if it.pit != nil {
		it.t.store.closeIterators(it.t.work, it.pit)
		it.pit = nil
	}
}

// rest drops the source if no chunk was read since the last call; needs
// transaction.mu exclusively.
func (it *iterator) rest() {
	if !it.used {
		it.drop()
	}
	it.used = false
}

// Key implements kv.Iterator.
func (it *iterator) Key() []byte { return it.key }

// Value implements kv.Iterator.
func (it *iterator) Value() []byte { return it.value }

// Err implements kv.Iterator.
func (it *iterator) Err() error { return it.err }

// cover adds the conflict range of the pairs that have been read.
func (it *iterator) cover() {
	if it.covered || !it.conflicts {
		return
	}
	it.covered = true
	r := it.r
	switch {
	case it.ended:
	case it.returned == 0:
		return
	case it.reverse:
		r.Start = it.key
	default:
		r.End = append(bytes.Clone(it.key), 0)
	}
	if bytes.Compare(r.Start, r.End) < 0 {
		it.t.addRead(r)
	}
}

// Close implements kv.Iterator.
func (it *iterator) Close() {
	if it.closed {
		return
	}
	it.closed = true
	t := it.t
	t.mu.RLock()
	defer t.mu.RUnlock()
	if t.ended != nil {
		return // ending the transaction has dropped the source
	}
	it.cover()
	t.readMu.Lock()
	delete(t.iterators, it)
	t.readMu.Unlock()
	if it.pit != nil {
		p := it.pit
		it.pit = nil
		t.closePebble(p)
	}
}
