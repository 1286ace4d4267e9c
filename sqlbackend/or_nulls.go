package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
)

// orNulls gives the rows that fulfil a condition, and one of NULLs where none does: the right side of a LEFT JOIN
// LATERAL.
type orNulls struct {
	plan.UnaryNode
	condition sql.Expression
}

var (
	_ sql.Node         = (*orNulls)(nil)
	_ sql.Expressioner = (*orNulls)(nil)
)

func newOrNulls(n sql.Node, condition sql.Expression) *orNulls {
	return &orNulls{plan.UnaryNode{Child: n}, condition}
}

// Schema implements sql.Node.
func (n *orNulls) Schema() sql.Schema {
	out := n.Child.Schema().Copy()
	for _, c := range out {
		c.Nullable = true
	}
	return out
}

// IsReadOnly implements sql.Node.
func (n *orNulls) IsReadOnly() bool { return n.Child.IsReadOnly() }

// String implements fmt.Stringer.
func (n *orNulls) String() string { return n.Child.String() }

// WithChildren implements sql.Node.
func (n *orNulls) WithChildren(children ...sql.Node) (sql.Node, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(n, len(children), 1)
	}
	return newOrNulls(children[0], n.condition), nil
}

// Expressions implements sql.Expressioner.
func (n *orNulls) Expressions() []sql.Expression { return []sql.Expression{n.condition} }

// WithExpressions implements sql.Expressioner.
func (n *orNulls) WithExpressions(exprs ...sql.Expression) (sql.Node, error) {
	if len(exprs) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(n, len(exprs), 1)
	}
	return newOrNulls(n.Child, exprs[0]), nil
}

// orNulls builds the iterator of the node.
func (x *executor) orNulls(ctx *sql.Context, n *orNulls, row sql.Row) (sql.RowIter, error) {
	rows, err := x.engine.Build(ctx, n.Child, row)
	if err != nil {
		return nil, err
	}
	return &operator.OrNullsIter{RowIter: rows, Condition: n.condition, Before: row, Width: len(n.Child.Schema())}, nil
}
