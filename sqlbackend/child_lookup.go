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
	"github.com/sqlfdb/sqlfdb/kv/longread"
	"github.com/sqlfdb/sqlfdb/ordered"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
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
func (t *childTable) LookupForExpressions(ctx *sql.Context, conjuncts ...sql.Expression) (sql.IndexLookup,
	*sql.FuncDepSet, sql.Expression, bool, error) {
	path, err := t.plan(ctx, conjuncts)
	if err != nil {
		return sql.IndexLookup{}, nil, nil, false, mysqlerr.Of(ctx, err)
	}
	if path == nil {
		return sql.IndexLookup{}, nil, nil, false, nil
	}
	if path.candidate == nil {
		t.session.noteScan(t.place, path.accessPath)
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
		return t.open(ctx, partition.path.accessPath, partition.path)
	}
	return t.childTable.PartitionRows(ctx, p)
}

// childPath is the access path to the documents of a child table.
type childPath struct {
	*accessPath
	entries bool // the entries are enough: no document is read
	// The rows come in the order that is asked for, from the last to the first if reverse.
	ordered, reverse bool
}

var _ sql.RangeCollection = (*childPath)(nil)

// Equals implements sql.RangeCollection.
func (p *childPath) Equals(other sql.RangeCollection) (bool, error) {
	o, ok := other.(*childPath)
	return ok && o.accessPath == p.accessPath, nil
}

