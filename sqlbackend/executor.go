package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/rowexec"
)

// executor builds the iterators of the nodes that the engine would build
// wrongly, and leaves all others to the engine.
type executor struct {
	engine sql.NodeExecBuilder // the engine's builder, which asks the executor first
}

// newExecutor is the engine's builder of iterators with ours before it.
func newExecutor() sql.NodeExecBuilder {
	x := &executor{}
	x.engine = rowexec.NewOverrideBuilder(x)
	return x.engine
}

// Build implements sql.NodeExecBuilder; nil leaves the node to the engine.
func (x *executor) Build(ctx *sql.Context, n sql.Node, row sql.Row) (sql.RowIter, error) {
	if iter, err := x.timed(ctx, n, row); iter != nil || err != nil {
		return iter, err
	}
	switch n := n.(type) {
	case *plan.DescribeQuery:
		return x.explain(ctx, n)
	case *plan.GroupBy:
		child, values, err := x.values(ctx, n.Child)
		if values == nil && err == nil {
			child, err = x.engine.Build(ctx, n.Child, row)
		}
		if err != nil {
			return nil, err
		}
		return &groupIter{child: child, values: values, selected: n.SelectedExprs, grouped: n.GroupByExprs}, nil
	case *plan.Distinct:
		child, err := x.engine.Build(ctx, n.Child, row)
		if err != nil {
			return nil, err
		}
		return &distinctIter{child: child, schema: n.Child.Schema()}, nil
	case *plan.OrderedDistinct:
		child, err := x.engine.Build(ctx, n.Child, row)
		if err != nil {
			return nil, err
		}
		return &distinctIter{child: child, schema: n.Child.Schema()}, nil
	case *plan.JoinNode:
		return x.batchedJoin(ctx, n, row)
	case *groupSort:
		child, err := x.engine.Build(ctx, n.Child, row)
		if err != nil {
			return nil, err
		}
		return &groupSortIter{child: child, fields: n.fields, sorted: n.sorted}, nil
	case *plan.SetOp:
		return x.setOperation(ctx, n, row)
	}
	return nil, nil
}
