package companion

import (
	"fmt"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/changes"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/tables"
)

// FeedPath is how a feed is read: along its sequences, or by the keys of documents. It is immutable once the table
// is planned.
type FeedPath struct {
	*table.AccessPath                // for EXPLAIN; Candidate is nil for the whole feed
	Sequences         []sequenceSpan // in ascending order
	Keys              indexes.Spans  // of the primary key's first column, with ByKeys
	ByKeys            bool
	Reverse           bool // along the sequences, last to first
	Whole             bool // the whole feed is read, as by a full scan
	Ends              feedEnds
	Fetches           bool  // documents are read
	Limit             int64 // largest number of changes read; 0: all
}

// feedEnds says which ends of a path are read.
type feedEnds uint8

// The ends of a path along the sequences that are read.
const (
	AllChanges  feedEnds = 0
	FirstChange feedEnds = 1 << iota
	LastChange
)

var (
	_ sql.RangeCollection   = (*FeedPath)(nil)
	_ table.ExplainedRanges = (*FeedPath)(nil)
)

// Equals implements sql.RangeCollection.
func (p *FeedPath) Equals(other sql.RangeCollection) (bool, error) {
	o, ok := other.(*FeedPath)
	return ok && o == p, nil
}

// AsLookup returns the path as an index lookup of the engine.
func (p *FeedPath) AsLookup() sql.IndexLookup {
	return sql.IndexLookup{Index: ChildIndex{table.PathIndex{Path: p.AccessPath},
		p.AccessPath.Table.Def.Name + table.ChangesSuffix},
		Ranges: p}
}

