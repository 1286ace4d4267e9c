package overlay

import (
	"bytes"

	"github.com/sqlfdb/sqlfdb/kv"
)

// iterator merges the store's pairs of a range with the writes that its epoch sees. Neither
// side is held across a write. The nodes are read from the tree in pieces, each from where
// the last one ended, and nodes that were added since are too young to be seen.
type iterator struct {
	t       *Tx
	asOf    uint64
	reader  kv.Reader
	opts    kv.RangeOptions
	emitted int

	key, value []byte
	err        error

	// The store's side. left is the range of its further pairs.
	base       kv.Iterator
	left       kv.Range
	baseValid  bool // base stands on a pair that is still to be merged
	baseLimit  int  // of the range read under way
	baseRead   int  // pairs it has given
	skipped    int  // cleared pairs passed in a row
	cover      cover
	baseClosed bool // there is no more

	// The side of the writes. ownLeft is the range that wasn't read from the tree yet.
	own     []*node
	ownAt   int
	ownLeft kv.Range
	chunk   int
	ownDone bool
}

const (
	firstOwn = 4
	maxOwn   = 128
	// maxSkipped is how many cleared pairs are read before a new range read is begun behind
	// the clear, which costs about as much.
	maxSkipped = 32
)

// iterate opens an iterator at an epoch.
func (t *Tx) iterate(r kv.Range, opts kv.RangeOptions, asOf uint64, base kv.Reader) kv.Iterator {
	if t.effect == 0 || bytes.Compare(r.Start, r.End) >= 0 {
		return base.Range(r, opts)
	}
	t.mu.Lock()
	asOf = min(asOf, t.now())
	t.sort()
	t.mu.Unlock()
	it := &iterator{
		t: t, asOf: asOf, reader: base, opts: opts,
		left: r, ownLeft: r, chunk: firstOwn,
	}
	it.fill()
	it.trim()
	if len(it.own) == 0 && bytes.Equal(it.left.Start, r.Start) && bytes.Equal(it.left.End, r.End) && !it.anyClear() {
		return base.Range(r, opts)
	}
	// The caller may reuse the memory of its range.
	it.left = kv.Range{Start: bytes.Clone(it.left.Start), End: bytes.Clone(it.left.End)}
	it.ownLeft = kv.Range{Start: bytes.Clone(it.ownLeft.Start), End: bytes.Clone(it.ownLeft.End)}
	it.open(opts.Limit)
	return it
}

// anyClear reports whether a clear within the range is visible, its ends being trimmed.
func (it *iterator) anyClear() bool {
	if it.t.clears == nil {
		return false
	}
	start := it.t.nextClear(it.left.Start, it.asOf)
	return start != nil && bytes.Compare(start, it.left.End) < 0
}

// trim removes the cleared ends from the range that is read from the store.
func (it *iterator) trim() {
	if end, ok := it.t.clearedTo(it.left.Start, it.asOf); ok {
		it.left.Start = end
	}
	if bytes.Compare(it.left.Start, it.left.End) < 0 {
		if start, ok := it.t.clearedFrom(it.left.End, it.asOf); ok {
			it.left.End = start
		}
	}
}

// open begins a read of the range that is left, with a limit or 0.
func (it *iterator) open(limit int) {
	if it.base != nil {
		it.base.Close()
		it.base = nil
	}
	if bytes.Compare(it.left.Start, it.left.End) >= 0 {
		it.baseClosed = true
		return
	}
	opts := it.opts
	opts.Limit = limit
	it.baseLimit, it.baseRead, it.skipped = limit, 0, 0
	it.base = it.reader.Range(it.left, opts)
}

// pass removes the keys up to key, and key itself, from the range that is left.
func (it *iterator) pass(key []byte) {
	if it.opts.Reverse {
		it.left.End = bytes.Clone(key)
	} else {
		it.left.Start = append(bytes.Clone(key), 0)
	}
}

