package sqlbackend

import (
	"io"
	"sort"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
)

// groupSort sorts rows that are sorted by the first of its fields already: those with
// equal values there, one group after the other. So it reads no further than the group
// of the last row that is taken.
type groupSort struct {
	plan.UnaryNode
	fields sql.SortFields
	sorted int // fields that the rows are sorted by
}

var (
	_ sql.Node               = (*groupSort)(nil)
	_ sql.Expressioner       = (*groupSort)(nil)
	_ sql.CollationCoercible = (*groupSort)(nil)
	_ plan.Sortable          = (*groupSort)(nil)
	_ explained              = (*groupSort)(nil)
)

// newGroupSort sorts a node's rows, which are sorted by the first fields already.
func newGroupSort(fields sql.SortFields, sorted int, child sql.Node) sql.Node {
	return &groupSort{UnaryNode: plan.UnaryNode{Child: child}, fields: fields, sorted: sorted}
}

// Resolved implements sql.Node.
func (n *groupSort) Resolved() bool {
	return n.Child.Resolved() && expression.ExpressionsResolved(n.Expressions()...)
}

// IsReadOnly implements sql.Node.
func (n *groupSort) IsReadOnly() bool { return n.Child.IsReadOnly() }

// GetSortFields implements plan.Sortable.
func (n *groupSort) GetSortFields() sql.SortFields { return n.fields }

// Expressions implements sql.Expressioner.
func (n *groupSort) Expressions() []sql.Expression { return n.fields.ToExpressions() }

// WithExpressions implements sql.Expressioner.
func (n *groupSort) WithExpressions(exprs ...sql.Expression) (sql.Node, error) {
	if len(exprs) != len(n.fields) {
		return nil, sql.ErrInvalidChildrenNumber.New(n, len(exprs), len(n.fields))
	}
	next := *n
	next.fields = n.fields.FromExpressions(exprs...)
	return &next, nil
}

// WithChildren implements sql.Node.
func (n *groupSort) WithChildren(children ...sql.Node) (sql.Node, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(n, len(children), 1)
	}
	next := *n
	next.Child = children[0]
	return &next, nil
}

// CollationCoercibility implements sql.CollationCoercible.
func (n *groupSort) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, n.Child)
}

// explain implements explained.
func (n *groupSort) explain() explanation {
	return explanation{
		operation: "Sort within equal " + sortText(n.fields[:n.sorted]), detail: sortText(n.fields),
		extra: []string{"Using filesort"},
	}
}

// String implements fmt.Stringer.
func (n *groupSort) String() string { return n.show(n.Child.String()) }

// DebugString implements sql.DebugStringer.
func (n *groupSort) DebugString() string { return n.show(sql.DebugString(n.Child)) }

func (n *groupSort) show(child string) string {
	pr := sql.NewTreePrinter()
	_ = pr.WriteNode("Sort(%s within equal %s)", sortText(n.fields), sortText(n.fields[:n.sorted]))
	_ = pr.WriteChildren(child)
	return pr.String()
}

// groupSortIter sorts group by group.
type groupSortIter struct {
	child  sql.RowIter
	fields sql.SortFields
	sorted int
	rows   []sql.Row // of the group that is given out
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
		row, err := i.child.Next(ctx)
		if err != nil {
			return err
		}
		i.next = row
	}
	if i.next == nil {
		return io.EOF
	}
	all := &expression.Sorter{SortFields: i.fields, Rows: []sql.Row{i.next}, Ctx: ctx}
	pair := &expression.Sorter{SortFields: i.fields[:i.sorted], Rows: make([]sql.Row, 2), Ctx: ctx}
	for {
		row, err := i.child.Next(ctx)
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
	return i.child.Close(ctx)
}
