package sqlbackend

import (
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/tables"
)

// coverable is how rows are made without documents where they are read in that order and those columns are needed; nil
// if they can't be. c is what is walked; it has no parts where all keys are.
func (o *pathOrder) coverable(t *Table, c *pushdown.Candidate, needed []bool) *covered {
	switch {
	case o.scan:
		if o.part != nil && o.part.Spans.IsPoint() && len(t.def.PrimaryKey) == 1 || !t.keysTell(needed) {
			return nil
		}
		return t.coveredByKey(needed)
	case o.missing, o.among != nil, c == nil:
		return nil
	case o.field != nil && o.field.part == 0 && !entriesInOrder(o.field.column):
		return nil
	}
	return t.coveredBy(c, needed)
}

// entriesInOrder reports whether the entries of a column tell the order of all its values: see entryGroups.
func entriesInOrder(c pushdown.Column) bool {
	return c.Shape != pushdown.ShapeString && c.Shape != pushdown.ShapeJSON
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
	spans := o.spans
	if !ok {
		spans = nil
	}
	i.values = c.EntriesWithin(r, number, t.def.fieldVersion(o.part.Column.Keypath), spans, opts)
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
