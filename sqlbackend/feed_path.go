package sqlbackend

import (
	"fmt"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/changes"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/tables"
)

// feedPath is how a feed is read: along its sequences, or by the keys of documents. It is
// immutable once the table is planned.
type feedPath struct {
	*accessPath                // what EXPLAIN tells; the candidate is nil for the whole feed
	sequences   []sequenceSpan // rising
	keys        indexes.Spans  // of the first column of the primary key, if the path is by keys
	byKeys      bool
	reverse     bool // along the sequences, from the last to the first
	whole       bool // all of the feed is read to its end, backwards
	ends        feedEnds
	fetches     bool  // documents are read
	limit       int64 // of the changes that are taken at most; 0 for none
}

// feedEnds are the changes that a path stops at.
type feedEnds uint8

// The ends of a path along the sequences.
const (
	allChanges  feedEnds = 0
	firstChange feedEnds = 1 << iota
	lastChange
)

var (
	_ sql.RangeCollection = (*feedPath)(nil)
	_ explainedRanges     = (*feedPath)(nil)
)

// Equals implements sql.RangeCollection.
func (p *feedPath) Equals(other sql.RangeCollection) (bool, error) {
	o, ok := other.(*feedPath)
	return ok && o == p, nil
}

// asLookup is the path as the engine has it.
func (p *feedPath) asLookup() sql.IndexLookup {
	return sql.IndexLookup{Index: childIndex{pathIndex{p.accessPath}, p.accessPath.table.def.Name + changesSuffix},
		Ranges: p}
}

// open begins to read.
func (p *feedPath) open(t *changesTable, r kv.Reader) feedWalk {
	log := t.def.collection.Log()
	if p.byKeys {
		return log.ReadKeys(r, keySpans(t.def, p.keys))
	}
	w := &sequenceWalk{log: log, r: r}
	reads := func(o changes.ReadOptions, spans []sequenceSpan) {
		for i := range spans {
			s := spans[i]
			if o.Reverse {
				s = spans[len(spans)-1-i]
			}
			o.Bounds = s.bounds()
			w.reads = append(w.reads, o)
		}
	}
	if p.ends == allChanges {
		reads(changes.ReadOptions{Reverse: p.reverse, Limit: int(p.limit)}, p.sequences)
		return w
	}
	// One change of each part: those at the ends are among them.
	if p.ends&firstChange != 0 {
		reads(changes.ReadOptions{Limit: 1}, p.sequences)
	}
	if p.ends&lastChange != 0 {
		reads(changes.ReadOptions{Limit: 1, Reverse: true}, p.sequences)
	}
	return w
}

// keySpans are spans over the first column of a primary key as the log takes them.
func keySpans(d *definition, spans indexes.Spans) []changes.KeySpan {
	keys := d.collection.Keys()
	out := make([]changes.KeySpan, len(spans))
	for i, s := range spans {
		if s.IsPoint() && keys.PrimaryKeyParts() == 1 {
			if pk := tuple.AppendBytes(nil, s.Start); len(pk) <= tables.MaxPrimaryKey {
				out[i].PK = pk
				continue
			}
		}
		out[i].Range = keys.MetaSpan(s.Start, s.End)
	}
	return out
}

// explanation implements explainedRanges.
func (p *feedPath) explanation(table string) explanation {
	e := p.accessPath.explanation(table)
	if p.candidate == nil {
		e.access, e.key, e.operation = "index", sequenceColumn, "Index scan on "+table+" using "+sequenceColumn
	}
	e.entriesOnly = !p.fetches
	switch {
	case p.ends == firstChange|lastChange:
		e.facts = append(e.facts, "only the first change and the last")
	case p.ends == firstChange:
		e.facts = append(e.facts, "only the first change")
	case p.ends == lastChange:
		e.facts = append(e.facts, "only the last change")
	case p.reverse:
		e.facts = append(e.facts, "from the last to the first")
	}
	if p.limit > 0 {
		e.facts = append(e.facts, "at most "+grouped(p.limit)+" keys")
		if c := p.chosenEstimate(); c != nil && c.Keys > p.limit {
			e.estimate = &costing.Estimate{Keys: p.limit, Bound: c.Bound, Exact: c.Exact}
		}
	}
	return e
}

