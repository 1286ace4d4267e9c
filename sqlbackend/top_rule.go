package sqlbackend

import (
	"math"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/iters"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// topRule keeps a sort whose first rows are taken from holding all of them: it holds those that are taken. The engine
// does that where nothing is between the two; a projection may be, which makes one row of each. It is idempotent.
func topRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, sel analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	s, ok := ctx.Session.(*Session)
	if !ok || tree.IsPlain(n, flags) || !s.onlySelects() {
		return n, transform.SameTree, nil // what writes in batches ranks its rows by itself
	}
	return eachNode(n, sel, func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		limit, ok := n.(*plan.Limit)
		if !ok || limit.CalcFoundRows {
			return n, transform.SameTree, nil
		}
		child, taken := limit.Child, limit.Limit
		offset, skips := child.(*plan.Offset)
		if skips {
			child, taken = offset.Child, expression.NewPlus(limit.Limit, offset.Offset)
		}
		sorted, err := firstSorted(child, taken)
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

// firstSorted is projections over a sort of which so many rows are taken; nil if the node is none.
func firstSorted(n sql.Node, taken sql.Expression) (sql.Node, error) {
	projected, ok := n.(*plan.Project)
	if !ok {
		return nil, nil
	}
	var child sql.Node
	switch below := projected.Child.(type) {
	case *plan.Sort:
		child = plan.NewTopN(below.SortFields, taken, below.Child)
	case *plan.Project:
		further, err := firstSorted(below, taken)
		if err != nil || further == nil {
			return nil, err
		}
		child = further
	default:
		return nil, nil
	}
	return projected.WithChildren(child)
}

// rowsTaken is how many rows a sort is asked for, as LIMIT has it or LIMIT and OFFSET together, math.MaxInt64 where
// they are more: the engine adds them up without regard to that, and takes none of the rows for LIMIT
// 18446744073709551615 OFFSET 2.
func rowsTaken(ctx *sql.Context, limit sql.Expression) (int64, error) {
	if sum, ok := limit.(*expression.Arithmetic); ok && sum.Op == ast.PlusStr {
		left, err := rowsTaken(ctx, sum.LeftChild)
		if err != nil {
			return 0, err
		}
		right, err := rowsTaken(ctx, sum.RightChild)
		return left + min(right, math.MaxInt64-left), err
	}
	n, err := iters.GetInt64Value(ctx, limit)
	if n < 0 { // of a BIGINT UNSIGNED
		n = math.MaxInt64
	}
	return n, err
}
