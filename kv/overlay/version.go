package overlay

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
)

// kind is the kind of change that a version makes to its key.
type kind uint8

const (
	kindSet          kind = iota // value
	kindClear                    // nothing there
	kindAdd                      // value, an operand, added to under or else to the store's value
	kindStampedValue             // value with a versionstamp at offset
	kindStampedKey               // of a template: value
	kindStampedEarly             // of a template: value, to be written before the clears
)

// version is the state of a key after an epoch that wrote it. Once the epoch has ended it
// doesn't change any more.
type version struct {
	epoch  uint64
	prev   *version // of an earlier epoch
	value  []byte
	under  *version // of kindAdd: a change that could not be folded; an add of fewer bytes or a stamped value
	offset int
	kind   kind
}

// node is one key that has been written, or one template.
type node struct {
	key   []byte
	hash  uint64
	last  *version // newest; nil when all was undone
	first version  // memory for the first version, to save an allocation
}

// visible returns the version that a reader at the epoch sees, or nil.
func (n *node) visible(asOf uint64) *version {
	v := n.last
	for v != nil && v.epoch > asOf {
		v = v.prev
	}
	return v
}

// isNothing reports whether v is an add that changes nothing: a total of zero over the store's value.
func (v *version) isNothing() bool {
	if v.kind != kindAdd || v.under != nil || len(v.value) == 0 {
		return false
	}
	for _, b := range v.value {
		if b != 0 {
			return false
		}
	}
	return true
}

// overStamp reports whether v adds to a versionstamped value, and so not to the store's.
func (v *version) overStamp() bool {
	for v.kind == kindAdd && v.under != nil {
		v = v.under
	}
	return v.kind == kindStampedValue
}

// apply returns the key's value after v; value is the store's, nil when the key is absent
// there. v is no clear. The result is new memory, or value or v's own.
func (v *version) apply(value []byte) []byte {
	if v.kind != kindAdd {
		return v.value
	}
	if v.isNothing() {
		return value
	}
	if v.under != nil {
		value = v.under.apply(value)
	}
	sum := make([]byte, len(v.value))
	copy(sum, value)
	addTo(sum, v.value)
	return sum
}

// frozen returns a copy of v, an add, whose total doesn't grow.
func (v *version) frozen() *version {
	c := *v
	c.value = append([]byte{}, v.value...)
	return &c
}

// addTo adds b to a, little-endian integers, a being at least as long as b. A carry beyond
// a is lost.
func addTo(a, b []byte) {
	var carry uint64
	i := 0
	for ; i+8 <= len(b); i += 8 {
		var sum uint64
		sum, carry = bits.Add64(binary.LittleEndian.Uint64(a[i:]), binary.LittleEndian.Uint64(b[i:]), carry)
		binary.LittleEndian.PutUint64(a[i:], sum)
	}
	for ; i < len(b); i++ {
		sum := uint64(a[i]) + uint64(b[i]) + carry
		a[i], carry = byte(sum), sum>>8
	}
	for ; carry != 0 && i < len(a); i++ {
		sum := uint64(a[i]) + carry
		a[i], carry = byte(sum), sum>>8
	}
}

// arena keeps copies of keys and values in large pieces, so that the garbage
// collector has few of them to look at.
type arena struct{ chunk []byte }

const (
	firstChunk = 1 << 10
	maxChunk   = 256 << 10
)

// copyOf returns a copy of b, never nil.
func (a *arena) copyOf(b []byte) []byte {
	out := a.alloc(len(b))
	copy(out, b)
	return out
}

func (a *arena) alloc(n int) []byte {
	if n > cap(a.chunk)-len(a.chunk) {
		if n > maxChunk/8 {
			return make([]byte, n)
		}
		a.chunk = make([]byte, 0, max(min(2*cap(a.chunk), maxChunk), firstChunk, n))
	}
	start := len(a.chunk)
	a.chunk = a.chunk[:start+n]
	return a.chunk[start : start+n : start+n]
}

// slab allocates values of one type in large pieces, for the same reason.
type slab[T any] struct{ free []T }

func (s *slab[T]) alloc() *T {
	if len(s.free) == cap(s.free) {
		s.free = make([]T, 0, max(min(2*cap(s.free), 512), 8))
	}
	s.free = s.free[:len(s.free)+1]
	return &s.free[len(s.free)-1]
}

// table finds nodes by key: open addressing, at most two thirds full, nothing is ever removed.
type table struct {
	slots []*node
	count int
}

// seed is one for the process: tables don't outlive it.
var seed = maphash.MakeSeed()

func (t *table) find(key []byte) *node {
	if t.count == 0 {
		return nil
	}
	return t.slots[t.slot(key, maphash.Bytes(seed, key))]
}

// slot is the place of the key, or the free place where it belongs.
func (t *table) slot(key []byte, hash uint64) int {
	mask := len(t.slots) - 1
	i := int(hash) & mask
	for n := t.slots[i]; n != nil && (n.hash != hash || !bytes.Equal(n.key, key)); n = t.slots[i] {
		i = (i + 1) & mask
	}
	return i
}

// place is find for a key that is about to be written: it returns the node,
// or nil and where to put one.
func (t *table) place(key []byte) (n *node, hash uint64, slot int) {
	if 3*t.count >= 2*len(t.slots) {
		t.grow()
	}
	hash = maphash.Bytes(seed, key)
	slot = t.slot(key, hash)
	return t.slots[slot], hash, slot
}

func (t *table) put(slot int, n *node) {
	t.slots[slot] = n
	t.count++
}

func (t *table) grow() {
	old := t.slots
	t.slots = make([]*node, max(16, 2*len(old)))
	mask := len(t.slots) - 1
	for _, n := range old {
		if n == nil {
			continue
		}
		i := int(n.hash) & mask
		for t.slots[i] != nil {
			i = (i + 1) & mask
		}
		t.slots[i] = n
	}
}
