package sqlbackend

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
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
	"github.com/sqlfdb/sqlfdb/tables"
)

// An aggregation that asks for several columns which a declared index has reads its entries: each document has one
// there, with the values of all the index's columns, NULL for what is missing.

// tupleColumn is a column that is read back from the entries of a declared index.
type tupleColumn struct {
	at     int // in the table's columns
	place  int // in the index's
	reader entryReader
}

// tuples is the path along the entries of declared indexes that reads fewest; nil if none has what is asked for, or
// documents cost less.
func (p *aggregatePlanner) tuples(explained bool, e costing.Estimator) (best *aggregatePath, err error) {
	t := p.source.table
	declared := newDeclaredReader(t, p.resolver.read)
	if declared == nil || p.base.path != nil {
		return nil, nil
	}
	resolver := &lookupResolver{table: t, read: p.resolver.read, declared: declared}
	split := pushdown.Split(p.ctx, p.source.conjuncts, resolver, pushdown.Options{Explain: explained})
	split.Candidates = t.def.loosen(split.Candidates, len(p.source.conjuncts))
	t.dropCertain(&split)
	documents, _, err := e.Documents()
	if err != nil {
		return nil, err
	}
	for _, idx := range declared.indexes {
		path := &aggregatePath{accessPath: newAccessPath(t, p.source.conjuncts, split, -1), one: p.one}
		path.explained, path.documents = explained, documents
		path.settled(&split, resolver)
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
	return best, resolver.err
}

// tuple completes a path along an index if its entries tell what the aggregation asks for.
func (p *aggregatePlanner) tuple(path *aggregatePath, idx *catalog.Index, declared *declaredReader,
	resolver *lookupResolver) (bool, error) {
	s := declared.spansOf(idx, path.split, -1)
	filtered := path.residual
	path.residual = nil
	u := p.base
	u.columns = slices.Clone(u.columns)
	for _, i := range filtered {
		if e := path.conjuncts[i]; !slices.Contains(s.exact, i) {
			path.residual = append(path.residual, i)
			u.condition(e)
		}
	}
	if u.unfit || u.path != nil || len(u.columns) == 0 && !s.ranged() {
		return false, nil
	}
	path.tuple = []tupleColumn{}
	for _, at := range u.columns {
		c, ok := tupleColumnOf(p.source.table, idx, at, resolver)
		if !ok {
			return false, resolver.err
		}
		path.tuple = append(path.tuple, c)
	}
	omits, err := p.source.table.def.collection.Omits(resolver.read, idx.Number)
	if err != nil || omits {
		return false, err
	}
	part := s.part(idx)
	path.use, path.method = u, readEntries
	if !u.counted {
		path.method = readValues
	}
	path.ranged = s.ranged()
	path.candidate = &pushdown.Candidate{
		Parts: []pushdown.Part{part}, Column: part.Column, Spans: part.Spans, Text: part.Text, Tight: !s.loose,
		Answers: s.answers, Residual: path.residual,
	}
	return true, nil
}

// tupleColumnOf is a column of an index whose values its entries tell.
func tupleColumnOf(t *Table, idx *catalog.Index, at int, r *lookupResolver) (tupleColumn, bool) {
	c := &t.columns[at]
	place := slices.IndexFunc(idx.Columns, func(name string) bool {
		return c.keypath != nil && indexes.DeclaredKeypath(t.def.Table, name) == c.keypath.String()
	})
	if place < 0 || c.document || c.key || c.unsettled {
		return tupleColumn{}, false
	}
	of, _, ok := r.column(c)
	if !ok || of.Document || of.Stubbed || of.PrimaryKeyPart > 0 {
		return tupleColumn{}, false
	}
	counts, ok := r.countsOf(of.Keypath)
	if !ok || !counts[indexes.KindOmitted].IsZero() {
		return tupleColumn{}, false
	}
	switch of.Shape {
	case pushdown.ShapeNumber, pushdown.ShapeBoolean, pushdown.ShapeDate, pushdown.ShapeDatetime, pushdown.ShapeTime,
		pushdown.ShapeYear, pushdown.ShapeEnum:
		// Of 0 and -0 the first document would have to be found among the entries of several tuples.
		ok = c.unit != unitDouble
	case pushdown.ShapeString:
	default:
		ok = false
	}
	coll := t.def.encoder.Collation(of.Keypath)
	_, text := value.CollationOfType(c.typ)
	if !ok || (text || of.Shape == pushdown.ShapeEnum) && !coll.IsIdentity() {
		return tupleColumn{}, false // the entries have one of the equal strings' sort keys, and none of the strings
	}
	return tupleColumn{at: at, place: place, reader: t.def.entryReader(c)}, true
}

// estimateTuple finds out how many entries are read, and whether that costs less than documents do along the
// path that they would be read by; nil for all of them.
func (p *aggregatePath) estimateTuple(e costing.Estimator, documents *accessPath) (bool, error) {
	estimate := costing.Estimate{Keys: p.documents, Bound: p.documents, Exact: true}
	c := p.table.def.costed(p.candidate, p.explained)
	c.EntriesOnly = true
	if p.ranged {
		var err error
		if estimate, err = e.Estimate(c); err != nil || estimate.Incomplete {
			return false, err
		}
	}
	p.chosen = 0
	p.candidates, p.estimates = []costing.Candidate{c}, []costing.Estimate{estimate}
	p.keys, p.bound = estimate.Keys, estimate.Bound
	p.reading = float64(p.documents)
	if documents != nil {
		p.reading = documents.size().cost
	}
	p.choice = costing.Choice{Cost: collectedKey * float64(p.keys), FullScan: float64(p.documents),
		Why: []costing.Reason{{}}}
	return p.choice.Cost < p.reading || p.keys == 0, nil
}

// openTuples begins to walk the entries of a declared index.
func (i *aggregateRows) openTuples() error {
	declared, err := i.table.def.declaredRead(i.from, i.path.candidate.Parts[0].Declared)
	if err != nil {
		return err
	}
	streaming := kv.StreamAll
	if i.path.method == readValues {
		streaming = kv.StreamIterate
	}
	i.walk = i.table.def.collection.EntriesDeclared(i.from, declared, tables.ScanOptions{Streaming: streaming})
	i.on = i.walk.Next()
	return i.walk.Err()
}

// stepTuple gives the values that the walk stands on and goes on to the next ones; where the entries don't tell them,
// those of this entry.
func (i *aggregateRows) stepTuple(ctx *sql.Context) error {
	values, tells, err := i.tupleValues(i.walk.Value())
	if err == nil && tells != toldAll {
		values, err = i.fetchTuple()
	}
	if errors.Is(err, errLeft) {
		i.on = i.walk.Next()
		return i.walk.Err()
	}
	if err != nil {
		return err
	}
	row := make([]any, len(values))
	for n, c := range i.path.tuple {
		if row[n], err = fromJSON(i.ctx, &i.table.columns[c.at], values[n]); err != nil {
			return err
		}
	}
	count := int64(1)
	switch {
	case tells != toldAll:
		i.on = i.walk.Next()
	case i.path.method == readValues:
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

// tupleValues decodes the columns that are read, in the order of the path's, and how much the entry tells of them.
func (i *aggregateRows) tupleValues(packed []byte) (values []document.Value, tells told, err error) {
	values = make([]document.Value, len(i.path.tuple))
	for place := 0; len(packed) > 0; place++ {
		n := slices.IndexFunc(i.path.tuple, func(c tupleColumn) bool { return c.place == place })
		if n < 0 {
			if packed, err = tuple.Skip(packed); err != nil {
				return nil, toldSome, err
			}
			continue
		}
		rest, encoded, err := tuple.DecodeBytes(packed)
		if err != nil {
			return nil, toldSome, fmt.Errorf("sqlbackend: an entry's column: %w", err)
		}
		v, of, err := i.path.tuple[n].reader.value(encoded)
		if err != nil {
			return nil, toldSome, err
		}
		values[n], tells, packed = v, max(tells, of), rest
	}
	return values, tells, nil
}

// fetchTuple reads the values from the document of the entry that the walk stands on.
func (i *aggregateRows) fetchTuple() ([]document.Value, error) {
	d, ok, err := i.walk.Document()
	if err == nil && !ok {
		err = errLeft
	}
	if err != nil {
		return nil, err
	}
	i.work.Documents++
	i.work.Bytes += int64(d.Len())
	values := make([]document.Value, len(i.path.tuple))
	for n, c := range i.path.tuple {
		values[n], _ = d.Lookup(i.table.columns[c.at].keypath)
	}
	return values, nil
}
