package operator

import (
	"io"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
)

// orNullsIter returns the rows that satisfy a condition, or one row of NULLs if none does.
type orNullsIter struct {
	sql.RowIter
	Condition sql.Expression
	Before    sql.Row // values before the columns in each row
	Width     int     // number of columns
	found     bool
}

// Next implements sql.RowIter.
func (i *orNullsIter) Next(ctx *sql.Context) (sql.Row, error) {
	for {
		row, err := i.RowIter.Next(ctx)
		if err == io.EOF && !i.found {
			i.found = true
			return append(i.Before[:len(i.Before):len(i.Before)], make(sql.Row, i.Width)...), nil
		}
		if err != nil {
			return nil, err
		}
		ok, err := sql.EvaluateCondition(ctx, i.Condition, row)
		if err != nil {
			return nil, err
		}
		if sql.IsTrue(ok) {
			i.found = true
			return row, nil
		}
	}
}

// OrNulls returns the rows that satisfy a condition, or one row of NULLs if none does. It is the right side of a
// LEFT JOIN LATERAL.
type OrNulls struct {
	plan.UnaryNode
	Condition sql.Expression
}

var (
	_ sql.Node         = (*OrNulls)(nil)
	_ sql.Expressioner = (*OrNulls)(nil)
)

// NewOrNulls returns an OrNulls over a node.
func NewOrNulls(n sql.Node, condition sql.Expression) *OrNulls {
	return &OrNulls{plan.UnaryNode{Child: n}, condition}
}

// Schema implements sql.Node.
func (n *OrNulls) Schema() sql.Schema {
	out := n.Child.Schema().Copy()
	for _, c := range out {
		c.Nullable = true
	}
	return out
}

// IsReadOnly implements sql.Node.
func (n *OrNulls) IsReadOnly() bool { return n.Child.IsReadOnly() }

// String implements fmt.Stringer.
func (n *OrNulls) String() string { return n.Child.String() }

// WithChildren implements sql.Node.
func (n *OrNulls) WithChildren(children ...sql.Node) (sql.Node, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(n, len(children), 1)
	}
	return NewOrNulls(children[0], n.Condition), nil
}

// Expressions implements sql.Expressioner.
func (n *OrNulls) Expressions() []sql.Expression { return []sql.Expression{n.Condition} }

// WithExpressions implements sql.Expressioner.
func (n *OrNulls) WithExpressions(exprs ...sql.Expression) (sql.Node, error) {
	if len(exprs) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(n, len(exprs), 1)
	}
	return NewOrNulls(n.Child, exprs[0]), nil
}

// Build implements Node.
func (n *OrNulls) Build(ctx *sql.Context, engine sql.NodeExecBuilder, row sql.Row) (sql.RowIter, error) {
	rows, err := engine.Build(ctx, n.Child, row)
	if err != nil {
		return nil, err
	}
	return &orNullsIter{RowIter: rows, Condition: n.Condition, Before: row, Width: len(n.Child.Schema())}, nil
}
