package order

import (
	"io"
	"sort"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// GroupSort sorts rows that are already sorted by its first fields: it sorts the rows with equal values there, one
// group after the other. So it reads only up to the end of the last needed row's group.
type GroupSort struct {
	plan.UnaryNode
	Fields sql.SortFields
	Sorted int // number of fields that the rows are already sorted by
}

var (
	_ operator.Node          = (*GroupSort)(nil)
	_ sql.Expressioner       = (*GroupSort)(nil)
	_ sql.CollationCoercible = (*GroupSort)(nil)
	_ plan.Sortable          = (*GroupSort)(nil)
	_ table.Explained        = (*GroupSort)(nil)
)

// newGroupSort sorts a node's rows, which are already sorted by the first sorted fields.
func newGroupSort(fields sql.SortFields, sorted int, child sql.Node) sql.Node {
	return &GroupSort{UnaryNode: plan.UnaryNode{Child: child}, Fields: fields, Sorted: sorted}
}

// Resolved implements sql.Node.
func (n *GroupSort) Resolved() bool {
	return n.Child.Resolved() && expression.ExpressionsResolved(n.Expressions()...)
}

// IsReadOnly implements sql.Node.
func (n *GroupSort) IsReadOnly() bool { return n.Child.IsReadOnly() }

// GetSortFields implements plan.Sortable.
func (n *GroupSort) GetSortFields() sql.SortFields { return n.Fields }

// Expressions implements sql.Expressioner.
func (n *GroupSort) Expressions() []sql.Expression { return n.Fields.ToExpressions() }

// WithExpressions implements sql.Expressioner.
func (n *GroupSort) WithExpressions(exprs ...sql.Expression) (sql.Node, error) {
	if len(exprs) != len(n.Fields) {
		return nil, sql.ErrInvalidChildrenNumber.New(n, len(exprs), len(n.Fields))
	}
	next := *n
	next.Fields = n.Fields.FromExpressions(exprs...)
	return &next, nil
}

// WithChildren implements sql.Node.
func (n *GroupSort) WithChildren(children ...sql.Node) (sql.Node, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(n, len(children), 1)
	}
	next := *n
	next.Child = children[0]
	return &next, nil
}

// CollationCoercibility implements sql.CollationCoercible.
func (n *GroupSort) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, n.Child)
}

// Explain implements explained.
func (n *GroupSort) Explain() table.Explanation {
	return table.Explanation{
		Operation: "Sort within equal " + operator.SortText(n.Fields[:n.Sorted]), Detail: operator.SortText(n.Fields),
		Extra: []string{"Using filesort"},
	}
}

// String implements fmt.Stringer.
func (n *GroupSort) String() string { return n.show(n.Child.String()) }

// DebugString implements sql.DebugStringer.
func (n *GroupSort) DebugString() string { return n.show(sql.DebugString(n.Child)) }

func (n *GroupSort) show(child string) string {
	pr := sql.NewTreePrinter()
	_ = pr.WriteNode("Sort(%s within equal %s)", operator.SortText(n.Fields), operator.SortText(n.Fields[:n.Sorted]))
	_ = pr.WriteChildren(child)
	return pr.String()
}

// Build implements operator.Node.
func (n *GroupSort) Build(ctx *sql.Context, engine sql.NodeExecBuilder, row sql.Row) (sql.RowIter, error) {
	child, err := engine.Build(ctx, n.Child, row)
	if err != nil {
		return nil, err
	}
	return &groupSortIter{Child: child, Fields: n.Fields, Sorted: n.Sorted}, nil
}

// groupSortIter sorts group by group.
type groupSortIter struct {
	Child  sql.RowIter
	Fields sql.SortFields
	Sorted int
	rows   []sql.Row // of the current group, still to be given
	next   sql.Row   // the first row of the next group; nil at the end
	begun  bool
}

// Next implements sql.RowIter.
func (i *groupSortIter) Next(ctx *sql.Context) (sql.Row, error) {
	if len(i.rows) == 0 {
		if err := i.group(ctx); err != nil {
			return nil, err
		}
	}
	row := i.rows[0]
	i.rows = i.rows[1:]
	return row, nil
}

// group reads the next group; io.EOF if there is none.
func (i *groupSortIter) group(ctx *sql.Context) error {
	if !i.begun {
		i.begun = true
		row, err := i.Child.Next(ctx)
		if err != nil {
			return err
		}
		i.next = row
	}
	if i.next == nil {
		return io.EOF
	}
	all := &expression.Sorter{SortFields: i.Fields, Rows: []sql.Row{i.next}, Ctx: ctx}
	pair := &expression.Sorter{SortFields: i.Fields[:i.Sorted], Rows: make([]sql.Row, 2), Ctx: ctx}
	for {
		row, err := i.Child.Next(ctx)
		if err == io.EOF {
			i.next = nil
			break
		}
		if err != nil {
			return err
		}
		pair.Rows[0], pair.Rows[1] = all.Rows[0], row
		apart := pair.Less(0, 1) || pair.Less(1, 0)
		if pair.LastError != nil {
			return pair.LastError
		}
		if apart {
			i.next = row
			break
		}
		all.Rows = append(all.Rows, row)
	}
	sort.Stable(all)
	i.rows = all.Rows
	return all.LastError
}

// Close implements sql.RowIter.
func (i *groupSortIter) Close(ctx *sql.Context) error {
	i.rows, i.next = nil, nil
	return i.Child.Close(ctx)
}
