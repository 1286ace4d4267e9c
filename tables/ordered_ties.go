package tables

import (
	"bytes"
	"slices"

	"github.com/sqlfdb/sqlfdb/kv/tuple"
)

// ties are the keys of entries whose documents are equal in the requested order, though
// further columns of the index differ.
type ties struct {
	keys  [][]byte // sorted, as they are to be given
	group []byte   // of all of them
	ahead bool     // the cursor stands on the first entry behind them
	next  []byte   // the group of that
}

// stepTies is step where entries with the same values in the first columns are given in
// the order of primary keys. All of them are met before the first is given; of more than are
// wanted no more are kept.
func (o *orderedWalk) stepTies() (pk []byte, ok bool, err error) {
	t := &o.ties
	if len(t.keys) == 0 {
		if err := o.gatherTies(); err != nil || len(t.keys) == 0 {
			return nil, false, err
		}
	}
	pk, t.keys = t.keys[0], t.keys[1:]
	o.group = t.group
	return pk, true, nil
}

func (o *orderedWalk) gatherTies() error {
	t := &o.ties
	if o.cursor == nil {
		return nil
	}
	wanted := int64(noLimit)
	if o.opts.Among == nil && o.left < noLimit {
		wanted = max(o.wanted(), o.wanted()+int64(len(o.ahead))) // the sum may be beyond 64 bits
	}
	var shared []byte
	for t.ahead || o.cursor.Next() {
		if o.givesUp() {
			return o.err
		}
		if t.ahead { // its value has been read already
			t.ahead, o.group = false, t.next
		}
		pk, err := o.entry()
		if err != nil {
			return err
		}
		values, _, err := o.cursor.Value()
		if err != nil {
			return err
		}
		if shared == nil {
			if shared, err = firstElements(values, o.opts.Ties); err != nil {
				return err
			}
			shared, t.group = bytes.Clone(shared), o.group
		} else if !bytes.HasPrefix(values, shared) {
			t.ahead, t.next = true, o.group // an element marks its end: none begins another
			o.sortTies(wanted)
			return nil
		}
		t.keys = append(t.keys, bytes.Clone(pk))
		const slack = 64
		if n := int64(len(t.keys)); t.group == nil && n >= slack && n/2 > wanted {
			o.sortTies(wanted)
		}
	}
	err := o.cursor.Err()
	o.endCursor()
	o.sortTies(wanted)
	return err
}

// sortTies sorts the gathered keys, and keeps no more than wanted.
func (o *orderedWalk) sortTies(wanted int64) {
	t := &o.ties
	slices.SortFunc(t.keys, func(a, b []byte) int {
		if o.opts.Reverse {
			a, b = b, a
		}
		return bytes.Compare(a, b)
	})
	if t.group == nil && int64(len(t.keys)) > wanted {
		t.keys = t.keys[:wanted]
	}
}

// firstElements are the first n of packed elements.
func firstElements(packed []byte, n int) ([]byte, error) {
	rest := packed
	for range n {
		var err error
		if rest, err = tuple.Skip(rest); err != nil {
			return nil, err
		}
	}
	return packed[:len(packed)-len(rest)], nil
}
