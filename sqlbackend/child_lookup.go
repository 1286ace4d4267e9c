package sqlbackend

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/ordered"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/tables"
)

var (
	_ sql.IndexSearchableTable = (*childTable)(nil)
	_ sql.IndexedTable         = (*childLookup)(nil)
)

// A row of a child table has one entry at each keypath of its element, with its
// own position. So the conditions on one column are intersected here, which a
// keypath through an array does not allow where a row is a document. What spans
// find are documents, of which some elements may not match: their filter stays.

// LookupForExpressions implements sql.IndexSearchable.
func (t *childTable) LookupForExpressions(ctx *sql.Context, conjuncts ...sql.Expression) (sql.IndexLookup, *sql.FuncDepSet, sql.Expression, bool, error) {
	path, err := t.plan(ctx, conjuncts)
	if err != nil {
		return sql.IndexLookup{}, nil, nil, false, sqlError(ctx, err)
	}
	if path == nil {
		return sql.IndexLookup{}, nil, nil, false, nil
	}
	var residual []sql.Expression
	for _, i := range path.residual {
		residual = append(residual, conjuncts[i])
	}
	lookup := sql.IndexLookup{Index: childIndex{pathIndex{path.accessPath}, t.name}, Ranges: path}
	return lookup, &sql.FuncDepSet{}, expression.JoinAnd(residual...), true, nil
}

// SkipIndexCosting implements sql.IndexSearchable.
func (t *childTable) SkipIndexCosting() bool { return true }

// PreciseMatch implements sql.IndexAddressable.
func (t *childTable) PreciseMatch() bool { return true }

// GetIndexes implements sql.IndexAddressable.
func (t *childTable) GetIndexes(*sql.Context) ([]sql.Index, error) { return nil, nil }

// IndexedAccess implements sql.IndexAddressable.
func (t *childTable) IndexedAccess(*sql.Context, sql.IndexLookup) sql.IndexedTable {
	return &childLookup{t}
}

// childLookup is a child table that is read along an access path.
type childLookup struct {
	*childTable
}

// LookupPartitions implements sql.IndexedTable.
func (t *childLookup) LookupPartitions(_ *sql.Context, lookup sql.IndexLookup) (sql.PartitionIter, error) {
	path, ok := lookup.Ranges.(*childPath)
	if !ok {
		return nil, fmt.Errorf("sqlbackend: table %s: a lookup with %T", t.name, lookup.Ranges)
	}
	return sql.PartitionsToPartitionIter(childPartition{path}), nil
}

// childPartition is the one partition of a lookup.
type childPartition struct {
	path *childPath
}

// Key implements sql.Partition.
func (childPartition) Key() []byte { return []byte("lookup") }

// PartitionRows implements sql.Table.
func (t *childLookup) PartitionRows(ctx *sql.Context, p sql.Partition) (sql.RowIter, error) {
	if partition, ok := p.(childPartition); ok {
		return t.open(ctx, partition.path)
	}
	return t.childTable.PartitionRows(ctx, p)
}

// childPath is the access path to the documents of a child table.
type childPath struct {
	*accessPath
}

var _ sql.RangeCollection = (*childPath)(nil)

// Equals implements sql.RangeCollection.
func (p *childPath) Equals(other sql.RangeCollection) (bool, error) {
	o, ok := other.(*childPath)
	return ok && o.accessPath == p.accessPath, nil
}

// childIndex is what the engine knows a childPath's index as.
type childIndex struct {
	pathIndex
	table string
}

// Table implements sql.Index.
func (i childIndex) Table() string { return i.table }

