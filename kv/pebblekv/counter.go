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
}

type counter struct{ value []byte } // empty when the key is absent: the sum is the same

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

// add returns the sum that is to be written for a key that load has seen.
func (c *counters) add(key, operand []byte) []byte {
	n := c.values[string(key)]
	n.value = addLittleEndian(n.value, operand)
	return n.value
}

// put tells of a set, or with a nil value of a clear.
func (c *counters) put(key, value []byte) {
	if len(c.values) == 0 {
		return
	}
	if n, ok := c.values[string(key)]; ok {
		n.value = append(n.value[:0:0], value...)
	}
}

// clear tells of a cleared range.
func (c *counters) clear(start, end []byte) {
	for key, n := range c.values {
		if key >= string(start) && key < string(end) {
			n.value = nil
		}
	}
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
