package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// inExistsRule makes EXISTS of IN, as a condition of WHERE by itself, where the subquery names columns
// of the outer query or gives rows of several columns: the engine makes a join of IN only where
// the subquery gives the same values each time, one in a row, and evaluates others
// for each row. Of EXISTS it makes a join whatever is compared. WHERE takes NULL for
// false, so that both keep the same rows. NOT IN of a subquery that names columns of the outer query becomes NOT EXISTS
// of what is equal or may be; with the index off, and where it can't become that, it is evaluated for each row: the engine makes a join of it, or takes
// conditions out of the subquery, where a condition that is NULL is one that may hold.
//
// It runs before comparisons get our types, so that what IN compares is compared as = does.
func inExistsRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if !flags.SubqueryIsSet() {
		return n, transform.SameTree, nil
	}
	indexed := isOn(ctx, VarUseIndex)
	return transform.NodeWithOpaque(n, func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		f, ok := n.(*plan.Filter)
		if !ok {
			return n, transform.SameTree, nil
		}
		conjuncts, any := expression.SplitConjunction(f.Expression), false
		for i, c := range conjuncts {
			in, not := negatedIn(c)
			if in == nil || !indexed && !not {
				continue
			}
			q := (comparer{ctx}).inQueryOf(in)
			if correlated, ok := in.RightChild.(*plan.Subquery); ok && not && !correlated.Correlated().Empty() && (q == nil || !indexed) {
				conjuncts[i], any = expression.NewIsTrue(c), true // evaluated for each row
				continue
			}
			if q == nil || not && q.query.Correlated().Empty() {
				continue
			}
			if err := (comparer{ctx}).mixedIn(in); err != nil {
				return n, transform.SameTree, err
			}
			conjuncts[i], any = q.exists(q.equal), true
			if not {
				conjuncts[i] = expression.NewNot(q.exists(expression.NewNot(expression.NewIsFalse(q.equal))))
			}
		}
		if !any {
			return n, transform.SameTree, nil
		}
		return plan.NewFilter(expression.JoinAnd(conjuncts...), f.Child), transform.NewTree, nil
	})
}

// negatedIn is IN, or what NOT stands before; nil if a condition is neither.
func negatedIn(e sql.Expression) (in *plan.InSubquery, not bool) {
	if n, ok := e.(*expression.Not); ok {
		e, not = n.Child, true
	}
	in, _ = e.(*plan.InSubquery)
	return in, not
}

// inQuery is a subquery of IN that gives rows of tables.
type inQuery struct {
	query *plan.Subquery
	rows  sql.Node // below what it selects
	// equal: what a row of it has is equal to what is looked for.
	equal sql.Expression
	outer sql.ColSet // the columns of outer queries that the subquery and what is looked for name
	// nullable: equal may be NULL.
	nullable bool
}

// inQueryOf is what IN looks for in rows of tables; nil where it is another query's.
func (c comparer) inQueryOf(in *plan.InSubquery) *inQuery {
	query, ok := in.RightChild.(*plan.Subquery)
	if !ok || !query.Resolved() || !in.LeftChild.Resolved() || query.Volatile() {
		return nil
	}
	left := []sql.Expression{in.LeftChild}
	if row, ok := in.LeftChild.(expression.Tuple); ok {
		left = row
	}
	if query.Correlated().Empty() && len(left) == 1 {
		return nil
	}
	selected, ok := query.Query.(*plan.Project)
	if !ok || len(selected.Projections) != len(left) || !plainRows(selected.Child) {
		return nil
	}
	q := &inQuery{query: query, rows: selected.Child, outer: query.Correlated().Copy()}
	equal := make([]sql.Expression, len(left))
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
		q.nullable = q.nullable || e.IsNullable() || value.IsNullable()
		equal[i] = expression.NewEquals(value, e)
	}
	q.equal = expression.JoinAnd(equal...)
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
