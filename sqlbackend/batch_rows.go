package sqlbackend

import (
	"io"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/rowexec"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
)

// tuples is the rows of VALUES in a batch: those behind the ones that batches before have met.
func (x *executor) tuples(ctx *sql.Context, n *plan.Values) (sql.RowIter, error) {
	s, ok := ctx.Session.(*Session)
	if !ok || s.batch == nil || s.batch.shape.by != byTuples {
		return nil, nil
	}
	tx, err := currentTransaction(ctx)
	if err != nil {
		return nil, err
	}
	return &tuplesIter{batch: s.batch, tx: tx, tuples: n.ExpressionTuples, at: s.batch.at.Met}, nil
}

type tuplesIter struct {
	batch  *batchRun
	tx     *Transaction
	tuples [][]sql.Expression
	at     int64
}

// Next implements sql.RowIter. All rows that it has given are dealt with before the batch ends.
func (i *tuplesIter) Next(ctx *sql.Context) (sql.Row, error) {
	if i.at >= int64(len(i.tuples)) {
		return nil, io.EOF
	}
	if i.batch.full(i.tx) {
		i.batch.stopped = true
		return nil, io.EOF
	}
	tuple := i.tuples[i.at]
	i.at++
	i.batch.given++
	return rowexec.ProjectRow(ctx, tuple, make(sql.Row, len(tuple)))
}

// Close implements sql.RowIter.
func (*tuplesIter) Close(*sql.Context) error { return nil }

// insertBatch tells the engine which row of a batch is the first to get a number of AUTO_INCREMENT: the
// first that the statement has given is its LAST_INSERT_ID.
func (x *executor) insertBatch(ctx *sql.Context, n *plan.InsertInto, row sql.Row) (sql.RowIter, error) {
	s, ok := ctx.Session.(*Session)
	if !ok || s.batch == nil || s.batch.at.Batches == 0 || n.FirstGeneratedAutoIncRowIdx < 0 || s.batch.rebuilt == n {
		return nil, nil
	}
	b, next := s.batch, *n
	next.FirstGeneratedAutoIncRowIdx = -1
	if first := n.FirstGeneratedAutoIncRowIdx - int(b.at.Met); b.shape.by == byTuples && first >= 0 {
		next.FirstGeneratedAutoIncRowIdx = first
	}
	b.rebuilt = &next
	return x.engine.Build(ctx, &next, row)
}

// runningBatch is the statement in batches that runs; nil: none does.
func runningBatch(ctx *sql.Context) *batchRun {
	if s, ok := ctx.Session.(*Session); ok {
		return s.batch
	}
	return nil
}

// limitBatch makes LIMIT count the rows of all batches: a batch has what those before have left. One
// that deletes the first rows of an order takes as many of them as a batch may.
func (x *executor) limitBatch(ctx *sql.Context, n sql.Node, limit sql.Expression, row sql.Row) (sql.RowIter, error) {
	b := runningBatch(ctx)
	if b == nil || !b.shape.limited || b.rebuilt == n {
		return nil, nil
	}
	b.limit = b.at.Left
	if b.at.Batches == 0 {
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
	if b.shape.by == byDeleting {
		most = min(most, b.documents)
	}
	var child sql.RowIter
	var err error
	switch n := n.(type) {
	case *plan.TopN:
		if b.shape.ranked {
			child, err = x.rankedRows(ctx, b, n.Fields, n.Child, row)
			break
		}
		top := plan.NewTopN(n.Fields, expression.NewLiteral(most, types.Int64), n.Child)
		if fields, ok := hold.StoppableFields(n.Fields); ok {
			top = plan.NewTopN(fields, expression.NewLiteral(most, types.Int64), n.Child)
		}
		b.rebuilt = top
		child, err = x.engine.Build(ctx, top, row)
	case *plan.Limit:
		child, err = x.engine.Build(ctx, n.Child, row)
	}
	if err != nil {
		return nil, err
	}
	tx, err := currentTransaction(ctx)
	if err != nil {
		return nil, err
	}
	return &limitIter{RowIter: child, batch: b, tx: tx, most: most}, nil
}

type limitIter struct {
	sql.RowIter
	batch *batchRun
	tx    *Transaction
	most  int64
}

// Next implements sql.RowIter.
func (i *limitIter) Next(ctx *sql.Context) (sql.Row, error) {
	b := i.batch
	if b.passed >= i.most || b.shape.by == byDeleting && b.passed < b.limit && b.full(i.tx) {
		b.stopped = b.passed < b.limit
		return nil, io.EOF
	}
	row, err := i.RowIter.Next(ctx)
	if err != nil {
		return nil, err
	}
	b.passed++
	if b.shape.by == byDeleting {
		b.given++
	}
	return row, nil
}
