package batch

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/join"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/subquery"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// setQuery evaluates the expressions of LOAD DATA's SET that have subqueries, which the engine plans nowhere: they are
// planned as the columns of a query over the one row that is being loaded.
type setQuery struct {
	evaluator subquery.Evaluator
	row       *loadedRow
	columns   []int // in the table's schema: of each expression
	exprs     []sql.Expression
	plan      sql.Node // nil: they name user variables, which count as constants, and are planned for each row
}

// newSetQuery is the query of a LOAD DATA; nil if its SET has no subquery.
func newSetQuery(ctx *sql.Context, s *session.Session, n *plan.LoadData) (*setQuery, error) {
	if !join.AnySubquery(n.SetExprs) {
		return nil, nil
	}
	flags := &sql.QueryFlags{}
	flags.Set(sql.QFlagScalarSubquery)
	flags.Set(sql.QFlagRelSubquery)
	q := &setQuery{evaluator: subquery.Evaluator{Ctx: ctx, Session: s.Subqueries(), Analyzer: s.Backend.Engine.Analyzer,
		Flags: flags, Within: true}, row: newLoadedRow(n.DestSch)}
	variables := false
	for at, e := range n.SetExprs {
		if e == nil || !join.AnySubquery([]sql.Expression{e}) {
			continue
		}
		q.columns, q.exprs = append(q.columns, at), append(q.exprs, e)
		if _, err := eachVariable(e, func(v *expression.UserVar) (sql.Expression, error) {
			variables = true
			return v, nil
		}); err != nil {
			return nil, err
		}
	}
	if variables {
		return q, nil
	}
	var err error
	q.plan, err = q.planned(q.exprs)
	return q, err
}

func (q *setQuery) planned(exprs []sql.Expression) (sql.Node, error) {
	return q.evaluator.Planned(plan.NewProject(exprs, q.row))
}

// values are those of the columns that such expressions are of, for a row with these values; the others are as they
// were.
func (q *setQuery) values(ctx *sql.Context, row sql.Row) (sql.Row, error) {
	q.row.values = row
	n := q.plan
	if n == nil {
		exprs := make([]sql.Expression, len(q.exprs))
		for i, e := range q.exprs {
			var err error
			if exprs[i], err = eachVariable(e, func(v *expression.UserVar) (sql.Expression, error) {
				typ, value, err := ctx.GetUserVariable(ctx, v.Name)
				return expression.NewLiteral(value, typ), err
			}); err != nil {
				return nil, err
			}
		}
		var err error
		if n, err = q.planned(exprs); err != nil {
			return nil, err
		}
	}
	given, err := q.evaluator.Run(n)
	if err != nil {
		return nil, err
	}
	out := row.Copy()
	for i, at := range q.columns {
		out[at] = given[i]
	}
	return out, nil
}

// eachVariable puts something in the place of each user variable in an expression, subqueries included.
func eachVariable(e sql.Expression, replace func(*expression.UserVar) (sql.Expression, error)) (sql.Expression, error) {
	var visit func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error)
	within := func(q *plan.Subquery) (*plan.Subquery, error) {
		query, _, err := tree.EveryExpression(q.Query, visit)
		return q.WithQuery(query), err
	}
	visit = func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		var err error
		var next sql.Expression
		switch e := e.(type) {
		case *expression.UserVar:
			next, err = replace(e)
		case *plan.Subquery:
			next, err = within(e)
		case *plan.ExistsSubquery:
			var query *plan.Subquery
			query, err = within(e.Query)
			next = plan.NewExistsSubquery(query)
		default:
			return e, transform.SameTree, nil
		}
		return next, transform.NewTree, err
	}
	out, _, err := transform.Expr(e, visit)
	return out, err
}

// loadedRow is the row that is being loaded, as the table of a query.
type loadedRow struct {
	schema  sql.Schema
	columns sql.ColSet
	values  sql.Row
}

var (
	_ plan.TableIdNode  = (*loadedRow)(nil)
	_ sql.ExecSourceRel = (*loadedRow)(nil)
)

// newLoadedRow is a row of a table. LOAD DATA names it first: its columns have the first numbers.
func newLoadedRow(schema sql.Schema) *loadedRow {
	r := &loadedRow{schema: schema}
	for i := range schema {
		r.columns.Add(sql.ColumnId(i + 1))
	}
	return r
}

// Name implements sql.Nameable.
func (r *loadedRow) Name() string { return r.schema[0].Source }

// Id implements plan.TableIdNode.
func (*loadedRow) Id() sql.TableId { return 1 }

// WithId implements plan.TableIdNode.
func (r *loadedRow) WithId(sql.TableId) plan.TableIdNode { return r }

// Columns implements plan.TableIdNode.
func (r *loadedRow) Columns() sql.ColSet { return r.columns }

// WithColumns implements plan.TableIdNode.
func (r *loadedRow) WithColumns(sql.ColSet) plan.TableIdNode { return r }

// Resolved implements sql.Node.
func (*loadedRow) Resolved() bool { return true }

// IsReadOnly implements sql.Node.
func (*loadedRow) IsReadOnly() bool { return true }

// String implements sql.Node.
func (r *loadedRow) String() string { return fmt.Sprintf("row of %s", r.Name()) }

// Schema implements sql.Node.
func (r *loadedRow) Schema() sql.Schema { return r.schema }

// Children implements sql.Node.
func (*loadedRow) Children() []sql.Node { return nil }

// WithChildren implements sql.Node.
func (r *loadedRow) WithChildren(children ...sql.Node) (sql.Node, error) {
	if len(children) != 0 {
		return nil, sql.ErrInvalidChildrenNumber.New(r, len(children), 0)
	}
	return r, nil
}

// RowIter implements sql.ExecSourceRel.
func (r *loadedRow) RowIter(*sql.Context, sql.Row) (sql.RowIter, error) {
	return sql.RowsToRowIter(r.values), nil
}
