package rewrite

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// OuterConditionRule keeps the engine from losing conditions of joins, and from reading fields that are not there.
//
// Where the engine changes the order of joins beside outer joins, it keeps only conditions that join the tables at
// hand. So some conditions of inner joins are repeated above the joins: constants, conditions on one side, and
// conditions on a table that an outer join may fill with NULLs. Conditions on the outer query are moved there. The
// engine turns EXISTS into a semi or anti join, and would use them to join its sides to the outer query's tables in
// any order.
//
// The engine does not see which columns the subquery in a condition reads. It may compute the condition before they
// are read: as the key of a hash, or before another table is joined. So the condition moves above inner joins, as if
// it stood in WHERE; in an outer join, its fields are shown (see shownFields).
//
// Conditions on several tables of one side go to the join of these tables (see lowered). Outer joins whose NULLs a
// condition above rejects become inner joins.
//
// The rule is idempotent.
func OuterConditionRule(_ *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if !flags.JoinIsSet() {
		return n, transform.SameTree, nil
	}
	return transform.NodeWithOpaque(n, aboveJoins)
}

// aboveJoins puts the moved and repeated conditions above the joins that are children of a node.
func aboveJoins(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	if _, ok := n.(*plan.JoinNode); ok {
		return n, transform.SameTree, nil
	}
	given := map[string]bool{}
	filter, filters := n.(*plan.Filter)
	if filters {
		for _, c := range expression.SplitConjunction(filter.Expression) {
			given[c.String()] = true
		}
	}
	var rejected sql.FastIntSet
	if filters {
		rejected = tree.NullRejected(expression.SplitConjunction(filter.Expression))
	}
	children, any := n.Children(), false
	next := append([]sql.Node(nil), children...)
	for i, child := range children {
		join, ok := child.(*plan.JoinNode)
		if !ok {
			continue
		}
		whole := tree.InnerWhereRejected(join, rejected)
		c := conditionsOf(whole, tree.TablesOf(whole))
		above := c.moved
		for _, e := range c.lost {
			if !given[e.String()] {
				above = append(above, e)
			}
		}
		if filters {
			// One filter: if the engine turned a condition in it into a semi or anti join, it would lose a second
			// filter below.
			if len(above) == 0 && c.join == child {
				return n, transform.SameTree, nil
			}
			return plan.NewFilter(expression.JoinAnd(append([]sql.Expression{filter.Expression}, above...)...), c.join),
				transform.NewTree, nil
		}
		next[i] = filtered(above, c.join)
		any = any || next[i] != child
	}
	if !any {
		return n, transform.SameTree, nil
	}
	out, err := n.WithChildren(next...)
	return out, transform.NewTree, err
}

// filtered returns a filter over a node, or the node itself if there are no conditions.
func filtered(conditions []sql.Expression, n sql.Node) sql.Node {
	if len(conditions) == 0 {
		return n
	}
	return plan.NewFilter(expression.JoinAnd(conditions...), n)
}

// joinConditions is a join with the conditions that every row of it fulfils and that are checked above it.
type joinConditions struct {
	join  sql.Node         // without the moved conditions
	moved []sql.Expression // the join no longer has them
	lost  []sql.Expression // the engine may lose them
}

// conditionsOf splits the conditions of a tree of joins; tables are the tables of the whole tree.
func conditionsOf(n sql.Node, tables sql.FastIntSet) joinConditions {
	join, ok := n.(*plan.JoinNode)
	if !ok {
		return joinConditions{join: n}
	}
	join = lowered(join)
	left, right := conditionsOf(join.Left(), tables), conditionsOf(join.Right(), tables)
	inner := tree.IsInnerJoin(join)
	var out joinConditions
	for _, side := range []struct {
		conditions *joinConditions
		whole      bool // every row of the join has a row of this side
	}{{&left, inner || join.Op.IsLeftOuter()}, {&right, inner || join.Op.IsRightOuter()}} {
		c := side.conditions
		if side.whole {
			out.moved, out.lost = append(out.moved, c.moved...), append(out.lost, c.lost...)
			continue
		}
		above, tables := c.lost, tree.TablesOf(c.join)
		for _, e := range c.moved {
			above = append(above, showFields(e, tables))
		}
		c.join = filtered(above, c.join)
	}
	filter := join.Filter
	if filter != nil {
		var stay []sql.Expression
		any, filled, l, r := false, filledTables(join), tree.TablesOf(left.join), tree.TablesOf(right.join)
		for _, c := range expression.SplitConjunction(filter) {
			_, shown := c.(*shownFields)
			switch {
			case shown:
			case inner && (tree.ReadsSubquery(c) || readsOthers(c, tables)):
				out.moved, any = append(out.moved, c), true
				continue
			case tree.ReadsSubquery(c):
				c, any = showFields(c, l.Union(r)), true
			case inner && (losable(c, filled, l, r) || oneDerived(c, join, l, r)):
				out.lost = append(out.lost, c)
				if s, needs := showNullable(c, join); needs {
					c, any = s, true
				}
			}
			stay = append(stay, c)
		}
		if any {
			filter = nil
			if len(stay) > 0 {
				filter = expression.JoinAnd(stay...)
			}
		}
	}
	switch out.join = join; {
	case filter == nil && join.Filter != nil:
		out.join = plan.NewCrossJoin(left.join, right.join).WithComment(join.Comment())
	case filter != join.Filter || left.join != join.Left() || right.join != join.Right():
		out.join = plan.NewJoin(left.join, right.join, join.Op, filter).WithComment(join.Comment())
	}
	return out
}

