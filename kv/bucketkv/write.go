package bucketkv

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/sqlfdb/sqlfdb/kv"
)

// op is one write.
type op struct {
	kind       opKind
	key, value []byte // of a range: its start and its end
	offset     int
}

type opKind int

const (
	opSet opKind = iota
	opClear
	opClearRange
	opAdd
	opStampKey
	opStampValue
)

// stampOf is the versionstamp of a commit.
func stampOf(version int64) (stamp [kv.VersionstampSize]byte) {
	binary.BigEndian.PutUint64(stamp[:], uint64(version))
	return stamp
}

// filled is b with a stamp at an offset.
func filled(b []byte, offset int, stamp []byte) []byte {
	out := bytes.Clone(b)
	copy(out[offset:], stamp)
	return out
}

// apply changes pairs, and returns the written range. The stamp is nil before the commit.
func (o *op) apply(p *pairs, stamp []byte) kv.Range {
	key := o.key
	switch o.kind {
	case opSet:
		p.set(key, o.value)
	case opClear:
		p.clear(key)
	case opClearRange:
		r := kv.Range{Start: key, End: o.value}
		p.clearRange(r)
		return r
	case opAdd:
		p.add(key, o.value)
	case opStampKey:
		if stamp == nil {
			return kv.Range{}
		}
		key = filled(key, o.offset, stamp)
		p.set(key, o.value)
	case opStampValue:
		if stamp == nil {
			p.put(pair{key: key, value: o.value, pending: true})
			break
		}
		p.set(key, filled(o.value, o.offset, stamp))
	}
	return kv.PointRange(key)
}

// writes reports whether there is something to commit.
func (t *transaction) writes() bool { return len(t.ops) > 0 || len(t.conflicts) > 0 }

// write notes a write, whose slices it copies, or why it can't be made.
func (t *transaction) write(o op, err error) {
	if t.over.Load() != nil {
		return
	}
	if err != nil {
		if t.bad == nil {
			t.bad = err
		}
		return
	}
	o.key, o.value = bytes.Clone(o.key), bytes.Clone(o.value)
	t.size += int64(len(o.key) + len(o.value))
	t.ops = append(t.ops, o)
	if !t.own {
		return
	}
	if !t.copied {
		t.store.mu.Lock() // commits clone the same
		t.sees, t.copied = t.sees.clone(), true
		t.store.mu.Unlock()
	}
	o.apply(&t.sees, nil)
	if o.kind == opStampKey {
		first := filled(o.key, o.offset, make([]byte, kv.VersionstampSize))
		last := filled(o.key, o.offset, bytes.Repeat([]byte{0xff}, kv.VersionstampSize))
		t.pending = append(t.pending, kv.Range{Start: first, End: append(last, 0)})
	}
}

func checkPair(key, value []byte) error {
	if err := kv.CheckKey(key); err != nil {
		return err
	}
	return kv.CheckValue(value)
}

func checkStamp(within []byte, offset int) error {
	if offset < 0 || offset+kv.VersionstampSize > len(within) {
		return fmt.Errorf("%w: offset %d of %d bytes", kv.ErrBadOffset, offset, len(within))
	}
	return nil
}

// Set implements kv.Writer.
func (t *transaction) Set(key, value []byte) {
	t.write(op{kind: opSet, key: key, value: value}, checkPair(key, value))
}

// Clear implements kv.Writer.
func (t *transaction) Clear(key []byte) { t.write(op{kind: opClear, key: key}, kv.CheckKey(key)) }

// ClearRange implements kv.Writer.
func (t *transaction) ClearRange(r kv.Range) {
	err := kv.CheckRange(r)
	if r = r.Clip(); err == nil && bytes.Equal(r.Start, r.End) {
		return
	}
	t.write(op{kind: opClearRange, key: r.Start, value: r.End}, err)
}

// Add implements kv.Writer.
func (t *transaction) Add(key, operand []byte) {
	t.write(op{kind: opAdd, key: key, value: operand}, checkPair(key, operand))
}

// SetVersionstampedKey implements kv.Writer.
func (t *transaction) SetVersionstampedKey(key []byte, offset int, value []byte) {
	err := checkPair(key, value)
	if err == nil {
		err = checkStamp(key, offset)
	}
	t.write(op{kind: opStampKey, key: key, value: value, offset: offset}, err)
}

// SetVersionstampedValue implements kv.Writer.
func (t *transaction) SetVersionstampedValue(key, value []byte, offset int) {
	err := checkPair(key, value)
	if err == nil {
		err = checkStamp(value, offset)
	}
	t.write(op{kind: opStampValue, key: key, value: value, offset: offset}, err)
}

// AddWriteConflict implements kv.Transaction.
func (t *transaction) AddWriteConflict(r kv.Range) {
	if bytes.Compare(r.Start, r.End) >= 0 || t.over.Load() != nil {
		return
	}
	t.conflicts = append(t.conflicts, kv.Range{Start: bytes.Clone(r.Start), End: bytes.Clone(r.End)})
	t.size += int64(len(r.Start) + len(r.End))
}
