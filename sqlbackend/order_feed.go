package sqlbackend

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// feed is what a sort of a feed of changes by seq becomes: the feed itself, which is in
// that order, or the feed backwards. No two changes have one seq, so further fields say
// nothing.
func (o orderer) feed(fields sql.SortFields, child sql.Node, above taken) (sql.Node, bool, error) {
	var s orderSite
	leaf, ok := s.descend(fields, child)
	if !ok || s.isDerived() && !o.inner {
		return nil, false, nil
	}
	node, table, path, ok := feedOf(leaf)
	if !ok || !table.isOrderedBy(s.fields[0].Column) || path != nil && path.byKeys {
		return nil, false, nil
	}
	filtered := slices.ContainsFunc(s.between, func(n sql.Node) bool { _, is := n.(*plan.Filter); return is })
	along := table.everything()
	if path != nil {
		*along = *path
	} else {
		along.whole = above.rows == costing.All
	}
	along.reverse = s.fields[0].Order == sql.Descending
	if !filtered && !above.guess {
		along.limit = above.most()
	}
	if path != nil || along.reverse || along.limit > 0 || above.guess {
		access, err := plan.NewStaticIndexedAccessForTableNode(o.ctx, node, along.asLookup())
		if err != nil {
			return nil, false, err
		}
		leaf = access
	}
	n, err := s.above(leaf)
	return n, err == nil, err
}

// most is how many rows are taken, those that are skipped among them; 0 for all.
func (t taken) most() int64 {
	if t.rows == costing.All || t.rows > costing.All-t.skip {
		return 0
	}
	return max(1, t.skip+t.rows)
}

// feedOf recognizes a feed in a plan, with the path that it is read along; nil for all of it.
func feedOf(n sql.Node) (node sql.TableNode, t *changesTable, path *feedPath, ok bool) {
	switch n := n.(type) {
	case *plan.ResolvedTable:
		t, ok = n.UnderlyingTable().(*changesTable)
		return n, t, nil, ok
	case *plan.IndexedTableAccess:
		path, ok = plan.GetIndexLookup(n).Ranges.(*feedPath)
		if !ok {
			return nil, nil, nil, false
		}
		t, ok = n.TableNode.UnderlyingTable().(*changesTable)
		return n.TableNode, t, path, ok
	}
	return nil, nil, nil, false
}

// everything is the path along all of the feed.
func (t *changesTable) everything() *feedPath {
	path := newAccessPath(t.documentTable(), nil, pushdown.Result{}, -1)
	path.explained = t.session.Explains()
	return &feedPath{accessPath: path, sequences: everySequence(), fetches: t.documents}
}

// isOrderedBy reports whether an expression is the column seq as it is.
func (t *changesTable) isOrderedBy(e sql.Expression) bool {
	f, ok := tree.Unwrapped(e).(*expression.GetField)
	return ok && t.place.Holds(f) && strings.EqualFold(f.Name(), sequenceColumn)
}
