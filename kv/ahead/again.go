package ahead

import (
	"bytes"

	"github.com/sqlfdb/sqlfdb/kv"
)

// How much is kept of ranges that have been read and are not read again: of each so many bytes, and so many of them.
// More is read again.
const (
	maxAgainBytes = 128 << 10
	maxAgain      = 64

	// The room allocated at first: a dozen entries.
	firstBytes = 512
	firstPairs = 12
)

// ReadTwice reads a range that another part of the program is likely to read again, from the same end and with an
// equal limit. An example is a check of how many pairs there are, before they are read. The second reader gets at
// once the pairs that this one has met, and goes on behind them. ReadTwice is Range where from adds conflicts.
func ReadTwice(from kv.Reader, r kv.Range, opts kv.RangeOptions) kv.Iterator {
	at := Of(from)
	if at == nil {
		return from.Range(r, opts)
	}
	// A reader between, such as a transaction's own writes, may ask for another range.
	at.noting.Add(1)
	defer at.noting.Add(-1)
	return from.Range(r, opts)
}

// noted notes the pairs that an iterator meets, and leaves them to the next one over the range.
type noted struct {
	kv.Iterator
	t       *Tx
	at      span
	pairs   pairs
	dropped bool // too much has been met
	ended   bool // there is no more
}

// pairs are keys and values, one behind the other.
type pairs struct {
	bytes []byte
	ends  []int // of each key, and of each value
}

func (p *pairs) add(key, value []byte) {
	if p.ends == nil {
		p.bytes, p.ends = make([]byte, 0, firstBytes), make([]int, 0, 2*firstPairs)
	}
	p.bytes = append(p.bytes, key...)
	p.ends = append(p.ends, len(p.bytes))
	p.bytes = append(p.bytes, value...)
	p.ends = append(p.ends, len(p.bytes))
}

func (p *pairs) len() int { return len(p.ends) / 2 }

// pair is the i-th of them. It must not be changed.
func (p *pairs) pair(i int) (key, value []byte) {
	start := 0
	if i > 0 {
		start = p.ends[2*i-1]
	}
	return p.bytes[start:p.ends[2*i]:p.ends[2*i]], p.bytes[p.ends[2*i]:p.ends[2*i+1]:p.ends[2*i+1]]
}

// Next implements kv.Iterator.
func (n *noted) Next() bool {
	if !n.Iterator.Next() {
		n.ended = true
		return false
	}
	if !n.dropped {
		k, v := n.Key(), n.Value()
		if len(n.pairs.bytes)+len(k)+len(v) > maxAgainBytes {
			n.dropped, n.pairs = true, pairs{}
		} else {
			n.pairs.add(k, v)
		}
	}
	return true
}

// Close implements kv.Iterator: the one below stays open for the next.
func (n *noted) Close() {
	if n.Iterator == nil {
		return
	}
	it := n.Iterator
	n.Iterator = nil
	if n.dropped || n.ended && it.Err() != nil || !n.t.leave(n.at, &replay{Iterator: it, pairs: n.pairs, ended: n.ended}) {
		it.Close()
	}
}

// Err implements kv.Iterator.
func (n *noted) Err() error {
	if n.Iterator == nil {
		return nil
	}
	return n.Iterator.Err()
}

// leave keeps an iterator for the next reader of the range; it reports false after the transaction's end.
func (t *Tx) leave(at span, it *replay) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended {
		return false
	}
	if t.left >= maxAgain {
		t.closeRanges()
	}
	if t.ranges == nil {
		t.ranges = map[span][]kv.Iterator{}
	}
	t.left++
	t.ranges[at] = append(t.ranges[at], it)
	t.started.Store(true)
	return true
}

// replay gives pairs that have been read, then the pairs of the iterator behind them.
type replay struct {
	kv.Iterator
	pairs pairs
	next  int
	ended bool // there is nothing behind them
	live  bool // the iterator stands on the current pair
}

// Next implements kv.Iterator.
func (r *replay) Next() bool {
	if r.next < r.pairs.len() {
		r.next++
		return true
	}
	r.live = true
	return !r.ended && r.Iterator.Next()
}

// Key implements kv.Iterator.
func (r *replay) Key() []byte {
	if r.live {
		return r.Iterator.Key()
	}
	k, _ := r.pairs.pair(r.next - 1)
	return k
}

// Value implements kv.Iterator.
func (r *replay) Value() []byte {
	if r.live {
		return r.Iterator.Value()
	}
	_, v := r.pairs.pair(r.next - 1)
	return v
}

// covering adds a conflict for the part that a reader has walked over, of a range that was
// read without conflicts. The transaction knows it until it is closed.
type covering struct {
	kv.Iterator
	t       *Tx
	r       kv.Range
	reverse bool
	last    []byte // the key it stands on; nil before the first
	ended   bool
	closed  bool
}

// Next implements kv.Iterator.
func (c *covering) Next() bool {
	if c.Iterator.Next() {
		c.last = append(c.last[:0], c.Key()...)
		return true
	}
	c.ended = c.Iterator.Err() == nil
	return false
}

// Close implements kv.Iterator.
func (c *covering) Close() {
	if c.closed {
		return
	}
	c.closed = true
	c.t.mu.Lock()
	delete(c.t.walks, c)
	c.t.mu.Unlock()
	c.cover()
	c.Iterator.Close()
}

func (c *covering) cover() {
	r := c.r
	switch {
	case c.ended:
	case c.last == nil:
		return
	case c.reverse:
		r.Start = bytes.Clone(c.last)
	default:
		r.End = append(bytes.Clone(c.last), 0)
	}
	c.t.AddReadConflict(r)
}

// cover makes an iterator that was opened without conflicts add them.
func (t *Tx) cover(it kv.Iterator, r kv.Range, opts kv.RangeOptions) kv.Iterator {
	c := &covering{Iterator: it, t: t, reverse: opts.Reverse,
		r: kv.Range{Start: bytes.Clone(r.Start), End: bytes.Clone(r.End)}}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.walks == nil {
		t.walks = map[*covering]struct{}{}
	}
	t.walks[c] = struct{}{}
	return c
}

// coverWalks adds the conflicts of the iterators that are still open.
func (t *Tx) coverWalks() {
	t.mu.Lock()
	walks := t.walks
	t.walks = nil
	t.mu.Unlock()
	for c := range walks {
		c.cover()
	}
}
