package subquery

import (
	"io"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/rewrite"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// Rows is the query of a LATERAL derived table. It is planned each time it runs, with the values of the columns that
// it reads from other tables and outer queries as constants. The engine counts these columns from the wrong end of
// the row if the derived table is in a subquery, or joins tables itself. It is for one execution of a statement, and
// not safe for concurrent use.
type Rows struct {
	outer  []sql.Expression // the columns' current places in the plan
	fields []sql.Expression // the query's columns
	schema sql.Schema       // as the query is planned
	*Bound
}

var (
	_ operator.Node    = (*Rows)(nil)
	_ sql.Expressioner = (*Rows)(nil)
	_ sql.Projector    = (*Rows)(nil)
	_ tree.Bound       = (*Rows)(nil)
)

// BoundRows implements tree.Bound.
func (*Rows) BoundRows() {}

// Schema implements sql.Node.
func (n *Rows) Schema() sql.Schema { return n.schema }

// Resolved implements sql.Node.
func (n *Rows) Resolved() bool { return true }

// IsReadOnly implements sql.Node.
func (n *Rows) IsReadOnly() bool { return true }

// String implements fmt.Stringer.
func (n *Rows) String() string { return n.Query.String() }

// Children implements sql.Node.
func (n *Rows) Children() []sql.Node { return nil }

// WithChildren implements sql.Node.
func (n *Rows) WithChildren(children ...sql.Node) (sql.Node, error) {
	return plan.NillaryWithChildren(n, children...)
}

// Expressions implements sql.Expressioner.
func (n *Rows) Expressions() []sql.Expression { return n.outer }

// WithExpressions implements sql.Expressioner.
func (n *Rows) WithExpressions(outer ...sql.Expression) (sql.Node, error) {
	if len(outer) != len(n.outer) {
		return nil, sql.ErrInvalidChildrenNumber.New(n, len(outer), len(n.outer))
	}
	next := *n
	next.outer = outer
	return &next, nil
}

// ProjectedExprs implements sql.Projector: columns above are found by their numbers.
func (n *Rows) ProjectedExprs() []sql.Expression { return n.fields }

// Build implements operator.Node. The row has the columns of the tables before the query.
func (n *Rows) Build(ctx *sql.Context, _ sql.NodeExecBuilder, row sql.Row) (sql.RowIter, error) {
	values, key, known, err := n.valuesOf(ctx, n.outer, row)
	if err != nil {
		return nil, err
	}
	if rows, ok := n.given[string(key)]; known && ok {
		return sql.RowsToRowIter(rows.([]sql.Row)...), nil
	}
	query, err := n.bound(ctx, n.outer, values)
	if err != nil {
		return nil, err
	}
	it := &boundIter{of: n.Bound, plan: query}
	if known {
		it.key, it.holds = string(key), true
	}
	return it, nil
}

// boundIter returns the rows of a query that is planned for a row, and holds them while they are few.
type boundIter struct {
	of    *Bound
	plan  sql.Node
	rows  sql.RowIter // nil before the first
	key   string
	holds bool
	held  []sql.Row
	bytes int
}

// Next implements sql.RowIter.
func (i *boundIter) Next(ctx *sql.Context) (sql.Row, error) {
	defer i.of.Evaluator.Session.Running(i.plan)()
	if i.rows == nil {
		var err error
		if i.rows, err = i.of.Evaluator.Analyzer.ExecBuilder.Build(ctx, i.plan, nil); err != nil {
			return nil, err
		}
	}
	row, err := i.rows.Next(ctx)
	if !i.holds {
		return row, err
	}
	if err == io.EOF {
		i.of.keep(i.key, i.held, i.bytes)
		i.holds = false
	}
	if err != nil {
		return nil, err
	}
	if i.bytes += hold.RowBytes(row); i.of.bytes+i.bytes > rewrite.RememberedBytes {
		i.held, i.holds = nil, false
	} else {
		i.held = append(i.held, row)
	}
	return row, nil
}

// Close implements sql.RowIter.
func (i *boundIter) Close(ctx *sql.Context) error {
	if i.rows == nil {
		return nil
	}
	return i.rows.Close(ctx)
}

// lateral turns a join with a LATERAL derived table into an inner one. The condition of a LEFT JOIN on the derived
// table's rows is checked below the join, where a row of NULLs is made if none satisfies it. The engine would check
// WHERE on those rows before it makes them.
func (b binder) lateral(join *plan.JoinNode) (sql.Node, transform.TreeIdentity) {
	d, ok := join.Right().(*plan.SubqueryAlias)
	if !ok {
		return join, transform.SameTree
	}
	rows, ok := d.Child.(*Rows)
	if !ok && !d.IsLateral && join.Op.IsLateral() { // the derived table reads no other table
		op := plan.JoinTypeInner
		if join.Op == plan.JoinTypeLateralLeft {
			op = plan.JoinTypeLeftOuter
		}
		return plan.NewJoin(join.Left(), d, op, join.Filter).WithComment(join.Comment()), transform.NewTree
	}
	if !ok || !d.IsLateral {
		return join, transform.SameTree
	}
	if join.Op == plan.JoinTypeInner || join.Op == plan.JoinTypeLeftOuter { // USING has lost LATERAL
		join = plan.NewJoin(join.Left(), d, join.Op.AsLateral(), join.Filter).WithComment(join.Comment()).(*plan.JoinNode)
	}
	if join.Op != plan.JoinTypeLateralLeft {
		return join, transform.SameTree
	}
	condition, _, err := transform.Expr(join.Filter, func(e sql.Expression) (sql.Expression, transform.TreeIdentity,
		error) {
		if f, ok := e.(*expression.GetField); ok {
			if inside := d.ScopeMapping[f.Id()]; inside != nil {
				return inside, transform.NewTree, nil
			}
		}
		return e, transform.SameTree, nil
	})
	if err != nil {
		return join, transform.SameTree
	}
	always := expression.NewLiteral(true, types.Boolean)
	return plan.NewJoin(join.Left(), d.WithChild(operator.NewOrNulls(rows, condition)), plan.JoinTypeLateralCross,
		always).WithComment(join.Comment()), transform.NewTree
}

// derived returns a derived table that reads columns of other tables or of outer queries, with a query that is
// planned each time it runs.
func (b binder) derived(d *plan.SubqueryAlias) (sql.Node, transform.TreeIdentity, error) {
	if d.Correlated.Empty() {
		if !d.IsLateral {
			return d, transform.SameTree, nil
		}
		next := d.WithChild(d.Child)
		next.IsLateral = false
		return next, transform.NewTree, nil
	}
	if d.Volatile || !d.Child.Resolved() || tree.ReadsRecursion(d.Child) {
		return d, transform.SameTree, nil
	}
	fields := outerFields(d)
	n := &Rows{Bound: &Bound{Evaluator: b.evaluator, Query: d.Child, steady: b.remembers &&
		!readsVariables(d.Child) && !givesTransient(d.Child)}}
	for _, f := range fields {
		n.columns, n.outer = append(n.columns, f.Id()), append(n.outer, f)
	}
	planned, err := n.bound(b.evaluator.Ctx, n.outer, make([]any, len(fields)))
	if err != nil {
		return d, transform.SameTree, err
	}
	n.schema = planned.Schema()
	d.Columns().ForEach(func(id sql.ColumnId) {
		if f, ok := d.ScopeMapping[id]; ok {
			n.fields = append(n.fields, f)
		}
	})
	if len(n.fields) != len(n.schema) {
		return d, transform.SameTree, nil
	}
	next := d.WithChild(n)
	next.OuterScopeVisibility = true
	return next, transform.NewTree, nil
}

// outerFields returns the columns that the query of a derived table reads from tables before and around it. The plan
// builder's list of these lacks the columns that a subquery of HAVING reads beside aggregates of them.
func outerFields(d *plan.SubqueryAlias) []*expression.GetField {
	var own, read sql.ColSet
	tables, recursive := map[sql.TableId]bool{}, false
	tree.InspectPlan(d.Child, func(n sql.Node) {
		if _, ok := n.(*plan.RecursiveTable); ok {
			recursive = true // the numbers of its columns are not known
		}
		if rows, ok := n.(*Rows); ok {
			for _, e := range rows.fields {
				if f, ok := e.(*expression.GetField); ok {
					own.Add(f.Id())
				}
			}
		}
		if t, ok := n.(plan.TableIdNode); ok {
			tables[t.Id()] = true
			own = own.Union(t.Columns())
		}
	}, func(e sql.Expression) {
		if _, field := e.(*expression.GetField); field {
			return
		}
		if named, ok := e.(sql.IdExpression); ok {
			own.Add(named.Id())
		}
	})
	if recursive {
		return rewrite.FieldsWithin(d.Child, d.Correlated)
	}
	tree.InspectPlan(d.Child, func(sql.Node) {}, func(e sql.Expression) {
		if f, ok := e.(*expression.GetField); ok && f.Id() != 0 &&
			(d.Correlated.Contains(f.Id()) || !own.Contains(f.Id()) && !tables[f.TableId()]) {
			read.Add(f.Id())
		}
	})
	return rewrite.FieldsWithin(d.Child, read)
}
