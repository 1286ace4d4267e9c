package table

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
	"github.com/sqlfdb/sqlfdb/ordered"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/tables"
)

// A declared index on several columns is read where conditions give its first columns single values, and the next
// one a range. The candidates of the keypaths are combined: one value of each of the first columns, then spans of
// the next.

// DeclaredReader has the declared indexes of one table that a statement may read.
type DeclaredReader struct {
	table   *Table
	read    kv.Reader
	Indexes []*catalog.Index
	Named   map[string]bool   // names of the indexes that a hint names
	hidden  map[string]string // keypaths whose own entries a hint excludes, with the reason
}

// NewDeclaredReader finds the declared indexes that are complete and that no hint excludes; nil if there are none.
func NewDeclaredReader(t *Table, read kv.Reader) *DeclaredReader {
	if t.Def.Rebuilding() {
		return nil
	}
	var out *DeclaredReader
	for i := range t.Def.Table.Indexes {
		idx := &t.Def.Table.Indexes[i]
		if idx.Number == 0 || idx.Building != 0 || unsettledIndex(t.Def, idx) {
			continue
		}
		hidden, named := hidesDeclared(t.Session, t.Place, idx.Name)
		if hidden {
			continue
		}
		if out == nil {
			out = &DeclaredReader{table: t, read: read, Named: map[string]bool{}, hidden: map[string]string{}}
		}
		out.Indexes = append(out.Indexes, idx)
		out.Named[idx.Name] = named
	}
	return out
}

// unsettledIndex reports whether documents may have values of several types in a column of an index.
func unsettledIndex(d *session.Definition, idx *catalog.Index) bool {
	return len(d.Typing.Unsettled) > 0 && slices.ContainsFunc(idx.Columns, func(name string) bool {
		path, err := session.ColumnKeypath(name)
		if err != nil {
			return true
		}
		_, unsettled := d.UnsettledColumn(path)
		return unsettled || d.BelowUnsettled(path)
	})
}

// hides notes that a hint excludes a keypath's own entries, with the reason, if a declared index has the keypath. It
// is false if none has.
func (r *DeclaredReader) hides(keypath, reason string) bool {
	if r == nil {
		return false
	}
	for _, idx := range r.Indexes {
		for _, name := range idx.Columns {
			if indexes.DeclaredKeypath(r.table.Def.Table, name) == keypath {
				r.hidden[keypath] = reason
				return true
			}
		}
	}
	return false
}

// add adds the candidates of declared indexes, and removes the candidates of keypaths that hints exclude.
func (r *DeclaredReader) add(split *pushdown.Result, conjuncts int) error {
	if r == nil {
		return nil
	}
	var added []pushdown.Candidate
	for _, idx := range r.Indexes {
		c, used, err := r.candidate(idx, split.Candidates, conjuncts)
		if err != nil {
			return err
		}
		// For one column the keypath's own entries are as good, and shorter.
		alone := used == 1 && !r.Named[idx.Name] && !nullable(c.Parts[0].Declared)
		if used > 0 && !alone {
			added = append(added, c)
		}
	}
	kept := split.Candidates
	if len(r.hidden) > 0 {
		kept = slices.DeleteFunc(slices.Clone(kept), r.IsHidden)
	}
	split.Candidates = append(kept[:len(kept):len(kept)], added...)
	return nil
}

// IsHidden reports whether hints exclude the entries that a candidate reads.
func (r *DeclaredReader) IsHidden(c pushdown.Candidate) bool {
	if r == nil {
		return false
	}
	return slices.ContainsFunc(c.Parts, func(p pushdown.Part) bool {
		_, hidden := r.hidden[p.Column.Keypath]
		return hidden && !p.PrimaryKey && p.Declared == nil
	})
}

// nullable reports whether the first column's range includes documents without the keypath, which have no entries of
// its own.
func nullable(d *pushdown.Declared) bool { return d.Bounds[0].NeedsAllPresent }

// maxDeclaredRanges is the largest number of combinations of values that are looked up one by one.
const maxDeclaredRanges = 128

