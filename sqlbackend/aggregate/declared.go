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

// An aggregation that asks for several columns which a declared index has reads its entries: each document has one
// there, with the values of all the index's columns, NULL for what is missing.

// tupleColumn is a column that is read back from the entries of a declared index.
type tupleColumn struct {
	at     int // in the table's columns
	place  int // in the index's
	reader table.EntryReader
}

// tuples is the path along the entries of declared indexes that reads fewest; nil if none has what is asked for, or
// documents cost less.
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

// tuple completes a path along an index if its entries hold what the aggregation asks for.
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

// tupleColumnOf is a column of an index whose values its entries hold.
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
		// Of 0 and -0 the first document would have to be found among the entries of several tuples.
		ok = c.Unit != session.UnitDouble
	case pushdown.ShapeString:
	default:
		ok = false
	}
	coll := t.Def.Encoder.Collation(of.Keypath)
	_, text := value.CollationOfType(c.Typ)
	if !ok || (text || of.Shape == pushdown.ShapeEnum) && !coll.IsIdentity() {
		return tupleColumn{}, false // the entries have one of the equal strings' sort keys, and none of the strings
	}
	return tupleColumn{at: at, place: place, reader: table.EntryReaderOf(t.Def, c)}, true
}

// estimateTuple finds out how many entries are read, and whether that costs less than documents do along the
// path that they would be read by; nil for all of them.
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

// openTuples begins to walk the entries of a declared index.
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

// stepTuple gives the values that the walk stands on and goes on to the next ones; where the entries don't hold them,
// those of this entry.
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

// tupleValues decodes the columns that are read, in the order of the path's, and how much of them the entry holds.
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

// fetchTuple reads the values from the document of the entry that the walk stands on.
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
