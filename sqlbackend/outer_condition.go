package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
)

// outerConditionRule asks some conditions of inner joins once more above all
// joins: those on a table that an outer join below may fill with NULLs, those on the outer query, those on
// one table that may stay in the join, and constants. Where the engine changes the order of joins, it keeps what joins the tables at hand and
// loses such conditions.
func outerConditionRule(_ *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if !flags.JoinIsSet() {
		return n, transform.SameTree, nil
	}
	return transform.NodeWithOpaque(n, aboveJoins)
}

// aboveJoins puts the conditions above the joins that are children of a node.
func aboveJoins(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	if _, ok := n.(*plan.JoinNode); ok {
		return n, transform.SameTree, nil
	}
	given := map[string]bool{}
	if f, ok := n.(*plan.Filter); ok {
		for _, c := range expression.SplitConjunction(f.Expression) {
			given[c.String()] = true
		}
	}
	children, any := n.Children(), false
	next := append([]sql.Node(nil), children...)
	for i, child := range children {
		join, ok := child.(*plan.JoinNode)
		if !ok {
			continue
		}
		var lost []sql.Expression
		for _, c := range outerConditions(join) {
			if !given[c.String()] {
				lost = append(lost, c)
			}
		}
		if len(lost) > 0 {
			next[i], any = plan.NewFilter(expression.JoinAnd(lost...), join), true
		}
	}
	if !any {
		return n, transform.SameTree, nil
	}
	out, err := n.WithChildren(next...)
	return out, transform.NewTree, err
}

// outerConditions are the conditions of inner joins that every row of a join fulfils and
// that the engine may lose.
func outerConditions(n sql.Node) []sql.Expression {
	join, ok := n.(*plan.JoinNode)
	if !ok {
		return nil
	}
	switch {
	case join.Op.IsLeftOuter():
		return outerConditions(join.Left())
	case join.Op.IsRightOuter():
		return outerConditions(join.Right())
	case join.Op != plan.JoinTypeInner && join.Op != plan.JoinTypeCross:
		return nil
	}
	out := append(outerConditions(join.Left()), outerConditions(join.Right())...)
	if join.Filter == nil {
		return out
	}
	filled, own := filledTables(join), tablesOf(join)
	for _, c := range expression.SplitConjunction(join.Filter) {
		if losable(c, filled, own) {
			out = append(out, c)
		}
	}
	return out
}

// filledTables are the tables of a join that an outer join may fill with NULLs.
func filledTables(n sql.Node) sql.FastIntSet {
	join, ok := n.(*plan.JoinNode)
	if !ok {
		return sql.FastIntSet{}
	}
	left, right := filledTables(join.Left()), filledTables(join.Right())
	if join.Op.IsLeftOuter() {
		right = tablesOf(join.Right())
	}
	if join.Op.IsRightOuter() {
		left = tablesOf(join.Left())
	}
	return left.Union(right)
}

// losable reports whether the engine may lose a condition: it reads a table that is filled with NULLs,
// one that is not among the joined ones but the outer query's, or no table; or it reads one, and the engine may not move it to that table, as with <=> and, beside outer
// joins, IS NULL. Where it has a subquery it stays.
func losable(e sql.Expression, filled, own sql.FastIntSet) bool {
	var read sql.FastIntSet
	nullSafe, subquery := false, false
	sql.Inspect(e, func(e sql.Expression) bool {
		switch e := e.(type) {
		case *expression.GetField:
			read.Add(int(e.TableId()))
		case *expression.NullSafeEquals:
			nullSafe = true
		case *plan.Subquery:
			subquery = true
		}
		return !subquery
	})
	return !subquery && (read.Empty() || read.Intersects(filled) || !read.SubsetOf(own) || read.Len() == 1 && (nullSafe || !filled.Empty()))
}
