package aggregate

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// Rule makes GROUP BY, aggregates without GROUP BY, and DISTINCT read entries and counters instead of documents,
// where they need only one column of each document. GroupBy and Distinct stay in the plan. The table below them is
// read along a Path, which gives a row for each value with the number of its documents. Rule is idempotent.
func Rule(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	s, ok := ctx.Session.(*session.Session)
	if !ok || tree.IsPlain(n, flags) || !setting.UsesIndex(ctx) {
		return n, transform.SameTree, nil
	}
	r := aggregating{ctx: ctx, session: s, run: a.ExecBuilder, outermost: scope.IsEmpty()}
	return tree.EachNode(n, sel, r.node)
}

type aggregating struct {
	ctx     *sql.Context
	session *session.Session
	run     sql.NodeExecBuilder
	// outermost: the rows don't start with columns of an outer query's row.
	outermost bool
}

func (r aggregating) node(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	switch n := n.(type) {
	case *plan.GroupBy:
		if len(n.GroupByExprs) == 0 && !operator.Aggregates(n.SelectedExprs) {
			return n, transform.SameTree, nil
		}
		if ends, err := r.feedEndsOf(n); ends != nil || err != nil {
			return ends, transform.NewTree, err
		}
		if count, err := mapCountOf(r, n); count != nil || err != nil {
			return count, transform.NewTree, err
		}
		group, err := r.grouped(n, nil, nil)
		if err != nil {
			return n, transform.SameTree, err
		}
		if separate, err := r.separate(n, group); separate != nil || err != nil {
			return separate, transform.NewTree, err
		}
		if separate, err := r.groups(n, group); separate != nil || err != nil {
			return separate, transform.NewTree, err
		}
		if group.node == nil {
			return n, transform.SameTree, nil
		}
		return group.node, transform.NewTree, nil
	case *plan.Project:
		return r.carrying(n)
	case *plan.Distinct:
		p, ok := n.Child.(*plan.Project)
		if !ok {
			return n, transform.SameTree, nil
		}
		distinct, err := r.distinct(p)
		if distinct == nil || err != nil {
			return n, transform.SameTree, err
		}
		return plan.NewDistinct(distinct), transform.NewTree, nil
	}
	return n, transform.SameTree, nil
}

// grouped plans a GROUP BY over a table read value by value, or returns the cost of reading the documents. carried
// are the expressions above it over the JSON columns that it hands up; nil: it hands up none. given is the plan that
// runs if a walk in order is given up; nil: the plan without a walk.
func (r aggregating) grouped(n *plan.GroupBy, carried []sql.Expression, given *fallback) (out plannedGroup, err error) {
	child, path, err := r.below(n.Child, len(n.GroupByExprs) == 0, func(u *columnUse) {
		for _, e := range n.SelectedExprs {
			if carried == nil || !u.isHanded(e) {
				u.aggregate(e)
			}
		}
		for _, e := range n.GroupByExprs {
			u.expression(e)
		}
		grouped := groupedBy(n.GroupByExprs)
		for _, e := range carried {
			u.carry(e, grouped)
		}
	})
	if err != nil {
		return out, err
	}
	if given == nil {
		given = &fallback{node: child, path: path}
		if given.node == nil {
			given.node = n.Child
		}
		if path != nil {
			given.cost = path.cost()
		}
	}
	end, walk, err := r.end(n, path, given)
	switch {
	case err != nil:
		return out, err
	case end != nil:
		child, out.cost, out.givesUp = end, walk.Order.Choice.Cost, given.elsewhere && walk.Order.Bound.Cost > 0
	case child != nil:
		out.path, out.cost = path, path.cost()
	default:
		if src, ok := aggregateSourceOf(n.Child); ok && len(n.SelectedExprs) > 1 {
			out.cost, err = src.reading(r.ctx)
		}
		return out, err
	}
	out.node = plan.NewGroupBy(n.SelectedExprs, n.GroupByExprs, child)
	return out, nil
}

// distinct returns the input of a DISTINCT over a table read value by value; nil where it is not.
func (r aggregating) distinct(p *plan.Project) (sql.Node, error) {
	source, use := p.Child, func(u *columnUse) {
		for _, e := range p.Projections {
			u.expression(e)
		}
	}
	if s, ok := p.Child.(*plan.Sort); ok {
		named, ok := s.Child.(*plan.Project)
		if !ok {
			return nil, nil
		}
		source, use = named.Child, func(u *columnUse) {
			for _, e := range append(s.SortFields.ToExpressions(), p.Projections...) {
				u.expression(definedIn(named, e))
			}
		}
	}
	child, _, err := r.below(source, false, use)
	if child == nil || err != nil {
		return nil, err
	}
	return replaced(p, source, child)
}