// plan chooses the access path to the documents; nil is a scan of the
// collection. Without conjuncts, those documents are read that have such an
// array.
func (t *childTable) plan(ctx *sql.Context, conjuncts []sql.Expression) (*childPath, error) {
	explained := t.session.explains()
	if !isOn(ctx, VarUseIndex) {
		if explained {
			return &childPath{fullScan(t.elements, conjuncts, VarUseIndex+" is OFF")}, nil
		}
		return nil, nil
	}
	read, err := t.session.planReader()
	if err != nil {
		return nil, err
	}
	resolver := &childResolver{table: t, documents: lookupResolver{table: t.elements, read: read}}
	split := pushdown.Split(ctx, conjuncts, resolver, pushdown.Options{Explain: explained})
	if resolver.documents.err != nil {
		return nil, resolver.documents.err
	}
	for i := range split.Candidates {
		t.perElement(&split.Candidates[i], len(conjuncts))
	}
	if c, ok := t.holders(len(conjuncts)); ok {
		split.Candidates = append(split.Candidates, c)
	}
	stats := t.def.collection.Statistics(read)
	documents, _, err := stats.Documents()
	if err != nil {
		return nil, err
	}
	estimator := costing.Estimator{Statistics: stats, Number: func(keypath string) (int64, bool, error) {
		return t.def.collection.Dictionary().Lookup(read, keypath)
	}}
	candidates := make([]costing.Candidate, len(split.Candidates))
	estimates := make([]costing.Estimate, len(candidates))
	for i, c := range split.Candidates {
		candidates[i] = costing.Candidate{
			Name: "`" + c.Column.Name + "`", Keypath: c.Column.Keypath, PrimaryKey: c.PrimaryKey, Spans: c.Spans,
			Tight: c.Tight, NeedsAllPresent: c.NeedsAllPresent, Answers: c.Answers, Readable: c.Text,
		}
		if c.PrimaryKey {
			candidates[i].Name, candidates[i].Keypath = "primary key", ""
		}
		if estimates[i], err = estimator.Estimate(candidates[i]); err != nil {
			return nil, err
		}
		if c.NeedsAllPresent && t.ofElements(c) {
			if estimates[i].Missing, err = t.lacking(read, c.Column.Keypath); err != nil {
				return nil, err
			}
		}
	}
	choice := costing.Choose(documents, candidates, estimates)
	if choice.Chosen < 0 && !explained {
		return nil, nil
	}
	path := newAccessPath(t.elements, conjuncts, split, choice.Chosen)
	path.explained = explained
	path.candidates, path.estimates, path.choice, path.documents = candidates, estimates, choice, documents
	return &childPath{path}, nil
}

// ofElements reports whether a candidate's entries are those of elements, not of
// documents.
func (t *childTable) ofElements(c pushdown.Candidate) bool {
	return !c.PrimaryKey && strings.HasPrefix(c.Column.Keypath, t.path.String())
}

// perElement adapts a candidate: what it finds are documents, of which other
// elements need not match.
func (t *childTable) perElement(c *pushdown.Candidate, conjuncts int) {
	if !t.ofElements(*c) {
		return
	}
	if c.Column.Keypath == t.path.String() {
		c.NeedsAllPresent = false // an element is never missing
	}
	c.Tight, c.Residual = false, all(conjuncts)
}

