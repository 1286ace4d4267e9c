package lanes

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
)

// iterator walks a range that may hold counters: it leaves the blocks out, and puts the counts in their lanes at the
// counters' keys.
type iterator struct {
	t       *transaction
	base    kv.Iterator
	all     kv.Range
	reverse bool
	left    int // pairs that may still be given; -1 is no limit

	first  keyspace.Index // the index in whose parts the range begins
	ahead  kv.Iterator    // of its blocks, which are being read; nil: none
	loaded map[keyspace.Index]bool
	lanes  []pair // of loaded indexes, in the order of the walk

	held  bool // base stands at a pair that has not been given
	ended bool // base has no more
	key   []byte
	value []byte
	last  []byte // a copy of key
	err   error
}

type pair struct {
	key  []byte
	lane count
}

func (r reader) iterate(of kv.Range, opts kv.RangeOptions) *iterator {
	of = kv.Range{Start: bytes.Clone(of.Start), End: bytes.Clone(of.End)}
	it := &iterator{t: r.t, all: of, reverse: opts.Reverse, left: -1, loaded: map[keyspace.Index]bool{}}
	if opts.Limit > 0 {
		it.left = opts.Limit
	}
	if i, part := keyspace.IndexOf(of.Start); part != keyspace.PartOther {
		it.first, it.ahead = i, r.t.readLanes(i)
	}
	if opts.Limit > 0 && mayHide(of) {
		opts.Limit = 0
	}
	it.base = r.base.Range(of, opts)
	if r.conflicts {
		r.t.mu.Lock()
		if r.t.walks == nil {
			r.t.walks = map[*iterator]bool{}
		}
		r.t.walks[it] = true
		r.t.mu.Unlock()
	}
	return it
}

// mayHide reports whether keys of blocks may stand in the range.
func mayHide(r kv.Range) bool {
	i, part := keyspace.IndexOf(r.Start)
	return part != keyspace.PartCounters || bytes.Compare(r.End, i.Counters().End) > 0
}

func (t *transaction) readLanes(i keyspace.Index) kv.Iterator {
	return t.snapshot.Range(i.Lanes(), kv.RangeOptions{Streaming: kv.StreamAll})
}

// load puts the lanes of an index that lie in the range into the order of the walk.
func (it *iterator) load(i keyspace.Index, from kv.Iterator) error {
	defer from.Close()
	it.loaded[i] = true
	lanes, err := lanesIn(from)
	if err != nil {
		return err
	}
	for _, l := range lanes {
		key := l.is.Key()
		if holds(it.all, key) && !it.t.isVoid(key) {
			it.lanes = append(it.lanes, pair{key, l.count})
		}
	}
	slices.SortFunc(it.lanes, func(a, b pair) int { return it.compare(a.key, b.key) })
	return nil
}

// compare compares keys in the order of the walk.
func (it *iterator) compare(a, b []byte) int {
	if it.reverse {
		return bytes.Compare(b, a)
	}
	return bytes.Compare(a, b)
}

// laneIn is a lane that is not zero.
type laneIn struct {
	is keyspace.Counter
	count
}

// lanesIn returns the lanes of an index, whose blocks an iterator walks. That a lane has a sum and no kind is an error.
func lanesIn(it kv.Iterator) ([]laneIn, error) {
	of := map[keyspace.Block]kinds{}
	var out []laneIn
	for it.Next() {
		b, sums, ok := keyspace.BlockOf(it.Key())
		if !ok {
			return nil, fmt.Errorf("lanes: %x is no key of a block", it.Key())
		}
		if !sums {
			k, err := kindsOf(it.Value())
			if err != nil {
				return nil, err
			}
			of[b] = k
			continue
		}
		if len(it.Value()) != blockWidth {
			return nil, fmt.Errorf("lanes: the sums of a block are %d bytes", len(it.Value()))
		}
		k := of[b]
		for lane := range keyspace.LanesPerBlock {
			c, is := laneOf(it.Value(), lane), b.At(lane, k[lane])
			switch {
			case c.isZero():
			case k[lane] == 0 && !is.OfIndex():
				return nil, fmt.Errorf("lanes: lane %d of the block at %x has a sum and no kind", lane, it.Key())
			default:
				out = append(out, laneIn{is, c})
			}
		}
	}
	return out, it.Err()
}

// Next implements kv.Iterator.
func (it *iterator) Next() bool {
	if it.err != nil || it.left == 0 {
		return false
	}
	if it.ahead != nil {
		from := it.ahead
		it.ahead = nil
		if it.err = it.load(it.first, from); it.err != nil {
			return false
		}
	}
	for !it.held && !it.ended {
		if it.err = it.take(); it.err != nil {
			return false
		}
	}
	if !it.held && len(it.lanes) == 0 {
		return false
	}
	it.give()
	it.last = append(it.last[:0], it.key...)
	if it.left > 0 {
		it.left--
	}
	return true
}

// take takes the next pair of the store, unless it is a block's.
func (it *iterator) take() error {
	if !it.base.Next() {
		it.ended = true
		return it.base.Err()
	}
	i, part := keyspace.IndexOf(it.base.Key())
	if part != keyspace.PartOther && !it.loaded[i] {
		if err := it.load(i, it.t.readLanes(i)); err != nil {
			return err
		}
	}
	it.held = part != keyspace.PartLanes
	return nil
}

// give makes the next pair the current one: the store's, one of the lanes, or the sum of both.
func (it *iterator) give() {
	order := -1 // of the store's pair, behind the lanes
	switch {
	case len(it.lanes) == 0:
	case !it.held:
		order = 1
	default:
		order = it.compare(it.base.Key(), it.lanes[0].key)
	}
	if order < 0 {
		it.held = false
		it.key, it.value = it.base.Key(), it.base.Value()
		return
	}
	l := it.lanes[0]
	it.lanes = it.lanes[1:]
	it.key, it.value = l.key, l.lane[:]
	if order == 0 {
		it.held = false
		it.value = sumOf(it.base.Value(), l.lane)
	}
}

// covered is the range that has been walked over.
func (it *iterator) covered() kv.Range {
	r := it.all
	switch {
	case it.ended && !it.held && len(it.lanes) == 0 && it.left != 0:
	case it.key == nil:
		r.End = r.Start
	case it.reverse:
		r.Start = bytes.Clone(it.last)
	default:
		r.End = kv.PointRange(it.last).End
	}
	return r
}

// Key implements kv.Iterator.
func (it *iterator) Key() []byte { return it.key }

// Value implements kv.Iterator.
func (it *iterator) Value() []byte { return it.value }

// Err implements kv.Iterator.
func (it *iterator) Err() error { return it.err }

// Close implements kv.Iterator.
func (it *iterator) Close() {
	if it.ahead != nil {
		it.ahead.Close()
		it.ahead = nil
	}
	it.t.closed(it)
	it.base.Close()
}

// closed keeps the range that a walk has covered.
func (t *transaction) closed(it *iterator) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.walks[it] {
		delete(t.walks, it)
		t.rests = append(t.rests, it.covered())
	}
}
