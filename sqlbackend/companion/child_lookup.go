package companion

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
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
	"github.com/sqlfdb/sqlfdb/tables"
)

var (
	_ sql.IndexSearchableTable = (*ChildTable)(nil)
	_ sql.IndexedTable         = (*ChildLookup)(nil)
)

// A row of a child table has one entry at each keypath of its element, with its own position. So the conditions on
// one column can be intersected, which is not allowed for a keypath through an array if rows are documents. Spans
// find documents, some of whose elements may not match, so their filter stays.

// LookupForExpressions implements sql.IndexSearchable.
func (t *ChildTable) LookupForExpressions(ctx *sql.Context, conjuncts ...sql.Expression) (sql.IndexLookup,
	*sql.FuncDepSet, sql.Expression, bool, error) {
	path, err := t.Plan(ctx, conjuncts)
	if err != nil {
		return sql.IndexLookup{}, nil, nil, false, mysqlerr.Of(ctx, err)
	}
	if path == nil {
		return sql.IndexLookup{}, nil, nil, false, nil
	}
	if path.Candidate == nil {
		table.NoteScan(t.Session, t.Place, path.AccessPath)
		return sql.IndexLookup{}, nil, nil, false, nil
	}
	var residual []sql.Expression
	for _, i := range path.Residual {
		residual = append(residual, conjuncts[i])
	}
	lookup := sql.IndexLookup{Index: ChildIndex{table.PathIndex{Path: path.AccessPath}, t.Proper}, Ranges: path}
	return lookup, &sql.FuncDepSet{}, expression.JoinAnd(residual...), true, nil
}

// SkipIndexCosting implements sql.IndexSearchable.
func (t *ChildTable) SkipIndexCosting() bool { return true }

// PreciseMatch implements sql.IndexAddressable.
func (t *ChildTable) PreciseMatch() bool { return true }

// GetIndexes implements sql.IndexAddressable.
func (t *ChildTable) GetIndexes(*sql.Context) ([]sql.Index, error) { return nil, nil }

// IndexedAccess implements sql.IndexAddressable.
func (t *ChildTable) IndexedAccess(*sql.Context, sql.IndexLookup) sql.IndexedTable {
	return &ChildLookup{t}
}

// ChildLookup is a child table that is read along an access path.
type ChildLookup struct {
	*ChildTable
}

// LookupPartitions implements sql.IndexedTable.
func (t *ChildLookup) LookupPartitions(_ *sql.Context, lookup sql.IndexLookup) (sql.PartitionIter, error) {
	path, ok := lookup.Ranges.(*ChildPath)
	if !ok {
		return nil, fmt.Errorf("sqlbackend: table %s: a lookup with %T", t.Proper, lookup.Ranges)
	}
	return sql.PartitionsToPartitionIter(childPartition{path}), nil
}

// childPartition is the one partition of a lookup.
type childPartition struct {
	path *ChildPath
}

// Key implements sql.Partition.
func (childPartition) Key() []byte { return []byte("lookup") }

// PartitionRows implements sql.Table.
func (t *ChildLookup) PartitionRows(ctx *sql.Context, p sql.Partition) (sql.RowIter, error) {
	if partition, ok := p.(childPartition); ok {
		return t.open(ctx, partition.path.AccessPath, partition.path)
	}
	return t.ChildTable.PartitionRows(ctx, p)
}

// ChildPath is the access path to the documents of a child table.
type ChildPath struct {
	*table.AccessPath
	Entries bool // no document is read, only entries
	// Ordered: the rows come in the order that a sort wants. Reverse: from the last to the first.
	Ordered, Reverse bool
}

var _ sql.RangeCollection = (*ChildPath)(nil)

// Equals implements sql.RangeCollection.
func (p *ChildPath) Equals(other sql.RangeCollection) (bool, error) {
	o, ok := other.(*ChildPath)
	return ok && o.AccessPath == p.AccessPath, nil
}

// readsAll reports whether the path leads to every document: no condition bounds it, and every document has such an
// array.
func (p *ChildPath) readsAll() bool {
	if p.Candidate == nil {
		return true
	}
	return len(p.Candidate.Answers) == 0 && len(p.Candidate.Parts) > 0 && p.Chosen < len(p.Estimates) &&
		p.Estimates[p.Chosen].Keys >= p.AccessPath.Documents
}

// ChildIndex is the index that the engine sees for a ChildPath.
type ChildIndex struct {
	table.PathIndex
	Proper string
}

// Table implements sql.Index.
func (i ChildIndex) Table() string { return i.Proper }