func all(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// holders is the candidate of the documents that have such an array with
// something in it, whatever the conditions are. They are found in the order of
// their keys.
func (t *childTable) holders(conjuncts int) (pushdown.Candidate, bool) {
	array := arrayOf(t.path)
	d := t.def
	if c := d.column(array.String()); c != nil && d.Columns[c.declared].FieldVersion != 0 || unindexed(d.Options, array) != "" {
		return pushdown.Candidate{}, false
	}
	return pushdown.Candidate{
		Column: pushdown.Column{Keypath: array.String(), Path: array, Name: array.String(), Shape: pushdown.ShapeJSON},
		Spans: indexes.NewSpans(indexes.Span{
			Start: ordered.AppendContainer(nil, ordered.ClassArray, ordered.ContainerIndexed),
			End:   ordered.ClassEnd(ordered.ClassArray),
		}),
		Text:     "arrays that hold something",
		Residual: all(conjuncts),
	}, true
}

// lacking is the number of elements that have no value at a keypath.
func (t *childTable) lacking(r kv.Reader, keypath string) (int64, error) {
	rows, err := t.def.countsAt(r, t.path)
	if err != nil {
		return 0, err
	}
	if !rows[indexes.KindOmitted].IsZero() {
		return 1, nil // at least: some elements are not counted
	}
	path, err := document.ParseKeypath(keypath)
	if err != nil {
		return 0, err
	}
	counts, err := t.def.countsAt(r, path)
	return rows.Total().Entries - counts.Total().Entries, err
}

// documents starts reading the documents of a path, each once; nil means that
// there is nothing to read.
func (p *childPath) documents(t *childTable, r kv.Reader) (tables.Rows, error) {
	if p == nil || p.candidate == nil {
		return t.def.collection.Scan(r, indexes.Everything(), tables.ScanOptions{}), nil
	}
	c := p.candidate
	if c.PrimaryKey || !c.Column.Path.HasArray() && !t.ofElements(*c) {
		return p.open(t.elements, r) // along values that a document has once
	}
	number, known, err := t.def.collection.Dictionary().Lookup(r, c.Column.Keypath)
	if err != nil {
		return nil, err
	}
	if c.NeedsAllPresent {
		lacking, err := t.lacking(r, c.Column.Keypath)
		if err != nil {
			return nil, err
		}
		if lacking > 0 {
			return nil, fmt.Errorf("sqlbackend: read %s along %s: %d elements lack it: %w", t.name, c.Column.Keypath, lacking, kv.ErrConflict)
		}
	}
	if !known || len(c.Spans) == 0 {
		return nil, nil
	}
	return t.def.collection.Lookup(r, number, indexes.InVersion(0, c.Spans), tables.LookupOptions{Repeats: true}), nil
}

// childResolver tells pushdown what the columns of a child table are in the
// index.
type childResolver struct {
	table     *childTable
	documents lookupResolver // for what is a document's and not an element's
}

var _ pushdown.Resolver = (*childResolver)(nil)

// Column implements pushdown.Resolver. The paths that it gives have no step into
// the elements: for a row of a child table they lead to one value.
func (r *childResolver) Column(f *expression.GetField) (pushdown.Column, string, bool) {
	if !r.table.place.holds(f) {
		return pushdown.Column{}, fmt.Sprintf("%s is another table's", f), false
	}
	i := slices.IndexFunc(r.table.columns, func(c childColumn) bool { return strings.EqualFold(c.name, f.Name()) })
	if i < 0 {
		return pushdown.Column{}, fmt.Sprintf("%s is no column of the table", f), false
	}
	c := &r.table.columns[i]
	if c.part == partPosition {
		return pushdown.Column{}, fmt.Sprintf("`%s` is a position", c.name), false
	}
	if c.part != partKey {
		if reason := unindexed(r.table.def.Options, c.keypath); reason != "" {
			return pushdown.Column{}, fmt.Sprintf("`%s` %s", c.name, reason), false
		}
	}
	out, reason, ok := r.documents.column(&c.column)
	if ok && c.part != partKey {
		out.Path = withoutArrays(out.Path)
	}
	return out, reason, ok
}

// Keypath implements pushdown.Resolver, for paths below those of Column.
func (r *childResolver) Keypath(path document.Keypath) (pushdown.Column, string, bool) {
	full, ok := r.withArrays(path)
	if !ok || len(full) == len(r.table.path) {
		return pushdown.Column{}, fmt.Sprintf("%s leads to more than one value", path), false
	}
	if reason := unindexed(r.table.def.Options, full); reason != "" {
		return pushdown.Column{}, fmt.Sprintf("%s %s", full, reason), false
	}
	out, reason, ok := r.documents.Keypath(full)
	out.Path = path
	return out, reason, ok
}

// Stubs reports whether the objects or arrays of a class at a path of Column's or
// Keypath's are stubs if they hold something.
func (r *childResolver) Stubs(path document.Keypath, class byte) bool {
	full, ok := r.withArrays(path)
	if !ok {
		return true
	}
	o := r.table.def.Options
	if class != ordered.ClassArray || len(full) >= o.Depth() {
		return len(full) >= o.Depth()
	}
	if full[len(full)-1].Array {
		return true
	}
	full[len(full)-1].Array = true
	excluded := indexes.FlattenOptions(o).Excluded
	return excluded != nil && excluded(full.Append(nil))
}

// withArrays is the keypath from the document's root of a path without the steps
// into the elements.
func (r *childResolver) withArrays(path document.Keypath) (document.Keypath, bool) {
	elements := r.table.path
	if path.HasArray() || len(path) < len(elements) || !slices.Equal(path[:len(elements)], withoutArrays(elements)) {
		return nil, false
	}
	return slices.Concat(elements, path[len(elements):]), true
}

func withoutArrays(path document.Keypath) document.Keypath {
	out := slices.Clone(path)
	for i := range out {
		out[i].Array = false
	}
	return out
}