// carrying plans a projection above a GROUP BY that hands JSON columns up to it.
func (r aggregating) carrying(n *plan.Project) (sql.Node, transform.TreeIdentity, error) {
	at := groupBelow(n)
	if at == nil || len(at.GroupByExprs) == 0 || !handsJSON(at) {
		return n, transform.SameTree, nil
	}
	group, err := r.grouped(at, carriedAbove(n), nil)
	if group.node == nil || err != nil {
		return n, transform.SameTree, err
	}
	out, err := replaced(n, at, group.node)
	return out, transform.NewTree, err
}

// aggregateSource is the aggregated table, with the nodes between it and the aggregation.
type aggregateSource struct {
	table    *table.Table
	resolved *plan.ResolvedTable
	alias    *plan.TableAlias // nil: none
	// conjuncts are all conditions on its rows.
	conjuncts []sql.Expression
	path      *table.AccessPath // how its documents would be read; nil: all are read
}

// aggregateSourceOf takes apart the nodes between an aggregation and its table.
func aggregateSourceOf(n sql.Node) (*aggregateSource, bool) {
	s := &aggregateSource{}
	if f, ok := n.(*plan.Filter); ok {
		s.conjuncts = expression.SplitConjunction(f.Expression)
		n = f.Child
	}
	if a, ok := n.(*plan.TableAlias); ok {
		s.alias, n = a, a.Child
	}
	switch n := n.(type) {
	case *plan.ResolvedTable:
		s.resolved = n
	case *plan.IndexedTableAccess:
		path, ok := plan.GetIndexLookup(n).Ranges.(*table.AccessPath)
		if !ok || path.Order != nil { // path.Order replaces a sort
			return nil, false
		}
		for i, e := range path.Conjuncts {
			if !slices.Contains(path.Residual, i) {
				s.conjuncts = append(s.conjuncts, e)
			}
		}
		s.path = path
		if s.resolved, ok = n.TableNode.(*plan.ResolvedTable); !ok {
			return nil, false
		}
	default:
		return nil, false
	}
	switch t := s.resolved.Table.(type) {
	case *table.Table:
		s.table = t
	case *table.LookupTable:
		s.table = t.Table
	}
	return s, s.table != nil && !s.table.Def.Rebuilding()
}

// below returns the plan under an aggregation with its table read along a Path; nil where that is impossible or
// costs more. one: all rows make one group.
func (r aggregating) below(n sql.Node, one bool, use func(*columnUse)) (sql.Node, *Path, error) {
	src, ok := aggregateSourceOf(n)
	if !ok {
		return nil, nil, nil
	}
	base := columnUse{table: src.table, column: noColumn}
	if use(&base); base.unfit || base.column == severalColumn && base.path != nil {
		return nil, nil, nil
	}
	read, err := r.session.Readers.Plan()
	if err != nil {
		return nil, nil, err
	}
	p := aggregatePlanner{ctx: r.ctx, source: src, resolver: &table.LookupResolver{Table: src.table, Read: read},
		base: base,
		one:  one}
	path, err := p.best(r.session.Parsed.Explains(), read)
	if path == nil || err != nil {
		return nil, nil, err
	}
	n, err = src.along(r.ctx, path)
	return n, path, err
}

// along is the source read along a path.
func (s *aggregateSource) along(ctx *sql.Context, path *Path) (sql.Node, error) {
	return s.read(ctx, sql.IndexLookup{Index: path.index(), Ranges: path}, path.AccessPath)
}

// read is the source with its table read by a lookup, and the conditions that its path leaves to a filter.
func (s *aggregateSource) read(ctx *sql.Context, by sql.IndexLookup, path *table.AccessPath) (sql.Node, error) {
	resolved, err := s.resolved.WithTable(s.table)
	if err != nil {
		return nil, err
	}
	access, err := plan.NewStaticIndexedAccessForTableNode(ctx, resolved, by)
	if err != nil {
		return nil, err
	}
	var out sql.Node = access
	if s.alias != nil {
		if out, err = s.alias.WithChildren(access); err != nil {
			return nil, err
		}
	}
	if len(path.Residual) > 0 {
		var filter []sql.Expression
		for _, i := range path.Residual {
			filter = append(filter, path.Conjuncts[i])
		}
		out = plan.NewFilter(expression.JoinAnd(filter...), out)
	}
	return out, nil
}

// aggregatePlanner finds the path of one aggregation.
type aggregatePlanner struct {
	ctx      *sql.Context
	source   *aggregateSource
	resolver *table.LookupResolver
	base     columnUse // without the columns of the filter
	one      bool
}

