package sqlbackend

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
)

// sorted is what a sort above a table becomes: the table read in order, with rows sorted
// within equal values where the index has the first of the fields only, and the sort itself for
// the case that reading in order is given up. It is false where sorting costs less.
func (o orderer) sorted(sorting sql.Node, fields sql.SortFields, child sql.Node, above taken) (sql.Node, bool, error) {
	if n, ok, err := o.feed(fields, child, above); ok || err != nil {
		return n, ok, err
	}
	if n, ok, err := o.mapped(fields, child, above); ok || err != nil {
		return n, ok, err
	}
	if n, ok, err := o.elements(fields, child); ok || err != nil {
		return n, ok, err
	}
	site, ok := o.site(fields, child)
	if !ok {
		return nil, false, nil
	}
	fields = site.tidied(fields)
	p, err := newOrderPlan(o.ctx, &site, above)
	if err != nil || p == nil {
		return nil, false, err
	}
	path, err := p.choose()
	if err != nil {
		return nil, false, err
	}
	if n, ok, err := o.firstGroup(p, path, fields, sorting, above); ok || err != nil || path == nil {
		return n, ok, err
	}
	if path.order.skip > 0 {
		*above.skipped = true
	}
	if !o.givesUp(&site, path) {
		path.order.bound = costing.Bound{}
	}
	n, err := site.rebuilt(o.ctx, path)
	if err != nil {
		return nil, false, err
	}
	if path.order.prefix > 0 {
		n = newGroupSort(fields, path.order.prefix, n)
	}
	if path.order.bound.Cost > 0 {
		n = newBoundedOrder(n, sorting, path.order.skip, costs{walk: path.order.choice.Cost, bound: path.order.bound.Cost},
			above)
	}
	return n, true, nil
}

// orderPlan is the choice of the way to one table's rows in order.
type orderPlan struct {
	ctx       *sql.Context
	site      *orderSite
	table     *Table
	above     taken
	resolver  *lookupResolver
	fields    []orderField
	first     bool // the first rows are wanted, in any order
	conjuncts []sql.Expression
	use       *namedUse // as Table.use tells

	// instead: not all rows are sorted, but the first of them is looked for, which costs so much another way; with nothing
	// to read given, that is reading the documents. nil: they are sorted.
	instead *costing.Sorted

	declared   *declaredReader
	split      pushdown.Result
	candidates []costing.Candidate
	estimates  []costing.Estimate
	estimator  costing.Estimator
	documents  int64

	estimated bool
	ways      []orderWay
	cost      float64 // of what choose has chosen, if that is estimated
}

// orderWay is a way to read the table in order.
type orderWay struct {
	costing.OrderedWay
	order     pathOrder
	candidate pushdown.Candidate
	covered   *covered // as in accessPath
	answered  []int    // the conjuncts that need no filter
}

// newOrderPlan collects what the choice is made from; nil where the index has no part
// of the order.
func newOrderPlan(ctx *sql.Context, site *orderSite, above taken) (*orderPlan, error) {
	s, err := sessionOf(ctx)
	if err != nil {
		return nil, err
	}
	read, err := s.planReader()
	if err != nil {
		return nil, err
	}
	t := site.table
	p := &orderPlan{ctx: ctx, site: site, table: t, above: above, declared: newDeclaredReader(t, read)}
	p.resolver = &lookupResolver{table: t, read: read, declared: p.declared}
	p.fields = p.resolver.orderFields(ctx, site.fields)
	if p.resolver.err != nil {
		return nil, p.resolver.err
	}
	if p.first = len(site.fields) == 0; p.first {
		p.fields, p.instead = anyOrder, &costing.Sorted{Name: "reading all"}
	}
	if len(p.fields) == 0 || t.def.Rebuilding() {
		return nil, nil
	}
	p.fields[0].apart = site.apart
	p.conjuncts = site.conjuncts()
	keyed, swapped := t.keyed(p.conjuncts)
	p.split = pushdown.Split(ctx, keyed, p.resolver, pushdown.Options{Explain: s.Explains()})
	keepSwapped(&p.split, swapped)
	if p.resolver.err != nil {
		return nil, p.resolver.err
	}
	p.split.Candidates = t.def.loosen(p.split.Candidates, len(p.conjuncts))
	t.dropCertain(&p.split)
	p.dropConstants()
	if p.fields[0].reason != "" || p.fields[0].apart && !p.fields[0].standsApart() {
		return nil, nil
	}
	p.estimator = t.def.estimator(read)
	if p.documents, _, err = p.estimator.Documents(); err != nil {
		return nil, err
	}
	p.use = t.use(p.conjuncts)
	p.candidates = make([]costing.Candidate, len(p.split.Candidates))
	for i := range p.split.Candidates {
		c := &p.split.Candidates[i]
		p.candidates[i] = t.def.costed(c, s.Explains())
		t.coverable(c, &p.candidates[i], p.use)
	}
	return p, nil
}

