package lanes

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
)

// fewest is how many counters of a block a transaction changes at the least when it adds to the block: fewer cost less
// one by one.
const fewest = 4

// Commit implements kv.Transaction.
func (t *transaction) Commit() error {
	if t.wrote {
		if err := t.prepare(); err != nil {
			t.Cancel()
			return fmt.Errorf("lanes: commit: %w", err)
		}
	}
	return t.Transaction.Commit()
}

// blockAdds are a transaction's adds to the lanes of blocks.
type blockAdds map[keyspace.Block]*[keyspace.LanesPerBlock]count

// add adds to a lane.
func (a blockAdds) add(b keyspace.Block, lane int, sum *count) {
	lanes := a[b]
	if lanes == nil {
		lanes = new([keyspace.LanesPerBlock]count)
		a[b] = lanes
	}
	lanes[lane].add(sum)
}

// prepare gives the gathered adds to the transaction below.
func (t *transaction) prepare() error {
	into := blockAdds{}
	if err := t.emptyLanes(into); err != nil {
		return err
	}
	awaited, err := t.restOnLanes()
	if err != nil {
		return err
	}
	t.addAll(into, awaited)
	for b, lanes := range into {
		t.Transaction.Add(b.Sums(), operand(lanes))
	}
	return nil
}

// addAll adds to the counters. Where that costs less, adds to counters with lanes go into the adds to blocks instead.
func (t *transaction) addAll(into blockAdds, awaited map[keyspace.Block]bool) {
	together := t.together(awaited)
	var unseen []kv.Range // counters that change without a write among the entries to show it
	for i := range t.adds {
		a := &t.adds[i]
		if a.sum.isZero() {
			continue
		}
		b, lane := a.to.Lane()
		if k := together[b]; k == nil || !k.counts(a.to, lane) {
			t.Transaction.Add(a.to.Key(), a.sum[:])
			continue
		}
		into.add(b, lane, &a.sum)
		if _, ok := t.entries[a.to.Keypath()]; !ok {
			unseen = append(unseen, a.to.Watched())
		}
	}
	for _, r := range kv.Coalesce(unseen) {
		t.Transaction.AddWriteConflict(r)
	}
}

// together returns the blocks of which the transaction changes enough counters, and sees to it that their lanes have
// kinds. Where that fails they count at their keys. It leaves out the blocks whose kinds the transaction waits for: it
// would conflict with itself.
func (t *transaction) together(awaited map[keyspace.Block]bool) map[keyspace.Block]*kinds {
	if len(t.adds) < fewest || t.Size() > kv.MaxTransactionSize/2 {
		return nil // adds to blocks may weigh more
	}
	many := map[keyspace.Block]int{}
	for i := range t.adds {
		if a := &t.adds[i]; !a.sum.isZero() {
			b, _ := a.to.Lane()
			many[b]++
		}
	}
	out := map[keyspace.Block]*kinds{}
	for b, n := range many {
		if n >= fewest && !t.cleared(b.Index) {
			out[b] = t.store.knows(b)
		}
	}
	if lacking := t.lacking(out, awaited); len(lacking) > 0 && t.store.assign(t.ctx, lacking) == nil {
		for b := range out {
			out[b] = t.store.knows(b)
		}
	}
	t.dropSparse(out)
	return out
}

// dropSparse leaves out the blocks whose lanes count too few of the kinds that the transaction adds to.
func (t *transaction) dropSparse(blocks map[keyspace.Block]*kinds) {
	stand := map[keyspace.Block]int{}
	for i := range t.adds {
		a := &t.adds[i]
		b, lane := a.to.Lane()
		if k := blocks[b]; k != nil && k.counts(a.to, lane) && !a.sum.isZero() {
			stand[b]++
		}
	}
	for b := range blocks {
		if stand[b] < fewest {
			delete(blocks, b)
		}
	}
}

// lacking returns the counters in these blocks that the transaction adds to and whose lanes have no kind.
func (t *transaction) lacking(blocks map[keyspace.Block]*kinds,
	awaited map[keyspace.Block]bool) (out []keyspace.Counter) {
	for i := range t.adds {
		a := &t.adds[i]
		b, lane := a.to.Lane()
		if k := blocks[b]; k != nil && k.lacks(a.to, lane) && !a.sum.isZero() && !awaited[b] {
			out = append(out, a.to)
		}
	}
	return out
}

