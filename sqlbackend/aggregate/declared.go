package aggregate

import (
	"errors"
	"fmt"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
	"github.com/sqlfdb/sqlfdb/tables"
)

// An aggregation of several columns of a declared index reads the index's entries. Each document has one entry, with
// the values of all the index's columns; a missing value is NULL.

// tupleColumn is a column that is read back from the entries of a declared index.
type tupleColumn struct {
	at     int // index in the table's columns
	place  int // index in the index's columns
	reader table.EntryReader
}

// tuples returns the path along a declared index that reads the fewest entries. It is nil if no index has all the
// columns of the aggregation, or reading documents costs less.
func (p *aggregatePlanner) tuples(explained bool, e costing.Estimator) (best *Path, err error) {
	t := p.source.table
	declared := table.NewDeclaredReader(t, p.resolver.Read)
	if declared == nil || p.base.path != nil {
		return nil, nil
	}
	resolver := &table.LookupResolver{Table: t, Read: p.resolver.Read, Declared: declared}
	split := pushdown.Split(p.ctx, p.source.conjuncts, resolver, pushdown.Options{Explain: explained})
	split.Candidates = t.Def.Loosen(split.Candidates, len(p.source.conjuncts))
	t.DropCertain(&split)
	documents, _, err := e.Documents()
	if err != nil {
		return nil, err
	}
	for _, idx := range declared.Indexes {
		path := &Path{AccessPath: table.NewAccessPath(t, p.source.conjuncts, split, -1), one: p.one}
		path.Explained, path.Documents = explained, documents
		path.Settled(&split, resolver)
		usable, err := p.tuple(path, idx, declared, resolver)
		if usable && err == nil {
			usable, err = path.estimateTuple(e, p.source.path)
		}
		if err != nil {
			return nil, err
		}
		if usable && (best == nil || path.keys < best.keys) {
			best = path
		}
	}
	return best, resolver.Err
}

// tuple completes a path along an index and reports whether its entries have all the columns of the aggregation.
func (p *aggregatePlanner) tuple(path *Path, idx *catalog.Index, declared *table.DeclaredReader,
	resolver *table.LookupResolver) (bool, error) {
	s := declared.SpansOf(idx, path.Split, -1)
	filtered := path.Residual
	path.Residual = nil
	u := p.base
	u.columns = slices.Clone(u.columns)
	for _, i := range filtered {
		if e := path.Conjuncts[i]; !slices.Contains(s.Exact, i) {
			path.Residual = append(path.Residual, i)
			u.condition(e)
		}
	}
	if u.unfit || u.path != nil || len(u.columns) == 0 && !s.Ranged() {
		return false, nil
	}
	path.tuple = []tupleColumn{}
	for _, at := range u.columns {
		c, ok := tupleColumnOf(p.source.table, idx, at, resolver)
		if !ok {
			return false, resolver.Err
		}
		path.tuple = append(path.tuple, c)
	}
	omits, err := p.source.table.Def.Collection.Omits(resolver.Read, idx.Number)
	if err != nil || omits {
		return false, err
	}
	part := s.Part(idx)
	path.use, path.method = u, readEntries
	if !u.counted {
		path.method = readValues
	}
	path.ranged = s.Ranged()
	path.Candidate = &pushdown.Candidate{
		Parts: []pushdown.Part{part}, Column: part.Column, Spans: part.Spans, Text: part.Text, Tight: !s.Loose,
		Answers: s.Answers, Residual: path.Residual,
	}
	return true, nil
}

// tupleColumnOf returns a table's column as an index's entries hold it; false where they don't hold its values.
func tupleColumnOf(t *table.Table, idx *catalog.Index, at int, r *table.LookupResolver) (tupleColumn, bool) {
	c := &t.Columns[at]
	place := slices.IndexFunc(idx.Columns, func(name string) bool {
		return c.Keypath != nil && indexes.DeclaredKeypath(t.Def.Table, name) == c.Keypath.String()
	})
	if place < 0 || c.Document || c.Key || c.Unsettled {
		return tupleColumn{}, false
	}
	of, _, ok := r.ColumnNamed(c)
	if !ok || of.Document || of.Stubbed || of.PrimaryKeyPart > 0 {
		return tupleColumn{}, false
	}
	counts, ok := r.CountsOf(of.Keypath)
	if !ok || !counts[indexes.KindOmitted].IsZero() {
		return tupleColumn{}, false
	}
	switch of.Shape {
	case pushdown.ShapeNumber, pushdown.ShapeBoolean, pushdown.ShapeDate, pushdown.ShapeDatetime, pushdown.ShapeTime,
		pushdown.ShapeYear, pushdown.ShapeEnum:
		// For 0 and -0 the first document would have to be searched for in the entries of several tuples.
		ok = c.Unit != session.UnitDouble
	case pushdown.ShapeString:
	default:
		ok = false
	}
	coll := t.Def.Encoder.Collation(of.Keypath)
	_, text := value.CollationOfType(c.Typ)
	if !ok || (text || of.Shape == pushdown.ShapeEnum) && !coll.IsIdentity() {
		return tupleColumn{}, false // the entries have the sort key of equal strings, not the strings
	}
	return tupleColumn{at: at, place: place, reader: table.EntryReaderOf(t.Def, c)}, true
}