// readsAll reports whether the path leads to every document: no condition bounds
// it, and each has such an array.
func (p *childPath) readsAll() bool {
	if p.candidate == nil {
		return true
	}
	return len(p.candidate.Answers) == 0 && len(p.candidate.Parts) > 0 && p.chosen < len(p.estimates) &&
		p.estimates[p.chosen].Keys >= p.accessPath.documents
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
	explained := t.session.Explains()
	if !setting.UsesIndex(ctx) {
		if explained {
			return &childPath{accessPath: fullScan(t.elements, conjuncts, setting.UseIndex+" is OFF")}, nil
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
	split.Candidates = slices.DeleteFunc(t.def.loosen(split.Candidates, len(conjuncts)), func(c pushdown.Candidate) bool {
		return c.NeedsAllPresent && len(c.Parts) != 1 // what elements lack is counted for one keypath
	})
	for i := range split.Candidates {
		t.perElement(&split.Candidates[i], len(conjuncts))
	}
	if c, ok := t.holders(len(conjuncts)); ok {
		split.Candidates = append(split.Candidates, c)
	}
	if c, ok := t.everyElement(resolver, len(conjuncts)); ok &&
		!slices.ContainsFunc(split.Candidates, func(
			o pushdown.Candidate) bool {
			return o.Column.Keypath == c.Column.Keypath
		}) {
		split.Candidates = append(split.Candidates, c)
	}
	documents, _, err := t.def.collection.Statistics(read).Documents()
	if err != nil {
		return nil, err
	}
	estimator := t.def.estimator(read)
	candidates := make([]costing.Candidate, len(split.Candidates))
	for i := range split.Candidates {
		c := &split.Candidates[i]
		candidates[i] = t.def.costed(c, explained)
		candidates[i].EntriesOnly = t.fromEntries(c)
		for n := range c.Parts {
			candidates[i].Parts[n].Repeats = candidates[i].Parts[n].Repeats || t.ofElements(&c.Parts[n])
		}
		if t.hasElements(c) {
			candidates[i].NeedsAllPresent = false // of which elements, not documents, must be present
		}
		if point := c.PrimaryKey && c.Spans.IsPoint() && len(t.def.PrimaryKey) == 1; point && !explained {
			return &childPath{accessPath: newAccessPath(t.elements, conjuncts, split, i)}, nil // nothing reads less
		}
	}
	estimates, err := estimator.EstimateAll(candidates, costing.EstimateOptions{Refine: true})
	if err != nil {
		return nil, err
	}
	for i := range split.Candidates {
		if c := &split.Candidates[i]; c.NeedsAllPresent && t.hasElements(c) {
			candidates[i].NeedsAllPresent = true
			if estimates[i].Missing, err = t.lacking(read, c.Column.Keypath); err != nil {
				return nil, err
			}
		}
	}
	choice := t.session.choose(t.place, documents, candidates, estimates)
	if choice.Chosen < 0 && !explained {
		return nil, nil
	}
	path := newAccessPath(t.elements, conjuncts, split, choice.Chosen)
	path.explained, path.elements = explained, true
	path.candidates, path.estimates, path.choice, path.documents = candidates, estimates, choice, documents
	out := &childPath{accessPath: path}
	if choice.Chosen >= 0 {
		out.entries = candidates[choice.Chosen].EntriesOnly
	}
	return out, nil
}

// isFirstKey reports whether a field is the first column of the documents' primary key.
func (t *childTable) isFirstKey(f *expression.GetField) bool {
	return slices.ContainsFunc(t.columns, func(c childColumn) bool {
		return c.part == partKey && c.at == 0 && strings.EqualFold(c.name, f.Name())
	})
}

// ofElements reports whether entries at a keypath are those of elements, not of
// documents.
func (t *childTable) ofElements(part *pushdown.Part) bool {
	return !part.PrimaryKey && strings.HasPrefix(part.Column.Keypath, t.path.String())
}

// hasElements reports whether some part of a candidate is entries of elements.
func (t *childTable) hasElements(c *pushdown.Candidate) bool {
	return slices.ContainsFunc(c.Parts, func(part pushdown.Part) bool { return t.ofElements(&part) })
}

// perElement adapts a candidate: what it finds are documents, of which other
// elements need not match.
func (t *childTable) perElement(c *pushdown.Candidate, conjuncts int) {
	if !t.hasElements(c) {
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
	if _, unsettled := d.unsettledColumn(array); unsettled || d.belowUnsettled(array) ||
		unindexed(d.Options, array) != "" || d.Rebuilding() {
		return pushdown.Candidate{}, false
	}
	part := pushdown.Part{
		Column: pushdown.Column{Keypath: array.String(), Path: array, Name: array.String(), Shape: pushdown.ShapeJSON},
		Spans: indexes.NewSpans(indexes.Span{
			Start: ordered.AppendContainer(nil, ordered.ClassArray, ordered.ContainerIndexed),
			End:   ordered.ClassEnd(ordered.ClassArray),
		}),
		Text: "arrays that hold something",
	}
	return pushdown.Candidate{
		Parts: []pushdown.Part{part}, Column: part.Column, Spans: part.Spans, Text: part.Text, Residual: all(conjuncts),
	}, true
}

// everyElement is the candidate of the entries of all elements, where they are all that the statement's table needs; ok
// is false where they are not.
func (t *childTable) everyElement(r *childResolver, conjuncts int) (c pushdown.Candidate, ok bool) {
	only, ok := t.onlyColumn()
	if !ok {
		return c, false
	}
	column, _, ok := r.column(&t.columns[only])
	if !ok {
		return c, false
	}
	part := pushdown.Part{Column: column, Spans: indexes.NewSpans(
		indexes.Span{Start: ordered.ClassStart(ordered.ClassNull)}), Text: "all values"}
	c = pushdown.Candidate{
		Parts: []pushdown.Part{part}, Column: part.Column, Spans: part.Spans, Text: part.Text, Residual: all(conjuncts),
		NeedsAllPresent: column.Keypath != t.path.String(), // an element is never missing
		Tight:           conjuncts == 0,
	}
	return c, t.fromEntries(&c)
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
		return t.def.collection.Scan(r, indexes.Everything(), tables.ScanOptions{Reverse: p != nil && p.reverse}), nil
	}
	var walks []func() (tables.Rows, error)
	for i := range p.candidate.Parts {
		walks = append(walks, func() (tables.Rows, error) { return p.part(t, r, &p.candidate.Parts[i]) })
	}
	switch len(walks) {
	case 0:
		return nil, nil
	case 1:
		return walks[0]()
	}
	return tables.Union(r, walks...), nil
}

// part starts reading the documents of one part.
func (p *childPath) part(t *childTable, r kv.Reader, part *pushdown.Part) (tables.Rows, error) {
	if !t.ofElements(part) && !part.Column.Path.HasArray() {
		return p.openPart(t.elements, r, part) // along values that a document has once
	}
	number, known, err := p.confirmPart(t, r, part)
	if err != nil || !known {
		return nil, err
	}
	return t.def.collection.Lookup(r, number, indexes.InVersion(0, part.Spans),
		tables.LookupOptions{Repeats: true, ScanOptions: tables.ScanOptions{Reverse: p.reverse}}), nil
}

// confirmPart is the number of the keypath of a part, if there is anything to be
// read. It is read with conflicts, as are the counts that the path rests on.
func (p *childPath) confirmPart(t *childTable, r kv.Reader, part *pushdown.Part) (number int64, known bool, err error) {
	number, known, err = t.def.collection.Number(r, part.Column.Keypath)
	if err != nil {
		return 0, false, err
	}
	if p.candidate.NeedsAllPresent {
		lacking, err := t.lacking(r, part.Column.Keypath)
		if err != nil {
			return 0, false, err
		}
		if lacking > 0 {
			return 0, false, fmt.Errorf("sqlbackend: read %s along %s: %d elements lack it: %w", t.name, part.Column.Keypath,
				lacking, kv.ErrConflict)
		}
	}
	return number, known && len(part.Spans) > 0, nil
}

// rows starts reading rows from the entries alone.
func (p *childPath) rows(t *childTable, at any, r kv.Reader) (sql.RowIter, error) {
	part := &p.candidate.Parts[0]
	number, known, err := p.confirmPart(t, r, part)
	if err != nil {
		return nil, err
	}
	column, ok := t.onlyColumn()
	if !known || !ok {
		return sql.RowsToRowIter(), nil
	}
	cursor := indexes.NewCursor(r, t.def.collection.Keys(), number, 0, part.Spans,
		indexes.CursorOptions{Reverse: p.reverse})
	return &entryIter{table: t, at: at, from: r, long: longread.Of(r), cursor: cursor, column: column,
		reader: t.def.entryReader(&t.columns[column].column)}, nil
}

// rebuilding is why no range is read while documents are not in the index yet.
const rebuilding = "is not indexed in all documents yet: the index is being rebuilt"

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
	if !r.table.place.Holds(f) {
		return pushdown.Column{}, fmt.Sprintf("%s is another table's", f), false
	}
	i := slices.IndexFunc(r.table.columns, func(c childColumn) bool { return strings.EqualFold(c.name, f.Name()) })
	if i < 0 {
		return pushdown.Column{}, fmt.Sprintf("%s is no column of the table", f), false
	}
	return r.column(&r.table.columns[i])
}

// column is what the index has of a column.
func (r *childResolver) column(c *childColumn) (pushdown.Column, string, bool) {
	switch c.part {
	case partKey:
		if reason := r.table.hides(c); reason != "" {
			return pushdown.Column{}, fmt.Sprintf("`%s` %s", c.name, reason), false
		}
		return r.documents.column(&c.column)
	case partPosition:
		return pushdown.Column{}, fmt.Sprintf("`%s` is a position", c.name), false
	}
	d := r.table.def
	out := pushdown.Column{Keypath: c.keypath.String(), Path: withoutArrays(c.keypath), Name: c.name,
		StringLimit: d.encoder.Limit()}
	out.Collation = d.encoder.Collation(out.Keypath)
	reason := unindexed(d.Options, c.keypath)
	if d.Rebuilding() {
		reason = rebuilding
	}
	if coll, ok := value.CollationOfType(c.typ); ok && coll != out.Collation {
		reason = "compares in another collation than the index's"
	}
	if reason == "" {
		reason = r.table.hides(c)
	}
	if reason == "" {
		counts, ok := r.documents.countsOf(out.Keypath)
		if out.Shape = shapeOf(&c.column, counts); !ok {
			reason = "can't be read"
		} else if out.Shape == pushdown.ShapeOther {
			reason = fmt.Sprintf("is of type %s, which has no ranges", c.typ)
		}
	}
	return out, fmt.Sprintf("`%s` %s", c.name, reason), reason == ""
}

// Keypath implements pushdown.Resolver, for paths below those of Column.
func (r *childResolver) Keypath(path document.Keypath) (pushdown.Column, string, bool) {
	full, ok := r.withArrays(path)
	if !ok || len(full) == len(r.table.path) {
		return pushdown.Column{}, fmt.Sprintf("%s leads to more than one value", path), false
	}
	reason := unindexed(r.table.def.Options, full)
	if r.table.def.Rebuilding() {
		reason = rebuilding
	}
	if reason == "" {
		reason = r.table.hides(&childColumn{column: column{name: r.table.columnName(full[len(r.table.path):]), keypath: full},
			part: partKeypath})
	}
	if reason != "" {
		return pushdown.Column{}, fmt.Sprintf("%s %s", full, reason), false
	}
	out, reason, ok := r.documents.Keypath(full)
	out.Path, out.Name = path, full.String()
	return out, reason, ok
}

// Holds implements pushdown.Resolver.
func (r *childResolver) Holds(document.Keypath, byte) bool { return true }

// HasTexts implements pushdown.Resolver.
func (r *childResolver) HasTexts(pushdown.Column) bool { return false }

// Certain implements pushdown.Resolver: documents are counted, not elements.
func (r *childResolver) Certain(pushdown.Column, pushdown.Among) bool { return false }

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
// into the elements. It may go on through arrays in the element.
func (r *childResolver) withArrays(path document.Keypath) (document.Keypath, bool) {
	elements := r.table.path
	if len(path) < len(elements) || !slices.Equal(path[:len(elements)], withoutArrays(elements)) {
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
