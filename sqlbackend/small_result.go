package sqlbackend

import (
	"io"

	gms "github.com/dolthub/go-mysql-server/server"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/iters"
	"github.com/dolthub/go-mysql-server/sql/plan"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// The engine spools a result through four goroutines, but for a result of one
// row at most, which it takes as it is. That costs more than reading a few
// documents. So a result that is known to be small is given to the engine as
// its first row, and the protocol handler, which has said that it does so, adds
// the others to what it sends.

// smallResult is the number of rows up to which a result is small.
const smallResult = 32

// Rest is what a statement has found beyond its first row.
type Rest struct {
	Schema sql.Schema
	Rows   []sql.Row
}

// TakeRest gives the protocol handler the rows that follow the first one of the
// running command's result, once. The context is the one that they were read in.
func (s *Session) TakeRest() (*sql.Context, Rest) {
	ctx, rest := s.restContext, s.rest
	s.restContext, s.rest = nil, Rest{}
	return ctx, rest
}

// mayBeSmall reports whether the running command is one whose result may be
// handed over in one piece: a SELECT of one table and nothing else, so that it
// has a single plan.
func (s *Session) mayBeSmall() bool {
	if !s.completes || len(s.parsed) != 1 {
		return false
	}
	sel, ok := s.parsed[0].(*ast.Select)
	if !ok || sel.Into != nil || sel.With != nil {
		return false
	}
	n := s.commandNames()
	if len(n.Sources) != 1 || n.Sources[0].Derived {
		return false
	}
	nested := false
	_ = statement.Walk(func(node ast.SQLNode) (bool, error) {
		if _, ok := node.(*ast.Subquery); ok {
			nested = true
		}
		return !nested, nil
	}, sel)
	return !nested
}

// smallPlan is a plan whose result may be small.
type smallPlan struct {
	flags *sql.QueryFlags // the plan's
	path  *accessPath     // of its only table
}

// has reports whether the plan is the one with the flags.
func (p *smallPlan) has(flags *sql.QueryFlags) bool { return p != nil && p.flags == flags }

// mayBeSmall reports whether the path may lead to few rows, by what its choice has found.
func (p *accessPath) mayBeSmall() bool {
	if p.order != nil || p.candidate == nil || p.chosen >= len(p.estimates) {
		return false
	}
	e := p.estimates[p.chosen]
	return e.Exact && e.Keys <= smallResult || e.Least && e.Keys < smallResult && len(p.members) == 0
}

// isSmall reports whether the path leads to few rows, as counted at the
// version that the statement reads at: now, if the path was chosen without.
func (p *accessPath) isSmall(s *Session) (bool, error) {
	if e := p.estimates[p.chosen]; e.Exact {
		return true, nil
	}
	read, err := s.planReader()
	if err != nil {
		return false, err
	}
	return p.table.def.estimator(read).Few(p.candidates[p.chosen], smallResult)
}

// wholeBuilder is the engine's builder of iterators; it takes small results
// apart.
type wholeBuilder struct {
	sql.NodeExecBuilder
}

// Build implements sql.NodeExecBuilder.
func (b wholeBuilder) Build(ctx *sql.Context, n sql.Node, row sql.Row) (sql.RowIter, error) {
	s, ok := ctx.Session.(*Session)
	if ok && !s.work.executed {
		s.work.executed, s.work.plan = true, n
	}
	small := false
	if ok && s.small != nil {
		var err error
		if small, err = s.small.path.isSmall(s); err != nil {
			return nil, mysqlerr.Of(ctx, err)
		}
		if small {
			s.small.flags.Set(sql.QFlagMax1Row)
		}
		s.small = nil
	}
	iter, err := b.NodeExecBuilder.Build(ctx, n, row)
	if err != nil || !ok {
		return iter, err
	}
	switch {
	case small:
		return &firstRow{child: signed(iter), session: s, schema: n.Schema()}, nil
	case s.single != nil:
		s.single = nil
		return signed(iter), nil
	}
	return iter, nil
}

// signed gives the rows of a result with the sign of -0, which the engine's projection takes away, but not
// where it spools rows.
func signed(iter sql.RowIter) sql.RowIter {
	rows, shown := gms.GetDeferredProjections(iter)
	if shown == nil {
		return iter
	}
	return &shownRows{RowIter: rows, shown: shown}
}

// shown is a projection with subqueries whose rows are sent. The engine would compute it beside the reading of the next rows, with
// which it has the session and its transaction in common.
func (x *executor) shown(ctx *sql.Context, n *plan.Project, row sql.Row) (sql.RowIter, error) {
	rows, err := x.engine.Build(ctx, n.Child, row)
	if err != nil {
		return nil, err
	}
	return &shownRows{RowIter: rows, shown: n.Projections}, nil
}

// offset leaves out rows. A projection below it is not what the engine spools: see signed.
func (x *executor) offset(ctx *sql.Context, n *plan.Offset, row sql.Row) (sql.RowIter, error) {
	skip, err := iters.GetInt64Value(ctx, n.Offset)
	if err != nil {
		return nil, err
	}
	rows, err := x.engine.Build(ctx, n.Child, row)
	if err != nil {
		return nil, err
	}
	return &skippedRows{RowIter: signed(rows), skip: skip}, nil
}

// skippedRows gives the rows behind some.
type skippedRows struct {
	sql.RowIter
	skip int64
}

// Next implements sql.RowIter.
func (i *skippedRows) Next(ctx *sql.Context) (sql.Row, error) {
	for ; i.skip > 0; i.skip-- {
		if _, err := i.RowIter.Next(ctx); err != nil {
			return nil, err
		}
	}
	return i.RowIter.Next(ctx)
}

// shownRows gives what is shown of rows.
type shownRows struct {
	sql.RowIter
	shown []sql.Expression
}

// Next implements sql.RowIter.
func (i *shownRows) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := i.RowIter.Next(ctx)
	if err != nil {
		return nil, err
	}
	out := make(sql.Row, len(i.shown))
	for k, e := range i.shown {
		if out[k], err = e.Eval(ctx, row); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// firstRow gives the first row of a result, and the others to the session.
type firstRow struct {
	child   sql.RowIter
	session *Session
	schema  sql.Schema
	over    bool
}

// Next implements sql.RowIter.
func (i *firstRow) Next(ctx *sql.Context) (sql.Row, error) {
	if i.over {
		return nil, io.EOF
	}
	i.over = true
	first, err := i.child.Next(ctx)
	if err != nil {
		return nil, err
	}
	var rest []sql.Row
	for {
		row, err := i.child.Next(ctx)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		rest = append(rest, row)
	}
	if len(rest) > 0 {
		i.session.restContext, i.session.rest = ctx, Rest{Schema: i.schema, Rows: rest}
	}
	return first, nil
}

// Close implements sql.RowIter.
func (i *firstRow) Close(ctx *sql.Context) error { return i.child.Close(ctx) }
