package order

import (
	"bytes"
	"slices"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/tables"
)

// addDeclaredWays adds the ways along declared indexes. Where the columns before the first field's have one value
// each, entries are in the order of the columns after them.
func (p *Plan) addDeclaredWays() error {
	if p.declared == nil {
		return nil
	}
	for _, idx := range p.declared.Indexes {
		if err := p.addDeclaredWay(idx); err != nil {
			return err
		}
	}
	return nil
}

func (p *Plan) addDeclaredWay(idx *catalog.Index) error {
	paths := make([]string, len(idx.Columns))
	for i, name := range idx.Columns {
		paths[i] = indexes.DeclaredKeypath(p.Table.Def.Table, name)
	}
	first := len(paths) // index in paths of the first field's column; the primary key follows all columns
	if p.Fields[0].Part == 0 {
		if first = slices.Index(paths, p.Fields[0].Column.Keypath); first < 0 {
			return nil
		}
	}
	s := p.declared.SpansOf(idx, p.split.Candidates, first)
	if s.Fixed != first || len(s.Prefixes) != 1 {
		return nil
	}
	matched, prefix := p.follow(paths[first:])
	if matched == 0 && first < len(paths) || prefix < 0 {
		return nil
	}
	if first == 0 && matched == 1 && !p.declared.Named[idx.Name] && !p.lacks(paths[0]) {
		return nil // the keypath's own entries are as good
	}
	omits, err := p.Table.Def.Collection.Omits(p.Estimator.From, idx.Number)
	if err != nil || omits {
		return err
	}
	part, descending := s.Part(idx), p.Fields[0].Descending
	w := orderWay{
		candidate: pushdown.Candidate{Parts: []pushdown.Part{part}, Column: part.Column, Spans: part.Spans, Text: part.Text,
			Tight: !s.Loose, Answers: s.Answers},
		order:    table.PathOrder{Field: &p.Fields[0], Descending: descending, Prefix: prefix, From: first},
		answered: s.Exact,
	}
	for _, f := range p.Fields[:matched] {
		w.order.Columns = append(w.order.Columns, f.Column)
	}
	if first+matched < len(paths) {
		w.order.Ties = first + matched
	}
	w.order.Part = &w.candidate.Parts[0]
	w.Name = table.DeclaredName(part.Declared) + table.Direction(descending)
	keys, err := p.declaredKeys(&w.candidate, s.Ranged())
	if err != nil {
		return err
	}
	if prefix > 0 {
		if w.Group, err = p.declaredGroup(&w, keys); err != nil {
			return err
		}
	}
	p.add(w, keys, s.Answers)
	return nil
}

// lacks reports whether some document has no value at a keypath.
func (p *Plan) lacks(keypath string) bool {
	counts, ok := p.Resolver.CountsOf(keypath)
	return !ok || counts.Total().Documents < p.documents
}

// follow compares the fields with the columns of an index. matched is how many fields are the columns at these
// keypaths in turn, in one direction. prefix is how many fields the entries order the documents by: 0 for all
// fields, -1 for none.
func (p *Plan) follow(paths []string) (matched, prefix int) {
	descending := p.Fields[0].Descending
	for matched < len(p.Fields) && matched < len(paths) {
		f := &p.Fields[matched]
		if f.Reason != "" || f.Part > 0 || f.Descending != descending || f.Column.Keypath != paths[matched] ||
			!p.ordersDeclared(f) {
			break
		}
		matched++
		if matched < len(p.Fields) && !foldsExactly(f) {
			return matched, matched
		}
	}
	if matched == len(p.Fields) {
		return matched, 0
	}
	if matched < len(paths) {
		return matched, matched
	}
	n, whole := table.FollowKey(p.Fields[matched:], 1, p.keyParts(), descending)
	switch {
	case whole:
		return matched, 0
	case matched+n == 0:
		return 0, -1
	}
	return matched, matched + n
}

// ordersDeclared reports whether entries of a declared index are in the order of a field. They are not for JSON with
// nulls, which differ from missing values, nor with objects and arrays, which have an order of their own.
func (p *Plan) ordersDeclared(f *table.OrderField) bool {
	counts, ok := p.Resolver.CountsOf(f.Column.Keypath)
	return ok && f.Containers == 0 && (f.Column.Shape != pushdown.ShapeJSON || counts[document.KindNull].IsZero())
}

// foldsExactly reports whether values that are equal for the sort have one value in a declared index.
func foldsExactly(f *table.OrderField) bool {
	return f.Exact || f.Column.Shape == pushdown.ShapeString
}

// declaredKeys estimates how many entries a way reads.
func (p *Plan) declaredKeys(c *pushdown.Candidate, ranged bool) (int64, error) {
	switch {
	case !ranged:
		return p.documents, nil
	case !p.estimated:
		return 1, nil
	}
	e, err := p.Estimator.EstimateAll([]costing.Candidate{table.CostWalk(p.Table.Def, c, false)},
		costing.EstimateOptions{Rough: true})
	if err != nil {
		return 0, err
	}
	return e[0].Keys, nil
}

// declaredGroup estimates how many documents are sorted together: those that share the first entry's values in the
// ordered columns.
func (p *Plan) declaredGroup(w *orderWay, keys int64) (int64, error) {
	if !p.estimated {
		return 1, nil
	}
	of := w.order.Part.Declared
	e := p.Table.Def.Collection.EntriesDeclared(p.Estimator.From,
		tables.Declared{Number: of.Number, Columns: of.Of, Ranges: of.Ranges},
		tables.ScanOptions{Reverse: w.order.Descending})
	defer e.Close()
	if !e.Next() {
		return 1, e.Err()
	}
	rest := e.Value()
	for range w.order.From + len(w.order.Columns) {
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
