package pebblekv

import (
	"bytes"
	"slices"

	"github.com/google/btree"

	"github.com/sqlfdb/sqlfdb/kv"
)

type ownKind uint8

const (
	ownNone     ownKind = iota // only operands, or nothing
	ownSet                     // value is known
	ownCleared                 // absent
	ownUnstable                // a versionstamped value
)

// ownWrite is a transaction's write to a key, as its reads see it.
type ownWrite struct {
	key      []byte
	kind     ownKind
	value    []byte
	operands [][]byte // pending adds on the stored value
}

// ownWrites lets a transaction read its own writes. Slices that it is given
// stay as they are.
type ownWrites struct {
	keys    *btree.BTreeG[*ownWrite]
	cleared *btree.BTreeG[kv.Range] // disjoint; keys override it
	stamped []kv.Range              // ranges in which a versionstamped key may be
}

func newOwnWrites() *ownWrites {
	return &ownWrites{
		keys: btree.NewG(16, func(a, b *ownWrite) bool { return bytes.Compare(a.key, b.key) < 0 }),
		cleared: btree.NewG(16, func(a, b kv.Range) bool {
			return bytes.Compare(a.Start, b.Start) < 0
		}),
	}
}

func (o *ownWrites) set(key, value []byte) {
	o.keys.ReplaceOrInsert(&ownWrite{key: key, kind: ownSet, value: value})
}

func (o *ownWrites) clear(key []byte) {
	o.keys.ReplaceOrInsert(&ownWrite{key: key, kind: ownCleared})
}

func (o *ownWrites) stampValue(key []byte) {
	o.keys.ReplaceOrInsert(&ownWrite{key: key, kind: ownUnstable})
}

func (o *ownWrites) stampKey(template []byte, offset int) {
	o.stamped = append(o.stamped, stampZone(template, offset))
}

func (o *ownWrites) add(key, operand []byte) {
	w, ok := o.keys.Get(&ownWrite{key: key})
	if !ok && o.isCleared(key) {
		w, ok = &ownWrite{kind: ownCleared}, true
	}
	switch {
	case !ok:
		o.keys.ReplaceOrInsert(&ownWrite{key: key, operands: [][]byte{operand}})
	case w.kind == ownSet:
		o.set(key, addLittleEndian(w.value, operand))
	case w.kind == ownCleared:
		o.set(key, addLittleEndian(nil, operand))
	case w.kind == ownNone:
		if n := len(w.operands) - 1; len(w.operands[n]) == len(operand) {
			w.operands[n] = addLittleEndian(w.operands[n], operand)
		} else {
			w.operands = append(w.operands, operand)
		}
	}
}

func (o *ownWrites) clearRange(start, end []byte) {
	var gone []*ownWrite
	o.keys.AscendRange(&ownWrite{key: start}, &ownWrite{key: end}, func(w *ownWrite) bool {
		gone = append(gone, w)
		return true
	})
	for _, w := range gone {
		o.keys.Delete(w)
	}
	kept := o.stamped[:0]
	for _, z := range o.stamped {
		if bytes.Compare(z.Start, start) < 0 || bytes.Compare(z.End, end) > 0 {
			kept = append(kept, z)
		}
	}
	o.stamped = kept

	joined := kv.Range{Start: start, End: end}
	var touching []kv.Range
	o.cleared.DescendLessOrEqual(kv.Range{Start: end}, func(r kv.Range) bool {
		if bytes.Compare(r.End, start) < 0 {
			return false
		}
		touching = append(touching, r)
		return true
	})
	for _, r := range touching {
		o.cleared.Delete(r)
		if bytes.Compare(r.Start, joined.Start) < 0 {
			joined.Start = r.Start
		}
		if bytes.Compare(r.End, joined.End) > 0 {
			joined.End = r.End
		}
	}
	o.cleared.ReplaceOrInsert(joined)
}

func (o *ownWrites) isCleared(key []byte) bool {
	in := false
	o.cleared.DescendLessOrEqual(kv.Range{Start: key}, func(r kv.Range) bool {
		in = bytes.Compare(key, r.End) < 0
		return false
	})
	return in
}

// get returns the transaction's write to key; known reports that there is one, or an error.
func (o *ownWrites) get(key []byte) (w ownWrite, known bool, err error) {
	for _, z := range o.stamped {
		if bytes.Compare(z.Start, key) <= 0 && bytes.Compare(key, z.End) < 0 {
			return w, true, kv.ErrUnreadable
		}
	}
	if p, ok := o.keys.Get(&ownWrite{key: key}); ok {
		if p.kind == ownUnstable {
			return w, true, kv.ErrUnreadable
		}
		return *p, p.kind != ownNone, nil
	}
	if o.isCleared(key) {
		return ownWrite{kind: ownCleared}, true, nil
	}
	return w, false, nil
}

