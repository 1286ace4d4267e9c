package rewrite

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// UnnestedOuterRule adds the outer columns that a JSON_TABLE in a subquery's FROM reads to the subquery's list of
// outer columns. The plan builder leaves them out where the JSON_TABLE comes first. A subquery that reads no others
// counted as the same for all rows, and was run once. It comes first of all rules.
func UnnestedOuterRule(_ *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if !flags.SubqueryIsSet() || !unnests(n) {
		return n, transform.SameTree, nil
	}
	return withUnnestedOuter(n)
}

// unnests reports whether a plan has a JSON_TABLE, also in its subqueries.
func unnests(n sql.Node) bool {
	found := false
	tree.InspectPlan(n, func(n sql.Node) {
		_, ok := n.(*plan.JSONTable)
		found = found || ok
	}, func(sql.Expression) {})
	return found
}

func withUnnestedOuter(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	next, below, err := tree.EachChild(n, withUnnestedOuter)
	if err != nil {
		return n, transform.SameTree, err
	}
	if d, ok := next.(*plan.SubqueryAlias); ok {
		if outer := unnestedOuter(d.Child); !outer.SubsetOf(d.Correlated) {
			return d.WithCorrelated(d.Correlated.Union(outer)), transform.NewTree, nil
		}
		return d, below, nil
	}
	next, same, err := tree.NodeExpressions(next, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		q, ok := e.(*plan.Subquery)
		if !ok {
			return e, transform.SameTree, nil
		}
		query, same, err := withUnnestedOuter(q.Query)
		if err != nil {
			return e, transform.SameTree, err
		}
		if !same {
			q = q.WithQuery(query)
		}
		if outer := unnestedOuter(query); !outer.SubsetOf(q.Correlated()) {
			return q.WithCorrelated(q.Correlated().Union(outer)), transform.NewTree, nil
		}
		return q, same, nil
	})
	return next, below && same, err
}

// unnestedOuter returns the columns that a JSON_TABLE in a query reads and that belong to no table of the query.
func unnestedOuter(n sql.Node) sql.ColSet {
	var own, read sql.ColSet
	tree.InspectPlan(n, func(n sql.Node) {
		if t, ok := n.(plan.TableIdNode); ok {
			own = own.Union(t.Columns())
		}
		if t, ok := n.(*plan.JSONTable); ok {
			sql.Inspect(t.DataExpr, func(e sql.Expression) bool {
				if f, ok := e.(*expression.GetField); ok {
					read.Add(f.Id())
				}
				return true
			})
		}
	}, func(sql.Expression) {})
	return read.Difference(own)
}

// UnnestsOuter reports whether a JSON_TABLE of a subquery reads the query around it. The engine can't run such a
// subquery as a join, nor keep its outer columns in order beside others.
func UnnestsOuter(q *plan.Subquery) bool {
	return !q.Correlated().Empty() && unnestedOuter(q.Query).Intersects(q.Correlated())
}

// AsksUnnested reports whether IN, or a comparison with ANY or ALL, has such a subquery as its operand.
func AsksUnnested(e sql.Expression) bool {
	found := false
	for _, child := range e.Children() {
		if of, ok := child.(*compare.Quantifier); ok {
			child = of.Child
		}
		q, ok := child.(*plan.Subquery)
		found = found || ok && UnnestsOuter(q)
	}
	return found
}
