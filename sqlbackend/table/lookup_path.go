package table

import (
	"fmt"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/tables"
)

// AccessPath is how one table of a statement is read, with all that EXPLAIN says about it. For the engine it is a
// range collection with one range. It is immutable once the table is planned.
type AccessPath struct {
	Table     *Table
	Candidate *pushdown.Candidate // nil: a full scan
	Residual  []int               // conjuncts that are still filtered, by index
	Conjuncts []sql.Expression
	Reasons   []string // why conjuncts have no range, or the table is scanned
	Split     []pushdown.Candidate
	Explained bool                  // made for an EXPLAIN
	Walked    bool                  // see Table.isWalk
	measured  bool                  // its keys are known as exactly as possible
	Elements  bool                  // of a child table: NeedsAllPresent is about elements
	Covered   *session.Covered      // how rows are made without documents, see Coverable; nil: documents are read
	Order     *PathOrder            // nil: the candidate's own order
	Members   []*pushdown.Candidate // their documents are intersected; Candidate has the parts of all
	Certain   []int                 // conjuncts that are true for every document, by index
	Proofs    []countProof          // proofs for Certain

	// The data of the choice; Candidates is empty if there was no choice.
	Chosen     int
	Candidates []costing.Candidate
	Estimates  []costing.Estimate
	Choice     costing.Choice
	Documents  int64
}

var (
	_ sql.RangeCollection = (*AccessPath)(nil)
	_ sql.Range           = PathRange{}
)

// NewAccessPath returns the path along the candidate with index chosen; -1: the full scan.
func NewAccessPath(t *Table, conjuncts []sql.Expression, split pushdown.Result, chosen int) *AccessPath {
	p := &AccessPath{Table: t, Conjuncts: conjuncts, Reasons: split.Reasons, Split: split.Candidates,
		Certain: split.Certain, Chosen: chosen}
	if chosen < 0 {
		for i := range conjuncts {
			p.Residual = append(p.Residual, i)
		}
		return p
	}
	p.Candidate = &split.Candidates[chosen]
	p.Residual = p.Candidate.Residual
	return p
}

// FullScan returns the path of a table that is scanned for one reason.
func FullScan(t *Table, conjuncts []sql.Expression, reason string) *AccessPath {
	return NewAccessPath(t, conjuncts, pushdown.Result{Reasons: []string{reason}}, -1)
}

// IsOneDocument reports whether the path leads to at most one document.
func (p *AccessPath) IsOneDocument() bool {
	c := p.Candidate
	return c != nil && c.PrimaryKey && c.Spans.IsPoint() && len(p.Table.Def.PrimaryKey) == 1
}

// WithoutRun copies a path to one document without the data of its statement's run, for AtKey.
func (p *AccessPath) WithoutRun() *AccessPath {
	c := *p.Candidate
	return &AccessPath{Candidate: &c}
}

// AtKey returns the path to another document of the same table, by the encoded value of its primary key.
func (p *AccessPath) AtKey(t *Table, value []byte) *AccessPath {
	c := *p.Candidate
	c.Spans = indexes.Point(value)
	c.Parts = []pushdown.Part{p.Candidate.Parts[0]}
	c.Parts[0].Spans = c.Spans
	return &AccessPath{Table: t, Candidate: &c}
}

// ReadsAll reports whether the path reads through the whole collection to its end.
func (p *AccessPath) ReadsAll() bool {
	if p.Order != nil {
		return p.Order.Whole
	}
	return p.Covered != nil && p.Candidate.NeedsAllPresent && p.Candidate.Spans.IsEverything()
}

// open starts reading; nil: there is nothing to read.
func (p *AccessPath) open(t *Table, r kv.Reader) (tables.Rows, error) {
	switch {
	case p.Order != nil:
		return p.openOrdered(t, r)
	case p.Candidate == nil:
		return t.Def.Collection.Scan(r, indexes.Everything(), tables.ScanOptions{}), nil
	case len(p.Candidate.Parts) == 0:
		return nil, nil
	case len(p.Members) > 0:
		return p.openIntersection(t, r)
	case len(p.Candidate.Parts) == 1:
		return p.OpenPart(t, r, &p.Candidate.Parts[0])
	}
	var walks []func() (tables.Rows, error)
	for i := range p.Candidate.Parts {
		walks = append(walks, func() (tables.Rows, error) { return p.OpenPart(t, r, &p.Candidate.Parts[i]) })
	}
	return tables.Union(r, walks...), nil
}

