package order

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// A LIMIT without ORDER BY takes the first rows in any order. The best path to all rows is seldom the best to the
// first few. A range that holds most documents is better scanned, but its first entries lead to rows at once. The
// intersection of two ranges reads both before it has a row.

const (
	// maxFirst is the largest LIMIT or OFFSET for which another path is looked for; the rows are held.
	maxFirst = 10_000
	// costFirst is the cost of a path to all rows up to which no other path is looked for, in documents scanned.
	costFirst = 100
)

// first plans a table with the path to the first rows that satisfy its conditions. It is false where the path to all
// rows is as good.
func (o Orderer) first(n sql.Node, above RowLimit) (sql.Node, bool, error) {
	if above.Rows > maxFirst || above.skip > maxFirst || above.Rows == 0 || above.guess {
		return nil, false, nil
	}
	input, ok := o.input(nil, n)
	if !ok || !input.readsAhead() || !input.Table.Session.Parsed.OnlySelects() {
		return nil, false, nil
	}
	p, err := NewPlan(o.Ctx, &input, above)
	if err != nil || p == nil {
		return nil, false, err
	}
	path, err := p.Choose()
	if err != nil || path == nil {
		return nil, false, err
	}
	order := path.Order
	switch {
	case order.Scan && order.Part == nil && input.path == nil:
		return nil, false, nil // the plan already does this
	case order.Bound.Cost > 0 && !o.GivesUp(&input, path):
		return nil, false, nil
	}
	if order.Skip > 0 {
		*above.skipped = true
	}
	next, err := input.Rebuilt(o.Ctx, path)
	if err != nil {
		return nil, false, err
	}
	if order.Bound.Cost > 0 {
		next = NewBoundedOrder(next, n, order.Skip, Costs{Walk: order.Choice.Cost, Bound: order.Bound.Cost}, above)
	}
	return next, true, nil
}

// readsAhead reports whether the path may read much before it has the first rows.
func (s *SortInput) readsAhead() bool {
	if s.path == nil || s.path.Candidate == nil {
		return len(s.Filters) > 0
	}
	c := s.path.Candidate
	if len(c.Parts) == 1 && len(s.path.Residual) == 0 && !s.Filtered {
		return false
	}
	if s.path.Chosen >= 0 {
		s.path.Measure()
	}
	return s.path.Choice.Cost > costFirst && (len(c.Parts) == 0 || c.Parts[0].Declared == nil)
}

// addFirstWays adds the ways along the entries of each usable candidate.
func (p *Plan) addFirstWays() {
	for i := range p.split.Candidates {
		c := &p.split.Candidates[i]
		if !p.usable(i) || c.PrimaryKey || c.Spans.IsPoint() || len(p.Table.Def.Versions(c.Column, c.Spans)) != 1 {
			continue
		}
		w := orderWay{candidate: *c}
		w.order.Part, w.order.Spans = &w.candidate.Parts[0], table.OrderedSpans(c.Spans)
		w.Name = table.PartName(c.Parts[0])
		var narrowed []int
		w.answered, narrowed = p.answered(i)
		p.add(w, p.estimates[i].Keys, narrowed)
	}
}

// anyOrder are the fields of a plan for rows in any order.
var anyOrder = []table.OrderField{{Part: 1, Exact: true}}

// existing returns the subqueries of a node's EXISTS expressions.
func existing(n sql.Node) map[*plan.Subquery]bool {
	var out map[*plan.Subquery]bool
	e, ok := n.(sql.Expressioner)
	if !ok {
		return nil
	}
	for _, e := range e.Expressions() {
		sql.Inspect(e, func(e sql.Expression) bool {
			if x, ok := e.(*plan.ExistsSubquery); ok {
				if out == nil {
					out = map[*plan.Subquery]bool{}
				}
				out[x.Query] = true
			}
			return true
		})
	}
	return out
}
