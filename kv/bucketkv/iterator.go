package bucketkv

import (
	"bytes"
	"fmt"

	"github.com/google/btree"

	"github.com/sqlfdb/sqlfdb/kv"
)

// iterator implements kv.Iterator. It takes pairs out of the tree in batches.
type iterator struct {
	t       *transaction
	tree    *btree.BTreeG[pair]
	all     kv.Range
	rest    kv.Range // the part that is still to be read
	opts    kv.RangeOptions
	blocked bool // behind rest come keys that can't be read
	given   int
	batch   []pair
	at      pair
	covered *kv.Range // nil: reads add no conflicts
	err     error
	over    bool
}

// Range implements kv.Reader.
func (t *transaction) Range(r kv.Range, opts kv.RangeOptions) kv.Iterator {
	return t.iterate(r, opts, true)
}

func (t *transaction) iterate(r kv.Range, opts kv.RangeOptions, conflicts bool) kv.Iterator {
	i := &iterator{t: t, opts: opts, err: t.live()}
	if err := kv.CheckRange(r); i.err == nil && err != nil {
		i.err = fmt.Errorf("bucketkv: range: %w", err)
	}
	if i.err != nil {
		return i
	}
	r = r.Clip()
	i.all = kv.Range{Start: bytes.Clone(r.Start), End: bytes.Clone(r.End)}
	i.rest = i.all
	for _, p := range t.pending {
		i.block(p)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if i.tree = t.sees.tree; t.copied {
		i.tree = i.tree.Clone() // later writes are not seen
	}
	if conflicts && bytes.Compare(r.Start, r.End) < 0 {
		i.covered = &kv.Range{Start: i.all.Start, End: i.all.Start}
		t.covered = append(t.covered, i.covered)
	}
	return i
}

// block ends the iterator where keys may be that are known at commit only.
func (i *iterator) block(p kv.Range) {
	if bytes.Compare(p.Start, i.rest.End) >= 0 || bytes.Compare(p.End, i.rest.Start) <= 0 {
		return
	}
	i.blocked = true
	if i.opts.Reverse {
		i.rest.Start = maxKey(i.rest.Start, p.End)
	} else {
		i.rest.End = minKey(i.rest.End, p.Start)
	}
	if bytes.Compare(i.rest.Start, i.rest.End) > 0 {
		i.rest.End = i.rest.Start
	}
}

func maxKey(a, b []byte) []byte {
	if bytes.Compare(a, b) < 0 {
		return b
	}
	return a
}

func minKey(a, b []byte) []byte {
	if bytes.Compare(a, b) > 0 {
		return b
	}
	return a
}

// Next implements kv.Iterator.
func (i *iterator) Next() bool {
	i.at = pair{}
	if i.err != nil || i.over {
		return false
	}
	if i.err = i.t.live(); i.err != nil {
		return false
	}
	if i.opts.Limit > 0 && i.given == i.opts.Limit {
		i.over = true
		return false
	}
	if len(i.batch) == 0 {
		i.fetch()
	}
	if len(i.batch) == 0 {
		i.cover(i.all)
		if i.over = true; i.blocked {
			i.err = fmt.Errorf("bucketkv: range: %w", kv.ErrUnreadable)
		}
		return false
	}
	p := i.batch[0]
	i.batch = i.batch[1:]
	behind := kv.PointRange(p.key)
	if i.opts.Reverse {
		i.cover(kv.Range{Start: p.key, End: i.all.End})
	} else {
		i.cover(kv.Range{Start: i.all.Start, End: behind.End})
	}
	if p.pending {
		i.err = fmt.Errorf("bucketkv: range: %w", kv.ErrUnreadable)
		return false
	}
	i.at = p
	i.given++
	return true
}

// cover notes how far the range has been read.
func (i *iterator) cover(r kv.Range) {
	if i.covered != nil {
		i.t.mu.Lock()
		*i.covered = r
		i.t.mu.Unlock()
	}
}

// fetched is how many pairs a batch has.
const fetched = 64

// fetch reads the next batch.
func (i *iterator) fetch() {
	take := func(p pair) bool {
		i.batch = append(i.batch, p)
		return len(i.batch) < fetched
	}
	if !i.opts.Reverse {
		i.tree.AscendRange(pair{key: i.rest.Start}, pair{key: i.rest.End}, take)
		if n := len(i.batch); n > 0 {
			i.rest.Start = kv.PointRange(i.batch[n-1].key).End
		}
		return
	}
	i.tree.DescendLessOrEqual(pair{key: i.rest.End}, func(p pair) bool {
		if bytes.Equal(p.key, i.rest.End) {
			return true
		}
		return bytes.Compare(p.key, i.rest.Start) >= 0 && take(p)
	})
	if n := len(i.batch); n > 0 {
		i.rest.End = i.batch[n-1].key
	}
}

// Key implements kv.Iterator.
func (i *iterator) Key() []byte { return i.at.key }

// Value implements kv.Iterator.
func (i *iterator) Value() []byte { return i.at.value }

// Err implements kv.Iterator.
func (i *iterator) Err() error { return i.err }

// Close implements kv.Iterator.
func (i *iterator) Close() { i.over = true }
