package operator

import (
	"io"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
)

// lateralIter returns the rows of a join whose right side reads the left side's row.
type lateralIter struct {
	sql.RowIter // of the left side
	Join        *plan.JoinNode
	Engine      sql.NodeExecBuilder
	Outer       sql.Row // the outer query's row, then the other side's row of an enclosing join
	Right       sql.Node
	Width       int // number of columns of the right side

	left   sql.Row     // the left side's row
	rows   sql.RowIter // of the right side for left; nil: not started
	before int         // number of values before the right side's columns in its rows
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
			if err == nil && !i.found && i.Join.Op == plan.JoinTypeLateralLeft { // JSON_TABLE
				return i.give(slices.Concat(i.Outer, i.left, make(sql.Row, i.Width))), nil
			}
			if err != nil {
				return nil, err
			}
			continue
		case err != nil:
			return nil, err
		}
		joined := slices.Concat(i.Outer, i.left, right[i.before:])
		if i.Join.Filter != nil {
			ok, err := sql.EvaluateCondition(ctx, i.Join.Filter, joined)
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

// begin reads a row of the left side, and starts the right side for it.
func (i *lateralIter) begin(ctx *sql.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	left, err := i.RowIter.Next(ctx)
	if err != nil {
		return err
	}
	right, _, err := transform.Node(i.Right, plan.PrependRowInPlan(left, true))
	if err != nil {
		return err
	}
	row := slices.Concat(i.Outer[:i.Join.ScopeLen], left)
	i.left, i.found, i.before = left, false, len(row)
	i.rows, err = i.Engine.Build(ctx, right, row)
	return err
}

// give makes a result row from a joined row. Of Outer it keeps only the join's ScopeLen values.
func (i *lateralIter) give(joined sql.Row) sql.Row {
	return slices.Delete(joined, i.Join.ScopeLen, len(i.Outer))
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

// Lateral builds a join whose right side reads the left side's row; nil for others. The engine's own iterator loses
// the outer query's row in a subquery, and the other side's row in an enclosing join.
func Lateral(ctx *sql.Context, engine sql.NodeExecBuilder, join *plan.JoinNode, outer sql.Row) (sql.RowIter, error) {
	if !join.Op.IsLateral() {
		return nil, nil
	}
	left, err := engine.Build(ctx, join.Left(), outer)
	if err != nil {
		return nil, err
	}
	right := join.Right()
	if strip, ok := right.(*plan.StripRowNode); ok {
		right = strip.Child
	}
	return &lateralIter{RowIter: left, Join: join, Engine: engine, Outer: outer, Right: right,
		Width: len(right.Schema())}, nil
}