// dropConstants leaves out fields that have one value in all rows, or in all that are equal by one before.
func (p *orderPlan) dropConstants() {
	var kept []orderField
	for _, f := range p.fields {
		again := f.reason == "" && slices.ContainsFunc(kept, func(k orderField) bool {
			return k.reason == "" && k.part == f.part && k.column.Keypath == f.column.Keypath && k.decides(&f)
		})
		if again || f.reason == "" && p.isConstant(f) {
			continue
		}
		kept = append(kept, f)
	}
	if p.fields = kept; len(kept) == 0 {
		p.fields = anyOrder
	}
}

// decides reports whether what is equal by this field is equal by another one of the same keypath. A column has NULL
// for what is null in JSON and for what is missing.
func (o *orderField) decides(f *orderField) bool {
	a, b := &o.column, &f.column
	return o.exact && !o.nulls || a.Shape == b.Shape && a.Collation == b.Collation && a.Rounded == b.Rounded
}

func (p *orderPlan) isConstant(f orderField) bool {
	return slices.ContainsFunc(p.split.Candidates, func(c pushdown.Candidate) bool {
		if len(c.Parts) != 1 || c.NeedsAllPresent || !c.Spans.IsPoint() || !c.Tight {
			return false
		}
		if c.PrimaryKey || f.part > 0 {
			return c.PrimaryKey && f.part == 1
		}
		return c.Column.Keypath == f.column.Keypath && c.Column.Shape == f.column.Shape
	})
}

// usable reports whether every matching document has an entry in a candidate.
func (p *orderPlan) usable(i int) bool {
	c := &p.split.Candidates[i]
	return len(c.Parts) == 1 && !c.NeedsAllPresent && !p.estimates[i].Incomplete && !c.Parts[0].Repeats() &&
		!p.declared.isHidden(*c)
}

// selectivity is the share of the documents that satisfies the conjuncts other than the
// given ones, as if they had nothing to do with each other.
func (p *orderPlan) selectivity(but []int) float64 {
	const unknown = 1.0 / 3 // of a conjunct that the counts say nothing of
	const whole = 0.9       // of a range that holds so many, whatever satisfies what stays a filter behind it
	used := make([]bool, len(p.conjuncts))
	for _, i := range but {
		used[i] = true
	}
	order := make([]int, len(p.candidates))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(p.estimates[a].Keys - p.estimates[b].Keys) })
	share := 1.0
	for _, i := range order {
		answers := p.candidates[i].Answers
		if p.estimates[i].Incomplete || slices.ContainsFunc(answers, func(n int) bool { return used[n] }) {
			continue
		}
		matching := p.estimates[i].Keys
		if n := p.estimates[i].Documents; n > 0 {
			matching = n
		}
		if p.candidates[i].NeedsAllPresent {
			matching += p.estimates[i].Missing
		}
		found := min(1, float64(matching)/float64(max(1, p.documents)))
		share *= found
		c := &p.split.Candidates[i]
		for _, n := range answers {
			used[n] = !c.OnlyThere && (found < whole || !slices.Contains(c.Residual, n))
		}
	}
	for i := range used {
		if !used[i] && !slices.Contains(p.split.Certain, i) {
			share *= unknown
		}
	}
	return share
}

// answered are the conjuncts that candidates' spans are exactly, and those that they stand for.
func (p *orderPlan) answered(candidates ...int) (exact, any []int) {
	for _, i := range candidates {
		c := &p.split.Candidates[i]
		if c.OnlyThere {
			continue // which of the values it is true of is not known
		}
		any = append(any, c.Answers...)
		for _, n := range c.Answers {
			if !slices.Contains(c.Residual, n) {
				exact = append(exact, n)
			}
		}
	}
	return exact, any
}

// add completes a way that walks keys keys.
func (p *orderPlan) add(w orderWay, keys int64, narrowed []int) {
	w.Keys = keys
	w.Matching = int64(float64(keys)*p.selectivity(narrowed) + 0.5)
	tested := p.tested(&w)
	w.Filtered = p.site.filtered || len(tested) > 0
	w.covered = w.order.coverable(p.table, &w.candidate, p.use.needed(tested))
	w.EntriesOnly = w.covered != nil
	p.ways = append(p.ways, w)
}

// tested are the conjuncts that a way leaves to a filter.
func (p *orderPlan) tested(w *orderWay) []int {
	var out []int
	for i := range p.conjuncts {
		if !slices.Contains(w.answered, i) {
			out = append(out, i)
		}
	}
	if p.table.restsOnCounts() {
		return p.split.Uncertain(out)
	}
	return out
}

