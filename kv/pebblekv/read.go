package pebblekv

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"github.com/sqlfdb/sqlfdb/kv"
)

// value is a finished read: Pebble reads from the cache faster than a
// goroutine starts.
type value struct {
	value []byte
	err   error
}

func (v *value) Get() ([]byte, error) { return v.value, v.err }

type number struct {
	n   int64
	err error
}

func (n number) Get() (int64, error) { return n.n, n.err }

// snapshot is the view of a transaction whose reads cause no conflicts.
type snapshot struct{ t *transaction }

// Snapshot implements kv.Transaction.
func (t *transaction) Snapshot() kv.Reader { return snapshot{t} }

func (s snapshot) Get(key []byte) kv.FutureValue { return s.t.get(key, false) }

func (s snapshot) Range(r kv.Range, opts kv.RangeOptions) kv.Iterator {
	return s.t.iterate(r, opts, false)
}

func (s snapshot) EstimateSize(r kv.Range) kv.FutureInt64 { return s.t.EstimateSize(r) }

// Get implements kv.Reader.
func (t *transaction) Get(key []byte) kv.FutureValue { return t.get(key, true) }

// Range implements kv.Reader.
func (t *transaction) Range(r kv.Range, opts kv.RangeOptions) kv.Iterator {
	return t.iterate(r, opts, true)
}

func (t *transaction) get(key []byte, conflicts bool) *value {
	t.mu.RLock()
	defer t.mu.RUnlock()
	v, err := t.getLocked(key, conflicts)
	if err != nil {
		return &value{err: fmt.Errorf("pebblekv: get: %w", orDamaged(err))}
	}
	return &value{value: v}
}

func (t *transaction) getLocked(key []byte, conflicts bool) ([]byte, error) {
	if err := t.live(); err != nil {
		return nil, err
	}
	if bytes.Compare(key, kv.MaxKey) >= 0 {
		return nil, kv.ErrReservedKey
	}
	var operands [][]byte
	if t.own != nil {
		w, known, err := t.own.get(key)
		if err != nil {
			return nil, err
		}
		if known {
			if w.kind == ownSet {
				return present(w.value), nil
			}
			return nil, nil
		}
		operands = w.operands
	}
	if conflicts {
		t.addReadKey(key)
	}
	v, err := t.base(key)
	if err != nil {
		return nil, err
	}
	return sum(v, operands), nil
}

// sum applies the operands of pending adds in order.
func sum(v []byte, operands [][]byte) []byte {
	for _, o := range operands {
		v = addLittleEndian(v, o)
	}
	return v
}

func present(v []byte) []byte {
	if v == nil {
		return []byte{}
	}
	return v
}

// read copies a value out of an image: nil when it is absent.
func (m image) read(key []byte) ([]byte, error) {
	if v := m.sums.get(key); v != nil {
		return bytes.Clone(v), nil
	}
	return m.stored(key)
}

// stored is read of Pebble's keys only.
func (m image) stored(key []byte) ([]byte, error) {
	v, closer, err := m.snap.Get(key)
	if err != nil {
		if errors.Is(err, pebble.ErrNotFound) {
			return nil, nil
		}
		return nil, err
	}
	out := make([]byte, len(v))
	copy(out, v)
	return out, closer.Close()
}

const (
	estimateRows  = 32
	estimateBytes = 32 << 10
)

// EstimateSize implements kv.Reader. For large ranges it is the sum of their part of the
// files, scaled to the bytes written to these, and of a sample of the pairs in memory only.
// Where that is little, which may be a block that holds other keys, the range is measured
// up to a bound.
func (t *transaction) EstimateSize(r kv.Range) kv.FutureInt64 {
	n, err := t.estimate(r)
	if err != nil {
		return number{err: fmt.Errorf("pebblekv: estimate size: %w", err)}
	}
	return number{n: n}
}

func (t *transaction) estimate(r kv.Range) (int64, error) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if err := t.live(); err != nil {
		return 0, err
	}
	if err := kv.CheckRange(r); err != nil {
		return 0, err
	}
	r = r.Clip()
	if bytes.Equal(r.Start, r.End) {
		return 0, nil
	}
	disk, err := t.store.db.EstimateDiskUsage(r.Start, r.End)
	if err != nil {
		return 0, err
	}
	n := t.store.unflushed.scale(int64(disk)) + t.store.unflushed.estimate(r)
	if n >= estimateBytes {
		return n, nil
	}
	counted, whole, err := t.measure(r)
	if err != nil || whole {
		return counted, err
	}
	return max(counted, n), nil
}

// measure counts the bytes of a range up to a bound; whole reports that it has reached its end.
func (t *transaction) measure(r kv.Range) (counted int64, whole bool, err error) {
	p, err := t.openPebble(r)
	if err != nil {
		return 0, false, err
	}
	sums := t.state.image.sums.within(r)
	ok := p.First()
	for rows := 0; ok && rows < estimateRows && counted < estimateBytes; ok = p.Next() {
		for len(sums) > 0 && bytes.Compare(sums[0].key, p.Key()) <= 0 {
			if !bytes.Equal(sums[0].key, p.Key()) {
				counted += int64(len(sums[0].key) + len(sums[0].value))
			}
			sums = sums[1:]
		}
		counted += int64(len(p.Key()))
		v, err := p.ValueAndErr()
		if err != nil {
			t.closePebble(p)
			return 0, false, err
		}
		counted += int64(len(v))
		rows++
	}
	err = p.Error()
	t.closePebble(p)
	if err != nil || ok {
		return counted, false, err
	}
	for _, s := range sums {
		counted += int64(len(s.key) + len(s.value))
	}
	return counted, true, nil
}

const maxIdle = 2

// openPebble returns an unpositioned Pebble iterator over a range at this
// version; needs mu shared. closePebble takes it back.
func (t *transaction) openPebble(r kv.Range) (*pebble.Iterator, error) {
	if len(r.Start) == 0 {
		r.Start = nil // Pebble's own checks, in race builds, don't take an empty bound
	}
	t.readMu.Lock()
	if n := len(t.idle); n > 0 {
		p := t.idle[n-1]
		t.idle = t.idle[:n-1]
		t.idleUsed = true
		t.readMu.Unlock()
		p.SetBounds(r.Start, r.End)
		return p, nil
	}
	t.readMu.Unlock()
	if p := t.state.spare.take(&t.store.work, &t.state.spare.ranges); p != nil {
		p.SetBounds(r.Start, r.End)
		return p, nil
	}
	return t.state.image.snap.NewIter(&pebble.IterOptions{LowerBound: r.Start, UpperBound: r.End})
}

func (t *transaction) closePebble(p *pebble.Iterator) {
	if p.Error() == nil {
		t.readMu.Lock()
		if len(t.idle) < maxIdle {
			t.idle = append(t.idle, p)
			t.idleUsed = true
			t.readMu.Unlock()
			return
		}
		t.readMu.Unlock()
	}
	t.store.closeIterators(t.work, p)
}
