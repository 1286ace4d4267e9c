package table

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/ahead"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
)

var _ sql.IndexSearchableTable = (*Table)(nil)

// LookupForExpressions implements sql.IndexSearchable: it returns an access path to the rows that satisfy the
// conjuncts, and the condition that must still be filtered. It never returns an empty lookup, which the engine would
// take for "no index". An access path without values reads nothing instead.
func (t *Table) LookupForExpressions(ctx *sql.Context, conjuncts ...sql.Expression) (sql.IndexLookup, *sql.FuncDepSet,
	sql.Expression, bool, error) {
	path, err := t.Plan(ctx, conjuncts)
	if err != nil {
		return sql.IndexLookup{}, nil, nil, false, mysqlerr.Of(ctx, err)
	}
	lookup, residual, found := t.LookupAlong(path, conjuncts)
	return lookup, &sql.FuncDepSet{}, residual, found, nil
}

// LookupAlong returns a path as a lookup of the engine; left is the condition that must still be filtered. found is
// false if all documents are read.
func (t *Table) LookupAlong(path *AccessPath, conjuncts []sql.Expression) (lookup sql.IndexLookup,
	left sql.Expression, found bool) {
	if path == nil {
		return sql.IndexLookup{}, nil, false
	}
	if path.Candidate == nil { // for EXPLAIN, whose plan is the running statement's
		NoteScan(t.Session, t.Place, path)
		return sql.IndexLookup{}, nil, false
	}
	var residual []sql.Expression
	for _, i := range path.Residual {
		residual = append(residual, conjuncts[i])
	}
	return sql.IndexLookup{Index: path.Index(), Ranges: path}, expression.JoinAnd(residual...), true
}

// SkipIndexCosting implements sql.IndexSearchable. If Plan finds no path, the table is scanned.
func (t *Table) SkipIndexCosting() bool { return true }

// PreciseMatch implements sql.IndexAddressable. LookupForExpressions returns all that must still be filtered.
func (t *Table) PreciseMatch() bool { return true }

