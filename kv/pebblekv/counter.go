package pebblekv

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"
)

// maxCounters bounds how many values are kept from one group to the next.
const maxCounters = 8192

// counters holds the newest values of keys that were added to, committed or about to be, so
// that an add need not read the last one's result. Resolve is the only writer of the store,
// so they are not stale. Sums that are not written to their keys yet are in the journal and
// in now. Not safe for concurrent use.
type counters struct {
	values  map[string]*counter
	fresh   []*counter // loaded for the group that is being built
	touched []*counter // by that group
	now     *pending   // after the group before; immutable
	journal journal
}

type counter struct {
	key   string
	value []byte // empty when the key is absent: the sum is the same
	slot  int    // in now, -1: none yet
	// added: the group's last change of it was an add. held: now has its value. listed: it is
	// in touched.
	added, held, listed bool
}

func (c *counters) init(foldAfter int) {
	c.values = map[string]*counter{}
	c.now = &pending{slots: &slots{}}
	c.journal.foldAfter = foldAfter
}

// load makes the values of all keys that a group adds to available, as they
// are before the group.
func (c *counters) load(db *pebble.DB, group []*request) error {
	for _, q := range group {
		for i := range q.ops {
			o := &q.ops[i]
			if o.kind != opAdd {
				continue
			}
			if _, ok := c.values[string(o.key)]; ok {
				continue
			}
			n := &counter{key: string(o.key), slot: -1}
			v, closer, err := db.Get(o.key)
			switch {
			case err == nil:
				n.value = bytes.Clone(v)
				closer.Close()
			case !errors.Is(err, pebble.ErrNotFound):
				return fmt.Errorf("key %x: %w", o.key, err)
			}
			c.values[n.key] = n
			c.fresh = append(c.fresh, n)
		}
	}
	return nil
}

// add adds to a key that load has seen. The sum is written by flush: members of
// a group that add to one key write it once.
func (c *counters) add(key, operand []byte) {
	n := c.values[string(key)]
	n.value = addWithin(n.value, operand)
	n.added = true
	c.touch(n)
}

func (c *counters) touch(n *counter) {
	if !n.listed {
		n.listed = true
		c.touched = append(c.touched, n)
	}
}

// put records a set, or with a nil value a clear.
func (c *counters) put(key, value []byte) {
	if len(c.values) == 0 {
		return
	}
	if n, ok := c.values[string(key)]; ok {
		c.replace(n, value)
	}
}

func (c *counters) replace(n *counter, value []byte) {
	n.value, n.added = append(n.value[:0], value...), false
	c.touch(n)
}

// clear records a cleared range.
func (c *counters) clear(start, end []byte) {
	for _, n := range c.fresh {
		if n.key >= string(start) && n.key < string(end) {
			c.replace(n, nil)
		}
	}
	for _, at := range c.now.slots.within(start, end) {
		c.replace(c.values[at.key], nil)
	}
}

// flush writes the sums of a group that nothing after them has replaced: to the
// journal, or, now and then, all that are pending to their keys.
func (c *counters) flush(b *pebble.Batch, version int64) error {
	if len(c.touched) == 0 && len(c.fresh) == 0 {
		return nil
	}
	c.now = c.now.extended(c.fresh)
	clear(c.fresh)
	c.fresh = c.fresh[:0]
	var err error
	if record, ok := c.journal.record(c.touched, version); ok && len(c.values) <= maxCounters {
		c.now = c.now.changed(c.touched, record)
		err = c.journal.write(b, record)
	} else {
		err = c.fold(b, version)
	}
	for _, n := range c.touched {
		n.held = n.added
		n.added, n.listed = false, false
	}
	clear(c.touched)
	c.touched = c.touched[:0]
	return err
}

// fold writes all pending sums to their keys.
func (c *counters) fold(b *pebble.Batch, version int64) error {
	for _, n := range c.values {
		if n.added || n.held && !n.listed {
			if err := b.Set([]byte(n.key), n.value, nil); err != nil {
				return err
			}
		}
		n.added, n.held = false, false
	}
	c.now = &pending{slots: c.now.slots}
	if len(c.values) > maxCounters {
		clear(c.values)
		c.now = &pending{slots: &slots{}}
	}
	return c.journal.folded(b, version)
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
