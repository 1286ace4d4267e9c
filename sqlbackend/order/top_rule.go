package order

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// TopRule makes a sort below a LIMIT hold only the rows that the LIMIT needs. The engine does that where no node is
// between them; here a projection may be, which makes one row of each. It is idempotent.
func TopRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, sel analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	s, ok := ctx.Session.(*session.Session)
	if !ok || tree.IsPlain(n, flags) || !s.Parsed.OnlySelects() {
		return n, transform.SameTree, nil // writes in batches limit their sort by themselves
	}
	return tree.EachNode(n, sel, func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		limit, ok := n.(*plan.Limit)
		if !ok || limit.CalcFoundRows {
			return n, transform.SameTree, nil
		}
		child, taken := limit.Child, limit.Limit
		offset, skips := child.(*plan.Offset)
		if skips {
			child, taken = offset.Child, expression.NewPlus(limit.Limit, offset.Offset)
		}
		sorted, err := operator.FirstSorted(child, taken)
		if err != nil || sorted == nil {
			return n, transform.SameTree, err
		}
		if skips {
			if sorted, err = offset.WithChildren(sorted); err != nil {
				return n, transform.SameTree, err
			}
		}
		next, err := limit.WithChildren(sorted)
		return next, transform.NewTree, err
	})
}