// ownView are a transaction's writes to a range, in the order of a scan.
type ownView struct {
	keys    []ownWrite
	cleared []kv.Range
	limit   []byte // reading up to here is fine (its key excluded when reversed); nil: all
}

// view are the own writes and the sums that stand over Pebble's pairs in a range; nil if
// there are none.
func (t *transaction) view(r kv.Range, reverse bool) *ownView {
	var v *ownView
	if t.own != nil {
		v = t.own.view(r, reverse)
	}
	v = v.overSums(t.state.image.sums.within(r))
	if v != nil && reverse {
		slices.Reverse(v.keys)
		slices.Reverse(v.cleared)
	}
	return v
}

// view copies, so that later writes don't disturb an open iterator. It returns nil when
// there is nothing in the range. Keys and ranges are in order; the limit is for a scan in
// the given direction.
func (o *ownWrites) view(r kv.Range, reverse bool) *ownView {
	v := &ownView{}
	o.keys.AscendRange(&ownWrite{key: r.Start}, &ownWrite{key: r.End}, func(w *ownWrite) bool {
		c := *w
		c.operands = append([][]byte(nil), w.operands...)
		v.keys = append(v.keys, c)
		return true
	})
	o.cleared.DescendLessOrEqual(kv.Range{Start: r.End}, func(c kv.Range) bool {
		if bytes.Compare(c.End, r.Start) <= 0 {
			return false
		}
		v.cleared = append(v.cleared, c)
		return true
	})
	for _, z := range o.stamped {
		if bytes.Compare(z.Start, r.End) >= 0 || bytes.Compare(z.End, r.Start) <= 0 {
			continue
		}
		if reverse {
			if v.limit == nil || bytes.Compare(z.End, v.limit) > 0 {
				v.limit = z.End
			}
		} else if v.limit == nil || bytes.Compare(z.Start, v.limit) < 0 {
			v.limit = z.Start
		}
	}
	if len(v.keys) == 0 && len(v.cleared) == 0 && v.limit == nil {
		return nil
	}
	slices.Reverse(v.cleared) // they were found from the end
	return v
}

// isCleared must be called for keys in the order of the scan.
func (v *ownView) isCleared(key []byte, reverse bool) bool {
	for len(v.cleared) > 0 {
		c := v.cleared[0]
		if reverse {
			if bytes.Compare(c.Start, key) <= 0 {
				return bytes.Compare(key, c.End) < 0
			}
		} else if bytes.Compare(key, c.End) < 0 {
			return bytes.Compare(c.Start, key) <= 0
		}
		v.cleared = v.cleared[1:]
	}
	return false
}

// nextMerged finds the next pair of the stored ones with the own writes over them.
func (it *iterator) nextMerged() bool {
	v := it.own
	for {
		hasBase := it.nextBase()
		if it.err != nil {
			return false
		}
		var baseKey, baseValue []byte
		if hasBase {
			baseKey, baseValue = it.base()
		}
		if !hasBase && len(v.keys) == 0 {
			if v.limit != nil {
				it.fail(kv.ErrUnreadable)
			}
			return false
		}
		order := 1 // of base against own: 1 own first, 0 the same key, -1 base first
		switch {
		case len(v.keys) == 0:
			order = -1
		case hasBase:
			order = bytes.Compare(baseKey, v.keys[0].key)
			if it.reverse {
				order = -order
			}
		}
		if order <= 0 {
			it.at++
		}
		var w ownWrite
		if order < 0 {
			if v.isCleared(baseKey, it.reverse) {
				continue
			}
			it.key, it.value = baseKey, baseValue
		} else {
			w = v.keys[0]
			v.keys = v.keys[1:]
			if w.kind == ownCleared {
				continue
			}
			var stored []byte
			if order == 0 {
				stored = baseValue
			}
			it.key, it.value = w.key, w.value
			if w.kind == ownNone {
				it.value = sum(stored, w.operands)
			}
		}
		past := false
		if v.limit != nil {
			if it.reverse {
				past = bytes.Compare(it.key, v.limit) < 0
			} else {
				past = bytes.Compare(it.key, v.limit) >= 0
			}
		}
		if past || w.kind == ownUnstable {
			it.fail(kv.ErrUnreadable)
			return false
		}
		return true
	}
}
