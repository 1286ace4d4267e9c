package sqlbackend

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// viewConditionRule moves conditions on views, derived tables and common table expressions into their queries, in the terms of what
// those select: WHERE amount > 5 on a view of total AS amount becomes WHERE total > 5 within it, where it finds ranges. The engine moves
// them as well, but not below what renames or computes a column. What the rule leaves is left to it.
//
// It works on queries as the plan builder has made them, from the uppermost down, and is idempotent.
func viewConditionRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if isPlain(n, flags) {
		return n, transform.SameTree, nil
	}
	return viewConditions{comparer{ctx: ctx}}.node(n)
}

// viewConditions is one run of the rule.
type viewConditions struct{ comparer }

func (v viewConditions) node(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	same := transform.SameTree
	switch at := n.(type) {
	case *plan.CreateView:
		return n, transform.SameTree, nil
	case *plan.Filter:
		child, stay := v.lower(at.Child, expression.SplitConjunction(at.Expression))
		if child != at.Child {
			n, same = asking(stay, child), transform.NewTree
		}
	case *plan.JoinNode:
		if isInnerJoin(at) && at.Filter != nil {
			n, same = v.joined(at)
		}
	}
	next, unchanged, err := eachSubquery(n, v.node)
	if err != nil {
		return n, transform.SameTree, err
	}
	next, below, err := eachChild(next, v.node)
	return next, same && unchanged && below, err
}

// joined is an inner join whose conditions on one derived table are asked within that.
func (v viewConditions) joined(join *plan.JoinNode) (sql.Node, transform.TreeIdentity) {
	given := expression.SplitConjunction(join.Filter)
	left, stay := v.lower(join.Left(), given)
	right, stay := v.lower(join.Right(), stay)
	switch {
	case left == join.Left() && right == join.Right():
		return join, transform.SameTree
	case len(stay) == 0:
		return plan.NewCrossJoin(left, right).WithComment(join.Comment()), transform.NewTree
	}
	return plan.NewJoin(left, right, join.Op, expression.JoinAnd(stay...)).WithComment(join.Comment()), transform.NewTree
}

// lower gives what is read to conditions those of them that read one derived table of it, and returns the others.
func (v viewConditions) lower(n sql.Node, conditions []sql.Expression) (below sql.Node, stay []sql.Expression) {
	for _, c := range conditions {
		if next, ok := v.into(n, c); ok {
			n = next
		} else {
			stay = append(stay, c)
		}
	}
	return n, stay
}

// into is a node of which all rows satisfy a condition, which is asked within a derived table that is, or is joined in, the node.
func (v viewConditions) into(n sql.Node, condition sql.Expression) (sql.Node, bool) {
	switch n := n.(type) {
	case *plan.SubqueryAlias:
		if n.IsLateral || !n.Correlated.Empty() || n.Volatile || len(n.ScopeMapping) == 0 {
			return n, false
		}
		inner, ok := v.inTermsOf(condition, func(f *expression.GetField) (sql.Expression, bool) {
			source, ok := n.ScopeMapping[f.Id()].(*expression.GetField)
			return source, ok && n.Columns().Contains(f.Id())
		})
		if !ok {
			return n, false
		}
		child, ok := v.under(n.Child, inner)
		if !ok {
			return n, false
		}
		return n.WithChild(child), true
	case *plan.JoinNode:
		inner := isInnerJoin(n)
		for i, keeps := range []bool{inner || n.Op == plan.JoinTypeLeftOuter, inner || n.Op == plan.JoinTypeRightOuter} {
			if !keeps {
				continue
			}
			sides := []sql.Node{n.Left(), n.Right()}
			side, ok := v.into(sides[i], condition)
			if !ok {
				continue
			}
			sides[i] = side
			next, err := n.WithChildren(sides...)
			return next, err == nil
		}
	}
	return n, false
}

