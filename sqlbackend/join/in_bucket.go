package join

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// InBucketRule turns IN into EXISTS where it is a condition of WHERE by itself and its subquery reads a table in a
// bucket. It does so if looking values up takes fewer requests than reading the table. EXISTS becomes a join that
// looks the table up by the values. Once that has cost more than reading the table, it reads the table once.
//
// NOT IN becomes NOT EXISTS and two tests, each evaluated once with one or few requests. One is whether the subquery
// returns a NULL, as then NOT IN is never true. The other, for a NULL on the left, is whether it returns no rows.
func InBucketRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	_ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if _, deletes := n.(*plan.DeleteFrom); deletes || !setting.UsesIndex(ctx) {
		return n, transform.SameTree, nil // the engine makes no joins of DELETE's conditions
	}
	return inBucket{ctx, compare.Comparer{Ctx: ctx}}.node(n)
}

// inBucket is one run of the rule.
type inBucket struct {
	ctx      *sql.Context
	comparer compare.Comparer
}

// node handles a node and all nodes below it, inner subqueries first. A subquery evaluated for each row of its outer
// query stays as it is: a join would be looked up again for each row.
func (x inBucket) node(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	return transform.NodeWithOpaque(n, func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		n, same, err := tree.NodeExpressions(n, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
			q, ok := e.(*plan.Subquery)
			if !ok || !q.Correlated().Empty() {
				return e, transform.SameTree, nil
			}
			query, same, err := x.node(q.Query)
			if err != nil || bool(same) {
				return e, transform.SameTree, err
			}
			return q.WithQuery(query), transform.NewTree, nil
		})
		if err != nil {
			return n, transform.SameTree, err
		}
		f, ok := n.(*plan.Filter)
		if !ok {
			return n, same, nil
		}
		conjuncts, any := []sql.Expression(nil), false
		for _, c := range expression.SplitConjunction(f.Expression) {
			asked, err := x.asked(c)
			if err != nil {
				return n, transform.SameTree, mysqlerr.Of(x.ctx, err)
			}
			if any = any || asked != nil; asked == nil {
				asked = []sql.Expression{c}
			}
			conjuncts = append(conjuncts, asked...)
		}
		if !any {
			return n, same, nil
		}
		return plan.NewFilter(expression.JoinAnd(conjuncts...), f.Child), transform.NewTree, nil
	})
}

// asked returns the conditions that replace a condition; nil: it stays.
func (x inBucket) asked(c sql.Expression) ([]sql.Expression, error) {
	not, negated := c.(*expression.Not)
	if negated {
		c = not.Child
	}
	in, ok := c.(*plan.InSubquery)
	if !ok {
		return nil, nil
	}
	q := x.comparer.SameListOf(in)
	if q == nil {
		return nil, nil
	}
	t, conjuncts := bucketOf(q.Rows)
	equal, ok := q.Holds.(*expression.Equals)
	if t == nil || !ok || AnySubquery(conjuncts) {
		return nil, nil
	}
	comparison, ok := t.Comparison(x.ctx, equal, 0)
	if !ok {
		return nil, nil
	}
	column := comparison.Column()
	if worth, err := t.WorthLookups(x.ctx, conjuncts, column); err != nil || !worth {
		return nil, err
	}
	exists := sql.Expression(q.Exists(equal))
	if !negated {
		return []sql.Expression{exists}, nil
	}
	out := []sql.Expression{expression.NewNot(exists)}
	if column.PrimaryKeyPart == 0 {
		out = append(out, q.None(expression.NewIsNull(equal.Left())))
	}
	// A column that is never NULL in its table may be NULL in an outer join.
	if left := equal.Right(); left.IsNullable() || functions.ReadsRows(left) {
		out = append(out, expression.NewOr(expression.NewNot(expression.NewIsNull(left)), q.None()))
	}
	return out, nil
}
