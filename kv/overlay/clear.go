package overlay

import (
	"bytes"
	"fmt"

	"github.com/google/btree"

	"github.com/sqlfdb/sqlfdb/kv"
)

// clearedRange is a range of keys of the store that are gone since an epoch. They don't
// overlap: keys that have been cleared before stay so, and each range belongs to the first
// epoch that removed its keys. The versions of keys written in the transaction don't rest
// on it: ClearRange clears these keys one by one.
type clearedRange struct {
	start, end []byte
	epoch      uint64
}

func clearLess(a, b *clearedRange) bool { return bytes.Compare(a.start, b.start) < 0 }

const degree = 32 // of the trees; 16 to 64 are alike

// ClearRange removes all keys of a range. An inverted range makes the commit
// fail with kv.ErrReservedKey.
func (t *Tx) ClearRange(r kv.Range) {
	switch c := bytes.Compare(r.Start, r.End); {
	case c > 0:
		t.fail(fmt.Errorf("clear of an inverted range: %w", kv.ErrReservedKey))
		return
	case c == 0:
		return
	}
	t.mu.Lock()
	t.sort()
	t.mu.Unlock()
	t.ascend(r.Start, r.End, func(n *node) bool {
		if n.last != nil && n.last.kind != kindClear {
			t.write(n, kindClear, nil, nil, 0)
		}
		return true
	})
	t.clearStamped(r)

	if t.clears == nil {
		t.clears = btree.NewG(degree, clearLess)
	}
	start := t.arena.copyOf(r.Start)
	end := t.arena.copyOf(r.End)
	if to, ok := t.clearedTo(start, everything); ok {
		start = to
	}
	for bytes.Compare(start, end) < 0 {
		c := &clearedRange{start: start, end: end, epoch: t.epoch}
		next := end
		t.clears.AscendGreaterOrEqual(c, func(later *clearedRange) bool {
			if bytes.Compare(later.start, end) < 0 {
				c.end, next = later.start, later.end
			}
			return false
		})
		if bytes.Compare(c.start, c.end) < 0 {
			t.addClear(c)
		}
		start = next
	}
}

func (t *Tx) addClear(c *clearedRange) {
	t.clears.ReplaceOrInsert(c)
	t.size += c.cost() + t.overhead
	t.effect++
	t.dirty = true
	if len(t.marks)+len(t.savepoints) > 0 {
		t.undo = append(t.undo, undo{clear: c})
	}
}

func (t *Tx) dropClear(c *clearedRange) {
	t.clears.Delete(c)
	t.size -= c.cost() + t.overhead
	t.effect--
}

func (c *clearedRange) cost() int64 { return int64(2 * (len(c.start) + len(c.end))) }

// clearAt returns the clear that covers key.
func (t *Tx) clearAt(key []byte) *clearedRange {
	if t.clears == nil {
		return nil
	}
	var found *clearedRange
	t.clears.DescendLessOrEqual(&clearedRange{start: key}, func(c *clearedRange) bool {
		if bytes.Compare(key, c.end) < 0 {
			found = c
		}
		return false
	})
	return found
}

// cleared reports whether a reader at the epoch finds the store's key cleared.
func (t *Tx) cleared(key []byte, asOf uint64) bool {
	c := t.clearAt(key)
	return c != nil && c.epoch <= asOf
}

// clearedTo returns the end of the cleared keys around key: the end of the last of the
// clears that touch each other.
func (t *Tx) clearedTo(key []byte, asOf uint64) (end []byte, ok bool) {
	c := t.clearAt(key)
	if c == nil || c.epoch > asOf {
		return nil, false
	}
	end = c.end
	t.clears.AscendGreaterOrEqual(&clearedRange{start: end}, func(c *clearedRange) bool {
		if c.epoch > asOf || !bytes.Equal(c.start, end) {
			return false
		}
		end = c.end
		return true
	})
	return end, true
}

// clearedFrom returns the start of the cleared keys that reach up to end,
// which is exclusive.
func (t *Tx) clearedFrom(end []byte, asOf uint64) (start []byte, ok bool) {
	if t.clears == nil {
		return nil, false
	}
	start = end
	t.clears.DescendLessOrEqual(&clearedRange{start: end}, func(c *clearedRange) bool {
		if bytes.Equal(c.start, start) {
			return true // begins where the wanted ones end
		}
		if c.epoch > asOf || bytes.Compare(c.end, start) < 0 {
			return false
		}
		start, ok = c.start, true
		return true
	})
	return start, ok
}

// nextClear returns the start of the first clear at or after key that a
// reader at the epoch sees, nil when there is none.
func (t *Tx) nextClear(key []byte, asOf uint64) (start []byte) {
	t.clears.AscendGreaterOrEqual(&clearedRange{start: key}, func(c *clearedRange) bool {
		if c.epoch <= asOf {
			start = c.start
		}
		return start == nil
	})
	return start
}

// previousClear returns the end of the last clear before key that a reader
// at the epoch sees, nil when there is none.
func (t *Tx) previousClear(key []byte, asOf uint64) (end []byte) {
	t.clears.DescendLessOrEqual(&clearedRange{start: key}, func(c *clearedRange) bool {
		if c.epoch <= asOf && bytes.Compare(c.end, key) <= 0 {
			end = c.end
		}
		return end == nil
	})
	return end
}

// flushClears writes the clears; clears that touch each other are written as one.
func (t *Tx) flushClears() {
	if t.clears == nil {
		return
	}
	var r kv.Range
	t.clears.Ascend(func(c *clearedRange) bool {
		if r.End != nil && bytes.Equal(r.End, c.start) {
			r.End = c.end
			return true
		}
		if r.End != nil {
			t.base.ClearRange(r)
		}
		r = kv.Range{Start: c.start, End: c.end}
		return true
	})
	if r.End != nil {
		t.base.ClearRange(r)
	}
}
