package longread

import (
	"bytes"

	"github.com/sqlfdb/sqlfdb/kv"
)

// iterator walks a range, and goes on behind its last key at a newer version.
type iterator struct {
	t     *Tx
	left  kv.Range // as it was asked for; last says how far it has come
	opts  kv.RangeOptions
	at    *version // the version that it is open at
	it    kv.Iterator
	last  []byte // the last key
	given int
	err   error
}

// Range implements kv.Reader.
func (t *Tx) Range(r kv.Range, opts kv.RangeOptions) kv.Iterator {
	i := &iterator{t: t, left: kv.Range{Start: bytes.Clone(r.Start), End: bytes.Clone(r.End)}, opts: opts}
	var v *version
	if v, i.err = t.current(); i.err == nil {
		i.open(v)
	}
	return i
}

// open begins to read the rest at a version.
func (i *iterator) open(v *version) {
	if i.it != nil {
		i.it.Close()
	}
	r, opts := i.left, i.opts
	if i.given > 0 {
		if opts.Reverse {
			r.End = bytes.Clone(i.last)
		} else {
			r.Start = append(bytes.Clone(i.last), 0)
		}
		if opts.Limit > 0 {
			opts.Limit -= i.given
		}
	}
	i.at, i.it = v, v.reads.Range(r, opts)
}

// Next implements kv.Iterator. The pair is of the version that is read at when it
// returns, never of one that has been left.
func (i *iterator) Next() bool {
	if i.err != nil || i.opts.Limit > 0 && i.given >= i.opts.Limit {
		return false
	}
	more, err := attempt(i.t, func(v *version) (bool, error) {
		if v != i.at {
			i.open(v)
		}
		if i.it.Next() {
			return true, nil
		}
		return false, i.it.Err()
	})
	if i.err = err; err != nil || !more {
		return false
	}
	i.last = append(i.last[:0], i.it.Key()...)
	i.given++
	return true
}

func (i *iterator) Key() []byte   { return i.it.Key() }
func (i *iterator) Value() []byte { return i.it.Value() }
func (i *iterator) Err() error    { return i.err }

// Close implements kv.Iterator.
func (i *iterator) Close() {
	if i.it != nil {
		i.it.Close()
	}
}
