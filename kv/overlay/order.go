package overlay

import (
	"bytes"

	"github.com/google/btree"
)

// sort puts the keys written since the last call into the tree. Most
// transactions write far more than they range over, so it is left until needed.
// The caller holds mu.
func (t *Tx) sort() {
	if t.placed == len(t.written) {
		return
	}
	if t.sorted == nil {
		t.sorted = btree.NewG(degree, func(a, b *node) bool { return bytes.Compare(a.key, b.key) < 0 })
	}
	for _, n := range t.written[t.placed:] {
		t.sorted.ReplaceOrInsert(n)
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
	t.sorted.AscendGreaterOrEqual(&node{key: start}, func(n *node) bool {
		return bytes.Compare(n.key, end) < 0 && visit(n)
	})
}

// descend visits the sorted nodes in [start, end) downwards until visit returns false.
func (t *Tx) descend(start, end []byte, visit func(*node) bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if t.sorted == nil {
		return
	}
	t.sorted.DescendLessOrEqual(&node{key: end}, func(n *node) bool {
		switch {
		case bytes.Equal(n.key, end):
			return true
		case bytes.Compare(n.key, start) < 0:
			return false
		}
		return visit(n)
	})
}
