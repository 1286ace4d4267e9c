package sqlbackend

import (
	"fmt"
	"math"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/tables"
)

func direction(descending bool) string {
	if descending {
		return " descending"
	}
	return ""
}

// keyParts is the number of columns of the primary key.
func (p *orderPlan) keyParts() int { return len(p.table.def.PrimaryKey) }

// addKeyWays adds the ways to the order of primary keys: the documents themselves, and
// the entries of one value.
func (p *orderPlan) addKeyWays() {
	descending := p.fields[0].descending
	from := p.fields[0].part
	if from > 2 || from == 2 && !p.firstPartIsConstant() {
		return
	}
	prefix, whole := followKey(p.fields, from, p.keyParts(), descending)
	if prefix == 0 {
		return
	}
	if whole {
		prefix = 0
	}
	base := pathOrder{field: &p.fields[0], descending: descending, scan: true, prefix: prefix}
	scan, keys, answered, narrowed := orderWay{order: base}, p.documents, []int(nil), []int(nil)
	primary, points := -1, []int(nil)
	for i := range p.split.Candidates {
		c := &p.split.Candidates[i]
		switch {
		case !p.usable(i):
		case c.PrimaryKey:
			primary = i
			scan.candidate, scan.order.part, keys = *c, &c.Parts[0], p.estimates[i].Keys
			answered, narrowed = p.answered(i)
		case from == 1 && c.Spans.IsPoint() && len(p.table.def.versions(c.Column, c.Spans)) == 1:
			points = append(points, i)
		}
	}
	for _, i := range points {
		p.addPointWay(i, primary, base)
	}
	scan.Clustered = p.first
	scan.Name, scan.Scan, scan.answered = "primary key"+direction(descending), true, answered
	if prefix > 0 {
		scan.Group = keys
	}
	p.add(scan, keys, narrowed)
}

func (p *orderPlan) firstPartIsConstant() bool {
	return p.isConstant(orderField{part: 1})
}

// addPointWay adds the entries of one value, which stand in the order of primary keys: those within the spans of the
// candidate that is the primary key, or all of them if that is -1.
func (p *orderPlan) addPointWay(i, primary int, base pathOrder) {
	c := &p.split.Candidates[i]
	w := orderWay{order: base, candidate: *c}
	w.Clustered = p.first
	w.order.scan, w.order.part, w.order.spans = false, &w.candidate.Parts[0], orderedSpans(c.Spans)
	w.Name = fmt.Sprintf("primary key%s within one value of %s", direction(base.descending), partName(c.Parts[0]))
	var narrowed []int
	keys := p.estimates[i].Keys
	if primary >= 0 {
		within := p.split.Candidates[primary].Spans
		if within == nil {
			within = indexes.Spans{} // there is none, where nil is any
		}
		w.order.spans[0].Keys, w.order.keyText = within, keysBounded
		w.answered, narrowed = p.answered(i, primary)
		keys = int64(math.Ceil(float64(keys) * min(1, float64(p.estimates[primary].Keys)/float64(max(1, p.documents)))))
	} else {
		w.answered, narrowed = p.answered(i)
	}
	if base.prefix > 0 {
		w.Group = keys
	}
	p.add(w, keys, narrowed)
}

// addKeypathWays adds the ways along the entries of the first field's keypath.
func (p *orderPlan) addKeypathWays() error {
	first := &p.fields[0]
	column := first.column
	own := pushdown.Candidate{Parts: []pushdown.Part{{Column: column}}}
	if len(p.table.def.versions(column, indexes.Everything())) != 1 || p.declared.isHidden(own) {
		return nil
	}
	along := p.along(column)
	w := orderWay{
		candidate: pushdown.Candidate{Parts: []pushdown.Part{{Column: column, Spans: indexes.Everything(),
			Text: "all values"}}, Tight: true},
		order: pathOrder{field: first, descending: first.descending},
	}
	counts, ok := p.resolver.countsOf(column.Keypath)
	if !ok {
		return p.resolver.err
	}
	keys, narrowed := counts.Total().Documents, []int(nil)
	missing := p.documents - keys
	w.order.allPresent = missing == 0
	if along >= 0 {
		w.candidate, keys, missing, w.order.allPresent = p.split.Candidates[along], p.estimates[along].Keys, 0, false
		w.answered, narrowed = p.answered(along)
	}
	w.candidate.Column, w.candidate.Spans = column, w.candidate.Parts[0].Spans
	w.order.part, w.order.spans = &w.candidate.Parts[0], orderedSpans(w.candidate.Spans)
	w.Name = partName(*w.order.part) + direction(first.descending)
	if bounded, ok := p.keyset(column); ok {
		w.order.spans, w.order.keyText, w.answered = bounded.spans, bounded.text, bounded.exact
		narrowed, missing, w.order.allPresent = bounded.used, 0, false
		w.candidate.Tight = len(bounded.exact) == len(bounded.used)
		var err error
		if keys, err = p.keysWithin(column, bounded.spans); err != nil {
			return err
		}
	}
	w.Missing, w.MissingFirst, w.order.missing = missing, first.descending == first.apart, missing > 0
	if first.apart && (missing > 0 || first.nulls) {
		w.order.nullsApart()
		w.Name += ", NULL at the other end"
	}
	w.Continues = p.table.session.wouldContinue()
	w.order.prefix = p.prefix(missing > 0)
	if err := p.groupOf(&w, first, keys); err != nil {
		return err
	}
	p.addSetWay(w, along, keys, narrowed)
	p.add(w, keys, narrowed)
	return nil
}

