package sqlbackend

import (
	"errors"
	"io"
	"testing"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/batch"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// TestTuplesOfLongTexts: that it took long to parse and plan a statement does not make its batches smaller.
func TestTuplesOfLongTexts(t *testing.T) {
	p := newInProcess(t, "store", inMemory())
	err := p.command(func(ctx *sql.Context) error {
		tx, err := session.CurrentTransaction(ctx)
		if err == nil {
			_, err = tx.Begin()
		}
		if err != nil {
			return err
		}
		b := &batch.Run{Shape: table.BatchShape{By: table.ByTuples}, Bytes: batch.BulkBytes, Documents: batch.BulkDocuments,
			Time: time.Minute}
		b.Begin()
		b.Began = time.Now().Add(-time.Hour)
		p.session.Batch = b
		defer func() { p.session.Batch = nil }()
		var tuples [][]sql.Expression
		for i := range 3 {
			tuples = append(tuples, []sql.Expression{expression.NewLiteral(int64(i), types.Int64)})
		}
		rows, err := batch.TupleRows(ctx, plan.NewValues(tuples))
		if err != nil {
			return err
		}
		for given := 0; ; given++ {
			_, err := rows.Next(ctx)
			if errors.Is(err, io.EOF) {
				if given != len(tuples) || b.Stopped {
					t.Errorf("the batch ends behind %d rows", given)
				}
				return nil
			}
			if err != nil {
				return err
			}
		}
	})
	if err != nil {
		t.Error(err)
	}
}
