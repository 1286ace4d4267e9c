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

// inferredConditions is how many conditions, and how many equalities of columns, are looked at for what follows from
// both.
const inferredConditions = 64

// inferred asks within the derived tables that a join reads what follows for their columns from conditions on columns
// that they are equal to: of o JOIN (SELECT customer, MAX(placed) … GROUP BY customer) AS m ON m.customer = o.customer
// WHERE o.customer = 7, m groups one customer alone. What follows is not asked above: the rows that a derived table
// gives less would have been joined with none of the result. That holds for those as well that an outer join fills with
// NULLs: then they are equal to nothing.
func (v ViewConditions) inferred(join *plan.JoinNode, above []sql.Expression) sql.Node {
	derived := columnsOfDerived(join)
	if derived.Empty() {
		return join
	}
	return v.follow(join, join, derived, allSatisfied(join, above))
}

// columnsOfDerived are the columns of the derived tables that a join reads.
func columnsOfDerived(n sql.Node) (out sql.ColSet) {
	switch n := n.(type) {
	case *plan.SubqueryAlias:
		return n.Columns()
	case *plan.JoinNode:
		return columnsOfDerived(n.Left()).Union(columnsOfDerived(n.Right()))
	}
	return out
}

// allSatisfied are conditions that all rows of a join satisfy that are not filtered out above it.
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

// follow asks within whole, which is a join or has become it, what follows from conditions that hold for its rows; and
// within what the outer joins in it fill with NULLs, what follows from those beside their own conditions: if they are
// not satisfied by NULL, which what is joined with no row of a derived table has then where another outer join around
// it fills both.
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

// mayTakeNull reports whether a condition that compares columns with constants may be satisfied where the columns are
// NULL.
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

// equalities asks what follows from conditions for columns that are equal.
func (v ViewConditions) equalities(whole sql.Node, derived sql.ColSet, equal, conditions []sql.Expression) sql.Node {
	v.eachInferred(equal, conditions, func(_, to *expression.GetField, condition sql.Expression) {
		if derived.Contains(to.Id()) {
			whole = v.within(whole, to.Id(), condition)
		}
	})
	return whole
}

// alsoOfTables are the conditions above a join and what follows for columns of tables from those on columns of derived
// tables, which are going to be asked within these alone.
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

// eachInferred gives what follows from conditions for columns that are equal to those which they compare with
// constants.
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

// of is a condition that compares a column with constants alone, as one on another column.
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

// within asks a condition within the derived table that has a column.
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
