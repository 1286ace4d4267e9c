package sqlbackend

import (
	"cmp"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/rowexec"

	"github.com/sqlfdb/sqlfdb/sqlbackend/aggregate"
	"github.com/sqlfdb/sqlfdb/sqlbackend/batch"
	"github.com/sqlfdb/sqlfdb/sqlbackend/ddl"
	"github.com/sqlfdb/sqlfdb/sqlbackend/explain"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/information"
	"github.com/sqlfdb/sqlfdb/sqlbackend/join"
	"github.com/sqlfdb/sqlfdb/sqlbackend/kernel"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/order"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/subquery"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
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
	if iter, err := explain.Timed(ctx, x.engine, n, row); iter != nil || err != nil {
		return iter, err
	}
	switch n := n.(type) {
	case *plan.DescribeQuery:
		return explain.Query(ctx, x.engine, n)
	case *plan.Filter:
		if l, constant := n.Expression.(*expression.Literal); constant && l.Val == false {
			return sql.RowsToRowIter(), nil // a side of a join, see keepSides
		}
		child, err := x.engine.Build(ctx, n.Child, row)
		if err != nil {
			return nil, err
		}
		return &operator.FilterIter{Child: child, Condition: kernel.Of(n.Expression)}, nil
	case *plan.GroupBy:
		child, values, err := aggregate.GroupedValues(ctx, n.Child)
		if values == nil && err == nil {
			child, err = x.engine.Build(ctx, n.Child, row)
		}
		if err != nil {
			return nil, err
		}
		return &groupIter{child: child, values: values, selected: n.SelectedExprs,
				grouped: operator.Kernels(n.GroupByExprs)},
			nil
	case *plan.Distinct:
		child, err := x.engine.Build(ctx, n.Child, row)
		if err != nil {
			return nil, err
		}
		return &operator.DistinctIter{Child: child, Schema: n.Child.Schema()}, nil
	case *plan.OrderedDistinct:
		child, err := x.engine.Build(ctx, n.Child, row)
		if err != nil {
			return nil, err
		}
		return &operator.DistinctIter{Child: child, Schema: n.Child.Schema()}, nil
	case *plan.RecursiveTable, *plan.ValueDerivedTable:
		rows, err := rowexec.DefaultBuilder.Build(ctx, n, row)
		if err != nil {
			return nil, err
		}
		return &hold.StoppableRows{RowIter: rows}, nil
	case *plan.CreateCheck:
		return ddl.CreateCheck(ctx, x.engine, n)
	case *plan.JSONTable:
		return functions.JSONTable(ctx, n, row)
	case *plan.JoinNode:
		next, err := join.WithProjected(n, len(row))
		if err != nil {
			return nil, err
		}
		if next != n {
			return x.engine.Build(ctx, next, row)
		}
		if it, err := join.Batched(ctx, x.engine, n, row); it != nil || err != nil {
			return it, err
		}
		if it, err := join.HashJoin(ctx, x.engine, n, row); it != nil || err != nil {
			return it, err
		}
		if n.Op.IsLateral() {
			return x.lateralJoin(ctx, n, row)
		}
		return join.LoopHeld(ctx, x.engine, n, row)
	case *subquery.Rows:
		return n.Rows(ctx, row)
	case *operator.OrNulls:
		return x.orNulls(ctx, n, row)
	case *join.HeldSide:
		return n.Rows(ctx, x.engine, row)
	case *hold.HeldRows:
		child, err := x.engine.Build(ctx, n.Child, row)
		if err != nil || plan.IsEmptyIter(child) {
			return child, err
		}
		return &hold.HeldIter{RowIter: child}, nil
	case *order.GroupSort:
		child, err := x.engine.Build(ctx, n.Child, row)
		if err != nil {
			return nil, err
		}
		return &order.GroupSortIter{Child: child, Fields: n.Fields, Sorted: n.Sorted}, nil
	case *order.LimitedDrive:
		rows, err := x.engine.Build(ctx, n.Child, row)
		if err != nil {
			return nil, err
		}
		return &order.LimitedDriveIter{RowIter: rows, Left: n.Most}, nil
	case *aggregate.SeparateGroups:
		return &aggregate.SeparateGroupsIter{Of: n}, nil
	case *aggregate.SeparateAggregates:
		return &aggregate.SeparateAggregatesIter{Of: n, Build: func(ctx *sql.Context, n sql.Node) (sql.RowIter,
			error) {
			return x.engine.Build(ctx, n, row)
		}}, nil
	case *order.BoundedOrder:
		walk, err := x.engine.Build(ctx, n.Walk, row)
		if err != nil {
			return nil, err
		}
		sorted := func(ctx *sql.Context) (sql.RowIter, error) {
			sorted, err := n.Sort()
			if err != nil {
				return nil, err
			}
			return x.engine.Build(ctx, sorted, row)
		}
		return &order.BoundedOrderIter{Rows: operator.Signed(walk), Sorted: sorted, Wanted: n.Rows, Doubted: n.Doubted,
			Enough: n.Enough,
			Width:  len(n.Walk.Schema())}, nil
	case *plan.Window:
		input, of, err := operator.WindowWithInput(n)
		if err != nil {
			return nil, err
		}
		if of != nil {
			rows, err := x.engine.Build(ctx, of, row)
			if err != nil {
				return nil, mysqlerr.Joined(err, input.Close(ctx))
			}
			return operator.WindowRows{RowIter: hold.StoppableIter{RowIter: rows}, Input: input}, nil
		}
	case *operator.WindowInput:
		rows, err := x.engine.Build(ctx, n.Node, row)
		if err != nil {
			return nil, err
		}
		n.Rows = operator.WindowInputIter{RowIter: &hold.HeldIter{RowIter: rows, Extra: n.Beside, Trailing: 1}, Input: n}
		return n.Rows, nil
	case *plan.Project:
		return x.project(ctx, n, row)
	case *plan.Offset:
		return x.offset(ctx, n, row)
	case *plan.Limit:
		if iter, err := x.foundRows(ctx, n, row); iter != nil || err != nil {
			return iter, err
		}
		// of what writes; the engine has done so for what reads
		if sorted, ok := n.Child.(*plan.Sort); ok && batch.Running(ctx) == nil {
			return x.engine.Build(ctx, plan.NewTopN(sorted.SortFields, n.Limit,
				sorted.Child).WithCalcFoundRows(n.CalcFoundRows),
				row)
		}
		return batch.Limit(ctx, x.engine, n, n.Limit, row)
	case *plan.Sort:
		if b := batch.Running(ctx); b != nil && b.Shape.By == table.ByKeys {
			if b.Shape.Ranked {
				return batch.RankedRows(ctx, x.engine, b, n.SortFields, n.Child, row)
			}
			if b.Shape.Unordered {
				return x.engine.Build(ctx, n.Child, row)
			}
		}
		if iter, err := x.sortKeyed(ctx, n, row); iter != nil || err != nil {
			return iter, err
		}
		if fields, ok := hold.StoppableFields(n.SortFields); ok {
			return x.engine.Build(ctx, plan.NewSort(fields, hold.HoldRows(n.Child)), row)
		}
	case *plan.TopN:
		if iter, err := batch.Limit(ctx, x.engine, n, n.Limit, row); iter != nil || err != nil {
			return iter, err
		}
		return x.first(ctx, n, row)
	case *plan.InsertInto:
		if n := batch.CountGiven(ctx, n); n != nil {
			return x.engine.Build(ctx, n, row)
		}
		if n := table.InsertAhead(n); n != nil {
			return x.engine.Build(ctx, n, row)
		}
		return batch.Insert(ctx, x.engine, n, row)
	case *plan.LoadData:
		return batch.LoadRows(ctx, n)
	case *plan.Values:
		return batch.TupleRows(ctx, n)
	case *plan.UpdateSource:
		if _, stamped := n.Child.(*table.StampedSource); stamped {
			return nil, nil
		}
		if found := updateStamps(n); found != nil {
			next := *n
			next.Child = &table.StampedSource{Node: cmp.Or(table.ChangeAhead(n.Child), n.Child)}
			rows, err := x.engine.Build(ctx, &next, row)
			return &table.StampedIter{RowIter: rows, Schema: n.Child.Schema(), Found: found}, err
		}
		if child := table.ChangeAhead(n.Child); child != nil {
			next := *n
			next.Child = child
			return x.engine.Build(ctx, &next, row)
		}
	case *plan.DeleteFrom:
		if counted, err := countedDelete(n); counted != nil || err != nil {
			if err != nil {
				return nil, err
			}
			return x.engine.Build(ctx, counted, row)
		}
		if child := table.ChangeAhead(n.Child); child != nil {
			next := *n
			next.Child = child
			return x.engine.Build(ctx, &next, row)
		}
	case *table.StampedSource:
		return x.engine.Build(ctx, n.Node, row)
	case *joinedTargets:
		rows, err := x.engine.Build(ctx, n.Node, row)
		if err != nil {
			return nil, err
		}
		return newJoinedTargetsIter(rows, n), nil
	case *batch.GivenRows:
		rows, err := x.engine.Build(ctx, n.Child, row)
		return batch.GivenIter{RowIter: rows, Of: &ctx.Session.(*session.Session).Insertion}, err
	case *table.AheadSource:
		return n.Build(ctx, x.engine, row)
	case *plan.ShowDatabases:
		return information.ShowDatabases(ctx, n)
	case *plan.TableCopier:
		return ddl.CreateSelected(ctx, x.engine, n)
	case *ddl.SelectedRows:
		return x.engine.Build(ctx, n.Query, row)
	case *plan.DropTable:
		return ddl.TablesDropped(ctx, n)
	case *plan.CreateForeignKey:
		return ddl.ForeignKeyAdded(ctx, n)
	case *plan.DropForeignKey:
		return ddl.ForeignKeyDropped(ctx, n)
	case *plan.Kill:
		return x.kills(ctx, n)
	case *plan.SetOp:
		return x.setOperation(ctx, n, row)
	case *plan.RecursiveCte:
		return x.recursion(ctx, n, row)
	}
	return nil, nil
}
