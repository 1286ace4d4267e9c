package sqlbackend

import (
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/tables"
)

// coveredScan is how the rows of a scan in the order of keys are made of keys alone,
// within the part if there is one; nil if they can't be.
func (t *Table) coveredScan(part *pushdown.Part, needed []bool) *covered {
	if needed == nil || part != nil && part.Spans.IsPoint() && len(t.def.PrimaryKey) == 1 {
		return nil
	}
	if c := t.coveredByKey(needed); c != nil && c.column < 0 {
		return c
	}
	return nil
}

// coveredInOrder begins the walk of a path's rows that are made without documents.
func (t *Table) coveredInOrder(i *coveredIter, p *accessPath, r kv.Reader) error {
	o, c := p.order, t.def.collection
	opts := tables.ScanOptions{Reverse: o.descending}
	if o.scan {
		spans := indexes.Everything()
		if o.part != nil {
			spans = o.part.Spans
		}
		i.walk = bounded(o, keysOfDocuments{c.ScanKeys(r, spans, opts)})
		return nil
	}
	number, ok, err := c.Number(r, o.part.Column.Keypath)
	if err == nil && o.allPresent {
		err = p.confirm(t, r, o.part, number, ok)
	}
	if err != nil {
		return err
	}
	var versions []indexes.VersionSpans
	if ok {
		versions = t.def.versions(o.part.Column, o.part.Spans)
	}
	i.values = c.Entries(r, number, versions, opts)
	i.walk = bounded(o, i.values)
	if i.column >= 0 {
		i.reader = t.def.entryReader(&t.columns[i.column])
	}
	return nil
}

// boundedWalk is the part of a walk that is taken.
type boundedWalk struct {
	keyWalk
	skip, left int64
	bound      costing.Bound
	err        error
}

func bounded(o *pathOrder, walk keyWalk) keyWalk {
	if o.skip == 0 && o.rows == costing.All && o.bound.Cost == 0 {
		return walk
	}
	return &boundedWalk{keyWalk: walk, skip: o.skip, left: o.rows, bound: o.bound}
}

// Next implements keyWalk.
func (b *boundedWalk) Next() bool {
	for ; b.skip > 0; b.skip-- {
		if !b.keyWalk.Next() {
			return false
		}
	}
	if b.left == 0 {
		return false
	}
	b.left--
	if w := b.Read(); b.bound.Exceeded(w.Entries, w.Documents, 0) {
		b.err = tables.ErrGivenUp
	}
	return b.err == nil && b.keyWalk.Next()
}

// Err implements keyWalk.
func (b *boundedWalk) Err() error {
	if b.err != nil {
		return b.err
	}
	return b.keyWalk.Err()
}
