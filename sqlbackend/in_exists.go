package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// inExistsRule makes EXISTS of IN, as a condition of WHERE by itself, where the subquery names columns
// of the outer query or gives rows of several columns: the engine makes a join of IN only where
// the subquery gives the same values each time, one in a row, and evaluates others
// for each row. Of EXISTS it makes a join whatever is compared. WHERE takes NULL for
// false, so that both keep the same rows. NOT IN of a subquery that names columns of the outer query becomes NOT EXISTS
// of what is equal or may be. With the index off, and where they can't become that, both are evaluated for each row: the engine makes a join of NOT IN, and takes
// conditions on the outer query out of the subquery, where a condition that is NULL is one that may hold, out of aggregates too, and forgets what else the
// subquery names of the outer query.
//
// So become comparisons with ANY and ALL of it: x > ALL (…) is NOT x <= ANY (…).
//
// It runs before comparisons get our types, so that what IN compares is compared as = does.
func inExistsRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if !flags.SubqueryIsSet() {
		return n, transform.SameTree, nil
	}
	return inExists{comparer{ctx}, isOn(ctx, VarUseIndex)}.node(n)
}

// inExists is one run of the rule.
type inExists struct {
	comparer comparer
	indexed  bool
}

// node handles a node and all below it, those within subqueries first.
func (x inExists) node(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	return transform.NodeWithOpaque(n, func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		n, same, err := tree.EachSubquery(n, x.node)
		if err != nil {
			return n, transform.SameTree, err
		}
		f, ok := n.(*plan.Filter)
		if !ok {
			return n, same, nil
		}
		next, again, err := x.filter(f)
		return next, same && again, err
	})
}

// filter handles the conditions of a filter.
func (x inExists) filter(f *plan.Filter) (sql.Node, transform.TreeIdentity, error) {
	conjuncts, any := expression.SplitConjunction(f.Expression), false
	for i, c := range conjuncts {
		var q *inQuery
		var not bool
		if x.indexed {
			var err error
			if q, not, err = x.comparer.asksOf(c); err != nil {
				return f, transform.SameTree, err
			}
		}
		if q == nil && isCorrelatedIn(c) {
			conjuncts[i], any = expression.NewIsTrue(c), true // evaluated for each row
			continue
		}
		if q == nil || not && q.query.Correlated().Empty() {
			continue
		}
		conjuncts[i], any = q.exists(q.holds), true
		if not {
			conjuncts[i] = expression.NewNot(q.exists(expression.NewNot(expression.NewIsFalse(q.holds))))
		}
	}
	if !any {
		return f, transform.SameTree, nil
	}
	return plan.NewFilter(expression.JoinAnd(conjuncts...), f.Child), transform.NewTree, nil
}

// isCorrelatedIn reports whether a condition is IN or NOT IN of a subquery that names columns of outer queries.
func isCorrelatedIn(e sql.Expression) bool {
	if not, ok := e.(*expression.Not); ok {
		e = not.Child
	}
	in, ok := e.(*plan.InSubquery)
	if !ok {
		return false
	}
	query, ok := in.RightChild.(*plan.Subquery)
	return ok && !query.Correlated().Empty()
}

// asksOf is what a condition asks of a subquery's rows, and whether it is that none of them holds: of IN, of what NOT stands before,
// and of a comparison with ANY or ALL. It is nil for other conditions, and for what is not asked so.
func (c comparer) asksOf(e sql.Expression) (q *inQuery, not bool, err error) {
	if n, ok := e.(*expression.Not); ok {
		if in, ok := n.Child.(*plan.InSubquery); ok {
			q, _, err = c.asksOf(in)
			return q, true, err
		}
		return nil, false, nil
	}
	if in, ok := e.(*plan.InSubquery); ok {
		if q = c.inQueryOf(in.LeftChild, in.RightChild, equalTo); q == nil {
			return nil, false, nil
		}
		return q, false, c.mixedIn(in)
	}
	compared, ok := e.(expression.Comparer)
	if !ok {
		return nil, false, nil
	}
	of, ok := compared.Right().(*quantifier)
	if !ok || !compared.Left().Resolved() || types.NumColumns(compared.Left().Type()) != 1 {
		return nil, false, nil
	}
	q = c.inQueryOf(compared.Left(), of.Child, func(left, value sql.Expression) (sql.Expression, error) {
		each, err := e.WithChildren(left, value)
		if err == nil && of.all {
			each = expression.NewNot(each)
		}
		return each, err
	})
	if q == nil || c.mixed(" = ", compared.Left(), of.Child) != nil {
		return nil, false, nil
	}
	return q, of.all, nil
}

