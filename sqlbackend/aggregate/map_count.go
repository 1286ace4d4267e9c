package aggregate

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/companion"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/tables"
)

// mapCount is COUNT of the rows of a map index, without other aggregates. It reads the counter of the rows, or
// counts the keys in the spans of a path.
type mapCount struct {
	selected []sql.Expression
	schema   sql.Schema
	table    *companion.MapTable
	path     *companion.MapPath
}

var (
	_ sql.ExecSourceRel      = (*mapCount)(nil)
	_ sql.Projector          = (*mapCount)(nil)
	_ sql.CollationCoercible = (*mapCount)(nil)
	_ table.Explained        = (*mapCount)(nil)
)

// mapCountOf plans an aggregation with only COUNT of a map index's rows; nil for any other aggregation.
func mapCountOf(r aggregating, n *plan.GroupBy) (sql.Node, error) {
	if len(n.GroupByExprs) > 0 || !r.outermost {
		return nil, nil
	}
	child := n.Child
	if a, ok := child.(*plan.TableAlias); ok {
		child = a.Child
	}
	_, t, path, ok := companion.MapOf(child)
	if !ok {
		return nil, nil
	}
	for _, e := range n.SelectedExprs {
		if a, ok := e.(*expression.Alias); ok {
			e = a.Child
		}
		c, ok := e.(*aggregation.Count)
		if !ok {
			return nil, nil
		}
		switch of := tree.Unwrapped(c.Child).(type) {
		case *expression.Star:
		case *expression.Literal:
			if of.Value() == nil {
				return nil, nil
			}
		case *expression.GetField:
			if of.IsNullable() {
				return nil, nil
			}
		default:
			return nil, nil
		}
	}
	if path == nil {
		var err error
		if path, err = t.Everything(r.ctx); err != nil {
			return nil, err
		}
	}
	if path.Limit > 0 {
		return nil, nil
	}
	return &mapCount{selected: n.SelectedExprs, schema: n.Schema(), table: t, path: path}, nil
}

// counted reports whether the counter has the number of rows.
func (n *mapCount) counted() bool { return n.path.Spans.IsEverything() }

// Resolved implements sql.Node.
func (*mapCount) Resolved() bool { return true }

// String implements fmt.Stringer.
func (n *mapCount) String() string { return "Count " + n.table.Name() }

// Schema implements sql.Node.
func (n *mapCount) Schema() sql.Schema { return n.schema }

// Children implements sql.Node.
func (*mapCount) Children() []sql.Node { return nil }

// WithChildren implements sql.Node.
func (n *mapCount) WithChildren(children ...sql.Node) (sql.Node, error) {
	if len(children) != 0 {
		return nil, sql.ErrInvalidChildrenNumber.New(n, len(children), 0)
	}
	return n, nil
}

// IsReadOnly implements sql.Node.
func (*mapCount) IsReadOnly() bool { return true }

// ProjectedExprs implements sql.Projector.
func (n *mapCount) ProjectedExprs() []sql.Expression { return n.selected }

// CollationCoercibility implements sql.CollationCoercible.
func (*mapCount) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, 7
}

// Explain implements explained.
func (n *mapCount) Explain() table.Explanation {
	e := n.path.Explanation(n.table.Name())
	e.At = n.path.AccessPath
	if n.counted() {
		e.Access, e.Key, e.Operation, e.EntriesOnly = "", "", "Count of "+n.table.Name()+" from its counter", false
		e.Extra, e.Estimate = []string{"Select tables optimized away"}, nil
		return e
	}
	e.Operation = "Count keys of " + n.table.Name() + " using " + companion.MapKeyColumn
	return e
}

// RowIter implements sql.ExecSourceRel.
func (n *mapCount) RowIter(ctx *sql.Context, _ sql.Row) (sql.RowIter, error) {
	count, err := n.count(ctx)
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	row := make(sql.Row, len(n.schema))
	for i := range row {
		row[i] = count
	}
	return sql.RowsToRowIter(row), nil
}

func (n *mapCount) count(ctx *sql.Context) (int64, error) {
	r, err := n.table.Reader(ctx)
	if err != nil {
		return 0, err
	}
	var work tables.Work
	defer func() { n.table.Session.Work.Note(n.path.AccessPath, work) }()
	if n.counted() {
		work.Counters++
		c, err := n.table.Rows.Count(r, n.table.Number)
		return c.Entries, err
	}
	for _, span := range n.path.Spans {
		if err := n.keys(ctx, r, span, &work); err != nil {
			return 0, err
		}
	}
	return work.Entries, nil
}

// keys counts the keys of a span into work.Entries.
func (n *mapCount) keys(ctx *sql.Context, r kv.Reader, span indexes.Span, work *tables.Work) error {
	it := n.table.Rows.Rows(r, n.table.Number, span.Start, span.End, kv.RangeOptions{Streaming: kv.StreamAll})
	defer it.Close()
	for it.Next() {
		if work.Entries++; work.Entries%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return it.Err()
}