// advanceBase moves the store's side to its next pair that isn't cleared,
// unless it stands on one.
func (it *iterator) advanceBase() {
	for !it.baseValid && !it.baseClosed {
		if !it.base.Next() {
			if it.err = it.base.Err(); it.err != nil {
				it.baseClosed = true
				return
			}
			if it.baseLimit == 0 || it.baseRead < it.baseLimit {
				it.baseClosed = true
				return
			}
			// The limit was the caller's, but some of these pairs are deleted
			// or come after writes: there may be more.
			it.trim()
			it.open(2 * it.baseLimit)
			continue
		}
		it.baseRead++
		key := it.base.Key()
		if it.baseLimit > 0 && it.baseRead == it.baseLimit {
			it.pass(key)
		}
		if it.t.clears == nil || !it.cover.covers(it, key) {
			it.baseValid, it.skipped = true, 0
			return
		}
		if it.skipped++; it.skipped >= maxSkipped {
			if it.opts.Reverse {
				it.left.End = it.cover.edge
			} else {
				it.left.Start = it.cover.edge
			}
			it.open(it.baseLimit)
		}
	}
}

// cover remembers whether the keys up to edge are cleared, so that the tree of clears isn't
// searched for every key. Upwards edge is exclusive, downwards inclusive.
type cover struct {
	known   bool
	cleared bool
	edge    []byte // nil: to the end
}

func (c *cover) covers(it *iterator, key []byte) bool {
	if c.known {
		if c.edge == nil {
			return c.cleared
		}
		if order := bytes.Compare(key, c.edge); order < 0 && !it.opts.Reverse || order >= 0 && it.opts.Reverse {
			return c.cleared
		}
	}
	c.known = true
	if it.opts.Reverse {
		c.edge, c.cleared = it.t.clearedFrom(append(bytes.Clone(key), 0), it.asOf)
		if !c.cleared {
			c.edge = it.t.previousClear(key, it.asOf)
		}
	} else {
		c.edge, c.cleared = it.t.clearedTo(key, it.asOf)
		if !c.cleared {
			c.edge = it.t.nextClear(key, it.asOf)
		}
	}
	return c.cleared
}

// fill reads the next nodes that the epoch sees.
func (it *iterator) fill() {
	it.own, it.ownAt = it.own[:0], 0
	var last []byte
	visit := func(n *node) bool {
		last = n.key
		if n.visible(it.asOf) != nil {
			it.own = append(it.own, n)
		}
		return len(it.own) < it.chunk
	}
	if it.opts.Reverse {
		it.t.descend(it.ownLeft.Start, it.ownLeft.End, visit)
	} else {
		it.t.ascend(it.ownLeft.Start, it.ownLeft.End, visit)
	}
	if len(it.own) < it.chunk {
		it.ownDone = true
		return
	}
	if it.opts.Reverse {
		it.ownLeft.End = last
	} else {
		it.ownLeft.Start = append(bytes.Clone(last), 0)
	}
	it.chunk = min(2*it.chunk, maxOwn)
}

// peekOwn returns the next node and its version, or nil.
func (it *iterator) peekOwn() (*node, *version) {
	for {
		for it.ownAt < len(it.own) {
			n := it.own[it.ownAt]
			if v := n.visible(it.asOf); v != nil {
				return n, v
			}
			it.ownAt++ // undone since
		}
		if it.ownDone {
			return nil, nil
		}
		it.fill()
	}
}

func (it *iterator) Next() bool {
	it.key, it.value = nil, nil
	for it.err == nil && (it.opts.Limit == 0 || it.emitted < it.opts.Limit) {
		it.advanceBase()
		if it.err != nil {
			break
		}
		n, v := it.peekOwn()
		if n == nil && !it.baseValid {
			break
		}
		order := -1 // of the write against the store's pair
		switch {
		case n == nil:
			order = 1
		case it.baseValid:
			order = bytes.Compare(n.key, it.base.Key())
			if it.opts.Reverse {
				order = -order
			}
		}
		if order > 0 {
			it.baseValid = false
			it.key, it.value = it.base.Key(), it.base.Value()
			it.emitted++
			return true
		}
		it.ownAt++
		var below []byte
		if order == 0 {
			it.baseValid = false
			below = it.base.Value()
			if below == nil {
				below = []byte{}
			}
		}
		if v.kind == kindClear {
			continue
		}
		if value := v.apply(below); value != nil {
			it.key, it.value = n.key, value
			it.emitted++
			return true
		}
	}
	return false
}

func (it *iterator) Key() []byte   { return it.key }
func (it *iterator) Value() []byte { return it.value }
func (it *iterator) Err() error    { return it.err }

func (it *iterator) Close() {
	if it.base != nil {
		it.base.Close()
		it.base = nil
	}
	it.baseClosed, it.baseValid = true, false
	it.own, it.ownAt, it.ownDone = nil, 0, true
	it.key, it.value = nil, nil
}
