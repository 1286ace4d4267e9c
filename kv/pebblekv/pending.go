package pebblekv

import (
	"bytes"
	"cmp"
	"slices"
	"sort"

	"github.com/cockroachdb/pebble/v2"

	"github.com/sqlfdb/sqlfdb/kv"
)

// An image is the store's content at one version: Pebble's keys, and over them the sums
// that are in the journal only.
type image struct {
	snap *pebble.Snapshot
	sums *pending
}

// pending is the sums of added keys that are in no key of their own yet, at
// one version. It is immutable: each group makes the next one, which shares with
// it all chunks that the group has not changed.
type pending struct {
	slots  *slots
	chunks []*chunk // by slot; nil: no value in any of its slots
}

// chunk is the values of neighbouring slots, nil where Pebble has the value.
type chunk [chunkSlots][]byte

const chunkSlots = 32

// slots gives each key that is added to a place in a pending, in the order in
// which they were first added to. It is immutable too.
type slots struct {
	sorted []slot // by key
}

type slot struct {
	key string
	at  int
}

// within is the slots of the keys in [start, end).
func (s *slots) within(start, end []byte) []slot {
	from := sort.Search(len(s.sorted), func(i int) bool { return s.sorted[i].key >= string(start) })
	n := sort.Search(len(s.sorted)-from, func(i int) bool { return s.sorted[from+i].key >= string(end) })
	return s.sorted[from : from+n]
}

// extended has slots for more counters, which are given them.
func (p *pending) extended(fresh []*counter) *pending {
	if len(fresh) == 0 {
		return p
	}
	sorted := make([]slot, len(p.slots.sorted), len(p.slots.sorted)+len(fresh))
	copy(sorted, p.slots.sorted)
	for _, n := range fresh {
		n.slot = len(sorted)
		sorted = append(sorted, slot{n.key, n.slot})
	}
	slices.SortFunc(sorted, func(a, b slot) int { return cmp.Compare(a.key, b.key) })
	return &pending{&slots{sorted}, p.chunks}
}

// changed is the sums after a group, whose record in the journal is where their
// bytes are.
func (p *pending) changed(touched []*counter, r *record) *pending {
	next := &pending{p.slots, make([]*chunk, (len(p.slots.sorted)+chunkSlots-1)/chunkSlots)}
	copy(next.chunks, p.chunks)
	for i, n := range touched {
		value := r.values[i]
		if value == nil && !n.held {
			continue
		}
		at := n.slot / chunkSlots
		switch of := next.chunks[at]; {
		case of == nil:
			next.chunks[at] = &chunk{}
		case at < len(p.chunks) && of == p.chunks[at]:
			own := *of
			next.chunks[at] = &own
		}
		next.chunks[at][n.slot%chunkSlots] = value
	}
	return next
}

// value is the sum at a slot, nil when Pebble has it.
func (p *pending) value(slot int) []byte {
	if at := slot / chunkSlots; at < len(p.chunks) && p.chunks[at] != nil {
		return p.chunks[at][slot%chunkSlots]
	}
	return nil
}

// get is the sum of a key, nil when Pebble has it.
func (p *pending) get(key []byte) []byte {
	if len(p.chunks) == 0 {
		return nil
	}
	sorted := p.slots.sorted
	i := sort.Search(len(sorted), func(i int) bool { return sorted[i].key >= string(key) })
	if i == len(sorted) || sorted[i].key != string(key) {
		return nil
	}
	return p.value(sorted[i].at)
}

// within are the sums of the keys of a range, in the order of the keys, as writes over
// Pebble's pairs.
func (p *pending) within(r kv.Range) []ownWrite {
	if len(p.chunks) == 0 {
		return nil
	}
	var out []ownWrite
	for _, s := range p.slots.within(r.Start, r.End) {
		if v := p.value(s.at); v != nil {
			out = append(out, ownWrite{key: []byte(s.key), kind: ownSet, value: v})
		}
	}
	return out
}

// overSums is a transaction's own writes in a range, nil for none, with the
// pending sums below them.
func (v *ownView) overSums(sums []ownWrite) *ownView {
	if len(sums) == 0 {
		return v
	}
	if v == nil {
		return &ownView{keys: sums}
	}
	out := &ownView{cleared: v.cleared, limit: v.limit, keys: make([]ownWrite, 0, len(v.keys)+len(sums))}
	cleared := &ownView{cleared: v.cleared}
	own := v.keys
	for _, s := range sums {
		for len(own) > 0 && bytes.Compare(own[0].key, s.key) < 0 {
			out.keys, own = append(out.keys, own[0]), own[1:]
		}
		switch {
		case len(own) > 0 && bytes.Equal(own[0].key, s.key):
			w := own[0]
			if own = own[1:]; w.kind == ownNone {
				w = ownWrite{key: w.key, kind: ownSet, value: sum(s.value, w.operands)}
			}
			out.keys = append(out.keys, w)
		case !cleared.isCleared(s.key, false):
			out.keys = append(out.keys, s)
		}
	}
	out.keys = append(out.keys, own...)
	return out
}