func equalTo(left, value sql.Expression) (sql.Expression, error) {
	return expression.NewEquals(value, left), nil
}

// inQuery is a subquery that gives rows of tables, of which something is asked.
type inQuery struct {
	query *plan.Subquery
	rows  sql.Node // below what it selects
	// holds is what is asked of a row: of IN, that what the subquery selects is equal to what is looked for.
	holds sql.Expression
	outer sql.ColSet // the columns of outer queries that the subquery and what is looked for name
	// nullable: holds may be NULL.
	nullable bool
}

// inQueryOf is what is asked of rows of tables, by what is asked of each column; nil where it is asked of another query.
func (c comparer) inQueryOf(of, in sql.Expression, ask func(left, value sql.Expression) (sql.Expression, error)) *inQuery {
	query, ok := in.(*plan.Subquery)
	if !ok || !query.Resolved() || !of.Resolved() || query.Volatile() {
		return nil
	}
	left := []sql.Expression{of}
	if row, ok := of.(expression.Tuple); ok {
		left = row
	}
	if query.Correlated().Empty() && len(left) == 1 {
		return nil
	}
	selected, ok := query.Query.(*plan.Project)
	if !ok || len(selected.Projections) != len(left) || !plainRows(selected.Child) || outerJoinReads(selected.Child, query.Correlated()) {
		return nil
	}
	q := &inQuery{query: query, rows: selected.Child, outer: query.Correlated().Copy()}
	holds := make([]sql.Expression, len(left))
	for i, e := range left {
		value := selected.Projections[i]
		if alias, ok := value.(*expression.Alias); ok {
			value = alias.Child
		}
		given := sql.Expression(query)
		if len(left) > 1 {
			given = expression.NewGetField(0, value.Type(), "value", true)
		}
		if !steadyValue(e) || !steadyValue(value) || !c.comparesAs(e, given, value) {
			return nil
		}
		sql.Inspect(e, func(e sql.Expression) bool {
			if f, ok := e.(*expression.GetField); ok {
				q.outer.Add(f.Id())
			}
			return true
		})
		// A column that is never NULL in its table may be so in an outer join.
		q.nullable = q.nullable || e.IsNullable() || value.IsNullable() || readsRows(e) || readsRows(value)
		asked, err := ask(e, value)
		if err != nil {
			return nil
		}
		holds[i] = asked
	}
	q.holds = expression.JoinAnd(holds...)
	return q
}

// comparesAs reports whether IN compares a text with what a subquery gives in the collation in which = compares it with what
// the subquery selects: a collation that is named there is not the subquery's.
func (c comparer) comparesAs(e, given, selected sql.Expression) bool {
	return c.class(e) != classText || c.class(selected) != classText || c.textCollation(e, given) == c.textCollation(selected, e)
}

// exists is EXISTS of the rows that satisfy one more condition.
func (q *inQuery) exists(condition sql.Expression) *plan.ExistsSubquery {
	conjuncts, rows := expression.SplitConjunction(condition), q.rows
	if f, ok := rows.(*plan.Filter); ok {
		conjuncts, rows = append(expression.SplitConjunction(f.Expression), conjuncts...), f.Child
	}
	one := expression.NewLiteral(int8(1), types.Int8)
	found := plan.NewProject([]sql.Expression{one}, plan.NewFilter(expression.JoinAnd(conjuncts...), rows))
	return plan.NewExistsSubquery(q.query.WithQuery(found).WithCorrelated(q.outer))
}

// plainRows reports whether a node is a table, or several joined, perhaps filtered.
func plainRows(n sql.Node) bool {
	switch n := n.(type) {
	case *plan.Filter:
		return plainRows(n.Child)
	case *plan.TableAlias:
		return plainRows(n.Child)
	case *plan.ResolvedTable:
		return !plan.IsDualTable(n.Table)
	case *plan.JoinNode:
		return plainRows(n.Left()) && plainRows(n.Right())
	}
	return false
}

// steadyValue reports whether an expression is a value that is the same each time for a row,
// and no subquery's.
func steadyValue(e sql.Expression) bool {
	plain := true
	sql.Inspect(e, func(e sql.Expression) bool {
		switch e := e.(type) {
		case *plan.Subquery, *expression.Star, expression.Tuple, sql.Aggregation, sql.WindowAdaptableExpression:
			plain = false
		case sql.NonDeterministicExpression:
			plain = plain && !e.IsNonDeterministic()
		}
		return plain
	})
	return plain && e.Type() != types.Null
}
