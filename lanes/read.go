package lanes

import (
	"fmt"
	"slices"
	"sync"

	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
)

// block is a block as the transaction sees it, without its own adds. It is being read.
type block struct {
	kindsAt, sumsAt kv.FutureValue

	once  sync.Once
	kinds kinds
	sums  []byte
	err   error
}

func (b *block) read() error {
	b.once.Do(func() {
		raw, err := b.kindsAt.Get()
		if err == nil {
			b.kinds, err = kindsOf(raw)
		}
		if err == nil {
			b.sums, err = b.sumsAt.Get()
		}
		if err == nil && b.sums != nil && len(b.sums) != blockWidth {
			err = fmt.Errorf("lanes: the sums of a block are %d bytes", len(b.sums))
		}
		b.err = err
	})
	return b.err
}

// block begins to read a block, once.
func (t *transaction) block(id keyspace.Block) *block {
	t.mu.Lock()
	defer t.mu.Unlock()
	b := t.blocks[id]
	if b == nil {
		b = &block{kindsAt: t.snapshot.Get(id.Kinds()), sumsAt: t.snapshot.Get(id.Sums())}
		if t.blocks == nil {
			t.blocks = map[keyspace.Block]*block{}
		}
		t.blocks[id] = b
	}
	return b
}

// isVoid reports whether the lanes of a counter don't count, since the transaction has set or cleared it and reads
// its own writes.
func (t *transaction) isVoid(key []byte) bool {
	return t.ownWrites && slices.ContainsFunc(t.voided, func(r kv.Range) bool { return holds(r, key) })
}

// counter is a counter whose parts are being read.
type counter struct {
	own   kv.FutureValue // the value at its key
	block *block
	lane  int
	is    keyspace.Counter
}

// Get implements kv.FutureValue.
func (c *counter) Get() ([]byte, error) {
	own, err := c.own.Get()
	if err == nil {
		err = c.block.read()
	}
	if err != nil {
		return nil, err
	}
	if !c.block.kinds.counts(c.is, c.lane) {
		return own, nil
	}
	return sumOf(own, laneOf(c.block.sums, c.lane)), nil
}

// sumOf adds up the two parts of a counter. A value at a counter's key that is no counter's stays as it is.
func sumOf(own []byte, lane count) []byte {
	if lane.isZero() || own != nil && len(own) != width {
		return own
	}
	if own != nil {
		lane.add((*count)(own))
	}
	return lane[:]
}

// reader is the transaction's reads, with or without conflicts.
type reader struct {
	t         *transaction
	base      kv.Reader
	conflicts bool
}

func (t *transaction) reads() reader { return reader{t, t.Transaction, true} }

// Get implements kv.Reader.
func (t *transaction) Get(key []byte) kv.FutureValue { return t.reads().Get(key) }

// Range implements kv.Reader.
func (t *transaction) Range(r kv.Range, opts kv.RangeOptions) kv.Iterator {
	return t.reads().Range(r, opts)
}

// Snapshot implements kv.Transaction.
func (t *transaction) Snapshot() kv.Reader { return reader{t, t.snapshot, false} }

// EstimateSize implements kv.Reader.
func (r reader) EstimateSize(of kv.Range) kv.FutureInt64 { return r.base.EstimateSize(of) }

// Get implements kv.Reader.
func (r reader) Get(key []byte) kv.FutureValue {
	c, ok := keyspace.CounterOf(key)
	if !ok {
		return r.base.Get(key)
	}
	if r.conflicts {
		r.t.rest(kv.PointRange(key))
	}
	own := r.base.Get(key)
	if r.t.isVoid(key) {
		return own
	}
	id, lane := c.Lane()
	return &counter{own: own, block: r.t.block(id), lane: lane, is: c}
}

// rest notes that the transaction rests on the counters in a range.
func (t *transaction) rest(r kv.Range) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rests = append(t.rests, r)
}

// AddReadConflict implements kv.Transaction.
func (t *transaction) AddReadConflict(r kv.Range) {
	if kv.CheckRange(r) == nil && keyspace.MayHoldCounters(r) {
		t.rest(kv.Range{Start: slices.Clone(r.Start), End: slices.Clone(r.End)})
	}
	t.Transaction.AddReadConflict(r)
}

// Range implements kv.Reader.
func (r reader) Range(of kv.Range, opts kv.RangeOptions) kv.Iterator {
	if kv.CheckRange(of) != nil || !keyspace.MayHoldCounters(of) {
		return r.base.Range(of, opts)
	}
	return r.iterate(of, opts)
}
