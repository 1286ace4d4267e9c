package operator

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// HoldsSubquery reports whether an expression has a subquery.
func HoldsSubquery(e sql.Expression) bool {
	found := false
	sql.Inspect(e, func(e sql.Expression) bool {
		if _, ok := e.(*plan.Subquery); ok {
			found = true
		}
		return !found
	})
	return found
}

// HeldSubqueriesRule counts what subqueries give, which the engine holds: for one evaluation, or for the statement
// where it is the same for each row. It runs behind the engine's rule that plans them.
func HeldSubqueriesRule(_ *sql.Context, a *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	_ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	return heldSubqueries(a.ExecBuilder, n)
}

func heldSubqueries(build sql.NodeExecBuilder, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	return transform.NodeWithOpaque(n, func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		return tree.NodeExpressions(n, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
			q, ok := e.(*plan.Subquery)
			if !ok {
				return e, transform.SameTree, nil
			}
			query, _, err := heldSubqueries(build, q.Query)
			if err != nil {
				return e, transform.SameTree, err
			}
			return q.WithQuery(query).WithExecBuilder(heldBuilder{build, q.CanCacheResults()}), transform.NewTree, nil
		})
	})
}

// heldBuilder builds the iterators of a subquery, whose rows are held.
type heldBuilder struct {
	sql.NodeExecBuilder
	kept bool // for the statement
}

// Build implements sql.NodeExecBuilder.
func (b heldBuilder) Build(ctx *sql.Context, n sql.Node, row sql.Row) (sql.RowIter, error) {
	rows, err := b.NodeExecBuilder.Build(ctx, n, row)
	if err != nil || plan.IsEmptyIter(rows) {
		return rows, err
	}
	return &hold.HeldIter{RowIter: rows, Kept: b.kept}, nil
}

// ExprText is an expression in one line; a subquery in it is explained in lines
// of its own.
func ExprText(e sql.Expression) string {
	if e == nil {
		return ""
	}
	return pushdown.Readable(e)
}

// SortText is what rows are sorted by, as EXPLAIN shows it.
func SortText(fields sql.SortFields) string {
	texts := make([]string, len(fields))
	for i, f := range fields {
		texts[i] = ExprText(f.Column)
		if f.Order == sql.Descending {
			texts[i] += " DESC"
		}
	}
	return strings.Join(texts, ", ")
}
