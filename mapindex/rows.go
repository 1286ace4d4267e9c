package mapindex

import (
	"bytes"
	"crypto/sha256"
	"slices"

	"github.com/sqlfdb/sqlfdb/kv"
)

// The store's keys have 10,000 bytes, and the order of a text takes twice what the text does. So an encoded key that
// is longer than cutAt is stored as its beginning and a hash of the whole: equal keys stay equal. Other keys that
// begin alike are put in order by the reader, since a row holds the emitted key.
const (
	cutAt   = 4_096
	cutSize = cutAt + sha256.Size
)

// cut is an encoded key as it is stored.
func cut(encoded []byte) []byte {
	if len(encoded) <= cutAt {
		return encoded
	}
	hash := sha256.Sum256(encoded)
	return append(slices.Clone(encoded[:cutAt]), hash[:]...)
}

// isCut reports whether a stored key is one that was cut.
func (g *Group) isCut(stored []byte) bool { return g.Long && len(stored) == cutSize }

// Span is where the rows are stored of a view's encoded keys in [start, end); a nil end means no end. exact is false
// where rows of other keys may lie there.
func (g *Group) Span(view int64, start, end []byte) (in kv.Range, exact bool) {
	if !g.Long || len(start) <= cutAt && len(end) <= cutAt {
		return g.Keys.RowSpan(view, start, end), true
	}
	if len(end) == len(start)+1 && bytes.Equal(end[:len(start)], start) {
		stored := cut(start)
		return g.Keys.RowSpan(view, stored, append(stored, 0)), true
	}
	if len(start) > cutAt {
		start = start[:cutAt]
	}
	if len(end) > cutAt {
		end = kv.PrefixEnd(end[:cutAt])
	}
	return g.Keys.RowSpan(view, start, end), false
}

// Rows reads the rows of a view whose encoded keys are in [start, end), in their order, or from the last to the
// first. opts.Limit bounds the rows that it gives.
func (g *Group) Rows(r kv.Reader, view int64, start, end []byte, opts kv.RangeOptions) *Rows {
	in, exact := g.Span(view, start, end)
	return &Rows{g: g, r: r, view: view, start: start, end: end, exact: exact, in: in, opts: opts, left: opts.Limit}
}

// Rows goes over rows of a map index. The caller must close it.
type Rows struct {
	g          *Group
	r          kv.Reader
	view       int64
	start, end []byte
	exact      bool     // in holds no others
	in         kv.Range // the range that is left to read, besides alike
	opts       kv.RangeOptions
	left       int // rows, with a limit

	it      kv.Iterator
	alike   [][]byte // stored keys that begin alike and were cut, in their order: to be read before in
	within  []byte   // the bytes that they begin with; nil outside
	all     bool     // there are none of them behind alike
	last    []byte   // the encoded key of the last of them that was read
	pk, row []byte
	err     error
}

// PK is the primary key of the row's document. It is valid until the next call of Next.
func (i *Rows) PK() []byte { return i.pk }

// Value is the row's stored value (SplitRow). It is valid until the next call of Next.
func (i *Rows) Value() []byte { return i.row }

// Err is the error that ended Next, or nil.
func (i *Rows) Err() error { return i.err }

// Close ends it.
func (i *Rows) Close() {
	if i.it != nil {
		i.it.Close()
		i.it = nil
	}
}

// Next moves to the next row, and reports whether there is one.
func (i *Rows) Next() bool {
	if i.err != nil || i.opts.Limit > 0 && i.left == 0 {
		return false
	}
	for {
		if i.it == nil && !i.open() {
			return false
		}
		if !i.it.Next() {
			i.err = i.it.Err()
			i.Close()
			if i.err != nil {
				return false
			}
			if i.within == nil {
				i.in.Start = i.in.End // all is read
			}
			continue
		}
		_, stored, pk, _, err := i.g.Keys.SplitRow(i.it.Key())
		if err != nil {
			i.err = err
			return false
		}
		if i.within == nil && i.g.isCut(stored) {
			i.enter(stored[:cutAt])
			continue
		}
		if i.within == nil && !i.exact && !i.holds(stored) {
			continue
		}
		i.pk, i.row = pk, i.it.Value()
		i.left--
		return true
	}
}

// open begins to read the next keys.
func (i *Rows) open() bool {
	opts := i.opts
	if opts.Limit > 0 {
		opts.Limit = i.left
	}
	if i.within != nil && len(i.alike) == 0 && !i.all {
		if i.err = i.more(); i.err != nil {
			return false
		}
	}
	if len(i.alike) > 0 {
		stored := i.alike[0]
		i.alike = i.alike[1:]
		i.it = i.r.Range(i.g.Keys.RowSpan(i.view, stored, append(slices.Clone(stored), 0)), opts)
		return true
	}
	i.within = nil
	if bytes.Compare(i.in.Start, i.in.End) >= 0 {
		return false
	}
	if !i.exact {
		opts.Limit = 0 // rows that are passed over would count
	}
	i.it = i.r.Range(i.in, opts)
	return true
}

// enter goes on with the keys that begin with prefix and were cut, and behind them with the rest.
func (i *Rows) enter(prefix []byte) {
	i.within, i.last, i.all = slices.Clone(prefix), nil, false
	i.Close()
	of := i.g.Keys.RowSpan(i.view, i.within, kv.PrefixEnd(i.within))
	if i.opts.Reverse {
		i.in.End = of.Start
	} else {
		i.in.Start = of.End
	}
}

// holds reports whether an encoded key is within the bounds of the read.
func (i *Rows) holds(encoded []byte) bool {
	return bytes.Compare(encoded, i.start) >= 0 && (i.end == nil || bytes.Compare(encoded, i.end) < 0)
}

// atOnce is how many keys that begin alike are held at a time.
const atOnce = 256

// more finds the next keys among the ones that begin alike: each stored key once, by its first row.
func (i *Rows) more() error {
	type key struct{ encoded, stored []byte }
	var found []key
	i.all = true
	behind := func(a, b []byte) int {
		if i.opts.Reverse {
			a, b = b, a
		}
		return bytes.Compare(a, b)
	}
	from, to := i.within, kv.PrefixEnd(i.within)
	for {
		it := i.r.Range(i.g.Keys.RowSpan(i.view, from, to), kv.RangeOptions{Limit: 1, Streaming: kv.StreamSmall})
		if !it.Next() {
			err := it.Err()
			it.Close()
			if err != nil {
				return err
			}
			break
		}
		_, stored, _, _, err := i.g.Keys.SplitRow(it.Key())
		stored = slices.Clone(stored)
		var encoded []byte
		if err == nil {
			var emitted []byte
			if emitted, _, err = SplitRow(it.Value()); err == nil {
				encoded, err = EncodeKey(emitted)
			}
		}
		it.Close()
		if err != nil {
			return err
		}
		from = append(slices.Clone(stored), 0)
		if !i.holds(encoded) || i.last != nil && behind(encoded, i.last) <= 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(found, encoded, func(k key, e []byte) int { return behind(k.encoded, e) })
		if found = slices.Insert(found, at, key{encoded, stored}); len(found) > atOnce {
			found, i.all = found[:atOnce], false
		}
	}
	for _, k := range found {
		i.alike, i.last = append(i.alike, k.stored), k.encoded
	}
	return nil
}