// prefix is how many of the fields the entries of the first one's keypath order the
// documents by, or 0 if that is all. NULLs that have entries don't stand in one order with
// those that have none.
func (p *orderPlan) prefix(missing bool) int {
	first := &p.fields[0]
	if len(p.fields) == 1 {
		return 0
	}
	if !first.exact || missing && first.nulls {
		return 1
	}
	n, whole := followKey(p.fields[1:], 1, p.keyParts(), first.descending)
	if whole {
		return 0
	}
	return 1 + n
}

// along is the candidate whose spans are walked in order, or -1: documents that lack the
// keypath don't satisfy its conjuncts.
func (p *orderPlan) along(column pushdown.Column) int {
	for i := range p.split.Candidates {
		c := &p.split.Candidates[i]
		if p.usable(i) && !c.PrimaryKey && c.Parts[0].Column.Keypath == column.Keypath {
			return i
		}
	}
	return -1
}

// addSetWay adds the way that collects the keys of the smallest other candidate first,
// so that of the entries walked no others are fetched.
func (p *orderPlan) addSetWay(w orderWay, along int, keys int64, narrowed []int) {
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
		return // of no keys nothing is walked for
	}
	among := p.split.Candidates[best].Parts[0]
	exact, _ := p.answered(best)
	w.order.among, w.Set = &among, max(1, p.estimates[best].Keys) // of an empty set too the whole walk is looked through
	w.answered = append(append([]int(nil), w.answered...), exact...)
	w.Name += " among " + partName(among)
	w.Keys = keys
	w.Matching = int64(float64(keys)*p.selectivity(narrowed) + 0.5)
	w.Filtered = p.site.filtered || !holdsAll(w.answered, len(p.conjuncts))
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

// groupOf sets how many documents are sorted together: those of the first value, where
// further fields sort within it, and objects and arrays.
func (p *orderPlan) groupOf(w *orderWay, first *orderField, keys int64) error {
	if len(w.order.spans) > 0 && first.containers > 0 && w.order.spans[len(w.order.spans)-1].Span.End == nil {
		w.Group = first.containers
	}
	if w.order.prefix != 1 {
		return nil
	}
	number, ok, err := p.estimator.Number(first.column.Keypath)
	if err != nil || !ok {
		return err
	}
	version := p.table.def.fieldVersion(first.column.Keypath)
	e := p.table.def.collection.EntriesWithin(p.estimator.From, number, version, w.order.spans,
		tables.ScanOptions{Reverse: first.descending})
	defer e.Close()
	if !e.Next() {
		return e.Err()
	}
	sharing, err := p.estimate(first.column, indexes.Point(e.Value()))
	if err != nil {
		return err
	}
	w.Group = max(w.Group, min(sharing, max(1, keys))) // keys are 0 as long as nothing is estimated
	if w.MissingFirst {
		w.Group = max(w.Group, w.Missing)
	}
	return nil
}

// keysWithin estimates the entries in spans of values, whatever their primary keys.
func (p *orderPlan) keysWithin(column pushdown.Column, spans []tables.OrderedSpan) (int64, error) {
	values := make([]indexes.Span, len(spans))
	for i, s := range spans {
		values[i] = s.Span
	}
	return p.estimate(column, indexes.NewSpans(values...))
}

// estimate is about how many entries of a column lie within spans.
func (p *orderPlan) estimate(column pushdown.Column, spans indexes.Spans) (int64, error) {
	if !p.estimated {
		return 1, nil
	}
	c := costing.Candidate{Keypath: column.Keypath, Versions: p.table.def.versions(column, spans)}
	e, err := p.estimator.EstimateAll([]costing.Candidate{c}, costing.EstimateOptions{Rough: true})
	if err != nil {
		return 0, err
	}
	return e[0].Keys, nil
}
