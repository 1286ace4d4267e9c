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
// false, so that both keep the same rows.
//
// It runs before comparisons get our types, so that what IN compares is compared as = does.
func inExistsRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if !flags.SubqueryIsSet() || !isOn(ctx, VarUseIndex) {
		return n, transform.SameTree, nil
	}
	return transform.NodeWithOpaque(n, func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		f, ok := n.(*plan.Filter)
		if !ok {
			return n, transform.SameTree, nil
		}
		conjuncts, any := expression.SplitConjunction(f.Expression), false
		for i, c := range conjuncts {
			in, ok := c.(*plan.InSubquery)
			if !ok {
				continue
			}
			exists := existsOf(in)
			if exists == nil {
				continue
			}
			if err := (comparer{ctx}).mixedIn(in); err != nil {
				return n, transform.SameTree, err
			}
			conjuncts[i], any = exists, true
		}
		if !any {
			return n, transform.SameTree, nil
		}
		return plan.NewFilter(expression.JoinAnd(conjuncts...), f.Child), transform.NewTree, nil
	})
}

// existsOf is EXISTS in the place of IN; nil where IN stays.
func existsOf(in *plan.InSubquery) sql.Expression {
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
	outer := query.Correlated().Copy()
	equal := make([]sql.Expression, len(left))
	for i, e := range left {
		value := selected.Projections[i]
		if alias, ok := value.(*expression.Alias); ok {
			value = alias.Child
		}
		if !steadyValue(e) || !steadyValue(value) {
			return nil
		}
		sql.Inspect(e, func(e sql.Expression) bool {
			if f, ok := e.(*expression.GetField); ok {
				outer.Add(f.Id())
			}
			return true
		})
		equal[i] = expression.NewEquals(value, e)
	}
	child := selected.Child
	if f, ok := child.(*plan.Filter); ok {
		equal, child = append(expression.SplitConjunction(f.Expression), equal...), f.Child
	}
	one := expression.NewLiteral(int8(1), types.Int8)
	rows := plan.NewProject([]sql.Expression{one}, plan.NewFilter(expression.JoinAnd(equal...), child))
	return plan.NewExistsSubquery(query.WithQuery(rows).WithCorrelated(outer))
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
