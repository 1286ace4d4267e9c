package pebblekv

import (
	"bytes"
	"sort"

	"github.com/sqlfdb/sqlfdb/kv"
)

const (
	maxSmallClear  = 32   // keys of a range that are deleted one by one
	maxSmallClears = 8192 // such keys of a transaction
)

// smallClears replaces cleared ranges that hold few keys with deletes of these keys.
// Pebble's memtable sorts all its range tombstones again for the first reader after each
// new one, so thousands of them, one per updated document, would slow every read.
//
// The keys are the store's at the transaction's read version, and its own; resolve falls
// back on the ranges when someone else has written there since.
type smallClears struct {
	after  int64
	keys   map[int32][][]byte // by the operation's order
	ranges []kv.Range         // sorted, disjoint
}

// findSmallClears needs mu; the operations must have been sorted.
func (t *transaction) findSmallClears(wrote *run) (*smallClears, error) {
	var c *smallClears
	var low, high []byte // hull of the zones of versionstamped keys
	for i := range t.ops {
		if o := &t.ops[i]; o.kind == opStampedKey {
			z := stampZone(o.key, int(o.offset))
			if low == nil || bytes.Compare(z.Start, low) < 0 {
				low = z.Start
			}
			if bytes.Compare(z.End, high) > 0 {
				high = z.End
			}
		}
	}
	total := 0
	for i := range t.ops {
		o := &t.ops[i]
		if o.kind != opClearRange {
			continue
		}
		if low != nil && bytes.Compare(o.key, high) < 0 && bytes.Compare(low, o.value) < 0 {
			continue
		}
		keys, few, err := t.fewKeys(kv.Range{Start: o.key, End: o.value}, wrote)
		if err != nil {
			return nil, err
		}
		if !few {
			continue
		}
		if total += len(keys); total > maxSmallClears {
			break
		}
		if c == nil {
			c = &smallClears{after: t.state.version, keys: map[int32][][]byte{}}
		}
		c.keys[o.order] = keys
		c.ranges = append(c.ranges, kv.Range{Start: o.key, End: o.value})
	}
	if c != nil {
		c.ranges = kv.Coalesce(c.ranges)
	}
	return c, nil
}

// fewKeys returns the stored and the own keys of a range if they are few.
func (t *transaction) fewKeys(r kv.Range, wrote *run) ([][]byte, bool, error) {
	points := wrote.points
	from := sort.Search(len(points), func(i int) bool { return bytes.Compare(points[i], r.Start) >= 0 })
	n := 0
	for n <= maxSmallClear && from+n < len(points) && bytes.Compare(points[from+n], r.End) < 0 {
		n++
	}
	if n > maxSmallClear {
		return nil, false, nil
	}
	keys := append([][]byte(nil), points[from:from+n]...)
	p, err := t.openPebble(r)
	if err != nil {
		return nil, false, err
	}
	defer t.closePebble(p)
	ok := p.First()
	for ; ok && len(keys) <= maxSmallClear; ok = p.Next() {
		keys = append(keys, t.keys.copy(p.Key()))
	}
	return keys, len(keys) <= maxSmallClear, p.Error()
}

// hold reports whether the keys are still all there are in the ranges.
func (c *smallClears) hold(w *window, g *group) bool {
	written, known := w.conflicts(c.ranges, c.after, g.version)
	if !known || written {
		return false
	}
	for _, r := range g.runs {
		if r.touches(c.ranges, c.after) {
			return false
		}
	}
	return true
}

// stampZone is the range in which a versionstamped key may be.
func stampZone(template []byte, offset int) kv.Range {
	low, high := bytes.Clone(template), append(bytes.Clone(template), 0)
	for i := range kv.VersionstampSize {
		low[offset+i], high[offset+i] = 0, 0xff
	}
	return kv.Range{Start: low, End: high}
}