// estimateTuple sets how many entries the path reads, and reports whether that costs less than documents, the path
// by which the documents would be read; nil: all documents are read.
func (p *Path) estimateTuple(e costing.Estimator, documents *table.AccessPath) (bool, error) {
	estimate := costing.Estimate{Keys: p.Documents, Bound: p.Documents, Exact: true}
	c := table.CostWalk(p.Table.Def, p.Candidate, p.Explained)
	c.EntriesOnly = true
	if p.ranged {
		var err error
		if estimate, err = e.Estimate(c); err != nil || estimate.Incomplete {
			return false, err
		}
	}
	p.Chosen = 0
	p.Candidates, p.Estimates = []costing.Candidate{c}, []costing.Estimate{estimate}
	p.keys, p.bound = estimate.Keys, estimate.Bound
	p.reading = float64(p.Documents)
	if documents != nil {
		p.reading = documents.Size().Cost
	}
	p.Choice = costing.Choice{Cost: CollectedKey * float64(p.keys), FullScan: float64(p.Documents),
		Why: []costing.Reason{{}}}
	return p.Choice.Cost < p.reading || p.keys == 0, nil
}

// openTuples starts a walk over the entries of a declared index.
func (i *Rows) openTuples() error {
	declared, err := table.DeclaredRead(i.table.Def, i.from, i.Path.Candidate.Parts[0].Declared)
	if err != nil {
		return err
	}
	streaming := kv.StreamAll
	if i.Path.method == readValues {
		streaming = kv.StreamIterate
	}
	i.walk = i.table.Def.Collection.EntriesDeclared(i.from, declared, tables.ScanOptions{Streaming: streaming})
	i.on = i.walk.Next()
	return i.walk.Err()
}

// stepTuple gives the values of the walk's current entry and moves to the next values. Where the entry doesn't hold
// its values, they are read from its document, and only this entry is passed.
func (i *Rows) stepTuple(ctx *sql.Context) error {
	values, tells, err := i.tupleValues(i.walk.Value())
	if err == nil && tells != table.FidelityExact {
		values, err = i.fetchTuple()
	}
	if errors.Is(err, session.ErrLeft) {
		i.on = i.walk.Next()
		return i.walk.Err()
	}
	if err != nil {
		return err
	}
	row := make([]any, len(values))
	for n, c := range i.Path.tuple {
		if row[n], err = session.FromJSON(i.ctx, &i.table.Columns[c.at], values[n]); err != nil {
			return err
		}
	}
	count := int64(1)
	switch {
	case tells != table.FidelityExact:
		i.on = i.walk.Next()
	case i.Path.method == readValues:
		i.on = i.walk.NextValue()
	default:
		for i.on = i.walk.Next(); i.on && i.walk.Same(); i.on = i.walk.Next() {
			if count++; count%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	i.give(row, count)
	return i.walk.Err()
}

// tupleValues decodes the columns that are read, in the path's order. tells is how exactly the entry holds them.
func (i *Rows) tupleValues(packed []byte) (values []document.Value, tells table.Fidelity, err error) {
	values = make([]document.Value, len(i.Path.tuple))
	for place := 0; len(packed) > 0; place++ {
		n := slices.IndexFunc(i.Path.tuple, func(c tupleColumn) bool { return c.place == place })
		if n < 0 {
			if packed, err = tuple.Skip(packed); err != nil {
				return nil, table.FidelityPartial, err
			}
			continue
		}
		rest, encoded, err := tuple.DecodeBytes(packed)
		if err != nil {
			return nil, table.FidelityPartial, fmt.Errorf("sqlbackend: an entry's column: %w", err)
		}
		v, of, err := i.Path.tuple[n].reader.Value(encoded)
		if err != nil {
			return nil, table.FidelityPartial, err
		}
		values[n], tells, packed = v, max(tells, of), rest
	}
	return values, tells, nil
}

// fetchTuple reads the values from the document of the walk's current entry.
func (i *Rows) fetchTuple() ([]document.Value, error) {
	d, ok, err := i.walk.Document()
	if err == nil && !ok {
		err = session.ErrLeft
	}
	if err != nil {
		return nil, err
	}
	i.work.Documents++
	i.work.Bytes += int64(d.Len())
	values := make([]document.Value, len(i.Path.tuple))
	for n, c := range i.Path.tuple {
		values[n], _ = d.Lookup(i.table.Columns[c.at].Keypath)
	}
	return values, nil
}
