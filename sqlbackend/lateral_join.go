package sqlbackend

import (
	"io"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
)

// lateralJoin builds the iterator of a join whose right side reads the row of the left one. The engine's own loses the
// row of the outer query, where the join stands in a subquery, and that of the other side, where it stands in another
// join.
func (x *executor) lateralJoin(ctx *sql.Context, join *plan.JoinNode, outer sql.Row) (sql.RowIter, error) {
	left, err := x.engine.Build(ctx, join.Left(), outer)
	if err != nil {
		return nil, err
	}
	right := join.Right()
	if strip, ok := right.(*plan.StripRowNode); ok {
		right = strip.Child
	}
	return &lateralIter{RowIter: left, join: join, engine: x.engine, outer: outer, right: right,
		width: len(right.Schema())}, nil
}

// lateralIter gives the rows of a join whose right side reads the row of the left one.
type lateralIter struct {
	sql.RowIter // of the left side
	join        *plan.JoinNode
	engine      sql.NodeExecBuilder
	outer       sql.Row // the outer query's, then that of the other side of a join around it
	right       sql.Node
	width       int // of the right side's rows

	left   sql.Row     // the left side's row
	rows   sql.RowIter // of the right side for it; nil where there is none
	before int         // how much of the outer query's row and of the left one stands before the right side's columns
	found  bool
}

// Next implements sql.RowIter.
func (i *lateralIter) Next(ctx *sql.Context) (sql.Row, error) {
	for {
		if i.rows == nil {
			if err := i.begin(ctx); err != nil {
				return nil, err
			}
		}
		right, err := i.rows.Next(ctx)
		switch {
		case err == io.EOF:
			err = i.rows.Close(ctx)
			i.rows = nil
			if err == nil && !i.found && i.join.Op == plan.JoinTypeLateralLeft { // JSON_TABLE
				return i.give(slices.Concat(i.outer, i.left, make(sql.Row, i.width))), nil
			}
			if err != nil {
				return nil, err
			}
			continue
		case err != nil:
			return nil, err
		}
		joined := slices.Concat(i.outer, i.left, right[i.before:])
		if i.join.Filter != nil {
			ok, err := sql.EvaluateCondition(ctx, i.join.Filter, joined)
			if err != nil {
				return nil, err
			}
			if !sql.IsTrue(ok) {
				continue
			}
		}
		i.found = true
		return i.give(joined), nil
	}
}

// begin reads a row of the left side, and begins the right side for it.
func (i *lateralIter) begin(ctx *sql.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	left, err := i.RowIter.Next(ctx)
	if err != nil {
		return err
	}
	right, _, err := transform.Node(i.right, plan.PrependRowInPlan(left, true))
	if err != nil {
		return err
	}
	row := slices.Concat(i.outer[:i.join.ScopeLen], left)
	i.left, i.found, i.before = left, false, len(row)
	i.rows, err = i.engine.Build(ctx, right, row)
	return err
}

// give makes a row of the result of a joined row, with no more of what stands before it than the join's scope has.
func (i *lateralIter) give(joined sql.Row) sql.Row {
	return slices.Delete(joined, i.join.ScopeLen, len(i.outer))
}

// Close implements sql.RowIter.
func (i *lateralIter) Close(ctx *sql.Context) error {
	err := i.RowIter.Close(ctx)
	if i.rows != nil {
		if failed := i.rows.Close(ctx); err == nil {
			err = failed
		}
		i.rows = nil
	}
	return err
}