// Plan chooses the access path for the conjuncts; nil is a full scan. For EXPLAIN the full scan is a path, too, with
// the reasons.
func (t *Table) Plan(ctx *sql.Context, conjuncts []sql.Expression) (*AccessPath, error) {
	s, err := session.Of(ctx)
	if err != nil {
		return nil, err
	}
	explained := s.Parsed.Explains()
	if !setting.On(ctx, setting.UseIndex) {
		if explained {
			return FullScan(t, conjuncts, setting.UseIndex+" is OFF"), nil
		}
		return nil, nil
	}
	read, err := s.Readers.Plan()
	if err != nil {
		return nil, err
	}
	if ahead.Of(read).Starts() {
		t.Def.StartCounts(read, t.namedIn(conjuncts))
	}
	resolver := &LookupResolver{Table: t, Read: read, Declared: NewDeclaredReader(t, read)}
	keyed, swapped := t.Keyed(conjuncts)
	split := pushdown.Split(ctx, keyed, resolver, pushdown.Options{Explain: explained})
	KeepSwapped(&split, swapped)
	if resolver.Err != nil {
		return nil, resolver.Err
	}
	for _, path := range resolver.nowhere() {
		if err := s.WarnUnknown(ctx, t.Def, read, path); err != nil {
			return nil, err
		}
	}
	split.Candidates = t.Def.Loosen(split.Candidates, len(conjuncts))
	if t.Driver() != nil {
		for i := range split.Candidates {
			if c := &split.Candidates[i]; c.PrimaryKey && len(c.Parts) == 1 {
				return NewAccessPath(t, conjuncts, split, i), nil
			}
		}
		return nil, nil // the driver reads in the order of the primary key
	}
	if err := resolver.Declared.add(&split, len(conjuncts)); err != nil {
		return nil, err
	}
	use := t.Use(conjuncts)
	t.DropCertain(&split)
	t.dropIdle(&split, len(conjuncts), use)
	candidates := make([]costing.Candidate, len(split.Candidates))
	for i := range split.Candidates {
		c := &split.Candidates[i]
		candidates[i] = CostWalk(t.Def, c, explained)
		if t.Coverable(c, &candidates[i], use); split.Idle(c) {
			candidates[i].Mergeable = false
		}
		if point := c.PrimaryKey && c.Spans.IsPoint() && len(t.Def.PrimaryKey) == 1; point && !explained {
			return NewAccessPath(t, conjuncts, split, i), nil // no path reads less
		}
	}
	candidates = t.walkAll(resolver, &split, candidates, len(conjuncts), use)
	if resolver.Err != nil {
		return nil, resolver.Err
	}
	if len(candidates) == 0 && !explained {
		return nil, nil
	}
	if !explained && t.isWalk(&split, len(conjuncts)) && resolver.EntersAll(t.Walked) {
		path := NewAccessPath(t, conjuncts, split, 0)
		path.Walked = true
		path.Candidates, path.Estimates = candidates, []costing.Estimate{{Least: true}}
		path.Proofs = resolver.Proofs
		return path, nil
	}
	estimator := Estimator(t.Def, read)
	documents, _, err := estimator.Documents()
	if err != nil {
		return nil, err
	}
	estimates, err := estimator.EstimateAll(candidates, costing.EstimateOptions{Refine: explained})
	if err != nil {
		return nil, err
	}
	choice := Choose(s, t.Place, documents, candidates, estimates)
	if choice.Chosen < 0 && !explained {
		return nil, nil
	}
	if len(choice.Members) > 0 {
		candidates, estimates = intersected(&split, candidates, estimates, &choice, explained)
	}
	path := NewAccessPath(t, conjuncts, split, choice.Chosen)
	path.Explained = explained
	for _, m := range choice.Members {
		path.Members = append(path.Members, &split.Candidates[m])
	}
	path.Candidates, path.Estimates, path.Choice, path.Documents = candidates, estimates, choice, documents
	path.Covered = path.Coverable(use.Needed(path.Residual))
	path.Proofs = resolver.Proofs
	return path, nil
}

// isWalk reports whether the only candidate is a range of the keypath Walked, in whose order only a few rows are
// needed, and answers all conjuncts. It is then read from that end, and no other path reads less.
func (t *Table) isWalk(split *pushdown.Result, conjuncts int) bool {
	if t.Walked == "" || len(split.Candidates) != 1 {
		return false
	}
	c := &split.Candidates[0]
	return len(c.Parts) == 1 && !c.PrimaryKey && !c.NeedsAllPresent && c.Parts[0].Declared == nil &&
		!c.Parts[0].Repeats() &&
		len(c.Residual) == 0 && len(c.Answers) == conjuncts && c.Column.Keypath == t.Walked
}

// Estimator returns an estimator of candidates' costs, at the version that r reads.
func Estimator(d *session.Definition, r kv.Reader) costing.Estimator {
	dictionary := d.Collection.Dictionary()
	return costing.Estimator{
		Statistics: d.Collection.Statistics(r),
		Number:     func(keypath string) (int64, bool, error) { return dictionary.Lookup(r, keypath) },
		Grain:      d.Grain,
	}
}

// CostWalk converts a candidate for package costing, with readable names if explained.
func CostWalk(d *session.Definition, c *pushdown.Candidate, explained bool) costing.Candidate {
	out := costing.Candidate{
		Keypath: c.Column.Keypath, PrimaryKey: c.PrimaryKey, Spans: c.Spans, Nothing: len(c.Parts) == 0,
		Tight: c.Tight, NeedsAllPresent: c.NeedsAllPresent, Answers: c.Answers, Parts: make([]costing.Part, len(c.Parts)),
	}
	for i := range c.Parts {
		p := &c.Parts[i]
		part := costing.Part{PrimaryKey: p.PrimaryKey, Spans: p.Spans, Repeats: p.Repeats(), NeedsPresent: p.NeedsPresent}
		if p.Declared != nil {
			part.Keypath, part.Declared = p.Column.Keypath, costedDeclared(p.Declared)
		} else if !p.PrimaryKey {
			part.Keypath, part.Versions = p.Column.Keypath, d.Versions(p.Column, p.Spans)
		}
		out.Parts[i] = part
	}
	if explained {
		out.Name, out.Readable = candidateName(c), CandidateText(c)
	}
	return out
}

