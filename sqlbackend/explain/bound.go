package explain

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/subquery"
	"github.com/sqlfdb/sqlfdb/tables"
)

// BoundPlans are the plans by which a Value was run, for EXPLAIN ANALYZE. Of plans that differ in constants only it
// keeps the first, with the sum of what all of them did.
type BoundPlans struct {
	Session *session.Session
	plans   []*explainedNode
}

// maxBoundPlans is how many plans of one subquery EXPLAIN ANALYZE shows.
const maxBoundPlans = 8

// Watch implements subquery.Watcher.
func (p *BoundPlans) Watch(ctx *sql.Context, n sql.Node, outer string) func() {
	s := p.Session
	a, nodes, places := s.Work.Analysis, s.Work.Analysis.Nodes, s.Work.Places
	a.Nodes, s.Work.Places = map[sql.Node]*session.Actual{}, map[any]*tables.Work{}
	return func() {
		e := &explainer{ctx: ctx}
		told, err := e.node(n, surroundings{kind: "DEPENDENT SUBQUERY"})
		if err == nil {
			told.observe(s, a)
			told.each(func(n *explainedNode) { n.counted = true })
			told.bindingTo(outer)
			p.add(told)
		}
		a.Nodes, s.Work.Places = nodes, places
	}
}

// add adds a plan's figures to the figures of a plan of the same shape.
func (p *BoundPlans) add(n *explainedNode) {
	for _, known := range p.plans {
		if known.shape() == n.shape() {
			known.plus(n)
			return
		}
	}
	if len(p.plans) < maxBoundPlans {
		p.plans = append(p.plans, n)
	}
}

// shape is a plan's text without its constants.
func (n *explainedNode) shape() string {
	var b strings.Builder
	var write func(n *explainedNode)
	write = func(n *explainedNode) {
		fmt.Fprintf(&b, "%q %q %q %q(", n.Operation, n.Table, n.Access, n.Key)
		for _, child := range n.children {
			write(child)
		}
		b.WriteByte(')')
	}
	write(n)
	return b.String()
}

// plus adds the figures of another plan of the same shape.
func (n *explainedNode) plus(other *explainedNode) {
	if n.actual == nil {
		n.actual = other.actual
	} else if o := other.actual; o != nil {
		n.actual.Loops, n.actual.Rows = n.actual.Loops+o.Loops, n.actual.Rows+o.Rows
		n.actual.First, n.actual.All = n.actual.First+o.First, n.actual.All+o.All
		n.actual.Work = n.actual.Work.Plus(o.Work)
	}
	for i, child := range other.children {
		n.children[i].plus(child)
	}
}

// bindingTo notes the outer values for which a plan was made; empty if it is for any.
func (n *explainedNode) bindingTo(outer string) {
	fact := "planned for each outer row, with its values"
	if outer != "" {
		fact = "planned for each outer row; as here for " + outer
	}
	n.subquery = true
	n.Facts = append(n.Facts[:len(n.Facts):len(n.Facts)], fact)
	n.eachTable(func(t *explainedNode) {
		t.Extra = append(t.Extra[:len(t.Extra):len(t.Extra)], "Planned for each outer row")
	})
}

// eachTable visits the first node of a plan that reads a table.
func (n *explainedNode) eachTable(f func(*explainedNode)) {
	done := false
	n.each(func(n *explainedNode) {
		if !done && n.Table != "" {
			done = true
			f(n)
		}
	})
}

// planEach explains a subquery that is planned for each outer row, and the parts of it that are read only once.
func (e *explainer) planEach(n sql.Node, b *subquery.Value) ([]*explainedNode, error) {
	out, err := e.plannedEach(n, b)
	if err != nil || len(out) == 0 {
		return nil, err
	}
	width := 0
	for _, child := range n.Children() {
		width += len(child.Schema())
	}
	var instead sql.Node
	var how string
	groups, after, err := b.ByGroups(e.ctx)
	if err != nil {
		return nil, err
	}
	if groups != nil {
		instead, how = groups.Plan, "computed once, found by "+groups.ConditionText(b.Outer)
	} else if rows, more := b.Once(e.ctx, width); rows != nil {
		instead, after, how = rows.Of, more, "read once, found by "+rows.ConditionText()
	} else {
		return out, nil
	}
	told, err := e.node(instead, surroundings{id: e.nextID(), kind: "DEPENDENT SUBQUERY"})
	if err != nil {
		return nil, err
	}
	told.subquery = true
	told.Facts = append(told.Facts[:len(told.Facts):len(told.Facts)], fmt.Sprintf(
		"instead, after %d outer rows: %s", after, how))
	return append(out, told), nil
}

