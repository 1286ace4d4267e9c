package order

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/sqlbackend/companion"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// feed plans a sort of a change feed by seq: the feed itself, which is in that order, or the feed backwards. No two
// changes have the same seq, so further fields change nothing.
func (o Orderer) feed(fields sql.SortFields, child sql.Node, above RowLimit) (sql.Node, bool, error) {
	var s SortInput
	leaf, ok := s.descend(fields, child)
	if !ok || s.isDerived() && !o.inner {
		return nil, false, nil
	}
	node, table, path, ok := companion.FeedOf(leaf)
	if !ok || !IsOrderedBy(table, s.Fields[0].Column) || path != nil && path.ByKeys {
		return nil, false, nil
	}
	filtered := slices.ContainsFunc(s.between, func(n sql.Node) bool { _, is := n.(*plan.Filter); return is })
	along := Everything(table)
	if path != nil {
		*along = *path
	} else {
		along.Whole = above.Rows == costing.All
	}
	along.Reverse = s.Fields[0].Order == sql.Descending
	if !filtered && !above.guess {
		along.Limit = above.Most()
	}
	if path != nil || along.Reverse || along.Limit > 0 || above.guess {
		access, err := plan.NewStaticIndexedAccessForTableNode(o.Ctx, node, along.AsLookup())
		if err != nil {
			return nil, false, err
		}
		leaf = access
	}
	n, err := s.above(leaf)
	return n, err == nil, err
}

// Most is the number of rows read, with the skipped ones; 0 for all.
func (t RowLimit) Most() int64 {
	n := t.read()
	if n == costing.All {
		return 0
	}
	return max(1, n)
}

// read is the number of rows read, with the skipped ones.
func (t RowLimit) read() int64 {
	if t.Rows > costing.All-t.skip {
		return costing.All
	}
	return t.skip + t.Rows
}

// Everything returns the path along the whole feed.
func Everything(t *companion.ChangesTable) *companion.FeedPath {
	path := table.NewAccessPath(t.DocumentTable(), nil, pushdown.Result{}, -1)
	path.Explained = t.Session.Parsed.Explains()
	return &companion.FeedPath{AccessPath: path, Sequences: companion.EverySequence(), Fetches: t.Documents}
}

// IsOrderedBy reports whether an expression is the column seq itself.
func IsOrderedBy(t *companion.ChangesTable, e sql.Expression) bool {
	f, ok := tree.Unwrapped(e).(*expression.GetField)
	return ok && t.Place.Holds(f) && strings.EqualFold(f.Name(), table.SequenceColumn)
}
