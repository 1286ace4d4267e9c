package compile

import (
	"errors"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/exec"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/kernel"
	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
)

// A filter over the documents of one table is computed in batches: of each document the columns of the condition alone
// are read, and those that it is true of become rows. A batch with something that is not computed here is filtered row
// by row. So is all that follows once this has happened a few times, or where most documents pass, which would be read
// twice.

const (
	// firstRows is how many documents the first batch has: a LIMIT may want few. Each further one has four times as many.
	firstRows = 64
	// mostFailures is how many batches may be filtered row by row.
	mostFailures = 3
)

// filterOf is the condition of a filter in batches, over the documents that it is of; nil where there is none.
func filterOf(ctx *sql.Context, n *plan.Filter) (conditions []*exec.Expression, d *documents, c *compiler) {
	mode := setting.Of(ctx, setting.Executor)
	if mode == setting.Interpreted {
		return nil, nil, nil
	}
	in, _ := inputOf(n.Child)
	d, ok := in.(*documents)
	if !ok {
		return nil, nil, nil
	}
	if mode == setting.Auto {
		if few, err := d.few(ctx); few || err != nil {
			return nil, nil, nil
		}
	}
	c = &compiler{ctx: ctx, in: d, made: map[string]*exec.Expression{}}
	if conditions = c.conditions(n); len(c.columns) == 0 {
		return nil, nil, nil // no document would be spared
	}
	return conditions, d, c
}

// Filter builds a filter that is computed in batches; nil for others, in statements that write, and in transactions
// whose reads are checked: they read no more than a LIMIT takes.
func Filter(ctx *sql.Context, _ sql.NodeExecBuilder, n *plan.Filter, row sql.Row) (sql.RowIter, error) {
	s, ok := ctx.Session.(*session.Session)
	if !ok || len(row) > 0 || !s.Planning.ReadsFreely() {
		return nil, nil
	}
	conditions, d, c := filterOf(ctx, n)
	if conditions == nil {
		return nil, nil
	}
	f := &filtered{in: d, of: s, conditions: conditions, condition: kernel.Of(n.Expression), size: firstRows,
		all: exec.AllRows(), passing: make([]int32, 0, exec.BatchRows), batch: exec.NewBatch(c.types)}
	if f.holding.Hold(ctx, c.bytes()) != nil {
		f.holding.ReleaseAll()
		return nil, nil
	}
	if err := d.open(ctx); err != nil {
		f.holding.ReleaseAll()
		if errors.Is(err, exec.ErrUnexpected) {
			return nil, nil
		}
		return nil, err
	}
	return f, nil
}

// filtered gives the rows of documents of which a condition is true.
type filtered struct {
	in         *documents
	of         *session.Session
	conditions []*exec.Expression
	condition  sql.Expression // the same, of rows
	batch      *exec.Batch
	all        []int32
	passing    []int32

	// The documents of the batch.
	docs []document.Document
	keys []byte // one behind the other
	ends []int  // of keys
	err  error  // behind them

	rows     []int32 // of the batch, that are left to be given
	tests    bool    // the condition decides of each
	size     int     // of the next batch
	failures int
	plain    bool // no more batches
	met      int64
	took     time.Duration
	holding  hold.Memory
	closed   bool
}

var _ sql.RowIter = (*filtered)(nil)

// Next implements sql.RowIter.
func (f *filtered) Next(ctx *sql.Context) (sql.Row, error) {
	for {
		for len(f.rows) > 0 {
			r := f.rows[0]
			f.rows = f.rows[1:]
			row, err := f.in.docs.Row(ctx, f.key(r), f.docs[r])
			if err != nil || !f.tests {
				return row, err
			}
			if is, err := operator.Holds(ctx, f.condition, row); is || err != nil {
				return row, err
			}
		}
		if f.err != nil {
			return nil, f.err
		}
		f.fill(ctx)
	}
}

func (f *filtered) key(r int32) []byte {
	from := 0
	if r > 0 {
		from = f.ends[r-1]
	}
	return f.keys[from:f.ends[r]]
}

// fill reads the next documents and finds those of which the condition is true.
func (f *filtered) fill(ctx *sql.Context) {
	began := time.Now()
	f.batch.Next()
	clear(f.docs)
	f.docs, f.keys, f.ends = f.docs[:0], f.keys[:0], f.ends[:0]
	size, computed := f.size, !f.plain
	if f.plain {
		size = 1
	}
	warned := int(ctx.Session.WarningCount())
	for bytes := 0; len(f.docs) < size && bytes < batchBytes; {
		if f.err = f.in.docs.Advance(ctx); f.err != nil {
			break
		}
		doc := f.in.docs.Docs.Document()
		bytes += doc.Len()
		f.docs, f.keys = append(f.docs, doc), append(f.keys, f.in.docs.Docs.PK()...)
		f.ends = append(f.ends, len(f.keys))
		computed = computed && f.in.read.Add(f.batch, doc.Value)
	}
	all := f.all[:len(f.docs)]
	f.met += int64(len(all))
	f.rows, f.tests = all, true
	if f.plain || len(all) == 0 {
		return
	}
	rows, ok := []int32(nil), false
	if computed {
		rows, ok = exec.Passing(f.conditions, f.batch, all, f.passing)
	}
	switch {
	case ok:
		f.rows, f.tests = rows, false
		f.of.Work.Running.BatchRows += int64(len(all))
		f.plain = len(all) == exec.BatchRows && 2*len(rows) > len(all)
	default:
		forgetWarnings(ctx, warned)
		f.failures++
		f.plain = f.failures == mostFailures
	}
	f.size = min(4*f.size, exec.BatchRows)
	f.took += time.Since(began)
}

// Close implements sql.RowIter.
func (f *filtered) Close(ctx *sql.Context) error {
	if f.closed {
		return nil
	}
	f.closed = true
	f.holding.ReleaseAll()
	f.of.NoteGiven(f.in.node(), f.met, f.took)
	return f.in.close(ctx)
}