// under is a query, or the upper part of one that is left out, of which all rows satisfy a condition on its columns, which is asked
// of what it selects from.
func (v viewConditions) under(n sql.Node, condition sql.Expression) (sql.Node, bool) {
	switch at := n.(type) {
	case *plan.Filter:
		return plan.NewFilter(expression.JoinAnd(at.Expression, condition), at.Child), true
	case *plan.SubqueryAlias, *plan.ResolvedTable, *plan.TableAlias, *plan.JoinNode:
		return plan.NewFilter(condition, n), true
	case *plan.Project:
		inner, ok := v.inTermsOf(condition, func(f *expression.GetField) (sql.Expression, bool) { return projected(at, f) })
		if !ok {
			return n, false
		}
		condition = inner
	case *plan.GroupBy:
		if !v.ofGroups(at, condition) {
			return n, false
		}
	case *plan.Distinct:
		if !v.tellsNothingApart(condition) {
			return n, false
		}
	case *plan.Sort, *plan.Having:
	default:
		return n, false
	}
	child, ok := v.under(n.Children()[0], condition)
	if !ok {
		return n, false
	}
	next, err := n.WithChildren(child)
	return next, err == nil
}

// viewSource is what a column of a derived table is computed of, and how many parts that has.
type viewSource struct {
	value sql.Expression
	size  int
}

// inTermsOf is a condition with others in the place of its fields, which it reads alone. It is false where one has none, or one that is not
// to be computed again, or as a part of a condition would compare otherwise than as a column.
func (v viewConditions) inTermsOf(condition sql.Expression, source func(*expression.GetField) (sql.Expression, bool)) (sql.Expression, bool) {
	if !isRepeatable(condition) {
		return condition, false
	}
	given, size := partsOf(condition), 0
	sources := map[sql.ColumnId]viewSource{}
	known, texts := true, false
	inner, _, err := transform.Expr(condition, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		f, ok := e.(*expression.GetField)
		if !ok || !known {
			return e, transform.SameTree, nil
		}
		from, ok := sources[f.Id()]
		if !ok {
			s, ok := source(f)
			if !ok || !isRepeatable(s) {
				known = false
				return e, transform.SameTree, nil
			}
			from = viewSource{value: s, size: partsOf(s)}
			sources[f.Id()] = from
			if _, column := s.(*expression.GetField); !column && v.class(s) == classText {
				texts = true
			}
		}
		size += from.size
		known = size <= max(given, movedCondition)
		return from.value, transform.NewTree, nil
	})
	// A column's collation goes before that of a text that is computed; a text alone is in the same collation as both.
	return inner, err == nil && known && len(sources) > 0 && !(texts && len(sources) > 1)
}

// isRepeatable reports whether an expression has the same value wherever in a query it is computed of the same row.
func isRepeatable(e sql.Expression) bool {
	return !transform.InspectExpr(e, func(e sql.Expression) bool {
		switch e.(type) {
		case *plan.Subquery, *boundSubquery, *expression.UserVar, sql.Aggregation, sql.WindowAdaptableExpression:
			return true
		}
		other, ok := e.(sql.NonDeterministicExpression)
		return isVolatile(e) || ok && other.IsNonDeterministic()
	})
}

// ofGroups reports whether a condition reads nothing but columns that rows are grouped by, and so holds for all rows of a group or none.
func (v viewConditions) ofGroups(n *plan.GroupBy, condition sql.Expression) bool {
	return v.tellsNothingApart(condition) && !transform.InspectExpr(condition, func(e sql.Expression) bool {
		f, ok := e.(*expression.GetField)
		return ok && !slices.ContainsFunc(n.GroupByExprs, func(by sql.Expression) bool {
			g, ok := unaliased(by).(*expression.GetField)
			return ok && g.Id() == f.Id()
		})
	})
}

// tellsNothingApart reports whether a condition can't tell values apart that are equal. Of equal texts, and JSON values,
// one stands for the others where rows are grouped: to compare it with a constant sees no difference, but functions see how it is written.
func (v viewConditions) tellsNothingApart(condition sql.Expression) bool {
	var ids sql.ColSet
	plain, alike := true, true
	sql.Inspect(condition, func(e sql.Expression) bool {
		switch e := e.(type) {
		case *expression.GetField:
			ids.Add(e.Id())
			alike = alike && v.isWrittenOneWay(e)
		case nil, *expression.Literal, *scalarValue, expression.Tuple, expression.Comparer,
			*expression.And, *expression.Or, *expression.Not, *expression.Between, *expression.IsNull, *expression.InTuple:
		default:
			plain = false
		}
		return true
	})
	return alike || plain && ids.Len() == 1
}

// isWrittenOneWay reports whether equal values of a column are the same.
func (v viewConditions) isWrittenOneWay(f *expression.GetField) bool {
	switch v.class(f) {
	case classText:
		coll, known := collationOfType(f.Type())
		return known && coll.IsIdentity()
	case classNumber:
		return true
	}
	return types.IsTime(f.Type())
}
