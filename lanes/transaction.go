package lanes

import (
	"bytes"
	"context"
	"sync"

	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
)

// transaction is a transaction that reads counters in both their parts, and gathers the adds to them until it commits.
// One that sees its own writes adds at the counters' keys, where it sees them.
type transaction struct {
	kv.Transaction
	store     *Store
	ctx       context.Context
	snapshot  kv.Reader // of Transaction
	ownWrites bool

	mu     sync.Mutex
	blocks map[keyspace.Block]*block
	rests  []kv.Range         // reads with conflicts that may have met counters
	walks  map[*iterator]bool // the same, as far as these iterators have got

	// Writes, from one goroutine.
	wrote   bool
	adds    []add                         // one for each counter
	addOf   map[keyspace.Counter]int      // where it is among them
	size    int64                         // of adds, as if they were given to Transaction
	entries map[keyspace.Keypath]struct{} // keypaths whose entries have been written
	voided  []kv.Range                    // where counters have been set or cleared
	wholes  []kv.Range                    // ranges that have been cleared with their lanes
	partly  []part                        // ranges whose lanes still stand
}

// add is a transaction's add to a counter.
type add struct {
	to  keyspace.Counter
	sum count
}

// part is a range of an index's counters.
type part struct {
	keyspace.Index
	kv.Range
}

var _ kv.Transaction = (*transaction)(nil)

// counterKey is about how long a counter's key is, in bytes.
const counterKey = 20

// Set implements kv.Writer.
func (t *transaction) Set(key, value []byte) {
	t.writes(key)
	t.Transaction.Set(key, value)
}

// Clear implements kv.Writer.
func (t *transaction) Clear(key []byte) {
	t.writes(key)
	t.Transaction.Clear(key)
}

// SetVersionstampedKey implements kv.Writer.
func (t *transaction) SetVersionstampedKey(key []byte, offset int, value []byte) {
	t.wrote = true
	t.Transaction.SetVersionstampedKey(key, offset, value)
}

// SetVersionstampedValue implements kv.Writer.
func (t *transaction) SetVersionstampedValue(key, value []byte, offset int) {
	t.writes(key)
	t.Transaction.SetVersionstampedValue(key, value, offset)
}

// AddWriteConflict implements kv.Transaction.
func (t *transaction) AddWriteConflict(r kv.Range) {
	t.wrote = true
	t.Transaction.AddWriteConflict(r)
}

// writes notes that a key is replaced.
func (t *transaction) writes(key []byte) {
	t.wrote = true
	if p, ok := keyspace.KeypathOf(key); ok {
		if t.entries == nil {
			t.entries = map[keyspace.Keypath]struct{}{}
		}
		t.entries[p] = struct{}{}
		return
	}
	if c, ok := keyspace.CounterOf(key); ok {
		r := kv.PointRange(key)
		t.forget(r)
		t.voided = append(t.voided, r)
		t.partly = append(t.partly, part{c.Index, r})
	}
}

// forget drops the adds to the counters of a range.
func (t *transaction) forget(r kv.Range) {
	for i := range t.adds {
		if a := &t.adds[i]; holds(r, a.to.Key()) {
			a.sum = count{}
		}
	}
}

func holds(r kv.Range, key []byte) bool {
	return bytes.Compare(key, r.Start) >= 0 && bytes.Compare(key, r.End) < 0
}

func (t *transaction) weight() int64 { return 3*counterKey + width + 1 + t.Transaction.Overhead() }

// Add implements kv.Writer.
func (t *transaction) Add(key, operand []byte) {
	t.wrote = true
	c, ok := keyspace.CounterOf(key)
	if !ok || t.ownWrites || len(operand) != width {
		t.Transaction.Add(key, operand)
		return
	}
	i, ok := t.addOf[c]
	if !ok {
		if t.addOf == nil {
			t.addOf = make(map[keyspace.Counter]int, 2*keyspace.LanesPerBlock)
			t.adds = make([]add, 0, keyspace.LanesPerBlock)
		}
		i = len(t.adds)
		t.addOf[c] = i
		t.adds = append(t.adds, add{to: c})
		t.size += t.weight()
	}
	t.adds[i].sum.add((*count)(operand))
}

// ClearRange implements kv.Writer. Of a block it clears the lanes of the counters in the range.
func (t *transaction) ClearRange(r kv.Range) {
	t.wrote = true
	if kv.CheckRange(r) != nil || !keyspace.MayHoldCounters(r) {
		t.Transaction.ClearRange(r)
		return
	}
	r = kv.Range{Start: bytes.Clone(r.Start), End: bytes.Clone(r.End)}
	t.forget(r)
	t.voided = append(t.voided, r)
	first, at := keyspace.IndexOf(r.Start)
	if at == keyspace.PartLanes {
		// A caller that knows of no blocks means all counters.
		r.Start = first.Lanes().Start
	}
	last, end := keyspace.IndexOf(r.End)
	if at != keyspace.PartOther || end != keyspace.PartOther {
		t.Transaction.AddWriteConflict(r) // including the parts that are left out below
	}
	if at == keyspace.PartCounters && (end == keyspace.PartOther || last != first) {
		t.clearPart(first, kv.Range{Start: r.Start, End: first.Counters().End})
		r.Start = first.Counters().End
	}
	if end == keyspace.PartOther {
		t.clearWhole(r)
		return
	}
	lanes := last.Lanes()
	if bytes.Compare(r.Start, lanes.Start) < 0 {
		t.clearWhole(kv.Range{Start: r.Start, End: lanes.Start})
		r.Start = lanes.Start
	}
	if end == keyspace.PartCounters {
		if bytes.Compare(r.Start, lanes.End) < 0 {
			r.Start = lanes.End
		}
		t.clearPart(last, r)
	}
}

// clearWhole clears a range in which no index has a part of its counters.
func (t *transaction) clearWhole(r kv.Range) {
	t.Transaction.ClearRange(r)
	t.wholes = append(t.wholes, r)
}

// clearPart clears counters of an index whose lanes stay.
func (t *transaction) clearPart(i keyspace.Index, r kv.Range) {
	if bytes.Compare(r.Start, r.End) < 0 {
		t.Transaction.ClearRange(r)
		t.partly = append(t.partly, part{i, r})
	}
}

// Size implements kv.Transaction.
func (t *transaction) Size() int64 { return t.Transaction.Size() + t.size }
