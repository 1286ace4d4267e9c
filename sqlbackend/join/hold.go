package join

import (
	"io"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// HeldSide is the right side of a nested loop, for one execution. Its rows are held once read, up to the limit. The
// engine alone would read them, and decode their documents, for each row of the left side.
type HeldSide struct {
	plan.UnaryNode
	limit int
	held  []sql.Row
	bytes int
	whole bool // held has all of its rows
	large bool // it is too large to be held
}

var _ operator.Node = (*HeldSide)(nil)

// Schema implements sql.Node.
func (s *HeldSide) Schema() sql.Schema { return s.Child.Schema() }

// IsReadOnly implements sql.Node.
func (s *HeldSide) IsReadOnly() bool { return s.Child.IsReadOnly() }

// String implements fmt.Stringer.
func (s *HeldSide) String() string { return s.Child.String() }

// WithChildren implements sql.Node.
func (s *HeldSide) WithChildren(children ...sql.Node) (sql.Node, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(s, len(children), 1)
	}
	return &HeldSide{UnaryNode: plan.UnaryNode{Child: children[0]}, limit: s.limit}, nil
}

// LoopHeld builds the iterator of a nested loop that holds its right side, if that has the same rows for each row of
// the left side. It is nil for other joins.
func LoopHeld(ctx *sql.Context, engine sql.NodeExecBuilder, join *plan.JoinNode, row sql.Row) (sql.RowIter, error) {
	switch join.Op {
	case plan.JoinTypeInner, plan.JoinTypeCross, plan.JoinTypeLeftOuter, plan.JoinTypeSemi, plan.JoinTypeAnti:
	default:
		return nil, nil
	}
	right := join.Right()
	if _, held := right.(*HeldSide); held || recursive(right) || MentionsTables(right, tree.TablesOf(join.Left())) {
		return nil, nil
	}
	side := &HeldSide{UnaryNode: plan.UnaryNode{Child: right}, limit: session.JoinBytes(ctx)}
	filter, err := remembering(ctx, join)
	if err != nil {
		return nil, err
	}
	next := plan.NewJoin(join.Left(), side, join.Op, filter).WithScopeLen(join.ScopeLen).WithComment(join.Comment())
	return engine.Build(ctx, next, row)
}

// Build implements operator.Node: it returns the held rows, or reads the side again.
func (s *HeldSide) Build(ctx *sql.Context, engine sql.NodeExecBuilder, row sql.Row) (sql.RowIter, error) {
	if s.whole {
		return &hold.StoppableRows{RowIter: sql.RowsToRowIter(s.held...)}, nil
	}
	it, err := engine.Build(ctx, s.Child, row)
	if err != nil {
		return nil, err
	}
	if s.large || plan.IsEmptyIter(it) {
		return it, nil
	}
	s.held, s.bytes = nil, 0
	return &holdingIter{RowIter: it, of: s}, nil
}

// holdingIter returns a side's rows and holds them.
type holdingIter struct {
	sql.RowIter
	hold.RowOwner
	of *HeldSide
}

// Next implements sql.RowIter.
func (i *holdingIter) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := i.RowIter.Next(ctx)
	s := i.of
	switch {
	case err == io.EOF:
		s.whole = !s.large
	case err != nil || s.large:
	default:
		if s.bytes += hold.RowBytes(row); s.bytes > s.limit {
			s.held, s.large, i.RowOwner = nil, true, hold.RowOwner{}
		} else {
			row = i.Own(row, 0)
			s.held = append(s.held, row)
		}
	}
	return row, err
}
