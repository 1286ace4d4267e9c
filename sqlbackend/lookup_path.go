package sqlbackend

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/tables"
)

// accessPath is how one table of a statement is read, with all that EXPLAIN
// says of it. It is the engine's collection of ranges, a single one. It is
// immutable once the table is planned.
type accessPath struct {
	table     *Table
	candidate *pushdown.Candidate // nil for a full scan
	residual  []int               // conjuncts that are still filtered
	conjuncts []sql.Expression
	reasons   []string // why conjuncts have no range, or the table is scanned
	split     []pushdown.Candidate
	explained bool                  // made for an EXPLAIN
	walked    bool                  // as Table.isWalk tells
	measured  bool                  // its keys are known as well as can be
	elements  bool                  // of a child table: what lacks a keypath are elements
	covered   *covered              // no document is read; nil if documents are; see coverable
	order     *pathOrder            // nil for the order in which the candidate is read
	members   []*pushdown.Candidate // whose documents are intersected; the candidate has the parts of all
	certain   []int                 // conjuncts that are true of every document
	proofs    []countProof          // by which they are

	// What the choice was made from; no candidates where there was no choice.
	chosen     int
	candidates []costing.Candidate
	estimates  []costing.Estimate
	choice     costing.Choice
	documents  int64
}

var (
	_ sql.RangeCollection = (*accessPath)(nil)
	_ sql.Range           = pathRange{}
)

// newAccessPath is the path along the candidate of that index, or the full
// scan for -1.
func newAccessPath(t *Table, conjuncts []sql.Expression, split pushdown.Result, chosen int) *accessPath {
	p := &accessPath{table: t, conjuncts: conjuncts, reasons: split.Reasons, split: split.Candidates,
		certain: split.Certain, chosen: chosen}
	if chosen < 0 {
		for i := range conjuncts {
			p.residual = append(p.residual, i)
		}
		return p
	}
	p.candidate = &split.Candidates[chosen]
	p.residual = p.candidate.Residual
	return p
}

// fullScan is the path of a table that is scanned for one reason.
func fullScan(t *Table, conjuncts []sql.Expression, reason string) *accessPath {
	return newAccessPath(t, conjuncts, pushdown.Result{Reasons: []string{reason}}, -1)
}

// isOneDocument reports whether the path leads to one document at most.
func (p *accessPath) isOneDocument() bool {
	c := p.candidate
	return c != nil && c.PrimaryKey && c.Spans.IsPoint() && len(p.table.def.PrimaryKey) == 1
}

// readsAll reports whether the path leads through the whole collection to its end.
func (p *accessPath) readsAll() bool {
	if p.order != nil {
		return p.order.whole
	}
	return p.covered != nil && p.candidate.NeedsAllPresent && p.candidate.Spans.IsEverything()
}

// open starts reading; nil means that there is nothing to read.
func (p *accessPath) open(t *Table, r kv.Reader) (tables.Rows, error) {
	switch {
	case p.order != nil:
		return p.openOrdered(t, r)
	case p.candidate == nil:
		return t.def.collection.Scan(r, indexes.Everything(), tables.ScanOptions{}), nil
	case len(p.candidate.Parts) == 0:
		return nil, nil
	case len(p.members) > 0:
		return p.openIntersection(t, r)
	case len(p.candidate.Parts) == 1:
		return p.openPart(t, r, &p.candidate.Parts[0])
	}
	var walks []func() (tables.Rows, error)
	for i := range p.candidate.Parts {
		walks = append(walks, func() (tables.Rows, error) { return p.openPart(t, r, &p.candidate.Parts[i]) })
	}
	return tables.Union(r, walks...), nil
}

// openPart starts reading one part of the candidate; nil means that there is
// nothing to read.
func (p *accessPath) openPart(t *Table, r kv.Reader, part *pushdown.Part) (tables.Rows, error) {
	c := t.def.collection
	if part.PrimaryKey {
		if len(part.Spans) == 0 {
			return nil, nil
		}
		return c.Scan(r, part.Spans, tables.ScanOptions{}), nil
	}
	if part.Declared != nil {
		declared, err := t.def.declaredRead(r, part.Declared)
		if err != nil {
			return nil, err
		}
		return c.LookupDeclared(r, declared, tables.ScanOptions{}), nil
	}
	number, versions, err := p.resolve(t, r, part)
	if err != nil || versions == nil {
		return nil, err
	}
	return c.Lookup(r, number, versions, tables.LookupOptions{Repeats: part.Repeats()}), nil
}

