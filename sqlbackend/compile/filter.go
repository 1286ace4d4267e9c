package compile

import (
	"errors"
	"slices"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/exec"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/kernel"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// A filter over the documents of one table is computed in batches: of each document the columns of the condition alone
// are read, and the documents that pass become rows. The first documents are filtered row by row, as nobody may want
// more. So is a batch with something that is not computed here, all documents once that has happened a few times, and a
// stretch of documents behind a batch of which most have passed: those would be read twice.

const (
	// firstRows is how many documents the first batch has. Each further one has four times as many.
	firstRows = 64
	// mostFailures is how many batches may be filtered row by row.
	mostFailures = 3
	// fullScan is the document at which a table.RowIter knows of a full scan.
	fullScan = (session.Patience/table.RowsPerCheck + 1) * table.RowsPerCheck
	// plainRows is how many documents are filtered row by row behind a batch of which most have passed.
	plainRows = 16 * exec.BatchRows
)

// filterOf is the condition of a filter in batches, over the documents of its table; nil where there is none.
func filterOf(ctx *sql.Context, n *plan.Filter, d *documents) (conditions []*exec.Expression, c *compiler) {
	c = &compiler{ctx: ctx, in: d, made: map[string]*exec.Expression{}}
	if conditions = c.conditions(n); len(c.columns) == 0 {
		return nil, nil // no document would be spared
	}
	return conditions, c
}

// filteredDocuments are the documents below a filter; nil where it is not computed in batches, whatever its condition.
func filteredDocuments(ctx *sql.Context, n *plan.Filter) *documents {
	s, ok := ctx.Session.(*session.Session)
	if !ok || setting.Of(ctx, setting.Executor) == setting.Interpreted || !s.Planning.ReadsFreely() {
		return nil
	}
	in, _ := inputOf(n.Child)
	d, ok := in.(*documents)
	// A value that does not fit its column gives a warning, for each row that is read.
	if !ok || slices.ContainsFunc(d.table.Columns, func(c session.Column) bool { return c.Unsettled }) {
		return nil
	}
	return d
}

// filterExecutor is the batch executor for a filter that it runs; empty for others, and where only the reading tells: a
// path is not measured for it.
func filterExecutor(ctx *sql.Context, n *plan.Filter) string {
	d := filteredDocuments(ctx, n)
	if d == nil {
		return ""
	}
	if setting.Of(ctx, setting.Executor) == setting.Auto {
		if d.path != nil {
			return ""
		}
		if few, err := d.few(ctx); few || err != nil {
			return ""
		}
	}
	if conditions, _ := filterOf(ctx, n, d); conditions == nil {
		return ""
	}
	return setting.Batch
}

// Filter builds a filter over documents; nil for others, in statements that write, and in transactions whose reads are
// checked: they read no more than a LIMIT takes.
func Filter(ctx *sql.Context, engine sql.NodeExecBuilder, n *plan.Filter, row sql.Row) (sql.RowIter, error) {
	if l, constant := n.Expression.(*expression.Literal); len(row) > 0 || constant && l.Val == false {
		return nil, nil
	}
	d := filteredDocuments(ctx, n)
	if d == nil {
		return nil, nil
	}
	f := &filtered{engine: engine, of: n, in: d, session: ctx.Session.(*session.Session),
		condition: kernel.Of(n.Expression), plain: fewRows, size: firstRows}
	f.timed = f.session.Work.Analysis != nil
	if setting.Of(ctx, setting.Executor) == setting.Batch {
		f.plain = 0
	}
	return f, nil
}

// filtered gives the rows of documents of which a condition is true.
type filtered struct {
	engine    sql.NodeExecBuilder
	of        *plan.Filter
	in        *documents
	session   *session.Session
	condition sql.Expression // of rows
	other     sql.RowIter    // which gives the rows, where they are of no documents

	// Made once the first documents have been filtered row by row.
	conditions []*exec.Expression // the same, of columns
	batch      *exec.Batch
	all        []int32
	passing    []int32
	holding    hold.Memory

	// The documents of the batch.
	docs []document.Document
	keys []byte // one behind the other
	ends []int  // of keys
	err  error  // behind them

	rows     []int32 // of the batch, that are left to be given
	tests    bool    // the condition decides of each
	size     int     // of the next batch
	failures int
	plain    int // documents that are filtered row by row next; negative: all
	met      int64
	timed    bool
	took     time.Duration // of reading, where that is timed
	closed   bool
}

var _ sql.RowIter = (*filtered)(nil)

// Next implements sql.RowIter.
func (f *filtered) Next(ctx *sql.Context) (sql.Row, error) {
	if f.in.docs == nil && f.other == nil {
		if err := f.open(ctx); err != nil {
			return nil, err
		}
	}
	if f.other != nil {
		return f.other.Next(ctx)
	}
	for {
		for len(f.rows) > 0 {
			if err := ctx.Err(); err != nil { // what is computed of a row may take long
				return nil, mysqlerr.Of(ctx, err)
			}
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
		if f.plain == 0 && f.begin(ctx) {
			f.fill(ctx)
			continue
		}
		if f.plain < 0 && f.batch != nil {
			f.batch, f.docs, f.keys = nil, nil, nil
			f.holding.ReleaseAll()
		}
		f.plain--
		if err := f.advance(ctx); err != nil {
			return nil, err
		}
		row, err := f.in.docs.Row(ctx, f.in.docs.Docs.PK(), f.in.docs.Docs.Document())
		if err != nil {
			return nil, err
		}
		if is, err := operator.Holds(ctx, f.condition, row); is || err != nil {
			return row, err
		}
	}
}

// open begins to read.
func (f *filtered) open(ctx *sql.Context) error {
	err := f.in.open(ctx)
	if errors.Is(err, exec.ErrUnexpected) {
		f.other, err = operator.Filter(ctx, f.engine, f.of, nil)
	}
	return err
}

// advance goes to the next document.
func (f *filtered) advance(ctx *sql.Context) error {
	if f.timed {
		defer func(began time.Time) { f.took += time.Since(began) }(time.Now())
	}
	err := f.in.docs.Advance(ctx)
	if err == nil {
		f.met++
	}
	return err
}

func (f *filtered) key(r int32) []byte {
	from := 0
	if r > 0 {
		from = f.ends[r-1]
	}
	return f.keys[from:f.ends[r]]
}

// begin compiles the condition, once. It is false where all is filtered row by row.
func (f *filtered) begin(ctx *sql.Context) bool {
	if f.batch != nil {
		return true
	}
	conditions, c := filterOf(ctx, f.of, f.in)
	if conditions == nil || f.holding.Hold(ctx, c.bytes()) != nil {
		f.holding.ReleaseAll()
		f.plain = -1
		return false
	}
	f.conditions, f.batch, f.in.read = conditions, exec.NewBatch(c.types), exec.NewDocuments(f.in.sources)
	f.all, f.passing = exec.AllRows(), make([]int32, 0, exec.BatchRows)
	return true
}

// fill reads the next documents and finds those of which the condition is true.
func (f *filtered) fill(ctx *sql.Context) {
	size, computed := f.size, true
	if left := fullScan - 1 - f.met; left > 0 {
		size = min(size, int(left)) // the node above may not need a full scan
	}
	f.batch.Next()
	clear(f.docs)
	f.docs, f.keys, f.ends = f.docs[:0], f.keys[:0], f.ends[:0]
	for bytes := 0; len(f.docs) < size && bytes < batchBytes; {
		if f.err = f.advance(ctx); f.err != nil {
			break
		}
		doc, pk := f.in.docs.Docs.Document(), f.in.docs.Docs.PK()
		bytes += doc.Len() + len(pk)
		f.docs, f.keys = append(f.docs, doc), append(f.keys, pk...)
		f.ends = append(f.ends, len(f.keys))
		computed = computed && f.in.read.Add(f.batch, doc.Value)
	}
	f.rows, f.tests = f.all[:len(f.docs)], true
	if len(f.docs) == 0 {
		return
	}
	warned := int(ctx.Session.WarningCount())
	if computed {
		var passing []int32
		if passing, computed = exec.Passing(f.conditions, f.batch, f.rows, f.passing); computed {
			if 2*len(passing) > len(f.docs) && len(f.docs) > firstRows {
				f.plain = plainRows
			}
			f.rows, f.tests = passing, false
			f.session.Work.Running.BatchRows += int64(len(f.docs))
		}
	}
	if !computed {
		mysqlerr.ForgetWarnings(ctx, warned)
		if f.failures++; f.failures == mostFailures {
			f.plain = -1
		}
	}
	f.size = min(4*f.size, exec.BatchRows)
}

// Close implements sql.RowIter.
func (f *filtered) Close(ctx *sql.Context) error {
	if f.closed {
		return nil
	}
	f.closed = true
	f.holding.ReleaseAll()
	if f.other != nil {
		return f.other.Close(ctx)
	}
	f.session.NoteGiven(f.in.node(), f.met, f.took)
	return f.in.close(ctx)
}