// cleared reports whether the transaction has cleared the blocks of an index.
func (t *transaction) cleared(i keyspace.Index) bool {
	lanes := i.Lanes()
	return slices.ContainsFunc(t.wholes, func(r kv.Range) bool {
		return bytes.Compare(r.Start, lanes.Start) <= 0 && bytes.Compare(r.End, lanes.End) >= 0
	})
}

// emptyLanes sets to zero the lanes of counters that the transaction has set or cleared, and makes it conflict with
// adds to them.
func (t *transaction) emptyLanes(into blockAdds) error {
	of := map[keyspace.Index]kv.Iterator{}
	for _, p := range t.partly {
		if of[p.Index] == nil && !t.cleared(p.Index) {
			of[p.Index] = t.readLanes(p.Index)
		}
	}
	for i, it := range of {
		lanes, err := lanesIn(it)
		it.Close()
		if err != nil {
			return err
		}
		for _, l := range lanes {
			key := l.is.Key()
			if !slices.ContainsFunc(t.partly, func(p part) bool { return p.Index == i && holds(p.Range, key) }) {
				continue
			}
			b, lane := l.is.Lane()
			less := l.count.negated()
			into.add(b, lane, &less)
			t.Transaction.AddWriteConflict(kv.PointRange(key))
		}
	}
	for _, p := range t.partly {
		if of[p.Index] != nil {
			t.AddReadConflict(p.Range)
		}
	}
	return nil
}

// restOnLanes makes the transaction conflict with adds to lanes that it rests on. It returns the blocks of the
// counters that it rests on and that have no lane yet.
func (t *transaction) restOnLanes() (awaited map[keyspace.Block]bool, err error) {
	t.mu.Lock()
	for it := range t.walks {
		t.rests = append(t.rests, it.covered())
	}
	rests := kv.Coalesce(t.rests)
	t.rests = nil
	t.mu.Unlock()
	var singles []single
	for _, r := range rests {
		first, _ := keyspace.IndexOf(r.Start)
		last, _ := keyspace.IndexOf(r.End)
		singles = t.restIn(singles, first, r)
		if last != first {
			singles = t.restIn(singles, last, r)
		}
	}
	for _, s := range singles {
		b, lane := s.of.Lane()
		if err := s.read.read(); err != nil {
			return nil, err
		}
		if kind := s.read.kinds[lane]; kind == 0 {
			if awaited == nil {
				awaited = map[keyspace.Block]bool{}
			}
			awaited[b] = true
			t.Transaction.AddReadConflict(kv.PointRange(b.Kinds()))
		} else if holds(s.Range, b.At(lane, kind).Key()) {
			t.Transaction.AddReadConflict(s.of.Keypath().Entries())
		}
	}
	return awaited, nil
}

// single is a range of the counters of one keypath, of which one may have a lane.
type single struct {
	kv.Range
	of   keyspace.Counter // one of them
	read *block
}

// restIn makes the transaction conflict with adds to the lanes of an index's counters in a range. A range of one
// keypath's counters is appended to singles, for the caller to find that keypath's lane.
func (t *transaction) restIn(singles []single, i keyspace.Index, r kv.Range) []single {
	r = intersection(r, i.Counters())
	if i == (keyspace.Index{}) || bytes.Compare(r.Start, r.End) >= 0 {
		return singles
	}
	first, ok := keyspace.CounterOf(r.Start)
	last, okLast := keyspace.CounterOf(r.End[:len(r.End)-1]) // as it is in a point's range
	switch {
	case !ok:
		t.Transaction.AddReadConflict(i.Entries(0))
	case !okLast || last.Keypath() != first.Keypath():
		t.Transaction.AddReadConflict(i.Entries(max(0, first.Keypath().Number)))
	case !first.OfIndex():
		b, _ := first.Lane()
		singles = append(singles, single{r, first, t.block(b)})
	}
	return singles
}

func intersection(a, b kv.Range) kv.Range {
	if bytes.Compare(a.Start, b.Start) < 0 {
		a.Start = b.Start
	}
	if bytes.Compare(a.End, b.End) > 0 {
		a.End = b.End
	}
	return a
}
