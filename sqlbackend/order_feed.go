package sqlbackend

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
)

// feed is what a sort of a feed of changes by seq becomes: the feed itself, which is in
// that order, or the feed backwards. No two changes have one seq, so further fields say
// nothing.
func (o orderer) feed(fields sql.SortFields, child sql.Node) (sql.Node, bool, error) {
	var s orderSite
	leaf, ok := s.descend(fields, child)
	if !ok {
		return nil, false, nil
	}
	var node sql.TableNode
	var r feedRange
	switch n := leaf.(type) {
	case *plan.ResolvedTable:
		node = n
		r.table, ok = n.UnderlyingTable().(*changesTable)
	case *plan.IndexedTableAccess:
		var of *feedRange
		if of, ok = plan.GetIndexLookup(n).Ranges.(*feedRange); ok {
			node, r = n.TableNode, *of
		}
	}
	if !ok || !r.table.isOrderedBy(s.fields[0].Column) {
		return nil, false, nil
	}
	if s.fields[0].Order == sql.Descending {
		r.reverse = true
		access, err := plan.NewStaticIndexedAccessForTableNode(o.ctx, node, sql.IndexLookup{Index: &r, Ranges: &r})
		if err != nil {
			return nil, false, err
		}
		leaf = access
	}
	n, err := s.above(leaf)
	return n, err == nil, err
}

// isOrderedBy reports whether an expression is the column seq as it is.
func (t *changesTable) isOrderedBy(e sql.Expression) bool {
	f, ok := e.(*expression.GetField)
	return ok && t.place.holds(f) && strings.EqualFold(f.Name(), "seq")
}