// IndexedAccess implements sql.IndexAddressable.
func (t *Table) IndexedAccess(*sql.Context, sql.IndexLookup) sql.IndexedTable {
	return &LookupTable{Table: t}
}

// GetIndexes implements sql.IndexAddressable.
func (t *Table) GetIndexes(*sql.Context) ([]sql.Index, error) { return t.shownIndexes(), nil }

// LookupTable is a table that is read along an access path.
type LookupTable struct {
	*Table
}

var _ sql.IndexedTable = (*LookupTable)(nil)

// LookupPartitions implements sql.IndexedTable.
func (t *LookupTable) LookupPartitions(_ *sql.Context, lookup sql.IndexLookup) (sql.PartitionIter, error) {
	if source, ok := lookup.Ranges.(ownRows); ok {
		return sql.PartitionsToPartitionIter(sourcePartition{source}), nil
	}
	path, ok := lookup.Ranges.(*AccessPath)
	if !ok {
		return nil, fmt.Errorf("sqlbackend: table %s: a lookup with %T", t.Def, lookup.Ranges)
	}
	return sql.PartitionsToPartitionIter(PathPartition{path}), nil
}

// ownRows are ranges that are no access path, and return the rows themselves.
type ownRows interface {
	RowsOf(ctx *sql.Context, t *Table) (sql.RowIter, error)
}

// sourcePartition is the only partition of a lookup with ownRows.
type sourcePartition struct {
	source ownRows
}

// Key implements sql.Partition.
func (sourcePartition) Key() []byte { return []byte("source") }

// PathPartition is the only partition of a lookup with an access path.
type PathPartition struct {
	Path *AccessPath
}

// Key implements sql.Partition.
func (PathPartition) Key() []byte { return []byte("lookup") }

// PartitionRows implements sql.Table.
func (t *LookupTable) PartitionRows(ctx *sql.Context, p sql.Partition) (sql.RowIter, error) {
	if partition, ok := p.(sourcePartition); ok {
		return partition.source.RowsOf(ctx, t.Table)
	}
	partition, ok := p.(PathPartition)
	if !ok {
		return t.Table.PartitionRows(ctx, p)
	}
	if d := t.Driver(); d != nil {
		return d.DrivingRows(ctx, t.Table, partition.Path.Candidate.Spans)
	}
	if partition.Path.ReadsAll() {
		if err := t.Session.AllowScan(ctx, t.Def); err != nil {
			return nil, err
		}
	}
	r, err := t.Reader(ctx)
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	if partition.Path.Covered != nil {
		rows, err := t.coveredRows(partition.Path, r)
		return rows, mysqlerr.Of(ctx, err)
	}
	docs, err := partition.Path.open(t.Table, r)
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	if docs == nil {
		return sql.RowsToRowIter(), nil
	}
	return t.Rows(partition.Path, docs), nil
}

// namedIn returns the table's columns in expressions whose counts are needed: all but the primary key's, which have
// none.
func (t *Table) namedIn(conjuncts []sql.Expression) []string {
	var names []string
	for _, c := range conjuncts {
		sql.Inspect(c, func(e sql.Expression) bool {
			if f, ok := e.(*expression.GetField); ok && t.Place.Holds(f) && !slices.Contains(names, f.Name()) &&
				!t.IsKeyColumn(f.Name()) {
				names = append(names, f.Name())
			}
			return true
		})
	}
	return names
}

// IsKeyColumn reports whether a column is in the primary key.
func (t *Table) IsKeyColumn(name string) bool {
	for _, i := range t.Def.PrimaryKey {
		if strings.EqualFold(t.Def.Columns[i].Name, name) {
			return true
		}
	}
	return false
}