// declaredSpans are the values that conditions allow for some of an index's first columns.
type declaredSpans struct {
	Prefixes [][]byte // packed values of the fixed columns, sorted
	Fixed    int      // number of columns with single values
	// next are the spans of the column after these; everything if no condition bounds it.
	next indexes.Spans
	// bounded: next comes from a condition.
	bounded bool
	columns []pushdown.Column
	bounds  []pushdown.Candidate
	texts   []string
	Answers []int // conjuncts that the spans come from
	Exact   []int // of these, the ones that the spans answer exactly
	Loose   bool  // some spans have values that their condition excludes
}

// SpansOf combines the candidates' spans for the columns of an index. The column at index stop is the last, and gets
// spans, not single values; -1: there is no such column.
func (r *DeclaredReader) SpansOf(idx *catalog.Index, candidates []pushdown.Candidate, stop int) declaredSpans {
	d := r.table.Def
	out := declaredSpans{Prefixes: [][]byte{nil}, next: indexes.Everything()}
	for n, name := range idx.Columns {
		keypath := indexes.DeclaredKeypath(d.Table, name)
		i := slices.IndexFunc(candidates, func(c pushdown.Candidate) bool { return isOnKeypath(&c, keypath) })
		if i < 0 {
			break
		}
		c := &candidates[i]
		coll := d.Encoder.Collation(keypath)
		spans, same := declaredSpansOf(c, coll)
		if len(spans) == 0 {
			break // the keypath's own entries show that there are none
		}
		values, single := singleValues(spans, coll)
		single = single && n != stop && len(values)*len(out.Prefixes) <= maxDeclaredRanges
		if !single && len(spans)*len(out.Prefixes) > maxDeclaredRanges {
			break
		}
		out.columns = append(out.columns, c.Column)
		bound := *c
		bound.Spans = spans
		out.bounds, out.texts = append(out.bounds, bound), append(out.texts, c.Parts[0].Text)
		out.Loose = out.Loose || !same || !c.Tight
		for _, a := range c.Answers {
			out.Answers = append(out.Answers, a)
			if same && !slices.Contains(c.Residual, a) {
				out.Exact = append(out.Exact, a)
			}
		}
		if !single {
			out.next, out.bounded = spans, true
			break
		}
		out.Prefixes, out.Fixed = extended(out.Prefixes, values), out.Fixed+1
	}
	return out
}

// isOnKeypath reports whether a candidate has spans over the values at a keypath.
func isOnKeypath(c *pushdown.Candidate, keypath string) bool {
	if len(c.Parts) != 1 || c.PrimaryKey {
		return false
	}
	p := &c.Parts[0]
	return p.Declared == nil && !p.Column.Stubbed && p.Column.PrimaryKeyPart == 0 && p.Column.Keypath == keypath &&
		!p.Repeats()
}

// nullSpan has only null.
var nullSpan = indexes.Point(ordered.AppendNull(nil))

// declaredSpansOf returns the values that a candidate's documents at a keypath have in a declared index, where a
// missing value is null. same: no other documents have these values.
func declaredSpansOf(c *pushdown.Candidate, coll *collation.Collation) (spans indexes.Spans, same bool) {
	spans, same = indexes.FoldSpans(c.Parts[0].Spans, coll)
	holdsNull := len(spans.Intersect(nullSpan)) > 0
	if c.NeedsAllPresent != holdsNull {
		same = false // null and a missing value have the same entry
	}
	if c.NeedsAllPresent {
		spans = spans.Union(nullSpan)
	}
	return spans, same
}

// singleValues returns the values of spans that have one value each.
func singleValues(spans indexes.Spans, coll *collation.Collation) ([][]byte, bool) {
	out := make([][]byte, len(spans))
	for i, s := range spans {
		value, ok := singleValue(s, coll)
		if !ok {
			return nil, false
		}
		out[i] = value
	}
	return out, true
}

func singleValue(s indexes.Span, coll *collation.Collation) ([]byte, bool) {
	n := len(s.Start)
	switch {
	case s.IsPoint():
		return s.Start, true
	case n == 0 || len(s.End) != n || !bytes.Equal(s.Start[:n-1], s.End[:n-1]) || s.Start[n-1]+1 != s.End[n-1]:
		return nil, false
	case n == 1 && s.Start[0] == ordered.ClassNull:
		return s.Start, true
	case s.Start[0] == ordered.ClassString && !coll.IsIdentity() && s.Start[n-1] == 0x01:
		return s.Start, true // all strings with this sort key are one value
	}
	return nil, false
}

