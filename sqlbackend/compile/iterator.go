package compile

import (
	"errors"
	"io"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/exec"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// builder builds the iterator of a GROUP BY.
type builder = func(ctx *sql.Context, engine sql.NodeExecBuilder, n *plan.GroupBy, row sql.Row) (sql.RowIter, error)

// GroupBy builds a GROUP BY that has a program, and leaves all others to instead. Where a program meets what it does
// not compute, instead gives the rows, from the beginning.
func GroupBy(instead builder) builder {
	return func(ctx *sql.Context, engine sql.NodeExecBuilder, n *plan.GroupBy, row sql.Row) (sql.RowIter, error) {
		other := func() (sql.RowIter, error) { return instead(ctx, engine, n, row) }
		if len(row) == 0 {
			if p, _ := Grouped(ctx, n); p != nil {
				return &rows{program: p, instead: other}, nil
			}
		}
		return other()
	}
}

// rows are those of a program.
type rows struct {
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
		err := exec.ErrUnexpected // a batch takes more memory than a row
		if r.holding.Hold(ctx, r.program.bytes) == nil {
			err = r.program.compute(ctx)
		}
		if errors.Is(err, exec.ErrUnexpected) {
			r.holding.ReleaseAll()
			r.program.holding.ReleaseAll()
			r.program = nil // with what it holds
			r.other, err = r.instead()
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

// Close implements sql.RowIter.
func (r *rows) Close(ctx *sql.Context) error {
	r.holding.ReleaseAll()
	if r.program != nil {
		r.program.holding.ReleaseAll()
	}
	if r.other != nil {
		return r.other.Close(ctx)
	}
	return nil
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
	if err := errors.Join(p.run.Run(), p.in.close(ctx)); err != nil {
		return err
	}
	s.Work.Running.BatchRows += p.run.Met
	s.NoteGiven(p.in.node(), p.run.Met, time.Since(began))
	if p.filter != nil {
		s.NoteGiven(p.filter, p.run.Passed, time.Since(began))
	}
	return nil
}