// resolve finds the number of a part's keypath and what is read there; nil if there is
// nothing.
func (p *accessPath) resolve(t *Table, r kv.Reader, part *pushdown.Part) (int64, []indexes.VersionSpans, error) {
	// Through the statement's reader, so that a writer who makes the keypath
	// known meanwhile is a conflict.
	number, ok, err := t.def.collection.Number(r, part.Column.Keypath)
	if err != nil {
		return 0, nil, err
	}
	if p.needsPresent(part) {
		if err := p.confirm(t, r, part, number, ok); err != nil {
			return 0, nil, err
		}
	}
	versions := t.def.versions(part.Column, part.Spans)
	if !ok || len(versions) == 1 && len(versions[0].Spans) == 0 {
		return 0, nil, nil
	}
	return number, versions, nil
}

// needsPresent reports whether the path rests on all documents' having a part's keypath.
func (p *accessPath) needsPresent(part *pushdown.Part) bool {
	for _, m := range p.members {
		if m.NeedsAllPresent && len(m.Parts) == 1 && &m.Parts[0] == part {
			return true
		}
	}
	return p.candidate.NeedsAllPresent && (len(p.candidate.Parts) == 1 || part.NeedsPresent)
}

// confirm reads the counts that a part rests on, so that they take part in
// conflict detection, and finds that they still say that no document lacks the
// keypath.
func (p *accessPath) confirm(t *Table, r kv.Reader, part *pushdown.Part, number int64, known bool) error {
	stats := t.def.collection.Statistics(r)
	documents, _, err := stats.Documents()
	if err != nil {
		return err
	}
	counts := costing.Keypath{}
	if known {
		if counts, err = stats.Keypath(number); err != nil {
			return err
		}
	}
	if present := counts.Total().Documents; present < documents {
		return fmt.Errorf("sqlbackend: read %s along %s: %d of %d documents have it: %w",
			t.def, part.Column.Keypath, present, documents, kv.ErrConflict)
	}
	return nil
}

// Len implements sql.RangeCollection.
func (p *accessPath) Len() int { return 1 }

// Equals implements sql.RangeCollection.
func (p *accessPath) Equals(other sql.RangeCollection) (bool, error) {
	o, ok := other.(*accessPath)
	return ok && o == p, nil
}

// ToRanges implements sql.RangeCollection.
func (p *accessPath) ToRanges() []sql.Range { return []sql.Range{pathRange{p}} }

// pathRange is an accessPath as the engine's range.
type pathRange struct {
	path *accessPath
}

// Equals implements sql.Range.
func (r pathRange) Equals(other sql.Range) (bool, error) {
	o, ok := other.(pathRange)
	return ok && o == r, nil
}

// String implements fmt.Stringer.
func (r pathRange) String() string { return r.path.String() }

// DebugString implements sql.DebugStringer.
func (r pathRange) DebugString() string { return r.path.DebugString() }

// index is what the engine knows the path's index as. Its name is not one of
// GetIndexes: it serves this lookup alone.
func (p *accessPath) index() sql.Index {
	return pathIndex{p}
}

// pathIndex is the index of one access path.
type pathIndex struct {
	path *accessPath
}

var _ sql.Index = pathIndex{}

// ID implements sql.Index.
func (i pathIndex) ID() string { return i.path.name() }

// Database implements sql.Index.
func (i pathIndex) Database() string { return i.path.table.def.Database }

// Table implements sql.Index.
func (i pathIndex) Table() string { return i.path.table.def.Name }

// Expressions implements sql.Index.
func (i pathIndex) Expressions() []string { return []string{i.path.name()} }

// IsUnique implements sql.Index.
func (i pathIndex) IsUnique() bool { return false }

// IsSpatial implements sql.Index.
func (i pathIndex) IsSpatial() bool { return false }

// IsFullText implements sql.Index.
func (i pathIndex) IsFullText() bool { return false }

// IsVector implements sql.Index.
func (i pathIndex) IsVector() bool { return false }

// Comment implements sql.Index.
func (i pathIndex) Comment() string { return "" }

// IndexType implements sql.Index.
func (i pathIndex) IndexType() string { return "BTREE" }

// IsGenerated implements sql.Index.
func (i pathIndex) IsGenerated() bool { return true }

// ColumnExpressionTypes implements sql.Index.
func (i pathIndex) ColumnExpressionTypes() []sql.ColumnExpressionType { return nil }

// CanSupport implements sql.Index.
func (i pathIndex) CanSupport(*sql.Context, ...sql.Range) bool { return true }

// CanSupportOrderBy implements sql.Index: the order of rows is the index's own
// affair until a rule of ours uses it.
func (i pathIndex) CanSupportOrderBy(sql.Expression) bool { return false }

// PrefixLengths implements sql.Index.
func (i pathIndex) PrefixLengths() []uint16 { return nil }