// best is the path that reads fewest keys, or nil where documents have to be read.
func (p *aggregatePlanner) best(explained bool, read kv.Reader) (*Path, error) {
	d := p.source.table.Def
	split := pushdown.Split(p.ctx, p.source.conjuncts, p.resolver, pushdown.Options{Explain: explained})
	split.Candidates = d.Loosen(split.Candidates, len(p.source.conjuncts))
	p.source.table.DropCertain(&split)
	estimator := table.Estimator(d, read)
	documents, _, err := estimator.Documents()
	if err != nil {
		return nil, err
	}
	var best *Path
	for i := -1; i < len(split.Candidates) && p.base.column != severalColumn; i++ {
		path := &Path{AccessPath: table.NewAccessPath(p.source.table, p.source.conjuncts, split, i), one: p.one}
		path.Explained, path.Documents = explained, documents
		path.Settled(&split, p.resolver)
		if !p.fits(path) {
			continue
		}
		usable, err := p.pays(path, estimator)
		if err != nil {
			return nil, err
		}
		// At the same cost, the path with fewer conditions to check is better.
		if usable && (best == nil || path.keys < best.keys || path.keys == best.keys &&
			len(path.Residual) < len(best.Residual)) {
			best = path
		}
	}
	if p.resolver.Err != nil {
		return nil, p.resolver.Err
	}
	if best != nil && (best.keys <= 2 || len(p.source.conjuncts) == 0) {
		return best, nil
	}
	tuples, err := p.tuples(explained, estimator)
	if err == nil && tuples != nil && (best == nil || tuples.keys < best.keys) {
		best = tuples
	}
	return best, err
}

// pays reports whether a path can be used and costs less than reading the documents.
func (p *aggregatePlanner) pays(path *Path, e costing.Estimator) (bool, error) {
	if path.use.column != noColumn {
		if few, err := p.affordable(path, e); !few || err != nil {
			return false, err
		}
	}
	if path.filter == nil {
		return path.estimate(e)
	}
	path.reading = float64(path.Documents)
	if p.source.path != nil {
		path.reading = p.source.path.Size().Cost
	}
	usable, err := path.estimateFiltered(e)
	if !usable || err != nil {
		return false, err
	}
	return path.Choice.Cost < path.reading, nil
}

// narrow limits the entries of the column that a path with a filter reads to the conditions on the column.
func (p *aggregatePlanner) narrow(path *Path, read pushdown.Column) {
	for i := range path.Split {
		c := &path.Split[i]
		if len(c.Parts) != 1 || c.NeedsAllPresent {
			continue
		}
		part := &c.Parts[0]
		if part.PrimaryKey || part.Declared != nil || part.Repeats() || part.Column.Keypath != read.Keypath ||
			part.Column.Shape != read.Shape {
			continue
		}
		if path.Candidate == nil || len(c.Residual) < len(path.Candidate.Residual) {
			path.Candidate = c
		}
	}
	if path.Candidate == nil {
		return
	}
	var rest []int
	for _, i := range path.Residual {
		if slices.Contains(path.Candidate.Residual, i) {
			rest = append(rest, i)
		}
	}
	path.Residual = rest
}

// elsewhere reports whether the candidate's ranges are over other keypaths than the column
// that is read, none of them the primary key.
func (p *aggregatePlanner) elsewhere(path *Path, read pushdown.Column) bool {
	c := path.Candidate
	return len(c.Parts) > 0 && !c.NeedsAllPresent && read.PrimaryKeyPart == 0 &&
		!slices.ContainsFunc(c.Parts, func(part pushdown.Part) bool {
			return part.PrimaryKey || part.Column.Keypath == read.Keypath
		})
}

// fits completes a path and reports whether it can answer the aggregation.
func (p *aggregatePlanner) fits(path *Path) bool {
	u := p.base
	for _, i := range path.Residual {
		if u.condition(path.Conjuncts[i]); u.unfit || u.column == severalColumn {
			return false // with thousands of conditions, few of them are checked for each of thousands of paths
		}
	}
	if u.unfit || u.column == severalColumn {
		return false
	}
	path.use = u
	c := path.Candidate
	if u.column == noColumn {
		return c == nil || !slices.ContainsFunc(c.Parts, func(part pushdown.Part) bool { return part.PrimaryKey })
	}
	described, ok := u.described(p.ctx, p.resolver)
	if !ok {
		return false
	}
	path.mixed = (u.min || u.max) && described.PrimaryKeyPart == 0 && p.resolver.SpelledOtherwise(described)
	if c != nil && p.elsewhere(path, described) {
		path.filter, path.Candidate = c, nil
		counts, ok := p.resolver.CountsOf(described.Keypath)
		if !ok || !path.readsFiltered(described, counts) {
			return false
		}
		p.narrow(path, described)
		return true
	}
	if c != nil {
		if len(c.Parts) != 1 || c.Parts[0].PrimaryKey != (described.PrimaryKeyPart > 0) {
			return false
		}
		if of := c.Parts[0].Column; of.Keypath != described.Keypath || of.Shape != described.Shape {
			return false
		}
	}
	if described.PrimaryKeyPart > 0 {
		return path.readsKey(described)
	}
	counts, ok := p.resolver.CountsOf(described.Keypath)
	return ok && path.reads(described, counts)
}
