package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/plan"
)

// feedEndsOf is an aggregation of nothing but MIN and MAX of a feed's seq, over the first change and the
// last alone; nil where it is another one.
func (r aggregating) feedEndsOf(n *plan.GroupBy) (sql.Node, error) {
	if len(n.GroupByExprs) > 0 {
		return nil, nil
	}
	child, alias := n.Child, (*plan.TableAlias)(nil)
	if a, ok := child.(*plan.TableAlias); ok {
		child, alias = a.Child, a
	}
	node, t, path, ok := feedOf(child)
	if !ok || path != nil && (path.byKeys || path.ends != allChanges) {
		return nil, nil
	}
	ends := allChanges
	for _, e := range n.SelectedExprs {
		if a, ok := e.(*expression.Alias); ok {
			e = a.Child
		}
		var of sql.Expression
		switch e := e.(type) {
		case *aggregation.Min:
			of, ends = e.Child, ends|firstChange
		case *aggregation.Max:
			of, ends = e.Child, ends|lastChange
		case *expression.Literal:
			continue
		}
		if of == nil || !t.isOrderedBy(of) {
			return nil, nil
		}
	}
	if ends == allChanges {
		return nil, nil
	}
	along := t.everything()
	if path != nil {
		*along = *path
	}
	along.ends = ends
	var access sql.Node
	access, err := plan.NewStaticIndexedAccessForTableNode(r.ctx, node, along.asLookup())
	if err != nil {
		return nil, err
	}
	if alias != nil {
		if access, err = alias.WithChildren(access); err != nil {
			return nil, err
		}
	}
	return plan.NewGroupBy(n.SelectedExprs, n.GroupByExprs, access), nil
}
