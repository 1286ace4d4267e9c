package join

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/rewrite"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// sunk is a semi or an anti join whose right side is hashed, put below the joins on its left that it asks one side of:
// what it leaves out is then not joined. It asks no more rows than before, as far as sizes tell.
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
		// What is read again for each row of the other side would hash again, too.
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

// asks reports whether the condition of a semi join reads nothing of its left side but of a part of that, which may be
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
