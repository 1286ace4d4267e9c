package sqlbackend

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/costing"
)

// A LIMIT without ORDER BY takes the first rows in any order. The path to all rows is seldom the one to the first of
// them: a range that holds most documents is better scanned, but its first entries lead to rows at once, and the
// intersection of two ranges reads both before it has a row.

const (
	// mostFirst is for how many rows another path is looked for. They are held.
	mostFirst = 10_000
	// costFirst is the cost of a path to all rows that is not worth looking for another one.
	costFirst = 100
)

// first reads a table along the path to the first rows that satisfy its conditions. It is false where the path to all
// rows is as good.
func (o orderer) first(n sql.Node, above taken) (sql.Node, bool, error) {
	if above.rows > mostFirst || above.skip > mostFirst || above.rows == 0 || above.guess {
		return nil, false, nil
	}
	site, ok := o.site(nil, n)
	if !ok || !site.readsAhead() || !site.table.session.OnlySelects() {
		return nil, false, nil
	}
	p, err := newOrderPlan(o.ctx, &site, above)
	if err != nil || p == nil {
		return nil, false, err
	}
	path, err := p.choose()
	if err != nil || path == nil {
		return nil, false, err
	}
	order := path.order
	switch {
	case order.scan && order.part == nil && site.path == nil:
		return nil, false, nil // as it is
	case order.bound.Cost > 0 && !o.givesUp(&site, path):
		return nil, false, nil
	}
	if order.skip > 0 {
		*above.skipped = true
	}
	next, err := site.rebuilt(o.ctx, path)
	if err != nil {
		return nil, false, err
	}
	if order.bound.Cost > 0 {
		next = newBoundedOrder(next, n, order.skip, costs{walk: order.choice.Cost, bound: order.bound.Cost}, above)
	}
	return next, true, nil
}

// readsAhead reports whether the path may read much before it has the first rows.
func (s *orderSite) readsAhead() bool {
	if s.path == nil || s.path.candidate == nil {
		return len(s.filters) > 0
	}
	c := s.path.candidate
	if len(c.Parts) == 1 && len(s.path.residual) == 0 && !s.filtered {
		return false
	}
	if s.path.chosen >= 0 {
		s.path.measure()
	}
	return s.path.choice.Cost > costFirst && (len(c.Parts) == 0 || c.Parts[0].Declared == nil)
}

// addFirstWays adds the ways along the entries of each candidate.
func (p *orderPlan) addFirstWays() {
	for i := range p.split.Candidates {
		c := &p.split.Candidates[i]
		if !p.usable(i) || c.PrimaryKey || c.Spans.IsPoint() || len(p.table.def.versions(c.Column, c.Spans)) != 1 {
			continue
		}
		w := orderWay{candidate: *c}
		w.order.part, w.order.spans = &w.candidate.Parts[0], orderedSpans(c.Spans)
		w.Name = partName(c.Parts[0])
		var narrowed []int
		w.answered, narrowed = p.answered(i)
		p.add(w, p.estimates[i].Keys, narrowed)
	}
}

// anyOrder is the fields of a plan for rows in any order.
var anyOrder = []orderField{{part: 1, exact: true}}

// explainFirst says why the first rows are read along a path.
func (o *pathOrder) explainFirst(e *explanation) {
	e.facts = append(e.facts, fmt.Sprintf("first rows: %s: %s", o.way.Name,
		strings.TrimPrefix(o.choice.Why[o.choice.Chosen], "chosen: ")))
	e.estimate = &costing.Estimate{Keys: o.choice.Keys, Bound: o.way.Keys}
}

// existing are the subqueries of which EXISTS asks for a row.
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
