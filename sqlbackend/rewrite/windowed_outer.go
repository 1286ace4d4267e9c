package rewrite

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
)

// windowBelow returns the node with the window functions of the SELECT that a node is a part of, nil if it has none
// or if they are over groups.
func windowBelow(n sql.Node) *plan.Window {
	for {
		switch of := n.(type) {
		case *plan.Window:
			if groupedBelow(of.Child) != nil {
				return nil
			}
			return of
		case *plan.Project, *plan.Having, *plan.Filter, *plan.Sort, *plan.TopN, *plan.Limit, *plan.Offset, *plan.Distinct:
			n = n.Children()[0]
		default:
			return nil
		}
	}
}

// throughWindow adds to a SELECT with window functions the columns that its subqueries read, which the plan builder
// forgets. top is its uppermost node. It returns nil if nothing changes.
func throughWindow(top sql.Node) (sql.Node, error) {
	var chain []sql.Node // the nodes above the window, from the uppermost
	n := top
	for {
		if _, ok := n.(*plan.Window); ok {
			break
		}
		chain = append(chain, n)
		n = n.Children()[0]
	}
	window := n.(*plan.Window)
	wanted, highest := windowColumns(window, chain)
	if len(wanted) == 0 {
		return nil, nil
	}
	return letThrough(chain, highest, plan.NewWindow(append(append([]sql.Expression(nil), window.SelectExprs...),
		wanted...), window.Child), wanted)
}

// windowColumns returns the columns of rows that subqueries above window functions read and that the window does not
// give yet. The second result is the place in the chain of the uppermost node with such a subquery. It returns no
// columns where more columns would make more rows distinct, or become columns of the result.
func windowColumns(window *plan.Window, chain []sql.Node) (wanted []sql.Expression, highest int) {
	rows := columnsOf(window.Child)
	var have sql.ColSet
	for _, e := range window.SelectExprs {
		if f, ok := e.(*expression.GetField); ok {
			have.Add(f.Id())
		}
	}
	highest = -1
	for i, n := range chain {
		x, ok := n.(sql.Expressioner)
		if !ok {
			continue
		}
		for _, e := range x.Expressions() {
			sql.Inspect(e, func(e sql.Expression) bool {
				q, ok := e.(*plan.Subquery)
				if !ok {
					return true
				}
				for _, f := range FieldsWithin(q.Query, rows) {
					if highest < 0 {
						highest = i
					}
					if !have.Contains(f.Id()) {
						have.Add(f.Id())
						wanted = append(wanted, f)
					}
				}
				return false
			})
		}
	}
	if !resultAbove(chain, highest) {
		return nil, -1
	}
	for _, n := range chain[highest+1:] {
		if _, ok := n.(*plan.Distinct); ok {
			return nil, -1
		}
	}
	return wanted, highest
}

// resultAbove reports whether a Project at that place of a chain, or above it, sets the columns of the result.
func resultAbove(chain []sql.Node, place int) bool {
	for _, n := range chain[:place+1] {
		if _, ok := n.(*plan.Project); ok {
			return true
		}
	}
	return false
}

// letThrough puts a chain of nodes above another node. The Projects below the place hand up its wanted columns.
func letThrough(chain []sql.Node, place int, below sql.Node, wanted []sql.Expression) (sql.Node, error) {
	for i := len(chain) - 1; i >= 0; i-- {
		n := chain[i]
		if p, ok := n.(*plan.Project); ok && i > place {
			projections := append([]sql.Expression(nil), p.Projections...)
			for _, w := range wanted {
				if !among(projections, w.(*expression.GetField).Id()) {
					projections = append(projections, w)
				}
			}
			below = plan.NewProject(projections, below)
			continue
		}
		var err error
		if below, err = n.WithChildren(below); err != nil {
			return nil, err
		}
	}
	return below, nil
}