// plan chooses the path for the conjuncts: nil is the whole feed. In an EXPLAIN that is a
// path too, which says why.
func (t *changesTable) plan(ctx *sql.Context, conjuncts []sql.Expression) (*feedPath, error) {
	explained := t.session.Explains()
	documents := t.documentTable()
	if !setting.On(ctx, setting.UseIndex) {
		if explained {
			return &feedPath{accessPath: fullScan(documents, conjuncts, setting.UseIndex+" is OFF")}, nil
		}
		return nil, nil
	}
	plan, err := t.session.planReader()
	if err != nil {
		return nil, err
	}
	resolver := &feedResolver{table: t, documents: lookupResolver{table: documents, read: plan}}
	split := pushdown.Split(ctx, conjuncts, resolver, pushdown.Options{Explain: explained})
	if resolver.documents.err != nil {
		return nil, resolver.documents.err
	}
	paths := make([]feedPath, 0, len(split.Candidates))
	kept := split.Candidates[:0:0]
	for i := range split.Candidates {
		c := &split.Candidates[i]
		if p, ok := feedPathOf(c); ok {
			c.NeedsAllPresent = false // no change lacks its sequence
			paths, kept = append(paths, p), append(kept, *c)
		} else if explained {
			split.Reasons = append(split.Reasons, fmt.Sprintf("%s: sequences and keys are not united", c))
		}
	}
	split.Candidates = kept
	if len(paths) == 0 && !explained {
		return nil, nil
	}
	path := feedPath{sequences: everySequence()}
	if len(paths) == 1 && !explained {
		path = paths[0]
		path.fetches = t.documents
		path.accessPath = newAccessPath(documents, conjuncts, split, 0)
		return &path, nil
	}
	r, err := t.session.committedReader()
	if err != nil {
		return nil, err
	}
	rows, _, err := documents.counted(ctx)
	if err != nil {
		return nil, err
	}
	chosen := -1
	estimates, candidates := make([]costing.Estimate, len(paths)), make([]costing.Candidate, len(paths))
	for i := range paths {
		if estimates[i], err = t.estimate(r, &paths[i], rows); err != nil {
			return nil, err
		}
		candidates[i] = t.def.costed(&split.Candidates[i], explained)
		if chosen < 0 || estimates[i].Keys < estimates[chosen].Keys {
			chosen = i
		}
	}
	for i := range estimates {
		rows = max(rows, estimates[i].Keys) // deleted documents have a change too
	}
	choice := costing.Choice{Chosen: chosen, FullScan: float64(rows)}
	for i := range paths {
		why := "chosen"
		if i != chosen {
			why = fmt.Sprintf("the chosen one reads %s keys", grouped(estimates[chosen].Keys))
		}
		choice.Why = append(choice.Why, costing.Reason{Text: why})
	}
	if chosen >= 0 {
		path = paths[chosen]
		choice.Cost = float64(estimates[chosen].Keys)
	}
	path.accessPath, path.fetches = newAccessPath(documents, conjuncts, split, chosen), t.documents
	path.explained, path.documents = explained, rows
	path.candidates, path.estimates, path.choice = candidates, estimates, choice
	return &path, nil
}

// feedPathOf is the path along a candidate; false where its parts are not of one kind.
func feedPathOf(c *pushdown.Candidate) (feedPath, bool) {
	byKeys := slices.ContainsFunc(c.Parts, func(p pushdown.Part) bool { return p.PrimaryKey })
	if len(c.Parts) > 1 {
		return feedPath{}, false
	}
	switch {
	case len(c.Parts) == 0:
		return feedPath{}, true
	case byKeys:
		return feedPath{byKeys: true, keys: c.Spans}, true
	}
	return feedPath{sequences: sequenceSpans(c.Spans)}, true
}

// countedChanges is how many keys are read to see how many a path leads to.
const countedChanges = 128

// estimate counts the keys of a path, as far as it has few; documents is the number of all.
func (t *changesTable) estimate(r kv.Reader, p *feedPath, documents int64) (costing.Estimate, error) {
	var ranges []kv.Range
	e := costing.Estimate{Exact: true}
	if p.byKeys {
		for _, s := range keySpans(t.def, p.keys) {
			if s.PK != nil {
				e.Keys++
				continue
			}
			ranges = append(ranges, s.Range)
		}
	} else {
		for _, s := range p.sequences {
			ranges = append(ranges, t.def.collection.Log().Span(s.bounds()))
		}
	}
	counted, bytes := int64(0), int64(0)
	for _, at := range ranges {
		if string(at.Start) >= string(at.End) {
			continue
		}
		n, size, err := countKeys(r, at, countedChanges)
		if err != nil {
			return e, err
		}
		counted, bytes = counted+n, bytes+size
		if n < countedChanges {
			e.Keys += n
			continue
		}
		all, err := r.EstimateSize(at).Get()
		if err != nil {
			return e, err
		}
		e.Exact = false
		e.Keys += max(n, all/max(1, bytes/counted))
	}
	e.Documents, e.Bound = e.Keys, max(documents, e.Keys)
	return e, nil
}

// countKeys counts the keys of a range up to a limit, with their bytes.
func countKeys(r kv.Reader, at kv.Range, limit int) (n, bytes int64, err error) {
	it := r.Range(at, kv.RangeOptions{Limit: limit})
	defer it.Close()
	for it.Next() {
		n++
		bytes += int64(len(it.Key()) + len(it.Value()))
	}
	return n, bytes, it.Err()
}

// expected is the size of what is read along the path.
func (p *feedPath) expected(t *changesTable) size {
	if p.ends != allChanges {
		return size{rows: 2, cost: 2}
	}
	if p.candidate != nil && p.chosen < len(p.estimates) {
		return size{rows: float64(p.estimates[p.chosen].Keys), cost: p.choice.Cost}
	}
	r, err := t.session.committedReader()
	if err == nil {
		var e costing.Estimate
		if e, err = t.estimate(r, p, 0); err == nil {
			return size{rows: float64(e.Keys), cost: float64(e.Keys)}
		}
	}
	return size{rows: unknownRows, cost: unknownRows}
}