// showNullable adds fields to a condition on the nullable side of an outer join below: a field of each table on that
// join's other side. The engine counts some of those tables as enough for the condition. It would then make it the
// only condition on which the nullable side is joined.
func showNullable(c sql.Expression, join *plan.JoinNode) (*shownFields, bool) {
	var read, needed sql.FastIntSet
	sql.Inspect(c, func(e sql.Expression) bool {
		if f, ok := e.(*expression.GetField); ok {
			read.Add(int(f.TableId()))
		}
		return true
	})
	fields := map[int]sql.Expression{}
	transform.Inspect(join, func(n sql.Node) bool {
		j, ok := n.(*plan.JoinNode)
		if !ok {
			return false
		}
		switch {
		case j.Op.IsLeftOuter() && tree.TablesOf(j.Right()).Intersects(read):
			needed = needed.Union(tree.TablesOf(j.Left()))
		case j.Op.IsRightOuter() && tree.TablesOf(j.Left()).Intersects(read):
			needed = needed.Union(tree.TablesOf(j.Right()))
		}
		if j.Filter != nil {
			sql.Inspect(j.Filter, func(e sql.Expression) bool {
				if f, ok := e.(*expression.GetField); ok {
					fields[int(f.TableId())] = f
				}
				return true
			})
		}
		return true
	})
	s := &shownFields{condition: c}
	for t, ok := needed.Next(0); ok; t, ok = needed.Next(t + 1) {
		if f := fields[t]; f != nil && !read.Contains(t) {
			s.fields = append(s.fields, f)
		}
	}
	return s, len(s.fields) > 0
}

// PlainCondition returns the condition of a join without its shown fields, which the engine needs for the order of
// joins only.
func PlainCondition(e sql.Expression) (sql.Expression, bool) {
	conjuncts, any := expression.SplitConjunction(e), false
	for i, c := range conjuncts {
		if s, ok := c.(*shownFields); ok && !tree.ReadsSubquery(s.condition) {
			conjuncts[i], any = s.condition, true
		}
	}
	if !any {
		return e, false
	}
	return expression.JoinAnd(conjuncts...), true
}

// filledTables returns the tables of a join that an outer join may fill with NULLs.
func filledTables(n sql.Node) sql.FastIntSet {
	join, ok := n.(*plan.JoinNode)
	if !ok {
		return sql.FastIntSet{}
	}
	left, right := filledTables(join.Left()), filledTables(join.Right())
	if join.Op.IsLeftOuter() {
		right = tree.TablesOf(join.Right())
	}
	if join.Op.IsRightOuter() {
		left = tree.TablesOf(join.Left())
	}
	return left.Union(right)
}

// losable reports whether the engine may lose a condition that joins two sides. It may if the condition reads no
// table, a table outside the join, or one that is filled with NULLs. And it may if the condition reads one side that
// the engine may not move it to, as with <=> and, beside outer joins, IS NULL.
func losable(e sql.Expression, filled, left, right sql.FastIntSet) bool {
	var read sql.FastIntSet
	nullSafe := false
	sql.Inspect(e, func(e sql.Expression) bool {
		switch e := e.(type) {
		case *expression.GetField:
			read.Add(int(e.TableId()))
		case *expression.NullSafeEquals:
			nullSafe = true
		}
		return true
	})
	oneSided := read.SubsetOf(left) || read.SubsetOf(right)
	return read.Empty() || read.Intersects(filled) || !read.SubsetOf(left.Union(right)) || oneSided &&
		(nullSafe || !filled.Empty())
}

