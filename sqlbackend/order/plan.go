package order

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// sorted plans a sort above a table: the table is read in order. Rows with equal values are sorted where the index
// has only the first fields. The sort itself stays as the plan if reading in order is given up. It is false where
// sorting costs less.
func (o Orderer) sorted(sorting sql.Node, fields sql.SortFields, child sql.Node, above RowLimit) (sql.Node,
	bool, error) {
	if n, ok, err := o.feed(fields, child, above); ok || err != nil {
		return n, ok, err
	}
	if n, ok, err := o.mapped(fields, child, above); ok || err != nil {
		return n, ok, err
	}
	if n, ok, err := o.elements(fields, child); ok || err != nil {
		return n, ok, err
	}
	input, ok := o.input(fields, child)
	if !ok {
		return nil, false, nil
	}
	fields = input.tidied(fields)
	p, err := NewPlan(o.Ctx, &input, above)
	if err != nil || p == nil {
		return nil, false, err
	}
	path, err := p.Choose()
	if err != nil {
		return nil, false, err
	}
	if n, ok, err := o.firstGroup(p, path, fields, sorting, above); ok || err != nil || path == nil {
		return n, ok, err
	}
	if path.Order.Skip > 0 {
		*above.skipped = true
	}
	if !o.GivesUp(&input, path) {
		path.Order.Bound = costing.Bound{}
	}
	n, err := input.Rebuilt(o.Ctx, path)
	if err != nil {
		return nil, false, err
	}
	if path.Order.Prefix > 0 {
		n = newGroupSort(fields, path.Order.Prefix, n)
	}
	if path.Order.Bound.Cost > 0 {
		n = NewBoundedOrder(n, sorting, path.Order.Skip, Costs{Walk: path.Order.Choice.Cost, Bound: path.Order.Bound.Cost},
			above)
	}
	return n, true, nil
}

// Plan chooses the way to read one table's rows in order.
type Plan struct {
	ctx       *sql.Context
	input     *SortInput
	Table     *table.Table
	above     RowLimit
	Resolver  *table.LookupResolver
	Fields    []table.OrderField
	first     bool // only the first rows are needed, in any order
	conjuncts []sql.Expression
	use       *table.NamedUse // see Table.use

	// Instead is the other plan that the walk competes with, where the rows are not sorted and only the first is
	// needed. A Reading of 0 means the cost of reading the documents. nil: the other plan sorts the rows.
	Instead *costing.Sorted

	declared   *table.DeclaredReader
	split      pushdown.Result
	candidates []costing.Candidate
	estimates  []costing.Estimate
	Estimator  costing.Estimator
	documents  int64

	estimated bool
	ways      []orderWay
	cost      float64 // of the plan that Choose has chosen, if estimated
}

// orderWay is a way to read the table in order.
type orderWay struct {
	costing.OrderedWay
	order     table.PathOrder
	candidate pushdown.Candidate
	covered   *session.Covered // as in AccessPath
	answered  []int            // the conjuncts that need no filter
}

// NewPlan collects the data for the choice; nil where the index has no part of the order.
func NewPlan(ctx *sql.Context, input *SortInput, above RowLimit) (*Plan, error) {
	s, err := session.Of(ctx)
	if err != nil {
		return nil, err
	}
	read, err := s.Readers.Plan()
	if err != nil {
		return nil, err
	}
	t := input.Table
	p := &Plan{ctx: ctx, input: input, Table: t, above: above, declared: table.NewDeclaredReader(t, read)}
	p.Resolver = &table.LookupResolver{Table: t, Read: read, Declared: p.declared}
	p.Fields = p.Resolver.OrderFields(ctx, input.Fields)
	if p.Resolver.Err != nil {
		return nil, p.Resolver.Err
	}
	if p.first = len(input.Fields) == 0; p.first {
		p.Fields, p.Instead = anyOrder, &costing.Sorted{Name: "reading all"}
	}
	if len(p.Fields) == 0 || t.Def.Rebuilding() {
		return nil, nil
	}
	p.Fields[0].NullsMoved = input.nullsMoved
	p.conjuncts = input.conjuncts()
	keyed, swapped := t.Keyed(p.conjuncts)
	p.split = pushdown.Split(ctx, keyed, p.Resolver, pushdown.Options{Explain: s.Parsed.Explains()})
	table.KeepSwapped(&p.split, swapped)
	if p.Resolver.Err != nil {
		return nil, p.Resolver.Err
	}
	p.split.Candidates = t.Def.Loosen(p.split.Candidates, len(p.conjuncts))
	t.DropCertain(&p.split)
	p.dropConstants()
	if p.Fields[0].Reason != "" || p.Fields[0].NullsMoved && !p.Fields[0].CanMoveNulls() {
		return nil, nil
	}
	p.Estimator = table.Estimator(t.Def, read)
	if p.documents, _, err = p.Estimator.Documents(); err != nil {
		return nil, err
	}
	p.use = t.Use(p.conjuncts)
	p.candidates = make([]costing.Candidate, len(p.split.Candidates))
	for i := range p.split.Candidates {
		c := &p.split.Candidates[i]
		p.candidates[i] = table.CostWalk(t.Def, c, s.Parsed.Explains())
		t.Coverable(c, &p.candidates[i], p.use)
	}
	return p, nil
}