// open starts reading.
func (p *FeedPath) open(t *ChangesTable, r kv.Reader) feedWalk {
	log := t.def.Collection.Log()
	if p.ByKeys {
		return log.ReadKeys(r, keySpans(t.def, p.Keys))
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
	if p.Ends == AllChanges {
		reads(changes.ReadOptions{Reverse: p.Reverse, Limit: int(p.Limit)}, p.Sequences)
		return w
	}
	// One change of each span is read: the first and the last change are among them.
	if p.Ends&FirstChange != 0 {
		reads(changes.ReadOptions{Limit: 1}, p.Sequences)
	}
	if p.Ends&LastChange != 0 {
		reads(changes.ReadOptions{Limit: 1, Reverse: true}, p.Sequences)
	}
	return w
}

// keySpans converts spans over the first column of a primary key to spans of the log.
func keySpans(d *session.Definition, spans indexes.Spans) []changes.KeySpan {
	keys := d.Collection.Keys()
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

// Explanation implements ExplainedRanges.
func (p *FeedPath) Explanation(tab string) table.Explanation {
	e := p.AccessPath.Explanation(tab)
	if p.Candidate == nil {
		e.Access, e.Key, e.Operation = "index", table.SequenceColumn, "Index scan on "+tab+" using "+table.SequenceColumn
	}
	e.EntriesOnly = !p.Fetches
	switch {
	case p.Ends == FirstChange|LastChange:
		e.Facts = append(e.Facts, "only the first change and the last")
	case p.Ends == FirstChange:
		e.Facts = append(e.Facts, "only the first change")
	case p.Ends == LastChange:
		e.Facts = append(e.Facts, "only the last change")
	case p.Reverse:
		e.Facts = append(e.Facts, "from the last to the first")
	}
	if p.Limit > 0 {
		e.Facts = append(e.Facts, "at most "+session.Grouped(p.Limit)+" keys")
		if c := p.ChosenEstimate(); c != nil && c.Keys > p.Limit {
			e.Estimate = &costing.Estimate{Keys: p.Limit, Bound: c.Bound, Exact: c.Exact}
		}
	}
	return e
}

// plan chooses the path for the conjuncts; nil is the whole feed. For EXPLAIN the whole feed is a path, too, with
// the reasons.
func (t *ChangesTable) plan(ctx *sql.Context, conjuncts []sql.Expression) (*FeedPath, error) {
	explained := t.Session.Parsed.Explains()
	documents := t.DocumentTable()
	if !setting.On(ctx, setting.UseIndex) {
		if explained {
			return &FeedPath{AccessPath: table.FullScan(documents, conjuncts, setting.UseIndex+" is OFF")}, nil
		}
		return nil, nil
	}
	plan, err := t.Session.Readers.Plan()
	if err != nil {
		return nil, err
	}
	resolver := &FeedResolver{Table: t, Documents: table.LookupResolver{Table: documents, Read: plan}}
	split := pushdown.Split(ctx, conjuncts, resolver, pushdown.Options{Explain: explained})
	if resolver.Documents.Err != nil {
		return nil, resolver.Documents.Err
	}
	paths := make([]FeedPath, 0, len(split.Candidates))
	kept := split.Candidates[:0:0]
	for i := range split.Candidates {
		c := &split.Candidates[i]
		if p, ok := feedPathOf(c); ok {
			c.NeedsAllPresent = false // every change has a sequence
			paths, kept = append(paths, p), append(kept, *c)
		} else if explained {
			split.Reasons = append(split.Reasons, fmt.Sprintf("%s: sequences and keys are not united", c))
		}
	}
	split.Candidates = kept
	if len(paths) == 0 && !explained {
		return nil, nil
	}
	path := FeedPath{Sequences: EverySequence()}
	if len(paths) == 1 && !explained {
		path = paths[0]
		path.Fetches = t.Documents
		path.AccessPath = table.NewAccessPath(documents, conjuncts, split, 0)
		return &path, nil
	}
	r, err := t.Session.Readers.Committed()
	if err != nil {
		return nil, err
	}
	rows, _, err := documents.Counted(ctx)
	if err != nil {
		return nil, err
	}
	chosen := -1
	estimates, candidates := make([]costing.Estimate, len(paths)), make([]costing.Candidate, len(paths))
	for i := range paths {
		if estimates[i], err = t.estimate(r, &paths[i], rows); err != nil {
			return nil, err
		}
		candidates[i] = table.CostWalk(t.def, &split.Candidates[i], explained)
		if chosen < 0 || estimates[i].Keys < estimates[chosen].Keys {
			chosen = i
		}
	}
	for i := range estimates {
		rows = max(rows, estimates[i].Keys) // deleted documents have a change, too
	}
	choice := costing.Choice{Chosen: chosen, FullScan: float64(rows)}
	for i := range paths {
		why := "chosen"
		if i != chosen {
			why = fmt.Sprintf("the chosen one reads %s keys", session.Grouped(estimates[chosen].Keys))
		}
		choice.Why = append(choice.Why, costing.Reason{Text: why})
	}
	if chosen >= 0 {
		path = paths[chosen]
		choice.Cost = float64(estimates[chosen].Keys)
	}
	path.AccessPath, path.Fetches = table.NewAccessPath(documents, conjuncts, split, chosen), t.Documents
	path.Explained, path.Documents = explained, rows
	path.Candidates, path.Estimates, path.Choice = candidates, estimates, choice
	return &path, nil
}

// feedPathOf returns the path along a candidate; false if it has several parts.
func feedPathOf(c *pushdown.Candidate) (FeedPath, bool) {
	byKeys := slices.ContainsFunc(c.Parts, func(p pushdown.Part) bool { return p.PrimaryKey })
	if len(c.Parts) > 1 {
		return FeedPath{}, false
	}
	switch {
	case len(c.Parts) == 0:
		return FeedPath{}, true
	case byKeys:
		return FeedPath{ByKeys: true, Keys: c.Spans}, true
	}
	return FeedPath{Sequences: sequenceSpans(c.Spans)}, true
}

// countedChanges is how many keys of a range are counted; the size of a longer range is estimated.
const countedChanges = 128

// estimate estimates the keys of a path, exactly if they are few. documents is the number of all documents.
func (t *ChangesTable) estimate(r kv.Reader, p *FeedPath, documents int64) (costing.Estimate, error) {
	var ranges []kv.Range
	e := costing.Estimate{Exact: true}
	if p.ByKeys {
		for _, s := range keySpans(t.def, p.Keys) {
			if s.PK != nil {
				e.Keys++
				continue
			}
			ranges = append(ranges, s.Range)
		}
	} else {
		for _, s := range p.Sequences {
			ranges = append(ranges, t.def.Collection.Log().Span(s.bounds()))
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

// countKeys counts the keys of a range, and their bytes, up to limit keys.
func countKeys(r kv.Reader, at kv.Range, limit int) (n, bytes int64, err error) {
	it := r.Range(at, kv.RangeOptions{Limit: limit})
	defer it.Close()
	for it.Next() {
		n++
		bytes += int64(len(it.Key()) + len(it.Value()))
	}
	return n, bytes, it.Err()
}

// Expected estimates the rows read along the path.
func (p *FeedPath) Expected(t *ChangesTable) table.Size {
	if p.Ends != AllChanges {
		return table.Size{Rows: 2, Cost: 2}
	}
	if p.Candidate != nil && p.Chosen < len(p.Estimates) {
		return table.Size{Rows: float64(p.Estimates[p.Chosen].Keys), Cost: p.Choice.Cost}
	}
	r, err := t.Session.Readers.Committed()
	if err == nil {
		var e costing.Estimate
		if e, err = t.estimate(r, p, 0); err == nil {
			return table.Size{Rows: float64(e.Keys), Cost: float64(e.Keys)}
		}
	}
	return table.Size{Rows: table.UnknownRows, Cost: table.UnknownRows}
}

// FeedOf recognizes a feed in a plan, and returns the path that it is read along; nil: the whole feed.
func FeedOf(n sql.Node) (node sql.TableNode, t *ChangesTable, path *FeedPath, ok bool) {
	switch n := n.(type) {
	case *plan.ResolvedTable:
		t, ok = n.UnderlyingTable().(*ChangesTable)
		return n, t, nil, ok
	case *plan.IndexedTableAccess:
		path, ok = plan.GetIndexLookup(n).Ranges.(*FeedPath)
		if !ok {
			return nil, nil, nil, false
		}
		t, ok = n.TableNode.UnderlyingTable().(*ChangesTable)
		return n.TableNode, t, path, ok
	}
	return nil, nil, nil, false
}
