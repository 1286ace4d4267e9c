package order

import (
	"bytes"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"

	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/tables"
)

// Keyset paging reads the rows after the last row seen: `(a, _id) > (1, 'x')`, which is `a > 1 OR (a = 1 AND _id >
// 'x')`. Its spans are a's, with a bound on the primary key within one value.

// box is a set of values of a keypath, with a set of values of the primary key's first column.
type box struct {
	values, keys indexes.Spans
}

// boxes are the values of a keypath and the primary key for which a predicate may be true.
type boxes struct {
	list []box
	// exact: the predicate is true for all of them.
	exact bool
	// missing: the predicate may be true for a document without the keypath.
	missing bool
}

// keysBounded is EXPLAIN's text for entries read between two primary keys.
const keysBounded = "primary keys are bounded within a value"

// maxBoxes limits the number of boxes of predicates with many alternatives.
const maxBoxes = 64

// keysetSpans are the spans of a keyset condition.
type keysetSpans struct {
	spans []tables.OrderedSpan
	text  string
	exact []int // conjuncts that are true for exactly the documents in the spans
	used  []int // conjuncts that the spans come from
}

// keyset finds the bounds on the primary key within values of the column. It is false
// where there are none.
func (p *Plan) keyset(column pushdown.Column) (keysetSpans, bool) {
	var out keysetSpans
	all := boxes{list: []box{{indexes.Everything(), indexes.Everything()}}, exact: true, missing: true}
	bounded := false
	for i, e := range p.conjuncts {
		b := p.boxesOf(e, column)
		if b.isEverywhere() {
			continue
		}
		bounded = bounded || len(b.list) > 1
		all = all.and(b)
		out.used = append(out.used, i)
		if b.exact {
			out.exact = append(out.exact, i)
		}
	}
	if !bounded || all.missing || len(all.list) > maxBoxes {
		return out, false
	}
	keys := false
	for _, v := range elementary(all.list) {
		within := indexes.Spans{}
		for _, b := range all.list {
			if len(b.values.Intersect(indexes.Spans{v})) > 0 {
				within = within.Union(b.keys)
			}
		}
		switch {
		case len(within) == 0:
		case within.IsEverything():
			out.spans = append(out.spans, tables.OrderedSpan{Span: v})
		case v.IsPoint():
			keys = true
			out.spans = append(out.spans, tables.OrderedSpan{Span: v, Keys: within})
		default:
			// Entries of many values have no common bound on the key.
			out.spans, out.exact = append(out.spans, tables.OrderedSpan{Span: v}), nil
		}
	}
	out.text = keysBounded
	return out, keys
}

func (b boxes) isEverywhere() bool {
	return slices.ContainsFunc(b.list, func(x box) bool { return x.values.IsEverything() && x.keys.IsEverything() })
}

// boxesOf returns the boxes in which a predicate may be true.
func (p *Plan) boxesOf(e sql.Expression, column pushdown.Column) boxes {
	switch e := e.(type) {
	case *expression.And:
		return p.boxesOf(e.LeftChild, column).and(p.boxesOf(e.RightChild, column))
	case *expression.Or:
		l, r := p.boxesOf(e.LeftChild, column), p.boxesOf(e.RightChild, column)
		return boxes{list: append(l.list[:len(l.list):len(l.list)], r.list...), exact: l.exact && r.exact,
			missing: l.missing || r.missing}
	}
	split := pushdown.Split(p.ctx, []sql.Expression{e}, p.Resolver, pushdown.Options{})
	for _, c := range p.Table.Def.Loosen(split.Candidates, 1) {
		switch {
		case len(c.Parts) != 1:
		case c.PrimaryKey:
			return boxes{list: []box{{indexes.Everything(), c.Spans}}, exact: c.Tight, missing: true}
		case c.Parts[0].Column.Keypath == column.Keypath:
			return boxes{list: []box{{c.Parts[0].Spans, indexes.Everything()}}, exact: c.Tight && !c.NeedsAllPresent,
				missing: c.NeedsAllPresent}
		}
	}
	return boxes{list: []box{{indexes.Everything(), indexes.Everything()}}, missing: true}
}

func (b boxes) and(o boxes) boxes {
	out := boxes{exact: b.exact && o.exact, missing: b.missing && o.missing}
	for _, x := range b.list {
		for _, y := range o.list {
			both := box{x.values.Intersect(y.values), x.keys.Intersect(y.keys)}
			if len(both.values) > 0 && len(both.keys) > 0 {
				out.list = append(out.list, both)
			}
		}
	}
	if len(out.list) > maxBoxes {
		return boxes{list: []box{{indexes.Everything(), indexes.Everything()}}, missing: out.missing}
	}
	return out
}

// elementary returns the spans between neighboring bounds of the boxes' values, in order.
func elementary(list []box) []indexes.Span {
	var bounds [][]byte
	open := false
	for _, b := range list {
		for _, s := range b.values {
			bounds = append(bounds, s.Start)
			if s.End == nil {
				open = true
			} else {
				bounds = append(bounds, s.End)
			}
		}
	}
	slices.SortFunc(bounds, bytes.Compare)
	bounds = slices.CompactFunc(bounds, bytes.Equal)
	var out []indexes.Span
	for i, start := range bounds {
		switch {
		case i+1 < len(bounds):
			out = append(out, indexes.Span{Start: start, End: bounds[i+1]})
		case open:
			out = append(out, indexes.Span{Start: start})
		}
	}
	return out
}
