package aggregate

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/kernel"
	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// groupedValues builds the rows below an aggregation whose table is read value by value; nil where it is not.
func groupedValues(ctx *sql.Context, n sql.Node) (sql.RowIter, *Rows, error) {
	switch n := n.(type) {
	case *plan.Filter:
		child, values, err := groupedValues(ctx, n.Child)
		if values == nil || err != nil {
			return nil, nil, err
		}
		return session.Watched(ctx, n, &operator.FilterIter{Child: child, Condition: kernel.Of(n.Expression)}), values, nil
	case *plan.PrependNode:
		child, values, err := groupedValues(ctx, n.Child)
		if values == nil || err != nil {
			return nil, nil, err
		}
		return &prefixedRows{row: n.Row, child: child}, values, nil
	case *plan.TableAlias:
		return groupedValues(ctx, n.Child)
	case *plan.IndexedTableAccess:
		path, ok := plan.GetIndexLookup(n).Ranges.(*Path)
		if !ok {
			return nil, nil, nil
		}
		values, err := Values(ctx, path)
		if err != nil {
			return nil, nil, err
		}
		return session.Watched(ctx, n, values), values, nil
	}
	return nil, nil, nil
}

// prefixedRows iterates over the rows of a subquery, each appended to the row of the outer query.
type prefixedRows struct {
	row   sql.Row
	child sql.RowIter
}

// Next implements sql.RowIter.
func (i *prefixedRows) Next(ctx *sql.Context) (sql.Row, error) {
	next, err := i.child.Next(ctx)
	if err != nil {
		return nil, err
	}
	return i.row.Append(next), nil
}

// Close implements sql.RowIter.
func (i *prefixedRows) Close(ctx *sql.Context) error { return i.child.Close(ctx) }
