package aggregate

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/companion"
	"github.com/sqlfdb/sqlfdb/sqlbackend/order"
)

// feedEndsOf returns the plan of an aggregation with only MIN and MAX of a feed's seq, which reads only the first
// and the last change. It is nil for any other aggregation.
func (r aggregating) feedEndsOf(n *plan.GroupBy) (sql.Node, error) {
	if len(n.GroupByExprs) > 0 {
		return nil, nil
	}
	child, alias := n.Child, (*plan.TableAlias)(nil)
	if a, ok := child.(*plan.TableAlias); ok {
		child, alias = a.Child, a
	}
	node, t, path, ok := companion.FeedOf(child)
	if !ok || path != nil && (path.ByKeys || path.Ends != companion.AllChanges) {
		return nil, nil
	}
	ends := companion.AllChanges
	for _, e := range n.SelectedExprs {
		if a, ok := e.(*expression.Alias); ok {
			e = a.Child
		}
		var of sql.Expression
		switch e := e.(type) {
		case *aggregation.Min:
			of, ends = e.Child, ends|companion.FirstChange
		case *aggregation.Max:
			of, ends = e.Child, ends|companion.LastChange
		case *expression.Literal:
			continue
		}
		if of == nil || !order.IsOrderedBy(t, of) {
			return nil, nil
		}
	}
	if ends == companion.AllChanges {
		return nil, nil
	}
	along := order.Everything(t)
	if path != nil {
		*along = *path
	}
	along.Ends = ends
	var access sql.Node
	access, err := plan.NewStaticIndexedAccessForTableNode(r.ctx, node, along.AsLookup())
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
