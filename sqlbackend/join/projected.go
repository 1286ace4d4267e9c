package join

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/rewrite"
)

// Projected builds the iterator of a semi or anti join that withProjected changes; nil for others.
func Projected(ctx *sql.Context, engine sql.NodeExecBuilder, join *plan.JoinNode, row sql.Row) (sql.RowIter, error) {
	next, err := withProjected(join, len(row))
	if next == join || err != nil {
		return nil, err
	}
	return engine.Build(ctx, next, row)
}

// withProjected makes the condition of a semi or anti join read its right side's projected columns where it would
// compute them again. The engine turns x IN (SELECT y + 1 FROM t) into a join on x = y + 1. Its rows have a column y
// + 1, but none of y. outer is the number of columns of the outer query's row.
func withProjected(join *plan.JoinNode, outer int) (*plan.JoinNode, error) {
	if join.Filter == nil || !join.Op.IsSemi() && !join.Op.IsAnti() {
		return join, nil
	}
	projected := projectionOf(join.Right())
	if projected == nil {
		return join, nil
	}
	condition, begin := join.Filter, outer+len(join.Left().Schema())
	for i, p := range projected.Projections {
		switch p.(type) {
		case *expression.GetField, *expression.Alias, *expression.Literal:
			continue
		}
		text := p.String()
		column := expression.NewGetField(begin+i, p.Type(), text, p.IsNullable())
		var err error
		if condition, err = rewrite.ReplaceAlike(condition, p, text, column); err != nil {
			return nil, err
		}
	}
	if functions.SameExpression(condition, join.Filter) {
		return join, nil
	}
	return plan.NewJoin(join.Left(), join.Right(), join.Op,
		condition).WithScopeLen(join.ScopeLen).WithComment(join.Comment()).(*plan.JoinNode), nil
}

// projectionOf returns the projection that computes a side's columns; nil if there is none.
func projectionOf(n sql.Node) *plan.Project {
	for {
		switch at := n.(type) {
		case *plan.Project:
			return at
		case *HashedSide, *Side, *BucketSide, *HeldSide, *plan.HashLookup, *plan.CachedResults, *plan.Distinct,
			*plan.OrderedDistinct, *plan.Limit, *plan.Offset, *plan.Sort, *plan.TopN, *plan.Max1Row:
			n = n.Children()[0]
		default:
			return nil
		}
	}
}
