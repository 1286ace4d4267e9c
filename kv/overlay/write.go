package overlay

import (
	"fmt"

	"github.com/sqlfdb/sqlfdb/kv"
)

// Set writes a pair.
func (t *Tx) Set(key, value []byte) {
	n := t.node(key)
	t.write(n, kindSet, t.arena.copyOf(value), nil, 0)
}

// Clear removes a key.
func (t *Tx) Clear(key []byte) {
	n := t.node(key)
	if n.last == nil && t.cleared(key, everything) {
		return
	}
	t.write(n, kindClear, nil, nil, 0)
}

// SetVersionstampedValue writes a pair whose value gets the commit's
// versionstamp at offset. Until then the key reads as the value given.
func (t *Tx) SetVersionstampedValue(key, value []byte, offset int) {
	if !t.checkOffset(offset, len(value)) {
		return
	}
	n := t.node(key)
	t.write(n, kindStampedValue, t.arena.copyOf(value), nil, offset)
}

// checkOffset reports whether a versionstamp fits at offset; if not, the commit fails.
func (t *Tx) checkOffset(offset, length int) bool {
	if offset < 0 || offset > length-kv.VersionstampSize {
		t.fail(fmt.Errorf("versionstamp at byte %d of %d: %w", offset, length, kv.ErrBadOffset))
		return false
	}
	return true
}

// fail makes the commit fail with the first such error.
func (t *Tx) fail(err error) {
	if t.err == nil {
		t.err = err
	}
}

// Add adds the operand to the key's value, as kv.Writer says.
func (t *Tx) Add(key, operand []byte) {
	n := t.node(key)
	v := n.last
	switch {
	case v == nil && !t.cleared(key, everything):
		t.write(n, kindAdd, t.arena.copyOf(operand), nil, 0)
	case v == nil, v.kind == kindClear:
		t.write(n, kindSet, t.arena.copyOf(operand), nil, 0)
	case v.kind == kindSet:
		t.write(n, kindSet, t.sum(v.value, operand), nil, 0)
	case v.kind == kindAdd && len(operand) <= len(v.value):
		// Cutting the value after or before the earlier add is the same.
		if v.epoch == t.epoch {
			t.size -= t.cost(n.key, v)
			v.value = v.value[:len(operand):len(operand)]
			addTo(v.value, operand)
			t.size += t.cost(n.key, v)
			return
		}
		t.write(n, kindAdd, t.sum(v.value, operand), v.under, 0)
	default:
		// A wider add lets a carry go on that the narrower one would have
		// lost, and a stamped value isn't known yet: both stay below.
		if v.epoch == t.epoch {
			under := t.olds.alloc()
			*under = *v
			v = under
		}
		t.write(n, kindAdd, t.arena.copyOf(operand), v, 0)
	}
}

// sum returns value, cut or extended to the operand's length, plus the operand.
func (t *Tx) sum(value, operand []byte) []byte {
	out := t.arena.copyOf(operand)
	addTo(out, value[:min(len(value), len(operand))])
	return out
}

// node returns the key's node, new if need be.
func (t *Tx) node(key []byte) *node {
	n, hash, slot := t.keys.place(key)
	if n == nil {
		n = t.nodes.alloc()
		n.key, n.hash = t.arena.copyOf(key), hash
		t.keys.put(slot, n)
		t.written = append(t.written, n)
	}
	return n
}

// write makes a new state of the node, within the running epoch.
func (t *Tx) write(n *node, k kind, value []byte, under *version, offset int) {
	v := n.last
	if v != nil {
		t.size -= t.cost(n.key, v)
	} else {
		t.effect++
	}
	if v == nil || v.epoch != t.epoch {
		t.dirty = true
		if len(t.marks)+len(t.savepoints) > 0 {
			t.undo = append(t.undo, undo{node: n})
		}
		prev := v
		if v = &n.first; v.epoch != 0 {
			v = t.olds.alloc()
		}
		v.epoch, v.prev = t.epoch, prev
		n.last = v
	}
	v.kind, v.value, v.under, v.offset = k, value, under, offset
	t.size += t.cost(n.key, v)
}

// cost is how many bytes a state adds to the transaction's size: the key and the value of
// the write, and the two keys of its conflict range.
func (t *Tx) cost(key []byte, v *version) int64 {
	c := 3*len(key) + len(v.value) + 1
	n := t.overhead
	for u := v.under; u != nil; u = u.under {
		c += len(key) + len(u.value)
		n += t.overhead
	}
	return int64(c) + n
}