// OpenPart starts reading one part of the candidate; nil: there is nothing to read.
func (p *AccessPath) OpenPart(t *Table, r kv.Reader, part *pushdown.Part) (tables.Rows, error) {
	c := t.Def.Collection
	if part.PrimaryKey {
		if len(part.Spans) == 0 {
			return nil, nil
		}
		return c.Scan(r, part.Spans, tables.ScanOptions{}), nil
	}
	if part.Declared != nil {
		declared, err := DeclaredRead(t.Def, r, part.Declared)
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

// resolve returns the number of a part's keypath and the spans to read there; nil: there is nothing.
func (p *AccessPath) resolve(t *Table, r kv.Reader, part *pushdown.Part) (int64, []indexes.VersionSpans, error) {
	// Read through the statement's reader, so that a writer that adds the keypath in the meantime conflicts.
	number, ok, err := t.Def.Collection.Number(r, part.Column.Keypath)
	if err != nil {
		return 0, nil, err
	}
	if p.NeedsPresent(part) {
		if err := p.Confirm(t, r, part, number, ok); err != nil {
			return 0, nil, err
		}
	}
	versions := t.Def.Versions(part.Column, part.Spans)
	if !ok || len(versions) == 1 && len(versions[0].Spans) == 0 {
		return 0, nil, nil
	}
	return number, versions, nil
}

// NeedsPresent reports whether the path relies on all documents having a part's keypath.
func (p *AccessPath) NeedsPresent(part *pushdown.Part) bool {
	for _, m := range p.Members {
		if m.NeedsAllPresent && len(m.Parts) == 1 && &m.Parts[0] == part {
			return true
		}
	}
	return p.Candidate.NeedsAllPresent && (len(p.Candidate.Parts) == 1 || part.NeedsPresent)
}

// Confirm reads the counts that a part relies on, so that they take part in conflict detection. It fails if they
// show that a document lacks the keypath.
func (p *AccessPath) Confirm(t *Table, r kv.Reader, part *pushdown.Part, number int64, known bool) error {
	stats := t.Def.Collection.Statistics(r)
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
			t.Def, part.Column.Keypath, present, documents, kv.ErrConflict)
	}
	return nil
}

// Len implements sql.RangeCollection.
func (p *AccessPath) Len() int { return 1 }

// Equals implements sql.RangeCollection.
func (p *AccessPath) Equals(other sql.RangeCollection) (bool, error) {
	o, ok := other.(*AccessPath)
	return ok && o == p, nil
}

// ToRanges implements sql.RangeCollection.
func (p *AccessPath) ToRanges() []sql.Range { return []sql.Range{PathRange{p}} }

// PathRange is an AccessPath as a range of the engine.
type PathRange struct {
	Path *AccessPath
}

// Equals implements sql.Range.
func (r PathRange) Equals(other sql.Range) (bool, error) {
	o, ok := other.(PathRange)
	return ok && o == r, nil
}

// String implements fmt.Stringer.
func (r PathRange) String() string { return r.Path.String() }

// DebugString implements sql.DebugStringer.
func (r PathRange) DebugString() string { return r.Path.DebugString() }

// Index returns the index that the engine sees for the path. GetIndexes does not have it: it serves this lookup
// only.
func (p *AccessPath) Index() sql.Index {
	return PathIndex{p}
}

// PathIndex is the index of one access path.
type PathIndex struct {
	Path *AccessPath
}

var _ sql.Index = PathIndex{}

// ID implements sql.Index.
func (i PathIndex) ID() string { return i.Path.Name() }

// Database implements sql.Index.
func (i PathIndex) Database() string { return i.Path.Table.Def.Database }

// Table implements sql.Index.
func (i PathIndex) Table() string { return i.Path.Table.Def.Name }

