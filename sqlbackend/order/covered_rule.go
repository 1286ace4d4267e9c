package order

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/join"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// CoveredRule decides which tables are read without their documents: the plan must read no column of them that is
// missing from the keys or the entries of the table's path. It is idempotent.
func CoveredRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, sel analyzer.RuleSelector,
	_ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	s, ok := ctx.Session.(*session.Session)
	if !ok || !s.Parsed.OnlySelects() {
		return n, transform.SameTree, nil
	}
	r := &coveredTables{ctx: ctx, root: n, inner: tree.PlansSubqueries(sel)}
	return tree.EachNode(n, sel, r.node)
}

type coveredTables struct {
	ctx   *sql.Context
	root  sql.Node
	inner bool       // subqueries are planned
	reads *planReads // of the root; nil until first needed
}

// needed returns which columns of a table the plan reads; nil: all of them.
func (r *coveredTables) needed(t *table.Table) []bool {
	if !t.ReadsByColumn() || t.Session.Parsed.Names().Natural {
		return nil
	}
	if r.reads == nil {
		r.reads = readsOf(r.root)
	}
	return r.reads.of(t)
}

func (r *coveredTables) node(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	switch n := n.(type) {
	case *plan.IndexedTableAccess:
		if path, ok := plan.GetIndexLookup(n).Ranges.(*table.AccessPath); ok {
			path.Covered = path.Coverable(r.needed(path.Table))
		}
	case *plan.ResolvedTable:
		if side, ok := n.UnderlyingTable().(*join.BatchTable); ok {
			return r.batched(n, side)
		}
		t, ok := n.UnderlyingTable().(*table.Table)
		if !ok || t.Covered != nil || !setting.UsesIndex(r.ctx) {
			break
		}
		needed := r.needed(t)
		if walked, err := r.walked(n, t, needed); err != nil || walked != nil {
			return walked, transform.NewTree, err
		}
		if !t.KeysCover(needed) {
			break
		}
		there := *t
		there.Covered = t.CoveredByKey(needed)
		next, err := n.WithTable(&there)
		if err != nil {
			return n, transform.SameTree, err
		}
		return next.(sql.Node), transform.NewTree, nil
	}
	return tree.NodeExpressions(n, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
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

// batched sets, for a side of a join that is looked up in batches, which columns of its rows are read.
func (r *coveredTables) batched(n *plan.ResolvedTable, side *join.BatchTable) (sql.Node, transform.TreeIdentity,
	error) {
	there := *side
	if there.Needed = r.needed(side.Table); slices.Equal(there.Needed, side.Needed) {
		return n, transform.SameTree, nil
	}
	next, err := n.ReplaceTable(&there)
	if err != nil {
		return n, transform.SameTree, err
	}
	return next, transform.NewTree, nil
}
