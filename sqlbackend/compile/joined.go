package compile

import (
	"errors"
	"io"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/exec"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// joined are rows that the engine's executor makes: of joins, of derived tables, and of a table without its documents.
// The first rows decide whether batches pay; where they don't, the other executor goes on with the same rows.
type joined struct {
	of      sql.Node
	outer   sql.Row // the outer query's
	columns rowColumns
	it      sql.RowIter
	first   []sql.Row // to be given before the rows of it
	ended   bool
	holding hold.Memory // of first
}

// joinedOf are the rows below a GROUP BY; nil where they are read otherwise, or may not be made twice, for the reason.
func joinedOf(n sql.Node) (*joined, string) {
	at := n
	if f, ok := at.(*plan.Filter); ok {
		at = f.Child
	}
	switch at.(type) {
	case *plan.JoinNode, *plan.SubqueryAlias:
	default:
		if _, reason := inputOf(at); reason != covered {
			return nil, ""
		}
	}
	once := !n.IsReadOnly()
	tree.InspectPlan(n, func(sql.Node) {}, func(e sql.Expression) {
		switch e.(type) {
		case *expression.UserVar, *expression.SetField:
			once = true
		}
		once = once || functions.IsVolatile(e)
	})
	if once {
		return nil, "rows that may be made once"
	}
	return &joined{of: n}, ""
}

func (j *joined) node() sql.Node     { return nil }
func (j *joined) schema() sql.Schema { return j.of.Schema() }

func (j *joined) column(_ *sql.Context, at int) (exec.Type, bool) {
	return j.columns.add(at, j.of.Schema()[at].Type)
}

func (j *joined) few(*sql.Context) (bool, error) { return false, nil }

// begin reads the first rows, and reports whether they are all and whether they are too long to be held.
func (j *joined) begin(ctx *sql.Context, engine sql.NodeExecBuilder) (few, long bool, err error) {
	if j.it, err = engine.Build(ctx, j.of, j.outer); err != nil {
		return false, false, err
	}
	for bytes := 0; len(j.first) < fewRows; {
		row, err := j.it.Next(ctx)
		if errors.Is(err, io.EOF) {
			j.ended = true
			return true, false, nil
		}
		if err != nil {
			return false, false, err
		}
		j.first = append(j.first, slices.Clone(row))
		size := hold.RowBytes(row)
		if bytes += size; bytes > batchBytes || j.holding.Hold(ctx, size) != nil {
			return false, true, nil
		}
	}
	return false, false, nil
}

// fits reports whether the first rows have columns.
func (j *joined) fits() bool {
	types := make([]exec.Type, len(j.columns.types))
	copy(types, j.columns.types)
	b := exec.NewBatch(types)
	for _, row := range j.first {
		if _, ok := j.columns.put(row, b); !ok {
			return false
		}
	}
	return true
}

func (j *joined) open(*sql.Context) error { return nil }

func (j *joined) fill(ctx *sql.Context, b *exec.Batch) error {
	for bytes := 0; b.Rows < exec.BatchRows && bytes < batchBytes; {
		row, err := j.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		more, ok := j.columns.put(row, b)
		if bytes += more; !ok {
			return exec.ErrUnexpected
		}
	}
	return nil
}

// Next implements sql.RowIter.
func (j *joined) Next(ctx *sql.Context) (sql.Row, error) {
	if len(j.first) > 0 {
		row := j.first[0]
		j.first[0] = nil
		if j.first = j.first[1:]; len(j.first) == 0 {
			j.first = nil
			j.holding.ReleaseAll()
		}
		return row, nil
	}
	if j.ended {
		return nil, io.EOF
	}
	row, err := j.it.Next(ctx)
	j.ended = errors.Is(err, io.EOF)
	return row, err
}

// Close implements sql.RowIter.
func (j *joined) Close(ctx *sql.Context) error {
	j.holding.ReleaseAll()
	it := j.it
	if j.it = nil; it == nil {
		return nil
	}
	return it.Close(ctx)
}

func (j *joined) close(ctx *sql.Context) error { return j.Close(ctx) }
