package sqlbackend

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
)

// coveredRule makes tables without an access path read no more than their documents'
// keys where a statement names no other column. And it sees to it that the plan of a
// statement reads no column that the rows of a table do not hold: what a statement
// needs is known by the names in it, and those that the engine reads by itself are
// looked for here. It is idempotent.
func coveredRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, sel analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	s, ok := ctx.Session.(*Session)
	if !ok || !s.onlySelects() {
		return n, transform.SameTree, nil
	}
	r := &coveredTables{ctx: ctx, root: n, inner: plansSubqueries(sel)}
	return eachNode(n, sel, r.node)
}

type coveredTables struct {
	ctx    *sql.Context
	root   sql.Node
	inner  bool                   // subqueries are planned
	fields []*expression.GetField // that the plan reads; nil until they are asked for
}

func (r *coveredTables) node(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	switch n := n.(type) {
	case *plan.IndexedTableAccess:
		path, ok := plan.GetIndexLookup(n).Ranges.(*accessPath)
		if ok && path.covered != nil && r.reads(path.table, path.covered) {
			path.covered = nil
		}
	case *plan.ResolvedTable:
		t, ok := n.UnderlyingTable().(*Table)
		if !ok || t.covered != nil {
			break
		}
		if walked, err := r.walked(n, t); err != nil || walked != nil {
			return walked, transform.NewTree, err
		}
		c := t.scansKeys(r.ctx)
		if c == nil || r.reads(t, c) {
			break
		}
		there := *t
		there.covered = c
		next, err := n.WithTable(&there)
		if err != nil {
			return n, transform.SameTree, err
		}
		return next.(sql.Node), transform.NewTree, nil
	}
	return transform.OneNodeExpressions(n, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		sq, ok := e.(*plan.Subquery)
		if !ok || !r.inner {
			return e, transform.SameTree, nil
		}
		query, same, err := transform.NodeWithOpaque(sq.Query, r.node)
		if err != nil || same {
			return e, transform.SameTree, err
		}
		return sq.WithQuery(query), transform.NewTree, nil
	})
}

// reads reports whether the plan reads a column of the table that rows made without
// documents do not hold.
func (r *coveredTables) reads(t *Table, c *covered) bool {
	if r.fields == nil {
		r.fields = []*expression.GetField{}
		r.collect(r.root)
	}
	for _, f := range r.fields {
		if !t.place.holds(f) {
			continue
		}
		for i := range t.columns {
			if !c.needed[i] && strings.EqualFold(t.columns[i].name, f.Name()) {
				return true
			}
		}
	}
	return false
}

// collect gathers the fields of a plan and of the subqueries in it.
func (r *coveredTables) collect(n sql.Node) {
	if e, ok := n.(sql.Expressioner); ok {
		for _, e := range e.Expressions() {
			sql.Inspect(e, func(e sql.Expression) bool {
				switch e := e.(type) {
				case *expression.GetField:
					r.fields = append(r.fields, e)
				case *plan.Subquery:
					r.collect(e.Query)
				}
				return true
			})
		}
	}
	for _, child := range n.Children() {
		r.collect(child)
	}
}
