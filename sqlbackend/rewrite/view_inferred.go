package rewrite

import (
	"reflect"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// inferredConditions bounds the conditions, and the equalities of columns, that are combined to infer others.
const inferredConditions = 64

// inferred adds conditions to the derived tables of a join that follow from conditions on columns equal to theirs. In
// o JOIN (SELECT customer, MAX(placed) … GROUP BY customer) AS m ON m.customer = o.customer WHERE o.customer = 7, m
// groups one customer alone. The inferred condition is not checked above: the rows that it removes from a derived
// table match no row of the result. That holds as well for derived tables that an outer join fills with NULLs: NULL
// equals nothing.
func (v ViewConditions) inferred(join *plan.JoinNode, above []sql.Expression) sql.Node {
	derived := columnsOfDerived(join)
	if derived.Empty() {
		return join
	}
	return v.follow(join, join, derived, allSatisfied(join, above))
}

// columnsOfDerived returns the columns of the derived tables that a join reads.
func columnsOfDerived(n sql.Node) (out sql.ColSet) {
	switch n := n.(type) {
	case *plan.SubqueryAlias:
		return n.Columns()
	case *plan.JoinNode:
		return columnsOfDerived(n.Left()).Union(columnsOfDerived(n.Right()))
	}
	return out
}

// allSatisfied returns the conditions that hold for all rows of a join that pass the conditions above it.
func allSatisfied(n sql.Node, above []sql.Expression) []sql.Expression {
	join, ok := n.(*plan.JoinNode)
	if !ok {
		return above
	}
	inner := tree.IsInnerJoin(join)
	if inner && join.Filter != nil {
		above = append(above[:len(above):len(above)], expression.SplitConjunction(join.Filter)...)
	}
	if inner || join.Op == plan.JoinTypeLeftOuter {
		above = allSatisfied(join.Left(), above)
	}
	if inner || join.Op == plan.JoinTypeRightOuter {
		above = allSatisfied(join.Right(), above)
	}
	return above
}

// follow adds to the derived tables in whole, which is a join or made from it, conditions that follow from known
// ones. Derived tables that an outer join in n fills with NULLs also get conditions that follow from its own and the
// known ones. Known conditions that NULL may satisfy don't count there: another outer join around it may fill both
// sides with NULLs.
func (v ViewConditions) follow(whole, n sql.Node, derived sql.ColSet, known []sql.Expression) sql.Node {
	whole = v.equalities(whole, derived, known, known)
	rejecting := slices.DeleteFunc(slices.Clone(known), v.mayTakeNull)
	transform.Inspect(n, func(n sql.Node) bool {
		join, ok := n.(*plan.JoinNode)
		if !ok || join.Filter == nil {
			return ok
		}
		var filled sql.ColSet
		switch join.Op {
		case plan.JoinTypeLeftOuter:
			filled = columnsOfDerived(join.Right())
		case plan.JoinTypeRightOuter:
			filled = columnsOfDerived(join.Left())
		}
		if !filled.Empty() {
			on := expression.SplitConjunction(join.Filter)
			whole = v.equalities(whole, filled, on, append(on[:len(on):len(on)], rejecting...))
		}
		return true
	})
	return whole
}

// mayTakeNull reports whether a condition may be satisfied where its columns are NULL, or does more than compare
// columns with constants.
func (v ViewConditions) mayTakeNull(condition sql.Expression) bool {
	if !v.compares(condition) {
		return true
	}
	ofNull, _, err := transform.Expr(condition, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		if f, ok := e.(*expression.GetField); ok {
			return expression.NewLiteral(nil, f.Type()), transform.NewTree, nil
		}
		return e, transform.SameTree, nil
	})
	if err != nil {
		return true
	}
	is, err := sql.EvaluateCondition(v.Ctx, ofNull, nil)
	return err != nil || sql.IsTrue(is)
}

// equalities adds to derived tables the conditions that follow for equal columns.
func (v ViewConditions) equalities(whole sql.Node, derived sql.ColSet, equal, conditions []sql.Expression) sql.Node {
	v.eachInferred(equal, conditions, func(_, to *expression.GetField, condition sql.Expression) {
		if derived.Contains(to.Id()) {
			whole = v.within(whole, to.Id(), condition)
		}
	})
	return whole
}

// alsoOfTables returns the conditions above a join, and those that follow from conditions on derived tables for
// columns of other tables. The conditions on derived tables are going to be checked within these alone.
func (v ViewConditions) alsoOfTables(join *plan.JoinNode, conditions []sql.Expression) []sql.Expression {
	derived := columnsOfDerived(join)
	if derived.Empty() {
		return conditions
	}
	known := allSatisfied(join, conditions)
	v.eachInferred(known, known, func(from, to *expression.GetField, condition sql.Expression) {
		same := func(c sql.Expression) bool { return reflect.DeepEqual(c, condition) }
		if derived.Contains(from.Id()) && !derived.Contains(to.Id()) && !slices.ContainsFunc(known, same) {
			conditions = append(conditions[:len(conditions):len(conditions)], condition)
		}
	})
	return conditions
}

// eachInferred calls give with each condition that follows for a column from a condition that compares an equal
// column with constants.
func (v ViewConditions) eachInferred(equal, conditions []sql.Expression,
	give func(from, to *expression.GetField, condition sql.Expression)) {
	if len(equal) > inferredConditions || len(conditions) > inferredConditions {
		return
	}
	for _, e := range equal {
		eq, ok := e.(*expression.Equals)
		if !ok {
			continue
		}
		left, isField := eq.Left().(*expression.GetField)
		right, also := eq.Right().(*expression.GetField)
		if !isField || !also || left.TableId() == right.TableId() || !left.Type().Equals(right.Type()) {
			continue
		}
		for _, c := range conditions {
			if to, ok := v.of(c, left, right); ok {
				give(left, right, to)
			}
			if to, ok := v.of(c, right, left); ok {
				give(right, left, to)
			}
		}
	}
}

// of returns a condition on a column and constants alone as a condition on another column, false if it is none.
func (v ViewConditions) of(condition sql.Expression, column, other *expression.GetField) (sql.Expression, bool) {
	if !v.compares(condition) {
		return nil, false
	}
	reads, others := false, false
	out, _, err := transform.Expr(condition, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		f, ok := e.(*expression.GetField)
		if !ok {
			return e, transform.SameTree, nil
		}
		reads, others = true, others || f.Id() != column.Id()
		return other, transform.NewTree, nil
	})
	return out, err == nil && reads && !others
}

// within adds a condition to the derived table that has a column.
func (v ViewConditions) within(n sql.Node, column sql.ColumnId, condition sql.Expression) sql.Node {
	switch at := n.(type) {
	case *plan.SubqueryAlias:
		if at.Columns().Contains(column) {
			n, _ = v.into(n, condition)
		}
	case *plan.JoinNode:
		left, right := v.within(at.Left(), column, condition), v.within(at.Right(), column, condition)
		if left != at.Left() || right != at.Right() {
			if next, err := at.WithChildren(left, right); err == nil {
				return next
			}
		}
	}
	return n
}
