package costing

import (
	"bytes"
	"slices"
	"sort"

	"github.com/sqlfdb/sqlfdb/kv"
)

// A process remembers where keys lie, so that the next statement need not ask the store again. None of it is exact,
// and no result depends on it. It lasts as long as a size (sizesLast, sizesDrift), and makes two decisions where an
// error is cheap. One is to read a range rather than all documents, which costs twice as much at worst. The other is
// not to count a candidate, where another one has been counted to its end and has few keys. It does not decide that
// all documents are read.

// spread is which part of the bytes of all keys at a keypath lies before some of them, in key order. It is a
// histogram whose boundaries are the ends of the ranges that the store was asked about.
type spread []boundary

type boundary struct {
	key    []byte
	before float64 // 0 to 1
}

const (
	// maxBoundaries bounds the boundaries of one keypath.
	maxBoundaries = 32
	// wideShare is the part from which on a range between two boundaries is worth one more boundary.
	wideShare = 1.0 / 16
	// shareSlack is how far a part may be wrong: sizes are in blocks, and come from a sample for keys in memory.
	shareSlack = 1.0 / 16
)

// share is the part of all keys that a range holds at most, exactly that part if both its ends are boundaries.
func (s spread) share(r kv.Range) (part float64, exact bool) {
	from, to := boundary{}, boundary{before: 1}
	if i := sort.Search(len(s), func(i int) bool { return bytes.Compare(s[i].key, r.Start) > 0 }); i > 0 {
		from = s[i-1]
	}
	if i := sort.Search(len(s), func(i int) bool { return bytes.Compare(s[i].key, r.End) >= 0 }); i < len(s) {
		to = s[i]
	}
	return max(0, to.before-from.before), bytes.Equal(from.key, r.Start) && bytes.Equal(to.key, r.End)
}

// add notes a boundary; one at the same key stays. If there are too many, the least useful one goes: without it the
// keys between its neighbours are the smallest part.
func (s spread) add(key []byte, before float64) spread {
	i, found := slices.BinarySearchFunc(s, key, func(b boundary, key []byte) int { return bytes.Compare(b.key, key) })
	if found {
		return s
	}
	s = slices.Insert(s, i, boundary{bytes.Clone(key), min(1, max(0, before))})
	if len(s) <= maxBoundaries {
		return s
	}
	least, part := 0, 2.0
	for i := range s {
		from, to := 0.0, 1.0
		if i > 0 {
			from = s[i-1].before
		}
		if i+1 < len(s) {
			to = s[i+1].before
		}
		if to-from < part {
			least, part = i, to-from
		}
	}
	return slices.Delete(s, least, least+1)
}

// share is the estimated part of the whole's keys that a range holds at most; 1 where nothing is known.
func (k *Known) share(w wholeKeypath, r kv.Range) (part float64, exact bool) {
	if k == nil {
		return 1, false
	}
	k.sizes.mu.Lock()
	defer k.sizes.mu.Unlock()
	s := k.sizes.of[nameOf(w.Range)]
	if s == nil || !k.sizes.fresh(s.age, w.keys) {
		return 1, false
	}
	return s.spread.share(r)
}

// putShare notes which parts of the bytes of the whole lie before a range, and up to its end.
func (k *Known) putShare(w wholeKeypath, r kv.Range, before, upTo float64) {
	if k == nil {
		return
	}
	k.sizes.mu.Lock()
	defer k.sizes.mu.Unlock()
	if s := k.sizes.of[nameOf(w.Range)]; s != nil {
		s.spread = s.spread.add(r.Start, before).add(r.End, upTo)
	}
}

// countedPart is how many keys of a range were counted before the counting was broken off.
type countedPart struct {
	age
	counted int64
}

// atLeast is how many keys a range of the whole was found to hold at least; 0 where nothing is known.
func (k *Known) atLeast(w wholeKeypath, r kv.Range) int64 {
	if k == nil {
		return 0
	}
	k.sizes.mu.Lock()
	defer k.sizes.mu.Unlock()
	c := k.sizes.counted[nameOf(r)]
	if !k.sizes.fresh(c.age, w.keys) {
		return 0
	}
	return c.counted
}

func (k *Known) putAtLeast(w wholeKeypath, r kv.Range, counted int64) {
	if k == nil {
		return
	}
	k.sizes.mu.Lock()
	defer k.sizes.mu.Unlock()
	if len(k.sizes.counted) >= maxKnown {
		clear(k.sizes.counted)
	}
	k.sizes.counted[nameOf(r)] = countedPart{age{k.sizes.now(), w.keys}, counted}
}
