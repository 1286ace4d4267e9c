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

// HeldSubqueriesRule counts the memory of subqueries' rows, which the engine holds: for one evaluation, or for the
// statement where the rows are the same each time. It runs after the engine's rule that plans subqueries.
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

// heldBuilder builds the iterators of a subquery whose rows are held.
type heldBuilder struct {
	sql.NodeExecBuilder
	kept bool // held for the statement, else for one evaluation
}

// Build implements sql.NodeExecBuilder.
func (b heldBuilder) Build(ctx *sql.Context, n sql.Node, row sql.Row) (sql.RowIter, error) {
	rows, err := b.NodeExecBuilder.Build(ctx, n, row)
	if err != nil || plan.IsEmptyIter(rows) {
		return rows, err
	}
	return &hold.HeldIter{RowIter: rows, Kept: b.kept}, nil
}

// ExprText is an expression in one line. EXPLAIN shows a subquery in it in lines of its own.
func ExprText(e sql.Expression) string {
	if e == nil {
		return ""
	}
	return pushdown.Readable(e)
}

// SortText is the text of sort fields, for EXPLAIN.
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
