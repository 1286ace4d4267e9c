package overlay

import (
	"bytes"

	"github.com/google/btree"
)

// item is a node in the tree. It has the key itself, which saves a memory
// access in each comparison.
type item struct {
	key  []byte
	node *node
}

// sort puts the keys written since the last call into the tree. Most
// transactions write far more than they range over, so it is left until needed.
// The caller holds mu.
func (t *Tx) sort() {
	if t.placed == len(t.written) {
		return
	}
	if t.sorted == nil {
		t.sorted = btree.NewG(degree, func(a, b item) bool { return bytes.Compare(a.key, b.key) < 0 })
	}
	for _, n := range t.written[t.placed:] {
		t.sorted.ReplaceOrInsert(item{n.key, n})
	}
	t.placed = len(t.written)
}

// ascend visits the sorted nodes in [start, end) until visit returns false.
func (t *Tx) ascend(start, end []byte, visit func(*node) bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if t.sorted == nil {
		return
	}
	t.sorted.AscendGreaterOrEqual(item{key: start}, func(i item) bool {
		return bytes.Compare(i.key, end) < 0 && visit(i.node)
	})
}

// descend visits the sorted nodes in [start, end) downwards until visit returns false.
func (t *Tx) descend(start, end []byte, visit func(*node) bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if t.sorted == nil {
		return
	}
	t.sorted.DescendLessOrEqual(item{key: end}, func(i item) bool {
		switch {
		case bytes.Equal(i.key, end):
			return true
		case bytes.Compare(i.key, start) < 0:
			return false
		}
		return visit(i.node)
	})
}
