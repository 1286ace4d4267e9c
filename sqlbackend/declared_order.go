package sqlbackend

import (
	"bytes"
	"slices"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
	"github.com/sqlfdb/sqlfdb/ordered"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/tables"
)

// addDeclaredWays adds the ways along declared indexes: where the columns before the first
// field's have one value each, entries are in the order of what follows.
func (p *orderPlan) addDeclaredWays() error {
	if p.declared == nil {
		return nil
	}
	for _, idx := range p.declared.indexes {
		if err := p.addDeclaredWay(idx); err != nil {
			return err
		}
	}
	return nil
}

func (p *orderPlan) addDeclaredWay(idx *catalog.Index) error {
	paths := make([]string, len(idx.Columns))
	for i, name := range idx.Columns {
		paths[i] = indexes.DeclaredKeypath(p.table.def.Table, name)
	}
	first := len(paths) // the primary key follows all columns
	if p.fields[0].part == 0 {
		if first = slices.Index(paths, p.fields[0].column.Keypath); first < 0 {
			return nil
		}
	}
	s := p.declared.spansOf(idx, p.split.Candidates, first)
	if s.fixed != first || len(s.prefixes) != 1 {
		return nil
	}
	matched, prefix := p.follow(paths[first:])
	if matched == 0 && first < len(paths) || prefix < 0 {
		return nil
	}
	if first == 0 && matched == 1 && !p.declared.named[idx.Name] && !p.lacks(paths[0]) {
		return nil // the keypath's own entries tell as much
	}
	omits, err := p.table.def.collection.Omits(p.estimator.From, idx.Number)
	if err != nil || omits {
		return err
	}
	part, descending := s.part(idx), p.fields[0].descending
	w := orderWay{
		candidate: pushdown.Candidate{Parts: []pushdown.Part{part}, Column: part.Column, Spans: part.Spans, Text: part.Text,
			Tight: !s.loose, Answers: s.answers},
		order:    pathOrder{field: &p.fields[0], descending: descending, prefix: prefix, from: first},
		answered: s.exact,
	}
	for _, f := range p.fields[:matched] {
		w.order.columns = append(w.order.columns, f.column)
	}
	if first+matched < len(paths) {
		w.order.ties = first + matched
	}
	w.order.part = &w.candidate.Parts[0]
	w.Name = declaredName(part.Declared) + direction(descending)
	keys, err := p.declaredKeys(&w.candidate, s.ranged())
	if err != nil {
		return err
	}
	if prefix > 0 {
		if w.Group, err = p.declaredGroup(&w, keys); err != nil {
			return err
		}
	}
	p.add(w, keys, s.answers)
	return nil
}

// ranged reports whether the spans leave anything out.
func (s *declaredSpans) ranged() bool { return s.fixed > 0 || s.bounded }

// lacks reports whether some document has nothing at a keypath.
func (p *orderPlan) lacks(keypath string) bool {
	counts, ok := p.resolver.countsOf(keypath)
	return !ok || counts.Total().Documents < p.documents
}

// follow is how many of the fields are the columns at those keypaths in turn, in one
// direction, and how many fields the entries order the documents by, or 0 if that is all; -1
// where they don't.
func (p *orderPlan) follow(paths []string) (matched, prefix int) {
	descending := p.fields[0].descending
	for matched < len(p.fields) && matched < len(paths) {
		f := &p.fields[matched]
		if f.reason != "" || f.part > 0 || f.descending != descending || f.column.Keypath != paths[matched] ||
			!p.ordersDeclared(f) {
			break
		}
		matched++
		if matched < len(p.fields) && !foldsExactly(f) {
			return matched, matched
		}
	}
	if matched == len(p.fields) {
		return matched, 0
	}
	if matched < len(paths) {
		return matched, matched
	}
	n, whole := followKey(p.fields[matched:], 1, p.keyParts(), descending)
	switch {
	case whole:
		return matched, 0
	case matched+n == 0:
		return 0, -1
	}
	return matched, matched + n
}

// ordersDeclared reports whether entries of a declared index are in the order of a field.
// In JSON a null and a missing value are two, and objects and arrays have an order of their own.
func (p *orderPlan) ordersDeclared(f *orderField) bool {
	counts, ok := p.resolver.countsOf(f.column.Keypath)
	return ok && f.containers == 0 && (f.column.Shape != pushdown.ShapeJSON || counts[document.KindNull].IsZero())
}

// foldsExactly reports whether values that the sort finds equal have one value in a
// declared index.
func foldsExactly(f *orderField) bool {
	return f.exact || f.column.Shape == pushdown.ShapeString
}

