package subquery

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

// evaluate plans a subquery, runs it, and returns a value for each of its columns: NULL if it has no row.
func (s Evaluator) evaluate(q *plan.Subquery) ([]sql.Expression, error) {
	if err := s.Session.Resume(s.Ctx); err != nil {
		return nil, mysqlerr.Of(s.Ctx, err)
	}
	inner := s
	inner.Within = true
	query, _, err := inner.conditionsOf(q)
	if err != nil {
		return nil, err
	}
	bound, _, err := s.binder().node(query.(*plan.Subquery).Query)
	if err != nil {
		return nil, err
	}
	n, err := s.Planned(bound)
	if err != nil {
		return nil, err
	}
	row, err := s.valuesOf(n)
	if err != nil {
		return nil, err
	}
	collation, coercibility := sql.GetCoercibility(s.Ctx, q)
	out := make([]sql.Expression, len(row))
	for i, v := range row {
		out[i] = &compare.ScalarValue{Value: v, Typ: n.Schema()[i].Type, Collation: collation, Coercibility: coercibility}
	}
	if s.Session.Explains() {
		s.Session.NoteEvaluated(n, pushdown.ConstantsText(s.Ctx, out))
	}
	return out, nil
}

// Planned returns the plan of a query that runs separately within the statement.
func (s Evaluator) Planned(query sql.Node) (sql.Node, error) {
	// The scope is a derived table's, for which sql_select_limit does not count.
	scope := (*plan.Scope)(nil).NewScopeFromSubqueryAlias(plan.NewSubqueryAlias("", "", query))
	var n sql.Node
	err := s.Session.PlanSeparately(func() (err error) {
		n, err = s.Analyzer.Analyze(s.Ctx, query, scope, &sql.QueryFlags{Flags: s.Flags.Flags.Copy()})
		return err
	})
	return n, err
}

// valuesOf returns the values of a plan's only row. A running statement in batches has the values that its first
// batch has found.
func (s Evaluator) valuesOf(n sql.Node) ([]any, error) {
	if s.Within {
		return s.Run(n)
	}
	if row, ok, err := s.Session.KnownRow(s.Ctx, n.Schema()); ok || err != nil {
		return row, err
	}
	row, err := s.Run(n)
	if err != nil {
		return nil, err
	}
	return row, s.Session.KeepRow(row)
}

// Run runs a plan for the values of its only row.
func (s Evaluator) Run(n sql.Node) ([]any, error) {
	defer s.Session.Before()()
	rows, err := s.Analyzer.ExecBuilder.Build(s.Ctx, n, nil)
	if err != nil {
		return nil, err
	}
	return onlyRow(s.Ctx, rows, len(n.Schema()))
}

// onlyRow returns the values of the only row, which has width columns: NULL if there is none, error 1242 if there are
// several.
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
			_ = rows.Close(ctx) // there is an error already
			return nil, err
		}
	}
}
