package sqlbackend

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
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
)

var _ sql.IndexSearchableTable = (*Table)(nil)

// LookupForExpressions implements sql.IndexSearchable: it is asked for an
// access path to the rows that satisfy the conjuncts, and gives back what must
// still be filtered. The engine never gets an empty lookup, which it would
// take for "no index": an access path without values reads nothing instead.
func (t *Table) LookupForExpressions(ctx *sql.Context, conjuncts ...sql.Expression) (sql.IndexLookup, *sql.FuncDepSet,
	sql.Expression, bool, error) {
	path, err := t.plan(ctx, conjuncts)
	if err != nil {
		return sql.IndexLookup{}, nil, nil, false, mysqlerr.Of(ctx, err)
	}
	lookup, residual, found := t.lookupAlong(path, conjuncts)
	return lookup, &sql.FuncDepSet{}, residual, found, nil
}

// lookupAlong is a path as the engine knows it, with what of the conjuncts must still be filtered; not found where all
// documents are read.
func (t *Table) lookupAlong(path *accessPath, conjuncts []sql.Expression) (lookup sql.IndexLookup,
	left sql.Expression, found bool) {
	if path == nil {
		return sql.IndexLookup{}, nil, false
	}
	if path.candidate == nil { // for EXPLAIN; the plan is the one of a statement that runs
		t.session.noteScan(t.place, path)
		return sql.IndexLookup{}, nil, false
	}
	var residual []sql.Expression
	for _, i := range path.residual {
		residual = append(residual, conjuncts[i])
	}
	return sql.IndexLookup{Index: path.index(), Ranges: path}, expression.JoinAnd(residual...), true
}

// SkipIndexCosting implements sql.IndexSearchable: what plan finds no path for
// is scanned.
func (t *Table) SkipIndexCosting() bool { return true }

// PreciseMatch implements sql.IndexAddressable: the residual that
// LookupForExpressions gives back is honest.
func (t *Table) PreciseMatch() bool { return true }

// plan chooses the access path for the conjuncts: nil is a full scan. In an
// EXPLAIN the full scan is a path too, which says why.
func (t *Table) plan(ctx *sql.Context, conjuncts []sql.Expression) (*accessPath, error) {
	s, err := sessionOf(ctx)
	if err != nil {
		return nil, err
	}
	explained := s.Explains()
	if !setting.On(ctx, setting.UseIndex) {
		if explained {
			return fullScan(t, conjuncts, setting.UseIndex+" is OFF"), nil
		}
		return nil, nil
	}
	read, err := s.planReader()
	if err != nil {
		return nil, err
	}
	if ahead.Of(read).Starts() {
		t.def.startCounts(read, t.namedIn(conjuncts))
	}
	resolver := &lookupResolver{table: t, read: read, declared: newDeclaredReader(t, read)}
	keyed, swapped := t.keyed(conjuncts)
	split := pushdown.Split(ctx, keyed, resolver, pushdown.Options{Explain: explained})
	keepSwapped(&split, swapped)
	if resolver.err != nil {
		return nil, resolver.err
	}
	for _, path := range resolver.nowhere() {
		if err := s.warnUnknown(ctx, t.def, read, path); err != nil {
			return nil, err
		}
	}
	split.Candidates = t.def.loosen(split.Candidates, len(conjuncts))
	if t.drives() != nil {
		for i := range split.Candidates {
			if c := &split.Candidates[i]; c.PrimaryKey && len(c.Parts) == 1 {
				return newAccessPath(t, conjuncts, split, i), nil
			}
		}
		return nil, nil // in the order of the primary key
	}
	if err := resolver.declared.add(&split, len(conjuncts)); err != nil {
		return nil, err
	}
	use := t.use(conjuncts)
	t.dropCertain(&split)
	t.dropIdle(&split, len(conjuncts), use)
	candidates := make([]costing.Candidate, len(split.Candidates))
	for i := range split.Candidates {
		c := &split.Candidates[i]
		candidates[i] = t.def.costed(c, explained)
		if t.coverable(c, &candidates[i], use); split.Idle(c) {
			candidates[i].Mergeable = false
		}
		if point := c.PrimaryKey && c.Spans.IsPoint() && len(t.def.PrimaryKey) == 1; point && !explained {
			return newAccessPath(t, conjuncts, split, i), nil // nothing reads less
		}
	}
	candidates = t.walkAll(resolver, &split, candidates, len(conjuncts), use)
	if resolver.err != nil {
		return nil, resolver.err
	}
	if len(candidates) == 0 && !explained {
		return nil, nil
	}
	if !explained && t.isWalk(&split, len(conjuncts)) && resolver.entersAll(t.walked) {
		path := newAccessPath(t, conjuncts, split, 0)
		path.walked = true
		path.candidates, path.estimates = candidates, []costing.Estimate{{Least: true}}
		path.proofs = resolver.proofs
		return path, nil
	}
	estimator := t.def.estimator(read)
	documents, _, err := estimator.Documents()
	if err != nil {
		return nil, err
	}
	estimates, err := estimator.EstimateAll(candidates, costing.EstimateOptions{Refine: explained})
	if err != nil {
		return nil, err
	}
	choice := s.choose(t.place, documents, candidates, estimates)
	if choice.Chosen < 0 && !explained {
		return nil, nil
	}
	if len(choice.Members) > 0 {
		candidates, estimates = intersected(&split, candidates, estimates, &choice, explained)
	}
	path := newAccessPath(t, conjuncts, split, choice.Chosen)
	path.explained = explained
	for _, m := range choice.Members {
		path.members = append(path.members, &split.Candidates[m])
	}
	path.candidates, path.estimates, path.choice, path.documents = candidates, estimates, choice, documents
	path.covered = path.coverable(use.needed(path.residual))
	path.proofs = resolver.proofs
	return path, nil
}

