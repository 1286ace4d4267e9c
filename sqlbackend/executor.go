package sqlbackend

import (
	"cmp"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/rowexec"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/kernel"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/subquery"
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
		child, values, err := x.values(ctx, n.Child)
		if values == nil && err == nil {
			child, err = x.engine.Build(ctx, n.Child, row)
		}
		if err != nil {
			return nil, err
		}
		return &groupIter{child: child, values: values, selected: n.SelectedExprs, grouped: operator.Kernels(n.GroupByExprs)},
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
		return x.createCheck(ctx, n)
	case *plan.JSONTable:
		return functions.JSONTable(ctx, n, row)
	case *plan.JoinNode:
		next, err := withProjected(n, len(row))
		if err != nil {
			return nil, err
		}
		if next != n {
			return x.engine.Build(ctx, next, row)
		}
		if it, err := x.batchedJoin(ctx, n, row); it != nil || err != nil {
			return it, err
		}
		if it, err := x.hashJoin(ctx, n, row); it != nil || err != nil {
			return it, err
		}
		if n.Op.IsLateral() {
			return x.lateralJoin(ctx, n, row)
		}
		return x.nestedLoop(ctx, n, row)
	case *subquery.Rows:
		return n.Rows(ctx, row)
	case *operator.OrNulls:
		return x.orNulls(ctx, n, row)
	case *heldSide:
		return n.rows(ctx, x.engine, row)
	case *hold.HeldRows:
		child, err := x.engine.Build(ctx, n.Child, row)
		if err != nil || plan.IsEmptyIter(child) {
			return child, err
		}
		return &hold.HeldIter{RowIter: child}, nil
	case *groupSort:
		child, err := x.engine.Build(ctx, n.Child, row)
		if err != nil {
			return nil, err
		}
		return &groupSortIter{child: child, fields: n.fields, sorted: n.sorted}, nil
	case *limitedDrive:
		rows, err := x.engine.Build(ctx, n.Child, row)
		if err != nil {
			return nil, err
		}
		return &limitedDriveIter{RowIter: rows, left: n.most}, nil
	case *groupsApart:
		return &groupsApartIter{of: n}, nil
	case *aggregatesApart:
		return &aggregatesApartIter{of: n, build: func(ctx *sql.Context, n sql.Node) (sql.RowIter,
			error) {
			return x.engine.Build(ctx, n, row)
		}}, nil
	case *boundedOrder:
		walk, err := x.engine.Build(ctx, n.walk, row)
		if err != nil {
			return nil, err
		}
		sorted := func(ctx *sql.Context) (sql.RowIter, error) {
			sorted, err := n.sort()
			if err != nil {
				return nil, err
			}
			return x.engine.Build(ctx, sorted, row)
		}
		return &boundedOrderIter{rows: operator.Signed(walk), sorted: sorted, wanted: n.rows, doubted: n.doubted,
			enough: n.enough,
			width:  len(n.walk.Schema())}, nil
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
		if sorted, ok := n.Child.(*plan.Sort); ok && runningBatch(ctx) == nil {
			return x.engine.Build(ctx, plan.NewTopN(sorted.SortFields, n.Limit, sorted.Child).WithCalcFoundRows(n.CalcFoundRows),
				row)
		}
		return x.limitBatch(ctx, n, n.Limit, row)
	case *plan.Sort:
		if b := runningBatch(ctx); b != nil && b.shape.by == byKeys {
			if b.shape.ranked {
				return x.rankedRows(ctx, b, n.SortFields, n.Child, row)
			}
			if b.shape.unordered {
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
		if iter, err := x.limitBatch(ctx, n, n.Limit, row); iter != nil || err != nil {
			return iter, err
		}
		return x.first(ctx, n, row)
	case *plan.InsertInto:
		if n := countGiven(ctx, n); n != nil {
			return x.engine.Build(ctx, n, row)
		}
		if n := insertAhead(n); n != nil {
			return x.engine.Build(ctx, n, row)
		}
		return x.insertBatch(ctx, n, row)
	case *plan.LoadData:
		return x.load(ctx, n)
	case *plan.Values:
		return x.tuples(ctx, n)
	case *plan.UpdateSource:
		if _, stamped := n.Child.(*stampedSource); stamped {
			return nil, nil
		}
		if found := updateStamps(n); found != nil {
			next := *n
			next.Child = &stampedSource{cmp.Or(changeAhead(n.Child), n.Child)}
			rows, err := x.engine.Build(ctx, &next, row)
			return &stampedIter{rows, n.Child.Schema(), found}, err
		}
		if child := changeAhead(n.Child); child != nil {
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
		if child := changeAhead(n.Child); child != nil {
			next := *n
			next.Child = child
			return x.engine.Build(ctx, &next, row)
		}
	case *stampedSource:
		return x.engine.Build(ctx, n.Node, row)
	case *joinedTargets:
		rows, err := x.engine.Build(ctx, n.Node, row)
		if err != nil {
			return nil, err
		}
		return newJoinedTargetsIter(rows, n), nil
	case *givenRows:
		rows, err := x.engine.Build(ctx, n.Child, row)
		return givenIter{rows, &ctx.Session.(*Session).insertion}, err
	case *aheadSource:
		return n.build(ctx, x.engine, row)
	case *plan.ShowDatabases:
		return x.showDatabases(ctx, n)
	case *plan.TableCopier:
		return x.createSelected(ctx, n)
	case *selectedRows:
		return x.engine.Build(ctx, n.query, row)
	case *plan.DropTable:
		return x.dropTables(ctx, n)
	case *plan.CreateForeignKey:
		return x.addForeignKey(ctx, n)
	case *plan.DropForeignKey:
		return x.dropForeignKey(ctx, n)
	case *plan.Kill:
		return x.kills(ctx, n)
	case *plan.SetOp:
		return x.setOperation(ctx, n, row)
	case *plan.RecursiveCte:
		return x.recursion(ctx, n, row)
	}
	return nil, nil
}
