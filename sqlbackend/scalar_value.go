package sqlbackend

import (
	"io"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
)

var (
	_ sql.Expression         = (*compare.ScalarValue)(nil)
	_ sql.CollationCoercible = (*compare.ScalarValue)(nil)
	_ pushdown.Operand       = (*compare.ScalarValue)(nil)
)

// evaluate plans a subquery, runs it, and gives a value for each of its columns: NULL where it has no row.
func (s evaluator) evaluate(q *plan.Subquery) ([]sql.Expression, error) {
	if err := s.session.Resume(s.ctx); err != nil {
		return nil, mysqlerr.Of(s.ctx, err)
	}
	inner := s
	inner.within = true
	query, _, err := inner.conditionsOf(q)
	if err != nil {
		return nil, err
	}
	bound, _, err := s.binder().node(query.(*plan.Subquery).Query)
	if err != nil {
		return nil, err
	}
	n, err := s.planned(bound)
	if err != nil {
		return nil, err
	}
	row, err := s.valuesOf(n)
	if err != nil {
		return nil, err
	}
	collation, coercibility := sql.GetCoercibility(s.ctx, q)
	out := make([]sql.Expression, len(row))
	for i, v := range row {
		out[i] = &compare.ScalarValue{Value: v, Typ: n.Schema()[i].Type, Collation: collation, Coercibility: coercibility}
	}
	if s.session.Explains() {
		s.session.NoteEvaluated(n, pushdown.ConstantsText(s.ctx, out))
	}
	return out, nil
}

// planned is the plan of a query that is run on its own, within the statement.
func (s evaluator) planned(query sql.Node) (sql.Node, error) {
	// The scope is that of a derived table, for which sql_select_limit does not count.
	scope := (*plan.Scope)(nil).NewScopeFromSubqueryAlias(plan.NewSubqueryAlias("", "", query))
	var n sql.Node
	err := s.session.PlanAlone(func() (err error) {
		n, err = s.analyzer.Analyze(s.ctx, query, scope, &sql.QueryFlags{Flags: s.flags.Flags.Copy()})
		return err
	})
	return n, err
}

// valuesOf are the values of a plan's only row; the statement in batches that runs has those that its first batch has
// found.
func (s evaluator) valuesOf(n sql.Node) ([]any, error) {
	if s.within {
		return s.run(n)
	}
	if row, ok, err := s.session.KnownRow(s.ctx, n.Schema()); ok || err != nil {
		return row, err
	}
	row, err := s.run(n)
	if err != nil {
		return nil, err
	}
	return row, s.session.KeepRow(row)
}

// run runs a plan for the values of its only row.
func (s evaluator) run(n sql.Node) ([]any, error) {
	defer s.session.Before()()
	rows, err := s.analyzer.ExecBuilder.Build(s.ctx, n, nil)
	if err != nil {
		return nil, err
	}
	return onlyRow(s.ctx, rows, len(n.Schema()))
}

// onlyRow gives the values of the only row of that width: NULL where there is none, error 1242 where there are several.
func onlyRow(ctx *sql.Context, rows sql.RowIter, width int) ([]any, error) {
	out := make([]any, width)
	for met := 0; ; met++ {
		row, err := rows.Next(ctx)
		if err == io.EOF {
			return out, rows.Close(ctx)
		}
		if err == nil && met > 0 {
			err = sql.ErrExpectedSingleRow.New()
		}
		for i := range out {
			if err == nil {
				out[i], err = sql.UnwrapAny(ctx, row[i])
			}
		}
		if err != nil {
			_ = rows.Close(ctx) // what is wrong is known already
			return nil, err
		}
	}
}