// isWalk reports whether the only candidate is a range of the column in whose order few rows are taken, all of them: it
// is read from that end, and no other way reads less.
func (t *Table) isWalk(split *pushdown.Result, conjuncts int) bool {
	if t.walked == "" || len(split.Candidates) != 1 {
		return false
	}
	c := &split.Candidates[0]
	return len(c.Parts) == 1 && !c.PrimaryKey && !c.NeedsAllPresent && c.Parts[0].Declared == nil &&
		!c.Parts[0].Repeats() &&
		len(c.Residual) == 0 && len(c.Answers) == conjuncts && c.Column.Keypath == t.walked
}

// estimator estimates what candidates cost, at the version that r reads.
func (d *definition) estimator(r kv.Reader) costing.Estimator {
	dictionary := d.collection.Dictionary()
	return costing.Estimator{
		Statistics: d.collection.Statistics(r),
		Number:     func(keypath string) (int64, bool, error) { return dictionary.Lookup(r, keypath) },
		Grain:      d.grain,
	}
}

// costed is a candidate as costing knows it, with its names for people if they are
// shown.
func (d *definition) costed(c *pushdown.Candidate, explained bool) costing.Candidate {
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
			part.Keypath, part.Versions = p.Column.Keypath, d.versions(p.Column, p.Spans)
		}
		out.Parts[i] = part
	}
	if explained {
		out.Name, out.Readable = candidateName(c), candidateText(c)
	}
	return out
}

// IndexedAccess implements sql.IndexAddressable.
func (t *Table) IndexedAccess(*sql.Context, sql.IndexLookup) sql.IndexedTable {
	return &lookupTable{Table: t}
}

// GetIndexes implements sql.IndexAddressable.
func (t *Table) GetIndexes(*sql.Context) ([]sql.Index, error) { return t.shownIndexes(), nil }

// lookupTable is a table that is read along an access path.
type lookupTable struct {
	*Table
}

var _ sql.IndexedTable = (*lookupTable)(nil)

// LookupPartitions implements sql.IndexedTable.
func (t *lookupTable) LookupPartitions(_ *sql.Context, lookup sql.IndexLookup) (sql.PartitionIter, error) {
	if path, ok := lookup.Ranges.(*aggregatePath); ok {
		return sql.PartitionsToPartitionIter(aggregatePartition{path}), nil
	}
	path, ok := lookup.Ranges.(*accessPath)
	if !ok {
		return nil, fmt.Errorf("sqlbackend: table %s: a lookup with %T", t.def, lookup.Ranges)
	}
	return sql.PartitionsToPartitionIter(pathPartition{path}), nil
}

// pathPartition is the one partition of a lookup.
type pathPartition struct {
	path *accessPath
}

// Key implements sql.Partition.
func (pathPartition) Key() []byte { return []byte("lookup") }

// PartitionRows implements sql.Table.
func (t *lookupTable) PartitionRows(ctx *sql.Context, p sql.Partition) (sql.RowIter, error) {
	if partition, ok := p.(aggregatePartition); ok {
		return t.aggregate(ctx, partition.path)
	}
	partition, ok := p.(pathPartition)
	if !ok {
		return t.Table.PartitionRows(ctx, p)
	}
	if b := t.drives(); b != nil {
		return t.drivingRows(ctx, b, partition.path.candidate.Spans)
	}
	if partition.path.readsAll() {
		if err := t.session.allowScan(ctx, t.def); err != nil {
			return nil, err
		}
	}
	r, err := t.reader(ctx)
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	if partition.path.covered != nil {
		rows, err := t.coveredRows(partition.path, r)
		return rows, mysqlerr.Of(ctx, err)
	}
	docs, err := partition.path.open(t.Table, r)
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	if docs == nil {
		return sql.RowsToRowIter(), nil
	}
	return t.rows(partition.path, docs), nil
}

// namedIn are the table's columns in expressions that may have counts: those of the primary key
// have none.
func (t *Table) namedIn(conjuncts []sql.Expression) []string {
	var names []string
	for _, c := range conjuncts {
		sql.Inspect(c, func(e sql.Expression) bool {
			if f, ok := e.(*expression.GetField); ok && t.place.Holds(f) && !slices.Contains(names, f.Name()) &&
				!t.isKeyColumn(f.Name()) {
				names = append(names, f.Name())
			}
			return true
		})
	}
	return names
}

func (t *Table) isKeyColumn(name string) bool {
	for _, i := range t.def.PrimaryKey {
		if strings.EqualFold(t.def.Columns[i].Name, name) {
			return true
		}
	}
	return false
}