// dropConstants drops fields with one value in all rows, or in all rows that are equal in an earlier field.
func (p *Plan) dropConstants() {
	var kept []table.OrderField
	for _, f := range p.Fields {
		again := f.Reason == "" && slices.ContainsFunc(kept, func(k table.OrderField) bool {
			return k.Reason == "" && k.Part == f.Part && k.Column.Keypath == f.Column.Keypath && k.Decides(&f)
		})
		if again || f.Reason == "" && p.isConstant(f) {
			continue
		}
		kept = append(kept, f)
	}
	if p.Fields = kept; len(kept) == 0 {
		p.Fields = anyOrder
	}
}

func (p *Plan) isConstant(f table.OrderField) bool {
	return slices.ContainsFunc(p.split.Candidates, func(c pushdown.Candidate) bool {
		if len(c.Parts) != 1 || c.NeedsAllPresent || !c.Spans.IsPoint() || !c.Tight {
			return false
		}
		if c.PrimaryKey || f.Part > 0 {
			return c.PrimaryKey && f.Part == 1
		}
		return c.Column.Keypath == f.Column.Keypath && c.Column.Shape == f.Column.Shape
	})
}

// usable reports whether every matching document has an entry in a candidate.
func (p *Plan) usable(i int) bool {
	c := &p.split.Candidates[i]
	return len(c.Parts) == 1 && !c.NeedsAllPresent && !p.estimates[i].Incomplete && !c.Parts[0].Repeats() &&
		!p.declared.IsHidden(*c)
}

