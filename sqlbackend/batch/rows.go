package batch

import (
	"io"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/rowexec"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// TupleRows are the rows of VALUES in a batch: those behind the ones that batches before have met.
func TupleRows(ctx *sql.Context, n *plan.Values) (sql.RowIter, error) {
	s, ok := ctx.Session.(*session.Session)
	if !ok || s.Batch == nil || runOf(s).Shape.By != table.ByTuples {
		return nil, nil
	}
	tx, err := session.CurrentTransaction(ctx)
	if err != nil {
		return nil, err
	}
	b := runOf(s)
	b.Began = time.Now() // a long text takes its time before, in each batch
	return &tuplesIter{batch: b, tx: tx, tuples: n.ExpressionTuples, at: b.At.Met - b.From}, nil
}

type tuplesIter struct {
	batch  *Run
	tx     *session.Transaction
	tuples [][]sql.Expression
	at     int64
}

// Next implements sql.RowIter. All rows that it has given are dealt with before the batch ends.
func (i *tuplesIter) Next(ctx *sql.Context) (sql.Row, error) {
	if i.at >= int64(len(i.tuples)) {
		i.batch.Stopped = i.batch.Stopped || i.batch.More
		return nil, io.EOF
	}
	if i.batch.Full(i.tx) {
		i.batch.Stopped = true
		return nil, io.EOF
	}
	tuple := i.tuples[i.at]
	i.at++
	i.batch.Given++
	return rowexec.ProjectRow(ctx, tuple, make(sql.Row, len(tuple)))
}

// Close implements sql.RowIter.
func (*tuplesIter) Close(*sql.Context) error { return nil }

// Insert builds an INSERT in a batch. It sets which row is the first to get a number of AUTO_INCREMENT: the first
// number of the statement is its LAST_INSERT_ID. The rows of a query are the ones that are held.
func Insert(ctx *sql.Context, engine sql.NodeExecBuilder, n *plan.InsertInto, row sql.Row) (sql.RowIter, error) {
	b := Running(ctx)
	if b == nil || b.rebuilt == n || b.Shape.By != table.ByRows && n.FirstGeneratedAutoIncRowIdx < 0 {
		return nil, nil
	}
	next := *n
	if b.Shape.By == table.ByRows {
		var err error
		if next.Source, err = heldSource(n.Source); err != nil {
			return nil, err
		}
	}
	if n.FirstGeneratedAutoIncRowIdx >= 0 {
		if at := b.From + int64(n.FirstGeneratedAutoIncRowIdx); b.first < 0 || at < b.first {
			b.first = at
		}
		if b.At.Batches > 0 {
			next.FirstGeneratedAutoIncRowIdx = -1
			if first := b.first - b.At.Met; b.Shape.By == table.ByTuples && first >= 0 {
				next.FirstGeneratedAutoIncRowIdx = int(first)
			}
		}
	}
	b.rebuilt = &next
	return engine.Build(ctx, &next, row)
}

// Running is the statement in batches that runs; nil: none does.
func Running(ctx *sql.Context) *Run {
	if s, ok := ctx.Session.(*session.Session); ok {
		return runOf(s)
	}
	return nil
}

// Limit builds a LIMIT whose statement runs in batches; nil for others.
func Limit(ctx *sql.Context, engine sql.NodeExecBuilder, n *plan.Limit, row sql.Row) (sql.RowIter, error) {
	return limited(ctx, engine, n, n.Limit, row)
}

// TopN builds the first rows of an order where the statement runs in batches; nil for others.
func TopN(ctx *sql.Context, engine sql.NodeExecBuilder, n *plan.TopN, row sql.Row) (sql.RowIter, error) {
	return limited(ctx, engine, n, n.Limit, row)
}

// Sort builds a sort whose statement runs in batches by keys; nil for others.
func Sort(ctx *sql.Context, engine sql.NodeExecBuilder, n *plan.Sort, row sql.Row) (sql.RowIter, error) {
	b := Running(ctx)
	switch {
	case b == nil || b.Shape.By != table.ByKeys:
		return nil, nil
	case b.Shape.Ranked:
		return rankedRows(ctx, engine, b, n.SortFields, n.Child, row)
	case b.Shape.Unordered:
		return engine.Build(ctx, n.Child, row)
	}
	return nil, nil
}

// limited makes LIMIT count the rows of all batches: a batch has what those before have left. One
// that deletes the first rows of an order takes as many of them as a batch may.
func limited(ctx *sql.Context, engine sql.NodeExecBuilder, n sql.Node, limit sql.Expression, row sql.Row) (sql.RowIter,
	error) {
	b := Running(ctx)
	if b == nil || !b.Shape.Limited || b.rebuilt == n {
		return nil, nil
	}
	b.limit = b.At.Left
	if b.At.Batches == 0 {
		v, err := limit.Eval(ctx, nil)
		if err != nil {
			return nil, err
		}
		v, _, err = types.Int64.Convert(ctx, v)
		if err != nil {
			return nil, err
		}
		b.limit, _ = v.(int64)
	}
	most := b.limit
	if b.Shape.By == table.ByDeleting {
		most = min(most, b.Documents)
	}
	var child sql.RowIter
	var err error
	switch n := n.(type) {
	case *plan.TopN:
		if b.Shape.Ranked {
			child, err = rankedRows(ctx, engine, b, n.Fields, n.Child, row)
			break
		}
		top := plan.NewTopN(n.Fields, expression.NewLiteral(most, types.Int64), n.Child)
		if fields, ok := hold.StoppableFields(n.Fields); ok {
			top = plan.NewTopN(fields, expression.NewLiteral(most, types.Int64), n.Child)
		}
		b.rebuilt = top
		child, err = engine.Build(ctx, top, row)
	case *plan.Limit:
		child, err = engine.Build(ctx, n.Child, row)
	}
	if err != nil {
		return nil, err
	}
	tx, err := session.CurrentTransaction(ctx)
	if err != nil {
		return nil, err
	}
	return &limitIter{RowIter: child, batch: b, tx: tx, most: most}, nil
}

type limitIter struct {
	sql.RowIter
	batch *Run
	tx    *session.Transaction
	most  int64
}

// Next implements sql.RowIter.
func (i *limitIter) Next(ctx *sql.Context) (sql.Row, error) {
	b := i.batch
	if b.passed >= i.most || b.Shape.By == table.ByDeleting && b.passed < b.limit && b.Full(i.tx) {
		b.Stopped = b.passed < b.limit
		return nil, io.EOF
	}
	row, err := i.RowIter.Next(ctx)
	if err != nil {
		return nil, err
	}
	b.passed++
	if b.Shape.By == table.ByDeleting {
		b.Given++
	}
	return row, nil
}