// choose takes the cheapest way; nil leaves the sort. Where a way reads the documents
// that are wanted and no others, nothing is estimated, but for EXPLAIN.
func (p *orderPlan) choose() (*accessPath, error) {
	p.estimates = make([]costing.Estimate, len(p.candidates))
	for i := range p.candidates {
		p.estimates[i].Incomplete = p.isIncomplete(i)
	}
	if err := p.addWays(); err != nil || len(p.ways) == 0 {
		return nil, err
	}
	for i := range p.ways {
		w := &p.ways[i]
		if w.ReadsLeast(p.above.wanted()) && !p.table.session.Explains() {
			choice := costing.OrderChoice{Keys: p.above.rows + p.above.skip, Why: []string{""}}
			return p.path(w, []costing.OrderedWay{w.OrderedWay}, choice), nil
		}
	}
	var err error
	if p.estimates, err = p.estimator.EstimateAll(p.candidates, costing.EstimateOptions{Rough: true}); err != nil {
		return nil, err
	}
	p.ways, p.estimated = nil, true
	if err := p.addWays(); err != nil || len(p.ways) == 0 {
		return nil, err
	}
	reading := costing.Choose(p.documents, p.candidates, p.estimates).Cost
	if path := p.site.path; path != nil && path.candidate != nil && path.candidate.Parts != nil &&
		path.candidate.Parts[0].Declared != nil {
		path.measure()
		reading = min(reading, path.choice.Cost)
	}
	sorted := costing.Sorted{Reading: reading, Rows: int64(float64(p.documents) * p.selectivity(nil))}
	if p.instead != nil {
		sorted = *p.instead
		if sorted.Reading == 0 {
			sorted.Reading = reading
		}
	}
	ways := make([]costing.OrderedWay, len(p.ways))
	for i, w := range p.ways {
		ways[i] = w.OrderedWay
	}
	choice := costing.ChooseOrder(p.documents, p.above.wanted(), sorted, ways)
	if p.cost = choice.Cost; choice.Chosen < 0 {
		return nil, nil
	}
	return p.path(&p.ways[choice.Chosen], ways, choice), nil
}

func (p *orderPlan) addWays() error {
	if p.fields[0].apart && p.fields[0].part == 0 {
		return p.addKeypathWays()
	}
	// First those that read least of all, where they do.
	if err := p.addDeclaredWays(); err != nil {
		return err
	}
	if p.first {
		p.addFirstWays()
	}
	if p.fields[0].part > 0 {
		p.addKeyWays()
		return nil
	}
	return p.addKeypathWays()
}

// isIncomplete reports whether some values at the keypath of a candidate's only part
// have no entries.
func (p *orderPlan) isIncomplete(i int) bool {
	c := &p.split.Candidates[i]
	if len(c.Parts) != 1 || c.PrimaryKey {
		return false
	}
	return !p.resolver.entersAll(c.Parts[0].Column.Keypath)
}

// path is the access path of a way.
func (p *orderPlan) path(w *orderWay, ways []costing.OrderedWay, choice costing.OrderChoice) *accessPath {
	s := p.table.session
	path := &accessPath{
		table: p.table, conjuncts: p.conjuncts, reasons: p.split.Reasons, split: p.split.Candidates, certain: p.split.Certain,
		proofs: p.resolver.proofs, chosen: -1,
		documents: p.documents, explained: s.Explains(), covered: w.covered,
	}
	if len(w.candidate.Parts) > 0 {
		path.candidate, path.chosen = &w.candidate, 0
		path.candidates = []costing.Candidate{p.table.def.costed(&w.candidate, s.Explains())}
		path.estimates = []costing.Estimate{{Keys: w.Keys, Bound: w.Keys, Documents: w.Keys}}
		path.choice = costing.Choice{Cost: choice.Cost, FullScan: float64(p.documents),
			Why: []costing.Reason{{Text: choice.Why[choice.Chosen]}}}
	}
	path.residual = p.tested(w)
	o := &w.order
	if p.first {
		o.field, o.first = nil, true
	}
	o.way, o.ways, o.choice, o.bound = w.OrderedWay, ways, choice, choice.Bound
	o.byKeys = o.missing && w.MissingByKeys(p.documents, p.above.wanted())
	o.rows = costing.All
	if !w.Filtered && o.prefix == 0 && !p.above.guess {
		if o.rows = p.above.rows; p.above.skipped != nil {
			o.skip = p.above.skip
		}
	}
	if p.above.rows != costing.All {
		if o.expect = choice.Keys; w.Set > 0 {
			o.expect = p.above.rows + p.above.skip
		}
	}
	o.whole = p.above.rows == costing.All && (len(w.candidate.Parts) == 0 || w.candidate.Spans.IsEverything())
	path.order = o
	return path
}