// plannedEach explains a subquery that is planned for each outer row. It takes the plans that have run, or else the
// values of a row of the table that the outer query reads. If it reads several tables, the subquery is explained
// without values.
func (e *explainer) plannedEach(n sql.Node, b *subquery.Value) ([]*explainedNode, error) {
	if e.bound[b.Bound] {
		return nil, nil // where a projection is split, both parts have it
	}
	if e.bound == nil {
		e.bound = map[*subquery.Bound]bool{}
	}
	e.bound[b.Bound] = true
	var out []*explainedNode
	if plans, ok := b.Watcher.(*BoundPlans); ok {
		for _, p := range plans.plans {
			id := e.nextID()
			p.each(func(n *explainedNode) { n.selectID = id })
			out = append(out, p)
		}
	}
	if len(out) > 0 {
		return out, nil
	}
	at := surroundings{id: e.nextID(), kind: "DEPENDENT SUBQUERY"}
	values, ok, err := e.sample(n, b)
	if err != nil {
		return nil, err
	}
	if ok {
		query, err := b.Planned(e.ctx, values)
		if err != nil {
			return nil, err
		}
		told, err := e.node(query, at)
		if err != nil {
			return nil, err
		}
		told.bindingTo(b.OuterText(e.ctx, values))
		return []*explainedNode{told}, nil
	}
	told, err := e.node(standingQuery(b.Standing), at)
	if err != nil {
		return nil, err
	}
	told.bindingTo("")
	return []*explainedNode{told}, nil
}

func standingQuery(e sql.Expression) sql.Node {
	if exists, ok := e.(*plan.ExistsSubquery); ok {
		return exists.Query.Query
	}
	return e.(*plan.Subquery).Query
}

// sampleRows is how many rows are looked at for one without NULLs.
const sampleRows = 16

// sample gives the outer values of one of the first rows of the table below a node, preferably without NULLs. It
// gives none if there are several tables, or no row.
func (e *explainer) sample(n sql.Node, b *subquery.Value) (values []any, ok bool, err error) {
	table := onlyTable(n)
	if table == nil {
		return nil, false, nil
	}
	rows, err := b.Evaluator.Analyzer.ExecBuilder.Build(e.ctx, table, nil)
	if err != nil {
		return nil, false, err
	}
	defer rows.Close(e.ctx)
	for range sampleRows {
		row, err := rows.Next(e.ctx)
		if err != nil {
			return values, values != nil, nil // the statement reports the error when it runs
		}
		met, whole := make([]any, len(b.Outer)), true
		for i, f := range b.Outer {
			if met[i], err = f.Eval(e.ctx, row); err != nil {
				return nil, false, err
			}
			whole = whole && met[i] != nil
		}
		if whole || values == nil {
			values = met
		}
		if whole {
			break
		}
	}
	return values, true, nil
}

// onlyTable is the table, the access path, or the view of one, whose rows a node's expressions are computed of; nil
// where there are other nodes between than filters.
func onlyTable(n sql.Node) sql.Node {
	if len(n.Children()) != 1 {
		return nil
	}
	switch c := n.Children()[0].(type) {
	case *plan.Filter:
		return onlyTable(c)
	case *plan.TableAlias:
		return onlyTable(c)
	case *plan.SubqueryAlias:
		if rows := unfiltered(c.Child); rows != nil {
			return c.WithChild(rows)
		}
	case *plan.ResolvedTable, *plan.IndexedTableAccess:
		return c
	}
	return nil
}

// unfiltered is a query that gives a row for each one of the table that it reads, where conditions alone make it give
// fewer; nil for others.
func unfiltered(n sql.Node) sql.Node {
	switch n.(type) {
	case *plan.ResolvedTable, *plan.IndexedTableAccess:
		return n
	case *plan.Filter:
		return unfiltered(n.Children()[0])
	case *plan.Project, *plan.TableAlias, *plan.SubqueryAlias:
		child := unfiltered(n.Children()[0])
		if child == nil {
			return nil
		}
		next, err := n.WithChildren(child)
		if err != nil {
			return nil
		}
		return next
	}
	return nil
}