// selectivity estimates the share of the documents that satisfies the conjuncts, without the ones in but. It treats
// conjuncts as independent.
func (p *Plan) selectivity(but []int) float64 {
	const unknown = 1.0 / 3 // of a conjunct without counts
	const whole = 0.9       // from this share on, a range says nothing about its conjunct that stays a filter
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

// answered returns the conjuncts that the candidates' spans answer exactly, and all conjuncts that they stand for.
func (p *Plan) answered(candidates ...int) (exact, any []int) {
	for _, i := range candidates {
		c := &p.split.Candidates[i]
		if c.OnlyThere {
			continue // the spans don't say for which values it is true
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

// add completes a way that reads keys keys, and adds it.
func (p *Plan) add(w orderWay, keys int64, narrowed []int) {
	w.Keys = keys
	w.Matching = int64(float64(keys)*p.selectivity(narrowed) + 0.5)
	tested := p.tested(&w)
	w.Filtered = p.input.Filtered || len(tested) > 0
	w.covered = w.order.Coverable(p.Table, &w.candidate, p.use.Needed(tested))
	w.EntriesOnly = w.covered != nil
	p.ways = append(p.ways, w)
}

// tested returns the conjuncts that a way leaves to a filter.
func (p *Plan) tested(w *orderWay) []int {
	var out []int
	for i := range p.conjuncts {
		if !slices.Contains(w.answered, i) {
			out = append(out, i)
		}
	}
	if p.Table.RestsOnCounts() {
		return p.split.Uncertain(out)
	}
	return out
}

// Choose returns the path of the cheapest way; nil if sorting is cheaper. Where a way reads only the wanted
// documents, nothing is estimated, except for EXPLAIN.
func (p *Plan) Choose() (*table.AccessPath, error) {
	p.estimates = make([]costing.Estimate, len(p.candidates))
	for i := range p.candidates {
		p.estimates[i].Incomplete = p.isIncomplete(i)
	}
	if err := p.addWays(); err != nil || len(p.ways) == 0 {
		return nil, err
	}
	for i := range p.ways {
		w := &p.ways[i]
		if w.ReadsLeast(p.above.wanted()) && !p.Table.Session.Parsed.Explains() {
			choice := costing.OrderChoice{Keys: p.above.read(), Why: []string{""}}
			return p.path(w, []costing.OrderedWay{w.OrderedWay}, choice), nil
		}
	}
	var err error
	if p.estimates, err = p.Estimator.EstimateAll(p.candidates, costing.EstimateOptions{Rough: true}); err != nil {
		return nil, err
	}
	p.ways, p.estimated = nil, true
	if err := p.addWays(); err != nil || len(p.ways) == 0 {
		return nil, err
	}
	reading := costing.Choose(p.documents, p.candidates, p.estimates).Cost
	if path := p.input.path; path != nil && path.Candidate != nil && path.Candidate.Parts != nil &&
		path.Candidate.Parts[0].Declared != nil {
		path.Measure()
		reading = min(reading, path.Choice.Cost)
	}
	sorted := costing.Sorted{Reading: reading, Rows: int64(float64(p.documents) * p.selectivity(nil))}
	if p.Instead != nil {
		sorted = *p.Instead
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

func (p *Plan) addWays() error {
	if p.Fields[0].NullsMoved && p.Fields[0].Part == 0 {
		return p.addKeypathWays()
	}
	// Ways along declared indexes come first: where they exist, they read least.
	if err := p.addDeclaredWays(); err != nil {
		return err
	}
	if p.first {
		p.addFirstWays()
	}
	if p.Fields[0].Part > 0 {
		p.addKeyWays()
		return nil
	}
	return p.addKeypathWays()
}

// isIncomplete reports whether some values at the keypath of a candidate's only part have no entries.
func (p *Plan) isIncomplete(i int) bool {
	c := &p.split.Candidates[i]
	if len(c.Parts) != 1 || c.PrimaryKey {
		return false
	}
	return !p.Resolver.EntersAll(c.Parts[0].Column.Keypath)
}

// path returns the access path of a way.
func (p *Plan) path(w *orderWay, ways []costing.OrderedWay, choice costing.OrderChoice) *table.AccessPath {
	s := p.Table.Session
	path := &table.AccessPath{
		Table: p.Table, Conjuncts: p.conjuncts, Reasons: p.split.Reasons, Split: p.split.Candidates,
		Certain: p.split.Certain,
		Proofs:  p.Resolver.Proofs, Chosen: -1,
		Documents: p.documents, Explained: s.Parsed.Explains(), Covered: w.covered,
	}
	if len(w.candidate.Parts) > 0 {
		path.Candidate, path.Chosen = &w.candidate, 0
		path.Candidates = []costing.Candidate{table.CostWalk(p.Table.Def, &w.candidate, s.Parsed.Explains())}
		path.Estimates = []costing.Estimate{{Keys: w.Keys, Bound: w.Keys, Documents: w.Keys}}
		path.Choice = costing.Choice{Cost: choice.Cost, FullScan: float64(p.documents),
			Why: []costing.Reason{{Text: choice.Why[choice.Chosen]}}}
	}
	path.Residual = p.tested(w)
	o := &w.order
	if p.first {
		o.Field, o.First = nil, true
	}
	o.Way, o.Ways, o.Choice, o.Bound = w.OrderedWay, ways, choice, choice.Bound
	o.ByKeys = o.Missing && w.MissingByKeys(p.documents, p.above.wanted())
	o.Rows = costing.All
	if !w.Filtered && o.Prefix == 0 && !p.above.guess {
		if o.Rows = p.above.Rows; p.above.skipped != nil {
			o.Skip = p.above.skip
		}
	}
	if p.above.Rows != costing.All {
		if o.Expect = choice.Keys; w.Set > 0 {
			o.Expect = p.above.read()
		}
	}
	o.Whole = p.above.Rows == costing.All && (len(w.candidate.Parts) == 0 || w.candidate.Spans.IsEverything())
	path.Order = o
	return path
}
