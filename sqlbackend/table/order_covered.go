package table

import (
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/tables"
)

// Coverable returns how rows are made without documents if these columns are needed in this order; nil if they can't
// be. c is the candidate that is walked; it has no parts if all keys are.
func (o *PathOrder) Coverable(t *Table, c *pushdown.Candidate, needed []bool) *session.Covered {
	switch {
	case o.Scan:
		if o.Part != nil && o.Part.Spans.IsPoint() && len(t.Def.PrimaryKey) == 1 || !t.KeysCover(needed) {
			return nil
		}
		return t.CoveredByKey(needed)
	case o.Missing, o.Among != nil, c == nil:
		return nil
	case o.Field != nil && o.Field.Part == 0 && !entriesInOrder(o.Field.Column):
		return nil
	}
	return t.coveredBy(c, needed)
}

// entriesInOrder reports whether the entries of a column show the order of all of its values, see entryGroups.
func entriesInOrder(c pushdown.Column) bool {
	return c.Shape != pushdown.ShapeString && c.Shape != pushdown.ShapeJSON
}

// coveredInOrder starts the walk for a path's rows that are made without documents.
func coveredInOrder(t *Table, i *CoveredIter, p *AccessPath, r kv.Reader) error {
	o, c := p.Order, t.Def.Collection
	opts := tables.ScanOptions{Reverse: o.Descending}
	if o.Scan {
		spans := indexes.Everything()
		if o.Part != nil {
			spans = o.Part.Spans
		}
		i.Walk = bounded(o, keysOfDocuments{c.ScanKeys(r, spans, opts)})
		return nil
	}
	number, ok, err := c.Number(r, o.Part.Column.Keypath)
	if err == nil && o.AllPresent {
		err = p.Confirm(t, r, o.Part, number, ok)
	}
	if err != nil {
		return err
	}
	spans := o.Spans
	if !ok {
		spans = nil
	}
	i.Values = c.EntriesWithin(r, number, t.Def.FieldVersion(o.Part.Column.Keypath), spans, opts)
	i.Walk = bounded(o, i.Values)
	if i.Column >= 0 {
		i.Reader = EntryReaderOf(t.Def, &t.Columns[i.Column])
	}
	return nil
}

// boundedWalk reads only a part of a walk.
type boundedWalk struct {
	keyWalk
	skip, left int64
	bound      costing.Bound
	err        error
}

func bounded(o *PathOrder, walk keyWalk) keyWalk {
	if o.Skip == 0 && o.Rows == costing.All && o.Bound.Cost == 0 {
		return walk
	}
	return &boundedWalk{keyWalk: walk, skip: o.Skip, left: o.Rows, bound: o.Bound}
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
