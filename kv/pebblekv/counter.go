package pebblekv

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"
)

// maxCounters bounds how many values are kept from one group to the next.
const maxCounters = 8192

// counters holds the newest values of keys that were added to, committed or
// about to be, so that an add need not read what the last one wrote. Resolve
// is the only writer of the store, so they are never stale. Not safe for
// concurrent use.
type counters struct {
	values map[string]*counter
	added  []added // since the last flush
}

type counter struct {
	value []byte // empty when the key is absent: the sum is the same
	// pending: the value is in no batch yet. listed: it is among those added.
	pending, listed bool
}

type added struct {
	key []byte
	to  *counter
}

func (c *counters) init() { c.values = map[string]*counter{} }

// load makes the values of all keys that a group adds to available, as they
// are before the group.
func (c *counters) load(db *pebble.DB, group []*request) error {
	if len(c.values) > maxCounters {
		clear(c.values)
	}
	for _, q := range group {
		for i := range q.ops {
			o := &q.ops[i]
			if o.kind != opAdd {
				continue
			}
			if _, ok := c.values[string(o.key)]; ok {
				continue
			}
			n := &counter{}
			v, closer, err := db.Get(o.key)
			switch {
			case err == nil:
				n.value = bytes.Clone(v)
				closer.Close()
			case !errors.Is(err, pebble.ErrNotFound):
				return fmt.Errorf("key %x: %w", o.key, err)
			}
			c.values[string(o.key)] = n
		}
	}
	return nil
}

// add adds to a key that load has seen. The sum is written by flush: members of
// a group that add to one key write it once.
func (c *counters) add(key, operand []byte) {
	n := c.values[string(key)]
	n.value = addWithin(n.value, operand)
	n.pending = true
	if !n.listed {
		n.listed = true
		c.added = append(c.added, added{key, n})
	}
}

// flush writes the sums that nothing after them has replaced.
func (c *counters) flush(b *pebble.Batch) error {
	for _, x := range c.added {
		if x.to.pending {
			if err := b.Set(x.key, x.to.value, nil); err != nil {
				return err
			}
		}
		x.to.pending, x.to.listed = false, false
	}
	clear(c.added)
	c.added = c.added[:0]
	return nil
}

// put tells of a set, or with a nil value of a clear.
func (c *counters) put(key, value []byte) {
	if len(c.values) == 0 {
		return
	}
	if n, ok := c.values[string(key)]; ok {
		n.value, n.pending = append(n.value[:0], value...), false
	}
}

// clear tells of a cleared range.
func (c *counters) clear(start, end []byte) {
	for key, n := range c.values {
		if key >= string(start) && key < string(end) {
			n.value, n.pending = nil, false
		}
	}
}

// addWithin is addLittleEndian in base's own memory, where that is large enough.
func addWithin(base, operand []byte) []byte {
	had := min(len(base), len(operand))
	sum := append(base[:had], operand[had:]...)
	carry := 0
	for i := range sum {
		n := int(sum[i]) + carry
		if i < had {
			n += int(operand[i])
		}
		sum[i] = byte(n)
		carry = n >> 8
	}
	return sum
}

// addLittleEndian returns base + operand modulo 256^len(operand), both
// little-endian; base is cut or zero-extended to the operand's length.
func addLittleEndian(base, operand []byte) []byte {
	sum := make([]byte, len(operand))
	carry := 0
	for i := range operand {
		n := int(operand[i]) + carry
		if i < len(base) {
			n += int(base[i])
		}
		sum[i] = byte(n)
		carry = n >> 8
	}
	return sum
}
