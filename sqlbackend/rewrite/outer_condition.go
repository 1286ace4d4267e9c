package rewrite

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// OuterConditionRule keeps the engine from losing conditions of joins, and from reading fields that
// are not there.
//
// Where the engine changes the order of joins beside outer joins, it keeps what joins the tables at hand. So
// conditions of inner joins on a table that an outer join below may fill with NULLs, on
// one side only, and constants, are asked once more above the joins. Those on the outer query are moved there: of
// EXISTS the engine makes a semi or anti join, and takes them for conditions that join its sides to the outer query's
// tables in any order.
//
// Of a condition with a subquery the engine does not see what the subquery reads, and may compute it where that
// is not read yet: as the key of a hash, or before another table is joined. So it is moved above inner joins,
// as if it stood in WHERE; in an outer join, its fields are shown (see shownFields).
//
// Conditions on several tables of one side go where these are joined (see lowered), and outer joins whose NULLs a
// condition above rejects are inner joins.
//
// The rule is idempotent.
func OuterConditionRule(_ *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
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
			// One filter: where the engine makes a semi or anti join of a condition in it, it would lose another one below.
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

// filtered is a filter over a node, the node itself without conditions.
func filtered(conditions []sql.Expression, n sql.Node) sql.Node {
	if len(conditions) == 0 {
		return n
	}
	return plan.NewFilter(expression.JoinAnd(conditions...), n)
}

// joinConditions are the conditions of a join that every row of it fulfils, and which are to be asked above it.
type joinConditions struct {
	join  sql.Node         // without what is moved
	moved []sql.Expression // the join no longer asks them
	lost  []sql.Expression // the engine may lose them
}

// conditionsOf splits the conditions of joins, of a tree of joins with those tables.
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

// showNullable adds fields to a condition that reads the nullable side of an outer join below: the tables of that
// join's other side. Of those the engine takes some as enough for the condition, and would make it the only condition
// on which the nullable side is joined.
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

// PlainCondition is the condition of a join without the fields that are shown, which the engine needs
// for the order of joins only.
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

// filledTables are the tables of a join that an outer join may fill with NULLs.
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

// losable reports whether the engine may lose a condition that joins two sides: it reads a table that is filled with
// NULLs, one that is not among the joined ones, or no table; or it reads one side, and
// the engine may not move it there, as with <=> and, beside outer joins, IS NULL.
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

// readsOthers reports whether a condition reads columns of other tables than those: of the outer query.
func readsOthers(e sql.Expression, tables sql.FastIntSet) bool {
	return transform.InspectExpr(e, func(e sql.Expression) bool {
		f, ok := e.(*expression.GetField)
		return ok && !tables.Contains(int(f.TableId()))
	})
}

// oneDerived reports whether a condition that joins two sides reads one of them only, and there a derived table: the
// engine moves it to that side, and then loses what it can't give to a table.
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

// shownFields is a condition of a join, with fields of the joined tables that have to be read
// before it is asked: those that a subquery in it reads, or of what an outer join keeps.
type shownFields struct {
	condition sql.Expression
	fields    []sql.Expression
}

var _ sql.Expression = (*shownFields)(nil)

// showFields shows what a condition's subqueries read of tables.
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

// ShowUnnestedRule shows what the subqueries of a condition read, where the engine has made a semi or
// anti join of EXISTS: it may join a table that only they read behind that join.
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

// String is the condition's.
func (s *shownFields) String() string { return s.condition.String() }

// DebugString implements sql.DebugStringer.
func (s *shownFields) DebugString() string { return sql.DebugString(s.condition) }
