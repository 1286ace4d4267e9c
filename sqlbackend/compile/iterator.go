package compile

import (
	"errors"
	"io"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/exec"
	"github.com/sqlfdb/sqlfdb/sqlbackend/aggregate"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
)

// builder builds the iterator of a GROUP BY.
type builder = func(ctx *sql.Context, engine sql.NodeExecBuilder, n *plan.GroupBy, row sql.Row) (sql.RowIter, error)

// GroupBy builds a GROUP BY that has a program, and leaves all others to instead. Where a program meets what it does
// not compute, instead gives the rows, from the beginning.
func GroupBy(instead builder) builder {
	return func(ctx *sql.Context, engine sql.NodeExecBuilder, n *plan.GroupBy, row sql.Row) (sql.RowIter, error) {
		other := func() (sql.RowIter, error) { return instead(ctx, engine, n, row) }
		if len(row) > 0 && !tableBelow(n.Child) {
			return other() // joins and derived tables may have the outer row before their rows
		}
		p, _ := compiledOf(ctx, n)
		if p == nil {
			return other()
		}
		switch in := p.in.(type) {
		case *hashed:
			in.built(engine)
		case *joined:
			in.outer = row
		}
		return &rows{engine: engine, of: n, program: p, instead: other}, nil
	}
}

// tableBelow reports whether a node reads one table, perhaps filtered.
func tableBelow(n sql.Node) bool {
	switch n := n.(type) {
	case *plan.Filter:
		return tableBelow(n.Child)
	case *plan.TableAlias:
		return tableBelow(n.Child)
	case *plan.ResolvedTable, *plan.IndexedTableAccess:
		return true
	}
	return false
}

// rows are the rows of a program.
type rows struct {
	engine  sql.NodeExecBuilder
	of      *plan.GroupBy
	program *Program
	instead func() (sql.RowIter, error)
	other   sql.RowIter // which gives the rows; nil: the program
	done    bool
	next    int
	holding hold.Memory
}

var _ sql.RowIter = (*rows)(nil)

// Next implements sql.RowIter.
func (r *rows) Next(ctx *sql.Context) (sql.Row, error) {
	if !r.done {
		r.done = true
		warned := ctx.Session.WarningCount()
		err := r.begin(ctx)
		if errors.Is(err, exec.ErrUnexpected) {
			err = r.startAgain(ctx, int(warned))
		}
		if err != nil {
			return nil, err
		}
	}
	if r.other != nil {
		return r.other.Next(ctx)
	}
	if r.next >= int(r.program.run.Groups.Count) {
		return nil, io.EOF
	}
	row := make(sql.Row, len(r.program.results))
	for i, result := range r.program.results {
		row[i] = result(r.next)
	}
	r.next++
	return row, nil
}

// begin runs the program, or hands rows that are few, or have no columns, to the other executor.
func (r *rows) begin(ctx *sql.Context) error {
	p := r.program
	if j, ok := p.in.(*joined); ok {
		few, long, err := j.begin(ctx, r.engine)
		if err != nil {
			return err
		}
		if long || few && setting.Of(ctx, setting.Executor) == setting.Auto || p.compile(ctx, r.of) != "" || !j.fits() {
			r.other = aggregate.Grouped(r.of, j)
			return nil
		}
	}
	if r.holding.Hold(ctx, p.bytes) != nil {
		return exec.ErrUnexpected // a batch takes more memory than a row
	}
	return p.compute(ctx)
}

// startAgain has the other executor give the rows, and forgets what the program has warned of.
func (r *rows) startAgain(ctx *sql.Context, warned int) (err error) {
	if err := r.release(ctx); err != nil {
		return err
	}
	r.program = nil // with what it holds
	mysqlerr.ForgetWarnings(ctx, warned)
	r.other, err = r.instead()
	return err
}

// release lets go of what the program holds and reads.
func (r *rows) release(ctx *sql.Context) error {
	r.holding.ReleaseAll()
	if r.program == nil {
		return nil
	}
	r.program.holding.ReleaseAll()
	return r.program.in.close(ctx)
}

// Close implements sql.RowIter.
func (r *rows) Close(ctx *sql.Context) error {
	var err error
	if r.other != nil {
		err = r.other.Close(ctx)
	}
	return mysqlerr.Joined(err, r.release(ctx))
}

// compute reads the rows and aggregates them.
func (p *Program) compute(ctx *sql.Context) error {
	began := time.Now()
	s, err := session.Of(ctx)
	if err != nil {
		return err
	}
	if err := p.in.open(ctx); err != nil {
		return err
	}
	p.run.Read = func(b *exec.Batch) error { return p.in.fill(ctx, b) }
	if err := p.run.Run(); err != nil {
		return err
	}
	s.Work.Running.BatchRows += p.run.Met
	if n := p.in.node(); n != nil {
		s.NoteGiven(n, p.run.Met, time.Since(began))
	}
	if p.filter != nil {
		s.NoteGiven(p.filter, p.run.Passed, time.Since(began))
	}
	return p.in.close(ctx)
}