// Plan chooses the access path to the documents; nil is a scan of the collection. Without conjuncts, it may choose
// to read only documents that have such an array.
func (t *ChildTable) Plan(ctx *sql.Context, conjuncts []sql.Expression) (*ChildPath, error) {
	explained := t.Session.Parsed.Explains()
	if !setting.UsesIndex(ctx) {
		if explained {
			return &ChildPath{AccessPath: table.FullScan(t.Elements, conjuncts, setting.UseIndex+" is OFF")}, nil
		}
		return nil, nil
	}
	read, err := t.Session.Readers.Plan()
	if err != nil {
		return nil, err
	}
	resolver := &ChildResolver{Table: t, Documents: table.LookupResolver{Table: t.Elements, Read: read}}
	split := pushdown.Split(ctx, conjuncts, resolver, pushdown.Options{Explain: explained})
	if resolver.Documents.Err != nil {
		return nil, resolver.Documents.Err
	}
	split.Candidates = slices.DeleteFunc(t.Def.Loosen(split.Candidates, len(conjuncts)), func(c pushdown.Candidate) bool {
		return c.NeedsAllPresent && len(c.Parts) != 1 // elements without a value are only counted for one keypath
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
	documents, _, err := t.Def.Collection.Statistics(read).Documents()
	if err != nil {
		return nil, err
	}
	estimator := table.Estimator(t.Def, read)
	candidates := make([]costing.Candidate, len(split.Candidates))
	for i := range split.Candidates {
		c := &split.Candidates[i]
		candidates[i] = table.CostWalk(t.Def, c, explained)
		candidates[i].EntriesOnly = t.fromEntries(c)
		for n := range c.Parts {
			candidates[i].Parts[n].Repeats = candidates[i].Parts[n].Repeats || t.OfElements(&c.Parts[n])
		}
		if t.hasElements(c) {
			candidates[i].NeedsAllPresent = false // elements, not documents, must be present
		}
		if point := c.PrimaryKey && c.Spans.IsPoint() && len(t.Def.PrimaryKey) == 1; point && !explained {
			return &ChildPath{AccessPath: table.NewAccessPath(t.Elements, conjuncts, split, i)}, nil // nothing reads less
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
	choice := table.Choose(t.Session, t.Place, documents, candidates, estimates)
	if choice.Chosen < 0 && !explained {
		return nil, nil
	}
	path := table.NewAccessPath(t.Elements, conjuncts, split, choice.Chosen)
	path.Explained, path.Elements = explained, true
	path.Candidates, path.Estimates, path.Choice, path.Documents = candidates, estimates, choice, documents
	out := &ChildPath{AccessPath: path}
	if choice.Chosen >= 0 {
		out.Entries = candidates[choice.Chosen].EntriesOnly
	}
	return out, nil
}

// IsFirstKey reports whether a field is the first column of the documents' primary key.
func (t *ChildTable) IsFirstKey(f *expression.GetField) bool {
	return slices.ContainsFunc(t.Columns, func(c ChildColumn) bool {
		return c.Part == PartKey && c.At == 0 && strings.EqualFold(c.Name, f.Name())
	})
}

// OfElements reports whether the entries of a part belong to elements, not to documents.
func (t *ChildTable) OfElements(part *pushdown.Part) bool {
	return !part.PrimaryKey && strings.HasPrefix(part.Column.Keypath, t.Path.String())
}

// hasElements reports whether a part of a candidate has entries of elements.
func (t *ChildTable) hasElements(c *pushdown.Candidate) bool {
	return slices.ContainsFunc(c.Parts, func(part pushdown.Part) bool { return t.OfElements(&part) })
}

// perElement adapts a candidate: it finds documents, whose other elements may not match.
func (t *ChildTable) perElement(c *pushdown.Candidate, conjuncts int) {
	if !t.hasElements(c) {
		return
	}
	if c.Column.Keypath == t.Path.String() {
		c.NeedsAllPresent = false // an element is never missing
	}
	c.Tight, c.Residual = false, session.All(conjuncts)
}

// holders returns the candidate for the documents that have such an array with elements, without regard to
// conditions. They are found in the order of their keys.
func (t *ChildTable) holders(conjuncts int) (pushdown.Candidate, bool) {
	array := arrayOf(t.Path)
	d := t.Def
	if _, unsettled := d.UnsettledColumn(array); unsettled || d.BelowUnsettled(array) ||
		Unindexed(d.Options, array) != "" || d.Rebuilding() {
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
		Parts: []pushdown.Part{part}, Column: part.Column, Spans: part.Spans, Text: part.Text,
		Residual: session.All(conjuncts),
	}, true
}

// everyElement returns the candidate for the entries of all elements. ok is false if these don't have all columns of
// the statement's table.
func (t *ChildTable) everyElement(r *ChildResolver, conjuncts int) (c pushdown.Candidate, ok bool) {
	only, ok := t.onlyColumn()
	if !ok {
		return c, false
	}
	column, _, ok := r.column(&t.Columns[only])
	if !ok {
		return c, false
	}
	part := pushdown.Part{Column: column, Spans: indexes.NewSpans(
		indexes.Span{Start: ordered.ClassStart(ordered.ClassNull)}), Text: "all values"}
	c = pushdown.Candidate{
		Parts: []pushdown.Part{part}, Column: part.Column, Spans: part.Spans, Text: part.Text,
		Residual:        session.All(conjuncts),
		NeedsAllPresent: column.Keypath != t.Path.String(), // an element is never missing
		Tight:           conjuncts == 0,
	}
	return c, t.fromEntries(&c)
}

// lacking returns the number of elements that have no value at a keypath.
func (t *ChildTable) lacking(r kv.Reader, keypath string) (int64, error) {
	rows, err := CountsOfKeypath(t.Def, r, t.Path)
	if err != nil {
		return 0, err
	}
	if !rows[indexes.KindOmitted].IsZero() {
		return 1, nil // at least one: some elements are not counted
	}
	path, err := document.ParseKeypath(keypath)
	if err != nil {
		return 0, err
	}
	counts, err := CountsOfKeypath(t.Def, r, path)
	return rows.Total().Entries - counts.Total().Entries, err
}

// documents starts reading the documents of a path, each once; nil: there is nothing to read.
func (p *ChildPath) documents(t *ChildTable, r kv.Reader) (tables.Rows, error) {
	if p == nil || p.Candidate == nil {
		return t.Def.Collection.Scan(r, indexes.Everything(), tables.ScanOptions{Reverse: p != nil && p.Reverse}), nil
	}
	var walks []func() (tables.Rows, error)
	for i := range p.Candidate.Parts {
		walks = append(walks, func() (tables.Rows, error) { return p.part(t, r, &p.Candidate.Parts[i]) })
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
func (p *ChildPath) part(t *ChildTable, r kv.Reader, part *pushdown.Part) (tables.Rows, error) {
	if !t.OfElements(part) && !part.Column.Path.HasArray() {
		return p.OpenPart(t.Elements, r, part) // a document has one value there
	}
	number, known, err := p.confirmPart(t, r, part)
	if err != nil || !known {
		return nil, err
	}
	return t.Def.Collection.Lookup(r, number, indexes.InVersion(0, part.Spans),
		tables.LookupOptions{Repeats: true, ScanOptions: tables.ScanOptions{Reverse: p.Reverse}}), nil
}

// confirmPart returns the number of a part's keypath; known is false if there is nothing to read. The number, and
// the counts that the path relies on, are read with conflicts.
func (p *ChildPath) confirmPart(t *ChildTable, r kv.Reader, part *pushdown.Part) (number int64, known bool, err error) {
	number, known, err = t.Def.Collection.Number(r, part.Column.Keypath)
	if err != nil {
		return 0, false, err
	}
	if p.Candidate.NeedsAllPresent {
		lacking, err := t.lacking(r, part.Column.Keypath)
		if err != nil {
			return 0, false, err
		}
		if lacking > 0 {
			return 0, false, fmt.Errorf("sqlbackend: read %s along %s: %d elements lack it: %w", t.Proper,
				part.Column.Keypath,
				lacking, kv.ErrConflict)
		}
	}
	return number, known && len(part.Spans) > 0, nil
}

// rows starts reading rows from entries alone.
func (p *ChildPath) rows(t *ChildTable, at any, r kv.Reader) (sql.RowIter, error) {
	part := &p.Candidate.Parts[0]
	number, known, err := p.confirmPart(t, r, part)
	if err != nil {
		return nil, err
	}
	column, ok := t.onlyColumn()
	if !known || !ok {
		return sql.RowsToRowIter(), nil
	}
	cursor := indexes.NewCursor(r, t.Def.Collection.Keys(), number, 0, part.Spans,
		indexes.CursorOptions{Reverse: p.Reverse})
	return &entryIter{table: t, at: at, from: r, long: longread.Of(r), cursor: cursor, column: column,
		reader: table.EntryReaderOf(t.Def, &t.Columns[column].Column)}, nil
}

// rebuilding is the reason why ranges are not read while some documents are not in the index yet.
const rebuilding = "is not indexed in all documents yet: the index is being rebuilt"

// ChildResolver describes the columns of a child table in the index, for pushdown.
type ChildResolver struct {
	Table     *ChildTable
	Documents table.LookupResolver // for the columns of the document
}

var _ pushdown.Resolver = (*ChildResolver)(nil)

// Column implements pushdown.Resolver. Its paths have no step into the elements: for a row of a child table they
// lead to one value.
func (r *ChildResolver) Column(f *expression.GetField) (pushdown.Column, string, bool) {
	if !r.Table.Place.Holds(f) {
		return pushdown.Column{}, fmt.Sprintf("%s is another table's", f), false
	}
	i := slices.IndexFunc(r.Table.Columns, func(c ChildColumn) bool { return strings.EqualFold(c.Name, f.Name()) })
	if i < 0 {
		return pushdown.Column{}, fmt.Sprintf("%s is no column of the table", f), false
	}
	return r.column(&r.Table.Columns[i])
}

// column returns a column as the index has it, or the reason why it has no ranges.
func (r *ChildResolver) column(c *ChildColumn) (pushdown.Column, string, bool) {
	switch c.Part {
	case PartKey:
		if reason := r.Table.hides(c); reason != "" {
			return pushdown.Column{}, fmt.Sprintf("`%s` %s", c.Name, reason), false
		}
		return r.Documents.ColumnNamed(&c.Column)
	case PartPosition:
		return pushdown.Column{}, fmt.Sprintf("`%s` is a position", c.Name), false
	}
	d := r.Table.Def
	out := pushdown.Column{Keypath: c.Keypath.String(), Path: table.WithoutArrays(c.Keypath), Name: c.Name,
		StringLimit: d.Encoder.Limit()}
	out.Collation = d.Encoder.Collation(out.Keypath)
	reason := Unindexed(d.Options, c.Keypath)
	if d.Rebuilding() {
		reason = rebuilding
	}
	if coll, ok := value.CollationOfType(c.Typ); ok && coll != out.Collation {
		reason = "compares in another collation than the index's"
	}
	if reason == "" {
		reason = r.Table.hides(c)
	}
	if reason == "" {
		counts, ok := r.Documents.CountsOf(out.Keypath)
		if out.Shape = table.ShapeOf(&c.Column, counts); !ok {
			reason = "can't be read"
		} else if out.Shape == pushdown.ShapeOther {
			reason = fmt.Sprintf("is of type %s, which has no ranges", c.Typ)
		}
	}
	return out, fmt.Sprintf("`%s` %s", c.Name, reason), reason == ""
}

// Keypath implements pushdown.Resolver, for paths below Column's.
func (r *ChildResolver) Keypath(path document.Keypath) (pushdown.Column, string, bool) {
	full, ok := r.withArrays(path)
	if !ok || len(full) == len(r.Table.Path) {
		return pushdown.Column{}, fmt.Sprintf("%s leads to more than one value", path), false
	}
	reason := Unindexed(r.Table.Def.Options, full)
	if r.Table.Def.Rebuilding() {
		reason = rebuilding
	}
	if reason == "" {
		reason = r.Table.hides(&ChildColumn{Column: session.Column{Name: r.Table.columnName(full[len(r.Table.Path):]),
			Keypath: full},
			Part: PartKeypath})
	}
	if reason != "" {
		return pushdown.Column{}, fmt.Sprintf("%s %s", full, reason), false
	}
	out, reason, ok := r.Documents.Keypath(full)
	out.Path, out.Name = path, full.String()
	return out, reason, ok
}

// Holds implements pushdown.Resolver.
func (r *ChildResolver) Holds(document.Keypath, byte) bool { return true }

// HasTexts implements pushdown.Resolver.
func (r *ChildResolver) HasTexts(pushdown.Column) bool { return false }

// Certain implements pushdown.Resolver: documents are counted, not elements.
func (r *ChildResolver) Certain(pushdown.Column, pushdown.Among) bool { return false }

// Stubs reports whether non-empty objects or arrays at a path from Column or Keypath are stubs; class says which of
// both.
func (r *ChildResolver) Stubs(path document.Keypath, class byte) bool {
	full, ok := r.withArrays(path)
	if !ok {
		return true
	}
	o := r.Table.Def.Options
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

// withArrays returns the full keypath, from the document's root, for a path without the steps into the elements. It
// may go on through arrays in the element.
func (r *ChildResolver) withArrays(path document.Keypath) (document.Keypath, bool) {
	elements := r.Table.Path
	if len(path) < len(elements) || !slices.Equal(path[:len(elements)], table.WithoutArrays(elements)) {
		return nil, false
	}
	return slices.Concat(elements, path[len(elements):]), true
}

// Explanation implements ExplainedRanges: a document may have many rows.
func (p *ChildPath) Explanation(tab string) table.Explanation {
	e := p.AccessPath.Explanation(tab)
	e.EntriesOnly = p.Entries
	if e.Access == "const" {
		e.Access, e.Operation = "ref", "Index lookup on "+tab+" using "+e.Key
	}
	if p.Ordered {
		e.Facts = append(e.Facts, "in the order that is asked for"+table.Direction(p.Reverse))
	}
	return e
}
