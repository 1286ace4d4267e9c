package order

import (
	"fmt"
	"math"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/tables"
)

// keyParts returns the number of columns of the primary key.
func (p *Plan) keyParts() int { return len(p.Table.Def.PrimaryKey) }

// addKeyWays adds the ways in the order of primary keys: the documents themselves, and the entries of one value.
func (p *Plan) addKeyWays() {
	descending := p.Fields[0].Descending
	from := p.Fields[0].Part
	if from > 2 || from == 2 && !p.firstPartIsConstant() {
		return
	}
	prefix, whole := table.FollowKey(p.Fields, from, p.keyParts(), descending)
	if prefix == 0 {
		return
	}
	if whole {
		prefix = 0
	}
	base := table.PathOrder{Field: &p.Fields[0], Descending: descending, Scan: true, Prefix: prefix}
	scan, keys, answered, narrowed := orderWay{order: base}, p.documents, []int(nil), []int(nil)
	primary, points := -1, []int(nil)
	for i := range p.split.Candidates {
		c := &p.split.Candidates[i]
		switch {
		case !p.usable(i):
		case c.PrimaryKey:
			primary = i
			scan.candidate, scan.order.Part, keys = *c, &c.Parts[0], p.estimates[i].Keys
			answered, narrowed = p.answered(i)
		case from == 1 && c.Spans.IsPoint() && len(p.Table.Def.Versions(c.Column, c.Spans)) == 1:
			points = append(points, i)
		}
	}
	for _, i := range points {
		p.addPointWay(i, primary, base)
	}
	scan.Clustered = p.first
	scan.Name, scan.Scan, scan.answered = "primary key"+table.Direction(descending), true, answered
	if prefix > 0 {
		scan.Group = keys
	}
	p.add(scan, keys, narrowed)
}

func (p *Plan) firstPartIsConstant() bool {
	return p.isConstant(table.OrderField{Part: 1})
}

// addPointWay adds the way along the entries of one value, which are in the order of primary keys. primary is the
// candidate for the primary key, within whose spans the keys must lie; -1: all entries.
func (p *Plan) addPointWay(i, primary int, base table.PathOrder) {
	c := &p.split.Candidates[i]
	w := orderWay{order: base, candidate: *c}
	w.Clustered = p.first
	w.order.Scan, w.order.Part, w.order.Spans = false, &w.candidate.Parts[0], table.OrderedSpans(c.Spans)
	w.Name = fmt.Sprintf("primary key%s within one value of %s", table.Direction(base.Descending),
		table.PartName(c.Parts[0]))
	var narrowed []int
	keys := p.estimates[i].Keys
	if primary >= 0 {
		within := p.split.Candidates[primary].Spans
		if within == nil {
			within = indexes.Spans{} // an empty set, while nil is no bound
		}
		w.order.Spans[0].Keys, w.order.KeyText = within, keysBounded
		w.answered, narrowed = p.answered(i, primary)
		keys = int64(math.Ceil(float64(keys) * min(1, float64(p.estimates[primary].Keys)/float64(max(1, p.documents)))))
	} else {
		w.answered, narrowed = p.answered(i)
	}
	if base.Prefix > 0 {
		w.Group = keys
	}
	p.add(w, keys, narrowed)
}

// addKeypathWays adds the ways along the entries of the first field's keypath.
func (p *Plan) addKeypathWays() error {
	first := &p.Fields[0]
	column := first.Column
	own := pushdown.Candidate{Parts: []pushdown.Part{{Column: column}}}
	if len(p.Table.Def.Versions(column, indexes.Everything())) != 1 || p.declared.IsHidden(own) {
		return nil
	}
	along := p.along(column)
	w := orderWay{
		candidate: pushdown.Candidate{Parts: []pushdown.Part{{Column: column, Spans: indexes.Everything(),
			Text: "all values"}}, Tight: true},
		order: table.PathOrder{Field: first, Descending: first.Descending},
	}
	counts, ok := p.Resolver.CountsOf(column.Keypath)
	if !ok {
		return p.Resolver.Err
	}
	keys, narrowed := counts.Total().Documents, []int(nil)
	missing := p.documents - keys
	w.order.AllPresent = missing == 0
	if along >= 0 {
		w.candidate, keys, missing, w.order.AllPresent = p.split.Candidates[along], p.estimates[along].Keys, 0, false
		w.answered, narrowed = p.answered(along)
	}
	w.candidate.Column, w.candidate.Spans = column, w.candidate.Parts[0].Spans
	w.order.Part, w.order.Spans = &w.candidate.Parts[0], table.OrderedSpans(w.candidate.Spans)
	w.Name = table.PartName(*w.order.Part) + table.Direction(first.Descending)
	if bounded, ok := p.keyset(column); ok {
		w.order.Spans, w.order.KeyText, w.answered = bounded.spans, bounded.text, bounded.exact
		narrowed, missing, w.order.AllPresent = bounded.used, 0, false
		w.candidate.Tight = len(bounded.exact) == len(bounded.used)
		var err error
		if keys, err = p.keysWithin(column, bounded.spans); err != nil {
			return err
		}
	}
	w.Missing, w.MissingFirst, w.order.Missing = missing, first.Descending == first.NullsMoved, missing > 0
	if first.NullsMoved && (missing > 0 || first.Nulls) {
		w.order.MoveNulls()
		w.Name += ", NULL at the other end"
	}
	w.Continues = p.Table.Session.WouldContinue()
	w.order.Prefix = p.prefix(missing > 0)
	if err := p.groupOf(&w, first, keys); err != nil {
		return err
	}
	p.addSetWay(w, along, keys, narrowed)
	p.add(w, keys, narrowed)
	return nil
}

