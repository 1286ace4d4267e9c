package join

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/rewrite"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// sunk moves a semi or anti join whose right side is hashed below a join on its left, if it reads only one side of
// that join. The rows that it drops are then not joined. It does so only if it tests no more rows then, by the
// estimates.
func (j Joiner) sunk(semi *plan.JoinNode) (sql.Node, error) {
	below, ok := semi.Left().(*plan.JoinNode)
	if !ok {
		return semi, nil
	}
	left, right := below.Left(), below.Right()
	hash, hashed := right.(*plan.HashLookup)
	if hashed {
		right = hash.Child
	}
	_, leftLookedUp := left.(*Side)
	at, of := 0, left
	switch below.Op {
	case plan.JoinTypeHash, plan.JoinTypeLookup:
		if asks(semi, left) {
			break
		}
		// A side that is read again for each row of the other side would also be hashed again.
		if !hashed && !leftLookedUp || !asks(semi, right) {
			return semi, nil
		}
		at, of = 1, right
	case plan.JoinTypeInner, plan.JoinTypeCross, plan.JoinTypeCrossHash, plan.JoinTypeLeftOuter,
		plan.JoinTypeLeftOuterHash, plan.JoinTypeLeftOuterLookup:
		if !asks(semi, left) {
			return semi, nil
		}
	default:
		return semi, nil
	}
	if j.SizeOf(of).Rows > j.SizeOf(below).Rows {
		return semi, nil
	}
	next := plan.NewJoin(of, semi.Right(), semi.Op, semi.Filter).WithScopeLen(semi.ScopeLen)
	lower, err := j.sunk(next.WithComment(semi.Comment()).(*plan.JoinNode))
	if err != nil {
		return semi, err
	}
	sides := []sql.Node{below.Left(), below.Right()}
	if sides[at] = lower; at == 1 && hashed {
		if sides[at], err = hash.WithChildren(lower); err != nil {
			return semi, err
		}
	}
	return below.WithChildren(sides...)
}

// asks reports whether the condition of a semi join reads of its left side only one part, and that part may be
// replaced.
func asks(semi *plan.JoinNode, part sql.Node) bool {
	switch part.(type) {
	case *Side, *HashedSide, *BucketSide:
		return false
	}
	steady := true
	sql.Inspect(semi.Filter, func(e sql.Expression) bool {
		_, variable := e.(*expression.UserVar)
		steady = steady && !variable && !functions.IsVolatile(e)
		return steady
	})
	return steady && rewrite.Reads(semi.Filter, tree.TablesOf(part).Union(tree.TablesOf(semi.Right())))
}
