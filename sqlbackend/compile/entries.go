package compile

import (
	"errors"
	"io"
	"math"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/exec"
	"github.com/sqlfdb/sqlfdb/sqlbackend/aggregate"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// rowColumns are columns of rows that become columns of batches.
type rowColumns struct {
	at    []int
	types []exec.Type
}

// add has a column read too; false where its values have no column.
func (c *rowColumns) add(at int, of sql.Type) (exec.Type, bool) {
	t, ok := typeOf(of)
	if ok {
		c.at, c.types = append(c.at, at), append(c.types, t)
	}
	return t, ok
}

// typeOf is the type of the column for values of a type.
func typeOf(t sql.Type) (exec.Type, bool) {
	switch of := t.(type) {
	case value.TextType:
		return exec.Type{Kind: exec.Text}, true
	case sql.DecimalType:
		return exec.Type{Kind: exec.Decimal, Scale: int(of.Scale())}, of.Precision() <= 18
	}
	switch {
	case isTemporal(t):
		return exec.Type{Kind: exec.Time}, true
	case t == types.Float64:
		return exec.Type{Kind: exec.Float}, true
	case t == types.Int64:
		return exec.Type{}, true
	}
	_, _, ok := integerBounds(t)
	return exec.Type{}, ok
}

// put puts a row behind the others of a batch. It returns the bytes of its texts, and false where a value does not fit
// its column.
func (c *rowColumns) put(row sql.Row, b *exec.Batch) (bytes int, ok bool) {
	for i, at := range c.at {
		if !put(row[at], c.types[i], b.Columns[i], b.Rows) {
			return 0, false
		}
		if c.types[i].Kind == exec.Text {
			bytes += len(b.Columns[i].Texts[b.Rows])
		}
	}
	b.Rows++
	return bytes, true
}

// entries are the values of a column, each with the number of its documents.
type entries struct {
	of      *plan.IndexedTableAccess
	path    *aggregate.Path
	columns rowColumns
	values  *aggregate.Rows
	// least and most bound the integers that are read as they are.
	least, most int64
	ended       bool
}

func (e *entries) node() sql.Node     { return e.of }
func (e *entries) schema() sql.Schema { return e.of.Schema() }

func (e *entries) column(_ *sql.Context, at int) (exec.Type, bool) {
	of := e.of.Schema()[at].Type
	t, ok := e.columns.add(at, of)
	if e.least, e.most, _ = integerBounds(of); of == types.Int64 {
		e.least, e.most = math.MinInt64, math.MaxInt64
	}
	return t, ok
}

func (e *entries) few(*sql.Context) (bool, error) { return e.path.Size().Rows < fewRows, nil }

func (e *entries) open(ctx *sql.Context) (err error) {
	e.values, err = aggregate.Values(ctx, e.path)
	return err
}

func (e *entries) fill(ctx *sql.Context, b *exec.Batch) error {
	if b.Weights == nil {
		b.Weights = make([]int64, exec.BatchRows)
	}
	for bytes := 0; !e.ended && b.Rows < exec.BatchRows && bytes < batchBytes; {
		if len(e.columns.types) == 1 && e.columns.types[0].Kind == exec.Int {
			n, err := e.values.Integers(ctx, b.Columns[0].Ints[b.Rows:], b.Weights[b.Rows:], e.least, e.most)
			if err != nil {
				return err
			}
			if b.Rows += n; n > 0 {
				continue
			}
		}
		row, err := e.values.Next(ctx)
		if e.ended = errors.Is(err, io.EOF); e.ended {
			return nil
		}
		if err != nil {
			return err
		}
		b.Weights[b.Rows] = e.values.Count
		more, ok := e.columns.put(row, b)
		if bytes += more; !ok {
			return exec.ErrUnexpected
		}
	}
	return nil
}

func (e *entries) close(ctx *sql.Context) error {
	if e.values == nil {
		return nil
	}
	return e.values.Close(ctx)
}