// prefix is how many of the fields order the documents when the entries of the first field's keypath are read; 0 for
// all fields. NULL entries and documents without entries are not in one common order.
func (p *Plan) prefix(missing bool) int {
	first := &p.Fields[0]
	if len(p.Fields) == 1 {
		return 0
	}
	if !first.Exact || missing && first.Nulls {
		return 1
	}
	n, whole := table.FollowKey(p.Fields[1:], 1, p.keyParts(), first.Descending)
	if whole {
		return 0
	}
	return 1 + n
}

// along returns the index of the candidate whose spans are walked in order; documents without the keypath don't
// satisfy its conjuncts. -1: there is none.
func (p *Plan) along(column pushdown.Column) int {
	for i := range p.split.Candidates {
		c := &p.split.Candidates[i]
		if p.usable(i) && !c.PrimaryKey && c.Parts[0].Column.Keypath == column.Keypath {
			return i
		}
	}
	return -1
}

// addSetWay adds the way that first collects the keys of the smallest other candidate, so that only documents with
// one of these keys are fetched.
func (p *Plan) addSetWay(w orderWay, along int, keys int64, narrowed []int) {
	best := -1
	for i := range p.split.Candidates {
		if i == along || !p.usable(i) || p.split.Candidates[i].PrimaryKey {
			continue
		}
		if best < 0 || p.estimates[i].Keys < p.estimates[best].Keys {
			best = i
		}
	}
	if best < 0 || !p.estimated || p.estimates[best].Keys > costing.MaxKeySet || p.estimates[best].Keys == 0 {
		return // without keys there is nothing to walk for
	}
	among := p.split.Candidates[best].Parts[0]
	exact, _ := p.answered(best)
	w.order.Among, w.Set = &among, max(1, p.estimates[best].Keys) // 0 would mean no set
	w.answered = append(append([]int(nil), w.answered...), exact...)
	w.Name += " among " + table.PartName(among)
	w.Keys = keys
	w.Matching = int64(float64(keys)*p.selectivity(narrowed) + 0.5)
	w.Filtered = p.input.Filtered || !holdsAll(w.answered, len(p.conjuncts))
	p.ways = append(p.ways, w)
}

// holdsAll reports whether a list holds every number below n.
func holdsAll(list []int, n int) bool {
	seen := make([]bool, n)
	for _, i := range list {
		seen[i] = true
	}
	for _, s := range seen {
		if !s {
			return false
		}
	}
	return true
}

// groupOf sets how many documents are sorted together: the first value's, where further fields sort within it, and
// objects and arrays.
func (p *Plan) groupOf(w *orderWay, first *table.OrderField, keys int64) error {
	if len(w.order.Spans) > 0 && first.Containers > 0 && w.order.Spans[len(w.order.Spans)-1].Span.End == nil {
		w.Group = first.Containers
	}
	if w.order.Prefix != 1 {
		return nil
	}
	number, ok, err := p.Estimator.Number(first.Column.Keypath)
	if err != nil || !ok {
		return err
	}
	version := p.Table.Def.FieldVersion(first.Column.Keypath)
	e := p.Table.Def.Collection.EntriesWithin(p.Estimator.From, number, version, w.order.Spans,
		tables.ScanOptions{Reverse: first.Descending})
	defer e.Close()
	if !e.Next() {
		return e.Err()
	}
	sharing, err := p.estimate(first.Column, indexes.Point(e.Value()))
	if err != nil {
		return err
	}
	w.Group = max(w.Group, min(sharing, max(1, keys))) // keys are 0 before the estimates
	if w.MissingFirst {
		w.Group = max(w.Group, w.Missing)
	}
	return nil
}

// keysWithin estimates the entries in spans of values, with any primary keys.
func (p *Plan) keysWithin(column pushdown.Column, spans []tables.OrderedSpan) (int64, error) {
	values := make([]indexes.Span, len(spans))
	for i, s := range spans {
		values[i] = s.Span
	}
	return p.estimate(column, indexes.NewSpans(values...))
}

// estimate estimates how many entries of a column lie within spans.
func (p *Plan) estimate(column pushdown.Column, spans indexes.Spans) (int64, error) {
	if !p.estimated {
		return 1, nil
	}
	c := costing.Candidate{Keypath: column.Keypath, Versions: p.Table.Def.Versions(column, spans)}
	e, err := p.Estimator.EstimateAll([]costing.Candidate{c}, costing.EstimateOptions{Rough: true})
	if err != nil {
		return 0, err
	}
	return e[0].Keys, nil
}