// extended returns each prefix followed by each value.
func extended(prefixes, values [][]byte) [][]byte {
	out := make([][]byte, 0, len(prefixes)*len(values))
	for _, p := range prefixes {
		for _, v := range values {
			out = append(out, tuple.AppendBytes(bytes.Clone(p), v))
		}
	}
	return out
}

// Part returns the part of an index for the spans.
func (s *declaredSpans) Part(idx *catalog.Index) pushdown.Part {
	d := &pushdown.Declared{Name: idx.Name, Number: idx.Number, Columns: s.columns, Of: len(idx.Columns), Bounds: s.bounds}
	for _, p := range s.Prefixes {
		for _, n := range s.next {
			d.Ranges = append(d.Ranges, indexes.DeclaredRange{Prefix: p, Span: n})
		}
	}
	d.Point = len(s.Prefixes) == 1 && s.Fixed > 0 && !s.bounded
	out := pushdown.Part{Declared: d, Spans: indexes.Everything(), Text: "all values"}
	if len(s.bounds) > 0 {
		out.Column, out.Spans = s.columns[0], s.bounds[0].Spans
		texts := make([]string, len(s.columns))
		for i := range s.columns {
			texts[i] = PartName(pushdown.Part{Column: s.columns[i]}) + " in " + s.texts[i]
		}
		out.Text = strings.Join(texts, " and ")
	}
	return out
}

// candidate returns the candidate for an index, and the number of its columns that conditions bound.
func (r *DeclaredReader) candidate(idx *catalog.Index, candidates []pushdown.Candidate,
	conjuncts int) (c pushdown.Candidate, used int, err error) {
	s := r.SpansOf(idx, candidates, -1)
	if len(s.columns) == 0 {
		return c, 0, nil
	}
	omits, err := r.table.Def.Collection.Omits(r.read, idx.Number)
	if err != nil || omits {
		return c, 0, err
	}
	part := s.Part(idx)
	c = pushdown.Candidate{Parts: []pushdown.Part{part}, Column: part.Column, Spans: part.Spans, Text: part.Text,
		Tight: !s.Loose, Answers: s.Answers}
	slices.Sort(c.Answers)
	c.Answers = slices.Compact(c.Answers)
	for i := range conjuncts {
		if !slices.Contains(s.Exact, i) {
			c.Residual = append(c.Residual, i)
		}
	}
	return c, len(s.columns), nil
}

// costedDeclared converts it for package costing.
func costedDeclared(d *pushdown.Declared) *costing.Declared {
	out := &costing.Declared{Number: d.Number, Ranges: d.Ranges}
	for i := range d.Bounds {
		out.Bounds = append(out.Bounds, costing.Part{Keypath: d.Columns[i].Keypath, Spans: d.Bounds[i].Spans})
	}
	return out
}

// DeclaredRead returns what to read of a declared index. It checks again that no document lacks an entry there, so
// that this takes part in conflict detection.
func DeclaredRead(d *session.Definition, r kv.Reader, of *pushdown.Declared) (tables.Declared, error) {
	omits, err := d.Collection.Omits(r, of.Number)
	if err == nil && omits {
		err = fmt.Errorf("sqlbackend: read %s along the index %s, which lacks documents: %w", d, of.Name, kv.ErrConflict)
	}
	return tables.Declared{Number: of.Number, Columns: of.Of, Ranges: of.Ranges}, err
}

// DeclaredName is the name of a declared index in EXPLAIN.
func DeclaredName(d *pushdown.Declared) string { return "index `" + d.Name + "`" }

// isPoint reports whether a candidate has one value.
func isPoint(c *pushdown.Candidate) bool {
	if len(c.Parts) == 1 && c.Parts[0].Declared != nil {
		return c.Parts[0].Declared.Point
	}
	return c.Spans.IsPoint()
}
