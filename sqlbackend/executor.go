package sqlbackend

import (
	"reflect"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/rowexec"

	"github.com/sqlfdb/sqlfdb/sqlbackend/aggregate"
	"github.com/sqlfdb/sqlfdb/sqlbackend/batch"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compile"
	"github.com/sqlfdb/sqlfdb/sqlbackend/ddl"
	"github.com/sqlfdb/sqlfdb/sqlbackend/explain"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/information"
	"github.com/sqlfdb/sqlfdb/sqlbackend/join"
	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// executor builds the iterators of our nodes, which build themselves, and of the nodes of the engine that it would
// build wrongly. It leaves all others to the engine.
type executor struct {
	engine    sql.NodeExecBuilder // the engine's builder, which asks the executor first
	overrides map[reflect.Type]builder[sql.Node]
}

// builder builds the iterator of a node; nil leaves it to what comes next.
type builder[N sql.Node] func(ctx *sql.Context, engine sql.NodeExecBuilder, n N, row sql.Row) (sql.RowIter, error)

// Nodes of packages that know no operators.
var (
	_ operator.Node = (*ddl.SelectedRows)(nil)
	_ operator.Node = (*hold.HeldRows)(nil)
	_ operator.Node = (*table.StampedSource)(nil)
	_ operator.Node = (*joinedTargets)(nil)
)

// newExecutor is the engine's builder of iterators with ours before it.
func newExecutor() sql.NodeExecBuilder {
	x := &executor{overrides: map[reflect.Type]builder[sql.Node]{}}
	x.engine = rowexec.NewOverrideBuilder(x)

	override(x, compile.Filter, operator.Filter)
	override(x, compile.GroupBy(aggregate.GroupBy))
	override(x, operator.Distinct)
	override(x, operator.OrderedDistinct)
	override(x, join.Projected, join.Batched, join.HashJoin, operator.Lateral, join.LoopHeld)
	override(x, functions.JSONTable)
	override(x, operator.Window)
	override(x, project)
	override(x, operator.Offset)
	override(x, operator.FoundRows, limitedSort, batch.Limit)
	override(x, batch.Sort, operator.Sort)
	override(x, batch.TopN, operator.TopN)
	override(x, operator.SetOperation)
	override(x, operator.Recursive)
	override(x, stoppable[*plan.RecursiveTable])
	override(x, stoppable[*plan.ValueDerivedTable])

	override(x, batch.CountGiven, table.BuildInsert, batch.Insert)
	override(x, alone(batch.LoadRows))
	override(x, alone(batch.TupleRows))
	override(x, stampedUpdate, table.BuildUpdate)
	override(x, deleteFromJoin, table.BuildDelete)

	override(x, ddl.CreateCheck)
	override(x, ddl.CreateSelected)
	override(x, alone(ddl.TablesDropped))
	override(x, alone(ddl.ForeignKeyAdded))
	override(x, alone(ddl.ForeignKeyDropped))
	override(x, explain.Query)
	override(x, alone(information.ShowDatabases))
	override(x, alone(kills))
	return x.engine
}

// override builds the nodes of a type by the first builder that gives an iterator; by the engine, if none does.
func override[N sql.Node](x *executor, builders ...builder[N]) {
	x.overrides[reflect.TypeFor[N]()] = func(ctx *sql.Context, engine sql.NodeExecBuilder, n sql.Node, row sql.Row) (
		sql.RowIter, error) {
		for _, build := range builders {
			if iter, err := build(ctx, engine, n.(N), row); iter != nil || err != nil {
				return iter, err
			}
		}
		return nil, nil
	}
}

// alone is a builder that needs neither the engine nor an outer row.
func alone[N sql.Node](build func(ctx *sql.Context, n N) (sql.RowIter, error)) builder[N] {
	return func(ctx *sql.Context, _ sql.NodeExecBuilder, n N, _ sql.Row) (sql.RowIter, error) {
		return build(ctx, n)
	}
}

// Build implements sql.NodeExecBuilder; nil leaves the node to the engine.
func (x *executor) Build(ctx *sql.Context, n sql.Node, row sql.Row) (sql.RowIter, error) {
	if iter, err := explain.Timed(ctx, x.engine, n, row); iter != nil || err != nil {
		return iter, err
	}
	if own, ok := n.(operator.Node); ok {
		return own.Build(ctx, x.engine, row)
	}
	if build := x.overrides[reflect.TypeOf(n)]; build != nil {
		return build(ctx, x.engine, n, row)
	}
	return nil, nil
}

// stoppable builds the engine's own iterator, which ends where its statement does.
func stoppable[N sql.Node](ctx *sql.Context, _ sql.NodeExecBuilder, n N, row sql.Row) (sql.RowIter, error) {
	rows, err := rowexec.DefaultBuilder.Build(ctx, n, row)
	if err != nil {
		return nil, err
	}
	return &hold.StoppableRows{RowIter: rows}, nil
}

// limitedSort builds a sort with a limit of a statement that writes; the engine has done so for what reads.
func limitedSort(ctx *sql.Context, engine sql.NodeExecBuilder, n *plan.Limit, row sql.Row) (sql.RowIter, error) {
	sorted, ok := n.Child.(*plan.Sort)
	if !ok || batch.Running(ctx) != nil {
		return nil, nil
	}
	top := plan.NewTopN(sorted.SortFields, n.Limit, sorted.Child).WithCalcFoundRows(n.CalcFoundRows)
	return engine.Build(ctx, top, row)
}

// project builds a projection; nil for what the engine spools, which is evaluated there.
func project(ctx *sql.Context, engine sql.NodeExecBuilder, n *plan.Project, row sql.Row) (sql.RowIter, error) {
	if s, ok := ctx.Session.(*session.Session); ok && n == operator.Spooled(s.Work.Plan) {
		return nil, nil
	}
	return operator.Project(ctx, engine, n, row)
}
