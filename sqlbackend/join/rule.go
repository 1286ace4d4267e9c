package join

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/rewrite"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// Rule chooses how the two sides of a join are matched. The engine doesn't know the document indexes, and hashes a
// side only where the condition consists of equalities. Otherwise it reads one side again for each row of the other.
// Rule reads one side in batches by the values of the other (see Side), or hashes it by the condition's equalities.
// The condition is still evaluated, so a match may find more rows than belong together, but not fewer.
//
// It is idempotent.
func Rule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, sel analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	s, ok := ctx.Session.(*session.Session)
	if !ok || !flags.JoinIsSet() || !setting.UsesIndex(ctx) {
		return n, transform.SameTree, nil
	}
	j := Joiner{Ctx: ctx, Session: s, Comparer: compare.Comparer{Ctx: ctx}}
	return tree.EachNode(n, sel, j.Node)
}

// Joiner plans the joins of a statement.
type Joiner struct {
	Ctx      *sql.Context
	Session  *session.Session
	Comparer compare.Comparer
}

func (j Joiner) Node(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	join, ok := n.(*plan.JoinNode)
	if !ok || join.Filter == nil || Planned(join) {
		return n, transform.SameTree, nil
	}
	switch join.Op {
	case plan.JoinTypeInner, plan.JoinTypeLeftOuter, plan.JoinTypeHash, plan.JoinTypeLeftOuterHash, plan.JoinTypeSemi,
		plan.JoinTypeAnti:
	default:
		return n, transform.SameTree, nil
	}
	same := transform.SameTree
	if plain, shown := rewrite.PlainCondition(join.Filter); shown {
		join = plan.NewJoin(join.Left(), join.Right(), join.Op,
			plain).WithScopeLen(join.ScopeLen).WithComment(join.Comment()).(*plan.JoinNode)
		n, same = join, transform.NewTree
	}
	m := MatchingOf(join)
	if MentionsTables(m.Right, tree.TablesOf(m.Left)) {
		return n, same, nil
	}
	next, err := j.inBucket(m)
	if err == nil && next == nil {
		next, err = j.lookedUp(m)
	}
	if err != nil {
		return n, transform.SameTree, mysqlerr.Of(j.Ctx, err)
	}
	if next != nil {
		return next, transform.NewTree, nil
	}
	if len(m.equal) == 0 {
		return n, same, nil
	}
	hashed, unchanged, err := j.hashed(m)
	return hashed, unchanged && same, err
}

// Planned reports whether a side of the join is already read in batches.
func Planned(join *plan.JoinNode) bool {
	_, _, ok := batchSide(join)
	return ok
}

// Matching has the parts of a join that a way is chosen from.
type Matching struct {
	join        *plan.JoinNode
	Left, Right sql.Node // without the nodes by which the engine hashes them
	Conjuncts   []sql.Expression
	equal       []equalPair // conjuncts by which the sides may be hashed
}

// equalPair is a conjunct that is an equality of an expression of the left side and one of the right side.
type equalPair struct {
	conjunct    int
	left, right sql.Expression // each side's operand
	turned      bool           // the right side's operand comes first
}

func MatchingOf(join *plan.JoinNode) *Matching {
	m := &Matching{join: join, Left: join.Left(), Right: join.Right(),
		Conjuncts: expression.SplitConjunction(join.Filter)}
	if h, ok := m.Right.(*plan.HashLookup); ok {
		m.Right = h.Child
	}
	left, right := tree.TablesOf(m.Left), tree.TablesOf(m.Right)
	for i, c := range m.Conjuncts {
		e, ok := c.(*expression.Equals)
		if !ok {
			continue
		}
		switch l, r := e.Left(), e.Right(); {
		case rewrite.Reads(l, left) && rewrite.Reads(r, right):
			m.equal = append(m.equal, equalPair{conjunct: i, left: l, right: r})
		case rewrite.Reads(r, left) && rewrite.Reads(l, right):
			m.equal = append(m.equal, equalPair{conjunct: i, left: r, right: l, turned: true})
		}
	}
	return m
}

// MentionsTables reports whether a node reads fields of the given tables beside it, as a former EXISTS subquery may.
// It then has other rows for each of their rows.
func MentionsTables(n sql.Node, tables sql.FastIntSet) bool {
	found := false
	transform.InspectExpressions(n, func(e sql.Expression) bool {
		switch e := e.(type) {
		case *expression.GetField:
			found = found || tables.Contains(int(e.TableId()))
		case *plan.Subquery:
			found = found || MentionsTables(e.Query, tables)
		}
		return !found
	})
	return found
}

// hashed plans the join with its right side hashed by the equalities, if it is a nested loop so far.
func (j Joiner) hashed(m *Matching) (sql.Node, transform.TreeIdentity, error) {
	join := m.join
	if join.Op.IsHash() || recursive(join.Right()) {
		return join, transform.SameTree, nil
	}
	if join.Op.IsPartial() {
		return j.hashedPartial(m)
	}
	var probe, entry []sql.Expression
	for _, e := range m.equal {
		if j.hashes(e) {
			probe, entry = append(probe, e.left), append(entry, e.right)
		}
	}
	if len(probe) == 0 {
		return join, transform.SameTree, nil
	}
	op := join.Op.AsHash()
	lookup := plan.NewHashLookup(m.Right, expression.NewTuple(entry...), expression.NewTuple(probe...), op)
	side, _, err := j.Comparer.HashLookup(lookup)
	if err != nil {
		return join, transform.SameTree, err
	}
	next := plan.NewJoin(m.Left, side, op, join.Filter).WithScopeLen(join.ScopeLen)
	return next.WithComment(join.Comment()), transform.NewTree, nil
}

// hashedPartial is hashed for a semi or an anti join.
func (j Joiner) hashedPartial(m *Matching) (sql.Node, transform.TreeIdentity, error) {
	side := &HashedSide{UnaryNode: plan.UnaryNode{Child: m.Right}}
	for _, e := range m.equal {
		if k, ok := j.hashKey(e); ok {
			k.known = m.knows(m.Conjuncts[e.conjunct])
			side.keys = append(side.keys, k)
		}
	}
	if len(side.keys) == 0 {
		return m.join, transform.SameTree, nil
	}
	next := plan.NewJoin(m.Left, side, m.join.Op.AsHash(), m.join.Filter).WithScopeLen(m.join.ScopeLen)
	sunk, err := j.sunk(next.WithComment(m.join.Comment()).(*plan.JoinNode))
	return sunk, transform.NewTree, err
}

// hashes reports whether equal values of the two sides have equal keys.
func (j Joiner) hashes(e equalPair) bool {
	l, r := j.Comparer.Class(e.left), j.Comparer.Class(e.right)
	if l == compare.ClassOther || r == compare.ClassOther {
		return types.TypesEqual(e.left.Type(), e.right.Type()) && !value.IsBytes(e.left)
	}
	return l != compare.ClassNull && r != compare.ClassNull
}

// recursive reports whether a node reads the table of a recursive CTE, which has other rows each time.
func recursive(n sql.Node) bool {
	found := false
	transform.Inspect(n, func(n sql.Node) bool {
		switch n.(type) {
		case *plan.RecursiveTable, *plan.RecursiveCte:
			found = true
		}
		return !found
	})
	return found
}