// declaredKeys is about how many entries a way has.
func (p *orderPlan) declaredKeys(c *pushdown.Candidate, ranged bool) (int64, error) {
	switch {
	case !ranged:
		return p.documents, nil
	case !p.estimated:
		return 1, nil
	}
	e, err := p.estimator.EstimateAll([]costing.Candidate{p.table.def.costed(c, false)},
		costing.EstimateOptions{Rough: true})
	if err != nil {
		return 0, err
	}
	return e[0].Keys, nil
}

// declaredGroup is how many documents are sorted together: about as many as share the
// first entry's values in the columns that order them.
func (p *orderPlan) declaredGroup(w *orderWay, keys int64) (int64, error) {
	if !p.estimated {
		return 1, nil
	}
	of := w.order.part.Declared
	e := p.table.def.collection.EntriesDeclared(p.estimator.From,
		tables.Declared{Number: of.Number, Columns: of.Of, Ranges: of.Ranges},
		tables.ScanOptions{Reverse: w.order.descending})
	defer e.Close()
	if !e.Next() {
		return 1, e.Err()
	}
	rest := e.Value()
	for range w.order.from + len(w.order.columns) {
		var err error
		if rest, err = tuple.Skip(rest); err != nil {
			return 0, err
		}
	}
	shared := *of
	shared.Ranges = []indexes.DeclaredRange{{Prefix: bytes.Clone(e.Value()[:len(e.Value())-len(rest)])}}
	c := w.candidate
	c.Parts = []pushdown.Part{w.candidate.Parts[0]}
	c.Parts[0].Declared = &shared
	sharing, err := p.declaredKeys(&c, true)
	return max(1, min(sharing, keys)), err
}

// openDeclared starts reading in the order of a declared index.
func (p *accessPath) openDeclared(t *Table, r kv.Reader) (tables.Rows, error) {
	o := p.order
	declared, err := t.def.declaredRead(r, o.part.Declared)
	if err != nil {
		return nil, err
	}
	opts := tables.OrderedOptions{Declared: &declared, Reverse: o.descending, Skip: o.skip, Limit: o.rows, Ties: o.ties,
		Bound: o.bound}
	if o.rows == costing.All {
		opts.Limit, opts.Expect = -1, o.expect
	}
	if len(o.columns) > 0 {
		opts.Group, opts.Compare = packedGroups(o.from, o.columns), byValues(o.columns)
	}
	return t.def.collection.Ordered(r, opts), nil
}

// packedGroups are the groups of entries of a declared index that don't tell the order of
// their documents: those with the same beginning of long strings.
func packedGroups(from int, columns []pushdown.Column) func(values []byte) []byte {
	truncated := make([]func([]byte) []byte, len(columns))
	for i, c := range columns {
		truncated[i] = entryGroups(c)
		if c.Collation != nil && !c.Collation.IsIdentity() {
			truncated[i] = func(value []byte) []byte {
				if value[0] == ordered.ClassString && !bytes.Contains(value, []byte{0x01}) {
					return value
				}
				return nil
			}
		}
	}
	return func(values []byte) []byte {
		rest := values
		for range from {
			var err error
			if rest, err = tuple.Skip(rest); err != nil {
				return nil // Check names it; the order of such an entry is anyone's guess
			}
		}
		for _, group := range truncated {
			next, value, err := tuple.DecodeBytes(rest)
			if err != nil || len(value) == 0 {
				return nil
			}
			if rest = next; group(value) != nil {
				return values[:len(values)-len(rest)]
			}
		}
		return nil
	}
}

// byValues compares documents by the values at the columns' keypaths, one after the other.
// A null and a missing value are one, and so are strings that are equal in a column's collation.
func byValues(columns []pushdown.Column) func(a, b document.Document) int {
	by := make([]func(a, b document.Document) int, len(columns))
	for i, c := range columns {
		by[i] = byValue(c)
	}
	return func(a, b document.Document) int {
		for i := range columns {
			c := &columns[i]
			va, _ := a.Lookup(c.Path)
			vb, _ := b.Lookup(c.Path)
			strung := c.Shape == pushdown.ShapeString && va.Type() == document.TypeString && vb.Type() == document.TypeString
			order := 0
			switch {
			case (va.IsZero() || va.IsNull()) && (vb.IsZero() || vb.IsNull()):
			case strung && !c.Collation.IsIdentity():
				order = c.Collation.CompareKeys(va.Str(), vb.Str())
			default:
				order = by[i](a, b)
			}
			if order != 0 {
				return order
			}
		}
		return 0
	}
}