// Expressions implements sql.Index.
func (i PathIndex) Expressions() []string { return []string{i.Path.Name()} }

// IsUnique implements sql.Index.
func (i PathIndex) IsUnique() bool { return false }

// IsSpatial implements sql.Index.
func (i PathIndex) IsSpatial() bool { return false }

// IsFullText implements sql.Index.
func (i PathIndex) IsFullText() bool { return false }

// IsVector implements sql.Index.
func (i PathIndex) IsVector() bool { return false }

// Comment implements sql.Index.
func (i PathIndex) Comment() string { return "" }

// IndexType implements sql.Index.
func (i PathIndex) IndexType() string { return "BTREE" }

// IsGenerated implements sql.Index.
func (i PathIndex) IsGenerated() bool { return true }

// ColumnExpressionTypes implements sql.Index.
func (i PathIndex) ColumnExpressionTypes() []sql.ColumnExpressionType { return nil }

// CanSupport implements sql.Index.
func (i PathIndex) CanSupport(*sql.Context, ...sql.Range) bool { return true }

// CanSupportOrderBy implements sql.Index. It is false: package order uses the order of rows instead.
func (i PathIndex) CanSupportOrderBy(sql.Expression) bool { return false }

// PrefixLengths implements sql.Index.
func (i PathIndex) PrefixLengths() []uint16 { return nil }

// WithoutArrays returns a keypath without the marks of arrays.
func WithoutArrays(path document.Keypath) document.Keypath {
	out := slices.Clone(path)
	for i := range out {
		out[i].Array = false
	}
	return out
}

// VarMapUpdate says how current the rows of background map indexes are that a statement reads. They have all changes
// up to the statement's start, or the changes that they happen to have; these may then be brought up to date
// afterwards or not.
const VarMapUpdate = "sqlfdb_map_update"

const MapWait = "wait"

// TogetherOf sums the progress of the jobs that build one group; building are their IDs.
func TogetherOf(all []jobs.Job, building []int64) (p jobs.Progress, ok bool) {
	for i := range all {
		if slices.Contains(building, all[i].ID) {
			of := all[i].Progress
			p.Done, p.Of, p.Failed, ok = p.Done+of.Done, p.Of+of.Of, p.Failed+of.Failed, true
			p.Message = of.Message
		}
	}
	return p, ok
}

// ChangesSuffix is the end of the name of a table's change feed.
const ChangesSuffix = "__changes"

const SequenceColumn = "seq"

// Size is the expected size of a part of a plan: its number of rows, and the cost of reading them in documents
// scanned.
type Size struct {
	Rows, Cost float64
}

const UnknownRows = 1000

// Size estimates the table when it is read along the path.
func (p *AccessPath) Size() Size {
	switch {
	case p.IsOneDocument():
		return Size{Rows: 1, Cost: 1}
	case p.Candidate == nil:
		return Size{Rows: float64(p.Documents), Cost: float64(p.Documents)}
	case p.Chosen < len(p.Estimates):
		p.Measure()
		return Size{Rows: float64(p.Estimates[p.Chosen].Keys), Cost: p.Choice.Cost}
	}
	return Size{Rows: 1, Cost: 1}
}

// Measure counts the keys of the path, as EXPLAIN does, if the path was chosen without that. Before, only a minimum
// is known, or the store's estimate, which for few keys may be many times too large. Documents found by key have no
// estimates at all.
func (p *AccessPath) Measure() {
	if p.measured || p.Chosen >= len(p.Estimates) || p.Estimates[p.Chosen].Exact || len(p.Members) > 0 {
		return
	}
	p.measured = true
	read, err := p.Table.Session.Readers.Plan()
	if err != nil {
		return
	}
	candidate := p.Candidates[p.Chosen : p.Chosen+1]
	if e, err := Estimator(p.Table.Def, read).EstimateAll(candidate, costing.EstimateOptions{Refine: true}); err == nil &&
		!e[0].Least {
		p.Estimates[p.Chosen], p.Choice.Cost = e[0], costing.ChooseIndex(p.Documents, candidate, e).Cost
	}
}