// readsOthers reports whether a condition reads columns of other tables, which are the outer query's.
func readsOthers(e sql.Expression, tables sql.FastIntSet) bool {
	return transform.InspectExpr(e, func(e sql.Expression) bool {
		f, ok := e.(*expression.GetField)
		return ok && !tables.Contains(int(f.TableId()))
	})
}

// oneDerived reports whether a condition of a join reads one of its sides only, and there a derived table. The engine
// moves it to that side, and then loses a condition that it can't give to a table.
func oneDerived(e sql.Expression, join *plan.JoinNode, left, right sql.FastIntSet) bool {
	var read sql.FastIntSet
	sql.Inspect(e, func(e sql.Expression) bool {
		if f, ok := e.(*expression.GetField); ok {
			read.Add(int(f.TableId()))
		}
		return true
	})
	if !read.SubsetOf(left) && !read.SubsetOf(right) {
		return false
	}
	derived := false
	transform.Inspect(join, func(n sql.Node) bool {
		switch t := n.(type) {
		case *plan.ResolvedTable:
			return false
		case *plan.TableAlias:
			if _, table := t.Child.(*plan.ResolvedTable); table {
				return false
			}
		}
		if t, ok := n.(plan.TableIdNode); ok && read.Contains(int(t.Id())) {
			derived = true
		}
		_, opaque := n.(sql.OpaqueNode)
		return !derived && !opaque
	})
	return derived
}

// shownFields is a condition of a join, with the fields of the joined tables that must be read before it is
// evaluated. These are fields of its subqueries, or of the kept side of an outer join.
type shownFields struct {
	condition sql.Expression
	fields    []sql.Expression
}

var _ sql.Expression = (*shownFields)(nil)

// showFields returns a condition that shows the fields of tables that its subqueries read.
func showFields(condition sql.Expression, tables sql.FastIntSet) sql.Expression {
	s := &shownFields{condition: condition}
	seen := map[sql.ColumnId]bool{}
	var look func(e sql.Expression) bool
	look = func(e sql.Expression) bool {
		switch e := e.(type) {
		case *expression.GetField:
			if tables.Contains(int(e.TableId())) && !seen[e.Id()] {
				seen[e.Id()] = true
				s.fields = append(s.fields, e)
			}
		case *plan.Subquery:
			transform.InspectExpressions(e.Query, look)
		}
		return true
	}
	sql.Inspect(condition, look)
	return s
}

// ShowUnnestedRule shows the fields of a condition's subqueries where the engine has turned EXISTS into a semi or
// anti join. It might join a table that only the subqueries read after that join.
func ShowUnnestedRule(_ *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	_ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	return transform.NodeWithOpaque(n, func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		join, ok := n.(*plan.JoinNode)
		if !ok || join.Filter == nil || !join.Op.IsSemi() && !join.Op.IsAnti() {
			return n, transform.SameTree, nil
		}
		conjuncts, any := expression.SplitConjunction(join.Filter), false
		tables := tree.TablesOf(join.Left()).Union(tree.TablesOf(join.Right()))
		for i, c := range conjuncts {
			if _, shown := c.(*shownFields); !shown && tree.ReadsSubquery(c) {
				conjuncts[i], any = showFields(c, tables), true
			}
		}
		if !any {
			return n, transform.SameTree, nil
		}
		filter := expression.JoinAnd(conjuncts...)
		return plan.NewJoin(join.Left(), join.Right(), join.Op,
			filter).WithScopeLen(join.ScopeLen).WithComment(join.Comment()), transform.NewTree, nil
	})
}

// Children implements sql.Expression.
func (s *shownFields) Children() []sql.Expression {
	return append([]sql.Expression{s.condition}, s.fields...)
}

// WithChildren implements sql.Expression.
func (s *shownFields) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1+len(s.fields) {
		return nil, sql.ErrInvalidChildrenNumber.New(s, len(children), 1+len(s.fields))
	}
	return &shownFields{condition: children[0], fields: children[1:]}, nil
}

// Eval implements sql.Expression.
func (s *shownFields) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	return s.condition.Eval(ctx, row)
}

// Type implements sql.Expression.
func (s *shownFields) Type() sql.Type { return s.condition.Type() }

// IsNullable implements sql.Expression.
func (s *shownFields) IsNullable() bool { return s.condition.IsNullable() }

// Resolved implements sql.Expression.
func (s *shownFields) Resolved() bool { return s.condition.Resolved() }

// String returns the condition's text.
func (s *shownFields) String() string { return s.condition.String() }

// DebugString implements sql.DebugStringer.
func (s *shownFields) DebugString() string { return sql.DebugString(s.condition) }
